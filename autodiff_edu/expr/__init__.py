"""What an expression is for those who give values: evaluation, states, pickles, text and places.

Takes: the core, whose names it hands on. Gives: the interpreter that computes a graph, states that
live on between calls (`shared`), expressions as text and as pickles, the lines of the user's that
make them (`places`), and what errors say (`errors`).
"""

# ruff: noqa: I001 - the sorter would put one name on a line
from . import former, serialization
from .arrays import Bits, is_masked, key_of, refuse_mask, same_bits, unchanging
from .collector import uncollected
from .as_given import as_dtype, changes_like, is_function, length, normalize_shape
from ..core.errors import (
    ConvergenceError, DisconnectedInputError, DTypeError, GradientError, MatrixError,
    MissingInputError, NullTypeGradError, RewriteLoopError, ShapeError,
)  # fmt: skip
from ..core.graph import (
    Graph, as_graph, check_expressions, dependents, expression_of, postorder, put_in,
    quiet_collector, rebuild, resolve, substitute,
)  # fmt: skip
from ..core.node import Constant, Expr, Input, Origin, made_by, making
from ..core.node import Disconnected, Literal, Null, Wild
from ..core.op import Op, computed_by, item, operands_of, results
from ..core.op import constant, operands
from .text import shorten, shown, visible
from ..core.seams import (
    HOOKS, OPERATIONS, Later, cached_property, watch,
)  # fmt: skip
from ..core.stage import Built, Growing, Rewriting, Stage, Step
from ..core.types import (
    UNTYPED, DisconnectedType, NullType, Shape, TensorType, TupleType, broadcast_shapes, spell,
)  # fmt: skip
from .errors import remedies, tracebacks
from .errors.calls import parameters_of
from .errors.context import called, explained, misfit, refuse_options, word_of
from .errors.given import check_distinct, check_has_value, check_listed, instead_of, namesake
from .errors.running import argument_call, argument_text, exchanged
from .errors.suggestion import no_name, nearest
from .evaluate import accept, evaluate, evaluate_all, value_of
from .lazy import LazyModule, later
from .methods import Method, Written, give, hook, hooked, mimebundle, register, tabled
from .pipeline import Pipeline
from .origins import at, first_place, is_derived, origins
from .places import Place, located, renew_places, user_place
from .replacement import Log, replacing, users
from .sameness import numbered, same, signature
from .shape_check import check_shapes, deciding, infer
from .shared import Shared, one_step, snapshot, watched
from .text import in_sight, name_of, number, subscript, subscripts, text
from .tracing import Remembered, decisions_now, group, steps_now

__all__ = [
    "Bits", "Built", "Constant", "ConvergenceError", "DTypeError", "Disconnected",
    "DisconnectedInputError", "DisconnectedType", "Expr", "GradientError", "Graph", "Growing",
    "HOOKS", "Input", "Later", "LazyModule", "Literal", "Log", "MatrixError", "Method",
    "MissingInputError", "Null", "NullType", "NullTypeGradError", "OPERATIONS", "Op", "Origin",
    "Pipeline", "Place", "Remembered", "RewriteLoopError", "Rewriting", "Shape", "ShapeError",
    "Shared", "Stage", "Step", "TensorType", "TupleType", "UNTYPED", "Wild", "Written",
    "accept", "argument_call", "argument_text", "as_dtype", "as_graph", "at",
    "broadcast_shapes", "cached_property", "called", "changes_like", "check_distinct",
    "check_expressions", "check_has_value", "check_listed", "check_shapes", "computed_by",
    "constant", "deciding", "decisions_now", "dependents", "evaluate", "evaluate_all",
    "exchanged", "explained", "expression_of", "first_place", "former", "give", "group", "hook",
    "hooked", "in_sight", "infer", "instead_of", "is_derived", "is_function", "is_masked",
    "item", "key_of", "later", "length", "located", "made_by", "making", "mimebundle", "misfit",
    "name_of", "namesake", "nearest", "no_name", "normalize_shape", "number", "numbered",
    "one_step", "operands", "operands_of", "origins", "parameters_of", "postorder", "put_in",
    "quiet_collector", "rebuild", "refuse_mask", "refuse_options", "register", "remedies",
    "renew_places", "replacing", "resolve", "results", "same", "same_bits", "serialization",
    "shorten", "shown", "signature", "snapshot", "spell", "steps_now", "subscript",
    "subscripts", "substitute", "tabled", "text", "tracebacks", "unchanging", "uncollected",
    "user_place", "users", "value_of", "visible", "watch", "watched", "word_of",
]  # fmt: skip
