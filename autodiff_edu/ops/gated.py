"""Cotangents that have passed a choice: the side not taken gets an exact zero, whatever its slope.

    where(c, ct, 0) · f′(x)   is written   where(c, ct · f′(x), 0)

The product with an f′(x) that is inf or nan would be nan, where the other side was taken. So an
elementwise operation whose slope may be so, as that of √x, multiplies the cotangent before the
choice, and then chooses again. The first choice is not needed any more: along a chain there are as
many of them as before. Sums and products of finite numbers are taken to be finite: a choice stays
where it is, above them. A sum, as in a matrix product, counts where one of its terms does.

Letters: ct a cotangent, c a condition.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..expr import OPERATIONS, Constant, Expr, Null
from .broadcasting import broadcast_like

LEVELS = 3  # choices, one in the other, that are made again
DEPTH = 8  # operations between a cotangent and a choice
SHAPES = ("broadcast_to", "expand_dims", "reshape", "squeeze", "transpose")
BOUNDED = frozenset((  # they are finite, with finite slopes, where their operands are finite
    *SHAPES, "abs", "add", "arctan", "astype", "cos", "embed", "equal", "greater", "greater_equal",
    "index", "less", "less_equal", "matmul", "maximum", "mean", "minimum", "multiply", "negative",
    "sigmoid", "sign", "sin", "softplus", "square", "subtract", "sum", "tanh", "where",
))  # fmt: skip
PICKS = (*SHAPES, "gather", "index")  # each entry is one of the first operand
AMONG_ZEROS = ("embed", "scatter")
MOVES = (*PICKS, *AMONG_ZEROS, "divide", "multiply", "negative", "sum")  # linear in the first


class Choice(NamedTuple):
    """Where `condition` is as `holds` says a cotangent counts, and elsewhere it is an exact 0."""

    condition: Expr
    holds: bool

    def __call__(self, ct: Expr) -> Expr:
        sides = (ct, 0) if self.holds else (0, ct)
        return OPERATIONS["where"](self.condition, *sides)

    def of_any(self, x: Expr, axis: tuple[int, ...], keepdims: bool) -> "Choice":
        """The choice for a sum of x along these axes."""
        c, name = broadcast_like(self.condition, x), "any" if self.holds else "all"
        return Choice(OPERATIONS[name](c, axis=axis, keepdims=keepdims), self.holds)

    def counts(self) -> Expr:
        return self.condition if self.holds else OPERATIONS["logical_not"](self.condition)

    def among(self, others: Sequence["Choice"]) -> bool:
        return any(self.condition is c and self.holds is holds for c, holds in others)


def opened(ct: Any) -> tuple[list[Choice], Any]:
    """The choices that a cotangent has passed, the last first, and what it was before them."""
    choices: list[Choice] = []
    while len(choices) < LEVELS and (last := last_choice(ct, DEPTH)):
        choice, before = last
        choices.append(choice)
        if before is ct:
            break
        ct = before
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


def closed(choices: Sequence[Choice], ct: Any) -> Any:
    """A cotangent after these choices; a derivative that does not exist stays so."""
    if not isinstance(ct, Expr) or isinstance(ct, Null) or is_zero(ct):
        return ct
    for choice in choices[::-1]:
        ct = choice(ct)
    return ct


def last_choice(ct: Any, depth: int) -> tuple[Choice, Expr] | None:
    """The choice below changes of shape and factors, which are applied before it instead. A sum
    stays above a choice between its terms, and is 0 where none of them was taken."""
    op = ct.op if isinstance(ct, Expr) else None
    if op is None or not depth or not getattr(op, "is_ours", False):
        return None
    if op.name == "where":
        c, first, second = ct.inputs
        if is_zero(second):
            return Choice(c, True), first
        return (Choice(c, False), second) if is_zero(first) else None
    if op.name == "matmul":
        return none_taken(ct, depth)
    if op.name not in MOVES:
        return None
    below = last_choice(ct.inputs[0], depth - 1)
    if below is None:
        swapped = is_outer(ct) and last_choice(ct.inputs[1], depth - 1)
        return last_choice(ct.op(*ct.inputs[::-1]), depth) if swapped else None
    choice, before = below
    rest, static = ct.inputs[1:], ct.static
    if op.name == "sum" and not outside(choice.condition, ct.inputs[0], **dict(static)):
        return choice.of_any(ct.inputs[0], **dict(static)), ct
    if op.name in AMONG_ZEROS:
        counts = broadcast_like(choice.counts(), ct.inputs[0])
        choice = Choice(op.apply((counts, *rest), static), True)
        if op.name == "scatter":  # which adds what comes to the same place
            return choice, ct
    if op.name in PICKS:  # as the cotangent is changed, so is a condition with all its axes
        whole = broadcast_like(choice.condition, ct.inputs[0])
        choice = Choice(op.apply((whole, *rest), static), choice.holds)
    return choice, ct if before is ct.inputs[0] else op.apply((before, *rest), static)


def is_outer(ct: Expr) -> bool:
    """Is it a number or a column times a row?"""
    return ct.op.name == "multiply" and ct.inputs[1].op is OPERATIONS["expand_dims"]


def none_taken(ct: Expr, depth: int) -> tuple[Choice, Expr] | None:
    """Of a matrix product: where a whole row or column was not taken, it is 0."""
    for x, axis, axes in zip(ct.inputs, (-1, max(-2, -ct.inputs[1].ndim)), ct.inputs[::-1]):
        last = last_choice(x, depth - 1)
        if last is not None:
            return last[0].of_any(x, axis=(axis % x.ndim,), keepdims=axes.ndim > 1), ct
    return None


def outside(c: Expr, x: Expr, axis: tuple[int, ...], keepdims: bool) -> bool:
    """Is the condition the same along the axes of x that are summed?"""
    extra = x.ndim - c.ndim  # axes that c has not
    return all(k < extra or (keepdims and c.type.shape[k - extra] == 1) for k in axis)


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
