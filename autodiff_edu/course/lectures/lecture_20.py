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
from ..harness.chart import chart_graph, chart_values
from ..harness.check import Arrays, Draw, call, cases, named, pulled, where
from ..harness.checker import checker
from ..harness.failing_call import chart_call, smallest_call
from ..harness.feedback import Wrong, complain, differences, expect, numbers, spell

integration = LazyModule("scipy.integrate")
Step = Callable[..., Any]
CLOSE = 1e-8  # as a part: the residual of what is solved by rounded numbers
NEARBY = 1e-3  # from the fixed point, where a stubborn step must lead away
LOOSE = 1e-6, 1e-9  # rtol and atol of what is computed by steps
SIMPLE = 3.0  # a, tried first where an answer is wrong


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

    def results(case: Arrays) -> tuple[Any, Any, Arrays]:
        """The right cotangents and the student's, and the arguments of the call."""
        ct, *others = case
        x = repeated(step, 0 * ct, others)
        args = (ct, x, *others)
        right = pulled(lambda *c: fixed_point(lambda z: step(z, *c), x), others, ct)
        return right, call(student, args), args

    def fails(case: Arrays) -> bool:
        return any(differences(*results(case)[:2], *LOOSE))

    each = [*cases(inputs, (), trials, seed)]
    for case, fresh in each:
        right, got, args = results(case)
        if any(differences(right, got, *LOOSE)):
            small, _ = smallest_call(each, fails)
            draw_pullback(student, *results(small))
        expect(right, got, where(student, args), *LOOSE, tell=fresh)
    print(f"{student.__name__}: right for {trials} fixed points")


def draw_pullback(student: Callable[..., Any], right: Any, own: Any, args: Arrays) -> None:
    """Raise Wrong, with a call drawn: each cotangent beside the right one."""
    name = student.__name__
    title = f"{name}: the smallest call with a wrong cotangent"
    chart_call(title, name, named(student, args), own, right, tolerance=LOOSE)
    expect(right, own, where(student, args), *LOOSE)


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

    fails = lambda args: residual_problem(student, args) is not None
    each = [*cases(draw, (), trials, seed)]
    for args, _ in each:
        wrong = residual_problem(student, args)
        if wrong is not None:
            (ct, A, x), _ = smallest_call(each, fails)
            b_bar = np.linalg.solve(A.T, ct)
            right, own, name = (
                (-np.outer(b_bar, x), b_bar),
                call(student, (ct, A, x)),
                student.__name__,
            )
            title = f"{name}: the smallest system with a wrong cotangent"
            chart_call(title, name, named(student, (ct, A, x)), own, right, tolerance=LOOSE)
            raise residual_problem(student, (ct, A, x)) or wrong
    print(f"{student.__name__}: residuals near zero for {trials} systems")


def residual_problem(student: Callable[..., Any], args: Arrays) -> Wrong | None:
    """The fault of the cotangents of A and b, whose residuals should be zero, or None."""
    got, at = call(student, args), where(student, args)
    ct, A, x = args
    try:
        expect((A * 0, x * 0), shapes(got), at, tell=False)
        of_A, of_b = [np.asarray(part, float) for part in got]
        for what, off in (("A.T @ b_bar - ct", A.T @ of_b - ct),
                          ("A_bar + outer(b_bar, x)", of_A + np.outer(of_b, x))):  # fmt: skip
            if not np.abs(off).max() <= CLOSE * max(1.0, np.abs(of_A).max()):
                complain(f"{student.__name__}: a residual is not zero", f"{what} near 0",
                         spell(off), at)  # fmt: skip
    except Wrong as wrong:
        return wrong
    return None


def shapes(got: Any) -> Any:
    """Zeros of the shapes of an answer, where it consists of arrays."""
    try:
        return tuple(np.asarray(part, float) * 0 for part in got)
    except (TypeError, ValueError):
        return got


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
    each = [*cases(inputs, (), trials, seed)]
    for args, fresh in each:
        right, own, near = sensitivities(student, rate, args)
        if any(differences(right, own, *near)):
            args, fresh = smallest_call(each, lambda a: is_off(*sensitivities(student, rate, a)))
            right, own, near = sensitivities(student, rate, args)
            title, name = "the slopes of y(T), a column for each parameter", student.__name__
            pair = columns(own, right.shape), columns(right, right.shape)
            chart_call(f"{name}: {title}", name, named(student, args), *pair, fresh, near)
        expect(right, own, where(student, args), *near, tell=fresh)
    print(f"{student.__name__}: agrees with complex steps for {trials} equations")


def is_off(right: Any, own: Any, near: tuple[float, float]) -> bool:
    return any(differences(right, own, *near))


def sensitivities(student: Any, rate: Any, args: Arrays) -> tuple[Any, Any, tuple[float, float]]:
    """The right matrix and the student's, and how near they must be."""
    right = by_complex_steps(rate, *args)
    return right, call(student, args, seconds=5), (1e-5, 1e-5 * np.abs(right).max())


def columns(matrix: Any, shape: tuple[int, ...]) -> Any:
    """The columns by the name of their parameter, where the shape is right."""
    table = numbers(matrix)
    if table is None or table.shape != shape:
        return {"by p[0]": matrix}
    return {f"by p[{k}]": column for k, column in enumerate(table.T)}


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

    x = Input("x", TensorType("float64"))
    own = step(x)
    chart_graph(f"{student.__name__}: your step", [own])
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
        if abs(moves) < NEARBY:
            title = f"{student.__name__}: your step at its fixed point for {at}"
            chart_values(title, [own], {x: found, c: value})
            complain(
                student.__name__, "a fixed point that moves with c", f"slope {moves + 0.0:.2g}", at
            )
        comes_back(student, step, c, found, value)
    print(f"{student.__name__}: leads away from its fixed point, whose slope exists")


def comes_back(student: Any, step: Step, c: Input, found: float, value: float) -> None:
    """Raises Wrong where repeating the step, begun near the fixed point, ends."""
    again = fixed_point(step, np.float64(found * (1 + NEARBY) + NEARBY), tol=1e-9)
    try:
        end = evaluate(again, {c: value})
    except ConvergenceError:
        return
    x = Input("x", TensorType("float64"))
    title = f"{student.__name__}: repeated from nearby, your step ends here"
    chart_values(title, [step(x)], {x: found, c: np.float64(value)})
    complain(f"{student.__name__}: repeated from nearby, the search ends", "a search that does not",
             f"x = {end:.6g}", f"c = {value}")  # fmt: skip
