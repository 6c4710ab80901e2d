"""`table`: the steps of a stage in rows, or counted by rule; the numbers of a trace; rules."""

from collections.abc import Sequence
from typing import Any, Literal

from ...expr import Expr, Growing, Rewriting, Stage, Step, as_graph, shown
from ..by_class import by_class
from ..html.table import Table
from ..tex.step_text import chosen, cost, local

BY_RULE = ("rule", "phase", "steps", "cost saved")


@by_class
def table(
    what: Any,
    *,
    by: Literal["step", "rule"] = "step",
    rule: str | None = None,
    phase: str | None = None,
    node: Expr | None = None,
) -> Table:
    """The steps of a stage as a table; or the rows of a trace; or rules or paths, one a row.

    Parameters
    ----------
    what : Stage, Trace, Rules or Paths
        Of a simplification the table tells what each step needs and the cost of the whole
        graph, too.
    by : {'step', 'rule'}, default: 'step'
        A row a step, or a row a rule with what its steps saved together.
    rule : str, optional
        Of a simplification, only the steps that used this rule.
    phase : str, optional
        Likewise, those that belong to this phase.
    node : Expr, optional
        Likewise, those that rewrote this node or what it became.

    Returns
    -------
    Table
        What a notebook shows.

    Raises
    ------
    ValueError
        If `by` is neither.
    TypeError
        If what is given has no table.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.simplify(x * 1).table(by="rule")
    rule       phase         steps  cost saved
    ---------  ------------  -----  ----------
    times one  canonicalise  1      1
    all                      1      1
    """
    raise TypeError(f"a table shows a stage, a trace, rules or paths, not {shown(what)}")


@table.register
def stage_table(what: Stage, *, by: str = "step", **which: Any) -> Table:
    """The steps of a stage that are chosen, or how often each rule was used."""
    if by not in ("step", "rule"):
        raise ValueError(f"a table of steps is by 'step' or by 'rule', not by {by!r}")
    places = chosen(what, which)
    if by == "rule":
        return count_table(what, [what.steps[k] for k in places])
    if hasattr(what, "phase"):
        return simplification_table(what, places)

    names = results_of_steps(what)

    def cells(k: int) -> tuple[str, ...]:
        step = what.steps[k]
        return str(k + 1), step.rule, *both_sides(step, names.get(k, "")), step.note

    columns = ("step", "rule", "before", "after", "caveat")
    return Table(columns, places, what.name, cells)


def simplification_table(stage: Any, places: Sequence[int]) -> Table:
    """One row a step, numbered as in the film of all steps."""

    graph = stage.before
    names = {n: name for y, name in zip(graph.outputs, graph.names) if name for n in stage.lives(y)}

    def cells(k: int) -> tuple[str, ...]:
        step = stage.steps[k]
        needs, sides = ", ".join(local(step).needs), both_sides(step, names.get(step.after, ""))
        words = (stage.phase(step), step.rule, *sides, needs, step.note, cost(step))
        return str(k + 1), *words

    columns = ("step", "phase", "rule", "before", "after", "needs", "caveat", "cost")
    return Table(columns, places, stage.name, cells)


def results_of_steps(stage: Stage) -> dict[int, str]:
    """The name of the result that a step completes or, of one that rewrites, that it begins with;
    by the place of the step."""
    names: dict[int, str] = {}
    if isinstance(stage, Growing):
        results, graph = stage.of, stage.after
        last = {step.bindings["of"]: k for k, step in enumerate(stage.steps)}
    elif isinstance(stage, Rewriting):
        results, graph = stage.before.outputs, as_graph(stage)
        last = {step.before: k for k, step in enumerate(stage.steps)}
    else:
        return names
    for n, name in zip(results, graph.names):
        if name and n in last:
            names.setdefault(last[n], name)
    return names


def both_sides(step: Step, result: str = "") -> tuple[str, str]:
    """Both sides of a step; of the right one the name of the result that it is."""
    change = local(step)
    return change.before, f"{result} = " * bool(result) + change.after + change.where


def count_table(stage: Any, steps: Sequence[Step]) -> Table:
    """One row a rule, the most used first, and a row for all of them together."""
    by_rule: dict[str, list[Step]] = {}
    for step in steps:
        by_rule.setdefault(step.rule, []).append(step)
    phase = getattr(stage, "phase", lambda step: "")
    rows = [
        (rule, phase(used[0]), str(len(used)), saved(used))
        for rule, used in sorted(by_rule.items(), key=lambda row: -len(row[1]))
    ]
    return Table(BY_RULE, [*rows, ("all", "", str(len(steps)), saved(steps))], stage.name)


def saved(steps: Sequence[Step]) -> str:
    """By how much the cost fell, together; nothing where no account of it was kept."""
    falls = [s.cost[0] - s.cost[1] for s in steps if s.cost]
    return str(sum(falls)).replace("-", "−") if falls else ""
