"""A branch for itself: the condition is known, the sides are equal, operands say something.

Each change is a rule that takes a node and says what its used results become, or None.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...core.rule import RuleSet
from ...expr import Constant, Expr, Graph, Input, numbered, postorder, put_in, results
from ...nested.branch.branch_op import Branch, joined
from ...nested.subgraph.body import again, inline_body
from ...ops import broadcast_to, logical_not, where

Used = frozenset[int]
Replaced = tuple[str, Mapping[int, Expr]] | None
Change = Callable[[Expr, Used], Mapping[int, Expr] | None]


def simpler_branch(rules: RuleSet, simplified: Any, n: Expr, used: Used) -> Replaced:
    """The rule that applies to a branch, and its used results by it; or None."""
    for rule, change in CHANGES.items():
        less = change(n, used)
        if less is not None:
            return f"{n.op.name}: {rule}", less
    new = n.op.transformed(simplified, rules)
    if new is n.op:
        return None
    found = results(new.apply(n.inputs, n.static))
    return f"simplify inside {n.op.name}", {k: found[k] for k in used}


def decided(n: Expr, used: Used) -> Mapping[int, Expr] | None:
    """The side that a known condition takes."""
    condition, *operands = n.inputs
    if not isinstance(condition, Constant):
        return None
    found = inline_body(n.op.paths[not condition.value], operands)
    return {k: found[k] for k in used}


def turned(n: Expr, used: Used) -> Mapping[int, Expr] | None:
    """The sides exchanged, where the condition is that something does not hold."""
    condition, *operands = n.inputs
    if condition.op is not logical_not or condition.inputs[0].dtype.kind != "b":
        return None
    op = n.op.changed(joined(n.op.paths[::-1]))
    found = results(op.apply((condition.inputs[0], *operands)))
    return {k: found[k] for k in used}


def same_sides(n: Expr, used: Used) -> Mapping[int, Expr] | None:
    """Results that are equal in both sides, without the branch."""
    number = numbered(n.op.body.outputs, {})
    first, second = n.op.sides()
    same = {k: first[k] for k in used if number[first[k]] == number[second[k]]}
    return without(n, used, dict(zip(same, inline(n, list(same.values())), strict=True)))


def choices(n: Expr, used: Used) -> Mapping[int, Expr] | None:
    """Numbers that both sides only hand through: `where` chooses between them."""
    pairs = list(zip(*n.op.sides(), strict=True))
    known = {k: pairs[k] for k in used if all(e.op is None and not e.ndim for e in pairs[k])}
    pairs = [tuple(inline(n, pair)) for pair in known.values()]
    return without(n, used, {k: where(n.inputs[0], a, b) for k, (a, b) in zip(known, pairs)})


def without(n: Expr, used: Used, done: dict[int, Expr]) -> dict[int, Expr] | None:
    """The used results where some are done: the others are those of a smaller branch."""
    if not done:
        return None
    rest = sorted(used - done.keys())
    return done | (of_sides(n, rest, n.op.sides(), {}) if rest else {})


def inline(n: Expr, inner: Sequence[Expr]) -> list[Expr]:
    """Expressions within a body as expressions outside."""
    return inline_body(Graph(inner, n.op.body.inputs), n.inputs[1:])


def smaller(n: Expr, used: Used) -> Mapping[int, Expr] | None:
    """A branch without results that nobody uses and operands that these do not need, that are there
    twice, that are known, or are the condition itself, which holds in one side."""
    table, extra = told(n)
    first, second = n.op.sides()
    condition, *operands = n.inputs
    holds = [{i: Constant(side) for i, x in zip(n.op.body.inputs, operands) if x is condition}
             for side in (True, False)]  # fmt: skip
    if table or holds[0]:
        first, second = [put_in(side, table | more, again)
                         for side, more in zip((first, second), holds, strict=True)]  # fmt: skip
    needed = set(postorder([e for k in used for e in (first[k], second[k])]))
    if len(used) == n.op.count and needed.issuperset(n.op.body.inputs):
        return None
    return of_sides(n, sorted(used), (first, second), extra)


def told(n: Expr) -> tuple[dict[Expr, Expr], dict[Input, Expr]]:
    """What symbols become, and new symbols for that with their operands: constants, arrays that
    repeat one, and the first symbol for the same operand."""
    table: dict[Expr, Expr] = {}
    extra: dict[Input, Expr] = {}
    first: dict[Expr, Input] = {}
    for i, x in zip(n.op.body.inputs, n.inputs[1:], strict=True):
        if isinstance(x, Constant):
            table[i] = x
        elif is_filled(x):
            symbols = [Input("n", length.type) for length in x.inputs[1:]]
            extra |= dict(zip(symbols, x.inputs[1:], strict=True))
            table[i] = x.op.apply((x.inputs[0], *symbols), x.static)
        elif first.setdefault(x, i) is not i:
            table[i] = first[x]
    return table, extra


def is_filled(x: Expr) -> bool:
    """Is it a constant, repeated?"""
    return x.op is broadcast_to and isinstance(x.inputs[0], Constant)


def of_sides(
    n: Expr, places: Sequence[int], sides: Sequence[Sequence[Expr]], extra: Mapping[Input, Expr]
) -> dict[int, Expr]:
    """These results of a branch with other sides, whose symbols are those of the old one and some
    more; operands that are not needed are dropped."""
    kept = [[side[k] for k in places] for side in sides]
    operand = {**dict(zip(n.op.body.inputs, n.inputs[1:], strict=True)), **extra}
    needed = set(postorder([*kept[0], *kept[1]]))
    symbols = [i for i in operand if i in needed]
    names = [n.op.body.names[k] for k in places]
    op = n.op.changed(joined([Graph(side, symbols, names) for side in kept]))
    made = results(op.apply((n.inputs[0], *[operand[i] for i in symbols])))
    return dict(zip(places, made, strict=True))


CHANGES: dict[str, Change] = {
    "the condition is known": decided,
    "not": turned,
    "drop what nobody needs": smaller,
    "the same in both sides": same_sides,
    "a choice of what is there": choices,
}


def is_branch(n: Expr) -> bool:
    return isinstance(n.op, Branch)
