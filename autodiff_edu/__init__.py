"""A glass-box differentiating compiler for teaching, over NumPy.

An expression is a graph, its derivative is another graph, simplification makes that one short,
and a generator turns it into code. Each stage can be opened, stepped through and drawn:

    import autodiff_edu as ad

    x = ad.scalar("x")
    stage = ad.symbolic_derivative(x * x + (x - 2), x)
    ad.compare(stage, ad.simplify(stage))
"""

from .differentiate import (
    forward_mode,
    grad,
    reverse_mode,
    symbolic_derivative,
    verify_grad,
)
from .expr import (
    DisconnectedInputError,
    DTypeError,
    Expr,
    GradientError,
    Graph,
    MissingInputError,
    Op,
    Pipeline,
    RewriteLoopError,
    ShapeError,
    Stage,
    Step,
    TensorType,
    constant,
    evaluate,
    same,
)
from .ops import (
    abs,
    add,
    arccos,
    arcsin,
    arctan,
    arctan2,
    broadcast_to,
    clip,
    cos,
    cosh,
    divide,
    dot,
    equal,
    erf,
    exp,
    expand_dims,
    expm1,
    greater,
    greater_equal,
    less,
    less_equal,
    log,
    log1p,
    logical_and,
    logical_not,
    logical_or,
    matmul,
    matrix,
    max,
    maximum,
    mean,
    min,
    minimum,
    multiply,
    negative,
    not_equal,
    ones_like,
    op,
    power,
    prod,
    reciprocal,
    reshape,
    scalar,
    sigmoid,
    sign,
    sin,
    sinh,
    softplus,
    sqrt,
    square,
    squeeze,
    subtract,
    sum,
    tan,
    tanh,
    tensor,
    tensor3,
    transpose,
    vector,
    where,
    zeros_like,
)
from .run import cost, function, generate, pipeline, plan, trace
from .show import compare, draw, film, latex, why
from .simplify import RULES, Rule, simplify, wild

__version__ = "0.1.0"

__all__ = [
    "DisconnectedInputError", "DTypeError", "Expr", "GradientError", "Graph",
    "MissingInputError", "Op", "Pipeline", "RewriteLoopError", "Rule", "RULES", "ShapeError",
    "Stage", "Step", "TensorType", "abs", "add", "arccos", "arcsin", "arctan", "arctan2",
    "broadcast_to", "clip", "compare", "constant", "cos", "cosh", "cost", "divide", "dot",
    "draw", "equal", "erf", "evaluate", "exp", "expand_dims", "expm1", "film", "forward_mode",
    "function", "generate", "grad", "greater", "greater_equal", "latex", "less", "less_equal",
    "log", "log1p", "logical_and", "logical_not", "logical_or", "matmul", "matrix", "max",
    "maximum", "mean", "min", "minimum", "multiply", "negative", "not_equal", "ones_like",
    "op", "pipeline", "plan", "power", "prod", "reciprocal", "reshape", "reverse_mode",
    "same", "scalar", "sigmoid", "sign", "simplify", "sin", "sinh", "softplus", "sqrt",
    "square", "squeeze", "subtract", "sum", "symbolic_derivative", "tan", "tanh", "tensor",
    "tensor3", "trace", "transpose", "vector", "verify_grad", "where", "why", "wild",
    "zeros_like",
]  # fmt: skip
