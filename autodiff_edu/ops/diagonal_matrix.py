"""Diagonal matrices that derivatives are made of: beside the diagonal nothing changes, and so what
stands there is exactly zero.

A diagonal may begin anywhere: that of the slopes of x[1:] stands one column to the right. Unit
vectors of a matrix are matrices, so D of a matrix has one axis more, with one entry in each.
"""

from math import prod
from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, ShapeError, TensorType
from .declare import op
from .gather import gather
from .lengths import arange
from .shape import reshape

jnp = LazyModule("jax.numpy")
CORNER = (0, 0)


def read_diagonal(x: Any, start: tuple = CORNER, shape: tuple | None = None) -> tuple[tuple, dict]:
    return (x,), {"start": start, "shape": shape}


def rows_and_entries(t: TensorType) -> tuple:
    """As many rows as entries, and each row of the shape of x."""
    return (prod(t.shape) if t.known else t.shape[0] if t.ndim == 1 else None, *t.shape)


def normal(t: TensorType, start: tuple, shape: tuple | None) -> dict[str, Any]:
    """Where the diagonal is whole, that is said in one way."""
    whole = start == CORNER and shape == rows_and_entries(t)
    return {"start": start, "shape": None if whole else shape}


def matrix_shape(t: TensorType, start: tuple, shape: tuple | None) -> tuple:
    if shape is None:
        return rows_and_entries(t)
    if t.ndim != 1 or any(k + (t.shape[0] or 0) > n for k, n in zip(start, shape, strict=True)):
        raise ShapeError(f"a diagonal of shape {t.shape} from {start} leaves the shape {shape}")
    return shape


def on_diagonal(ct: Expr, x: Expr, start: tuple) -> Expr:
    """The entries from the start on, each one row and one column further, in the shape of x."""
    rows, columns = [arange(k, k + x.size) for k in start]
    if x.ndim == 1:
        return gather(ct, rows, columns)
    return reshape(gather(reshape(ct, (x.size, x.size)), rows, columns), x.shape)


def in_jax(x: Any, start: tuple, shape: tuple | None) -> Any:
    rows, columns = [k + jnp.arange(x.size) for k in start]
    out = jnp.zeros(shape or (x.size, x.size), x.dtype).at[rows, columns].set(x.ravel())
    return out.reshape(shape or (x.size, *x.shape))


@op(
    label="diag",
    linear=True,
    reads=read_diagonal,
    normal=normal,
    type=matrix_shape,
    pullback=lambda ct, x, out, start, shape: (on_diagonal(ct, x, start),),
    cost=0,
    free=True,
    exact_zeros=True,
    targets={"jax": in_jax},
    facts={"nonnegative": "first"},
)
def diagonal_matrix(x, *, start, shape):
    """The matrix with x on a diagonal, which begins at a row and a column, and exact zeros
    beside it."""
    x = np.asarray(x)
    out = np.zeros(shape or (x.size, *x.shape), x.dtype)
    row, column = start
    columns = x.size if shape is None else shape[1]
    out.reshape(-1)[row * columns + column :: columns + 1][: x.size] = x.reshape(-1)
    return out
