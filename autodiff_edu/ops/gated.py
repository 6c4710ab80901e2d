"""Cotangents that have passed a choice: the side not taken gets an exact zero, whatever its slope.

    where(c, ct, 0) · f′(x)   is written   where(c, ct · f′(x), 0)

The product with an f′(x) that is inf or nan would be nan, where the other side was taken. So an
elementwise operation whose slope may be so, as that of √x, multiplies the cotangent before the
choice, and then chooses again. The first choice is not needed any more: along a chain there are as
many of them as before. Sums and products of finite numbers are taken to be finite: a choice stays
where it is, above them. How sums, parts and matrix products move a choice stands in `choices`.

Letters: ct a cotangent, c a condition.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.derivative_rules import broadcast_like
from ..expr import OPERATIONS, Constant, Expr, Null, hook

LEVELS = 3  # choices, one in the other, that are made again
DEPTH = 8  # operations between a cotangent and a choice
SHAPES = ("broadcast_to", "expand_dims", "reshape", "squeeze", "transpose")
BOUNDED = frozenset((  # they are finite, with finite slopes, where their operands are finite
    *SHAPES, "abs", "add", "arctan", "astype", "cos", "embed", "equal", "greater", "greater_equal",
    "index", "less", "less_equal", "matmul", "maximum", "mean", "minimum", "multiply", "negative",
    "sigmoid", "sign", "sin", "softplus", "square", "subtract", "sum", "tanh", "where",
))  # fmt: skip
MOVES = (*SHAPES, "divide", "multiply", "negative")  # linear in the first operand
OTHERS: dict[str, Any] = {}  # the rules of other operations, by name; `choices` puts them here


class Choice(NamedTuple):
    """Where `condition` is as `holds` says a cotangent counts, and elsewhere it is an exact 0."""

    condition: Expr
    holds: bool

    def __call__(self, ct: Expr) -> Expr:
        sides = (ct, 0) if self.holds else (0, ct)
        return OPERATIONS["where"](self.condition, *sides)

    def moved(self, ct: Expr) -> "Choice":
        """With a condition that is changed as an operand is: one that has all its axes."""
        return Choice(again(ct, broadcast_like(self.condition, ct.inputs[0])), self.holds)

    def among(self, others: Sequence["Choice"]) -> bool:
        return any(self.condition is c and self.holds is holds for c, holds in others)


def opened(ct: Any) -> tuple[list[Choice], Any]:
    """The choices that a cotangent has passed, the last first, and what it was before them."""
    choices: list[Choice] = []
    while len(choices) < LEVELS and (last := last_choice(ct, DEPTH)):
        choices.append(last[0])
        if last[1] is ct:  # a sum stays above the choice
            break
        ct = last[1]
    return choices, ct


def may_be_infinite(op: Any, operands: Sequence[Expr]) -> bool:
    """Can the slope of an operation be inf or nan though the inputs of the graph are finite? That
    is told by the operations a few steps down."""
    if op.name not in BOUNDED:
        return True
    level = list(operands)
    for _ in range(DEPTH):
        if any(not is_bounded(n) for n in level):
            return True
        level = list(dict.fromkeys(i for n in level for i in n.inputs))
    return False


def is_bounded(n: Expr) -> bool:
    """Is it finite where its operands are?"""
    if isinstance(n, Constant):
        return bool(np.isfinite(n.value).all())
    return n.op is None or n.op.name in BOUNDED


@hook("through")
def through(op: Any, ct: Any, inputs: Sequence[Expr], out: Expr, static: dict) -> Sequence[Any]:
    """The cotangents of operands, for a cotangent of the result that has passed choices."""
    choices, before = opened(ct) if op.elementwise and not op.linear else ([], ct)
    if not choices or not may_be_infinite(op, inputs):
        return op.factored(ct, inputs, out, static)
    return [closed(choices, c) for c in op.factored(before, inputs, out, static)]


def closed(choices: Sequence[Choice], ct: Any) -> Any:
    """A cotangent after these choices; a derivative that does not exist stays so."""
    if not isinstance(ct, Expr) or isinstance(ct, Null) or is_zero(ct):
        return ct
    for choice in choices[::-1]:
        ct = choice(ct)
    return ct


def last_choice(ct: Any, depth: int) -> tuple[Choice, Expr] | None:
    """The choice below changes of shape and factors, which are applied before it instead."""
    op = ct.op if isinstance(ct, Expr) else None
    if op is None or not depth or not getattr(op, "is_ours", False):
        return None
    if op.name == "where":
        c, first, second = ct.inputs
        if is_zero(second):
            return Choice(c, True), first
        return (Choice(c, False), second) if is_zero(first) else None
    if op.name not in MOVES:
        return op.name in OTHERS and OTHERS[op.name](ct, depth) or None
    below = last_choice(ct.inputs[0], depth - 1)
    if below is None:
        return OTHERS["outer"](ct, depth) if ct.inputs[-1].op is OPERATIONS["expand_dims"] else None
    return below[0].moved(ct) if op.name in SHAPES else below[0], again(ct, below[1])


def again(ct: Expr, before: Expr) -> Expr:
    """The operation applied to this operand; the node itself, if it is its own."""
    same, rest = before is ct.inputs[0], ct.inputs[1:]
    return ct if same else ct.op.apply((before, *rest), ct.static)


@hook("joined")
def joined(old: Expr, term: Expr) -> Expr:
    """The sum of two cotangents; a choice that both have passed is made once, after the sum."""
    (one, u), (other, v) = opened(old), opened(term)
    both = [choice for choice in one if choice.among(other)]
    if not both:
        return old + term
    u = closed([choice for choice in one if not choice.among(both)], u)
    v = closed([choice for choice in other if not choice.among(both)], v)
    return closed(both, u + v)


def is_zero(n: Expr) -> bool:
    return isinstance(n, Constant) and not np.any(n.value)
