"""The rewriter: one pass from the inputs up, at each node until no rule applies any more.

Equal nodes merge on the way. A rewrite that would add operations, because what it matched is
needed elsewhere too, is refused. Everything that happens is logged as (old, new); the log is
both the work and the film.
"""

from collections.abc import Iterable
from typing import Any, NoReturn

from ...expr import (
    Constant,
    Expr,
    Graph,
    Log,
    Origin,
    RewriteLoopError,
    Step,
    made_by,
    resolve,
    text,
)
from ..facts.refuter import refuted
from .blocked import Blocked
from .distance import Distance
from .hash_consing import all_constant, computed, hash_cons, key, key_of, lookup
from .loop_detection import Progress
from .match_context import MatchContext
from .pattern import Bindings, is_zero
from .rule_index import RuleSet
from .use_counts import Met, Uses
from .validate import apply_rule

MERGE, FOLD = "merge equal nodes", "fold constants"
BARE: tuple = ({}, "", ())  # a step without bindings, note and needs


class Rewriter:
    """Rounds of rewriting. `final` holds what is done in a round, `became` what a node turned into
    on the way. In the next round only those are visited that may have something to do: what need
    not wait any more, and what is still to be stabilised."""

    def __init__(self, graph: Graph, rules: RuleSet):
        self.roots, self.order, self.mode = list(graph.outputs), graph.order, rules.mode
        self.rules = rules.among({n.op for n in graph.order})
        self.table: dict[tuple, Expr] = {}
        self.log = Log()
        self.steps: list[Step] = []
        self.marks: list[int] = []
        self.progress = Progress()
        self.uses = Uses(self.order, self.roots)
        self.final: dict[Expr, Expr] = {}
        self.became: dict[Expr, Expr] = {}
        self.revisit: set[Expr] = set()  # met before their turn
        self.late: set[Expr] = set()  # to be stabilised
        self.blocked = Blocked()

    def run(self, stabilise: bool, worklist: Iterable[Expr] = ()) -> bool:
        """Visit these nodes, those that wait, and what is above any that changes. Did any?"""
        self.stabilise, done = stabilise, len(self.steps)
        worklist = self.to_revisit().union(worklist)
        self.late = self.late - worklist if stabilise else set()
        if not worklist and not self.late:
            return False
        self.revisit, self.final, self.became = set(), {}, {}
        revisit, final, untouched = self.revisit, self.final, self.became.keys().isdisjoint
        waiting = worklist | self.late
        distance = self.distance(len(worklist))
        for n in self.order:
            due = n in waiting or n in revisit
            if not due and untouched(n.inputs):
                final[n] = n
                continue
            if distance is not None:
                self.visit_unless_far(n, due, distance)
            elif n not in final:
                self.visit(n)
                if n not in final:
                    self.finish(n)
        if self.became:
            self.close()
        if stabilise:
            self.late = set()
        return len(self.steps) > done

    def visit_unless_far(self, n: Expr, due: bool, distance: Distance) -> None:
        """Visit a node that is due, or one from which a rewrite below it may be seen; a node far
        above all rewrites is only made of its new inputs."""
        steps = len(self.steps)
        if n not in self.final:
            far = distance.far(n)
            self.visit(n, far and not due)
        if n not in self.final:
            self.finish(n)
        if len(self.steps) > steps or n not in distance.above:
            distance.rewritten(n)

    def distance(self, due: int) -> Distance | None:
        """From rewrites, where few nodes are due: not in the rounds that stabilise the graph first,
        nor with rules that may look anywhere."""
        rules = self.rules.rules
        few = not self.late and 2 * due < len(self.order)
        return Distance(rules, self.uses.count) if few and rules.regions else None

    def to_revisit(self) -> set[Expr]:
        """Those met before their turn, those that have lost their only user, or got others, and
        those that need not wait any more."""
        self.revisit |= self.blocked.freed(self.uses, self.table)
        self.revisit |= self.uses.find_users(self.order)
        return self.revisit

    def close(self) -> None:
        """The graph as the round leaves it, inputs first."""
        count = self.uses.count
        self.roots = [self.final[r] for r in self.roots]
        self.order = [n for n, now in self.final.items() if n is now and (n.op is None or count[n])]

    def finish(self, n: Expr) -> None:
        """Visit what n became, and what that is made of, until n's final form is known."""
        resolve([n], self.became, self.final, self.visit, self.stop)

    # ---- one node

    def visit(self, n: Expr, far: bool = False) -> None:
        """Give n its final inputs, merge it with an equal node, or rewrite it once. Where it stands
        far above what was rewritten, its rules would say what they have said."""
        if n.op is None:
            self.finish_leaf(n)
            return
        final, new = self.final, n
        if not self.became.keys().isdisjoint(n.inputs):
            inputs = tuple([final[i] for i in n.inputs])
            new = Expr(n.op, inputs, n.static, n.type, n.origin, n.name)
            self.move(n, new)
        place = key(new)
        equal = self.table.setdefault(place, new)
        if equal is not new:
            if n.op.merges and self.is_live(equal):
                self.record(MERGE, new, equal)
                final[n] = final[new]
                return
            self.table[place] = new
        if far and self.blocked.move(n, new, self):
            final[new] = new
        else:
            self.rewrite(new)
        if new is not n and new in final:
            final[n] = final[new]

    def finish_leaf(self, n: Expr) -> None:
        """Equal constants are one."""
        equal = self.leaf(n)
        self.final[n] = self.final[equal] = equal
        if equal is not n:
            self.uses.hold(equal, self.uses.count.pop(n), None)
            self.became[n] = equal

    def move(self, n: Expr, new: Expr) -> None:
        """n with other inputs: the same uses, and the same rewrites behind it."""
        self.log.add(n, new)
        self.became[n] = new
        self.uses.move(n, new)
        self.progress.move(n, new)

    def is_live(self, equal: Expr) -> bool:
        """Is this node done, and still in the graph? One that is not done yet will be visited."""
        if equal in self.final:
            return self.final[equal] is equal and self.uses.count[equal] > 0
        if equal in self.became:
            self.stop()  # to rewrite the node at hand, its own rewriting would have to be done
        self.revisit.add(equal)
        return False

    def rewrite(self, n: Expr) -> None:
        """Apply the first rule that may be applied; what it makes is visited in its turn."""
        constant = bool(n.inputs) and n.inputs[0].op is None and all_constant(n.inputs)
        if constant and self.fold(n, exact=False):
            return
        context: MatchContext = self
        met: list[Met] = []  # what is in the way of more
        missed: list[tuple] = []  # what would have made a rewrite cheaper
        self.uses.met, self.missed = met, missed
        shorten, every, late = self.rules.phases(n)
        rules = shorten if not self.stabilise else late if n in self.late else every
        for rule, match in rules:
            try:
                bindings: Bindings = {}
                if match is None:
                    ways = rule.matches(n, context)
                elif match(n, bindings) and rule.holds(bindings, n, self.mode):
                    ways = (bindings,)
                else:
                    continue
                for bindings in ways:
                    if self.accept(n, rule, bindings):
                        return
            except ArithmeticError:  # of the rule itself, for numbers too large: it does not apply
                continue
        if constant and self.fold(n, exact=True):
            return
        self.final[n] = n
        if met or missed:
            self.blocked.keep(n, met, missed)
        if late and not self.stabilise:
            self.late.add(n)

    def accept(self, n: Expr, rule: Any, bindings: Bindings) -> bool:
        """Build the replacement and put it in place, if it has a type and the cost allows it."""
        new = made_by(Origin("rewrite", rule.name, n), apply_rule, rule, bindings, n)
        if new is None:
            return False
        new, fresh = self.hash_cons(new)
        if new is n:
            return False
        policy = bindings.get("cost_policy", rule.cost_policy)
        if policy and not getattr(self.uses, policy)(n, new, fresh):
            self.miss(fresh)
            return False
        if any(map(refuted, needs := rule.needed(bindings))):
            return False
        self.rules.admit(fresh)
        if fresh and fresh[-1] is new:
            self.introduce(n, new)
        shown = {k: v for k, v in bindings.items() if isinstance(v, Expr)}
        self.record(rule.name, n, new, (shown, rule.caveat, needs))
        return self.progress.advances(n, new, fresh, self.uses.cost) or self.stop()

    def hash_cons(self, new: Expr) -> tuple[Expr, list[Expr]]:
        """An expression made of what the graph has, and the operations that it does not have."""
        return hash_cons(new, self)

    def has(self, new: Expr) -> bool:
        """Has the graph this expression? If not, the node at hand is visited again once it has."""
        _, fresh = self.hash_cons(new)
        self.miss(fresh)
        return not fresh

    def has_applied(self, op: Any, inputs: tuple[Expr, ...]) -> bool:
        """The same of an operation without parameters on nodes of the graph; nothing is built, but
        on constants, where its value tells."""
        if all_constant(inputs):
            return self.has(op.apply(inputs))
        place = key_of(op, inputs)
        present = lookup(place, self) is not None
        if not present:
            self.missed.append(place)
        return present

    def miss(self, fresh: list[Expr]) -> None:
        """The node at hand waits for the first of these operations."""
        made = set(fresh)
        self.missed += [key(m) for m in fresh if made.isdisjoint(m.inputs)]

    def leaf(self, n: Expr) -> Expr:
        return self.table.setdefault(n.key, n) if isinstance(n, Constant) else n

    def introduce(self, n: Expr, new: Expr) -> None:
        """A new node keeps the name of the old one and its place among equal nodes."""
        new.name = new.name or n.name
        place = key(new)
        if self.table.get(place) is n:
            self.table[place] = new  # a + b became b + a

    def fold(self, n: Expr, exact: bool) -> bool:
        """Compute an operation on constants. Those on exact zeros wait for the rules."""
        if exact is not any(is_zero(i) for i in n.inputs) or self.uses.is_stretched(n):
            return False
        value = made_by(Origin("rewrite", FOLD, n), computed, n)
        if value is not None:
            self.record(FOLD, n, value)
        return value is not None

    # ---- bookkeeping

    def record(self, rule: str, n: Expr, new: Expr, about: tuple = BARE) -> None:
        """Put new where n was, and write it down, with the step's bindings, note and needs."""
        before = self.uses.cost
        self.uses.replace(n, new)
        bindings, note, needs = about
        cost = (before, self.uses.cost)
        self.steps.append(Step(rule, n, new, bindings, note, needs, cost))
        self.marks.append(len(self.log))
        self.log.add(n, new)
        self.became[n] = new
        if new in self.final:
            self.final[n] = self.final[new]

    def stop(self) -> NoReturn:
        last = [step.rule for step in self.steps[-10:]]
        raise RewriteLoopError(
            f"the rules come to no end at {text(self.steps[-1].before)}; it was rewritten "
            f"last by: {', '.join(last)}. Drop one of them, or give it a condition."
        )
