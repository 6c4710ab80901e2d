"""The rewriter: rounds from the inputs up, until nothing is due.

A node whose rules have all been tried in vain is quiet. It is due again once something changes at
which a rule has looked there: how often a node is used, by what, or whether the graph has a certain
expression. Equal nodes merge on the way. A rewrite that would add operations, because what it
matched is needed elsewhere too, is refused. All that happens is logged as (old, new): the log is
both the work and the film.

Rewriting may take any number of steps, but it must get somewhere. A chain of rewrites leads from a
node to what a rule makes of it, and from there on. It is looked at after 100 steps, 200, 400 and so
on. Each time the graph must be cheaper than ever before in this chain, or the expression at hand
smaller. Both are whole numbers, so no chain goes on for ever.
"""

from collections.abc import Iterable
from math import inf
from typing import Any, NoReturn

from .errors import RewriteLoopError
from .graph import Graph, postorder, rebuild, resolve
from .node import Constant, Expr, Origin, made_by
from .pattern import Bindings, is_zero
from .rule import RulesOfGraph, apply_rule
from .seams import HOOKS
from .stage import Pair, Step
from .uses import Uses, all_constant, computed, hash_cons, key

MERGE, FOLD = "merge equal nodes", "fold constants"


class Rewriter:
    """A graph, and what rules make of it.

    due      nodes to be visited
    late     quiet nodes at which the late rules are still to be tried; `waiting` are those that are
             visited in this round for the late rules alone
    readers  by node or key: the quiet nodes where a rule has asked about it
    by_key   one node of each kind
    became   in this round: what a node turned into
    final    in this round: what a node is in the end
    against  a word for what was against the latest proposal of a rule, or none
    """

    def __init__(self, graph: Graph, rules: Any):
        self.roots, self.order, self.mode = list(graph.outputs), graph.order, rules.mode
        self.rules = RulesOfGraph(rules, {n.op for n in graph.order})
        self.uses, self.progress = Uses(self.order, self.roots), Progress()
        self.by_key: dict[tuple, Expr] = {}
        self.log, self.steps, self.marks = list[Pair](), list[Step](), list[int]()
        self.due, self.late, self.against = set(self.order), set[Expr](), ""
        self.readers: dict[Any, list[Expr]] = {}

    def shorten(self) -> None:
        """One round without the late rules, which are to see the terms that this leaves."""
        self.round(with_late=False)

    def finish(self) -> bool:
        """Rounds with all rules, until nothing is due. Did anything change?"""
        steps = len(self.steps)
        while self.due or self.late:
            self.round(with_late=True)
        return len(self.steps) > steps

    def round(self, with_late: bool) -> None:
        """From the inputs up: visit all that is due, and all that stands above a change."""
        due, self.due = self.due, set()
        self.final = final = dict[Expr, Expr]()
        self.became = became = dict[Expr, Expr]()
        self.with_late, self.waiting = with_late, self.late - due if with_late else set()
        for n in self.order:
            if n in final:
                continue
            changed = not became.keys().isdisjoint(n.inputs)
            if not (changed or n in due or n in self.due or n in self.waiting):
                final[n] = n
                continue
            self.visit(n)
            if n not in final:  # it was rewritten, and so is what it became
                resolve([n], became, final, self.visit, self.stop)
        if with_late:
            self.late = set()
        if became:
            self.roots = [final[root] for root in self.roots]
            self.order = postorder(self.roots)
            for n in self.uses.name_users(self.order, self.roots):
                self.wake(n)

    # ---- one node

    def visit(self, n: Expr) -> None:
        """Give n its final inputs, then merge it with an equal node, or rewrite it once."""
        if n.op is None:
            self.visit_leaf(n)
            return
        new = n
        if not self.became.keys().isdisjoint(n.inputs):
            new = rebuild(n, tuple([self.final[i] for i in n.inputs]))
            self.became[n] = new
            self.log.append((n, new))
            self.uses.move(n, new)
            self.progress.move(n, new)
            self.wake(n)
        equal = self.equal(new)
        if equal is not None:
            self.record(MERGE, new, equal)
        else:
            self.rewrite(new)
        if new in self.final:
            self.final[n] = self.final[new]

    def visit_leaf(self, n: Expr) -> None:
        """Equal constants are one."""
        equal = self.leaf(n)
        self.final[n] = self.final[equal] = equal
        if equal is not n:
            self.became[n] = equal
            self.uses.hold(equal, self.uses.count.pop(n), None)

    def equal(self, n: Expr) -> Expr | None:
        """Another node that computes the same, if the graph has one."""
        own = key(n)
        other = self.by_key.get(own)
        if other is not None and other is not n and n.op.merges and self.is_done(other):
            return other
        self.by_key[own] = n
        self.wake(own)
        return None

    def is_done(self, n: Expr) -> bool:
        """Is n final, and still in the graph? One whose turn is to come will be visited. If n is
        being rewritten, and into a node that equals it, the rules run in a circle."""
        if n in self.final:
            return self.final[n] is n and self.uses.count[n] > 0
        if n in self.became:
            self.stop()
        self.due.add(n)
        return False

    def rewrite(self, n: Expr) -> None:
        """Apply the first rule that may be applied; what it makes is visited in its turn."""
        constant = all_constant(n.inputs)
        self.uses.asked = set[Any]()
        if constant and self.fold(n, exact=False):
            return
        early, late, every = self.rules.about(n)
        only_late = n in self.waiting and n not in self.due
        rules = late if only_late else every if self.with_late else early
        for rule in rules:
            try:
                for bindings in rule.matches(n, self):
                    if self.apply(n, rule, bindings):
                        return
            except ArithmeticError:  # of the rule itself, for numbers too large: it does not apply
                continue
        if constant and self.fold(n, exact=True):
            return
        self.final[n] = n
        self.due.discard(n)
        for thing in self.uses.asked:
            self.readers.setdefault(thing, []).append(n)
        if late and not self.with_late:
            self.late.add(n)

    def apply(self, n: Expr, rule: Any, bindings: Bindings) -> bool:
        """Build the replacement and put it in place, if nothing is against it."""
        self.against, new, fresh, needs = self.proposal(n, rule, bindings)
        if self.against:
            return False
        self.rules.admit(fresh)
        if fresh and fresh[-1] is new:
            new.name = new.name or n.name
            if self.by_key.get(key(new)) is n:  # a + b became b + a
                self.by_key[key(new)] = new
        shown = {k: v for k, v in bindings.items() if isinstance(v, Expr)}
        self.record(rule.name, n, new, (shown, rule.caveat, needs))
        if not self.progress.advances(n, new, fresh, self.uses.cost):
            self.stop()
        return True

    def proposal(self, n: Expr, rule: Any, bindings: Bindings) -> tuple[str, Expr, list, tuple]:
        """The replacement, made of what the graph has, and a word for what is against it: it has no
        type, it is n, it costs too much, a condition is false, the law of products."""
        new = made_by(Origin("rewrite", rule.name, n), apply_rule, rule, bindings, n)
        if new is None:
            return "nothing", n, [], ()
        new, fresh = hash_cons(new, self)
        policy = bindings.get("cost_policy", rule.cost_policy)
        if new is n or policy and not getattr(self.uses, policy)(n, new, fresh):
            self.uses.asked.update(map(key, fresh))
            return "same" if new is n else "cost", new, fresh, ()
        if any(map(HOOKS["refuted"], needs := rule.needed(bindings))):
            return "false", new, fresh, needs
        against = "law" if rule.breaks_law(n, new, self.mode) else ""
        return against, new, fresh, needs

    def fold(self, n: Expr, exact: bool) -> bool:
        """Compute an operation on constants. Those on exact zeros wait for the rules."""
        if exact is not any(map(is_zero, n.inputs)) or self.uses.is_stretched(n):
            return False
        value = made_by(Origin("rewrite", FOLD, n), computed, n)
        if value is not None:
            self.record(FOLD, n, value)
        return value is not None

    def record(self, rule: str, n: Expr, new: Expr, about: tuple = ({}, "", ())) -> None:
        """Put new where n was, write it down with its bindings, note and needs, and wake those who
        asked about what has changed."""
        before = self.uses.cost
        self.uses.replace(n, new)
        bindings, note, needs = about
        self.steps.append(Step(rule, n, new, bindings, note, needs, (before, self.uses.cost)))
        self.marks.append(len(self.log))
        self.log.append((n, new))
        self.became[n] = new
        if new in self.final:
            self.final[n] = self.final[new]
        for changed in self.uses.changed:
            self.wake(changed)
        self.uses.changed.clear()

    def wake(self, thing: Any) -> None:
        """This has changed: those who asked about it are due."""
        if thing in self.readers:
            self.due.update(self.readers.pop(thing))

    # ---- what rules ask of the graph, beside the uses

    def hash_cons(self, new: Expr) -> tuple[Expr, list[Expr]]:
        """An expression made of what the graph has, and the operations that it does not have."""
        return hash_cons(new, self)

    def leaf(self, n: Expr) -> Expr:
        """The one of equal constants; anything else, as it is."""
        return self.by_key.setdefault(n.key, n) if isinstance(n, Constant) else n

    def has(self, new: Expr) -> bool:
        """Has the graph this expression?"""
        _, fresh = hash_cons(new, self)
        self.uses.asked.update(map(key, fresh))
        return not fresh

    def stop(self) -> NoReturn:
        last = ", ".join(step.rule for step in self.steps[-10:])
        raise RewriteLoopError(f"the rules come to no end at {self.steps[-1].before!r}; it was "
                               f"rewritten last by: {last}. Drop one of them, or give it a "
                               "condition.")  # fmt: skip


# ---- does it come to an end?


FIRST = 100  # steps before a chain is looked at

# how many steps led to a node, after how many the next look is due, and the least cost and size
START = (0, FIRST, inf, inf)


class Progress:
    """The chain behind each node that was made by a rule."""

    def __init__(self) -> None:
        self.chains: dict[Expr, tuple] = {}

    def move(self, n: Expr, new: Expr) -> None:
        """n with other inputs: the same chain is behind it."""
        if n in self.chains:
            self.chains[new] = self.chains[n]

    def advances(self, n: Expr, new: Expr, fresh: Iterable[Expr], cost: float) -> bool:
        """A rule made n into new, with these fresh operations; so much does the graph cost now.
        Has the chain got somewhere?"""
        steps, due, least_cost, least_size = self.chains.get(n, START)
        steps += 1
        if steps == due:
            size = len(postorder([new]))
            if cost >= least_cost and size >= least_size:
                return False
            due, least_cost, least_size = 2 * due, min(cost, least_cost), min(size, least_size)
        chain = steps, due, least_cost, least_size
        self.chains |= dict.fromkeys((new, *fresh), chain)
        return True
