"""A glass-box differentiating compiler for teaching, over NumPy.

An expression is a graph, its derivative is another graph, simplification makes that one short,
and a generator turns it into code. Each stage can be opened, stepped through and drawn:

    import autodiff_edu as ad

    x = ad.scalar("x")
    stage = ad.symbolic_derivative(x * x + (x - 2), x)
    ad.compare(stage, ad.simplify(stage))
"""

# ruff: noqa: I001 - the sorter would put one name on a line
from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from .chance import RandomStream, score_function
from .differentiate import (
    forward_mode,
    grad,
    hessian,
    hessian_vector_product,
    jacobian,
    pullback,
    pushforward,
    reverse_mode,
    subgraph_grad,
    symbolic_derivative,
    value_and_grad,
    vectorize,
)
from .expr import HOOKS as _HOOKS, Later as _Later
from .expr import (
    ConvergenceError, DTypeError, DisconnectedInputError, Expr, GradientError, Graph,
    MissingInputError,
    NullTypeGradError, Op, Pipeline, RewriteLoopError, ShapeError, Shared, Stage, Step, TensorType,
    TupleType, constant, evaluate, group, same,
)  # fmt: skip
from .expr import no_name as _no_name
from . import library as _library
from .library import *  # noqa: F403 - what its files say in __all__
from .ops import (
    abs, add, all, any, arange, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, astype,
    broadcast_to, clip, cos, cosh, cost, disconnected_grad, divide, dot, equal, exp, expand_dims,
    expm1, eye, full, full_like, grad_clip, grad_scale, greater, greater_equal, less, less_equal,
    log, log1p, log_softmax, logical_and, logical_not, logical_or, logsumexp, matmul, matrix,
    matrix_transpose, max, maximum, mean, min, minimum, moveaxis, multiply, negative, not_equal,
    ones, ones_like, op, outer, power, ravel, reciprocal, reshape, scalar, shared, sign, sin, sinh,
    size, softmax, sqrt, square, squeeze, subtract, sum, tan, tanh, tanh_slope, tensor, tensor3,
    transpose, undefined_grad, vector, where, zero_grad, zeros, zeros_like,
)  # fmt: skip
from .nested import (
    OpFromGraph, checkpoint, cond, custom_gradient, fixed_point, odeint, release, root, scan,
    unroll, until,
)  # fmt: skip

# ---- what is loaded when it is first used

if TYPE_CHECKING:
    from . import check, functions, optimisers, rewrite, run, show, structure  # noqa: F401
    from .check import verify_grad
    from .functions import flatten, pure
    from .rewrite import RULES, Rule, override_gradient, simplify, wild
    from .run import function, generate, pipeline, plan, portable
    from .structure import (
        gauss_newton_product, hessian_diagonal, jet, newton, sparsity,
    )  # fmt: skip
    from .show import compare, draw, explain, film, latex, overview, trace, why
    from .show.biography import biography
    from .show.scene import explore
else:

    def __getattr__(name):
        if name in _ROOMS:
            return _import_module(f"{__name__}.{name}")
        if name not in _LATER.places:
            raise _no_name(__name__, name)
        return globals().setdefault(name, _LATER[name])


_ROOMS = ("check", "functions", "optimisers", "rewrite", "run", "show", "structure")
_LATER = _Later()
_LATER.place("autodiff_edu.check", "verify_grad")
_LATER.place("autodiff_edu.functions", "flatten", "pure")
_LATER.place("autodiff_edu.rewrite", "RULES", "Rule", "override_gradient", "simplify", "wild")
_LATER.place("autodiff_edu.structure", "gauss_newton_product", "hessian_diagonal", "jet")
_LATER.place("autodiff_edu.structure", "newton", "sparsity")
_LATER.place("autodiff_edu.run", "function", "generate", "pipeline", "plan", "portable")
_LATER.place(
    "autodiff_edu.show", "compare", "draw", "explain", "film", "latex", "overview", "trace", "why"
)
_LATER.place("autodiff_edu.show.biography", "biography")
_LATER.place("autodiff_edu.show.scene", "explore")

