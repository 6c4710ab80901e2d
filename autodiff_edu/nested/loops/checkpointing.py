"""Checkpoints of a loop: a loop over segments, each of which is a loop.

The derivative keeps the state before each segment and computes the others again, one segment at a
time: for n steps in segments of √n, memory for 2√n states instead of n, and every step made twice.
(Griewank and Walther, Evaluating Derivatives, 2008, chapter 12.)
"""

from dataclasses import replace
from typing import Any

from ...expr import OPERATIONS, Expr, Input, TensorType
from ..subgraph.body import symbol_for
from .recurrence import Recurrence, Results, State


def segmented(loop: Recurrence, size: Any) -> Results:
    """The results of a loop in segments of this many steps, and one of the steps that are left."""
    if loop.until is not None or loop.how["truncate"] != -1:
        raise ValueError("a loop that may end early, or whose derivative does, has no checkpoints")
    if type(size) is not int or size < 1:
        raise ValueError(f"checkpoint_every is a whole number of steps, not {size!r}")
    loop = replace(loop, how=loop.how | {"kept": True})  # who asks for checkpoints asks for memory
    count = loop.steps // size
    whole = count * size
    if isinstance(whole, int) and not whole:
        return loop.build()
    if isinstance(whole, int) and whole == loop.steps:
        return over_segments(loop, size, count, whole)
    states = [s._replace(updates=False) for s in loop.states]
    first = over_segments(replace(loop, states=states), size, count, whole)
    starts = [s._replace(start=last) for s, last in zip(loop.states, first.last, strict=True)]
    rest = [(symbol, x[whole:]) for symbol, x in loop.slices]
    left = replace(loop, steps=loop.steps - whole, states=starts, slices=rest).build()
    join = OPERATIONS["concatenate"]
    every = [join([a, b[1:]]) for a, b in zip(first.every, left.every, strict=True)]
    rows = [join([a, b]) for a, b in zip(first.rows, left.rows, strict=True)]
    return Results(left.last, every, rows)


def over_segments(loop: Recurrence, size: int, count: Any, whole: Any) -> Results:
    """The loop over segments. A step of it is a loop, and gives all that this gives as its rows."""
    states = [symbol_for(s.symbol) for s in loop.states]
    parts = [(symbol, segments(x, size, count, whole)) for symbol, x in loop.slices]
    within = [one_of(symbol, x) for symbol, x in parts]
    fixed = [symbol_for(c) for c, _ in loop.constants]
    one = Recurrence(
        size,
        [State(s.symbol, start, s.new) for s, start in zip(loop.states, states, strict=True)],
        [(symbol, x) for (symbol, _), x in zip(loop.slices, within, strict=True)],
        [(symbol, c) for (symbol, _), c in zip(loop.constants, fixed, strict=True)],
        loop.rows,
        how=loop.how,
    ).build()
    outer = Recurrence(
        count,
        [s._replace(symbol=symbol, new=last)
         for s, symbol, last in zip(loop.states, states, one.last, strict=True)],
        [(symbol, x) for symbol, (_, x) in zip(within, parts, strict=True)],
        [(symbol, c) for symbol, (_, c) in zip(fixed, loop.constants, strict=True)],
        [y[1:] for y in one.every] + one.rows,
        how=loop.how | {"name": f"segments of {loop.how['name']}"},
    ).build()  # fmt: skip
    flat = [y.reshape((whole, *y.shape[2:])) for y in outer.rows]
    c = len(states)
    join, grown = OPERATIONS["concatenate"], OPERATIONS["expand_dims"]
    every = [join([grown(s.start, axis=0), y]) for s, y in zip(loop.states, flat, strict=False)]
    return Results(outer.last, every, flat[c:])


def one_of(symbol: Input, x: Expr) -> Input:
    """A symbol for one segment."""
    return Input(symbol.name or "x", TensorType(x.dtype, x.type.shape[1:]))


def segments(x: Expr, size: int, count: Any, whole: Any) -> Expr:
    """A sequence as a sequence of segments."""
    return x[:whole].reshape((count, size, *x.shape[1:]))
