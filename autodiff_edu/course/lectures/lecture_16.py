"""Checkers for estimators: means and variances by quadrature, exact and without a single sample.

An estimator is a student's function that is handed one draw at a time, as plain numbers, and
returns one estimate. Where a law is a few numbers or a polynomial is integrated, a weighted sum of
such estimates is their mean.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from math import factorial
from typing import Any, NamedTuple

import numpy as np

from ...differentiate import forward_mode
from ...expr import Expr, NullTypeGradError
from ...ops import scalar
from ...run import function
from ..harness.check import call, cases, where
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, expect, numbers, spell
from .lecture_02 import number

Rng = np.random.Generator
Student = Callable[..., Any]


# ---- laws: points and weights that integrate polynomials of degree 15 exactly


class Law(NamedTuple):
    """Standard draws with their weights, and moments: moments(θ)[k] is the mean of zᵏ."""

    draws: list[float]
    weights: np.ndarray
    moments: Callable[[float], Sequence[float]]


def normal_law() -> Law:
    """z ~ N(t, 1), from standard normal draws.

    Returns
    -------
    Law
        The law.
    """
    points, weights = np.polynomial.hermite_e.hermegauss(8)
    moments = lambda t: (1, t, t**2 + 1, t**3 + 3 * t, t**4 + 6 * t**2 + 3)
    return Law(points.tolist(), weights / weights.sum(), moments)


def exponential_law() -> Law:
    """z > 0 with the mean m, from uniform draws.

    Returns
    -------
    Law
        The law.
    """
    points, weights = np.polynomial.laguerre.laggauss(8)
    moments = lambda m: tuple(factorial(k) * m**k for k in range(5))
    return Law((-np.expm1(-points)).tolist(), weights, moments)


def over_normal(f: Callable[[Any], Any], t: float) -> float:
    """The mean of f(z) for z ~ N(t, 1), exact for a polynomial of degree 15 or less.

    Parameters
    ----------
    f : callable
        A function of one number.
    t : float
        The mean of z.

    Returns
    -------
    float
        The mean.
    """
    law = normal_law()
    return float(law.weights @ f(t + np.array(law.draws)))


# ---- estimators by path


@checker
def check_path(
    sample: Student,
    path: Student,
    law: Law,
    *,
    positive: bool = False,
    trials: int = 10,
    seed: int | None = None,
) -> None:
    """sample(θ, draw) has the law, and path(θ, draw) is the derivative of its square by θ.

    sample(θ, draw) has the law; path(θ, draw) is the derivative of its square by θ, for
    each draw by itself, and has the derivative of the mean square as its mean.

    Parameters
    ----------
    sample : callable
        What the student wrote: (θ, draw) -> a number.
    path : callable
        Likewise: the derivative of its square.
    law : Law
        The law that it is to have.
    positive : bool, default: False
        Whether θ is positive.
    """
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        theta = round(float(rng.uniform(0.5 if positive else -3, 3)), 2)
        check_law(sample, theta, law)
        slopes = []
        for draw in law.draws:
            low, high = (number(sample, (theta + s, draw)) ** 2 for s in (-1e-4, 1e-4))
            measured, got = (high - low) / 2e-4, number(path, (theta, draw))
            if not np.isclose(got, measured, rtol=1e-5, atol=1e-5):
                says = f"{measured:.5g}, the slope of {sample.__name__}(..., {draw:.4g})²"
                complain(path.__name__, says, f"{got:.5g}", where(path, (theta, draw)))
            slopes.append(got)
        wanted = (law.moments(theta + 1e-5)[2] - law.moments(theta - 1e-5)[2]) / 2e-5
        check_mean(path, float(law.weights @ slopes), wanted, f"{theta}")
    print(f"{path.__name__}: the derivative of each sample's square, and right in the mean")


def check_law(sample: Student, theta: float, law: Law) -> None:
    """The first four moments of the samples are those of the law."""
    found = np.array([number(sample, (theta, draw)) for draw in law.draws])
    for k, wanted in enumerate(law.moments(theta)[1:], 1):
        got = float(law.weights @ found**k)
        if not np.isclose(got, wanted, rtol=1e-6, atol=1e-6):
            at = f"the parameter {theta}"
            says = f"samples z with {wanted:.5g} as the mean of z**{k}"
            complain(sample.__name__, says, f"{got:.5g}", at)


def check_mean(student: Student, got: float, wanted: float, at: str) -> None:
    if not np.isclose(got, wanted, rtol=1e-6, atol=1e-6):
        complain(student.__name__, f"{wanted:.6g} in the mean", f"{got:.6g}", at)


# ---- estimators by score


@checker
def check_score(student: Student, *, trials: int = 10, seed: int | None = None) -> None:
    """student(cost, t, z) has in the mean the derivative of the mean cost by t.

    student(cost, t, z), with the cost of the draw z ~ N(t, 1), has in the mean the
    derivative of the mean cost by t, whatever the cost is.
    """
    rng, law = np.random.default_rng(seed), normal_law()
    for _ in range(trials):
        t = round(float(rng.uniform(-2, 2)), 2)
        cost = np.polynomial.Polynomial(rng.integers(-3, 4, 4))
        drawn = [t + draw for draw in law.draws]
        found = [number(student, (float(cost(z)), t, z)) for z in drawn]
        wanted = over_normal(cost.deriv(), t)
        coefficients = spell(cost.coef)
        at = f"t = {t}, for the cost with the coefficients {coefficients} of 1, z, z², z³"
        check_mean(student, float(law.weights @ found), wanted, at)
    print(f"{student.__name__}: right in the mean for {trials} costs")


@checker
def check_coin(student: Student, *, trials: int = 20, seed: int | None = None) -> None:
    """student(cost, p, b), with the cost of the coin b, has in the mean the derivative by p."""
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        p = round(float(rng.uniform(0.05, 0.95)), 2)
        costs = rng.uniform(-3, 3, 2).round(1).tolist()
        found = [number(student, (cost, p, b)) for b, cost in enumerate(costs)]
        at = f"p = {p}, for the costs {costs[0]} of b = 0 and {costs[1]} of b = 1"
        got = float(np.dot([1 - p, p], found))
        check_mean(student, got, costs[1] - costs[0], at)
    print(f"{student.__name__}: right in the mean for {trials} coins")


# ---- variances, and one deviate for many


@checker
def check_baseline(student: Student, *, trials: int = 20, seed: int | None = None) -> None:
    """student(t) is the b with the smallest variance of (z² − b)·(z − t) for z ~ N(t, 1)."""
    rng = np.random.default_rng(seed)
    for t in [0.0, 2.0, *rng.uniform(-3, 3, trials).round(2).tolist()]:
        got, at = number(student, (t,)), where(student, (t,))
        found = variance(got, t)
        if found > min(variance(got - 1e-3, t), variance(got + 1e-3, t)):
            says = "the b with the smallest variance"
            complain(student.__name__, says, f"{got:.5g}, where it is {found:.5g}", at)
    print(f"{student.__name__}: the smallest variance for {trials + 2} means")


def variance(b: float, t: float) -> float:
    """Of (z² − b)·(z − t)."""
    return over_normal(lambda z: ((z * z - b) * (z - t)) ** 2, t) - (2 * t) ** 2


@checker
def check_spreads(student: Student, *, trials: int = 20, seed: int | None = None) -> None:
    """student(a, T) = the standard deviations of h after T steps of h ← a·h + ε from 0.

    student(a, T) = the standard deviations of h after T steps of h ← a·h + ε from 0: with
    fresh standard normal ε, and with one for all steps.
    """
    fixed = [(0.6, 1), (0.6, 40), (-0.6, 40), (1.0, 9), (-1.0, 9), (0.0, 5), (-1.1, 6)]

    def draw(rng: Rng) -> tuple[float, int]:
        return round(float(rng.uniform(-1.2, 1.2)), 2), int(rng.integers(1, 30))

    for (a, steps), fresh in cases(draw, fixed, trials, seed):
        got, at = call(student, (a, steps)), where(student, (a, steps))
        found = numbers(got)
        if found is None or found.shape != (2,):
            complain(student.__name__, "two numbers", spell(got), at)
        expect(np.array(spreads(a, steps)), found, at, rtol=1e-6, atol=1e-9, tell=fresh)
    print(f"{student.__name__}: right for {len(fixed) + trials} loops")


def spreads(a: float, steps: int) -> tuple[float, float]:
    """The same, with the deviates as symbols: h is the list of their factors."""
    fresh, one = np.zeros(steps), 0.0
    for own in np.eye(steps):
        fresh, one = a * fresh + own, a * one + 1
    return float(np.linalg.norm(fresh)), abs(one)


# ---- gradients that do not exist, and what to do

PAIRS = [k * (k - 1) / 2 for k in range(11)]  # of heads, among ten coins
REMEDIES = {
    "of the mean": "ad.score_function",
    "with the draw as it is": "ad.disconnected_grad",
}


@checker
def check_reading(student: Student, programs: Mapping[str, tuple[Callable, str]]) -> None:
    """student() gives for each program the operation that its error blames, and the remedy.

    A program is (function that raises NullTypeGradError, which derivative is wanted, in
    words).

    Parameters
    ----------
    programs : dict
        (function, which derivative is wanted) by name.
    """
    said = call(student, ())
    if not isinstance(said, Mapping) or said.keys() != programs.keys():
        complain(student.__name__, f"a dict with the keys {', '.join(programs)}", spell(said))
    for name, (program, wish) in programs.items():
        got = said[name]
        if not isinstance(got, (tuple, list)) or len(got) != 2:
            complain(student.__name__, "a pair (operation, remedy)", spell(got), name)
        if got[0] != blamed(program):
            complain(student.__name__, "the end of the path", spell(got[0]), name)
        if got[1] != REMEDIES[wish]:
            complain(student.__name__, f"a way to the derivative {wish}", spell(got[1]), name)
    print(f"{student.__name__}: read all {len(programs)}")


def blamed(program: Callable[[], Any]) -> str:
    """The operation at the end of the path, in the error that the program raises."""
    try:
        program()
    except NullTypeGradError as error:
        found = re.search(r"← (\w+) \(made", str(error))
        assert found, error
        return found[1]
    raise AssertionError("the program does not raise NullTypeGradError")


@checker
def check_repaired(
    student: Student,
    mean: Callable[[float], float],
    slope: Callable[[float], float],
    *,
    at: Sequence[float] = (0.3, 0.7),
    outcomes: Sequence[float] = PAIRS,
) -> None:
    """student(p, n) is an expression of n values whose mean, and its slope, are right.

    student(p, n) is an expression of n values with the mean `mean(p)`, and their
    derivatives by p have the mean `slope(p)`: both within six times the error of the mean.
    Each value is one of the outcomes: who writes down the mean has drawn nothing.

    Parameters
    ----------
    mean : callable
        The mean that is right.
    slope : callable
        The derivative that is right.
    at : sequence of float, default: (0.3, 0.7)
        The p at which it is tried.
    outcomes : sequence of float, optional
        The values that a draw can have; by default, the numbers of pairs among ten.
    """
    p, n = scalar("p"), 40_000
    built = call(student, (p, n), by_hand=False)
    if not isinstance(built, Expr) or built.type.shape != (n,):
        kind = built.type if isinstance(built, Expr) else type(built).__name__
        complain(student.__name__, f"an expression with {n} values", kind, f"n = {n}")
    try:
        run = function([p], [built, forward_mode(built, p).output])
    except NullTypeGradError as error:
        raise Wrong(f"{student.__name__}: {error}") from None
    for value in at:
        drawn = run(value)
        away = np.min([abs(drawn[0] - outcome) for outcome in outcomes], axis=0)
        if away.max() > 1e-9:
            needed = "values that a draw can have, " + ", ".join(f"{v:g}" for v in outcomes)
            complain(student.__name__, needed, f"{drawn[0][np.argmax(away)]:g}", f"p = {value}")
        for what, wanted, found in zip(("mean", "slope"), (mean, slope), drawn, strict=True):
            bar = 6 * found.std() / np.sqrt(n) + 1e-12
            if not abs(found.mean() - wanted(value)) < bar:
                says = f"the right {what}, or as near to it as {bar:.3f}"
                complain(student.__name__, says, f"{found.mean():.3f}", f"p = {value}")
    print(f"{student.__name__}: right in value and slope at p = {', '.join(map(str, at))}")
