"""What branches share, with each other and with the graph around: it is computed once.

Work moves out of a branch where it is done in any case: the graph has it already, or both sides do
it. Two branches on one condition become one, so that a derivative finds again what the value
computed. It is done where no derivative will be taken: 0 · inf is nan for what stands outside.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...expr import (
    Constant,
    Expr,
    Graph,
    Input,
    Rewriting,
    Step,
    TupleType,
    computed_by,
    dependents,
    numbered,
    postorder,
    put_in,
    results,
    substitute,
)
from ...nested.branch.branch_op import joined
from ...nested.subgraph.body import again
from .simplify_branch import inline, is_branch, is_filled, of_sides

Change = tuple[Expr, str, Mapping[int, Expr]]  # a branch, a rule, its results by that


def sharing(graph: Graph, final: bool) -> Rewriting:
    """The stage in which branches that can become one do so, or else work moves out of them. If it
    is not the final one, only conditions and whole numbers move, through which no derivative
    passes."""
    branches = [n for n in graph.order if is_branch(n)]
    found = one_branch(graph, branches) if final else []
    if branches and not found:
        found = out_of_branches(graph, branches, final)
    steps = replaced(graph, found) if found else []
    log = {step.before: step.after for step in steps}
    after = Graph(substitute(graph.outputs, log), graph.inputs, graph.names)
    return Rewriting("simplify", graph, after, steps, list(log.items()), range(len(steps)))


def replaced(graph: Graph, changes: Sequence[Change]) -> list[Step]:
    """A step for each used result of each node."""
    table = {n: (rule, found) for n, rule, found in changes}
    steps = []
    for y in graph.order:
        n, place = computed_by(y)
        if n in table and not isinstance(y.type, TupleType):
            rule, found = table[n]
            steps.append(Step(f"{n.op.name}: {rule}", y, found[place]))
    return steps


# ---- work that is done in any case


def out_of_branches(graph: Graph, branches: Sequence[Expr], final: bool) -> list[Change]:
    """Branches that are handed what is computed outside too, or by both sides."""
    table: dict[tuple, int] = {}
    number = numbered(graph.outputs, table)
    there = {k: n for n, k in reversed(number.items())}
    each = [(n, handed(n, number, table, there, final)) for n in branches]
    return [(n, "what is computed in any case", found) for n, found in each if found]


def handed(
    n: Expr,
    number: Mapping[Expr, int],
    table: Mapping[tuple, int],
    there: Mapping[int, Expr],
    final: bool,
) -> dict[int, Expr] | None:
    """The results of a branch with what is computed in any case among its operands; or None."""
    given = dict(zip(n.op.body.inputs, [number[x] for x in n.inputs[1:]], strict=True))
    inner = numbers(n.op.body, given, table)
    sides = [{inner[m] for m in postorder(path.outputs)} for path in n.op.paths]
    both = sides[0] & sides[1]
    moved = edge(n.op.body, lambda m: inner[m] in both or inner[m] in there, final)
    if not moved:
        return None
    symbols = {inner[m]: Input(m.name or m.op.name, m.type) for m in reversed(moved)}
    outside = dict(zip([inner[m] for m in moved], inline(n, moved), strict=True))
    operands = {symbol: there.get(k, outside[k]) for k, symbol in symbols.items()}
    became: dict[Expr, Expr] = {m: symbols[inner[m]] for m in moved}
    made = [put_in(side, became, again) for side in n.op.sides()]
    return of_sides(n, range(n.op.count), made, operands)


def numbers(body: Graph, given: Mapping[Any, int], table: Mapping[tuple, int]) -> dict[Expr, int]:
    """The number of each node of a body: that of an equal node outside, if there is one, else one
    below 0."""
    number: dict[Expr, int] = dict(given)
    own: dict[tuple, int] = {}
    for m in postorder(body.outputs):
        if m not in number:
            leaf = ("constant", m.key) if isinstance(m, Constant) else ("leaf", id(m))
            key = (m.op, m.static, *[number[i] for i in m.inputs]) if m.op is not None else leaf
            number[m] = table[key] if key in table else own.setdefault(key, -1 - len(own))
    return number


def edge(body: Graph, in_any_case: Callable[[Expr], bool], final: bool) -> list[Expr]:
    """The last nodes of a body, from its outputs down, that may be handed in."""
    found, seen, stack = list[Expr](), set[Expr](), list(body.outputs)
    varies = dependents(body.nodes, body.inputs)
    while stack:
        m = stack.pop()
        if m in seen or m.op is None:
            continue
        seen.add(m)
        single = not isinstance(m.type, TupleType) and m.op.merges
        single = single and (final or not m.type.is_float)
        if single and m in varies and in_any_case(m) and not is_filled(m):
            found.append(m)
        else:
            stack += m.inputs
    return found


# ---- branches that join


def one_branch(graph: Graph, branches: Sequence[Expr]) -> list[Change]:
    """The first branches on one condition of which none needs another but for its results."""
    groups: dict[Expr, list[Expr]] = {}
    for n in branches:
        groups.setdefault(n.inputs[0], []).append(n)
    starts = [group[k:] for group in groups.values() for k in range(len(group) - 1)]
    for group in starts:
        joining = independent(graph, group)
        if len(joining) > 1:
            return [(n, "one branch", found) for n, found in fused(joining)]
    return []


def independent(graph: Graph, group: Sequence[Expr]) -> list[Expr]:
    """The first one and those of the others that can join it."""
    joining = {group[0]: None}
    after = dependents(graph.order, joining)
    for n in group[1:]:
        others = [x for x in n.inputs if computed_by(x)[0] not in joining]
        if after.isdisjoint(others):
            joining[n] = None
            after |= dependents(graph.order, [n])
    return list(joining)


def fused(group: Sequence[Expr]) -> list[tuple[Expr, dict[int, Expr]]]:
    """The results of each of these, of one branch that gives them all. Several of them may be of
    one operation, so each has symbols of its own."""
    made: dict[tuple[Expr, int], tuple[Expr, Expr]] = {}  # a result in both sides
    operand: dict[Expr, Expr] = {}
    for n in group:
        own = {i: Input(i.name, i.type, i.facts) for i in n.op.body.inputs}
        pairs = list(zip(n.op.body.inputs, n.inputs[1:], strict=True))
        operand |= {own[i]: x for i, x in pairs if computed_by(x) not in made}
        inner = [(i, made.get(computed_by(x), (own[i], own[i]))) for i, x in pairs]
        sides = [put_in(side, {i: both[k] for i, both in inner}, again)
                 for k, side in enumerate(n.op.sides())]  # fmt: skip
        made |= {(n, k): both for k, both in enumerate(zip(*sides, strict=True))}
    symbols: list = list(operand)
    names = [n.op.body.names[k] for n, k in made]
    bodies = [Graph(side, symbols, names) for side in zip(*made.values(), strict=True)]
    op = group[0].op.changed(joined(bodies))
    new = dict(zip(made, results(op.apply((group[0].inputs[0], *operand.values()))), strict=True))
    return [(n, {k: new[n, k] for k in range(n.op.count)}) for n in group]
