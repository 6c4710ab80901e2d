"""How roots and fixed points are found: by SciPy's solvers, or by repeating a step.

What was found is judged here, by one rule for all methods. Letters: z the unknowns as a vector.
"""

import warnings
from typing import Any, NamedTuple

import numpy as np

from ...expr import ConvergenceError, LazyModule
from .numbers import Function, by_matrix, matrix_of, unit_vectors

optimize = LazyModule("scipy.optimize")
BY_MATRIX = {"hybr": "maxfev", "lm": "maxiter"}  # methods that use derivatives, and their limits
BY_VALUES = ("krylov", "anderson", "broyden1", "broyden2", "df-sane")
ITERATION = "iteration"
STEPS = 1_000  # how often a step is repeated at most


class How(NamedTuple):
    """By which method a solution is found, how near, and after how many steps at most."""

    method: str
    tol: float
    maxiter: int | None = None


class Equation:
    """An equation between arrays as one between vectors of float64; `columns` gives its derivative
    along given directions."""

    def __init__(self, function: Function, columns: Any, start: Any, others: Any):
        self.function, self.columns, self.others = function, columns, others
        self.start = np.asarray(start)
        self.calls = 0

    def array(self, z: np.ndarray) -> Any:
        return z.reshape(self.start.shape).astype(self.start.dtype)[()]

    def residual(self, z: np.ndarray) -> np.ndarray:
        self.calls += 1
        return np.ravel(self.function(self.array(z), *self.others)).astype(float)

    def jacobian(self, z: np.ndarray) -> np.ndarray:
        units = unit_vectors(z.size, self.start, self.start.shape)
        return matrix_of(self.columns, z.size, units, (self.array(z), *self.others))


# ---- roots


def root(how: How, function: Function, columns: Any, start: Any, *others: Any) -> Any:
    """The x with function(x, ...) = 0 that a search from `start` finds. Raises ConvergenceError."""
    equation = Equation(function, columns, start, others)
    begin = np.ravel(start).astype(float)
    if not begin.size:
        return np.array(start)[()]
    first = equation.residual(begin)
    if not np.isfinite(first).all():
        raise ConvergenceError(
            f"the search for a root begins where f is {largest(first)}: begin at another point"
        )
    tol = attainable(how.tol, equation.start.dtype)
    z = searched(how, equation, begin, tol)
    z, residual, scale = judged(how, equation, z, max(1.0, largest(first)))
    if not residual <= tol * scale:
        raise ConvergenceError(
            f"no root was found: after {equation.calls} calls of f the residual is "
            f"{residual:.2g}. Begin nearer to the root, or choose another method="
        )
    around = NEAR * np.maximum(1.0, np.abs(z))
    if all(largest(equation.residual(p)) <= tol * scale for p in (z - around, z + around)):
        warnings.warn(
            FLAT.format("where it began" if (z == begin).all() else "there"), stacklevel=2
        )
    return equation.array(z)


NEAR = 1e-3  # of a point, or of 1: points that far apart are two roots
FLAT = (
    "the search for a root stopped {} since f is flat: points around pass for roots as well. If f "
    "has a root elsewhere, begin nearer to it; if f is small everywhere, multiply it by a number"
)


def searched(how: How, equation: Equation, begin: np.ndarray, tol: float) -> np.ndarray:
    """Where SciPy's method ends."""
    known = how.method in BY_MATRIX
    limit = BY_MATRIX.get(how.method, "maxiter")
    options = {} if how.maxiter is None else {limit: how.maxiter}
    jacobian = equation.jacobian if known else None
    try:
        return optimize.root(
            equation.residual, begin, jac=jacobian, method=how.method, tol=tol, options=options
        ).x
    except ValueError as error:
        if "Jacobian inversion" not in str(error):
            raise
        raise ConvergenceError(
            "no root was found: f is flat at a point of the search: no slope leads on. Begin at "
            "another point, or choose another method="
        ) from None


def judged(
    how: How, equation: Equation, z: np.ndarray, scale: float
) -> tuple[np.ndarray, float, float]:
    """The point, or the better one that a step of Newton's leads to; its residual, and what a
    change of the point by its own size would change in it."""
    r = equation.residual(z)
    if how.method not in BY_MATRIX or not np.isfinite(r).all():
        return z, largest(r), scale
    A = equation.jacobian(z)
    try:
        nearer = z - by_matrix("search", A, r[:, None])[:, 0]
    except np.linalg.LinAlgError:
        nearer = z
    better = equation.residual(nearer)
    if largest(better) <= largest(r):
        z, r = nearer, better
    return z, largest(r), float(np.abs(A).sum(axis=1).max() * max(1.0, largest(z)))


# ---- fixed points


def fixed_point(how: How, step: Function, columns: Any, start: Any, *others: Any) -> Any:
    """The x with x = step(x, ...). Raises ConvergenceError."""
    if how.method != ITERATION:
        return root(how, lambda x, *c: x - step(x, *c), columns, start, *others)
    tol, most = attainable(how.tol, np.asarray(start).dtype), how.maxiter or STEPS
    x, moved, made = start, 0.0, 0
    while made < most and np.isfinite(moved):
        new = step(x, *others)
        x, moved, made = new, largest(new - x), made + 1
        if moved <= tol * max(1.0, largest(new)) < np.inf:
            return np.array(x)[()]
    raise ConvergenceError(
        f"no fixed point was found: step {made} still moves x by {moved:.2g}. Repeating a step "
        "leads to a fixed point only where it brings points nearer to each other: write "
        'method="hybr", or begin nearer to the solution'
    )


def largest(a: Any) -> float:
    """The largest entry, without its sign."""
    return float(np.max(np.abs(a), initial=0.0))


def attainable(tol: float, dtype: np.dtype) -> float:
    """A tolerance that the dtype can keep."""
    return max(tol, 20 * float(np.finfo(dtype).eps))
