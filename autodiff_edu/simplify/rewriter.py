"""The rewriter: one pass from the inputs up, at each node until no rule applies any more.

Equal nodes merge on the way. A rewrite that would add operations, because what it matched is
needed elsewhere too, is refused. Everything that happens is logged as (old, new); the log is
both the work and the film.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import (
    Constant,
    Expr,
    Origin,
    RewriteLoopError,
    Step,
    TupleType,
    made_by,
    postorder,
    rebuild,
    text,
)
from .index import RuleSet
from .match import Found, is_zero
from .types import restored
from .uses import Uses

LONGEST = 100  # rewrites of one node before the rules are taken to run in a circle
MERGE, FOLD = "merge equal nodes", "fold constants"


class Rewriter:
    """One pass. `final` holds what is done, `became` what a node turned into on the way."""

    def __init__(self, roots: Sequence[Expr], rules: RuleSet):
        self.roots, self.rules, self.mode = roots, rules, rules.mode
        self.final: dict[Expr, Expr] = {}
        self.became: dict[Expr, Expr] = {}
        self.table: dict[tuple, Expr] = {}
        self.log: list[tuple[Expr, Expr]] = []
        self.steps: list[Step] = []
        self.marks: list[int] = []
        self.turns: dict[Expr, int] = {}  # how many rewrites led to a node
        self.refused = False  # did a use count stand in the way of a rewrite?
        self.order = postorder(roots)
        self.uses = Uses(self.order, roots)
        self.ops = {n.op for n in self.order}

    def run(self) -> list[Expr]:
        for n in self.order:
            self.visit(n)
            if n not in self.final:
                self.finish(n)
        return [self.final[r] for r in self.roots]

    def finish(self, n: Expr) -> None:
        """Visit what n became, and what that is made of, until n's final form is known."""
        stack, opened = [n], set()
        final, became = self.final, self.became
        while stack:
            n = stack[-1]
            if n in final:
                stack.pop()
                continue
            below = (became[n],) if n in became else n.inputs
            waiting = [i for i in below if i not in final]
            if waiting:
                opened.add(n)
                if not opened.isdisjoint(waiting):
                    self.stop()
                stack.extend(reversed(waiting))
            elif n in became:
                final[n] = final[became[n]]
            else:
                self.visit(n)

    # ---- one node

    def visit(self, n: Expr) -> None:
        """Give n its final inputs, merge it with an equal node, or rewrite it once."""
        if n.op is None:
            self.final[n] = self.table.setdefault(n.key, n) if isinstance(n, Constant) else n
            return
        inputs = tuple([self.final[i] for i in n.inputs])
        new = rebuild(n, inputs)
        if new is not n:
            self.move(n, new)
        key = self.key(n, inputs)
        equal = self.table.get(key, new) if n.op.merges else new
        if equal is not new and equal in self.became and equal not in self.final:
            self.stop()  # to rewrite this node, its own rewriting would have to be done
        if equal is not new and self.final.get(equal) is equal:
            self.merge(new, equal)
        else:
            self.table[key] = new
            self.rewrite(new)
        if new is not n and new in self.final:
            self.final[n] = self.final[new]

    def move(self, n: Expr, new: Expr) -> None:
        """n with other inputs: the same uses, and the same number of rewrites behind it."""
        self.log.append((n, new))
        self.became[n] = new
        self.uses.move(n, new)
        if n in self.turns:
            self.turns[new] = self.turns[n]

    @staticmethod
    def key(n: Expr, inputs: tuple[Expr, ...]) -> tuple:
        """Equal for nodes that compute the same; x·y is y·x."""
        if n.op.commutative and id(inputs[0]) > id(inputs[1]):
            inputs = inputs[::-1]
        return (n.op, inputs, n.static)

    def merge(self, n: Expr, equal: Expr) -> None:
        before = self.uses.cost
        self.refused |= self.uses.user.get(equal) is not None  # shared now: a region of its own
        self.uses.replace(n, equal, self.final)
        self.record(Step(MERGE, n, equal, cost=(before, self.uses.cost)))

    def rewrite(self, n: Expr) -> None:
        """Apply the first rule that may be applied; what it makes is visited in its turn."""
        first = n.inputs[0] if n.inputs else None  # most often it is enough to look at this one
        known = isinstance(first, Constant) and all(isinstance(i, Constant) for i in n.inputs)
        if known and self.fold(n, exact=False):
            return
        for rule in self.rules.candidates(n):
            for found in rule.matches(n, self):
                if self.accept(n, rule, found):
                    return
        if not (known and self.fold(n, exact=True)):
            self.final[n] = n

    def accept(self, n: Expr, rule: Any, found: Found) -> bool:
        """Build the replacement and put it in place, if it has a type and pays."""
        new = made_by(Origin("rewrite", rule.name, n), lambda: restored(rule.build(found, n), n))
        if new is None:
            return False
        new, fresh = self.known(new)
        if new is n:
            return False
        if rule.pays and not getattr(self.uses, rule.pays)(n, new, fresh):
            self.refused = True
            return False
        if fresh and fresh[-1] is new:
            self.introduce(n, new)
        bindings = {k: v for k, v in found.items() if isinstance(v, Expr)}
        self.replace(Step(rule.name, n, new, bindings, rule.caveat, rule.needed(found)), fresh)
        return True

    def known(self, new: Expr) -> tuple[Expr, list[Expr]]:
        """The replacement made of nodes that exist already, as far as they do, and the
        operations that do not, inputs first. What is constant is computed at once."""
        place: dict[Expr, Expr] = {}
        fresh = []
        for m in self.unknown(new):
            m_now = rebuild(m, tuple([self.leaf(place.get(i, i)) for i in m.inputs]))
            equal = self.table.get(self.key(m, m_now.inputs))
            if equal is not None and self.final.get(equal) is equal and m.op.merges:
                m_now = equal
            else:
                value = self.value(m_now)
                m_now = m_now if value is None else value
                if m_now.op is not None:
                    fresh.append(m_now)
            place[m] = m_now
        return place.get(new, new), fresh

    def unknown(self, new: Expr) -> list[Expr]:
        """The operations of the replacement that the graph did not have, inputs first."""
        found: dict[Expr, None] = {}
        stack = [new]
        while stack:
            n = stack.pop()
            if n.op is not None and n not in self.uses:
                found.pop(n, None)  # once more, below the latest that uses it
                found[n] = None
                stack.extend(n.inputs)
        return list(found)[::-1]

    def value(self, n: Expr) -> Constant | None:
        """What is constant, but for exact zeros, which only the rules know."""
        for i in n.inputs:
            if not isinstance(i, Constant) or i.exact:
                return None
        return computed(n)

    def leaf(self, n: Expr) -> Expr:
        return self.table.setdefault(n.key, n) if isinstance(n, Constant) else n

    def introduce(self, n: Expr, new: Expr) -> None:
        """A new node keeps the name of the old one and its place among equal nodes."""
        new.name = new.name or n.name
        key = self.key(new, new.inputs)
        if self.table.get(key) is n:
            self.table[key] = new  # a + b became b + a

    def fold(self, n: Expr, exact: bool) -> bool:
        """Compute an operation on constants. Those on exact zeros wait for the rules."""
        if exact is not any(is_zero(i) for i in n.inputs):
            return False
        value = made_by(Origin("rewrite", FOLD, n), computed, n)
        if value is not None:
            self.replace(Step(FOLD, n, value), [])
        return value is not None

    # ---- bookkeeping

    def replace(self, step: Step, fresh: Sequence[Expr]) -> None:
        n, new = step.before, step.after
        before = self.uses.cost
        self.turns[new] = turn = self.turns.get(n, 0) + 1
        # an operand that takes the place of its user may begin a region of its own now
        self.refused |= new in self.final and self.uses.user.get(new) is not None
        self.refused |= self.uses.add(fresh)
        self.uses.replace(n, new, self.final)
        self.record(step._replace(cost=(before, self.uses.cost)))
        if turn > LONGEST:
            self.stop()

    def record(self, step: Step) -> None:
        self.steps.append(step)
        self.marks.append(len(self.log))
        self.log.append((step.before, step.after))
        self.became[step.before] = step.after

    def stop(self) -> None:
        last = [step.rule for step in self.steps[-10:]]
        raise RewriteLoopError(
            f"the rules come to no end at {text(self.steps[-1].before)}; the last {len(last)} "
            f"were: {', '.join(last)}. Drop one of them, or give it a condition."
        )


def computed(n: Expr) -> Constant | None:
    """The value of an operation on constants, unless it is large or a nan."""
    values = [i.value for i in n.inputs if isinstance(i, Constant)]
    several = isinstance(n.type, TupleType)
    if several or not n.inputs or len(values) < len(n.inputs) or not n.type.known:
        return None
    if n.size > max(64, *[i.size for i in n.inputs]):
        return None
    with np.errstate(all="ignore"):
        value = n.op.perform(*values, **dict(n.static))
    return None if n.type.is_float and np.isnan(value).any() else Constant(value)
