"""Make it fire: one change each, after which a rule is used that was not used before."""

from collections.abc import Callable, Mapping
from typing import Any

from ....expr import Expr, Input, postorder, same, substitute
from ....rewrite import RULES, Simplification
from ...harness.chart_rules import chart_step
from ...harness.check import call
from ...harness.checker import checker
from ...harness.feedback import complain, spell

CHANGES = {
    "user": "fewer of the results, and nothing else",
    "fact": "more declared of the inputs, and nothing else",
    "mode": "a promise that allows more, and nothing else",
}


@checker
def check_fired(
    student: Callable[[], Any], stages: Mapping[str, tuple[Simplification, str]]
) -> None:
    """student() has a stage for each of these in which the rule is used, after one change.

    Parameters
    ----------
    stages : dict
        By what may change, "user", "fact" or "mode": a simplification, and the name of a rule that
        it did not use.
    """
    answer, name = call(student, (), by_hand=False), student.__name__
    if not isinstance(answer, Mapping) or answer.keys() != stages.keys():
        complain(
            name, f"a dict with the {len(stages)} names of the task", spell(answer), f"{name}()"
        )
    for change, (stage, rule) in stages.items():
        new, at = answer[change], f"{name}()[{change!r}]"
        if not isinstance(new, Simplification):
            complain(name, "a stage, ad.simplify(...)", spell(new), at)
        chart_step(f"{at}: your stage", new)
        if names(new) != names(stage):
            complain(f"{name}: the rules are others", "the rules of the engine", "others", at)
        if not is_change(change, stage, new):
            complain(f"{name}: something else is changed", CHANGES[change], spelled_stage(new), at)
        if rule not in new.counts:
            why = new.why_not(rule).answers[0].lines[0]
            complain(f"{name}: the rule is not used", f"a step {rule!r}", why, at)
    print(f"{name}: {len(stages)} rules are used, after one change each")


def names(stage: Simplification) -> set[str]:
    """The names of its rules."""
    return {rule.name for rule in stage.rules.rules or RULES}


def is_change(change: str, before: Simplification, after: Simplification) -> bool:
    """Is this the only thing that differs?"""
    one, other = before.before.outputs, after.before.outputs
    if change == "user":
        parts = all(any(same([e], [o]) for o in one) for e in other)
        return parts and 0 < len(other) < len(one) and same_mode(before, after)
    if change == "fact":
        plain: dict[Any, Input] = {}
        alike = same(without_facts(one, plain), without_facts(other, plain))
        return alike and same_mode(before, after)
    return same(one, other)


def same_mode(before: Simplification, after: Simplification) -> bool:
    return before.rules.mode == after.rules.mode and before.rules.final == after.rules.final


def without_facts(outputs: Any, plain: dict[Any, Input]) -> list[Expr]:
    """The results, of inputs with these names and types of which nothing is known."""
    inputs = [i for i in postorder(outputs) if isinstance(i, Input)]
    place: dict[Expr, Expr] = {
        i: plain.setdefault((i.name, i.type), Input(i.name or "", i.type)) for i in inputs
    }
    return list(substitute(outputs, place))


def spelled_stage(stage: Simplification) -> str:
    outputs = ", ".join(map(str, stage.before.outputs))
    return f"{outputs}, in mode {stage.rules.mode!r}"
