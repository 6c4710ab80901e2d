"""`theano.gradient`: gradients, products with Jacobians, and gates."""

from collections.abc import Sequence
from typing import Any

from .. import differentiate, ops
from ..expr import (
    Disconnected,
    DisconnectedInputError,
    Expr,
    NullTypeGradError,
    put_in,
)
from .arrays.leaves import expression
from .connections import are_connected, with_leaves
from .core import Variable, lift, unwrap, wrap
from .core.types import DisconnectedType, NullType
from .core.variable import TABLES


def variables(given: Any, what: str) -> list[Any]:
    """One or several variables. Raises TypeError for anything else."""
    several = list(given) if isinstance(given, (list, tuple, set)) else [given]
    for v in several:
        if not isinstance(v, (Variable, Expr)):
            raise TypeError(f"{what} is a variable or a list of them, not {v!r}")
    return several


def as_large(g: Any, x: Expr) -> Any:
    """A known gradient, spread over the variable if it has fewer axes."""
    return g * ops.ones_like(x) if isinstance(g, Expr) and g.ndim < x.ndim else g


def as_cost(cost: Any) -> Any:
    """The cost as a variable. Raises ValueError, TypeError for what is no number."""
    cost = TABLES["as_tensor_variable"](cost)
    if isinstance(cost.type, NullType):
        raise ValueError(
            f"Can't differentiate a NaN cost. cost is NaN because {cost.type.why_null}"
        )
    if cost.ndim:
        raise TypeError("cost must be a scalar.")
    return cost


def grad(
    cost: Any,
    wrt: Any,
    consider_constant: Any = None,
    disconnected_inputs: str = "raise",
    add_names: bool = True,
    known_grads: Any = None,
    return_disconnected: str = "zero",
    null_gradients: str = "raise",
) -> Any:
    """The gradient of a cost, one for each variable; a list for a list, a tuple for a tuple."""
    several = variables(wrt, "wrt")
    cost = None if cost is None else as_cost(cost)
    known = {unwrap(k): as_large(unwrap(v), unwrap(k)) for k, v in dict(known_grads or {}).items()}
    stops = unwrap(list(consider_constant)) if consider_constant is not None else None
    root, wanted, held = with_leaves(unwrap(cost), [unwrap(x) for x in several])
    costs = [c for c in (root, *known) if not isinstance(known.get(c), Disconnected)]
    if disconnected_inputs == "raise" and are_connected(wanted, costs, stops):
        disconnected_inputs = "ignore"
    found = differentiate.grad(
        root,
        wanted,
        stops,
        disconnected_inputs,
        False,
        known or None,
        return_disconnected.lower(),
        null_gradients,
    )
    found = [None if g is None else put_in([g], held)[0] for g in found] if held else found
    plain = not any(isinstance(x, Variable) for x in [cost, *several])
    sources = [x for x in (cost, *several) if isinstance(x, Variable)]
    rows = found if plain else [fresh(g, sources) for g in found]
    if add_names and not plain and cost is not None:
        add_all_names(cost, several, rows)
    return like(wrt, rows)


def add_all_names(cost: Variable, several: Sequence[Any], found: Sequence[Any]) -> None:
    for x, g in zip(several, found, strict=True):
        if g is not None and cost.name and x.name and g.owner is not None:
            g.name = f"(d{cost.name}/d{x.name})"


def fresh(g: Any, sources: Sequence[Variable]) -> Any:
    """A gradient as a variable that knows of what it was made; a new one where it is a leaf."""
    if g is None:
        return None
    found = wrap(g, sources)
    found.sources = (*found.sources, *[s for s in sources if s is not found])
    return found


def like(wrt: Any, found: Sequence[Any]) -> Any:
    if isinstance(wrt, (list, tuple)):
        return type(wrt)(found)
    return found[0]


def Lop(
    f: Any,
    wrt: Any,
    eval_points: Any,
    consider_constant: Any = None,
    disconnected_inputs: str = "raise",
) -> Any:
    """A vector times the Jacobian: Σ eval_points · ∂f/∂wrt."""
    fs, points = variables(f, "f"), [TABLES["as_tensor_variable"](p) for p in as_list(eval_points)]
    if len(fs) != len(points):
        raise ValueError(f"{len(fs)} variables f, and {len(points)} eval_points")
    return grad(None, wrt, consider_constant, disconnected_inputs,
                known_grads=dict(zip(fs, points, strict=True)))  # fmt: skip


def as_list(x: Any) -> list[Any]:
    return list(x) if isinstance(x, (list, tuple)) else [x]


