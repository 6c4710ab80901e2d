"""`why_not`: why a rule was not used at a node of a simplification.

The question is put to the engine at each moment at which the node could have been rewritten, and
the moment counts in which the rule came nearest.
"""

from typing import Any

from ...core.pattern import is_zero
from ...core.rewriter import FOLD, MERGE
from ...core.rule import LATE, MODES, Rewrite, Rule, one_float
from ...expr import Expr, Step, text
from ..catalogue import RULES
from ..engine.rule_table import Rules
from ..engine.validate import check_rules
from ..simplification import Simplification
from ..simplify import rule_set
from .answers import Answer, WhyNot
from .moments import History, Moment
from .obstacles import obstacle
from .spots import asks, brief, furthest
from .words import FIRST, matches, of_condition, of_cost, rewrite, sentences
from .worlds import Try, World, after, against_law, alone, changes, final, freer

FAR = 99  # parts of a pattern that do not fit
SHOWN = 3  # nearest misses that are told
GIVE = "Give it: ad.simplify(…, rules=ad.RULES + rule)."
TRIED = 40  # nodes at which a rule is looked at closely


def why_not(
    stage: Simplification, rule: Rewrite | str | None = None, node: Expr | None = None
) -> WhyNot:
    """Why a rule was not used at a node, and what would have to change.

    The engine itself answers: it is asked again, with the same rules and costs, in worlds that
    differ in one thing. If the rule fires in one of them, this thing is the obstacle.

    Parameters
    ----------
    stage : Simplification
        The stage that is asked.
    rule : Rule or str, optional
        A rule, or the name of one. By default the rules that came nearest.
    node : Expr, optional
        A node of any frame, or an equal expression. By default the nodes where the rule came
        nearest.

    Returns
    -------
    WhyNot
        Its text is plain sentences. A notebook shows a picture beside them, in which the node and
        the spot are marked.

    Raises
    ------
    KeyError
        If no rule has this name.
    TypeError
        If neither a rule nor a node is named, or one of them is something else.
    ValueError
        If no frame has the node.

    See Also
    --------
    why : Where a node came from.

    Notes
    -----
    `answers[0].obstacles` are words: "fact", "mode", "user" (something else needs a part of the
    node), "part" (the node is a part of what the rule looks at), "law" (of products), "final",
    "cost", "earlier" and "phase" (another rule took the node), "absent" (the simplification did not
    have the rule), "condition", "dtype", "false", "same", "structure" (pattern and graph differ),
    "nothing", and "fired".

    Examples
    --------
    >>> x, y = ad.scalar("x"), ad.scalar("y")
    >>> total = x * y + x * ad.exp(y)
    >>> pair = ad.simplify([x * y, total], mode="real")
    >>> pair.why_not("common factor", pair.outputs[1])
    common factor, at (x * y) + (x * exp(y)), in frame 1:
      Something else needs a part of this node, and so the rule leaves it as it is.
      The part is x * y: it is a result itself.
      With that use: operations 4 → 4, cost 7 → 7. Without it: operations 4 → 3, cost 7 → 6.
    """
    rules = stage.rules.rules or RULES
    table = rules if isinstance(rules, Rules) else Rules(rules)
    if rule is None and node is None:
        raise TypeError('name a rule or a node, as in stage.why_not("common factor")')
    if isinstance(rule, str):
        rule = table[rule] if rule in table.names else RULES[rule]
    if rule is not None:
        check_rules((rule,), Rewrite)
    question = Question(stage, table)
    if node is None:
        return WhyNot(stage, question.nearest_nodes(rule))
    place = question.history.place(node)
    return WhyNot(
        stage, question.nearest_rules(place) if rule is None else [question.about(rule, place)]
    )


