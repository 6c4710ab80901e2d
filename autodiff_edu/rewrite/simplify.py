"""Simplify a graph: rewrite it by rules until none applies, and keep every step.

First it is shortened; then it is stabilised, and what that leaves shortened, until nothing
changes, so that simplifying twice is simplifying once.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..expr import Expr, Graph, Log, Rewriting, Step, as_graph, shown, text, uncollected
from ..nested import Nested
from .catalogue import RULES
from .engine.memo import remembering
from .engine.rewriter import Rewriter
from .engine.rule import MODES, Rewrite
from .engine.rule_set import RuleSet
from .engine.rule_table import Rules
from .engine.validate import PHASES, one_of
from .facts.prover import proof

ROUNDS = 20
UNSAID = "that both sides are equal: the rule names no condition"


def simplify(
    what: Any,
    mode: str = "safe",
    rules: Iterable[Rewrite] | None = None,
    final: bool = False,
) -> "Simplification":
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
    chosen = rule_set(mode, RULES if rules is None else Rules(rules), final)
    with uncollected(), remembering():  # and silent as a decorator, which Ctrl-C always ends
        return np.errstate(all="ignore")(Passes(as_graph(what), chosen).run)()


@lru_cache
def rule_set(mode: str, rules: Rules, final: bool) -> RuleSet:
    return RuleSet(rules, mode, final)


@lru_cache
def about(rules: RuleSet) -> Mapping[str, "About"]:
    """What is remembered of each rule, for all stages that these rules make."""
    kind = cache(About)  # of few kinds
    return {rule.name: kind(rule.phase, rule.mode) for rule in rules.rules}


class Passes:
    """Stages in a row, with one log."""

    def __init__(self, before: Graph, rules: RuleSet):
        self.before = self.after = before
        self.rules = rules
        self.log = Log()
        self.steps: list[Step] = []
        self.marks: list[int] = []

    def run(self) -> "Simplification":
        for _ in range(ROUNDS):
            engine = Rewriter(self.after, self.rules)
            engine.shorten()
            if self.bodies(engine):
                continue
            changed = engine.stabilise()
            self.keep(engine)
            if not (changed and nested(engine.order)):
                break
        after = Graph(self.after.outputs, self.before.inputs, self.before.names)
        told = about(self.rules)
        return Simplification(self.before, after, self.steps, self.log, self.marks, told)

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


def simplified(body: Graph, rules: RuleSet) -> Graph:
    """The body of an operation, simplified; the same object where nothing is to be done."""
    stage = Passes(body, rules).run()
    return stage.after if stage.steps else body


def nested(order: Iterable[Expr]) -> bool:
    """Is there an operation with a body?"""
    return any(isinstance(op, Nested) for op in {n.op for n in order})


# ---- what it leaves behind


class About(NamedTuple):
    """What a stage remembers of a rule that it used."""

    phase: str
    mode: str


class Assumption(NamedTuple):
    """A condition under which the result equals what was given, or a rule's caveat in words.

    declared: whether it was stated of an input, or is taken for granted in mode "real".
    """

    condition: Expr | None
    caveat: str
    rule: str
    declared: bool

    def __repr__(self) -> str:
        says = self.caveat if self.condition is None else text(self.condition)
        return f"{says}  ({'declared' if self.declared else 'assumed'}, for {self.rule})"


class Simplification(Rewriting):
    """A simplified graph and every step that led to it.

    Parameters
    ----------
    before : Graph
        What was simplified.
    after : Graph
        The result.
    steps : list of Step
        One for every rule that was used.
    log : list of tuple
        What became what, in order.
    marks : list of int
        The length of the log before each step.
    about : dict
        The phase and the mode of each rule by its name.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.simplify(x / x, mode="real")
    >>> stage.output
    1
    >>> stage.assumptions
    (x != 0  (assumed, for over itself),)
    >>> stage.about["over itself"].mode
    'real'
    """

    def __init__(
        self,
        before: Graph,
        after: Graph,
        steps: Sequence[Step],
        log: Sequence[tuple[Expr, Expr]],
        marks: Sequence[int],
        about: Mapping[str, About],
    ):
        super().__init__("simplify", before, after, steps, log, marks)
        self.about = about

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What the result rests on: conditions taken for granted, and facts that were declared.

        What is proved from the graph alone is not among them.
        """
        found: dict[Any, Assumption] = {}
        for step in self.steps:
            for a in self.assumed(step):
                c = a.condition
                found.setdefault(
                    a if c is None else (c.op, *[getattr(i, "key", i) for i in c.inputs]), a
                )
        return tuple(found.values())

    def assumed(self, step: Step) -> list[Assumption]:
        """What one step rests on.

        Parameters
        ----------
        step : Step
            One of its steps.

        Returns
        -------
        list of Assumption
            The conditions.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> stage = ad.simplify(x / x, mode="real")
        >>> stage.assumed(stage.steps[0])
        [x != 0  (assumed, for over itself)]
        """
        if not step.needs:
            real = self.about[step.rule].mode == "real" if step.rule in self.about else False
            return [Assumption(None, step.note or UNSAID, step.rule, False)] if real else []
        found = []
        for condition in step.needs:
            rests = proof(condition)
            declared = rests is not None
            found += [Assumption(c, step.note, step.rule, declared) for c in rests or ()]
            if not declared:
                found.append(Assumption(condition, step.note, step.rule, False))
        return found

    def select(
        self, rule: str | None = None, phase: str | None = None, node: Expr | None = None
    ) -> tuple[int, ...]:
        """The places in `steps` of those that used a rule, belong to a phase, or rewrote a node.

        Frame k is before step k, frame k + 1 after it.

        Parameters
        ----------
        rule : str, optional
            The rule.
        phase : str, optional
            The phase.
        node : Expr, optional
            The node, or what it became.

        Returns
        -------
        tuple of int
            The places.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> stage = ad.simplify(x * 1 + 0)
        >>> stage.select(rule="times one")
        (0,)
        """
        one_of(
            "no step can have rule=", rule, [None, *self.about, *[step.rule for step in self.steps]]
        )
        one_of("there is no phase ", phase, (None, *PHASES, "throughout"))
        lives = set() if node is None else self.lives(node)
        return tuple(
            k
            for k, step in enumerate(self.steps)
            if rule in (None, step.rule)
            and (phase is None or phase == self.phase(step))
            and (node is None or step.before in lives or step.after in lives)
        )

    def phase(self, step: Step) -> str:
        """The phase to which a step belongs; equal nodes merge and constants fold throughout.

        Parameters
        ----------
        step : Step
            One of its steps.

        Returns
        -------
        str
            The phase.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> stage = ad.simplify(x * 1)
        >>> stage.phase(stage.steps[0])
        'canonicalise'
        """
        return self.about[step.rule].phase if step.rule in self.about else "throughout"

    def lives(self, node: Expr) -> set[Expr]:
        """A node, and what it was and became in the course of the stage.

        Parameters
        ----------
        node : Expr
            A node.

        Returns
        -------
        set of Expr
            The node and these.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> y = x * 1
        >>> ad.simplify(y).lives(y) == {y, x}
        True
        """
        became = dict(self.log)
        lives = {node}
        while node in became and became[node] not in lives:
            lives.add(node := became[node])
        for old, new in reversed(self.log):
            if new in lives:
                lives.add(old)
        return lives
