"""What an expression is: types, nodes, operations as records, graphs, and the walks over them.

Takes: leaves and values, joined by operations. Gives: nodes that never change, a `Graph` that lists
them in order, the interpreter that computes it, and the Step, Stage and Pipeline that every pass
leaves behind. Names, errors with their line, states and pickles are here, too. What upper floors
hand down goes through `hooks`.
"""

# ruff: noqa: I001 - the sorter would put one name on a line
from . import serialization
from .error_context import called, explained, located, misfit, refuse_options
from .errors import (
    DisconnectedInputError, DTypeError, GradientError, MatrixError, MissingInputError,
    NullTypeGradError, RewriteLoopError, ShapeError,
)  # fmt: skip
from .evaluate import accept, evaluate, evaluate_all, value_of
from .expr import Constant, Expr, Input
from .graph import (
    Graph, as_graph, check_distinct, check_expressions, check_listed, dependents, numbered,
    postorder, same, signature, uncollected, users,
)  # fmt: skip
from .shape_check import check_shapes, infer
from .op import Op
from .operands import constant, operands
from .origin import Origin, Place, at, first_place, made_by, making
from .op_class import operands_of
from .replacement import replacing
from .multi_output import computed_by, item, results
from .shared import Shared, one_step, snapshot, watched
from .stage import Built, Growing, Pipeline, Rewriting, Stage, Step
from .placeholders import Disconnected, Literal, Null, Wild
from .loop_context import steps_now
from .substitute import put_in, rebuild, resolve, substitute
from .text import in_sight, name_of, number, subscript, text
from .types import (
    UNTYPED, DisconnectedType, NullType, Shape, TensorType, TupleType, broadcast_shapes, length,
    normalize_shape, spell,
)  # fmt: skip
from .hooks import HOOKS, OPERATIONS, hook, hooked, register
from .lazy import Later, LazyModule
from .sanitize import shorten, visible
from .lazy_attribute import Written

__all__ = [
    "Built", "Constant", "DTypeError", "Disconnected", "DisconnectedInputError", "DisconnectedType",
    "Expr", "GradientError", "Graph", "Growing", "HOOKS", "Input", "Later", "LazyModule", "Literal",
    "MatrixError", "MissingInputError", "Null", "NullType", "NullTypeGradError", "OPERATIONS", "Op",
    "Origin", "Pipeline", "Place", "RewriteLoopError", "Rewriting", "Shape", "ShapeError", "Shared",
    "Stage", "Step", "TensorType", "TupleType", "UNTYPED", "Wild", "Written", "accept", "as_graph",
    "at", "broadcast_shapes", "called", "check_distinct", "check_expressions", "check_listed",
    "check_shapes", "computed_by", "constant", "dependents", "evaluate", "evaluate_all",
    "explained", "first_place", "hook", "hooked", "in_sight", "infer", "item", "length", "located",
    "made_by", "making", "misfit", "name_of", "normalize_shape", "number", "numbered", "one_step",
    "operands", "operands_of", "postorder", "put_in", "rebuild", "refuse_options", "register",
    "replacing", "resolve", "results", "same", "serialization", "shorten", "signature", "snapshot",
    "spell", "steps_now", "subscript", "substitute", "text", "uncollected", "users", "value_of",
    "visible", "watched",
]  # fmt: skip
