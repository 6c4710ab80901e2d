"""Programs that branch: how many paths, the slopes beside a boundary, one path for a loop, lies.

Letters: f a program of one number, n how large it is, b where two of its paths meet.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ...differentiate import value_and_grad
from ...nested.loops.scan_op import Scan
from ..harness.chart import brief, contrast
from ..harness.check import call, where
from ..harness.checker import checker
from ..harness.counterexample import without_errors
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
            at, count = f"{name}, n = {n}", len(run.paths)
            if not isinstance(got, (int, np.integer)):
                raise Wrong(f"a whole number is needed\n  got       {spell(got)}\n  at        {at}")
            draw_paths(f"{student.__name__}: the paths of {at}", run, got)
            if got != count:
                more = "more" if count > got else "fewer"
                paths = "1 path" if count == 1 else f"{count} paths"
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
            x = next((simple for simple in SIMPLE if without_errors(off)(simple)), x)
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
