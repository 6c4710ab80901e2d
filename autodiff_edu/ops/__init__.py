"""The vocabulary: each operation stated once, with its NumPy body, its picture and its derivative.

Everything that can be derived from the statement is derived in declare.py; the other files are
the statements, by subject.
"""

from ..expr import enters
from . import protocol, update
from .arithmetic import add, divide, multiply, negative, power, reciprocal, sqrt, square, subtract
from .arrange import (
    append,
    array,
    array_split,
    column_stack,
    concatenate,
    flip,
    hstack,
    repeat,
    roll,
    split,
    stack,
    swapaxes,
    tile,
    vstack,
)
from .batch import batched, repeated
from .choice import (
    abs,
    ceil,
    clip,
    copysign,
    equal,
    floor,
    floor_divide,
    fmod,
    greater,
    greater_equal,
    heaviside,
    isfinite,
    isinf,
    isnan,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    not_equal,
    remainder,
    rint,
    round,
    select,
    sign,
    trunc,
    where,
)
from .declare import OPS, Declared, op
from .diagonals import diag, diagonal, matrix_trace, tril, triu
from .einsum import einsum
from .elementary import (
    arccos,
    arccosh,
    arcsin,
    arcsinh,
    arctan,
    arctan2,
    arctanh,
    cbrt,
    cos,
    cosh,
    deg2rad,
    exp,
    exp2,
    expm1,
    hypot,
    log,
    log1p,
    log2,
    log10,
    rad2deg,
    sin,
    sinc,
    sinh,
    tan,
    tanh,
)
from .factors import qr, svd, svdvals
from .fit import fit, float_type, stretch, zero
from .gates import (
    GATES,
    disconnected_grad,
    grad_clip,
    grad_scale,
    undefined_grad,
    zero_grad,
)
from .index import embed, gather, index, scatter
from .leaves import (
    eye,
    full,
    full_like,
    matrix,
    ones,
    ones_like,
    scalar,
    tensor,
    tensor3,
    vector,
    zeros,
    zeros_like,
)
from .linalg import cross, det, inv, matrix_power, multi_dot, pinv, slogdet, solve
from .norms import matrix_norm, norm, vector_norm
from .order import (
    argmax,
    argmin,
    argsort,
    diff,
    interp,
    median,
    quantile,
    searchsorted,
    sort,
    take,
    take_along_axis,
    trapezoid,
)
from .products import dot, inner, kron, matmul, matrix_transpose, outer, tensordot, vdot
from .reduce import (
    all,
    any,
    average,
    log_softmax,
    logsumexp,
    max,
    mean,
    min,
    ptp,
    softmax,
    std,
    sum,
    var,
)
from .running import cumprod, cumsum, prod, product
from .shape import (
    arange,
    astype,
    broadcast_to,
    cast,
    expand_dims,
    length,
    moveaxis,
    ravel,
    reshape,
    size,
    squeeze,
    transpose,
    truncate,
)
from .special import (
    digamma,
    erf,
    erfc,
    gammaln,
    logaddexp,
    logaddexp2,
    logit,
    polygamma,
    sigmoid,
    softplus,
    xlogy,
)
from .symmetric import cholesky, eigh, eigvalsh
from .windows import conv2d, convolve, correlate, max_pool2d, mean_pool2d, pad, sliding_window_view

enters("positive")(lambda x: x)

__all__ = [
    "Declared", "GATES", "OPS", "abs", "add", "all", "any", "append", "arange", "arccos", "arccosh",
    "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "argmax", "argmin", "argsort", "array",
    "array_split", "astype", "average", "batched", "broadcast_to", "cast", "cbrt", "ceil",
    "cholesky", "clip", "column_stack", "concatenate", "conv2d", "convolve", "copysign",
    "correlate", "cos", "cosh", "cross", "cumprod", "cumsum", "deg2rad", "det", "diag", "diagonal",
    "diff", "digamma", "disconnected_grad", "divide", "dot", "eigh", "eigvalsh", "einsum", "embed",
    "equal", "erf", "erfc", "exp", "exp2", "expand_dims", "expm1", "eye", "fit", "flip",
    "float_type", "floor", "floor_divide", "fmod", "full", "full_like", "gammaln", "gather",
    "grad_clip", "grad_scale", "greater", "greater_equal", "heaviside", "hstack", "hypot", "index",
    "inner", "interp", "inv", "isfinite", "isinf", "isnan", "kron", "length", "less", "less_equal",
    "log", "log10", "log1p", "log2", "log_softmax", "logaddexp", "logaddexp2", "logical_and",
    "logical_not", "logical_or", "logical_xor", "logit", "logsumexp", "matmul", "matrix",
    "matrix_norm", "matrix_power", "matrix_trace", "matrix_transpose", "max", "max_pool2d",
    "maximum", "mean", "mean_pool2d", "median", "min", "minimum", "moveaxis", "multi_dot",
    "multiply", "negative", "norm", "not_equal", "ones", "ones_like", "op", "outer", "pad", "pinv",
    "polygamma", "power", "prod", "product", "protocol", "ptp", "qr", "quantile", "rad2deg",
    "ravel", "reciprocal", "remainder", "repeat", "repeated", "reshape", "rint", "roll", "round",
    "scalar", "scatter", "searchsorted", "select", "sigmoid", "sign", "sin", "sinc", "sinh", "size",
    "sliding_window_view", "slogdet", "softmax", "softplus", "solve", "sort", "split", "sqrt",
    "square", "squeeze", "stack", "std", "stretch", "subtract", "sum", "svd", "svdvals", "swapaxes",
    "take", "take_along_axis", "tan", "tanh", "tensor", "tensor3", "tensordot", "tile", "transpose",
    "trapezoid", "tril", "triu", "trunc", "truncate", "undefined_grad", "update", "var", "vdot",
    "vector", "vector_norm", "vstack", "where", "xlogy", "zero", "zero_grad", "zeros", "zeros_like",
]  # fmt: skip
