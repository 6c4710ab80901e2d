"""Three derivatives of one graph: symbolic, forward mode and reverse mode.

Takes: a graph and what to differentiate by. Gives: a stage, whose steps build the derivative beside
the graph; `grad`, `jacobian` and the others give it as one expression. Each mode is a pass of its
own, and all that they share is what the operations state about themselves. `vectorize` gives a
graph one more axis, as Jacobians need.
"""

from ..core.forward import forward_mode, sweep
from ..core.reverse import backward, reverse_mode
from ..core.symbolic import D, symbolic_derivative
from ..expr.former import hand_on
from .arguments import Traced, needs_wrt
from .grad import grad, pullback
from .higher import jacobian, pushforward, subgraph_grad, value_and_grad
from .second import hessian, hessian_vector_product
from .vanished import differentiated_before
from .vectorize import vectorize

hand_on({"differentiate.left_out": "differentiate.arguments"})
forward_mode, reverse_mode = needs_wrt(forward_mode), needs_wrt(reverse_mode)
symbolic_derivative = needs_wrt(symbolic_derivative)

__all__ = [
    "D", "Traced", "backward", "differentiated_before", "forward_mode", "grad", "hessian",
    "hessian_vector_product", "jacobian", "pullback", "pushforward", "reverse_mode",
    "subgraph_grad", "sweep", "symbolic_derivative", "value_and_grad", "vectorize",
]  # fmt: skip
