"""A machine on which lines may overwrite what they read, and the fewest arrays that must be made.

It runs lines (name, operation, reads) on square matrices, entry by entry. So a line that overwrites
what it still has to read goes wrong, as it does in a compiled loop.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...harness.chart import OPERATORS, chart
from ...harness.check import call, cases, where
from ...harness.checker import checker
from ...harness.counterexample import Program, fewer_lines, smallest
from ...harness.feedback import Wrong, complain, spell

ENTRYWISE = {"tanh": np.tanh, "sin": np.sin, "add": np.add, "multiply": np.multiply}
TWO = ("add", "multiply", "matmul")
Line = tuple[str, str, tuple[str, ...]]  # name, operation, what it reads
Values = Mapping[str, np.ndarray]


def entries(operation: str, operands: Sequence[np.ndarray], out: np.ndarray) -> None:
    """Compute a line into `out`, one entry after the other."""
    for i, j in np.ndindex(*out.shape):
        if operation == "matmul":
            out[i, j] = operands[0][i] @ operands[1][:, j]
        else:
            out[i, j] = ENTRYWISE[operation](*[o[i, j] for o in operands])


def played(
    lines: Sequence[Line], values: Values, into: Sequence[str | None]
) -> tuple[list[np.ndarray], dict[str, np.ndarray]]:
    """What each line computed when it ran, and all arrays as they are at the end."""
    arrays = {name: value.copy() for name, value in values.items()}
    computed = []
    for (name, operation, reads), target in zip(lines, into, strict=True):
        operands = [arrays[r] for r in reads]
        if operation == "transpose":
            arrays[name] = operands[0].T
        else:
            out = np.empty_like(operands[0]) if target is None else arrays[target]
            entries(operation, operands, out)
            arrays[name] = out
        computed.append(arrays[name].copy())
    return computed, arrays


def fewest_arrays(lines: Sequence[Line], results: Sequence[str]) -> int:
    """How many arrays must be made if a line may overwrite an operand that is not needed later."""
    home: dict[str, tuple[str, bool]] = {}  # whose array it is, and whether it lies transposed
    for name, operation, reads in lines:
        whose, turned = home.get(reads[0], (reads[0], False))
        home[name] = (whose, not turned) if operation == "transpose" else (name, False)
    last = {home[r][0]: k for k, line in enumerate(lines) for r in line[2] if r in home}
    last |= {home[r][0]: len(lines) for r in results}
    made, count = {line[0] for line in lines}, 0
    for k, (_, operation, reads) in enumerate(lines):
        places = [home[r] for r in reads if r in home]
        free = [p for p in places
                if p[0] in made and last[p[0]] == k and (p[0], not p[1]) not in places]  # fmt: skip
        count += operation != "transpose" and not (operation in ENTRYWISE and free)
    return count


OVERWRITING: list[tuple] = [
    ([("a", "tanh", ("x",)), ("b", "sin", ("a",)), ("c", "multiply", ("b", "b"))], ("c",)),
    ([("a", "sin", ("x",)), ("b", "tanh", ("a",)), ("c", "multiply", ("a", "b"))], ("c",)),
    ([("a", "tanh", ("x",)), ("b", "sin", ("a",))], ("a", "b")),
    ([("a", "tanh", ("x",)), ("t", "transpose", ("a",)), ("b", "sin", ("a",)),
      ("c", "add", ("b", "t"))], ("c",)),
    ([("a", "sin", ("x",)), ("t", "transpose", ("a",)), ("b", "add", ("a", "t"))], ("b",)),
    ([("a", "tanh", ("x",)), ("b", "matmul", ("a", "y")), ("c", "add", ("x", "b"))], ("c",)),
    ([("a", "tanh", ("x",)), ("t", "transpose", ("a",)), ("b", "sin", ("t",))], ("b",)),
]  # fmt: skip


def drawn_lines(rng: np.random.Generator) -> tuple:
    """A program on square matrices; the last line is a result, others may be."""
    names = list("abcdefgh")[: rng.integers(3, 8)]
    lines: list[Line] = []
    for k, name in enumerate(names):
        operation = str(rng.choice([*ENTRYWISE, "matmul", "transpose"]))
        count = 2 if operation in TWO else 1
        reads = rng.choice(["x", "y", *names[:k], *names[max(0, k - 2) : k] * 2], size=count)
        lines.append((name, operation, tuple(reads.tolist())))
    kept = [n for n in names[:-1] if rng.random() < 0.15]
    return lines, (*kept, names[-1])


@checker
def check_reuse(student: Callable[..., Any], *, trials: int = 30, seed: int | None = None) -> None:
    """student(lines, results) says for each line which operand it overwrites, or None.

    Every line has the value that it has without reuse, results and inputs stay as they are, and
    no array is made that need not be.

    Parameters
    ----------
    trials : int, default: 30
        How many random programs are tried.
    seed : int, optional
        Of the random programs; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with the line that goes wrong.
    """
    rng = np.random.default_rng(seed)
    for args, _ in cases(drawn_lines, OVERWRITING, trials, seed):
        (lines, results), at = args, where(student, args)
        values = dict(zip("xy", rng.normal(size=(2, 3, 3)), strict=True))
        wrong = partial(fails, student, values)
        if wrong((lines, results)):
            least: Program = smallest((lines, results), fewer_lines, wrong)
            lines, results = args = least
            at, got = where(student, args), call(student, args)
            title = f"{student.__name__}: the smallest program that goes wrong"
            draw(title, args, values, got)
        into = targets(lines, call(student, args), at)
        compare(lines, results, values, into, at)
        made = into.count(None) - sum(line[1] == "transpose" for line in lines)
        if made > (most := fewest_arrays(lines, results)):
            wanted = f"{most} new array{'s' * (most != 1)}"
            complain("an array is made that need not be", wanted, made, at)
    title = f"{student.__name__}: your plan of a small program"
    draw(title, OVERWRITING[0], values, call(student, OVERWRITING[0]))
    print(f"{student.__name__}: {trials + len(OVERWRITING)} programs keep their values")


def fails(student: Callable[..., Any], values: Values, args: Program) -> bool:
    """Does a value become another one, or is there an array too many? An error is another fault."""
    lines, results = args
    try:
        got = call(student, args)
    except Wrong:
        return False
    try:
        into = targets(lines, got, "")
    except Wrong:
        return True
    arrays = into.count(None) - sum(line[1] == "transpose" for line in lines)
    return any(spoiled(lines, results, values, into)) or arrays > fewest_arrays(lines, results)


def draw(title: str, args: Program, values: Values, got: Any) -> None:
    """Chart a program, with the array that the student lets each line overwrite."""
    lines, results = args
    if not isinstance(got, (list, tuple)) or len(got) != len(lines):
        return
    arrays = {name for name, _, _ in lines}
    wrong = {
        name
        for (name, op, reads), place in zip(lines, got, strict=True)
        if place is not None and (op == "transpose" or place not in arrays.intersection(reads))
    }
    wrong = wrong or {name for name, _ in spoiled(lines, results, values, got)}
    texts = {name: f"{name} = {OPERATORS.get(op, op)}" for name, op, _ in lines}
    notes = dict.fromkeys(wrong, "is lost") | {
        name: "a view" if op == "transpose" else f"into {place}" if place else "a new array"
        for (name, op, _), place in zip(lines, got, strict=True)
    }
    chart(title, {name: list(reads) for name, _, reads in lines}, texts, notes, wrong)


def targets(lines: Sequence[Line], got: Any, at: str) -> list[str | None]:
    """What each line overwrites, if the answer can be understood."""
    if not isinstance(got, (list, tuple)) or len(got) != len(lines):
        complain("there is one entry for each line", f"a list of {len(lines)}", spell(got), at)
    made = {name for name, _, _ in lines}
    for line, target in zip(lines, got, strict=True):
        if target is None:
            continue
        if line[1] == "transpose":
            complain(f"line {line}: a view makes no array", "None", spell(target), at)
        if not isinstance(target, str) or target not in line[2]:
            complain(f"line {line}: it overwrites one of its operands, or None",
                     f"None, {', '.join(line[2])}", spell(target), at)  # fmt: skip
        if target not in made:
            complain(f"line {line}: an input belongs to the caller", "inputs as they were",
                     f"{target} overwritten", at)  # fmt: skip
    return list(got)


def compare(
    lines: Sequence[Line],
    results: Sequence[str],
    values: Values,
    into: Sequence[str | None],
    at: str,
) -> None:
    """Raise Wrong unless all lines, results and inputs are as without reuse."""
    for _, problem in spoiled(lines, results, values, into):
        needed = "the value without reuse" if problem.startswith("line") else "its value"
        complain(problem, needed, "another", at)


def spoiled(
    lines: Sequence[Line],
    results: Sequence[str],
    values: Values,
    into: Sequence[str | None],
) -> Iterator[tuple[str, str]]:
    """The names whose values are others than without reuse, and what is wrong."""
    with np.errstate(all="ignore"):
        plain, _ = played(lines, values, [None] * len(lines))
        computed, arrays = played(lines, values, into)
    wanted = dict(zip([line[0] for line in lines], plain, strict=True))
    for line, right, found in zip(lines, plain, computed, strict=True):
        if not np.array_equal(right, found, equal_nan=True):
            yield line[0], f"line {line}: something was overwritten that it still reads"
    for name in {**values, **dict.fromkeys(results)}:
        if not np.array_equal(arrays[name], {**wanted, **values}[name], equal_nan=True):
            yield name, f"{name} is no longer what it was at the end"
