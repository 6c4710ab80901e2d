"""Simplify a graph: rewrite it by rules until none applies, and keep every step.

First it is shortened; then it is stabilised, and what that leaves shortened, until nothing
changes, so that simplifying twice is simplifying once.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

from ..core.rewriter import Rewriter
from ..core.rule import MODES, Rewrite, RuleSet
from ..core.stage import Pair
from ..expr import Expr, Graph, Step, as_graph, quiet_collector, shown
from ..nested import Nested
from .algebra.monomial import ANSWERS
from .catalogue import OfTheHouse
from .engine.memo import KEPT
from .engine.rule_table import Rules
from .simplification import About, Simplification

ROUNDS = 20
LARGE = 20  # nodes from which on glances are quicker


def simplify(
    what: Any,
    mode: str = "safe",
    rules: Iterable[Rewrite] | None = None,
    final: bool = False,
) -> Simplification:
    """A shorter graph of the same value, with one Step for every rule that was used.

    It is shortened first, then made stable; simplifying twice is simplifying once.

    Parameters
    ----------
    what : Graph, Stage, Expr or list of Expr
        What to simplify.
    mode : {'ieee', 'safe', 'real'}, default: 'safe'
        How much may change; see the notes.
    rules : iterable of Rule, optional
        In place of `RULES`: RULES + mine, RULES - "over itself", or some of your own alone.
    final : bool, default: False
        Whether no derivative will be taken of the result, as in `function`. Only then are
        rules used that change the slope at a kink or a tie, such as max(max(A, axis=0)) →
        max(A).

    Returns
    -------
    Simplification
        A Stage; `stage.output` is the shorter expression, `stage.assumptions` what it rests
        on.

    Raises
    ------
    ValueError
        If the mode is none of these.
    RewriteLoopError
        If rules run in a circle.

    Notes
    -----
    "ieee" changes nothing but the sign of a zero, and what is made of it, such as 1/-0, which
    is -inf. "safe" changes values only as rounding does, times the condition, where nothing
    on the way overflows or underflows; where something does, the result may become truer. So a
    product is multiplied in another order only if nothing on the way may overflow that did not
    before: x/b/b is not made x/b². "real" takes all numbers to be finite and arguments to lie
    in their domains; it does not take for granted what is false of every input, as 0 != 0.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.simplify(x * 1 + 0)
    >>> stage.output
    x
    >>> stage.counts
    Counter({'times one': 1, 'plus zero': 1})
    """
    if mode not in MODES:
        raise ValueError(f"a mode is one of {', '.join(MODES)}, not {shown(mode)}")
    own = rules if rules is None or isinstance(rules, Rules) else Rules(rules)
    passes = Passes(as_graph(what), rule_set(mode, own, final))
    with quiet_collector(passes.before), remembering():
        return np.errstate(all="ignore")(passes.run)()  # Ctrl-C always ends a decorator


@contextmanager
def remembering() -> Iterator[None]:
    """Within it, and within what is simplified inside bodies, answers about nodes are kept."""
    token = KEPT.set(KEPT.get() or defaultdict(dict))
    try:
        yield
    finally:
        KEPT.reset(token)


@lru_cache
def rule_set(mode: str, rules: Rules | None, final: bool) -> Any:
    """These rules or, without any, those of the house."""
    return OfTheHouse(mode, final) if rules is None else RuleSet(rules, mode, final)


class Passes:
    """Stages in a row, with one log."""

    def __init__(self, before: Graph, rules: Any):
        self.before = self.after = before
        self.rules, self.log = rules, list[Pair]()
        self.steps, self.marks = list[Step](), list[int]()

    def run(self) -> Simplification:
        for _ in range(ROUNDS):
            engine = Rewriter(self.after, self.rules)
            quicken(len(engine.order))
            engine.shorten()
            if self.bodies(engine):
                continue
            changed = engine.finish()
            self.keep(engine)
            if not (changed and nested(engine.order)):
                break
        graphs = self.before, self.before.with_outputs(self.after.outputs)
        stage = Simplification("simplify", *graphs, self.steps, tuple(self.log), self.marks)
        used = map(self.rules.named, dict.fromkeys(step.rule for step in self.steps))
        stage.about = {r.name: About(r.phase, r.mode) for r in used if r is not None}
        stage.rules = self.rules
        return stage

    def bodies(self, engine: Rewriter) -> bool:
        """Simplify inside operations that have a body. Was there anything to do?"""
        if not nested(engine.order):
            return False
        from .branches.sharing import sharing  # loaded when they are first needed
        from .loops.simplify_body import inside

        stage: Any = inside(Graph(engine.roots), self.rules, simplified)
        stage = stage if stage.steps else sharing(stage.after, self.rules.final)
        if not stage.steps:
            return False
        self.keep(engine)
        while stage.steps:
            self.keep(stage)
            stage = sharing(self.after, self.rules.final)
        return True

    def keep(self, stage: Any) -> None:
        """Go on from where a stage ended, with its log added."""
        done = len(self.log)
        self.after = Graph(stage.roots if isinstance(stage, Rewriter) else stage.outputs)
        self.log += stage.log
        self.steps += stage.steps
        self.marks += [done + mark for mark in stage.marks]


def simplified(body: Graph, rules: Any) -> Graph:
    """The body of an operation, simplified; the same object where nothing is to be done."""
    stage = Passes(body, rules).run()
    return stage.after if stage.steps else body


def nested(order: Iterable[Expr]) -> bool:
    """Is there an operation with a body?"""
    return any(isinstance(op, Nested) for op in {n.op for n in order})


def quicken(nodes: int) -> None:
    """Let the room for speed answer from now on, if the graph is large and the room there."""
    if nodes >= LARGE and not ANSWERS:
        try:
            from .fast import glances
        except ImportError:
            return
        ANSWERS.update(glances.ANSWERS)
