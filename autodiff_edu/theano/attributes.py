"""What Theano's variables could do: x.dimshuffle(0, "x", 1), x.eval({...}), x.owner."""

from collections.abc import Callable, Mapping
from typing import Any

from ..expr import Expr, computed_by, evaluate, hook
from ..ops import expand_dims, squeeze, transpose
from .gof import Apply


def dimshuffle(x: Expr, *pattern: Any) -> Expr:
    """The axes in another order; "x" is a new one of length 1, and one left out has length 1."""
    order = pattern[0] if len(pattern) == 1 and isinstance(pattern[0], (list, tuple)) else pattern
    kept = [k for k in order if k != "x"]
    gone = [k for k in range(x.ndim) if k not in kept]
    turned = transpose(x, (*gone, *kept))
    turned = squeeze(turned, axis=tuple(range(len(gone)))) if gone else turned
    new = tuple(k for k, axis in enumerate(order) if axis == "x")
    return expand_dims(turned, axis=new) if new else turned


def eval_at(x: Expr, inputs_to_values: Mapping[Expr, Any] | None = None) -> Any:
    return evaluate(x, inputs_to_values or {})


def owner(x: Expr) -> Apply | None:
    """The operation that computes x with its inputs; None for a leaf."""
    n, _ = computed_by(x)
    return None if n.op is None else Apply(n.op, n.inputs, (x,))


METHODS: dict[str, Callable[..., Any]] = {"dimshuffle": dimshuffle, "eval": eval_at}
PROPERTIES: dict[str, Callable[[Expr], Any]] = {
    "owner": owner,
    "broadcastable": lambda x: tuple(n == 1 for n in x.type.shape),
}


@hook("old attribute")
def old_attribute(x: Expr, name: str) -> Any:
    """The attribute of a variable, as Theano had it. Raises AttributeError."""
    if name in PROPERTIES:
        return PROPERTIES[name](x)
    if name in METHODS:
        method = METHODS[name]
        return lambda *args, **how: method(x, *args, **how)
    raise AttributeError(f"an expression has no attribute {name!r}")
