"""Second order and sparsity: products with a Hessian, index sets, colours, what is read off.

What is right is computed by the engine, or seen from a property: that columns of one colour share
no row, that no more products are asked for than there are colours.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ...differentiate import hessian_vector_product
from ...expr import Input, TensorType, evaluate
from ..harness.chart import chart, chart_answers
from ..harness.check import Arrays, Draw, call, cases, where
from ..harness.checker import checker
from ..harness.counterexample import shorter, smallest, smallest_failure
from ..harness.feedback import Wrong, complain, expect, numbers, spell

Row = tuple[Any, ...]  # the name of an operation, then the places that it reads
STEPS = ("floor", "sign")  # operations whose derivative is zero
NAMES = {"+": 2, "*": 2, "sin": 1, "exp": 1} | dict.fromkeys(STEPS, 1)
MANY = 20_000  # entries: the Hessian would take three gigabytes


# ---- products with a Hessian


@checker
def check_hessian_product(
    student: Callable[..., Any],
    of: Callable[[Any], Any],
    inputs: Draw,
    *,
    examples: Iterable[Arrays] = (),
    trials: int = 20,
    seed: int | None = None,
) -> None:
    """student(x, p) is H·p for the Hessian H of `of` at x, of 20,000 entries too.

    Parameters
    ----------
    of : callable
        The scalar function, in NumPy's words.
    inputs : callable
        Draws x and p from a generator.
    examples : iterable, default: ()
        Pairs of x and p that are tried first. Of these no message says what is right.
    """
    rng = np.random.default_rng(seed)
    given = [*cases(inputs, examples, trials, seed), (rng.normal(size=(2, MANY)), False)]
    for (x, p), fresh in given:
        got, at = call(student, (x, p)), where(student, (x, p))
        wanted = product(of, x, p)
        expect(wanted, got, at, rtol=1e-7, atol=1e-9 * np.abs(wanted).max(), tell=fresh)
    print(f"{student.__name__}: right at {len(given)} inputs, one of {MANY:,} entries")


def product(of: Callable[[Any], Any], at: np.ndarray, p: np.ndarray) -> np.ndarray:
    """H·p, by the engine."""
    x = Input("x", TensorType("float64", at.shape))
    return evaluate(hessian_vector_product(of(x), x, p), {x: at})


# ---- index sets


@checker
def check_index_sets(
    student: Callable[[int, list[Row]], Any], *, trials: int = 30, seed: int | None = None
) -> None:
    """student(n, program) is a list: for each value the set of the inputs that can change it.

    The values 0 to n − 1 are inputs. A row of the program, such as ("*", 0, 3), computes one more.

    Parameters
    ----------
    trials : int, default: 30
        How many random programs are tried.
    seed : int, optional
        Of the random programs; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with where and, at random programs, what is right.
    """

    def draw(rng: np.random.Generator) -> tuple[int, list[Row]]:
        n, program = int(rng.integers(1, 5)), []
        for end in range(n, n + int(rng.integers(1, 9))):
            name = str(rng.choice(list(NAMES)))
            program.append((name, *rng.integers(0, end, NAMES[name]).tolist()))
        return n, program

    examples: list[tuple[int, list[Row]]] = [
        (1, []),
        (2, [("*", 0, 1), ("sin", 2), ("+", 3, 0)]),
        (2, [("floor", 0), ("*", 2, 1)]),
    ]
    programs: list[tuple[Any, bool]] = [*cases(draw, examples, trials, seed)]
    wrong = partial(fails, student)
    for args, fresh in programs:
        if wrong(args):
            args, fresh = smallest_failure(programs, smaller, wrong)
        if fresh and wrong(args):
            draw_sets(student, "the smallest program with a set that is wrong", args)
        same_sets(index_sets(*args), call(student, args), where(student, args), fresh)
    draw_sets(student, "your sets of a small program", examples[1])
    print(f"{student.__name__}: right for {len(examples) + trials} programs")


Program = tuple[int, list[Row]]
OPERATORS = {"+": "+", "*": "×"}


def as_tape(args: Program) -> list[tuple[str, str, tuple[str, ...]]]:
    """The rows with names, inputs first."""
    n, program = args
    tape: list[tuple[str, str, tuple[str, ...]]] = [(f"value {k}", "input", ()) for k in range(n)]
    for k, (name, *places) in enumerate(program, n):
        tape.append((f"value {k}", name, tuple(f"value {place}" for place in places)))
    return tape


def smaller(args: Program) -> Iterator[Program]:
    """A program with a row or an input less."""
    for tape in shorter(as_tape(args)):
        place = {name: k for k, (name, _, _) in enumerate(tape)}
        rows = [(op, *(place[o] for o in operands)) for _, op, operands in tape if op != "input"]
        yield len(tape) - len(rows), rows


def fails(student: Callable[..., Any], args: Program) -> bool:
    """Is a set wrong?"""
    got = call(student, args)
    return are_sets(got) and [*map(set, got)] != index_sets(*args)


def draw_sets(student: Callable[..., Any], title: str, args: Program) -> None:
    """Chart a program, with the student's set at each value."""
    got, right, tape = call(student, args), index_sets(*args), as_tape(args)
    if not are_sets(got) or len(got) != len(right):
        return
    names = [name for name, _, _ in tape]
    links = {name: list(operands) for name, _, operands in tape}
    texts = {name: OPERATORS.get(op, op) for name, op, _ in tape if op != "input"}
    own, answers = (dict(zip(names, map(set, row), strict=True)) for row in (got, right))
    spelled = lambda places: spell(places) if places else "{}"
    chart_answers(f"{student.__name__}: {title}", links, texts, own, answers, spelled)


