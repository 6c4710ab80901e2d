"""Derivatives built from the two modes: pushforward, Jacobian, Hessian, and products with them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..expr import (
    HOOKS,
    DisconnectedInputError,
    Expr,
    Graph,
    Input,
    Origin,
    as_graph,
    at,
    check_expressions,
    made_by,
    substitute,
)
from ..ops import GATES, batched, eye, moveaxis, repeated, reshape, zero
from .check import as_wrt, check_scalar, of_functions
from .forward import seeds, sweep
from .grad import grad, like, pullback, vanished


def pushforward(
    f: Expr | Sequence[Expr],
    wrt: Expr | Sequence[Expr],
    tangents: Any,
    disconnected_outputs: str = "raise",
    return_disconnected: str = "zero",
    use_op_pushforward: bool = True,
) -> Any:
    """∂f/∂wrt · tangents (Jacobian times vector), of the shape of f, without the Jacobian.

    use_op_pushforward: one sweep of forward mode or, if False, two pullbacks: the pullback of f is
    linear in its cotangent, and the pullback of that is the pushforward. Raises
    DisconnectedInputError where an output does not depend on wrt (disconnected_outputs "ignore"
    gives return_disconnected, "zero" or "none").
    """
    graph, inputs = as_graph(f), as_wrt(wrt)
    given = seeds(inputs, tangents)
    build = in_one_sweep if use_op_pushforward else by_two_pullbacks
    found: list[Any] = build(graph, inputs, given)
    for k, (y, t) in enumerate(zip(graph.outputs, found, strict=True)):
        if disconnected_outputs == "raise" and is_apart(y, inputs, t):
            raise DisconnectedInputError(
                f"the output {y}{at(y)} does not depend on {', '.join(map(str, inputs))}: leave it "
                'out, or pass disconnected_outputs="ignore"'
            )
        if t is None and return_disconnected == "zero":
            found[k] = zero(y)
    return like(f if isinstance(f, (Expr, list, tuple)) else list(graph.outputs), found)


def is_apart(y: Expr, inputs: Sequence[Expr], tangent: Expr | None) -> bool:
    """Has y no tangent, and was it not built from derivatives of what has one either?"""
    return tangent is None and not any(vanished(Graph(y), x) for x in inputs)


def in_one_sweep(graph: Graph, wrt: Sequence[Expr], tangents: Sequence[Expr]) -> list[Any]:
    tangent, _ = sweep(graph, wrt, tangents)
    return [tangent.get(y) for y in graph.outputs]


def by_two_pullbacks(graph: Graph, wrt: Sequence[Expr], tangents: Sequence[Expr]) -> list[Any]:
    """u ↦ uᵀJ is linear, so its pullback of t is J·t; u itself is gone, but for its shape."""
    cotangents = [Input("u", zero(y).type) for y in graph.outputs]
    rows = pullback(list(graph.outputs), list(wrt), cotangents, disconnected_inputs="ignore")
    found = pullback(rows, cotangents, list(tangents), None, "ignore", "none")
    there = [t for t in found if t is not None]
    anything: dict[Expr, Expr] = dict(zip(cotangents, map(zero, graph.outputs), strict=True))
    done = iter(substitute(there, anything))
    return [None if t is None else next(done) for t in found]


# ---- Jacobians, all rows or all columns at once


@of_functions
def jacobian(
    expression: Expr,
    wrt: Expr | Sequence[Expr],
    consider_constant: Iterable[Expr] | None = None,
    disconnected_inputs: str = "raise",
    mode: str | None = None,
) -> Any:
    """∂expression/∂wrt, of the shape expression.shape + wrt.shape; one for one, a list for a list.
    Of a Python function, `jacobian(f, argnums=0)`, the function that computes it.

    mode: "reverse", a batch of pullbacks, one for each entry of the expression, or "forward", a
    batch of pushforwards, one for each entry of wrt; by default whichever are fewer.
    """
    if mode not in (None, "forward", "reverse"):
        raise ValueError(f"mode is forward or reverse, not {mode!r}")
    check_expressions([expression])
    found = []
    for x in as_wrt(wrt):
        u = symbol(expression, "u")
        row = pullback(expression, x, u, consider_constant, disconnected_inputs)
        origin = Origin("derivative", "Jacobian", expression)
        if (mode or cheaper(expression, x, consider_constant)) == "reverse":
            found.append(made_by(origin, all_rows, row, u, expression, x))
        else:
            found.append(made_by(origin, all_columns, expression, x))
    return like(wrt, found)


def symbol(y: Expr, name: str) -> Input:
    """A symbol for a change of y."""
    return Input(name, zero(y).type)


def cheaper(y: Expr, x: Expr, stopped: Any) -> str:
    known = x.type.known and y.type.known and not stopped and not gated(Graph(y))
    return "forward" if known and x.size < y.size else "reverse"


def gated(graph: Graph) -> bool:
    """Does the graph change cotangents, which forward mode does not have?"""
    return any(n.op.gate or GATES.get(n.op.name) is n.op for n in graph.operations)


def all_rows(row: Expr, u: Expr, y: Expr, x: Expr) -> Expr:
    """The pullbacks of every unit cotangent."""
    return reshape(each(row, u, y), (*y.shape, *x.shape))


def all_columns(y: Expr, x: Expr) -> Expr:
    """The pushforwards of every unit tangent."""
    t = symbol(x, "t")
    column = pushforward(y, x, t, disconnected_outputs="ignore")
    return reshape(moveaxis(each(column, t, x), 0, -1), (*y.shape, *x.shape))


def each(result: Expr, change: Expr, of: Expr) -> Expr:
    """The result for every change of a single entry, in a batch."""
    n = of.size
    basis = reshape(eye(n, dtype=change.dtype), (n, *of.shape))
    made = batched([result], {change: basis})
    return made[result] if result in made else repeated(result, n)


# ---- second derivatives


def hessian_blocks(cost: Expr, wrt: Sequence[Expr]) -> list[list[Expr]]:
    """∂²cost/∂x∂y for all x and y of wrt, forward over reverse mode."""
    check_scalar(cost)
    rows = grad(cost, list(wrt), disconnected_inputs="ignore")
    mode = "reverse" if gated(Graph(cost)) else "forward"
    return [jacobian(row, list(wrt), None, "ignore", mode) for row in rows]


def hessian(cost: Any, wrt: Any = None, argnums: Any = 0) -> Any:
    """∂²cost/∂wrt², of the shape wrt.shape + wrt.shape; one for one, and for a list the Hessian
    with respect to each. Of a Python function, `hessian(f, argnums=0)`, the function that computes
    it, for containers of arrays with all mixed derivatives."""
    if callable(cost):
        return HOOKS["derivative_of"](cost, hessian_blocks, argnums if wrt is None else wrt)
    return like(wrt, [hessian_blocks(cost, [x])[0][0] for x in as_wrt(wrt)])


def hessian_vector_product(
    cost: Expr, wrt: Expr | Sequence[Expr], p: Any, **grad_options: Any
) -> Any:
    """Hessian times p, of the shape of wrt: the gradient of Σ p·∂cost/∂wrt, no Hessian."""
    slopes = grad(cost, list(as_wrt(wrt)), **{"disconnected_inputs": "ignore"} | grad_options)
    return like(wrt, pullback(slopes, list(as_wrt(wrt)), p, disconnected_inputs="ignore"))


@of_functions
def value_and_grad(cost: Expr, wrt: Expr | Sequence[Expr], **options: Any) -> tuple[Expr, Any]:
    """(cost, ∂cost/∂wrt). Of a Python function, `value_and_grad(f, argnums=0)`, the function that
    computes both at once."""
    return cost, grad(cost, wrt, **options)


def subgraph_grad(
    wrt: Sequence[Expr],
    end: Sequence[Expr],
    start: Mapping[Expr, Any] | None = None,
    cost: Expr | None = None,
    details: bool = False,
) -> tuple[list[Expr], ...]:
    """Reverse mode through one part of a graph: the gradients of wrt, and those of `end`, below
    which it does not go. It begins with the gradients `start`, by node, and with the cost.

    details: also the parts that come from `start` and from the cost alone.
    """
    wrt, end = check_expressions(wrt), check_expressions(end)
    both = [*wrt, *end]
    how: dict[str, Any] = {"consider_constant": end, "disconnected_inputs": "ignore"}
    parts = []
    if start:
        parts.append(grad(None, both, known_grads=start, **how))
    if cost is not None:
        parts.append(grad(cost, both, **how))
    if not parts:
        raise ValueError("subgraph_grad needs a start, a cost, or both")
    total = parts[0] if len(parts) == 1 else [a + b for a, b in zip(*parts, strict=True)]
    found = total[: len(wrt)], total[len(wrt) :]
    return (*found, *parts) if details else found