def Rop(f: Any, wrt: Any, eval_points: Any) -> Any:
    """The Jacobian times a vector: Σ ∂f/∂wrt · eval_points."""
    ws, points = (
        variables(wrt, "wrt"),
        [TABLES["as_tensor_variable"](p) for p in as_list(eval_points)],
    )
    if len(ws) != len(points):
        raise ValueError(f"{len(ws)} variables wrt, and {len(points)} eval_points")
    for w, p in zip(ws, points, strict=True):
        if unwrap(w).ndim != unwrap(p).ndim:
            raise ValueError(f"Element of wrt and eval_points have different dimensions: {w}, {p}")
    fs = [unwrap(y) for y in variables(f, "f")]
    found = [differentiate.pushforward(y, [unwrap(w) for w in ws], [
        unwrap(p).astype(unwrap(w).dtype) for p, w in zip(points, ws, strict=True)],
        disconnected_outputs="ignore") for y in fs]  # fmt: skip
    rows = [fresh(t, [*points, *[v for v in as_list(f) if isinstance(v, Variable)]]) for t in found]
    return like(f, rows)


def jacobian(
    expression: Any, wrt: Any, consider_constant: Any = None, disconnected_inputs: str = "raise"
) -> Any:
    """A row for each entry of a vector: its gradient."""
    if expression.ndim > 1:
        raise ValueError("jacobian expects a 1 dimensional variable as `expression`. If not use "
                         "flatten to make it a vector")  # fmt: skip
    if not expression.ndim:
        return grad(expression, wrt, consider_constant, disconnected_inputs)
    several = variables(wrt, "wrt")
    stops = unwrap(list(consider_constant)) if consider_constant is not None else None
    found = differentiate.jacobian(
        unwrap(expression),
        [unwrap(x) for x in several],
        consider_constant=stops,
        disconnected_inputs=disconnected_inputs,
    )
    return like(wrt, [fresh(j, [expression, *several]) for j in found])


def hessian(
    cost: Any, wrt: Any, consider_constant: Any = None, disconnected_inputs: str = "raise"
) -> Any:
    """The second derivatives by each vector."""
    if cost.ndim:
        raise ValueError("hessian expects a scalar `cost`")
    several = variables(wrt, "wrt")
    if any(x.ndim != 1 for x in several):
        raise ValueError("hessian expects a (list of) 1 dimensional variable as `wrt`")
    found = [jacobian(grad(cost, x, consider_constant, disconnected_inputs), x, consider_constant,
                      "ignore") for x in several]  # fmt: skip
    return like(wrt, found)


@lift
def subgraph_grad(
    wrt: Any, end: Any, start: Any = None, cost: Any = None, details: bool = False
) -> Any:
    """Gradients by `wrt` and by `end`, from gradients by `start` and from a cost."""
    return differentiate.subgraph_grad(wrt, end, start, cost, details)


# ---- gates


@lift
def zero_grad(x: Any) -> Any:
    """x, whose gradient is zero."""
    return ops.zero_grad(expression(x))


@lift
def disconnected_grad(x: Any) -> Any:
    """x, to which no path leads."""
    return ops.disconnected_grad(expression(x))


consider_constant = zero_grad


@lift
def undefined_grad(x: Any) -> Any:
    """x, whose gradient does not exist."""
    return ops.undefined_grad(expression(x), "undefined_grad says so")


@lift
def grad_clip(x: Any, lower_bound: Any, upper_bound: Any) -> Any:
    """x, whose gradient is clipped on its way back."""
    return ops.grad_clip(expression(x), lower_bound, upper_bound)


@lift
def grad_scale(x: Any, multiplier: Any) -> Any:
    """x, whose gradient is multiplied on its way back."""
    return ops.grad_scale(expression(x), multiplier)


def grad_undefined(op: Any, x_pos: int, x: Any, comment: str = "") -> Any:
    """What an operation's grad gives where no derivative exists."""
    return NullType(f"the gradient of {op} by input {x_pos} ({x}) is mathematically undefined. "
                    f"{comment}".rstrip())()  # fmt: skip


def grad_not_implemented(op: Any, x_pos: int, x: Any, comment: str = "") -> Any:
    """What an operation's grad gives where nobody has written it."""
    return NullType(f"the gradient of {op} by input {x_pos} ({x}) is not implemented. "
                    f"{comment}".rstrip())()  # fmt: skip


NAMES: dict[str, Any] = {
    f.__name__: f for f in (
        DisconnectedInputError, DisconnectedType, Lop, NullType, NullTypeGradError,
        Rop, disconnected_grad, grad, grad_clip, grad_not_implemented, grad_scale, grad_undefined,
        hessian, jacobian, subgraph_grad, undefined_grad, zero_grad)
} | {"disconnected_type": DisconnectedType(), "consider_constant": consider_constant,
     "consider_constant_": consider_constant, "disconnected_grad_": disconnected_grad,
     "zero_grad_": zero_grad}  # fmt: skip