def are_sets(got: Any) -> bool:
    return isinstance(got, (list, tuple)) and all(isinstance(s, (set, frozenset)) for s in got)


def index_sets(n: int, program: list[Row]) -> list[set[int]]:
    """What a step gives is no function of small changes."""
    found = [{k} for k in range(n)]
    for name, *places in program:
        read = () if name in STEPS else places
        found.append(set().union(*(found[k] for k in read)))
    return found


def same_sets(wanted: list[set[int]], got: Any, at: str, tell: bool) -> None:
    if not are_sets(got):
        complain("the result must be a list of sets", "a list of sets", spell(got), at)
    if len(got) != len(wanted):
        complain("a set for each value, inputs too", f"{len(wanted)} sets", len(got), at)
    for k, (right, found) in enumerate(zip(wanted, got, strict=True)):
        if right != found:
            size = "too large" if found > right else "too small" if found < right else "wrong"
            lines = [f"the set of value {k} is {size}", f"  expected  {right or '{}'}"]
            raise Wrong("\n".join([*lines[: 1 + tell], f"  got       {found or '{}'}",
                                   f"  at        {at}"]))  # fmt: skip


# ---- colours


def tridiagonal(n: int) -> np.ndarray:
    return np.abs(np.subtract.outer(np.arange(n), np.arange(n))) < 2


def arrow(n: int) -> np.ndarray:
    """A dense first row, and the diagonal."""
    found = np.eye(n, dtype=bool)
    found[0] = True
    return found


def known() -> Iterator[tuple[np.ndarray, int]]:
    """Patterns, and how many colours their columns take."""
    yield from ((tridiagonal(n), 3) for n in (3, 4, 5, 9, 20))
    yield from ((arrow(n), n) for n in (2, 6))
    yield from ((arrow(n).T, 2) for n in (2, 6))
    yield np.eye(5, dtype=bool), 1


def random_pattern(rng: np.random.Generator) -> np.ndarray:
    m, n = rng.integers(1, 8, 2)
    return rng.random((m, n)) < rng.uniform(0.1, 0.6)


def at_most(pattern: np.ndarray) -> int:
    """Who takes the first free colour needs no more than one, and one for each neighbour."""
    share = pattern.T.astype(int) @ pattern > 0
    np.fill_diagonal(share, False)
    return int(share.sum(axis=1).max()) + 1


