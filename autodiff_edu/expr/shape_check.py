"""Checking the lengths that only the values tell, by inferring all types again with them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ..core.errors import MISUSE, ShapeError
from ..core.graph import Graph
from ..core.node import Constant, Expr
from ..core.op import REMEMBERED, Op
from ..core.seams import OPERATIONS
from ..core.types import TensorType
from .errors.context import explained, named
from .methods import give
from .origins import origins

STRETCH = "declare that length as 1 if it is to stretch"


def check_shapes(
    graph: Graph,
    inputs: Sequence[Expr],
    shapes: Sequence[tuple],
    numbers: Mapping[Expr, int] = {},
) -> None:
    """Infer all types again from the values' shapes, and from the whole numbers by which lengths
    are computed, also those of what was differentiated. Raises ShapeError with names and place."""
    given = zip(inputs, shapes, strict=True)
    types = {i: TensorType(i.dtype, shape) for i, shape in given}
    for each in with_differentiated(graph):
        infer(each, types, numbers)


def with_differentiated(graph: Graph) -> Iterator[Graph]:
    """The graph, and what was differentiated: of a @ b the gradient is b, of whatever length."""
    yield graph
    known, older = set(graph.nodes), differentiated(graph)
    while older := older - known:
        before = Graph([*older])
        yield before
        known |= {*before.nodes}
        older = differentiated(before)


def differentiated(graph: Graph) -> set[Expr]:
    """The nodes at which derivatives were taken, of which nodes of a graph were made."""
    return {o.node for n in graph.nodes for o in origins(n) if o.kind == "derivative"}


def deciding(graph: Graph, leaves: Iterable[Expr]) -> tuple[Expr, ...]:
    """Those of the leaves that are whole numbers by which lengths are computed."""
    whole = [n for n in leaves if n.op is None and n.dtype.kind in "iu" and not n.ndim]
    needed: set[Expr] = set()
    for each in with_differentiated(graph) if whole else ():
        needed.update(i for n in each.nodes for i in length_operands(n))
        for n in reversed(each.order):
            if n in needed and n.op is not None and takes_numbers(n.op):
                needed.update(n.inputs)
    return tuple([n for n in whole if n in needed])


def length_operands(n: Expr) -> tuple[Expr, ...]:
    """The operands that are lengths of the result, as those of broadcast_to are."""
    return () if n.op is None else tuple([n.inputs[k] for k in told_lengths(n)])


def told_lengths(n: Expr) -> list[int]:
    """The places of these operands: those that the record names, and the last ones, for the lengths
    that are missing in the shape."""
    shape, count = dict(n.static).get("shape"), len(n.inputs)
    missing = shape.count(None) if isinstance(shape, tuple) else 0
    return [*n.op.lengths, *range(count - missing, count)]


def infer(
    graph: Graph, given: Mapping[Expr, TensorType], numbers: Mapping[Expr, int] = {}
) -> dict[Expr, TensorType]:
    """The type of every node if the inputs have these, and these whole numbers. Raises ShapeError
    with names and place."""
    types: dict[Expr, TensorType] = {}
    told: dict[Expr, int | None] = {**numbers}  # and the lengths that nodes of the graph compute
    for n in graph.nodes:
        if n.op is None:
            types[n] = given.get(n, n.type)
            continue
        types[n] = check_node(n, [types[i] for i in n.inputs], told)
        if n.op is OPERATIONS["length"]:
            told[n] = types[n.inputs[0]].shape[dict(n.static)["axis"]]
        elif types[n].dtype.kind in "biu" and not types[n].ndim:
            told[n] = computed(n, told)
    return types


def computed(n: Expr, told: Mapping[Expr, int | None]) -> int | None:
    """What a node makes of lengths and whole numbers, such as n − 1, in their dtypes; None where
    that is not known, or an error, which the program raises."""
    if not takes_numbers(n.op):
        return None
    met = [whole_number(i, told) for i in n.inputs]
    if any(v is None for v in met):
        return None
    values = [np.asarray(v, i.dtype)[()] for v, i in zip(met, n.inputs, strict=True)]
    with np.errstate(all="ignore"), suppress(ArithmeticError, ValueError):
        return int(n.op.perform(*values, **dict(n.static)))
    return None


def takes_numbers(op: Any) -> bool:
    """Does it make a number of numbers?"""
    return op.elementwise or op in (OPERATIONS["truncate"], OPERATIONS["common_length"])


def whole_number(n: Expr, told: Mapping[Expr, int | None]) -> Any:
    return n.value if isinstance(n, Constant) else told.get(n)


def check_node(n: Expr, types: list[TensorType], told: Mapping[Expr, int | None]) -> TensorType:
    try:
        op = n.op.with_lengths([whole_number(n.inputs[k], told) for k in n.op.lengths])
        key = tuple(types), n.static
        known = op._types.get(key) or op.infer_type(*types, **dict(n.static))
        if len(op._types) < REMEMBERED:
            op._types[key] = known  # else the body is asked again: a box at each of its nodes
        found = with_lengths(n, types, known, told)
        check_stretch(n, types, found)
        return found
    except MISUSE as error:
        raise explained(error, n, [t.shape for t in types]) from None


def with_lengths(
    n: Expr, types: list[TensorType], found: TensorType, told: Mapping[Expr, int | None]
) -> TensorType:
    """The type with the lengths that are operands, as those of broadcast_to are."""
    given = length_operands(n)
    if not given or getattr(found, "known", True) or isinstance(n.op.body, Graph):
        return found
    if n.op.lengths:
        return of_zeros(n, types, found, told)
    shape, lengths = dict(n.static)["shape"], iter(given)
    full = (0,) * (found.ndim - len(shape)) + shape  # ahead, the steps of draws made all at once
    return TensorType(found.dtype, [told.get(next(lengths)) if m is None else k
                                    for m, k in zip(full, found.shape, strict=True)])  # fmt: skip


def of_zeros(
    n: Expr, types: list[TensorType], found: TensorType, told: Mapping[Expr, int | None]
) -> TensorType:
    """The type of what the operation makes of the lengths, and of zeros for its other operands."""
    numbers = {k: whole_number(n.inputs[k], told) for k in n.op.lengths}
    others = [t for k, t in enumerate(types) if k not in numbers]
    if any(v is None for v in numbers.values()) or not all(t.known for t in others):
        return found
    shapes: list[Any] = [t.shape for t in others]
    zeros = [np.broadcast_to(np.zeros((), t.dtype), s) for t, s in zip(others, shapes)][::-1]
    values = [np.asarray(numbers[k], t.dtype)[()] if k in numbers else zeros.pop()
              for k, t in enumerate(types)]  # fmt: skip
    with suppress(Exception):  # which the program raises, if its values have it, too
        return TensorType(found.dtype, np.shape(n.op.perform(*values, **dict(n.static))))
    return found


def check_stretch(n: Expr, types: list[TensorType], found: TensorType) -> None:
    """Only a length declared to be 1 stretches: the derivative was built on that."""
    cores = n.op.cores([t.ndim for t in types])
    if cores is None:
        return
    result = getattr(found, "items", [found])[0].shape
    loop = result[: len(result) - cores[-1]]
    for i, t, core in zip(n.inputs, types, cores, strict=False):
        extra = len(loop) - (t.ndim - core)
        for k, (declared, length) in enumerate(zip(i.type.shape[: t.ndim - core], t.shape)):
            met = loop[k + extra]
            if None in (length, met) or length == met or declared == 1:
                continue
            remedy = f"{STRETCH}, or write x[0] for x[:1]" if length == 1 else "give equal lengths"
            raise ShapeError(
                f"axis {k} of {named(i)} has length {length} and meets {met}; {remedy}"
            )


# ---- what an operation says of lengths, unless its class says more


def unchanged(op: Op, lengths: Sequence[Any]) -> Op:
    """The operation once the operands at `self.lengths` are known: its types may say more.

    Parameters
    ----------
    op : Op
        The operation.
    lengths : sequence of int or None
        Their values, None where one is not known.

    Returns
    -------
    Op
        By default the operation itself; a loop knows then how many steps it takes.

    Examples
    --------
    >>> ad.exp.with_lengths([]) is ad.exp
    True
    """
    return op


def elementwise_cores(op: Op, ndims: Sequence[int]) -> Sequence[int] | None:
    """How many last axes of each operand, and of the result, do not broadcast.

    Parameters
    ----------
    op : Op
        The operation.
    ndims : list of int
        How many axes each operand has.

    Returns
    -------
    list of int or None
        None where nothing broadcasts.
    """
    return [0] * (len(ndims) + 1) if op.elementwise else None


give(Op, with_lengths=unchanged, cores=elementwise_cores)
