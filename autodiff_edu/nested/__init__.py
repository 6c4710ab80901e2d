"""Operations whose body is a graph: boxes with gradients of their own, and loops.

Takes: graphs, and Python functions that make them. Gives: one node for each, whose derivatives are
operations of the same kind: those of a box are boxes, those of a loop are loops.
"""

from .loops import batching, bptt, jvp  # registered for Scan
from .loops.recurrence import Recurrence, State, recurrence
from .loops.scan import scan
from .loops.scan_op import Scan, each
from .loops.step_function import until
from .loops.unroll import unroll
from .subgraph.base import Nested
from .subgraph.custom_gradient import checkpoint, custom_gradient
from .subgraph.op_from_graph import OpFromGraph
from .subgraph.release import release

__all__ = [
    "Nested", "OpFromGraph", "Recurrence", "Scan", "State", "batching", "bptt", "checkpoint",
    "custom_gradient", "each", "jvp", "recurrence", "release", "scan", "unroll", "until",
]  # fmt: skip
