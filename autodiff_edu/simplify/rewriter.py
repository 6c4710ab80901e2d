"""The rewriter: one pass from the inputs up, at each node until no rule applies any more.

Equal nodes merge on the way. One table of use counts lets the pass refuse a rewrite that would
add operations, because what it matched is needed elsewhere too. Everything that it does is
logged as (old, new); the log is both the work and the film.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..expr import (
    Constant,
    Expr,
    Origin,
    RewriteLoopError,
    Step,
    made_by,
    postorder,
    rebuild,
    text,
)
from .rule import Found, head
from .types import restored

LONGEST = 100  # rewrites of one node before the rules are taken to run in a circle
MERGE, FOLD = "merge equal nodes", "fold constants"
FREE = ("length",)  # bookkeeping that counts as no operation


class RuleSet:
    """Rules by what can be seen of a node at a glance: its operation and those below it."""

    def __init__(self, rules: Iterable[Any], mode: str):
        self.mode = mode
        self.rows: dict[Any, list[tuple]] = {}
        for rule in rules:
            if rule.allowed(mode):
                for op, may_match in rule.roots:
                    self.rows.setdefault(op, []).append((may_match, rule))
        self.seen: dict[tuple, tuple] = {}

    def candidates(self, n: Expr) -> Sequence[Any]:
        """The rules that may match, in the order of their table."""
        rows = self.rows.get(n.op)
        if rows is None:
            return ()
        ins = n.inputs
        key = (n.op, len(ins) == 2 and ins[0] is ins[1], *[head(i) for i in ins])
        found = self.seen.get(key)
        if found is None:
            fit = [rule for may_match, rule in rows if may_match(key[1], key[2:])]
            found = self.seen[key] = tuple(dict.fromkeys(fit))
        return found

    def concerns(self, nodes: Iterable[Expr]) -> bool:
        """May any rule match any of these nodes?"""
        return any(self.candidates(n) for n in nodes)


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
        self.uses, self.user = count_uses(self.order, roots)

    def run(self) -> list[Expr]:
        for n in self.order:
            self.visit(n)
            if n in self.became:
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
        equal = self.table.get(key, new)
        if equal is not new and self.final.get(equal) is equal:
            self.merge(new, equal)
        else:
            self.table[key] = new
            self.rewrite(new)

    def move(self, n: Expr, new: Expr) -> None:
        """n with other inputs: the same uses, and the same number of rewrites behind it."""
        self.log.append((n, new))
        self.became[n] = new
        self.uses[new] = self.uses.pop(n, 1)
        self.user[new] = self.user.get(n)
        if n in self.turns:
            self.turns[new] = self.turns[n]

    @staticmethod
    def key(n: Expr, inputs: tuple[Expr, ...]) -> tuple:
        """Equal for nodes that compute the same; x·y is y·x."""
        if n.op.commutative and id(inputs[0]) > id(inputs[1]):
            inputs = inputs[::-1]
        return (n.op, inputs, n.static)

    def merge(self, n: Expr, equal: Expr) -> None:
        self.record(Step(MERGE, n, equal))
        self.uses[equal] = self.uses.get(equal, 0) + self.uses.pop(n, 1)
        self.user[equal] = None
        self.release(n)

    def rewrite(self, n: Expr) -> None:
        """Apply the first rule that may be applied; what it makes is visited in its turn."""
        if self.fold(n, exact=False):
            return
        for rule in self.rules.candidates(n):
            for found in rule.matches(n, self):
                if self.accept(n, rule, found):
                    return
        if not self.fold(n, exact=True):
            self.final[n] = n

    def accept(self, n: Expr, rule: Any, found: Found) -> bool:
        """Build the replacement and put it in place, if it has a type and pays."""
        new = made_by(Origin("rewrite", rule.name, n), lambda: restored(rule.build(found, n), n))
        if new is None or new is n:
            return False
        fresh = self.fresh(new)
        if rule.phase != "stabilise" and not self.pays(n, new, fresh):
            self.refused = True
            return False
        if fresh and fresh[-1] is new:
            self.introduce(n, new)
        bindings = {k: v for k, v in found.items() if isinstance(v, Expr)}
        self.replace(Step(rule.name, n, new, bindings, rule.caveat), fresh)
        return True

    def introduce(self, n: Expr, new: Expr) -> None:
        """A new node keeps the name of the old one and its place among equal nodes."""
        new.name = new.name or n.name
        if all(i in self.final for i in new.inputs):
            key = self.key(new, new.inputs)  # that of n itself where a + b became b + a
            equal = self.table.get(key, n)
            if self.final.get(equal) is not equal:
                self.table[key] = new

    def fold(self, n: Expr, exact: bool) -> bool:
        """Compute an operation on constants now, unless it is large or makes a nan. Those on
        exact zeros wait until the rules have had their turn."""
        for i in n.inputs:
            if not isinstance(i, Constant):
                return False
        if not n.inputs or exact is not any(i.exact for i in n.inputs):  # type: ignore
            return False
        if not n.type.known or n.size > max(64, *[i.size for i in n.inputs]):
            return False
        with np.errstate(all="ignore"):
            computed = n.op.perform(*[i.value for i in n.inputs], **dict(n.static))  # type: ignore
        if n.type.is_float and np.isnan(computed).any():
            return False
        self.replace(Step(FOLD, n, made_by(Origin("rewrite", FOLD, n), Constant, computed)), [])
        return True

    # ---- what a rewrite costs

    def fresh(self, new: Expr) -> list[Expr]:
        """The operations of the replacement that the graph does not have yet, inputs first."""
        found: dict[Expr, None] = {}
        stack = [new]
        while stack:
            n = stack.pop()
            if n.op is not None and n not in self.uses and n not in found:
                found[n] = None
                stack.extend(n.inputs)
        return list(found)[::-1]

    def pays(self, n: Expr, new: Expr, fresh: list[Expr]) -> bool:
        """Does the rewrite leave the graph with no more operations than before?"""
        costly = [m for m in fresh if not self.is_free(m)]
        if len(costly) <= 1:
            return True
        holds = Counter([new, *[i for m in fresh for i in m.inputs]])
        dropped: Counter[Expr] = Counter()
        dying, stack = 0, [n]
        while stack and dying < len(costly):
            dead = stack.pop()
            dying += dead.op is not None and dead.op.name not in FREE
            for i in dead.inputs:
                dropped[i] += 1
                if i.op is not None and self.uses.get(i, 0) + holds[i] == dropped[i]:
                    stack.append(i)
        return dying >= len(costly)

    def is_free(self, m: Expr) -> bool:
        """Will this operation vanish at once, by folding or by merging?"""
        if m.op.name in FREE or all(isinstance(i, Constant) for i in m.inputs):
            return True
        return all(i in self.final for i in m.inputs) and self.key(m, m.inputs) in self.table

    # ---- bookkeeping

    def replace(self, step: Step, fresh: Iterable[Expr]) -> None:
        n, new = step.before, step.after
        self.turns[new] = turn = self.turns.get(n, 0) + 1
        self.record(step)
        if turn > LONGEST:
            self.stop()
        for m in fresh:
            for i in m.inputs:
                self.uses[i] = self.uses.get(i, 0) + 1
                self.user[i] = m.op if self.uses[i] == 1 else None
        self.uses[new] = self.uses.get(new, 0) + self.uses.pop(n, 1)
        self.user[new] = self.user.get(n) if new not in self.final else None
        self.release(n)

    def record(self, step: Step) -> None:
        self.steps.append(step)
        self.marks.append(len(self.log))
        self.log.append((step.before, step.after))
        self.became[step.before] = step.after

    def release(self, n: Expr) -> None:
        """n is gone: what only n used is gone too."""
        stack = [n]
        while stack:
            for i in stack.pop().inputs:
                i = self.final.get(i, i)
                self.uses[i] = left = self.uses.get(i, 1) - 1
                if not left and i.op is not None:
                    stack.append(i)

    def stop(self) -> None:
        last = ", ".join(step.rule for step in self.steps[-10:])
        raise RewriteLoopError(
            f"the rules run in a circle at {text(self.steps[-1].before)}; the last ten were: "
            f"{last}. Drop one of them, or give it a condition."
        )


def count_uses(order: Sequence[Expr], roots: Sequence[Expr]) -> tuple[dict, dict]:
    """How often each node is used, and by which operation if only once."""
    uses: dict[Expr, int] = dict.fromkeys(order, 0)
    user: dict[Expr, Any] = {}
    for n in order:
        for i in n.inputs:
            uses[i] += 1
            user[i] = n.op if i not in user else None
    for r in roots:
        uses[r] += 1
        user[r] = None
    return uses, user
