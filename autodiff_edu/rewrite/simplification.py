"""What `simplify` leaves behind: a stage that knows its rules, and on what its result rests."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..core.rule import RuleSet
from ..expr import Expr, Rewriting, Step, hooked, text
from .catalogue import OfTheHouse
from .engine.validate import PHASES, one_of
from .facts.prover import proof

UNSAID = "that both sides are equal: the rule names no condition"


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

    Its `about` has the phase and the mode of each rule that was used, by its name, and its `rules`
    are those that it had. A stage that was stored has no rules of a user's.

    Parameters
    ----------
    name : str
        That of the pass.
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

    about: Mapping[str, About] = {}
    rules: RuleSet | OfTheHouse = RuleSet((), "safe")
    why_not: Any = hooked("why_not")

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
        if rule is not None and all(rule != step.rule for step in self.steps):
            one_of("no step can have rule=", rule, [r.name for r in self.rules.rules])
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