@checker
def check_coloring(
    student: Callable[[np.ndarray], Any], *, trials: int = 30, seed: int | None = None
) -> None:
    """student(pattern) is a colour for each column: those of one colour share no row.

    Any colouring is right that takes no more colours than first free ones would: three for
    a tridiagonal pattern, and never more than one and the neighbours of a column.

    Parameters
    ----------
    trials : int, default: 30
        How many random patterns are tried, after tridiagonal ones and arrows.
    seed : int, optional
        Of the random patterns; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with where.
    """
    rng = np.random.default_rng(seed)
    fresh = [random_pattern(rng) for _ in range(trials)]
    patterns = [*known(), *((pattern, at_most(pattern)) for pattern in fresh)]
    for pattern, most in patterns:
        given = pattern.astype(int)
        got, at = call(student, (given,)), where(student, (given,))
        colors = as_colors(got, pattern.shape[1], at)
        if not are_apart(pattern, colors):
            pattern = smallest(
                pattern, without_one, lambda other: is_colored_wrongly(student, other)
            )
            args = (pattern.astype(int),)
            got, at = call(student, args), where(student, args)
            colors = as_colors(got, pattern.shape[1], at)
            title = "the smallest pattern whose neighbours have one colour"
            draw_colors(f"{student.__name__}: {title}", pattern, colors)
        apart(pattern, colors, at)
        if len(set(colors.tolist())) > most:
            draw_colors(f"{student.__name__}: fewer colours are enough", pattern, colors)
            complain(f"{student.__name__}: too many colours", f"at most {most} colours",
                     f"{len(set(colors.tolist()))} colours", at)  # fmt: skip
    args = (tridiagonal(4).astype(int),)
    colors = as_colors(call(student, args), 4, where(student, args))
    draw_colors(f"{student.__name__}: your colours of a tridiagonal pattern", args[0] > 0, colors)
    print(f"{student.__name__}: right for {len(patterns)} patterns")


def without_one(pattern: np.ndarray) -> Iterator[np.ndarray]:
    """The pattern without one of its columns, then without one of its rows."""
    for axis in (1, 0):
        if pattern.shape[axis] > 1:
            yield from (np.delete(pattern, k, axis) for k in range(pattern.shape[axis]))


def is_colored_wrongly(student: Callable[..., Any], pattern: np.ndarray) -> bool:
    """Have two columns that share a row one colour? An error is another fault."""
    try:
        colors = as_colors(call(student, (pattern.astype(int),)), pattern.shape[1], "")
    except Wrong:
        return False
    return not are_apart(pattern, colors)


def are_apart(pattern: np.ndarray, colors: np.ndarray) -> bool:
    return all(len(set(colors[row])) == row.sum() for row in pattern)


def draw_colors(title: str, pattern: np.ndarray, colors: np.ndarray) -> None:
    """Chart the columns: lines join those that share a row, and one colour for both is wrong."""
    share = pattern.T.astype(int) @ pattern > 0
    columns = range(pattern.shape[1])
    links = {f"column {j}": [f"column {i}" for i in range(j) if share[i, j]] for j in columns}
    notes = {f"column {j}": f"colour {colors[j]}" for j in columns}
    pairs = [(i, j) for j in columns for i in range(j) if share[i, j] and colors[i] == colors[j]]
    chart(title, links, notes=notes, wrong={f"column {j}" for pair in pairs for j in pair})


def as_colors(got: Any, n: int, at: str) -> np.ndarray:
    colors = numbers(got)
    if colors is None or colors.shape != (n,):
        complain("the result must be one colour for each column", f"{n} numbers", spell(got), at)
    if (colors != np.round(colors)).any() or (colors < 0).any():
        complain("a colour is a whole number, from 0 on", "0, 1, 2, ...", spell(got), at)
    return colors.astype(int)


def apart(pattern: np.ndarray, colors: np.ndarray, at: str) -> None:
    """Raises Wrong where two columns of one colour share a row."""
    for i, row in enumerate(pattern):
        ours = np.flatnonzero(row)
        for k, j in enumerate(ours):
            if colors[j] in colors[ours[:k]]:
                other = ours[list(colors[ours[:k]]).index(colors[j])]
                complain(f"columns {other} and {j} share row {i}", "two colours",
                         f"colour {colors[j]} for both", at)  # fmt: skip
