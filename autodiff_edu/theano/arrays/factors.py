"""Factors and eigenvalues of matrices, in the forms that `nlinalg` and `slinalg` had."""

from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Expr, TensorType, TupleType
from ..core import lift
from ..core.own_op import own
from .creation import eye
from .leaves import expression

NO_SLOPE = "Theano 1.0 has no derivative of it either"


def floats(t: TensorType) -> np.dtype:
    return t.dtype if t.dtype.kind == "f" else np.dtype("float64")


def matrix(t: TensorType, rows: int | None, columns: int | None) -> TensorType:
    return TensorType(floats(t), (rows, columns))


def smaller(t: TensorType) -> int | None:
    return None if None in t.shape else min(t.shape)  # type: ignore[type-var]


def square_factors(t: TensorType) -> TupleType:
    (m, n), k = t.shape, smaller(t)
    return TupleType([matrix(t, m, m), TensorType(floats(t), (k,)), matrix(t, n, n)])


@own(nondifferentiable=NO_SLOPE, type=square_factors)
def full_svd(x):
    """U, S and Vh with x = U·diag(S)·Vh, where U and Vh are square."""
    return tuple(np.linalg.svd(x))


@lift
def svd(a: Any, full_matrices: int = 1, compute_uv: int = 1) -> Any:
    """The singular value decomposition."""
    a = expression(a)
    if compute_uv and full_matrices:
        return list(full_svd(a))
    found = library.svd(a, False, bool(compute_uv))
    return list(found) if isinstance(found, tuple) else found


def qr_factors(t: TensorType, mode: str) -> TupleType:
    m, n = t.shape
    if mode == "raw":
        return TupleType([matrix(t, n, m), TensorType(floats(t), (smaller(t),))])
    return TupleType([matrix(t, m, m), matrix(t, m, n)])


@own(nondifferentiable=NO_SLOPE, type=qr_factors)
def other_qr(x, *, mode):
    """The square factor and the triangular one; in the mode raw, what LAPACK keeps of them."""
    return tuple(np.linalg.qr(x, mode))


@lift
def qr(a: Any, mode: str = "reduced") -> Any:
    """The decomposition into an orthogonal and a triangular matrix."""
    if mode in ("complete", "raw"):
        return list(other_qr(expression(a), mode=mode))
    found = library.qr(expression(a), mode)
    return list(found) if isinstance(found, tuple) else found


# ---- positive definite matrices


@own(nondifferentiable="it is true or false", type=lambda t: TensorType("bool", ()))
def has_cholesky(x):
    """Is the matrix positive definite, up to rounding?"""
    try:
        np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        return np.bool_(False)
    return np.bool_(True)


@lift
def cholesky(x: Any, lower: bool = True, on_error: str = "raise") -> Any:
    """The triangular factor of a positive definite matrix. With on_error="nan" the factor of
    another matrix, and its derivative, is nan."""
    x = expression(x)
    if on_error == "raise":
        return library.cholesky(x, upper=not lower)
    if on_error != "nan":
        raise ValueError(f"on_error is 'raise' or 'nan', not {on_error!r}")
    good = has_cholesky(x)
    factor = library.cholesky(
        ops.where(good, x, eye.plain(x.shape[0], dtype=x.dtype)), upper=not lower
    )
    return factor.astype(x.dtype) + x * ops.where(good, 0.0, np.nan).astype(x.dtype)


def from_triangle(x: Expr, lower: bool) -> Expr:
    """The symmetric matrix of which one triangle is read."""
    part = library.tril(x) if lower else library.triu(x)
    rest = library.tril(x, -1) if lower else library.triu(x, 1)
    return part + ops.transpose(rest)


@lift
def eigvalsh(a: Any, b: Any = None, lower: bool = True) -> Any:
    """Eigenvalues w of a symmetric matrix: a v = w v; or a v = w b v, b positive definite."""
    a = expression(a)
    if b is None:
        return library.eigvalsh(a, "L" if lower else "U")
    factor = library.cholesky(from_triangle(expression(b), lower))
    half = library.solve(factor, from_triangle(a, lower))
    return library.eigvalsh(library.solve(factor, ops.transpose(half)))


# ---- equations


def solution_dtype(a: Expr, b: Expr) -> np.dtype:
    """LAPACK has floats of 32 and 64 bits."""
    dtype = np.result_type(a.dtype, b.dtype)
    return np.result_type(dtype, "float32") if dtype.kind == "f" else np.dtype("float64")


@lift
def solve(a: Any, b: Any) -> Any:
    """The x with a x = b."""
    a, b = expression(a), expression(b)
    dtype = solution_dtype(a, b)
    return library.solve(*[x if x.dtype == dtype else x.astype(dtype) for x in (a, b)])


def solution(a: TensorType, b: TensorType, rcond: TensorType) -> TupleType:
    values = TensorType(floats(a), (None,))
    found = TensorType(np.result_type(floats(a), floats(b)), (None,) * b.ndim)
    return TupleType([found, values, TensorType("int64", ()), values])


@own(nondifferentiable=NO_SLOPE, type=solution)
def least_squares(a, b, rcond):
    """The x with the smallest ‖a x − b‖, the residuals, the rank and the singular values."""
    if np.ndim(rcond):
        raise np.linalg.LinAlgError(f"rcond is a number, not an array of shape {rcond.shape}")
    x, residuals, rank, values = np.linalg.lstsq(a, b, float(rcond))
    return x, residuals, np.int64(rank), values


class lstsq:
    """lstsq()(a, b, rcond): the least squares solution, and what belongs to it."""

    def __call__(self, x: Any, y: Any, rcond: Any) -> Any:
        def solved(*given: Any) -> list[Expr]:
            return list(least_squares(*map(expression, given)))

        return lift(solved)(x, y, rcond)


# ---- norms

ORDERS = {"inf": np.inf, "-inf": -np.inf}


@lift
def norm(x: Any, ord: Any) -> Any:
    """The norm of a vector or a matrix."""
    x = expression(x)
    if x.ndim == 0:
        raise ValueError("'axis' entry is out of bounds: for a number, write T.abs_(x)")
    if x.ndim > 2:
        raise NotImplementedError(f"norm takes a vector or a matrix, not {x.ndim} axes")
    allowed = (None, "fro", "inf", "-inf", 1, -1)
    if x.ndim == 2 and ord not in allowed:
        raise ValueError(f"the norms of a matrix are None, 'fro', 'inf', '-inf', 1, -1: {ord!r}")
    if x.ndim == 1 and isinstance(ord, str) and ord not in ORDERS:
        raise ValueError(f"Invalid norm order for vectors: {ord!r}")
    return library.norm(x, ORDERS.get(ord, ord))


def alloc_diag(v: Any, k: int = 0) -> Any:
    """The matrix with this diagonal."""
    return lift(diagonal_matrix)(v, k)


def diagonal_matrix(v: Any, k: int = 0) -> Expr:
    v = expression(v)
    if v.ndim != 1:
        raise TypeError(f"alloc_diag takes a vector, not {v.ndim} axes: extract_diag reads one")
    return library.diag(v, k)


NAMES: dict[str, Any] = {
    f.__name__: f for f in (alloc_diag, cholesky, eigvalsh, lstsq, norm, qr, solve, svd)
}
