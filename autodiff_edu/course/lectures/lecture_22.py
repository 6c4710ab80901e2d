"""Programs that branch: how many paths, the slopes beside a boundary, one path for a loop, lies.

Letters: f a program of one number, n how large it is, b where two of its paths meet.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...differentiate import value_and_grad
from ...nested.loops.scan_op import Scan
from ..harness.chart import brief, chart_answers, contrast
from ..harness.check import call, where
from ..harness.checker import checker
from ..harness.counterexample import smallest, without_errors
from ..harness.feedback import Wrong, spell
from .more.lecture_22_pictures import draw_formula, draw_paths

Program = Callable[..., Any]
Numbers = Callable[[np.random.Generator], Any]
Sized = Mapping[str, tuple[Program, Callable[[np.random.Generator, int], Any]]]

SIMPLE = (2.0, 8.0, 1.0, 0.5)  # numbers that are tried first where a program is wrong
SPECIAL = (0.0, 1.0, -1.0, 2.0, 0.5, -2.5, 3.0, 10.0, 1e-3)  # where programs are often special


# ---- how many paths


@checker
def check_path_counts(
    student: Callable[[int], Mapping[str, int]],
    programs: Sized,
    *,
    largest: int = 4,
    calls: int = 1000,
    seed: int | None = None,
) -> None:
    """student(n) says of each program f(x, n) how many paths it has: so many are found by chance.

    Parameters
    ----------
    programs : dict
        By name: a function of x and n, and what draws x from a generator and n.
    largest : int, default: 4
        The largest n that is tried. There must be fewer than 64 paths.
    calls : int, default: 1000
        How often each program is called.

    Raises
    ------
    Wrong
        If it is not so, with where and in which direction.
    """
    rng = np.random.default_rng(seed)
    for n in range(1, largest + 1):
        said = call(student, (n,), by_hand=False)
        check_names(student, said, programs)
        for name, (program, draw) in programs.items():
            got, run = said[name], called_often(program, n, draw, rng, calls)
            at, found = f"{name}, n = {n}", len(run.paths)
            if not isinstance(got, (int, np.integer)):
                raise Wrong(f"a whole number is needed\n  got       {spell(got)}\n  at        {at}")
            draw_paths(f"{student.__name__}: the paths of {at}", run, got)
            if got != found:
                more = "more" if found > got else "fewer"
                paths = "1 path" if found == 1 else f"{found} paths"
                words = f"{calls} random calls took {paths}, {more} than you say"
                raise Wrong(f"{words}\n  got       {got}\n  at        {at}")
    print(f"{student.__name__}: right for {len(programs)} programs, n = 1 to {largest}")


def check_names(student: Callable[..., Any], said: Any, programs: Mapping[str, Any]) -> None:
    """Raise Wrong unless something is said of every program, and of nothing else."""
    if not isinstance(said, Mapping) or set(said) != set(programs):
        names = ", ".join(programs)
        raise Wrong(
            f"{student.__name__} returns a dictionary with the keys {names}\n"
            f"  got       {spell(said)}"
        )


def called_often(program: Program, n: int, draw: Any, rng: np.random.Generator, calls: int) -> Any:
    """The traced program, after so many random calls."""
    run: Any = value_and_grad(partial(program, n=n))
    for _ in range(calls):
        run(draw(rng, n))
    return run


# ---- beside a boundary


class Boundary(NamedTuple):
    """A program of two parabolas that meet at b, and what is true there."""

    f: Program
    b: float
    jump: float
    left: float  # the slope on this side
    right: float
    words: str
    parts: tuple[Any, ...]  # b, and the coefficients below it, above it and at it


@checker
def check_boundary(
    student: Callable[[Program, float], Sequence[float]],
    *,
    trials: int = 30,
    seed: int | None = None,
) -> None:
    """student(f, b) is the jump of f at b, its slope on the left of b, and that on the right.

    Parameters
    ----------
    trials : int, default: 30
        How many random programs are tried.
    seed : int, optional
        Of the random programs; by default a fresh one each time.
    """
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        case = random_boundary(rng)
        found = call(student, (case.f, case.b), by_hand=False)
        if not isinstance(found, (tuple, list)) or len(found) != 3:
            raise Wrong(
                f"three numbers are needed: the jump, the slope on the left, that on the right\n"
                f"  got       {spell(found)}\n  at        {case.words}"
            )
        if differing(case, found):
            fails = lambda parts: bool(differing(boundary(*parts), at_boundary(student, parts)))
            case = boundary(*smallest(case.parts, simpler, without_errors(fails)))
            now = call(student, (case.f, case.b), by_hand=False)
            draw_boundary(f"{student.__name__}: the simplest boundary that is wrong", case, now)
            object_to(case, now)
            object_to(case, found)
    last = boundary(1.0, (0.0, 2.0, 1.0), (2.0, 3.0, 0.0), (2.0,))  # the example of the task
    found = call(student, (last.f, last.b), by_hand=False)
    draw_boundary(f"{student.__name__}: your numbers beside a boundary", last, found)
    print(f"{student.__name__}: right for {trials} programs")


PARTS = ("the jump", "the slope on the left", "the slope on the right")


def at_boundary(student: Program, parts: Any) -> Any:
    case = boundary(*parts)
    return call(student, (case.f, case.b), by_hand=False)


def differing(case: Boundary, found: Sequence[Any]) -> list[tuple[str, float, Any]]:
    """The numbers that are wrong: which, what is right, and the student's."""
    rows = zip(PARTS, (case.jump, case.left, case.right), found, strict=True)
    return [row for row in rows if not is_close(row[2], row[1])]


