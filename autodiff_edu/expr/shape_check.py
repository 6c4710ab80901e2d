"""Checking the lengths that only the values tell, by inferring all types again with them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

import numpy as np

from .errors.classes import ShapeError
from .errors.context import MISUSE, explained, named
from .expr import Constant, Expr
from .graph import Graph
from .hooks import OPERATIONS
from .origin import Origin
from .types import TensorType

WHOLE = TensorType("int64")
STRETCH = "declare that length as 1 if it is to stretch"


def check_shapes(graph: Graph, inputs: Sequence[Expr], shapes: Sequence[tuple]) -> None:
    """Infer all types again from the values' shapes, also those of what was differentiated: of
    a @ b the gradient is b, of whatever length. Raises ShapeError with names and place."""
    given = zip(inputs, shapes, strict=True)
    types = {i: TensorType(i.dtype, shape) for i, shape in given}
    infer(graph, types)
    known, older = set(graph.nodes), differentiated(graph)
    while older := older - known:
        before = Graph([*older])
        infer(before, types)
        known |= {*before.nodes}
        older = differentiated(before)


def differentiated(graph: Graph) -> set[Expr]:
    """The nodes at which derivatives were taken, of which nodes of a graph were made."""
    found: set[Expr] = set()
    for n in graph.nodes:
        origin = n.origin
        while isinstance(origin, Origin):
            if origin.kind == "derivative":
                found.add(origin.node)
            origin = origin.node.origin
    return found


def infer(graph: Graph, given: Mapping[Expr, TensorType]) -> dict[Expr, TensorType]:
    """The type of every node if the inputs have these. Raises ShapeError with names and place."""
    types: dict[Expr, TensorType] = {}
    told: dict[Expr, int | None] = {}  # the lengths that nodes of the graph compute
    for n in graph.nodes:
        if n.op is None:
            types[n] = given.get(n, n.type)
            continue
        types[n] = check_node(n, [types[i] for i in n.inputs], told)
        if n.op is OPERATIONS["length"]:
            told[n] = types[n.inputs[0]].shape[dict(n.static)["axis"]]
        elif types[n] is WHOLE:
            told[n] = computed(n, told)
    return types


def computed(n: Expr, told: Mapping[Expr, int | None]) -> int | None:
    """What a node makes of lengths and whole numbers, such as n − 1; None where that is not known,
    or an error, which the program raises."""
    if not n.op.elementwise:
        return None
    values = [i.value if isinstance(i, Constant) else told.get(i) for i in n.inputs]
    if any(v is None for v in values):
        return None
    with np.errstate(all="ignore"), suppress(ArithmeticError, ValueError):
        return int(n.op.perform(*values, **dict(n.static)))
    return None


def check_node(n: Expr, types: list[TensorType], told: Mapping[Expr, int | None]) -> TensorType:
    try:
        found = n.op.infer_type(*types, **dict(n.static))
        found = with_lengths(n, found, told)
        check_stretch(n, types, found)
        return found
    except MISUSE as error:
        raise explained(error, n, [t.shape for t in types]) from None


def with_lengths(n: Expr, found: TensorType, told: Mapping[Expr, int | None]) -> TensorType:
    """The type with the lengths that are operands, as those of broadcast_to are."""
    if n.op is OPERATIONS["count"]:
        count = told.get(n.inputs[0])
        return TensorType(found.dtype, (None if count is None else max(count, 0),))
    shape = dict(n.static).get("shape")
    if not isinstance(shape, tuple) or None not in shape:
        return found
    lengths = iter(n.inputs[-shape.count(None) :])
    full = (0,) * (found.ndim - len(shape)) + shape  # ahead, the steps of draws made all at once
    return TensorType(found.dtype, [told.get(next(lengths)) if m is None else k
                                    for m, k in zip(full, found.shape, strict=True)])  # fmt: skip


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
