"""What an operation costs: one statement in its record, `cost`, read in two ways.

    weight(n)   additions, by which rewrites are judged; a length that is unknown counts as MANY
    flops(n)    floating point operations; None where a length is unknown or nothing is stated

An elementwise operation states how many additions it takes for each entry of its result; `flops`
counts it as one, whatever the function. Any other states a function of the shapes of its operands
and of its result, `cost=lambda a, b, out: 2 * a[-1] * prod(out)`, or 0 if it only moves numbers. A
factorisation costs its leading term (Golub and Van Loan, Matrix Computations, 2013).
"""

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

from ..expr import Expr, Graph, as_graph, hook

FUNCTION = 4  # additions for an entry of an elementwise function that states nothing
MANY = 10  # what an unknown length counts as


def each_entry(additions: int = 1) -> Callable[..., int]:
    """The cost of an operation that reads each entry of its first operand."""
    return lambda x, *others, **static: additions * prod(x)


def each_result(additions: int = 1) -> Callable[..., int]:
    """The cost of an operation that makes each entry of its result from a few numbers."""
    return lambda *shapes, **static: additions * prod(shapes[-1])


# ---- additions


@hook("weight")
def weight(n: Expr) -> int:
    """What one operation costs, in additions; an entry that is moved counts as one."""
    op = n.op
    if op.elementwise:
        each = op.cost
        if each.__class__ is not int:
            each = FUNCTION if each is None else each(*n.inputs)
        return each * entries(n.type)
    if op.view or op.free:
        return 0
    if op.cost:
        return stated(n)
    if getattr(op, "core", None):
        return cube(n.inputs[0])
    return max([1, *[entries(i.type) for i in n.inputs]])


def stated(n: Expr) -> int:
    """What the operation says of these shapes."""
    return priced(n.op.cost, n.static, tuple([i.type.shape for i in n.inputs]), n.type.shape)


@lru_cache(10_000)
def priced(price: Callable[..., int], static: tuple, operands: tuple, result: tuple) -> int:
    """The same, found once."""
    return int(price(*map(lengths, operands), lengths(result), **dict(static)))


def entries(t: Any) -> int:
    return count(getattr(t, "shape", ()))


@lru_cache(10_000)
def count(shape: tuple) -> int:
    return prod(lengths(shape))


@lru_cache(10_000)
def lengths(shape: tuple) -> tuple[int, ...]:
    return tuple(map(length, shape))


def length(n: int | None) -> int:
    return MANY if n is None else n


def cube(x: Expr) -> int:
    """n³ for an n by n matrix, over a stack of them; m·n² where it has fewer columns than rows."""
    return entries(x.type) * min(map(length, x.type.shape[-2:]), default=1)


# ---- floating point operations


class Cost(NamedTuple):
    """What a graph costs: the number of its operations, and what they do.

    Parameters
    ----------
    operations : int
        How many nodes have an operation.
    flops : int or None
        Floating point operations; None where a length is not known, or where what an operation
        does has no fixed price, as in iterations, in sorting and in operations of yours.

    Examples
    --------
    >>> x = ad.vector("x", shape=3)
    >>> ad.cost(x * x).flops
    3
    """

    operations: int
    flops: int | None


def cost(what: Any) -> Cost:
    """The cost of computing a graph once, a shared node counted once.

    Parameters
    ----------
    what : Graph, Stage, Expr or list of Expr
        What is computed.

    Returns
    -------
    Cost
        The number of `operations`, and the `flops`, None where these are not known.

    Examples
    --------
    >>> x = ad.vector("x", shape=3)
    >>> ad.cost(ad.sum(x * x))
    Cost(operations=2, flops=6)
    """
    operations = as_graph(what).operations
    each = [flops(n) for n in operations]
    known = [f for f in each if f is not None]
    return Cost(len(operations), sum(known) if len(known) == len(each) else None)


def flops_inside(op: Any) -> int | None:
    """Floating point operations of a body or, where only one of several is computed, of the
    dearest."""
    each = [cost(body).flops for body in getattr(op, "paths", [op.body])]
    known = [f for f in each if f is not None]
    return max(known) if len(known) == len(each) else None


def flops(n: Expr) -> int | None:
    """Floating point operations of one node."""
    op = n.op
    if isinstance(op.body, Graph):
        steps, inside = getattr(op, "steps", 1), flops_inside(op)
        return None if steps is None or inside is None else steps * inside
    if op.elementwise:
        return prod(n.shape) if n.type.known else None
    if op.cost:
        return stated(n) if all(i.type.known for i in n.inputs) else None
    return 0 if op.cost == 0 or op.linear or op.view else None
