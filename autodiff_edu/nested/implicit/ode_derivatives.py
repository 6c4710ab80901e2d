"""The derivatives of a differential equation's solution: differential equations again.

    forward    v' = ∂f/∂y·v + ∂f/∂c·ċ,          v(t₀) = ẏ₀ - f(y₀, t₀)·ṫ₀
    reverse    a' = -a·∂f/∂y,  g' = -a·∂f/∂c,   solved back in time; at each tₖ, a grows by ȳₖ
    times      ẏₖ has f(yₖ, tₖ)·ṫₖ besides, and so t̄ₖ = ȳₖ·f(yₖ, tₖ),  t̄₀ = -a(t₀)·f(y₀, t₀)

(Pontryagin et al. 1962; Chen et al. 2018.) The reverse one starts anew from yₖ at each time, so it
goes no farther back than one interval. Letters: f the rate, a the adjoint of y, g that of c.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...core.derivative_rules import add_up
from ...expr import OPERATIONS, Constant, Expr, Graph, Input, Null, TensorType, results
from ...ops import all_batched, filled, sum, zero
from ...ops.batch import after_leading
from ..loops.derivative_loop import change
from ..loops.recurrence import Recurrence, State
from ..subgraph.body import Slots, closure_convert, free, inline_body
from ..subgraph.linearised import Linearised

Exprs = Sequence[Expr]


class Parts(NamedTuple):
    """What belongs to the states, to time, and to what else the rate needs."""

    states: Sequence[Any]
    time: Any
    others: Sequence[Any]


def solved(
    op: Any, rates: Exprs, symbols: Parts, starts: Exprs, times: Expr, others: Exprs, name: str
) -> Exprs:
    """The rows for a differential equation with these rates, solved as `op` is."""
    known = [*symbols.states, symbols.time, *symbols.others]
    outer = free(rates, known)
    inside, inner = closure_convert(rates, outer)
    body = Graph(inside, [*known, *inner])
    return results(type(op)(body, op.how, name).apply((*starts, times, *others, *outer)))


def along(op: Any, rows: Exprs, times: Expr, others: Exprs) -> list[Expr]:
    """f(yₖ, tₖ) for all times at once."""
    states, t, cs = op.split(op.body.inputs)
    long = [Input(i.name or "y", TensorType(i.dtype, (None, *i.type.shape))) for i in (*states, t)]
    longer: dict[Expr, Expr] = dict(zip((*states, t), long, strict=True))
    found = all_batched(op.body.outputs, longer, long[-1].shape[0])
    return inline_body(Graph(found, [*long, *cs]), [*rows, times, *others])


# ---- forward


def pushed(op: Any, inputs: Exprs, outputs: Exprs, tangents: Slots) -> list[Expr]:
    """The tangents of the rows."""
    given, ends, moved = [Parts(*op.split(x)) for x in (inputs, op.body.inputs, tangents)]
    vs = [change(y, "d") for y in ends.states]
    ds = [(c, change(c, "d"), e) for c, e in zip(ends.others, moved.others, strict=True)
          if e is not None]  # fmt: skip
    moving = dict(zip(ends.states, vs, strict=True)) | {c: d for c, d, _ in ds}
    tangent = Linearised(op.body, list(moving)).pushforward(list(moving.values()))
    rates = [*op.body.outputs, *[tangent.get(f, zero(f)) for f in op.body.outputs]]
    starts = filled(moved.states, given.states)
    slopes = [] if moved.time is None else along(op, outputs, given.time, given.others)
    if slopes:
        starts = [v - f[0] * moved.time[0] for v, f in zip(starts, slopes, strict=True)]
    found = solved(
        op, rates, Parts([*ends.states, *vs], ends.time, [*ends.others, *[d for _, d, _ in ds]]),
        [*given.states, *starts], given.time, [*given.others, *[e for _, _, e in ds]],
        f"tangent of {op.name}",
    )[op.states :]  # fmt: skip
    if not slopes:
        return [*found]
    pairs = zip(found, slopes, strict=True)
    return [v + f * after_leading(moved.time, f.ndim - 1) for v, f in pairs]


# ---- reverse


class Backward:
    """The equation of the adjoints in symbols. `tracked` is what else has an adjoint, `sums` are
    the symbols of these."""

    def __init__(self, op: Any):
        self.op, self.ends = op, Parts(*op.split(op.body.inputs))
        floats = [c for c in self.ends.others if c.type.is_float]
        self.adjoints = [change(y, "a_") for y in self.ends.states]
        linear = Linearised(op.body, [*self.ends.states, *floats])
        self.found = linear.pullback(zip(op.body.outputs, self.adjoints, strict=True))
        self.tracked = [c for c in floats if self.is_there(c)]
        self.sums = [change(c, "g_") for c in self.tracked]

    def is_there(self, c: Expr) -> bool:
        return c in self.found and not isinstance(self.found[c], Null)

    @property
    def undefined(self) -> Expr | None:
        """The adjoint of a state that does not exist."""
        nulls = [e for e in map(self.found.get, self.ends.states) if isinstance(e, Null)]
        return nulls[0] if nulls else None

    def of_others(self, sums: Exprs) -> list[Expr | None]:
        """What the others' adjoints are, given those that are tracked."""
        known: dict[Expr, Expr | None] = dict(zip(self.tracked, sums, strict=True))
        return [known.get(c, self.found.get(c)) for c in self.ends.others]

    # ---- one interval, from its end to its beginning

    def interval(self, rows: Exprs, adjoints: Exprs, sums: Exprs, span: Sequence[Expr],
                 others: Exprs) -> list[Expr]:  # fmt: skip
        """The adjoints and the sums at the beginning."""
        ends, op = self.ends, self.op
        back = [self.found.get(y, zero(y)) for y in ends.states]
        rates = [*op.body.outputs, *[-e for e in (*back, *[self.found[c] for c in self.tracked])]]
        symbols = Parts([*ends.states, *self.adjoints, *self.sums], ends.time, ends.others)
        found = solved(
            op, rates, symbols, [*rows, *adjoints, *sums], OPERATIONS["stack"]([*span]), others,
            f"adjoint of {op.name}",
        )  # fmt: skip
        return [e[-1] for e in found[op.states :]]

    # ---- all intervals

    def through(self, given: Parts, rows: Exprs, cts: Exprs) -> list[Expr]:
        """The adjoints and the sums at the first time, before what enters there."""
        times, n = given.time, given.time.type.shape[0]
        values = dict(zip(self.ends.others, given.others, strict=True))
        firsts = [*map(zero, given.states), *[zero(values[c]) for c in self.tracked]]
        if n == 2:
            last, sums = [ct[1] for ct in cts], firsts[self.op.states :]
            return self.interval([y[1] for y in rows], last, sums, (times[1], times[0]),
                                 given.others)  # fmt: skip
        ends = [Input(f"{y.name}_end", y.type) for y in self.ends.states]
        entering = [change(y, "ct_") for y in self.ends.states]
        span = [Input(name, TensorType(times.dtype)) for name in ("end", "begin")]
        carried = [*self.adjoints, *self.sums]
        grown = [a + ct for a, ct in zip(self.adjoints, entering, strict=True)]
        new = self.interval(ends, grown, self.sums, span, self.ends.others)
        parts = [*rows, *cts, times]
        slices = [(symbol, x[1:][::-1]) for symbol, x in zip([*ends, *entering, span[0]], parts)]
        return Recurrence(
            times.shape[0] - 1,
            [State(*row) for row in zip(carried, firsts, new, strict=True)],
            [*slices, (span[1], times[:-1][::-1])],
            list(values.items()),
            how={"name": f"adjoint of {self.op.name}, interval by interval"},
        ).build().last  # fmt: skip


def pulled(op: Any, inputs: Exprs, outputs: Exprs, cotangents: Slots) -> list[Expr | None]:
    """The cotangents of the first states, of the times, and of what else the rate needs."""
    given = Parts(*op.split(inputs))
    cts = filled(cotangents, outputs)
    back = Backward(op)
    if back.undefined is not None:
        return [back.undefined] * len(inputs)
    last = back.through(given, outputs, cts)
    a, sums = last[: op.states], last[op.states :]
    starts = [x + ct[0] for x, ct in zip(a, cts, strict=True)]
    times = None
    if not isinstance(given.time, Constant):
        slopes = along(op, outputs, given.time, given.others)
        terms = [summed(ct * f) for ct, f in zip(cts, slopes, strict=True)]
        firsts = [-sum(x * f[0]) for x, f in zip(a, slopes, strict=True)]
        times = add_up(terms).at[0].set(add_up(firsts))
    return [*starts, times, *back.of_others(sums)]


def summed(rows: Expr) -> Expr:
    """The sum over all axes but the first."""
    return sum(rows, axis=tuple(range(1, rows.ndim))) if rows.ndim > 1 else rows
