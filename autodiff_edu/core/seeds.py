"""The beginning of a derivative, for all modes: its variables, its tangents or cotangents, zeros
where nothing is connected, and the names of its results."""

from collections.abc import Iterable, Sequence
from typing import Any

from .derivative_rules import agree, broadcast_like, float_type, zero
from .errors import refusal
from .graph import Graph, expression_of
from .node import Constant, Expr, Origin, made_by
from .operands import constant
from .placeholders import Disconnected, Null
from .sanitize import shown
from .seams import HOOKS
from .types import TensorType


def as_wrt(wrt: Any) -> tuple[Expr, ...]:
    """One expression or several, as a tuple. Raises TypeError for anything else."""
    variables = tuple(wrt) if isinstance(wrt, (list, tuple)) else (wrt,)
    variables = tuple(map(expression_of, variables))
    for x in variables:
        if not isinstance(x, Expr):
            sentence = f"differentiate with respect to an expression, not {shown(x)}"
            raise refusal(TypeError, sentence, "variable", value=x)
    return variables


def seed(y: Expr) -> Expr:
    """The tangent or adjoint 1, in the dtype of derivatives, where none is given."""

    def ones() -> Expr:  # made here, so that the number tells of its origin, too
        return broadcast_like(Constant(1.0, float_type(y.dtype)), y)

    return made_by(Origin("derivative", "seed", y), ones)


def seeds(wrt: Sequence[Expr], tangents: Any) -> Sequence[Expr]:
    """The tangents with which forward mode begins; by default ones."""
    if tangents is None:
        return [seed(x) for x in wrt]
    return changes_like(tangents, wrt, "tangent")


def starts(outputs: Sequence[Expr], cotangents: Any) -> dict[Expr, Expr]:
    """The adjoints with which reverse mode begins, by output; by default ones."""
    if cotangents is None:
        adjoints = [seed(y) for y in outputs]
    else:
        adjoints = changes_like(cotangents, outputs, "cotangent")
    start: dict[Expr, Expr] = {}
    for y, ct in zip(outputs, adjoints, strict=True):
        start[y] = start[y] + ct if y in start else ct
    return start


def changes_like(changes: Any, of: Sequence[Expr], kind: str) -> list[Expr]:
    """One tangent or cotangent for each, as expressions; plain numbers take the dtype.

    Raises ValueError for a wrong number of them, TypeError for one of another type.
    """
    values = changes if isinstance(changes, (list, tuple)) else (changes,)
    if len(values) != len(of):
        raise ValueError(f"{len(of)} {kind}s are needed, one for each, not {len(values)}")
    return [change_like(v, x, kind) for v, x in zip(values, of, strict=True)]


def change_like(v: Any, x: Expr, kind: str) -> Expr:
    v = expression_of(v)
    if isinstance(v, (Null, Disconnected)):
        return v
    type = TensorType(float_type(x.dtype), x.type.shape)
    if not isinstance(v, Expr):
        dtype = type.dtype if isinstance(v, (int, float)) else None
        v = made_by(Origin("derivative", "seed", x), constant, v, dtype)
    if v.dtype != type.dtype or not agree(v.type.shape, type.shape):
        raise TypeError(f"the {kind} of {x} must have the type {type!r}; {v} has {v.type!r}")
    return v


def zero_derivative(like: Expr, of: Expr) -> Expr:
    """A zero of the shape of `like`, which is a derivative of the node `of`."""
    return made_by(Origin("derivative", "identically zero", of), zero, like)


# ---- the names of slopes: ∂y/∂x


def is_slope(of: Sequence[Expr], changes: Iterable[Expr]) -> bool:
    """Is the change with which a derivative begins 1, of one number?"""
    ones = all(isinstance(c, Constant) and c.is_all(1) for c in changes)
    return ones and len(of) == 1 and not of[0].ndim


def slope_names(graph: Graph, wrt: Sequence[Expr]) -> list[str]:
    """∂y/∂x for each output and each variable that have names; an only output has one."""
    alone = free_name(graph) if len(graph.outputs) == 1 else ""
    pairs = [(y or alone, x.name or "") for y in graph.names for x in wrt]
    return [slope_name(y, x) if y and x else "" for y, x in pairs]


def slope_name(y: str, x: str) -> str:
    return f"∂{y}/∂{x}" if f"{y}{x}".isidentifier() else HOOKS["slope_name"](y, x)


HOOKS.setdefault("slope_name", lambda y, x: f"∂({y})/∂({x})")  # where a name is more than a word


def free_name(graph: Graph) -> str:
    """A name for a result that has none: y, or the first of some letters that no node has."""
    names = {n.name for n in graph.nodes}
    return next((c for c in "yzfgrs" if c not in names), "result")
