"""The slopes of a program beside a boundary, at which two of its paths meet.

Letters: f a program of one number, b the place where two parabolas meet.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...harness.chart import brief, chart_answers
from ...harness.check import call
from ...harness.checker import checker
from ...harness.counterexample import smallest, without_errors
from ...harness.feedback import Wrong, spell

Program = Callable[..., Any]


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
        answer = call(student, (case.f, case.b), by_hand=False)
        if not isinstance(answer, (tuple, list)) or len(answer) != 3:
            raise Wrong(
                f"three numbers are needed: the jump, the slope on the left, that on the right\n"
                f"  got       {spell(answer)}\n  at        {case.words}"
            )
        if differing(case, answer):
            fails = lambda parts: bool(differing(boundary(*parts), at_boundary(student, parts)))
            case = boundary(*smallest(case.parts, simpler, without_errors(fails)))
            now = call(student, (case.f, case.b), by_hand=False)
            draw_boundary(f"{student.__name__}: the simplest boundary that is wrong", case, now)
            object_to(case, now)
            object_to(case, answer)
    last = boundary(1.0, (0.0, 2.0, 1.0), (2.0, 3.0, 0.0), (2.0,))  # the example of the task
    answer = call(student, (last.f, last.b), by_hand=False)
    draw_boundary(f"{student.__name__}: your numbers beside a boundary", last, answer)
    print(f"{student.__name__}: right for {trials} programs")


PARTS = ("the jump", "the slope on the left", "the slope on the right")


def at_boundary(student: Program, parts: Any) -> Any:
    case = boundary(*parts)
    return call(student, (case.f, case.b), by_hand=False)


def differing(case: Boundary, answer: Sequence[Any]) -> list[tuple[str, float, Any]]:
    """The numbers that are wrong: which, what is right, and the student's."""
    rows = zip(PARTS, (case.jump, case.left, case.right), answer, strict=True)
    return [row for row in rows if not is_close(row[2], row[1])]


def object_to(case: Boundary, answer: Sequence[Any]) -> None:
    """Raise Wrong about the first number that is wrong."""
    for part, right, own in differing(case, answer):
        raise Wrong(f"{part} differs\n  expected  {spell(round(right, 6))}\n"
                    f"  got       {spell(own)}\n  at        {case.words}")  # fmt: skip


def draw_boundary(title: str, case: Boundary, answer: Sequence[Any]) -> None:
    """Chart what f is below b, at b and above b, and the three numbers that follow."""
    sides = dict(zip(("below b", "above b", "at b"), case.parts[1:], strict=True))
    links: dict[str, list[str]] = {side: [] for side in sides} | {
        PARTS[0]: ["below b", "above b"], PARTS[1]: ["below b"], PARTS[2]: ["above b"],
    }  # fmt: skip
    texts = {side: f"{side}: {written(c)}" for side, c in sides.items()}
    right = dict(zip(PARTS, (case.jump, case.left, case.right), strict=True))
    own = dict(zip(PARTS, answer, strict=True))
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
    """The parts with one of their numbers 0 or 1."""
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
