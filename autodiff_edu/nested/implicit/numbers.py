"""Numbers: linear equations whose matrix is known by what it does, solved by LAPACK or by GMRES.

Letters: n the number of unknowns, A the matrix, B a column for each right-hand side.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from ...expr import ConvergenceError, LazyModule

lapack = LazyModule("scipy.linalg.lapack")
sparse = LazyModule("scipy.sparse.linalg")
DENSE = 1_000  # unknowns up to which a matrix is made
CLOSE = 1e-12  # residual of GMRES, relative to the right-hand side

Function = Callable[..., Any]


def unit_vectors(n: int, like: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The unit vectors as n arrays of this shape, in the dtype of another array."""
    return np.eye(n, dtype=like.dtype).reshape(n, *shape)


def matrix_of(columns: Function, n: int, units: np.ndarray, others: Any) -> np.ndarray:
    """The matrix of a linear map, from what it does to unit vectors."""
    return np.reshape(columns(units, *others), (n, n)).T.astype(float)


def linear_solution(
    axes: int, name: str, product: Function, columns: Function, b: Any, *others: Any
) -> Any:
    """The v with product(v, ...) = b; of b only the last `axes` axes belong to one equation."""
    given = np.asarray(b)
    shape = given.shape[given.ndim - axes :]
    n = int(np.prod(shape, dtype=int))
    B = given.reshape(-1, n).T.astype(float) if given.size else np.empty((n, 0))
    if not B.size:
        return np.array(given)[()]
    if n > DENSE:
        X = np.stack([by_products(name, product, c, given, shape, others) for c in B.T], axis=1)
    else:
        units = unit_vectors(n, given, shape)
        X = by_matrix(name, matrix_of(columns, n, units, others), B)
    return X.T.reshape(given.shape).astype(given.dtype)[()]


def by_matrix(name: str, A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """A⁻¹B. Raises LinAlgError for a matrix that is singular to the last digit."""
    if not np.isfinite(A).all():
        return np.full_like(B, np.nan)
    lu, pivots, _ = lapack.dgetrf(A)
    condition, _ = lapack.dgecon(lu, np.abs(A).sum(axis=0).max())
    if not condition > np.finfo(float).eps:
        raise LinAlgError(
            f"the matrix of the {name} is singular (1/condition = {condition:.0e}): there the "
            "equation does not determine how its solution moves, and so no derivative exists"
        )
    return lapack.dgetrs(lu, pivots, B)[0]


def by_products(
    name: str, product: Function, b: np.ndarray, like: np.ndarray, shape: Any, others: Any
) -> np.ndarray:
    """The solution by GMRES, which asks for products alone. Raises ConvergenceError."""

    def multiplied(v: np.ndarray) -> np.ndarray:
        return np.ravel(product(v.reshape(shape).astype(like.dtype), *others)).astype(float)

    A = sparse.LinearOperator((b.size, b.size), matvec=multiplied, dtype=float)
    close = max(CLOSE, float(np.finfo(like.dtype).eps))
    v, failed = sparse.gmres(A, b, rtol=close, atol=0.0, restart=30, maxiter=100)
    if failed:
        residual = np.abs(multiplied(v) - b).max()
        raise ConvergenceError(f"GMRES did not solve the {name}: the residual is {residual:.2g}")
    return v
