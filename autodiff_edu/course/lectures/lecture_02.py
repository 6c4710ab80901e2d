"""Checkers for difference quotients: the order of a method and its best step, both measured.

A quotient is a student's function of (f, x, h). Formulas are written in NumPy's words and say so
in messages, so that a student can paste the call that went wrong.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..harness.check import call, pulled, where
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, numbers, spell

STEPS = 2.0 ** -np.arange(3, 8)  # where truncation rules, up to the fourth order
DECADES = np.arange(-14, -0.9, 0.25)  # where the best step is looked for
Quotient = Callable[[Callable, float, Any], Any]


class Formula:
    """A function of one number, t, that prints as what it is: Formula("np.exp(2.0 * t)")."""

    def __init__(self, text: str):
        self.text, self.call = text, eval(f"lambda t: {text}", {"np": np, "__name__": __name__})

    def __call__(self, t: Any) -> Any:
        return self.call(t)

    def __repr__(self) -> str:
        return f"lambda t: {self.text}"


def random_formula(rng: np.random.Generator) -> Formula:
    """A smooth formula, no derivative of which is zero between 0 and 1."""
    a, b, c = (round(rng.uniform(*ends), 2) for ends in ((0.5, 2), (0.5, 2), (1.5, 3)))
    texts = f"{a} * np.exp({b} * t)", f"{a} / (t + {c})", f"{a} * np.log({b} * t + {c})"
    return Formula(str(rng.choice(texts)))


# ---- the order of a quotient

PLACES = {
    1: "f at x and at places after it",
    2: "f at places on both sides of x, equally far from it",
}


class Witnessed:
    """A function that remembers where it was asked."""

    def __init__(self, f: Callable[[Any], Any]):
        self.f = f
        self.places: list[float] = []

    def __call__(self, t: Any) -> Any:
        self.places += np.real(np.ravel(t)).tolist()
        return self.f(t)

    def __repr__(self) -> str:
        return repr(self.f)


@checker
def check_slope(student: Quotient, order: int, *, trials: int = 10, seed: int | None = None):
    """The error of student(f, x, h) falls like h**order: a line through log error over log h.

    A quotient of the first order looks ahead, one of the second looks equally far to both sides.

    Parameters
    ----------
    order : int
        The power of h.
    """
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        f, x = Witnessed(random_formula(rng)), round(rng.uniform(0, 1), 2)
        truth = float(pulled(f.f, (x,), 1.0))
        errors = [abs(number(student, (f, x, h)) - truth) for h in STEPS.tolist()]
        slope = fitted(errors)
        if not abs(slope - order) < 0.25:
            at = where(student, (f, x, float(STEPS[-1]))) + f", where the derivative is {truth:.9g}"
            says = f"the error to fall like h**{order}, a slope of {order}"
            got = "an error of almost nothing: is this a difference quotient?"
            got = got if np.isnan(slope) else f"a slope of {slope:.2f}"
            complain(student.__name__, says, got, at)
        if misplaced(order, min(f.places) - x, max(f.places) - x):
            got = f"f between {min(f.places):.9g} and {max(f.places):.9g}"
            complain(student.__name__, PLACES[order], got, where(student, (f, x, STEPS[0].item())))
    print(f"{student.__name__}: slope {order} for {trials} functions")


def misplaced(order: int, first: float, last: float) -> bool:
    """Does a quotient of this order look from here to there, as seen from x, and should not?"""
    if order == 1:
        return first < -1e-12
    return order == 2 and not np.isclose(-first, last, rtol=1e-9)


def number(student: Callable[..., Any], args: Sequence[Any]) -> float:
    """The student's result, which must be a real number."""
    got = call(student, args)
    if not np.isrealobj(got) or numbers(got) is None or np.shape(got):
        complain(student.__name__, "a real number", spell(got), where(student, args))
    return float(got)


def fitted(errors: Sequence[float]) -> float:
    """The slope of log error over log h; nan where there is no error to speak of."""
    if min(errors) < 1e-14:
        return float("nan")
    return float(np.polyfit(np.log(STEPS), np.log(errors), 1)[0])


# ---- the best step of a quotient


@checker
def check_steps(student: Callable[..., Any], *, trials: int = 10, seed: int | None = None):
    """student(f0, f2, f3) gives the best h for forward and for central differences.

    student(f0, f2, f3), from the sizes of f, f'' and f''', gives the best h for forward and
    for central differences: within a factor of ten of what is measured.
    """
    rng = np.random.default_rng(seed)
    for offset, speed in [(1.0, 1.0), (1.0, 100.0), (1e4, 0.1)]:
        judge(student, offset, speed, tell=False)
    for offset, speed in 10.0 ** rng.uniform((0, -1), (4, 2), (trials, 2)):
        judge(student, float(f"{offset:.2g}"), float(f"{speed:.2g}"), tell=True)
    print(f"{student.__name__}: within a factor of ten for {trials + 3} functions")


def judge(student: Callable[..., Any], offset: float, speed: float, tell: bool) -> None:
    """One function, offset + sin(speed·t), at speed·t = 0.8."""
    f, x = Formula(f"{offset} + np.sin({speed} * t)"), 0.8 / speed
    sizes = [abs(f(x)), speed**2 * np.sin(0.8), speed**3 * np.cos(0.8)]
    args = [float(f"{size:.3g}") for size in sizes]
    got = call(student, args)
    found = numbers(got) if np.isrealobj(got) else None
    if found is None or found.shape != (2,) or not np.all(found > 0):
        complain(student.__name__, "two positive steps", spell(got), where(student, args))
    for name, quotient, h in zip(QUOTIENTS, QUOTIENTS.values(), got, strict=True):
        best = measured_step(quotient, f, x, speed * np.cos(0.8))
        if abs(np.log10(h / best)) > 1:
            what = f"{student.__name__}: the {name} step is off by more than a factor of ten"
            line = f"\n  expected  about {best:.0e}, measured with {f!r} at {x:.3g}"
            raise Wrong(
                what + line * tell + f"\n  got       {h:.1e}\n  at        {where(student, args)}"
            )


def measured_step(quotient: Quotient, f: Callable, x: float, slope: float) -> float:
    """The step with the smallest error, the mean over many steps near it, since rounding is
    erratic. (Steps at random: evenly spaced ones can be in step with the rounding.)"""
    near = np.random.default_rng(0).uniform(0.8, 1.25, 100)
    errors = [np.mean((quotient(f, x, 10**k * near) - slope) ** 2) for k in DECADES]
    return float(10 ** DECADES[int(np.argmin(errors))])


QUOTIENTS: dict[str, Quotient] = {
    "forward": lambda f, x, h: (f(x + h) - f(x)) / h,
    "central": lambda f, x, h: (f(x + h) - f(x - h)) / (2 * h),
}
