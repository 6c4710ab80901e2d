"""`grad`: the gradient of a cost, by reverse mode, and what to say where there is none."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..expr import (
    DisconnectedInputError,
    Expr,
    Graph,
    Origin,
    at,
    check_expressions,
    made_by,
    postorder,
)
from ..ops import zero
from .check import as_wrt, changes_like, check_scalar, seed
from .reverse import Backward, backward

CHOICES = {
    "disconnected_inputs": ("raise", "warn", "ignore"),
    "return_disconnected": ("zero", "none"),
}


def grad(
    cost: Expr | None,
    wrt: Expr | Sequence[Expr],
    consider_constant: Iterable[Expr] | None = None,
    disconnected_inputs: str = "raise",
    add_names: bool = True,
    known_grads: Mapping[Expr, Any] | None = None,
    return_disconnected: str = "zero",
) -> Any:
    """∂cost/∂wrt, of the shape of wrt: one expression for one, a list for a list, a tuple for
    a tuple.

    consider_constant: nodes below which no derivative goes.
    known_grads: adjoints to use at these nodes in place of what would arrive there.
    disconnected_inputs: "raise", "warn" or "ignore" where no derivative reaches an input;
    return_disconnected says what then stands for it, "zero" or "none".

    A derivative that is identically zero is zero: the third derivative of x*x is 0, no error.
    Raises TypeError for a cost that is not 0-d, DisconnectedInputError.
    """
    check_choice("disconnected_inputs", disconnected_inputs)
    check_choice("return_disconnected", return_disconnected)
    inputs = as_wrt(wrt)
    sweep = run(cost, inputs, known_grads or {}, consider_constant)
    results = []
    for x in inputs:
        if x not in sweep.adjoint and not vanished(sweep.graph, x):
            complain(sweep, cost, x, disconnected_inputs)
        results.append(sweep.adjoint.get(x))
        if results[-1] is None and return_disconnected == "zero":
            results[-1] = made_by(Origin("derivative", "identically zero", x), zero, x)
        if add_names:
            put_name(results[-1], cost, x)
    return results[0] if isinstance(wrt, Expr) else type(wrt)(results)  # type: ignore[call-arg]


def run(cost: Any, wrt: Sequence[Expr], known: Mapping[Expr, Any], stop_at: Any) -> Backward:
    if cost is None and not known:
        raise ValueError("grad needs a cost, or known_grads to start from")
    if cost is not None:
        check_scalar(cost)
    given = changes_like(tuple(known.values()), tuple(known), "known gradient")
    start = {} if cost is None else {cost: seed(cost)}
    graph = Graph((*start, *known))
    stop = check_expressions(list(stop_at)) if stop_at is not None else ()
    return backward(graph, wrt, start, dict(zip(known, given, strict=True)), stop)


def check_choice(name: str, given: str) -> None:
    if given not in CHOICES[name]:
        raise ValueError(f"{name} is one of {', '.join(CHOICES[name])}, not {given!r}")


def put_name(result: Expr | None, cost: Expr | None, x: Expr) -> None:
    """Call the result (dcost/dx), unless it is a node that the user made or named."""
    if result is not None and result.name is None and isinstance(result.origin, Origin):
        if cost is not None and cost.name and x.name:
            result.name = f"(d{cost.name}/d{x.name})"


def vanished(graph: Graph, x: Expr) -> bool:
    """Does the graph descend from derivatives of something that depends on x?"""
    primals = {o.node for n in graph.nodes for o in origins(n) if o.kind == "derivative"}
    return any(n is x for n in postorder(primals))


def origins(n: Expr) -> Iterator[Origin]:
    """The rules from which a node descends, the latest first."""
    origin = n.origin
    while isinstance(origin, Origin):
        yield origin
        origin = origin.node.origin


def complain(sweep: Backward, cost: Expr | None, x: Expr, how: str) -> None:
    if how == "ignore":
        return
    what = f"no derivative of {cost} with respect to {x}{at(x)}: "
    reasons = [f"every path ends at {n.op.name}{at(n)}, and {n.op.severed}" for n in sweep.cut]
    message = what + (reasons[0] if reasons else f"the cost does not depend on {x}")
    message += '. For a zero instead, pass disconnected_inputs="ignore".'
    if how == "raise":
        raise DisconnectedInputError(message)
    warnings.warn(message, stacklevel=3)
