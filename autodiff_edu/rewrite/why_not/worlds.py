"""Worlds that differ from a frame in one thing, and the engine at rest in each of them.

    the frame, where the rule is refused              x*y and x*y + x*exp(y)
    the same without the other user, where it fires   x*y + x*exp(y)

The difference is the obstacle: whoever changes this alone sees the rule fire. So no answer rests on
a second copy of what the engine does.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, takewhile
from typing import Any, NamedTuple

import numpy as np

from ...core.pattern import Bindings
from ...core.rewriter import Rewriter
from ...core.rule import MODES, RuleSet
from ...core.uses import hash_cons, key, operations
from ...expr import Expr, Graph, Input, cached_property, postorder, substitute, uncollected
from ..engine.rule_table import Rules
from ..simplify import remembering, rule_set

MOST = 3  # changes at once


class AtRest(Rewriter):
    """The rewriter before a graph in which nothing is due, on its way up: the nodes before this one
    are final."""

    def __init__(self, graph: Graph, rules: RuleSet, node: Expr):
        super().__init__(graph, rules)
        before = takewhile(lambda n: n is not node, self.order)
        self.final, self.became = {n: n for n in before}, {}
        for n in self.order:
            if n.op is not None:
                self.by_key.setdefault(key(n), n)
            else:
                self.leaf(n)


class Try(NamedTuple):
    """One match of a rule: what it would make of the node, and a word for what is against that."""

    against: str
    new: Expr
    fresh: Sequence[Expr]
    needs: tuple[Expr, ...]
    bindings: Bindings


class World:
    """A graph with a node in it, the rules, a mode, and whether no derivative will follow; and the
    worlds in which one thing is otherwise, for all rules that are asked about."""

    def __init__(self, graph: Graph, node: Expr, rules: Rules, mode: str, final: bool):
        self.graph, self.node, self.rules, self.mode, self.final = graph, node, rules, mode, final
        self.changed = dict[str, World]()

    @cached_property
    def engine(self) -> AtRest:
        rules = rule_set(self.mode, self.rules, self.final)
        return AtRest(self.graph, rules, self.node)

    def allows(self, rule: Any) -> bool:
        """Would the rule fire at the node?"""
        return any(not one.against for one in self.tries(rule))

    def tries(self, rule: Any) -> list[Try]:
        """All that the engine would try with the rule at the node, until nothing is against it."""
        n, engine, row = self.node, self.engine, list[Try]()
        engine.against = ""
        if all(rule is not candidate for candidate in engine.rules.about(n).every):
            return row
        with uncollected(), remembering(), np.errstate(all="ignore"):
            try:
                for bindings in rule.matches(n, engine):
                    row.append(Try(*engine.proposal(n, rule, bindings), bindings))
                    engine.against = row[-1].against
                    if not engine.against:
                        break
            except ArithmeticError:  # of the rule itself, for numbers too large: it does not apply
                pass
        return row

    def balance(self, new: Expr) -> "Balance":
        """The cost of the graph, and its cost with this in the place of the node."""
        uses = self.engine.uses
        new, fresh = hash_cons(new, self.engine)
        more, dearer = uses.balance(self.node, new, fresh)
        many = operations([n for n in self.engine.order if n.op is not None])
        return Balance((many, many + more), (uses.cost, uses.cost + dearer))


class Balance(NamedTuple):
    """How many operations there are and what they cost, before and after."""

    operations: tuple[int, int]
    cost: tuple[int, int]

    def __str__(self) -> str:
        (many, then), (cost, later) = self
        return f"operations {many} → {then}, cost {cost} → {later}"


# ---- what may be otherwise


def whole(w: World) -> World:
    """The node is a result by itself, and not only a part of what uses it."""
    return World(Graph([*w.graph.outputs, w.node]), w.node, w.rules, w.mode, w.final)


def alone(w: World) -> World:
    """Nothing but the node is asked for."""
    return World(Graph([w.node]), w.node, w.rules, w.mode, w.final)


def final(w: World) -> World:
    """No derivative will be taken any more."""
    return World(w.graph, w.node, w.rules, w.mode, True)


def freer(w: World, mode: str = MODES[-1]) -> World:
    """The mode is another one."""
    return World(w.graph, w.node, w.rules, mode, w.final)


Facts = Mapping[Input, frozenset[str]]


def with_facts(w: World, facts: Facts | None = None) -> World:
    """These facts are declared of the inputs, or all that could be."""
    if facts is None:
        facts = dict.fromkeys(inputs(w.node), EVERY)
    place: dict[Expr, Expr] = {i: Input(i.name or "", i.type, i.facts | f)
                               for i, f in facts.items()}  # fmt: skip
    *outputs, node = substitute([*w.graph.outputs, w.node], place)
    return World(Graph(outputs), node, w.rules, w.mode, w.final)


def inputs(n: Expr) -> list[Input]:
    """Those of which facts may be declared that say something."""
    return [i for i in postorder([n]) if isinstance(i, Input) and i.type.is_float]


EVERY = frozenset(("positive", "finite", "integer"))
WEAKER = ("nonzero", "nonnegative")  # than positive
CHANGES: dict[str, Callable[[World], World]] = {
    "part": whole, "user": alone, "fact": with_facts, "final": final, "mode": freer,
}  # fmt: skip


def changes(w: World, rule: Any) -> tuple[str, ...] | None:
    """The fewest changes after which the rule fires at the node, or None."""
    worth = [name for name in CHANGES if matters(name, w, rule)]
    for many in range(1, MOST + 1):
        for names in combinations(worth, many):
            if not {"part", "user"} <= {*names} and after(w, names).allows(rule):
                return names
    return None


def after(w: World, names: Sequence[str]) -> World:
    """The world after some changes. Who is free of the law of products has another mode."""
    for name in names:
        name = "mode" if name == "law" else name
        if name not in w.changed:
            w.changed[name] = CHANGES[name](w)
        w = w.changed[name]
    return w


def against_law(w: World, rule: Any) -> bool:
    """Does the mode allow the rule, and only the law of products refuse it?"""
    return any(one.against == "law" for one in w.tries(rule))


def matters(name: str, w: World, rule: Any) -> bool:
    """May the change matter to this rule?"""
    if name in ("part", "user"):
        return {*w.graph.outputs} != {w.node}
    if name == "fact":
        return bool(inputs(w.node)) and (w.mode != "real" or bool(rule.needs))
    if name == "final":
        return rule.final and not w.final
    return w.mode != "real"


# ---- as little as will do


def least_facts(w: World, rule: Any) -> Facts:
    """The weakest facts, of as few inputs as will do, with which the rule fires."""
    facts = dict.fromkeys(inputs(w.node), EVERY)
    for i in facts:
        for fact in sorted(EVERY):
            less = facts | {i: facts[i] - {fact}}
            weaker = [facts | {i: less[i] | {f}} for f in WEAKER] if fact == "positive" else []
            facts = next((f for f in (less, *weaker) if with_facts(w, f).allows(rule)), facts)
    return {i: f - i.facts for i, f in facts.items() if f - i.facts}


def least_mode(w: World, rule: Any) -> str:
    """The strictest mode in which the rule fires."""
    later = MODES[MODES.index(w.mode) + 1 :]
    return next((m for m in later if freer(w, m).allows(rule)), MODES[-1])


def other_uses(w: World, rule: Any) -> list[Expr]:
    """The parts of the node that something else needs, and that alone keep the rule from firing;
    all such parts, where none does so by itself."""
    own = {*postorder([w.node])}
    outside = {i for n in w.engine.order if n not in own for i in n.inputs} | {*w.graph.outputs}
    shared = [n for n in postorder([w.node]) if n.op and n in outside and n is not w.node]
    worlds = {n: World(Graph([w.node, n]), w.node, w.rules, w.mode, w.final) for n in shared}
    return [n for n in shared if not worlds[n].allows(rule)] or shared


def users_of(n: Expr, w: World) -> list[Expr]:
    """The users of a part of the node that stand outside of it."""
    own = {*postorder([w.node])}
    return [m for m in w.engine.order if m not in own and n in {*m.inputs}]
