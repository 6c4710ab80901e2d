"""Derivative rules: what every rule needs, zeros, stretching and its opposite, and their contract,
the expressions that rules take, and those that they return.

Letters: d a tangent or cotangent, ct a cotangent; x an operand, or what a change belongs to, an
input in a pullback, an output in a pushforward; c its change, a cotangent or a tangent.
"""

from collections.abc import Iterable, Sequence
from functools import partial, reduce
from operator import add
from typing import Any

import numpy as np

from .graph import Graph, check_expressions
from .node import Constant, Disconnected, Expr, Null, Origin, made_by
from .seams import HOOKS, OPERATIONS
from .types import NullType, Shape

Exprs = Sequence[Expr]
Slots = Sequence[Expr | None]


def put(inputs: Sequence[Expr], k: int, value: Expr) -> list[Expr]:
    return [value if j == k else x for j, x in enumerate(inputs)]


def times(factor: float, d: Expr) -> Expr:
    return d if factor == 1 else -d if factor == -1 else factor * d


def add_up(terms: Sequence[Expr]) -> Expr:
    return reduce(add, terms)


def float_type(dtype: np.dtype) -> np.dtype:
    """The dtype of a derivative: that of the value if it is a float, otherwise float64."""
    return dtype if dtype.kind == "f" else np.dtype("float64")


def zero(like: Expr) -> Expr:
    """The exact zero of differentiation, of the shape of `like`."""
    return broadcast_like(Constant(0.0, float_type(like.dtype), exact=True), like)


def broadcast_like(x: Expr, like: Expr) -> Expr:
    """x broadcast to the shape of `like`."""
    if x.type.shape == like.type.shape:
        return x
    if isinstance(x, Constant) and like.type.known:
        return Constant(np.broadcast_to(x.value, like.shape), exact=x.exact)
    return OPERATIONS["broadcast_to"](x, like.shape)


def unbroadcast(ct: Expr, like: Expr) -> Expr:
    """A cotangent summed over the axes along which `like` was stretched, in its dtype. A minus
    before it is taken of the sum, which has fewer entries."""
    if (ct.type is like.type and ct.type.is_float) or isinstance(ct.type, NullType):
        return ct
    if ct.op is OPERATIONS["negative"]:
        return -unbroadcast(ct.inputs[0], like)
    extra = ct.ndim - like.ndim
    ones = tuple(
        k + extra for k, n in enumerate(like.type.shape) if n == 1 != ct.type.shape[k + extra]
    )
    if ones:
        ct = ct.sum(axis=ones, keepdims=True)
    if extra:
        ct = ct.sum(axis=tuple(range(extra)))
    dtype = float_type(like.dtype)
    return ct if ct.dtype == dtype else ct.astype(dtype)


# ---- the contract


Words = tuple[str, str, str]  # for messages: a rule, what it gives, and for each of what
PULLBACK: Words = ("pullback", "cotangent", "input")
PUSHFORWARD: Words = ("pushforward", "tangent", "output")


def pulled(op: Any, inputs: Exprs, outputs: Exprs, changes: Slots, static: dict) -> list:
    """The cotangent of each input, or None, by the operation's pullback. Raises TypeError."""
    cotangents = changes if op.takes_none else filled(changes, outputs)
    rule = partial(op.pullback, **static)
    if not (op.takes_none and getattr(op, "is_ours", True)):
        rule = partial(HOOKS["in_symbols"], rule)
    result = rule(inputs, outputs, cotangents)
    return accepted(result, inputs, PULLBACK, op.name, outputs[0])


def pushed(op: Any, inputs: Exprs, outputs: Exprs, changes: Slots, static: dict) -> list:
    """The tangent of each output, or None, by the operation's pushforward. Raises TypeError."""
    tangents = changes if op.takes_none else filled(changes, inputs)
    result = op.pushforward(inputs, outputs, tangents, **static)
    return accepted(result, outputs, PUSHFORWARD, op.name, outputs[0])


def filled(changes: Slots, of: Exprs) -> list[Expr]:
    """Exact zeros for the changes of what takes no part."""
    return [zero(x) if c is None else c for c, x in zip(changes, of, strict=True)]


def accepted(result: Any, of: Exprs, words: Words, name: str, n: Expr) -> list[Expr | None]:
    """The result of a rule, one change for each, in the dtypes of derivatives; the operation has
    this name, and was applied in n. Raises TypeError."""
    if type(result) not in (list, tuple) or len(result) != len(of):
        raise HOOKS["wrong_count"](result, of, words, name, n)
    if all(map(usual, result, of)):
        return [*result]
    pairs = enumerate(zip(result, of, strict=True))
    return [c if usual(c, x) else accept(c, k, x, words, name, n) for k, (c, x) in pairs]


def usual(c: Any, x: Expr) -> bool:
    """Is the change of exactly the type that it should have, or none? Nearly all are."""
    return c is None or (isinstance(c, Expr) and c.type is x.type and x.type.is_float)


def accept(c: Any, k: int, x: Expr, *where: Any) -> Expr | None:
    """A change of another type, if it can stand for one of x."""
    if isinstance(c, (Null, Disconnected)):
        return c if isinstance(c, Null) else None
    if not (isinstance(c, Expr) and c.type.is_float and agree(c.type.shape, x.type.shape)):
        raise HOOKS["wrong_change"](c, k, x, *where)
    dtype = float_type(x.dtype)
    return c if c.dtype == dtype else c.astype(dtype)


def agree(one: Shape, other: Shape) -> bool:
    """Can values of both shapes have the same shape?"""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(None in (a, b) or a == b for a, b in pairs)


# ---- the beginning of a derivative: its variables, its tangents or cotangents, zeros


def as_wrt(wrt: Any) -> tuple[Expr, ...]:
    """One expression or several, as a tuple. Raises TypeError for anything else."""
    return check_expressions(wrt, "variable", "differentiate with respect to an expression")


def seed(y: Expr) -> Expr:
    """The tangent or adjoint 1, in the dtype of derivatives, where none is given."""

    def ones() -> Expr:  # made here, so that the number tells of its origin, too
        return broadcast_like(Constant(1.0, float_type(y.dtype)), y)

    return made_by(Origin("derivative", "seed", y), ones)


def seeds(wrt: Sequence[Expr], tangents: Any) -> Sequence[Expr]:
    """The tangents with which forward mode begins; by default ones."""
    if tangents is None:
        return [seed(x) for x in wrt]
    return [*HOOKS["changes"](tangents, wrt, "tangent")]


def starts(outputs: Sequence[Expr], cotangents: Any) -> dict[Expr, Expr]:
    """The adjoints with which reverse mode begins, by output; by default ones."""
    if cotangents is None:
        adjoints = [seed(y) for y in outputs]
    else:
        adjoints = HOOKS["changes"](cotangents, outputs, "cotangent")
    start: dict[Expr, Expr] = {}
    for y, ct in zip(outputs, adjoints, strict=True):
        start[y] = start[y] + ct if y in start else ct
    return start


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
HOOKS.setdefault("marked", lambda name, mark: name and name + mark)


def free_name(graph: Graph) -> str:
    """A name for a result that has none: y, or the first of some letters that no node has."""
    names = {n.name for n in graph.nodes}
    return next((c for c in "yzfgrs" if c not in names), "result")
