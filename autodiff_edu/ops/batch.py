"""Batching: an operation applied to every slice along a new leading axis at once.

Elementwise operations and those with a core signature broadcast, so it is enough to line the
operands up; operations that name axes name the next ones; others state a rule; an operation
without any is applied to one slice after the other.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.derivative_rules import filled, pulled, pushed, unbroadcast
from ..expr import (
    OPERATIONS,
    Expr,
    Input,
    Op,
    Origin,
    ShapeError,
    TensorType,
    TupleType,
    item,
    made_by,
    making,
    postorder,
    results,
    substitute,
)

Flags = Sequence[bool]


def batched(roots: Sequence[Expr], given: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """The nodes that vary with these, each with a leading axis, when these are given with one."""
    made = dict(given)
    plain: dict[Expr, Expr] = {}  # what does not vary, but was told by something that does
    for n in postorder(roots):
        if n in made or n.op is None:
            continue
        flags = [i in made for i in n.inputs]
        inputs = [made.get(i, plain.get(i, i)) for i in n.inputs]
        if n.op is OPERATIONS["length"] and flags[0]:
            plain[n] = n.op(inputs[0], axis=dict(n.static)["axis"] + 1)
        elif any(flags):
            origin = making.get() or Origin("rewrite", "vectorize", n)
            made[n] = made_by(origin, batch, n, inputs, flags)
        elif any(i in plain for i in n.inputs):
            plain[n] = n.op.apply(tuple(inputs), n.static)
    for r in plain.keys() & set(roots):
        made[r] = repeated(plain[r], next(iter(given.values())).shape[0])
    return made


def all_batched(roots: Sequence[Expr], given: Mapping[Expr, Expr], n: Any) -> list[Expr]:
    """The roots, each with a leading axis of this length; what does not vary is repeated."""
    made = batched(roots, given)
    return [made[r] if r in made else repeated(r, n) for r in roots]


def batch(n: Expr, inputs: Sequence[Expr], flags: Flags) -> Expr:
    """The node's operation on each slice of the inputs that are flagged."""
    op, static = n.op, dict(n.static)
    if op.batch:
        return op.batch(inputs, flags, **static)
    if op is item:
        several: Any = inputs[0]  # results that are batched each for itself, or a node of all
        if isinstance(several, list):
            return several[static["place"]]
        return op.apply(tuple(inputs), n.static)
    if getattr(op, "core", None) or op.elementwise:
        return op.apply(tuple(lined_up(n, inputs, flags)), n.static)
    if static.keys() & {"axis", "axes"}:
        moved = tuple((k, moved_on(v) if k in ("axis", "axes") else v) for k, v in n.static)
        return op.apply(tuple(every(inputs, flags)), moved)
    return Loop(op, n.static, tuple(flags)).apply(tuple(inputs))


def check_lengths(what: str, flags: Flags) -> None:
    """Raises ShapeError where an operand that tells a length differs from example to example."""
    if any(flags):
        raise ShapeError(f"{what} has another length for each example, so they make no array: take "
                         "all entries, and choose by where")  # fmt: skip


def way_of_batching(op: Any) -> str:
    """What `batch` does with an operation, in words."""
    if op.batch:
        return "by a rule of its own"
    if getattr(op, "core", None):
        return f"over leading axes, with the core signature {op.stated['core']}"
    if op.elementwise:
        return "entry by entry, over any leading axis"
    if op.parameters.keys() & {"axis", "axes"}:
        return "the axes that it names move on by one"
    return "one slice after the other"


def moved_on(axis: Any) -> Any:
    return axis + 1 if isinstance(axis, int) else tuple(k + 1 for k in axis)


def lined_up(n: Expr, inputs: Sequence[Expr], flags: Flags) -> list[Expr]:
    """The inputs with axes put in after the leading one, so that the others meet as before."""
    cores = n.op.core.operands if n.op.core else ("",) * len(inputs)
    loops = [i.ndim - len(letters) for i, letters in zip(n.inputs, cores, strict=True)]
    return [
        after_leading(x, max(loops) - loop) if flag else x
        for x, flag, loop in zip(inputs, flags, loops, strict=True)
    ]


def after_leading(x: Expr, extra: int) -> Expr:
    """x with this many axes of length 1 behind its leading axis."""
    return OPERATIONS["expand_dims"](x, axis=tuple(range(1, 1 + extra))) if extra else x


def every(inputs: Sequence[Expr], flags: Flags) -> list[Expr]:
    """All inputs with the leading axis; those without are repeated along it."""
    n = next(x for x, flag in zip(inputs, flags, strict=True) if flag).shape[0]
    return [x if flag else repeated(x, n) for x, flag in zip(inputs, flags, strict=True)]


def repeated(x: Expr, n: Any) -> Expr:
    """x, n times along a new leading axis."""
    return OPERATIONS["broadcast_to"](x, (n, *x.shape))


