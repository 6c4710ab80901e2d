"""Rules of derivatives, said of symbols once and then used for any operands.

In a rule the first input of the body stands for the result: at the solution they are equal.
"""

from collections.abc import Callable
from typing import Any

from ...expr import Expr, Graph, Input
from ...ops import zero
from ..subgraph.body import Slots, expressions_in, inline_body, put_back

Rule = Callable[[Any, Slots], Slots]


def in_symbols(op: Any, rule: Rule, result: Expr, inputs: Slots, changes: Slots) -> Slots:
    """What the rule says of these changes, each None or one of the operation's ends."""
    places = tuple([k for k, c in enumerate(changes) if c is not None])
    if (rule, places) not in op.memory:
        ends = op.body.inputs
        moving = {k: Input(f"d{ends[k].name or k}", zero(ends[k]).type) for k in places}
        found = rule(op, [moving.get(k) for k in range(len(changes))])
        op.memory[rule, places] = found, [*ends, *moving.values()]
    found, symbols = op.memory[rule, places]
    given: Any = [result, *inputs[1:], *[changes[k] for k in places]]
    return put_back(found, inline_body(Graph(expressions_in(found), symbols), given))
