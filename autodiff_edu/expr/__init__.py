"""What an expression is: types, nodes, operations as records, graphs, and the walks over them.

Takes: leaves and values, joined by operations. Gives: nodes that never change, a `Graph` that lists
them in order, the interpreter that computes it, and the Step, Stage and Pipeline that every pass
leaves behind (`passes`). Names, errors with their line (`errors`), states and pickles are here,
too. What upper floors hand down goes through `hooks`.
"""

# ruff: noqa: I001 - the sorter would put one name on a line
from . import serialization
from .arrays import Bits, key_of, same_bits, unchanging
from .errors.context import called, explained, located, misfit, refuse_options
from .errors.classes import (
    ConvergenceError, DisconnectedInputError, DTypeError, GradientError, MatrixError,
    MissingInputError, NullTypeGradError, RewriteLoopError, ShapeError,
)  # fmt: skip
from .collector import uncollected
from .evaluate import accept, evaluate, evaluate_all, value_of
from .expr import Constant, Expr, Input
from .graph import (
    Graph, as_graph, check_distinct, check_expressions, check_listed, dependents, expression_of,
    instead_of,
    namesake, numbered, postorder, same, signature, users,
)  # fmt: skip
from .shape_check import check_shapes, deciding, infer
from .op import Op
from .operands import constant, operands
from .origin import (
    Origin, Place, at, differentiated_before, first_place, group, is_derived, made_by, making,
    origins, renew_places, user_place,
)  # fmt: skip
from .op_class import operands_of, parameters_of
from .passes.log import Log
from .passes.replacement import replacing
from .multi_output import computed_by, item, results
from .shared import Shared, one_step, snapshot, watched
from .passes.stage import Built, Growing, Pipeline, Rewriting, Stage, Step, is_function
from .placeholders import Disconnected, Literal, Null, Wild, check_has_value
from .passes.substitute import put_in, rebuild, resolve, substitute
from .text import in_sight, name_of, number, subscript, subscripts, text
from .tracing import decisions_now, own_now, steps_now
from .types import (
    UNTYPED, DisconnectedType, NullType, Shape, TensorType, TupleType, as_dtype, broadcast_shapes,
    is_masked, length, normalize_shape, refuse_mask, spell,
)  # fmt: skip
from .hooks import HOOKS, OPERATIONS, hook, hooked, register
from .lazy import Later, LazyModule, Written, cached_property, later
from .sanitize import shorten, shown, visible
from .errors.running import argument_call, argument_text, exchanged
from .errors.suggestion import no_name, nearest

__all__ = [
    "Bits", "Built", "Constant", "ConvergenceError", "DTypeError", "Disconnected",
    "DisconnectedInputError", "DisconnectedType", "Expr", "GradientError", "Graph", "Growing",
    "HOOKS", "Input", "Later", "LazyModule", "Literal", "Log", "MatrixError",
    "MissingInputError", "Null", "NullType", "NullTypeGradError", "OPERATIONS", "Op", "Origin",
    "Pipeline", "Place", "RewriteLoopError", "Rewriting", "Shape", "ShapeError", "Shared",
    "Stage", "Step", "TensorType", "TupleType", "UNTYPED", "Wild", "Written", "accept",
    "argument_call", "argument_text", "as_dtype", "as_graph", "at", "broadcast_shapes",
    "cached_property", "called", "check_distinct", "check_expressions", "check_has_value",
    "check_listed", "check_shapes", "computed_by", "constant", "deciding", "decisions_now",
    "dependents", "differentiated_before", "evaluate", "evaluate_all", "exchanged", "explained",
    "expression_of", "first_place", "group", "hook", "hooked", "in_sight", "infer",
    "instead_of", "is_derived", "is_function", "is_masked", "item", "key_of", "later", "length",
    "located", "made_by", "making", "misfit", "name_of", "namesake", "nearest", "no_name",
    "normalize_shape", "number", "numbered", "one_step", "operands", "operands_of", "origins",
    "own_now", "parameters_of", "postorder", "put_in", "rebuild", "refuse_mask",
    "refuse_options", "register", "renew_places", "replacing", "resolve", "results", "same",
    "same_bits", "serialization", "shorten", "shown", "signature", "snapshot", "spell",
    "steps_now", "subscript", "subscripts", "substitute", "text", "unchanging", "uncollected",
    "user_place", "users", "value_of", "visible", "watched",
]  # fmt: skip
