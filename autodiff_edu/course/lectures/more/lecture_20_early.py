"""A search that ends early: x after some steps, and two ways to its slope."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...harness.chart import NEAR, chart_answers
from ...harness.check import call, cases, where
from ...harness.checker import checker
from ...harness.counterexample import smallest_failure
from ...harness.feedback import complain, differences, expect, numbers, spell

SIMPLE = 3.0  # a, tried first where an answer is wrong


@checker
def check_early_stop(
    student: Callable[[float, int], Any], *, trials: int = 30, seed: int | None = None
) -> None:
    """student(a, N) is x after N Babylonian steps, its slope through them, and by the equation.

    Parameters
    ----------
    trials : int, default: 30
        How many random pairs are tried, after N = 0, 1, ... 5 for a = 2.
    seed : int, optional
        Of the random pairs; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with where and, at random pairs, what is right.
    """

    def draw(rng: np.random.Generator) -> tuple[float, int]:
        return round(rng.uniform(0.5, 9), 3), int(rng.integers(0, 6))

    each: list[tuple[Any, bool]] = [
        *cases(draw, [(2.0, count) for count in range(6)], trials, seed)
    ]
    fails = lambda args: any(differences(*three(student, args), *NEAR))
    for args, fresh in each:
        right, own = three(student, args)
        if any(differences(right, own, *NEAR)):
            args, fresh = smallest_failure(each, earlier, fails)
            right, own = three(student, args)
            draw_steps(f"{student.__name__}: the first step that is wrong", student, args)
        expect(right, own, where(student, args), tell=fresh)
    title = f"{student.__name__}: your two last steps for a = 2"
    draw_steps(title, student, (2.0, 3))
    print(f"{student.__name__}: right for {6 + trials} stops")


Stop = tuple[float, int]  # a, and after how many steps
PARTS = ("x", "through", "by_equation")


def three(student: Callable[..., Any], args: Stop) -> tuple[dict[str, float], dict[str, float]]:
    """The three numbers by name: the right ones, then the student's."""
    got = call(student, args)
    own = numbers(got)
    if own is None or own.shape != (len(PARTS),):
        at = where(student, args)
        complain(student.__name__, "three numbers: x, and both slopes", spell(got), at)
    return dict(zip(PARTS, stopped(*args), strict=True)), dict(zip(PARTS, own, strict=True))


def earlier(args: Stop) -> Iterator[Stop]:
    """A step less, then a simple a."""
    a, count = args
    if count:
        yield a, count - 1
    if a != SIMPLE:
        yield SIMPLE, count


def draw_steps(title: str, student: Callable[..., Any], args: Stop) -> None:
    """Chart the last two steps: x, and both slopes beside the right ones."""
    a, count = args
    links: dict[str, list[str]] = {}
    own: dict[str, float] = {}
    right: dict[str, float] = {}
    for k in range(max(count - 1, 0), count + 1):
        theirs, mine = three(student, (a, k))
        names = [f"{part}, N = {k}" for part in PARTS]
        before = [f"{part}, N = {k - 1}" for part in PARTS[:2]]
        links |= {
            names[0]: [n for n in before[:1] if n in links],
            names[1]: [n for n in before if n in links],
            names[2]: names[:1],
        }
        own |= dict(zip(names, mine.values(), strict=True))
        right |= dict(zip(names, theirs.values(), strict=True))
    differ = lambda one, other: any(differences(one, other, *NEAR))
    chart_answers(title, links, {}, own, right, "{:.6g}".format, differ)


def stopped(a: float, count: int) -> tuple[float, float, float]:
    """The Babylonian steps from (1 + a)/2, by a complex step."""
    moved = complex(a, 1e-30)
    x = (1 + moved) / 2
    for _ in range(count):
        x = (x + moved / x) / 2
    return x.real, x.imag / 1e-30, 1 / (2 * x.real)
