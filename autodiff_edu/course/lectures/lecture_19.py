"""Programs line by line: how many bytes are in use, work in blocks, what is counted.

A line of a program is (name, reads, size) where bytes are counted, and (operation, shapes of the
operands, shape of the result) where operations are.
"""

import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial, wraps
from math import prod
from typing import Any

import numpy as np

from ..harness.chart import NEAR, chart
from ..harness.check import call, cases, where
from ..harness.checker import checker
from ..harness.counterexample import fewer_lines, smallest_failure
from ..harness.feedback import Wrong, complain, differences, expect, spell

OPERATIONS = ("tanh", "sin", "add", "multiply", "matmul", "transpose", "sum")
BYTES = 8  # of a number
BLOCKS = 10  # for which there is room
Student = Callable[..., Any]
Shape = tuple[int, ...]


# ---- bytes in use


def peak(lines: Sequence[tuple], results: Sequence[str]) -> int:
    """The most bytes in use at once, inputs not counted."""
    last = {name: k for k, (name, _, _) in enumerate(lines)}
    last |= {r: k for k, (_, reads, _) in enumerate(lines) for r in reads}
    last |= dict.fromkeys(results, len(lines))
    made = {name: (k, size) for k, (name, _, size) in enumerate(lines)}
    moments = range(len(lines))
    return max(sum(s for n, (first, s) in made.items() if first <= k <= last[n]) for k in moments)


def fails(student: Student, args: tuple) -> bool:
    """Is the number wrong?"""
    return any(differences(peak(*args), call(student, args), *NEAR))


def draw_lives(title: str, lines: Sequence[tuple], results: Sequence[str]) -> None:
    """Chart a program: its lines with their bytes, and from which line to which they are needed."""
    last = {r: k for k, (_, reads, _) in enumerate(lines, 1) for r in reads}
    notes = {}
    for k, (name, _, size) in enumerate(lines, 1):
        until = "the end" if name in results else f"line {last.get(name, k)}"
        notes[name] = f"{size} bytes, line {k} to {until}"
    chart(title, {name: list(reads) for name, reads, _ in lines}, notes=notes)


LIVES: list[tuple] = [
    ([("a", ("x",), 80), ("b", ("a",), 80), ("c", ("b",), 80), ("d", ("c",), 80)], ("d",)),
    ([("a", ("x",), 80), ("b", ("a",), 160), ("c", ("b", "a"), 8), ("d", ("c",), 80)], ("d",)),
    ([("a", ("x",), 80), ("b", ("x",), 80), ("c", ("b",), 80), ("d", ("c",), 80)], ("a", "d")),
    ([("a", ("x",), 400), ("b", ("x",), 80), ("c", ("b",), 80), ("d", ("c",), 80)], ("d",)),
]


def drawn_lives(rng: np.random.Generator) -> tuple:
    """Lines that read inputs and earlier lines; the last is a result, others may be."""
    names = list("abcdefgh")[: rng.integers(3, 9)]
    lines = []
    for k, name in enumerate(names):
        reads = rng.choice(["x", *names[:k]], size=rng.integers(1, 3)).tolist()
        lines.append((name, tuple(dict.fromkeys(reads)), int(8 * rng.integers(1, 50))))
    kept = [n for n in names[:-1] if rng.random() < 0.2]
    return lines, (*kept, names[-1])


@checker
def check_peak(student: Student, *, trials: int = 30, seed: int | None = None) -> None:
    """student(lines, results) is the largest number of bytes that are in use at once.

    Parameters
    ----------
    trials : int, default: 30
        How many random programs are tried.
    seed : int, optional
        Of the random programs; by default a fresh one each time.
    """
    programs: list[tuple[Any, bool]] = [*cases(drawn_lives, LIVES, trials, seed)]
    wrong = partial(fails, student)
    for args, fresh in programs:
        if wrong(args):
            args, fresh = smallest_failure(programs, fewer_lines, wrong)
        if fresh and wrong(args):
            says = f"yours {spell(call(student, args))}, right {peak(*args)}"
            draw_lives(f"{student.__name__}: {says} for the smallest program", *args)
        got, at = call(student, args), where(student, args)
        expect(peak(*args), got, at, tell=fresh)
    draw_lives(f"{student.__name__}: {call(student, LIVES[1])} bytes at most", *LIVES[1])
    print(f"{student.__name__}: right for {trials + len(LIVES)} programs")


# ---- blocks


@checker
def check_blocks(
    student: Student, whole: Student, *, trials: int = 20, seed: int | None = None
) -> None:
    """student(x, size) is whole(x), computed in blocks of `size` entries, in little memory.

    Parameters
    ----------
    whole : callable
        The same in one piece.
    trials : int, default: 20
        How many random arrays are tried.
    seed : int, optional
        Of the random arrays; by default a fresh one each time.

    Raises
    ------
    Wrong
        If a value differs, or more memory is taken than for the result and ten blocks.
    """

    def draw(rng: np.random.Generator) -> tuple:
        return rng.normal(size=rng.integers(1, 40)).round(2), int(rng.integers(1, 12))

    fixed = [(np.arange(n) / 4, size) for n, size in [(12, 4), (10, 4), (3, 4), (0, 4)]]
    for args, _ in cases(draw, fixed, trials, seed):
        expect(whole(args[0]), call(student, args), where(student, args), rtol=1e-12)
    in_little_memory(student, whole, 1000, np.linspace(-1, 1, 200_000))
    print(f"{student.__name__}: right for {trials + len(fixed) + 1} arrays, in little memory")


