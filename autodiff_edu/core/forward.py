"""Forward mode: beside each value its tangent, from the inputs to the outputs.

ẏ = Σᵢ ẋᵢ · ∂y/∂xᵢ        (Baydin et al. 2018, section 3.1)
"""

from collections.abc import Iterable, Sequence
from typing import Any

from .derivative_rules import pushed, seed, zero
from .graph import Graph, as_graph, as_wrt, dependents, quiet_collector
from .node import Expr, Origin, made_by
from .op import computed_by, results
from .seams import HOOKS
from .stage import Built, Growing, Step
from .types import TupleType


def forward_mode(outputs: Any, wrt: Expr | Sequence[Expr], tangents: Any = None) -> Growing:
    """Forward mode: the tangents of the outputs for given tangents of wrt.

    Parameters
    ----------
    outputs : Expr, list of Expr or Graph
        What is differentiated.
    wrt : Expr or list of Expr
        With respect to what.
    tangents : Expr, array_like or list, optional
        One for each of wrt; by default ones.

    Returns
    -------
    Stage
        One Step for each node that has a tangent; `stage.outputs` are the outputs'
        tangents.

    See Also
    --------
    reverse_mode : From the outputs back.
    pushforward : The same without the steps.

    References
    ----------
    .. [1] A. Griewank and A. Walther, "Evaluating Derivatives", 2nd edition, 2008, chapter 3.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.forward_mode(ad.sin(x) * x, x)
    >>> stage
    Stage(forward mode: 3 steps)
    >>> stage.evaluate({x: 0.5})
    np.float64(0.9182168195493894)
    """
    graph, inputs = as_graph(outputs), as_wrt(wrt)
    begun = seeds(inputs, tangents)
    tangent, steps = sweep(graph, inputs, begun)
    after = [tangent[y] if y in tangent else zero_derivative(y, y) for y in graph.outputs]

    def names() -> Sequence[str]:
        return HOOKS["result_names"](graph, inputs, inputs, begun, graph.names, "\u0307")

    return Growing("forward mode", graph, Graph(after, names=names), steps, "\u0307", graph.outputs)


def seeds(wrt: Sequence[Expr], tangents: Any) -> Sequence[Expr]:
    """The tangents with which forward mode begins; by default ones."""
    if tangents is None:
        return [seed(x) for x in wrt]
    return [*HOOKS["changes"](tangents, wrt, "tangent")]


def zero_derivative(like: Expr, of: Expr) -> Expr:
    """A zero of the shape of `like`, which is a derivative of the node `of`."""
    return made_by(Origin("derivative", "identically zero", of), zero, like)


def sweep(
    graph: Graph, wrt: Sequence[Expr], tangents: Sequence[Expr]
) -> tuple[dict[Expr, Expr], list[Step]]:
    """The tangent of every node that has one and hands it on, and a step for each."""
    nodes = graph.nodes
    moving = dependents(nodes, wrt) & carrying(nodes, graph.outputs)
    tangent = dict(zip(wrt, tangents, strict=True))
    steps = [Step("seed", x, t, Built(x, t)) for x, t in tangent.items()]
    moved: dict[Expr, Sequence[Expr] | None] = {}  # by nodes that have several results
    with quiet_collector(graph):
        for n in nodes:
            if n in moving and n not in tangent and n.op and not isinstance(n.type, TupleType):
                rule = f"tangent of {computed_by(n)[0].op.name}"
                t = made_by(Origin("derivative", rule, n), push, n, tangent, moved)
                if t is not None:
                    tangent[n] = t
                    steps.append(Step(rule, n, t, Built(n, t)))
    return tangent, steps


def carrying(order: Sequence[Expr], ends: Iterable[Expr]) -> set[Expr]:
    """The nodes from which a derivative passes to one of these."""
    above = set(ends)
    for n in reversed(order):
        if n in above and n.op is not None:
            above.update(passing(n))
    return above


def passing(n: Expr) -> list[Expr]:
    """The operands through which derivatives pass."""
    return [n.inputs[k] for k in n.op.differentiable(len(n.inputs))]


def push(y: Expr, tangent: dict[Expr, Expr], moved: dict[Expr, Any]) -> Expr | None:
    """The tangent of y, or None where no derivative passes. An operation with several results is
    asked once for the tangents of all of them."""
    n, place = computed_by(y)
    tangents = moved.get(n) or push_all(n, tangent)
    if n is not y:
        moved[n] = tangents
    return tangents[place] if tangents else None


def push_all(n: Expr, tangent: dict[Expr, Expr]) -> Sequence[Expr] | None:
    places = n.op.differentiable(len(n.inputs))
    changes = [tangent.get(x) if k in places else None for k, x in enumerate(n.inputs)]
    if all(t is None for t in changes):
        return None
    return pushed(n.op, n.inputs, results(n), changes, dict(n.static))