_HOOKS.place("autodiff_edu", "__all__")
_HOOKS.place("autodiff_edu.check.op.check_op", "check_op")
_HOOKS.place("autodiff_edu.check.op.rule_errors", "no_infer_type", "no_perform", "no_pullback")
_HOOKS.place("autodiff_edu.check.op.rule_errors", "wrong_change", "wrong_count", "wrong_type")
_HOOKS.place("autodiff_edu.check.rule.check_rule", "broken_at", "check_rule")
_HOOKS.place(
    "autodiff_edu.expr.errors.python_questions", "ceil", "contains", "floor", "format", "index",
    "len", "no_call", "no_change", "no_sort", "no_stage_call", "stage_attribute", "trunc",
)  # fmt: skip
_HOOKS.place("autodiff_edu.expr.errors.refusal", "no_array", "no_expression", "no_number", "truth")
_HOOKS.place(
    "autodiff_edu.differentiate.slope_names", "differential_names", "marked", "result_names"
)
_HOOKS.place("autodiff_edu.functions.vectorize", "of_examples")
_HOOKS.place("autodiff_edu.functions.derivatives", "derivative_of")
_HOOKS.place("autodiff_edu.functions.traced", "formula_at")
_HOOKS.place("autodiff_edu.rewrite.algebra.law", "obeys")
_HOOKS.place("autodiff_edu.rewrite.engine.coerce", "restored")
_HOOKS.place("autodiff_edu.rewrite.engine.validate", "as_bool", "check_new", "of_rule")
_HOOKS.place("autodiff_edu.rewrite.engine.validate", "parameters", "several", "visible")
_HOOKS.place("autodiff_edu.rewrite.facts.prover", "can_follow", "is_provable", "parse_fact")
_HOOKS.place("autodiff_edu.rewrite.facts.refuter", "refuted")
_HOOKS.place("autodiff_edu.rewrite.why_not.question", "why_not")
_HOOKS.place("autodiff_edu.run.function", "function")
_HOOKS.place("autodiff_edu.run.guarded", "guarded")
_HOOKS.place("autodiff_edu.structure.choice", "by_colors")
_HOOKS.place("autodiff_edu.structure.compressed", "sparse_hessian", "sparse_jacobian")
_HOOKS.place("autodiff_edu.show.tex.formula", "latex")
_HOOKS.place("autodiff_edu.show.scene.explorer", "explore", "save")
_HOOKS.place("autodiff_edu.show.scene.nodes", "node")
_HOOKS.place("autodiff_edu.show.views.draw", "draw")
_HOOKS.place("autodiff_edu.show.views.explanation", "explain")
_HOOKS.place("autodiff_edu.show.views.film", "film")
_HOOKS.place("autodiff_edu.show.tex.formula", "mimebundle")
_HOOKS.place("autodiff_edu.show.views.path_film", "film_path")
_HOOKS.place("autodiff_edu.show.views.path_tree", "draw_paths")
_HOOKS.place("autodiff_edu.show.views.tables", "table")
_HOOKS.place("autodiff_edu.show.views.trace", "trace")
_HOOKS.place("autodiff_edu.show.why_not", "draw_why_not")


def __dir__() -> list[str]:
    """The public names, for completion by tab; rooms are not among them."""
    return [*__all__, *(name for name in globals() if name.startswith("__"))]


__version__ = "0.3.0"

__all__ = [
    "ConvergenceError", "DTypeError", "DisconnectedInputError", "Expr", "GradientError", "Graph",
    "MissingInputError", "NullTypeGradError", "Op", "OpFromGraph", "Pipeline", "RULES",
    "RandomStream", "RewriteLoopError", "Rule", "ShapeError", "Shared", "Stage", "Step",
    "TensorType", "TupleType", "abs", "add", "all", "any", "arange", "arccos", "arccosh", "arcsin",
    "arcsinh", "arctan", "arctan2", "arctanh", "astype", "biography", "broadcast_to", "checkpoint",
    "clip", "compare", "cond", "constant", "cos", "cosh", "cost", "custom_gradient",
    "disconnected_grad", "divide", "dot", "draw", "equal", "evaluate", "exp", "expand_dims",
    "explain", "explore", "expm1", "eye", "film", "fixed_point", "flatten", "forward_mode", "full",
    "full_like", "function", "gauss_newton_product", "generate", "grad", "grad_clip", "grad_scale",
    "greater", "greater_equal", "group", "hessian", "hessian_diagonal", "hessian_vector_product",
    "jacobian", "jet", "latex", "less", "less_equal", "log", "log1p", "log_softmax", "logical_and",
    "logical_not", "logical_or", "logsumexp", "matmul", "matrix", "matrix_transpose", "max",
    "maximum", "mean", "min", "minimum", "moveaxis", "multiply", "negative", "newton", "not_equal",
    "odeint", "ones", "ones_like", "op", "optimisers", "outer", "override_gradient", "overview",
    "pipeline", "plan", "portable", "power", "pullback", "pure", "pushforward", "ravel",
    "reciprocal", "release", "reshape", "reverse_mode", "root", "same", "scalar", "scan",
    "score_function", "shared", "sign", "simplify", "sin", "sinh", "size", "softmax", "sparsity",
    "sqrt", "square", "squeeze", "subgraph_grad", "subtract", "sum", "symbolic_derivative", "tan",
    "tanh", "tanh_slope", "tensor", "tensor3", "trace", "transpose", "undefined_grad", "unroll",
    "until", "value_and_grad", "vector", "vectorize", "verify_grad", "where", "why", "wild",
    "zero_grad", "zeros", "zeros_like",
]  # fmt: skip
if not TYPE_CHECKING:
    __all__ += _library.__all__