def object_to(case: Boundary, found: Sequence[Any]) -> None:
    """Raise Wrong about the first number that is wrong."""
    for what, wanted, got in differing(case, found):
        raise Wrong(f"{what} differs\n  expected  {spell(round(wanted, 6))}\n"
                    f"  got       {spell(got)}\n  at        {case.words}")  # fmt: skip


def draw_boundary(title: str, case: Boundary, found: Sequence[Any]) -> None:
    """Chart what f is below b, at b and above b, and the three numbers that follow."""
    sides = dict(zip(("below b", "above b", "at b"), case.parts[1:], strict=True))
    links = {side: [] for side in sides} | {
        PARTS[0]: ["below b", "above b"], PARTS[1]: ["below b"], PARTS[2]: ["above b"],
    }  # fmt: skip
    texts = {side: f"{side}: {written(c)}" for side, c in sides.items()}
    right = dict(zip(PARTS, (case.jump, case.left, case.right), strict=True))
    own = dict(zip(PARTS, found, strict=True))
    differ = lambda wanted, got: not is_close(got, wanted)
    chart_answers(f"{title}, b = {case.b:g}", links, texts, own, right, brief, differ)


def is_close(got: Any, wanted: float) -> bool:
    try:
        return bool(np.isclose(float(got), wanted, rtol=1e-4, atol=1e-4))
    except (TypeError, ValueError):
        return False


def random_boundary(rng: np.random.Generator) -> Boundary:
    """Two parabolas about b; at b itself one of them, or a number of its own."""
    b = round(rng.uniform(-2, 2), 2)
    left, right = rng.uniform(-3, 3, (2, 3)).round(2).tolist()
    kind = rng.choice(["jump", "kink", "seam"])
    right[0] = right[0] if kind == "jump" else left[0]
    right[1] = left[1] if kind == "seam" else right[1]
    return boundary(b, left, right, (left, right, [left[0]])[rng.integers(3)])


def boundary(
    b: float, left: Sequence[float], right: Sequence[float], here: Sequence[float]
) -> Boundary:
    """The program with these coefficients below b, above b and at b."""

    def f(x: Any) -> Any:
        if x < b:
            return parabola(left, x - b)
        if x > b:
            return parabola(right, x - b)
        return parabola(here, x - b)

    words = "\n            ".join(
        [f"b = {b}; with t = x - b, f is"]
        + [
            f"{written(c)} {place}"
            for c, place in ((left, "below b"), (right, "above b"), (here, "at b"))
        ]
    )
    return Boundary(f, b, right[0] - left[0], left[1], right[1], words, (b, left, right, here))


def simpler(parts: Any) -> Iterator[Any]:
    """The same with one of the numbers 0 or 1."""
    b, *rows = parts
    for number in (0.0, 1.0):
        if b not in (0.0, 1.0):
            yield (number, *rows)
        for k, row in enumerate(rows):
            for j, c in enumerate(row):
                if c not in (0.0, 1.0):
                    new = [*row[:j], number, *row[j + 1 :]]
                    yield (b, *rows[:k], new, *rows[k + 1 :])


def parabola(coefficients: Sequence[float], t: Any) -> Any:
    return sum((c * t**k for k, c in enumerate(coefficients)), start=0.0 * t)


def written(coefficients: Sequence[float]) -> str:
    """As Python would write it."""
    terms = [f"{c}{p}" for c, p in zip(coefficients, ("", "*t", "*t**2"), strict=False) if c]
    return " + ".join(terms) or "0.0"


# ---- one path for a loop


