"""`theano.tensor`: the names of T that the programs of the threads use."""

from collections.abc import Callable
from typing import Any

from .. import ops
from ..expr import Expr, constant
from ..library import concatenate, prod, round, stack, std, var
from ..ops import (
    abs,
    all,
    any,
    arange,
    arctan,
    arctan2,
    clip,
    cos,
    cosh,
    dot,
    exp,
    eye,
    log,
    log1p,
    maximum,
    mean,
    minimum,
    ones,
    ones_like,
    outer,
    sin,
    sinh,
    sqrt,
    square,
    sum,
    tan,
    tanh,
    where,
    zeros,
    zeros_like,
)  # fmt: skip
from . import shared_randomstreams
from .extremes import max, min
from .gradient import grad

sqr, switch, abs_ = square, where, abs


def variable(kind: str, dtype: str | None = None) -> Callable[..., Expr]:
    """T.scalar and the like: the name may be missing."""
    make = getattr(ops, kind)

    def leaf(name: str | None = None, dtype: str | None = dtype) -> Expr:
        return make(name or kind, dtype=dtype or "float64")

    leaf.__name__ = kind
    return leaf


scalar, vector, matrix, tensor3 = map(variable, ("scalar", "vector", "matrix", "tensor3"))
dscalar, dvector, dmatrix = (variable(k, "float64") for k in ("scalar", "vector", "matrix"))
fscalar, fvector, fmatrix = (variable(k, "float32") for k in ("scalar", "vector", "matrix"))
iscalar, ivector, imatrix = (variable(k, "int32") for k in ("scalar", "vector", "matrix"))
lscalar, lvector, lmatrix = (variable(k, "int64") for k in ("scalar", "vector", "matrix"))


def several(leaf: Callable[..., Expr]) -> Callable[..., list[Expr]]:
    """T.scalars("xy"), T.scalars("x", "y"), T.scalars(2)."""

    def leaves(*names: Any) -> list[Expr]:
        if len(names) == 1:
            names = (None,) * names[0] if isinstance(names[0], int) else tuple(names[0])
        return [leaf(name) for name in names]

    return leaves


scalars, vectors, matrices = map(several, (scalar, vector, matrix))


def as_tensor_variable(x: Any, name: str | None = None, ndim: int | None = None) -> Expr:
    """x as an expression."""
    found = x if isinstance(x, Expr) else constant(x)
    if name is not None and found.name is None:
        found.name = str(name)
    return found


__all__ = [
    "abs", "abs_", "all", "any", "arange", "arctan", "arctan2", "as_tensor_variable", "clip",
    "concatenate", "cos", "cosh", "dmatrix", "dot", "dscalar", "dvector", "exp", "eye", "fmatrix",
    "fscalar", "fvector", "grad", "imatrix", "iscalar", "ivector", "lmatrix", "log", "log1p",
    "lscalar", "lvector", "matrices", "matrix", "max", "maximum", "mean", "min", "minimum", "ones",
    "ones_like", "outer", "prod", "round", "scalar", "scalars", "shared_randomstreams", "sin",
    "sinh", "sqr", "sqrt", "square", "stack", "std", "sum", "switch", "tan", "tanh", "tensor3",
    "var", "vector", "vectors", "where", "zeros", "zeros_like",
]  # fmt: skip