def in_little_memory(student: Student, whole: Student, size: int, x: np.ndarray) -> None:
    """Raise Wrong unless the student's function takes the result and a few blocks."""
    most = [0]

    @wraps(student)
    def measured(x: np.ndarray, size: int) -> Any:
        tracemalloc.start()
        try:
            found = student(x, size)
            most.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        return found

    at = f"{student.__name__}(x, {size}) with {len(x)} entries"
    expect(whole(x), call(measured, (x, size)), at, rtol=1e-12, tell=False)
    if most[-1] > (limit := x.nbytes + BLOCKS * size * BYTES):
        complain("more memory than for the result and ten blocks", f"at most {limit} bytes",
                 f"{most[-1]} bytes", at)  # fmt: skip


# ---- operations and bytes


def counted_line(operation: str, operands: Sequence[Shape], result: Shape) -> tuple[int, int]:
    """Floating point operations of a line, and the bytes that it reads and writes."""
    if operation == "transpose":
        return 0, 0
    moved = BYTES * sum(map(prod, (*operands, result)))
    if operation == "matmul":
        return 2 * operands[0][1] * prod(result), moved
    return prod(operands[0] if operation == "sum" else result), moved


def counts(lines: Sequence[tuple]) -> tuple[int, int]:
    """Those of a program."""
    each = [counted_line(*line) for line in lines]
    return sum(f for f, _ in each), sum(b for _, b in each)


COUNTS = [
    ([("matmul", ((2, 3), (3, 5)), (2, 5))],),
    ([("add", ((4, 5), (5,)), (4, 5))],),
    ([("sum", ((4, 5),), (5,)), ("sum", ((5,),), ())],),
    ([("transpose", ((4, 5),), (5, 4))],),
    ([("tanh", ((6,),), (6,)), ("multiply", ((6,), ()), (6,))],),
]


def drawn_counts(rng: np.random.Generator) -> tuple:
    """Some lines of each kind."""
    m, k, n = (int(v) for v in rng.integers(2, 9, size=3))
    kinds: list[tuple] = [
        ("matmul", ((m, k), (k, n)), (m, n)),
        ("add", ((m, n), (n,)), (m, n)),
        ("multiply", ((m, 1), (m, n)), (m, n)),
        ("tanh", ((m, n),), (m, n)),
        ("sum", ((m, n),), (n,)),
        ("transpose", ((m, n),), (n, m)),
    ]
    return ([kinds[i] for i in rng.integers(0, len(kinds), size=rng.integers(1, 6))],)


@checker
def check_counts_of_lines(student: Student, *, trials: int = 30, seed: int | None = None) -> None:
    """student(lines) is (floating point operations, bytes read and written), exactly.

    Parameters
    ----------
    trials : int, default: 30
        How many random programs are tried.
    seed : int, optional
        Of the random programs; by default a fresh one each time.
    """
    for args, fresh in cases(drawn_counts, COUNTS, trials, seed):
        got, at = call(student, args), where(student, args)
        expect(counts(*args), got, at, rtol=0, atol=0, tell=fresh)
    print(f"{student.__name__}: exact for {trials + len(COUNTS)} programs")


@checker
def check_misleading(student: Student, *, factor: int = 10) -> None:
    """student() is two programs: the first has fewer operations, and moves many more bytes.

    Parameters
    ----------
    factor : int, default: 10
        How many times as many bytes.

    Raises
    ------
    Wrong
        If it is not so, with what was counted.
    """
    found = call(student, ())
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        complain("there are two programs", "a pair of lists of lines", spell(found))
    try:
        (few, many_bytes), (many, few_bytes) = [counts(checked(lines)) for lines in found]
    except (TypeError, ValueError, IndexError) as error:
        raise Wrong(f"{student.__name__}: a line cannot be read ({error})") from None
    if few >= many:
        complain("the first has fewer floating point operations", "fewer than the second",
                 f"{few} and {many}")  # fmt: skip
    if many_bytes < factor * few_bytes:
        complain("the first moves many more bytes", f"at least {factor} times those of the second",
                 f"{many_bytes} and {few_bytes}")  # fmt: skip
    print(f"{student.__name__}: fewer operations, and at least {factor} times the bytes")


def checked(lines: Any) -> list[tuple]:
    """Lines whose shapes fit, as NumPy sees it."""
    for operation, operands, result in lines:
        arrays = [np.broadcast_to(0.0, shape) for shape in operands]
        if operation not in OPERATIONS:
            raise ValueError(f"{operation!r} is not one of the operations")
        if operation == "sum":
            left = iter(operands[0])
            fits = len(arrays) == 1 and all(n in left for n in result)
        elif operation == "transpose":
            fits = arrays[0].T.shape == tuple(result)
        elif operation == "matmul":
            (m, k), (j, n) = operands
            fits = k == j and (m, n) == tuple(result)
        else:
            fits = np.broadcast_shapes(*operands) == tuple(result)
        if not fits:
            raise ValueError(f"{operation} of {operands} is not {result}")
    return list(lines)