@checker
def check_one_path(
    student: Program,
    loop: Program,
    inputs: Numbers,
    *,
    trials: int = 40,
    seed: int | None = None,
) -> None:
    """student(x) has the values and slopes of the Python loop, in one path with a scan in it.

    Parameters
    ----------
    student : callable
        What the student wrote, for the engine.
    loop : callable
        The loop in Python.
    inputs : callable
        Draws x from a generator: lambda rng: rng.uniform(1, 2).
    """
    rng = np.random.default_rng(seed)
    run: Any = value_and_grad(student)
    reference = value_and_grad(loop)

    def off(x: Any) -> list[tuple[str, float, Any]]:
        rows = zip(("value", "slope"), reference(x), differentiated(student, run, x), strict=True)
        return [row for row in rows if not np.isclose(row[2], row[1], rtol=1e-10, atol=1e-12)]

    for _ in range(trials):
        x = inputs(rng)
        if wrong := off(x):
            x = next(filter(without_errors(off), SIMPLE), x)
            ((what, wanted, got), *_) = off(x) or wrong
            title = (
                f"{student.__name__}: your program for {x:g}, the {what}: {contrast(got, wanted)}"
            )
            draw_formula(title, run, x, reference(x)[0])
            raise Wrong(
                f"the {what} is not that of {loop.__name__}: is the number of steps the same?\n"
                f"  expected  {spell(wanted)}\n  got       {spell(got)}\n"
                f"  at        {where(student, (x,))}"
            )
    if len(run.paths) > 1:
        draw_paths(f"{student.__name__}: the paths of your program", run, 1)
        raise Wrong(f"{student.__name__} took {len(run.paths)} paths: Python decides in it, by "
                    "numbers. Let the loop of the graph decide")  # fmt: skip
    if not run.paths or not any(isinstance(n.op, Scan) for n in run.paths[0].formula.operations):
        draw_formula(f"{student.__name__}: your graph", run, SIMPLE[0])
        raise Wrong(f"{student.__name__}: there is no scan in its graph")
    draw_formula(f"{student.__name__}: your graph for {SIMPLE[0]:g}", run, SIMPLE[0])
    print(f"{student.__name__}: one path, with the values and slopes of {loop.__name__}")


def differentiated(student: Program, run: Program, x: Any) -> Any:
    """Value and slope; where the engine cannot find them, why."""
    try:
        return call(run, (x,), by_hand=False)
    except (TypeError, ValueError) as error:
        raise Wrong(f"{student.__name__} cannot be differentiated: {error}") from None


# ---- decisions that the trace does not see


@checker
def check_liars(
    student: Callable[[], Mapping[str, float | None]],
    programs: Mapping[str, Program],
    *,
    meanwhile: Callable[[], None] = lambda: None,
    trials: int = 20,
    seed: int | None = None,
) -> None:
    """student() gives for each program an x at which Python and the trace disagree, or None.

    Parameters
    ----------
    programs : dict
        The programs by their names, functions of one number.
    meanwhile : callable, optional
        What happens between two calls.
    trials : int, default: 20
        At how many random numbers a program is tried of which None is said.
    seed : int, optional
        Of the random numbers; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with where.
    """
    found = call(student, (), by_hand=False)
    check_names(student, found, programs)
    rng = np.random.default_rng(seed)
    for name, program in programs.items():
        check_liar(name, program, found[name], meanwhile, [*SPECIAL, *rng.normal(0, 3, trials)])
    liars = sum(x is not None for x in found.values())
    last = [(name, x) for name, x in found.items() if x is not None][-1:]
    for name, x in last:
        draw_liar(name, programs[name], float(x))
    print(f"{student.__name__}: right, {liars} of {len(programs)} can be made to disagree")


def draw_liar(name: str, program: Program, x: float) -> None:
    """Chart the traced formula at x, below the value of Python and that of the trace."""
    run = value_and_grad(program)
    plain, traced = outcome(program, x), outcome(lambda t: run(t)[0], x)
    if not isinstance(plain, str) and not isinstance(traced, str):
        values = f"Python {brief(plain.real)}, traced {brief(traced.real)}"
        draw_formula(f"{name} at x = {x:g}: {values}", run, x)


def check_liar(
    name: str, program: Program, x: Any, meanwhile: Any, others: Sequence[float]
) -> None:
    if x is None:
        run = value_and_grad(program)
        if any(told_apart(program, run, float(t), meanwhile) for t in others):
            raise Wrong(f"{name}: None is said, but there is such a number")
        return
    if isinstance(x, (bool, np.bool_)) or not isinstance(x, (int, float, np.number)):
        raise Wrong(f"{name}: a number or None is needed\n  got       {spell(x)}")
    if not disagreement(program, float(x), meanwhile):
        draw_liar(name, program, float(x))
        raise Wrong(f"{name}: Python and the trace agree there\n  at        x = {spell(float(x))}")


def disagreement(program: Program, x: float, meanwhile: Callable[[], None]) -> bool:
    """Is the traced value another one, in the first call or after others?"""
    run = value_and_grad(program)
    return any(told_apart(program, run, t, meanwhile) and t == x for t in (x, 1.5, x))


def told_apart(program: Program, run: Program, x: float, meanwhile: Callable[[], None]) -> bool:
    """Do both give a value, and not the same one? Where one fails, there is nothing to compare."""
    meanwhile()
    found = outcome(program, x), outcome(lambda t: run(t)[0], x)
    if any(isinstance(value, str) for value in found):
        return False
    return not np.isclose(*found, rtol=1e-9, equal_nan=True)


def outcome(program: Program, x: float) -> Any:
    """What it gives, as a number; or the name of the error, if it fails."""
    try:
        with np.errstate(all="ignore"):
            return complex(program(x))
    except Exception as error:
        return type(error).__name__
