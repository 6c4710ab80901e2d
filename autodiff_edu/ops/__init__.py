"""The vocabulary: each operation stated once, with its NumPy body, its picture and its derivative.

Everything that can be derived from the statement is derived in declare.py; the other files are
the statements, by subject.
"""

from ..expr import enters
from . import protocol
from .arithmetic import add, divide, multiply, negative, power, reciprocal, sqrt, square, subtract
from .choice import (
    abs,
    clip,
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    not_equal,
    sign,
    where,
)
from .declare import OPS, Declared, op
from .elementary import (
    arccos,
    arcsin,
    arctan,
    arctan2,
    cos,
    cosh,
    erf,
    exp,
    expm1,
    log,
    log1p,
    sigmoid,
    sin,
    sinh,
    softplus,
    tan,
    tanh,
)
from .fit import fit, float_type, stretch, zero
from .index import embed, index
from .leaves import matrix, ones_like, scalar, tensor, tensor3, vector, zeros_like
from .products import dot, matmul, outer
from .reduce import max, mean, min, prod, product, sum
from .shape import (
    arange,
    astype,
    broadcast_to,
    cast,
    expand_dims,
    length,
    ravel,
    reshape,
    size,
    squeeze,
    transpose,
    truncate,
)

enters("positive")(lambda x: x)

__all__ = [
    "OPS", "Declared", "abs", "add", "arange", "arccos", "arcsin", "arctan", "arctan2", "astype",
    "broadcast_to", "cast", "clip", "cos", "cosh", "divide", "dot", "embed", "equal", "erf", "exp",
    "expand_dims", "expm1", "fit", "float_type", "greater", "greater_equal", "index", "length",
    "less", "less_equal", "log", "log1p", "logical_and", "logical_not", "logical_or", "matmul",
    "matrix", "max", "maximum", "mean", "min", "minimum", "multiply", "negative", "not_equal",
    "ones_like", "op", "outer", "power", "prod", "product", "protocol", "ravel", "reciprocal",
    "reshape", "scalar", "sigmoid", "sign", "sin", "sinh", "size", "softplus", "sqrt", "square",
    "squeeze", "stretch", "subtract", "sum", "tan", "tanh", "tensor", "tensor3", "transpose",
    "truncate", "vector", "where", "zero", "zeros_like",
]  # fmt: skip
