"""The vocabulary: each operation stated once, with its NumPy body, its picture and its derivative.

Takes: the statement of an operation, made by `declare`. Gives: a function of expressions, with the
type rule, batching and all three derivatives that follow from it. `traits` lists what may be
stated. What follows from that is in the core, with `batch`, `cost`, `docs`, `gated` and `gufunc`
for its parts. The other files are the statements, by subject.
"""

# ruff: noqa: I001 - the sorter would put one name on a line
from ..expr import register
from . import choices, docs, gated, gufunc
from .arithmetic import add, divide, multiply, negative, power, reciprocal, sqrt, square, subtract
from .batch import Loop, all_batched, batched, repeated
from .comparison import (
    abs, clip, equal, greater, greater_equal, less, less_equal, logical_and, logical_not,
    logical_or, maximum, minimum, not_equal, sign, where,
)  # fmt: skip
from ..core.derivative_rules import (
    PULLBACK, PUSHFORWARD, Declared, Words, accepted, agree, broadcast_like, filled, float_type,
    pulled, pushed, unbroadcast, zero,
)  # fmt: skip
from .cost import Cost, cost, flops, weight
from .declare import OPS, in_symbols, of_house, op
from .elementary import (
    arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, cos, cosh, exp, expm1, hypot, log,
    log1p, sin, sinh, tan, tanh, tanh_slope,
)  # fmt: skip
from .gradient_gates import (
    GATES, disconnected_grad, grad_clip, grad_scale, undefined_grad, zero_grad,
)  # fmt: skip
from .gather import gather, scatter
from .index import embed, index
from .diagonal_matrix import diagonal_matrix
from .creation import eye, full, full_like, ones, ones_like, zeros, zeros_like
from .inputs import matrix, scalar, shared, tensor, tensor3, vector
from .lengths import arange, length, size
from .products import dot, matmul, matrix_transpose, outer
from .reduce import (
    all, any, log_softmax, logsumexp, max, mean, min, softmax, sum,
)  # fmt: skip
from .shape import (
    astype, broadcast_to, cast, expand_dims, moveaxis, ravel, reshape, squeeze, transpose, truncate,
)  # fmt: skip

register("positive")(lambda x: x)

__all__ = [
    "Cost", "Declared", "GATES", "Loop", "OPS", "PULLBACK", "PUSHFORWARD", "Words", "abs",
    "accepted", "add", "agree", "all", "all_batched", "any", "arange", "arccos", "arccosh",
    "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "astype", "batched", "broadcast_like",
    "broadcast_to", "cast", "choices", "clip", "cos", "cosh", "cost", "diagonal_matrix",
    "disconnected_grad", "divide", "docs", "dot", "embed", "equal", "exp", "expand_dims",
    "expm1", "eye", "filled", "float_type", "flops", "full", "full_like", "gated", "gather",
    "grad_clip", "grad_scale", "greater", "greater_equal", "gufunc", "hypot", "in_symbols",
    "index", "length", "less", "less_equal", "log", "log1p", "log_softmax", "logical_and",
    "logical_not", "logical_or", "logsumexp", "matmul", "matrix", "matrix_transpose", "max",
    "maximum", "mean", "min", "minimum", "moveaxis", "multiply", "negative", "not_equal",
    "of_house", "ones", "ones_like", "op", "outer", "power", "pulled", "pushed", "ravel",
    "reciprocal", "repeated", "reshape", "scalar", "scatter", "shared", "sign", "sin", "sinh",
    "size", "softmax", "sqrt", "square", "squeeze", "subtract", "sum", "tan", "tanh",
    "tanh_slope", "tensor", "tensor3", "transpose", "truncate", "unbroadcast", "undefined_grad",
    "vector", "weight", "where", "zero", "zero_grad", "zeros", "zeros_like",
]  # fmt: skip
