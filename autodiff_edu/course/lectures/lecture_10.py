"""Checkers for gradient checks: what a student's check says of right and of wrong derivatives.

The student's function is itself a check. It is handed functions, points and claims, some of which
are true; it has to tell which. All of them print as Python, so that a case that went wrong can be
pasted into a cell.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..harness.check import call, pulled, where
from ..harness.checker import checker
from ..harness.feedback import complain, expect, spell
from .lecture_02 import Formula

Rng = np.random.Generator


class Lambda:
    """A function that prints as what it is: Lambda("lambda u, x: u * np.cos(x)")."""

    def __init__(self, text: str):
        self.text, self.call = text, eval(text, {"np": np, "__name__": __name__})

    def __call__(self, *args: Any) -> Any:
        return self.call(*args)

    def __repr__(self) -> str:
        return self.text


def number(rng: Rng, low: float, high: float) -> float:
    return round(float(rng.uniform(low, high)), 2)


# ---- the Taylor test


@checker
def check_taylor(student: Callable[..., Any], *, trials: int = 12, seed: int | None = None):
    """student(f, g, x) is 2 where g is the gradient of f at x, and below 1.9 where it is not."""
    rng, slopes = np.random.default_rng(seed), set()
    for _ in range(trials):
        f, x = smooth(rng)
        gradient = np.asarray(pulled(f, (x,), 1.0))
        for says, g in claims(gradient, rng):
            got, at = call(student, (f, g, x)), where(student, (f, g, x))
            if not np.isrealobj(got) or np.shape(got):
                complain(student.__name__, "a number, the slope", spell(got), at)
            if says == "right" and not abs(got - 2) < 0.15:
                complain(student.__name__, "2: this is the gradient", f"{got:.3f}", at)
            if says != "right" and not got < 1.9:
                complain(student.__name__, f"less than 1.9: {says}", f"{got:.3f}", at)
            slopes |= {float(got)} if says == "right" else set()
    if len(slopes) == 1 < trials:
        needed = "slopes that are fitted: they differ in their last digits"
        complain(student.__name__, needed, f"{slopes.pop()}, for each of the gradients")
    print(f"{student.__name__}: tells right from wrong for {trials} functions")


def smooth(rng: Rng) -> tuple[Formula, np.ndarray]:
    """A sum over three to six entries, and a point: no part of it is linear."""
    n = int(rng.integers(3, 7))
    a, b = rng.uniform(0.5, 2, (2, n)).round(2).tolist()
    inner = ("np.exp({} * t)", "np.sin({} * t)", "1.0 / (t + {})", "np.log(t * t + {})")
    text = str(rng.choice(inner)).format(f"np.array({b})")
    return Formula(f"np.sum(np.array({a}) * {text})"), rng.uniform(0.3, 0.9, n).round(2)


def claims(g: np.ndarray, rng: Rng) -> list[tuple[str, np.ndarray]]:
    """The gradient, and some that are none, by at least a twentieth of an entry."""
    one, k = g.copy(), int(rng.integers(len(g)))
    one[k] += 0.2 * np.abs(g).max()
    rolled = np.roll(g, 1)
    wrong = [("one entry is off", one), ("all are off by a twentieth", 1.05 * g)]
    if np.abs(rolled - g).max() > 0.05 * np.abs(g).max():
        wrong.append(("the entries are in another order", rolled))
    return [("right", g), *wrong, ("right", g)]


# ---- suspects


BRANCH = "one branch has the slope of the other"


class Suspect(NamedTuple):
    """f from arrays to arrays, a pullback claimed to be its own, points; and what is wrong."""

    f: Lambda
    pullback: Lambda
    draw: Lambda
    bug: str


def suspects(rng: Rng) -> list[Suspect]:
    """Five bugs and four that are right, in random order, with numbers of their own."""
    a, b = number(rng, 1.1, 2), number(rng, 0.5, 1.5)
    near, far = f"lambda rng: {b} + rng.uniform(0, 1, 4)", "lambda rng: 1.5 * rng.normal(size=4)"
    ties = "lambda rng: rng.integers(-2, 3, 4) * 1.0"
    wave, cube = f"np.sin({a} * x)", f"{a} * x**3"
    rows = [
        (wave, f"{a} * u * np.cos({a} * x)", far, ""),
        (f"1e-9 * {wave}", f"{a}e-9 * u * np.cos({a} * x)", far, ""),
        (f"10000.0 + {wave}", f"{a} * u * np.cos({a} * x)", far, ""),
        (f"{a} * np.maximum(x, 0)", f"{a} * u * (x >= 0)", ties, ""),
        (cube, f"{2 * a:.4g} * u * x**2", near, "a wrong factor"),
        (f"1e-9 * {cube}", f"{2 * a:.4g}e-9 * u * x**2", near, "a wrong factor, where all is tiny"),
        (cube, f"{3 * a:.4g} * x**2", near, "the cotangent is not used"),
        (f"{a} * x[::-1]", f"{a} * u", near, "the cotangent is not turned round"),
        (
            f"np.where(x > -{b}, x, {a} * x - {b} * {1 - a:.4g})",
            "u",
            far,
            BRANCH,
        ),
    ]
    found = [
        Suspect(Lambda(f"lambda x: {f}"), Lambda(f"lambda u, x: {back}"), Lambda(draw), bug)
        for f, back, draw, bug in rows
    ]
    return [found[k] for k in rng.permutation(len(found))]


def chance_of(suspect: Suspect, rng: Rng) -> Rng:
    """What the student draws from. With a bug on one branch the first point is on the other."""
    while True:
        seed = rng.integers(2**32)
        x = suspect.draw(np.random.default_rng(seed))
        if suspect.bug != BRANCH or np.array_equal(suspect.f(x), x):
            return np.random.default_rng(seed)


@checker
def check_detector(student: Callable[..., Any], *, trials: int = 30, seed: int | None = None):
    """student(f, pullback, draw, rng) is True for a wrong pullback and False for a right one."""
    rng = np.random.default_rng(seed)
    caught: set[str] = set()
    for _ in range(trials):
        for suspect in suspects(rng):
            f, pullback, draw, bug = suspect
            args = (f, pullback, draw, chance_of(suspect, rng))
            got, at = call(student, args), where(student, args[:3])
            says = f"True: {bug}" if bug else "False: this pullback is right"
            if not isinstance(got, (bool, np.bool_)):
                complain(student.__name__, "True or False", spell(got), at)
            if bool(got) != bool(bug):
                complain(student.__name__, says, got, at)
            caught |= {bug} - {""}
    print(f"{student.__name__}: {len(caught)} kinds of bug caught, nobody accused who is innocent")


# ---- a bug that a cotangent of ones does not see


@checker
def check_deceptive(
    student: Callable[..., Any], of: Formula, *, trials: int = 20, seed: Any = None
):
    """student(u, x) is linear in u, is the pullback of `of` for u = 1, and is not for others."""
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        n = int(rng.integers(2, 7))
        x = (rng.uniform(0.3, 1.5, n) * rng.choice([-1, 1], n)).round(
            2
        )  # where t·sin t is not flat
        u, w = rng.normal(size=(2, n)).round(2)
        ones = np.ones(n)
        at = where(student, (ones, x)) + ", where ones must pass"
        expect(pulled(of, (x,), ones), call(student, (ones, x)), at)
        both = np.add(call(student, (u, x)), call(student, (w, x)))
        at = where(student, (u + w, x)) + ", since it must be linear in u"
        expect(both, call(student, (u + w, x)), at)
        off = [np.abs(call(student, (v, x)) - np.asarray(pulled(of, (x,), v))) for v in (u, w)]
        if not np.max(off) > 1e-3:
            complain(student.__name__, "a wrong pullback", "the right one", where(student, (u, x)))
    print(f"{student.__name__}: passes ones, fails a random cotangent, at {trials} points")


# ---- kinks


@checker
def check_kinks(student: Callable[..., Any], *, trials: int = 10, seed: int | None = None):
    """student(f, x, h) is True where f has a kink nearer to x than h, and False elsewhere."""
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        for f, x, h, kink in crossings(rng):
            got, at = call(student, (f, x, h)), where(student, (f, x, h))
            if not isinstance(got, (bool, np.bool_)):
                complain(student.__name__, "True or False", spell(got), at)
            if bool(got) != bool(kink):
                says = f"True: {kink}" if kink else "False: there is no kink within h"
                complain(student.__name__, says, got, at)
    print(f"{student.__name__}: right at {11 * trials} places")


def crossings(rng: Rng) -> list[tuple[Formula, float, float, str]]:
    """(f, x, h, where the kink is): large ones and small ones, and curves without any."""
    a, b, c = number(rng, 0.5, 2), number(rng, 0.5, 2), number(rng, 0.1, 0.9)
    h = 1e-4
    bent = Formula(f"np.exp({a} * t) + {b} * abs(t - {c})")
    faint = Formula(f"{a} * t + 1e-3 * np.maximum(t, {c})")
    ways = [(0.0, "at x itself"), (0.3, "to one side"), (-0.6, "to one side"), (2.0, "")]
    found = [(f, c + part * h, h, said) for f in (bent, faint) for part, said in ways]
    smooth = (f"{1000 * a} * t * t", f"{a} * t + {b}", f"np.sin({a} * t)")
    return found + [(Formula(text), x, h, "") for text, x in zip(smooth, (0.0, c, c), strict=True)]
