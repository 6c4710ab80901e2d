"""New arrays: zeros, ones, ranges, triangles."""

from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Constant, Expr, constant
from ..core import config, lift
from .leaves import expression
from .lengths import lengths_of, one


def filled(value: Any, told: tuple[Any, ...]) -> Expr:
    value = expression(value)
    if isinstance(value, Constant) and not any(isinstance(n, Expr) for n in told):
        return constant(np.broadcast_to(value.value, told))
    return ops.broadcast_to(value, told)


@lift
def alloc(value: Any, *shape: Any) -> Any:
    """A value spread over an array of this shape."""
    told = lengths_of(shape[0] if len(shape) == 1 else shape)
    return filled(value, told)


@lift
def zeros(shape: Any, dtype: Any = None) -> Any:
    """Zeros of this shape, by default of the dtype floatX."""
    return filled(np.zeros((), config.floatX if dtype is None else dtype), lengths_of(shape))


@lift
def ones(shape: Any, dtype: Any = None) -> Any:
    """Ones of this shape, by default of the dtype floatX."""
    return filled(np.ones((), config.floatX if dtype is None else dtype), lengths_of(shape))


@lift
def zeros_like(model: Any, dtype: Any = None, opt: bool = False) -> Any:
    """Zeros of the shape of another array."""
    return ops.zeros_like(expression(model), dtype)


@lift
def ones_like(model: Any, dtype: Any = None, opt: bool = False) -> Any:
    """Ones of the shape of another array."""
    return ops.ones_like(expression(model), dtype)


@lift
def fill(a: Any, b: Any) -> Any:
    """b spread over the shape of a."""
    a, b = expression(a), expression(b)
    return ops.broadcast_like(b, a) if b.ndim <= a.ndim else b


@lift
def eye(n: Any, m: Any = None, k: int = 0, dtype: Any = None) -> Any:
    """Ones on a diagonal."""
    m = n if m is None else m
    return ops.eye(one(n), one(m), k, config.floatX if dtype is None else dtype)


@lift
def identity_like(x: Any) -> Any:
    """The identity matrix of the lengths of x."""
    x = expression(x)
    n, m = x.shape
    return ops.eye(n, m, 0, x.dtype)


@lift
def tri(N: Any, M: Any = None, k: int = 0, dtype: Any = None) -> Any:
    """Ones on and below a diagonal."""
    rows, columns = ops.arange(one(N)), ops.arange(one(N if M is None else M))
    below = ops.expand_dims(rows + k, axis=1) >= columns
    return below.astype(config.floatX if dtype is None else dtype)


@lift
def tril(m: Any, k: int = 0) -> Any:
    """m with zeros above a diagonal."""
    return library.tril(expression(m), k)


@lift
def triu(m: Any, k: int = 0) -> Any:
    """m with zeros below a diagonal."""
    return library.triu(expression(m), k)


@lift
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """The numbers start, start + step, … below stop."""
    start, stop, step = [known(n) for n in (start, stop, step)]
    found = ops.arange(start, stop, step)
    dtypes = [n.dtype for n in (start, stop, step) if hasattr(n, "dtype")]
    if dtype is None and any(t.kind == "f" for t in dtypes):
        dtype = np.result_type(*dtypes)
    elif dtype is None and found.dtype.kind in "iu":
        dtype = np.result_type("int64", *dtypes)
    return found if dtype is None or found.dtype == np.dtype(dtype) else found.astype(dtype)


def known(n: Any) -> Any:
    return n.value if isinstance(n, Constant) else n


class Grid:
    """T.mgrid[0:3, 0:4] and T.ogrid: index arrays of a grid."""

    def __init__(self, sparse: bool):
        self.sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        slices = key if isinstance(key, tuple) else (key,)
        axes = [arange(s.start or 0, s.stop, s.step or 1) for s in slices]
        n = len(axes)
        rows = [a.dimshuffle(*["x"] * k, 0, *["x"] * (n - k - 1)) for k, a in enumerate(axes)]
        if self.sparse:
            return rows
        total = sum(row * 0 for row in rows)
        return [row + total for row in rows]


@lift
def bartlett(M: Any) -> Any:
    """The triangular window of M points."""
    m = one(M)
    n = ops.arange(m).astype("float64")
    half = (m - 1) / 2.0
    return 1.0 - ops.abs(n - half) / half


mgrid, ogrid = Grid(False), Grid(True)
NAMES: dict[str, Any] = {
    f.__name__: f for f in (alloc, arange, bartlett, eye, fill, identity_like, ones, ones_like, tri,
                            tril, triu, zeros, zeros_like)
} | {"mgrid": mgrid, "ogrid": ogrid, "second": fill}  # fmt: skip