class Question:
    """A stage that is asked, and its rules."""

    def __init__(self, stage: Simplification, rules: Rules):
        self.stage, self.rules, self.history = stage, rules, History(stage)
        self.worlds = dict[tuple[int, Expr], World]()

    def about(self, rule: Any, node: Expr) -> Answer:
        """The answer for one rule at one node: that of the moment in which it came nearest."""
        for k in self.history.uses(rule.name, node):
            step = self.stage.steps[k]
            lines = f"The rule was used here, in step {k + 1}.", f"{rewrite(step)}."
            return Answer(rule, step.before, k, ("fired",), lines, step=step)
        moments = self.history.moments(node)
        each = [self.judge(rule, m) for m in moments if not self.is_own(rule, m)]
        if not each:
            return Answer(rule, node, 0, ("gone",), (FIRST["gone"],))
        return min(each, key=lambda answer: (answer.distance, -answer.frame))

    def is_own(self, rule: Any, m: Moment) -> bool:
        """Did the rule itself rewrite a part of the node then?"""
        return m.step is not None and self.stage.steps[m.step].rule == rule.name

    def nearest_rules(self, node: Expr) -> list[Answer]:
        """The nearest misses at a node."""
        rules = rule_set(MODES[-1], self.rules, True).by_operation.get(node.op, ())
        each = [self.about(rule, node) for rule in rules if gap(rule, node) < FAR]
        misses = [answer for answer in each if answer.obstacle != "fired"]
        return sorted(misses, key=lambda answer: answer.distance)[:SHOWN]

    def nearest_nodes(self, rule: Any) -> list[Answer]:
        """The first step that used the rule, if there is one; and the nodes where it came nearest
        else."""
        nodes = sorted(self.history.operations, key=lambda n: gap(rule, n))[:TRIED]
        each = [*{a.node: a for a in (self.about(rule, n) for n in nodes)}.values()]
        steps = [a for a in each if a.obstacle == "fired"]
        misses = sorted((a for a in each if a.obstacle != "fired"), key=lambda a: a.distance)
        nearest = [a for a in misses if a.distance == misses[0].distance]
        return [*sorted(steps, key=lambda a: a.frame)[:1], *nearest[:SHOWN]]

    # ---- one moment

    def judge(self, rule: Any, moment: Moment) -> Answer:
        """The obstacle at one moment."""
        k, node, place = moment
        step = None if place is None else self.stage.steps[place]
        if step is not None and (word := before_rules(node, step)):
            lines = FIRST[word], f"Step {k + 1} is {rewrite(step)}."
            return Answer(rule, node, k, (word,), lines, step=step)
        s = furthest(rule, node) if isinstance(rule, Rule) else None
        if s is not None:
            lines = f"The pattern fits no further than {s.fits} of its {s.size} parts.", asks(s)
            return Answer(rule, node, k, ("structure",), lines, (s.node,), s)
        w = self.world(rule, k, node)
        if w.allows(rule):
            return self.would_fire(rule, moment)
        names = changes(w, rule)
        if names is None:
            return self.without_remedy(w, rule, k)
        if "mode" in names and against_law(after(w, [n for n in names if n != "mode"]), rule):
            names = tuple("law" if name == "mode" else name for name in names)
        return Answer(rule, node, k, names, *sentences(w, rule, names))

    def world(self, rule: Any, k: int, node: Expr) -> World:
        """A frame as a world with the rule in it; that of the stage's own rules is made once."""
        if (k, node) in self.worlds and rule in self.rules:
            return self.worlds[k, node]
        rules = self.rules if rule in self.rules else self.rules + rule
        graph, _ = self.history.frame(k)
        w = World(graph, node, rules, self.stage.rules.mode, self.stage.rules.final)
        return self.worlds.setdefault((k, node), w) if rules is self.rules else w

    def would_fire(self, rule: Any, moment: Moment) -> Answer:
        """Nothing is against the rule in this frame; but another rule took the node, or the
        simplification did not have it."""
        k, node, place = moment
        if place is None:
            if rule in self.rules:
                return Answer(rule, node, k, ("again",), (FIRST["again"],))
            return Answer(rule, node, k, ("absent",), (FIRST["absent"], GIVE))
        step = self.stage.steps[place]
        late = rule.phase in LATE and self.stage.phase(step) not in LATE
        part = "" if step.before is node else "a part of "
        cause = "The rule belongs to a later phase, and another rule" if late else "An earlier rule"
        first = f"{cause} took {part}the node first."
        phase = f" The rule itself belongs to phase {rule.phase}." * late
        absent = " " + FIRST["absent"] if rule not in self.rules else ""
        lines = first, f"Step {place + 1} is {rewrite(step)}.{phase}{absent}"
        word = "phase" if late else "earlier"
        return Answer(rule, node, k, (word,), lines, step=step)

    def without_remedy(self, w: World, rule: Any, k: int) -> Answer:
        """No change of the surroundings makes the rule fire: it is the node itself."""
        word, detail = self.own_obstacle(w, rule)
        return Answer(rule, w.node, k, (word,), (FIRST[word], detail))

    def own_obstacle(self, w: World, rule: Any) -> tuple[str, str]:
        """A word for it, and the details."""
        freest = final(freer(alone(w)))
        for world in (w, freest):
            for one in world.tries(rule):
                return one.against, self.refusal(world, rule, one)
        if isinstance(rule, Rule):
            bindings = next(matches(rule, w.node))
            if not (rule.any_dtype or one_float(bindings, w.node)):
                return "dtype", f"The dtype of the node is {w.node.dtype}."
            if rule.when is not None and not rule.meets(bindings, w.node):
                return "condition", of_condition(rule)
            return "proof", f"It needs {' and '.join(map(text, rule.needed(bindings)))}."
        return "nothing", obstacle(rule, w.node, w.engine)

    def refusal(self, w: World, rule: Any, one: Try) -> str:
        """The details of what is against a match."""
        if one.against == "cost":
            return of_cost(w, rule, one)
        if one.against == "false":
            return f"It needs {' and '.join(map(text, one.needs))}."
        return f"{brief(w.node)} stays as it is."


def gap(rule: Any, n: Expr) -> int:
    """How many parts of a pattern do not fit: none of a rule without one, if it is about the
    operation. A rule that fits no further than its first operand is far away."""
    if n.op not in rule.replaces:
        return FAR
    s = furthest(rule, n) if isinstance(rule, Rule) else None
    return 0 if s is None else s.size - s.fits if s.fits > 1 else FAR


def before_rules(n: Expr, step: Step) -> str:
    """A word for the step, if it took the node before any rule was asked."""
    if step.before is not n or step.rule == FOLD and any(map(is_zero, n.inputs)):
        return ""
    return {MERGE: "merged", FOLD: "constant"}.get(step.rule, "")
