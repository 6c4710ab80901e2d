"""Simplification inside operations that have a body, and of what surrounds them.

A loop loses the states, rows, slices and constants that nobody needs; its body is simplified; work
moves out of it. Boxes with a derivative of their own stay closed: a later derivative needs them.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ...core.rule import RuleSet
from ...expr import (
    Constant,
    Expr,
    Graph,
    Input,
    Op,
    TensorType,
    postorder,
    replacing,
    results,
    substitute,
)
from ...nested import Branch
from ...nested.loops.recurrence import Recurrence, Results, recurrence
from ...nested.loops.scan_op import Scan
from ...nested.subgraph.base import Nested
from ...nested.subgraph.op_from_graph import OpFromGraph
from ...ops import broadcast_to, repeated
from ..branches.simplify_branch import Replaced, simpler_branch
from .code_motion import Motion


def inside(graph: Graph, rules: RuleSet, simplified: Callable[[Graph, RuleSet], Graph]) -> Any:
    """The stage that rewrites bodies; `simplified` simplifies one by these rules."""
    return replacing("simplify", graph, has_body, partial(rewritten, rules, simplified))


def has_body(op: Op) -> bool:
    """Is it an operation whose body may be simplified?"""
    kept = isinstance(op, OpFromGraph) and (op.overrides or op.inline)
    return isinstance(op, Nested) and not kept


def rewritten(rules: RuleSet, simplified: Any, n: Expr, used: frozenset[int]) -> Replaced:
    """The rule that applies to a node with a body, and its used results by it; or None."""
    op = n.op
    if isinstance(op, Branch):
        return simpler_branch(rules, simplified, n, used)
    smaller = smaller_loop if isinstance(op, Scan) else smaller_box
    whole = isinstance(op, Scan) and not used.issuperset(op.updates)  # a result moves these on
    less = None if whole else smaller(n, used)
    if less is not None:
        return f"{op.name}: drop what nobody needs", less
    new = op.transformed(simplified, rules)
    if new is not op:
        found = results(new.apply(n.inputs, n.static))
        return f"simplify inside {op.name}", {k: found[k] for k in used}
    if not isinstance(op, Scan) or op.kept or whole or rules.mode == "ieee":
        return None
    return moved(n, used)


def moved(n: Expr, used: frozenset[int]) -> Replaced:
    """Work moved out of a loop."""
    motion = Motion(recurrence(n.op, n.inputs))
    loop = motion.in_front()
    if loop is not None:
        return f"{n.op.name}: before the loop, for all steps at once", places(loop.build(), used)
    after = motion.behind(used)
    return (f"{n.op.name}: after the loop, for all steps at once", after) if after else None


def places(found: Results, used: frozenset[int]) -> dict[int, Expr]:
    together = [*found.last, *found.every, *found.rows]
    return {k: together[k] for k in used}


# ---- what nobody needs


def smaller_box(n: Expr, used: frozenset[int]) -> dict[int, Expr] | None:
    """A box without results that nobody uses and inputs that these do not need."""
    body = n.op.body
    outputs, kept = n.op.smaller(used)
    if len(outputs) == len(body.outputs) and len(kept) == len(n.inputs):
        return None
    less = Graph([body.outputs[k] for k in outputs], [body.inputs[k] for k in kept])
    new = n.op.changed(less).apply(tuple([n.inputs[k] for k in kept]))
    found = dict(zip(outputs, results(new), strict=True))
    return {k: found[k] for k in used}


def smaller_loop(n: Expr, used: frozenset[int]) -> dict[int, Expr] | None:
    """A loop without states that nobody needs or that stay what they are, without rows that nobody
    needs or that are there twice, with constants that are known put into the body, and one symbol
    for each of its operands."""
    given = recurrence(n.op, n.inputs)
    loop = steady(given)
    c = len(loop.states)
    states = needed_states(loop, used)
    rows = [k for k in range(len(loop.rows)) if 2 * c + k in used]
    told = merged(loop)
    tells = n.op.steps is None and isinstance(n.inputs[0], Constant)
    loop = loop.with_outputs(substitute(loop.outputs, dict(told)))
    distinct = list(dict.fromkeys(loop.rows[k] for k in rows))
    still = [k for k in states if stays(loop, k, used)]
    states = [k for k in states if k not in still]
    fewer = len(states) < c or len(distinct) < len(loop.rows)
    if not (fewer or told or tells or len(loop.slices) < len(given.slices)):
        return None
    fixed = [(loop.states[k].symbol, loop.states[k].start) for k in still]
    kept = replace(loop, states=[loop.states[k] for k in states], rows=distinct,
                   constants=[*loop.constants, *fixed])  # fmt: skip
    found = kept.used().build()
    row = dict(zip(distinct, found.rows, strict=True))
    place = {k: start for k, (_, start) in zip(still, fixed, strict=True)}
    place |= {c + k: repeated(place[k], loop.steps + 1) for k in still if c + k in used}
    place |= dict(zip(states, found.last, strict=True))
    place |= dict(zip([c + k for k in states], found.every, strict=True))
    place |= {2 * c + k: row[loop.rows[k]] for k in rows}
    return {k: place[k] for k in used}


def steady(loop: Recurrence) -> Recurrence:
    """The loop with slices that are the same at all steps as constants."""
    one = [(symbol, x, one_slice(x)) for symbol, x in loop.slices]
    return replace(
        loop,
        slices=[(symbol, x) for symbol, x, value in one if value is None],
        constants=[*loop.constants, *[(s, value) for s, _, value in one if value is not None]],
    )


def one_slice(x: Expr) -> Expr | None:
    """What each slice of x is, if they are known to be the same."""
    if x.op is broadcast_to and x.inputs[0].ndim < x.ndim:
        return stretched(x.inputs[0], x.shape[1:])
    if isinstance(x, Constant) and len(x.value) and (x.value == x.value[0]).all():
        return Constant(x.value[0], exact=x.exact)
    return None


def stretched(x: Expr, shape: tuple) -> Expr:
    known = TensorType(x.dtype, [n if isinstance(n, int) else None for n in shape])
    return x if x.type is known and known.known else broadcast_to(x, shape)


def stays(loop: Recurrence, k: int, used: frozenset[int]) -> bool:
    """Is a state always what it was, and told how often, if that is asked?"""
    s = loop.states[k]
    return s.new is s.symbol and (loop.until is None or len(loop.states) + k not in used)


def needed_states(loop: Recurrence, used: frozenset[int]) -> list[int]:
    """The states that are asked for, or on which those depend, or the rows, or the end."""
    c = len(loop.states)
    needed = {k for k in range(c) if k in used or c + k in used or loop.states[k].updates}
    tails = [y for k, y in enumerate(loop.rows) if 2 * c + k in used]
    tails += [loop.until] if loop.until is not None else []
    while True:
        reached = set(postorder(tails + [loop.states[k].new for k in needed]))
        more = {k for k, s in enumerate(loop.states) if s.symbol in reached} - needed
        if not more:
            return sorted(needed)
        needed |= more


def merged(loop: Recurrence) -> dict[Expr, Expr]:
    """What symbols become: the constant that they stand for, if it is known and small, or the first
    symbol for the same operand."""
    became: dict[Expr, Expr] = {}
    first: dict[tuple, Input] = {}
    for kind, pairs in (("slice", loop.slices), ("constant", loop.constants)):
        for symbol, x in pairs:
            if kind == "constant" and isinstance(x, Constant) and not x.ndim:
                became[symbol] = x
            elif first.setdefault((kind, x), symbol) is not symbol:
                became[symbol] = first[kind, x]
    return became
