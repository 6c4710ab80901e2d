"""Programs that branch: how many paths, the slopes beside a boundary, one path for a loop, lies.

Letters: f a program of one number, n how large it is, b where two of its paths meet.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...differentiate import value_and_grad
from ...nested.loops.scan_op import Scan
from ..harness.check import call, where
from ..harness.checker import checker
from ..harness.feedback import Wrong, spell

Program = Callable[..., Any]
Numbers = Callable[[np.random.Generator], Any]
Sized = Mapping[str, tuple[Program, Callable[[np.random.Generator, int], Any]]]

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
            got, found = said[name], paths_found(program, n, draw, rng, calls)
            at = f"{name}, n = {n}"
            if not isinstance(got, (int, np.integer)):
                raise Wrong(f"a whole number is needed\n  got       {spell(got)}\n  at        {at}")
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


def paths_found(program: Program, n: int, draw: Any, rng: np.random.Generator, calls: int) -> int:
    """How many paths so many random calls take."""
    run: Any = value_and_grad(partial(program, n=n))
    for _ in range(calls):
        run(draw(rng, n))
    return len(run.paths)


# ---- beside a boundary


class Boundary(NamedTuple):
    """A program of two parabolas that meet at b, and what is true there."""

    f: Program
    b: float
    jump: float
    left: float  # the slope on this side
    right: float
    words: str


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
        parts = ("the jump", "the slope on the left", "the slope on the right")
        for what, wanted, got in zip(parts, case[2:5], found, strict=True):
            if not is_close(got, wanted):
                raise Wrong(
                    f"{what} differs\n  expected  {spell(round(wanted, 6))}\n"
                    f"  got       {spell(got)}\n  at        {case.words}"
                )
    print(f"{student.__name__}: right for {trials} programs")


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
    here = (left, right, [left[0]])[rng.integers(3)]

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
    return Boundary(f, b, right[0] - left[0], left[1], right[1], words)


def parabola(coefficients: Sequence[float], t: Any) -> Any:
    return sum((c * t**k for k, c in enumerate(coefficients)), start=0.0 * t)


def written(coefficients: Sequence[float]) -> str:
    """As Python would write it."""
    return " + ".join(f"{c}{p}" for c, p in zip(coefficients, ("", "*t", "*t**2"), strict=False))


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
    for _ in range(trials):
        x = inputs(rng)
        at, found = where(student, (x,)), differentiated(student, run, x)
        for what, wanted, got in zip(("value", "slope"), reference(x), found, strict=True):
            if not np.isclose(got, wanted, rtol=1e-10, atol=1e-12):
                raise Wrong(
                    f"the {what} is not that of {loop.__name__}: is the number of steps the same?\n"
                    f"  expected  {spell(wanted)}\n  got       {spell(got)}\n  at        {at}"
                )
    if len(run.paths) > 1:
        raise Wrong(f"{student.__name__} took {len(run.paths)} paths: Python decides in it, by "
                    "numbers. Let the loop of the graph decide")  # fmt: skip
    if not run.paths or not any(isinstance(n.op, Scan) for n in run.paths[0].formula.operations):
        raise Wrong(f"{student.__name__}: there is no scan in its graph")
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
    print(f"{student.__name__}: right, {liars} of {len(programs)} can be made to disagree")


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
