"""Operations whose body is a graph: boxes with gradients of their own, loops, and branches.

Takes: graphs, and Python functions that make them. Gives: one node for each, whose derivatives are
operations of the same kind: those of a box are boxes, those of a loop are loops.
"""

from .branch import derivatives, each_example  # registered for Branch
from .branch.branch_op import Branch
from .branch.cond import cond
from .implicit.ode_op import OdeSolution
from .implicit.odeint import odeint
from .implicit.root import fixed_point, root
from .implicit.solution_op import FixedPoint, Root, Solution
from .loops import batching, bptt, jvp  # registered for Scan
from .loops.recurrence import Recurrence, State, recurrence
from .loops.scan import scan
from .loops.scan_op import Scan, each
from .loops.step_function import until
from .loops.unroll import unroll
from .subgraph.base import Nested
from .subgraph.custom_gradient import checkpoint, custom_gradient
from .subgraph.op_from_graph import OpFromGraph
from .subgraph.overrides import OfOperands
from .subgraph.release import release

__all__ = [
    "Branch", "FixedPoint", "Nested", "OdeSolution", "OfOperands", "OpFromGraph", "Recurrence",
    "Root", "Scan", "Solution", "State", "batching", "bptt", "checkpoint", "cond",
    "custom_gradient", "derivatives", "each", "each_example", "fixed_point", "jvp", "odeint",
    "recurrence", "release", "root", "scan", "unroll", "until",
]  # fmt: skip
