"""A choice moved behind operations that pick, place or add up entries.

An operation that picks entries picks those of the condition, too. A sum, also one in a matrix
product, stays above a choice between its terms, and is an exact 0 where none of them was taken.

Letters: ct a cotangent, c a condition.
"""

from ..core.derivative_rules import broadcast_like
from ..expr import OPERATIONS, Expr
from .gated import OTHERS, Choice, again, last_choice

Last = tuple[Choice, Expr] | None


def of_any(choice: Choice, x: Expr, axis: tuple[int, ...], keepdims: bool) -> Choice:
    """The choice for a sum of x along these axes."""
    c, name = broadcast_like(choice.condition, x), "any" if choice.holds else "all"
    return Choice(OPERATIONS[name](c, axis=axis, keepdims=keepdims), choice.holds)


def of_pick(ct: Expr, depth: int) -> Last:
    """Of an operation each of whose entries is one of its operand."""
    last = last_choice(ct.inputs[0], depth - 1)
    return None if last is None else (last[0].moved(ct), again(ct, last[1]))


def of_part(ct: Expr, depth: int) -> Last:
    """Of zeros around a part, which do not count."""
    last = last_choice(ct.inputs[0], depth - 1)
    if last is None:
        return None
    c, holds = last[0]
    counts = Choice(c if holds else OPERATIONS["logical_not"](c), True)
    return counts.moved(ct), again(ct, last[1])


def of_scatter(ct: Expr, depth: int) -> Last:
    """Of zeros to which entries are added, at one place several."""
    last = of_part(ct, depth)
    return None if last is None else (last[0], ct)


def of_sum(ct: Expr, depth: int) -> Last:
    (x,), static = ct.inputs, dict(ct.static)
    last = last_choice(x, depth - 1)
    if last is None:
        return None
    choice, before = last
    if outside(choice.condition, x, **static):
        return choice, again(ct, before)
    return of_any(choice, x, **static), ct


def outside(c: Expr, x: Expr, axis: tuple[int, ...], keepdims: bool) -> bool:
    """Is the condition the same along the axes of x that are summed?"""
    extra = x.ndim - c.ndim  # axes that c has not
    return all(k < extra or (keepdims and c.type.shape[k - extra] == 1) for k in axis)


def of_matmul(ct: Expr, depth: int) -> Last:
    """Where a whole row or column was not taken, a product is 0."""
    a, b = ct.inputs
    for x, axis, other in ((a, a.ndim - 1, b), (b, max(b.ndim - 2, 0), a)):
        if (last := last_choice(x, depth - 1)) is not None:
            return of_any(last[0], x, (axis,), keepdims=other.ndim > 1), ct
    return None


def of_outer(ct: Expr, depth: int) -> Last:
    """Of a column times a row, which has passed the choice."""
    last = last_choice(ct.inputs[1], depth - 1) if ct.op is OPERATIONS["multiply"] else None
    return None if last is None else (last[0], ct.inputs[0] * last[1])


OTHERS.update(
    gather=of_pick, index=of_pick, embed=of_part, scatter=of_scatter, sum=of_sum, matmul=of_matmul,
    outer=of_outer,
)  # fmt: skip
