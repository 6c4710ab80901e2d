"""Implicit functions: adjoints of what solves an equation, a search that ends early, sensitivities.

What is right is computed by the engine, by complex steps, or seen from a property: the residual of
the equation that the answer should fulfil.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from ...differentiate import grad
from ...expr import ConvergenceError, Expr, Input, LazyModule, TensorType, evaluate, shown
from ...nested import fixed_point
from ..harness.check import Draw, call, cases, pulled, where
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, expect, numbers, spell

integration = LazyModule("scipy.integrate")
Step = Callable[..., Any]
CLOSE = 1e-8  # as a part: the residual of what is solved by rounded numbers
NEAR = 1e-3  # from the fixed point, where a stubborn step must lead away


# ---- adjoints


@checker
def check_implicit_pullback(
    student: Callable[..., Any],
    step: Step,
    inputs: Draw,
    *,
    trials: int = 20,
    seed: int | None = None,
) -> None:
    """student(ct, x, *c) is one cotangent for each c, where x = step(x, *c) and ct is that of x.

    Parameters
    ----------
    step : callable
        The step, in NumPy's words.
    inputs : callable
        Draws the cotangent of x and each c from a generator.
    """
    for given, fresh in cases(inputs, (), trials, seed):
        ct, *others = given
        x = repeated(step, 0 * ct, others)
        args = (ct, x, *others)
        got, at = call(student, args), where(student, args)
        wanted = pulled(lambda *c, x=x: fixed_point(lambda z: step(z, *c), x), others, ct)
        expect(wanted, got, at, rtol=1e-6, atol=1e-9, tell=fresh)
    print(f"{student.__name__}: right for {trials} fixed points")


def repeated(step: Step, x: Any, others: Sequence[Any]) -> Any:
    """The fixed point, by NumPy."""
    for _ in range(2_000):
        new = step(x, *others)
        if np.abs(new - x).max() < 1e-15:
            return new
        x = new
    return x


@checker
def check_solve_pullback(
    student: Callable[..., Any], *, trials: int = 20, seed: int | None = None
) -> None:
    """student(ct, A, x) is (Ā, b̄) of x = A⁻¹b, by the residual of the transposed equation.

    Parameters
    ----------
    trials : int, default: 20
        How many random systems are tried.
    seed : int, optional
        Of the random systems; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with where and how far it is off.
    """

    def draw(rng: np.random.Generator) -> tuple:
        n = int(rng.integers(2, 6))
        return rng.normal(size=n), 2 * np.eye(n) + rng.uniform(-1, 1, (n, n)), rng.normal(size=n)

    for args, _ in cases(draw, (), trials, seed):
        got, at = call(student, args), where(student, args)
        ct, A, x = args
        expect((A * 0, x * 0), shapes(got), at, tell=False)
        of_A, of_b = [np.asarray(part, float) for part in got]
        for what, off in (("A.T @ b_bar - ct", A.T @ of_b - ct),
                          ("A_bar + outer(b_bar, x)", of_A + np.outer(of_b, x))):  # fmt: skip
            if not np.abs(off).max() <= CLOSE * max(1.0, np.abs(of_A).max()):
                complain(f"{student.__name__}: a residual is not zero", f"{what} near 0",
                         spell(off), at)  # fmt: skip
    print(f"{student.__name__}: residuals near zero for {trials} systems")


def shapes(got: Any) -> Any:
    """Zeros of the shapes of an answer, where it consists of arrays."""
    try:
        return tuple(np.asarray(part, float) * 0 for part in got)
    except (TypeError, ValueError):
        return got


# ---- a search that ends early


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

    names = "x", "through", "by_equation"
    for args, fresh in cases(draw, [(2.0, count) for count in range(6)], trials, seed):
        got, at = call(student, args), where(student, args)
        found = numbers(got)
        if found is None or found.shape != (3,):
            complain(student.__name__, "three numbers: x, and both slopes", spell(got), at)
        right, given = (dict(zip(names, three, strict=True)) for three in (stopped(*args), found))
        expect(right, given, at, tell=fresh)
    print(f"{student.__name__}: right for {6 + trials} stops")


def stopped(a: float, count: int) -> tuple[float, float, float]:
    """The Babylonian steps from (1 + a)/2, by a complex step."""
    moved = complex(a, 1e-30)
    x = (1 + moved) / 2
    for _ in range(count):
        x = (x + moved / x) / 2
    return x.real, x.imag / 1e-30, 1 / (2 * x.real)


# ---- differential equations


@checker
def check_sensitivity(
    student: Callable[..., Any],
    rate: Callable[[Any, Any], Any],
    inputs: Draw,
    *,
    trials: int = 4,
    seed: int | None = None,
) -> None:
    """student(p, y0, T) is the matrix of the slopes of y(T) by p, where dy/dt = rate(y, p).

    Parameters
    ----------
    rate : callable
        The rate, in NumPy's words; it is given complex numbers.
    inputs : callable
        Draws p, y0 and T from a generator.
    """
    for args, fresh in cases(inputs, (), trials, seed):
        got, at = call(student, args, seconds=5), where(student, args)
        wanted = by_complex_steps(rate, *args)
        expect(wanted, got, at, rtol=1e-5, atol=1e-5 * np.abs(wanted).max(), tell=fresh)
    print(f"{student.__name__}: agrees with complex steps for {trials} equations")


def by_complex_steps(rate: Any, p: np.ndarray, y0: np.ndarray, end: float) -> np.ndarray:
    """A column for each parameter."""
    columns = []
    for k in range(len(p)):
        moved = p.astype(complex)
        moved[k] += 1e-30j
        found = integration.solve_ivp(
            lambda t, y, q=moved: rate(y, q), (0, end), y0.astype(complex), "DOP853",
            rtol=1e-10, atol=1e-11,
        )  # fmt: skip
        columns.append(found.y[:, -1].imag / 1e-30)
    return np.stack(columns, axis=1)


# ---- where the search fails and the theorem does not


@checker
def check_stubborn(
    student: Callable[[Any, Any], Any], *, trials: int = 3, seed: int | None = None
) -> None:
    """student(x, c) is a step that leads away from its fixed point, which moves with c.

    Parameters
    ----------
    student : callable
        What the student wrote, for the engine.
    trials : int, default: 3
        For how many random c it is tried.
    seed : int, optional
        Of the random c; by default a fresh one each time.

    Raises
    ------
    Wrong
        If it is not so, with where.
    """
    c = Input("c", TensorType("float64"))

    def step(x: Expr) -> Expr:
        got = call(student, (x, c), by_hand=False)
        if not (isinstance(got, Expr) and got.type == x.type):
            raise Wrong(f"{student.__name__} returns one number, made of x and c\n"
                        f"  got       {shown(got)}")  # fmt: skip
        return got

    there = fixed_point(step, np.float64(0.5), method="hybr")
    slope = grad(there, c, disconnected_inputs="ignore")
    rng = np.random.default_rng(seed)
    for value in rng.uniform(0.5, 1.5, trials).round(3):
        at = f"c = {value}"
        try:
            found, moves = evaluate([there, slope], {c: value})
        except ConvergenceError:
            complain(student.__name__, 'a fixed point, found from 0.5 by method="hybr"', "none", at)
        except LinAlgError:
            complain(student.__name__, "a fixed point that has a slope", "a singular equation", at)
        if abs(moves) < NEAR:
            complain(
                student.__name__, "a fixed point that moves with c", f"slope {moves + 0.0:.2g}", at
            )
        comes_back(student, step, c, found, value)
    print(f"{student.__name__}: leads away from its fixed point, whose slope exists")


def comes_back(student: Any, step: Step, c: Input, found: float, value: float) -> None:
    """Raises Wrong where repeating the step, begun near the fixed point, ends."""
    again = fixed_point(step, np.float64(found * (1 + NEAR) + NEAR), tol=1e-9)
    try:
        end = evaluate(again, {c: value})
    except ConvergenceError:
        return
    complain(f"{student.__name__}: repeated from nearby, the search ends", "a search that does not",
             f"x = {end:.6g}", f"c = {value}")  # fmt: skip