def stacked(results: Sequence[Any]) -> np.ndarray:
    """The results of all slices as one array. Raises ShapeError where their shapes differ."""
    shapes = sorted({np.shape(v) for v in results})
    if len(shapes) > 1:
        raise ShapeError(
            f"the examples have results of different shapes, such as {shapes[0]} and {shapes[-1]}, "
            "and one array holds those of one shape: write ad.where(mask, x, 0) for x[mask], or "
            "call the function of each example alone"
        )
    return np.stack(results)


class Loop(Op):
    """An operation applied to one slice after the other; its derivatives are batched again."""

    arity = None
    takes_none = True

    def __init__(self, op: Any, static: tuple, flags: tuple[bool, ...]):
        self.op, self.static, self.flags = op, static, flags
        self.name, self.label = f"each_{op.name}", f"each {op.label}"
        self.nondifferentiable = op.nondifferentiable

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loop) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> tuple:
        return self.op, self.static, self.flags

    def slices(self, types: Sequence[TensorType]) -> list[TensorType]:
        return [TensorType(t.dtype, t.shape[f:]) for t, f in zip(types, self.flags, strict=True)]

    def infer_type(self, *types: TensorType) -> TensorType | TupleType:
        n = next(t.shape[0] for t, f in zip(types, self.flags, strict=True) if f)
        one = self.op.infer_type(*self.slices(types), **dict(self.static))
        several = one.items if isinstance(one, TupleType) else [one]
        stacked = [TensorType(t.dtype, (n, *t.shape)) for t in several]
        return TupleType(stacked) if isinstance(one, TupleType) else stacked[0]

    def perform(self, *values: Any) -> Any:
        n = next(len(v) for v, f in zip(values, self.flags, strict=True) if f)
        rows = [[v[k] if f else v for v, f in zip(values, self.flags, strict=True)]
                for k in range(n)]  # fmt: skip
        found = [self.op.perform(*row, **dict(self.static)) for row in rows]
        if found and isinstance(found[0], tuple):
            return tuple(map(stacked, zip(*found, strict=True)))
        return stacked(found) if found else self.nothing(values)

    def nothing(self, values: Sequence[Any]) -> Any:
        """The result for no slices at all."""
        t = self.infer_type(*[TensorType(np.asarray(v).dtype, np.shape(v)) for v in values])
        empty = [np.zeros([n or 0 for n in k.shape], k.dtype) for k in getattr(t, "items", [t])]
        return tuple(empty) if isinstance(t, TupleType) else empty[0]

    def differentiable(self, n_inputs: int) -> tuple[int, ...]:
        return self.op.differentiable(n_inputs)

    def pullback(self, inputs: Sequence[Expr], outputs: Sequence[Expr], cotangents: Any) -> list:
        one, xs, ys = self.one_slice(inputs)
        cts = [None if ct is None else Input("ct", y.type) for ct, y in zip(cotangents, ys)]
        terms = pulled(self.op, xs, ys, cts, dict(self.static))
        given = one | {a: b for a, b in zip(cts, cotangents) if a is not None}
        found = self.unsliced([t for t in terms if t is not None], given, inputs, xs)
        parts = iter(found)
        full = [None if t is None else next(parts) for t in terms]
        return [None if t is None else unbroadcast(t, x) for t, x in zip(full, inputs, strict=True)]

    def pushforward(self, inputs: Sequence[Expr], outputs: Any, tangents: Any) -> list[Expr]:
        one, xs, ys = self.one_slice(inputs)
        full = filled(tangents, inputs)
        ts = [Input("t", t) for t in self.slices([t.type for t in full])]
        said = pushed(self.op, xs, ys, ts, dict(self.static))
        moved = filled(said, ys)
        given = one | {a: b for a, b, f in zip(ts, full, self.flags) if f}
        rest = {a: b for a, b, f in zip(ts, full, self.flags) if not f}
        return self.unsliced(moved, given, [*inputs, *rest.values()], [*xs, *rest])

    def one_slice(self, inputs: Sequence[Expr]) -> tuple[dict, list[Input], tuple[Expr, ...]]:
        """Symbols for one slice of the inputs, and the operation's results for them."""
        xs = [Input("x", t) for t in self.slices([x.type for x in inputs])]
        given = {a: x for a, x, f in zip(xs, inputs, self.flags, strict=True) if f}
        return given, xs, results(self.op.apply(tuple(xs), self.static))

    def unsliced(self, nodes: Sequence[Expr], given: dict, inputs: Any, xs: Any) -> list[Expr]:
        """The nodes for all slices at once, with the inputs in the places of their symbols."""
        full = all_batched(nodes, given, next(iter(given.values())).shape[0])
        fixed = {a: x for a, x in zip(xs, inputs, strict=True) if a not in given}
        return substitute(full, fixed)
