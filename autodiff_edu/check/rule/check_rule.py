"""`rule.check()`: whether both sides of a rule agree as far as its mode promises, in words."""

from collections.abc import Iterable, Sequence

from ...core.uses import operations
from ...expr import Expr, Graph, RewriteLoopError, hook, text
from ...ops import weight
from ...rewrite import MODES, Rewrite, Rule, Simplification, simplify
from ..report import Report
from .equivalence import Compared, Counterexample
from .instances import TYPES, Use, each_use, lenient, of_types, uses, wildcards
from .slopes import lost_slope
from .termination import Place, falls

PROMISE = {
    "ieee": "In mode ieee nothing may change but the sign of a zero",
    "safe": "In mode safe a finite value may change by rounding only, and an inf or nan only where "
            "an overflow made it",
    "real": "In mode real both sides must be equal wherever both are finite",
}  # fmt: skip
Uses = Sequence[Use]


class OfRule(Report):
    """Whether both sides are equal is one question, whether the rewriter uses the rule another."""

    equal = False

    @property
    def verdict(self) -> str:
        return "equal, but not of use" if self.equal and not self.ok else super().verdict

    @property
    def kinds(self) -> dict[str, list[str]]:
        """What speaks against a rule whose sides are equal is no error."""
        kinds = super().kinds
        return {"but" if self.equal and k == "wrong" else k: kinds[k] for k in kinds}


def check_rule(rule: Rewrite) -> Report:
    """Compare both sides of a rule with numbers, and look for points at which they differ.

    The rule is used on its own left side, with inputs of several types for its wildcards.
    Values are compared, and where the left side has a slope, the right side must have one. The
    points are simple numbers, 0 and -0, inf, nan, numbers too large or too small to
    square, and random ones, where the rule's conditions hold. It is measured, too, whether
    the rule decreases what it says.

    Parameters
    ----------
    rule : Rule
        The rule.

    Returns
    -------
    Report
        What does not agree; it is true if all does.

    Examples
    --------
    >>> bool(ad.RULES["times one"].check())
    True
    """
    report, faults = OfRule(repr(rule)), list[str]()
    found = uses(rule, faults)
    report.findings += faults[:1]
    if found:
        sides = [Compared(use) for use in found]
        check_values(rule, sides, report)
        check_slopes(rule, sides, report)
        check_firing(rule, found, report)
        check_words(rule, report)
    elif not faults:
        report.findings.append(f"it is never used: {silence(rule)}")
    return report


def counterexample(rule: Rewrite, mode: str) -> Counterexample | None:
    """The simplest point at which a rule would break the promise of this mode, or None. What the
    rule `needs` is not taken for granted in a mode stricter than its own."""
    needs = MODES.index(mode) >= MODES.index(rule.mode)
    return first(each_use(rule), mode, needs)


@hook("broken_at")
def broken_at(before: Expr, after: Expr, mode: str) -> Counterexample | None:
    """The simplest point at which one rewrite would break the promise of this mode, or None."""
    return Compared(Use(before, after, (), before)).first(mode)


def first(found: Iterable[Use], mode: str, needs: bool = True) -> Counterexample | None:
    broken = (Compared(use, needs).first(mode) for use in found)
    return next((c for c in broken if c is not None), None)


# ---- whether it fires, and decreases what it says


def check_firing(rule: Rewrite, found: Uses, report: Report) -> None:
    """Does the rewriter use it, and come to an end?"""
    try:
        stages = [alone(rule, use.whole) for use in found]
    except RewriteLoopError as error:
        report.findings.append(f"what it makes it rewrites again, without end: {error}")
        return
    fired = [stage for stage in stages if stage.select(rule=rule.name)]
    if fired:
        check_measure(rule, fired, report)
    else:
        refused = f"{equation(found[0])} {refusal(rule, found[0])}"
        report.findings.append(f"the rewriter refuses it: {refused}")


def refusal(rule: Rewrite, use: Use) -> str:
    """Why the rewriter refuses a rule, at one place."""
    if rule.cost_policy == "cheaper":
        return f"does not save operations, as a rule that decreases {rule.decreases!r} must"
    before, after = (Graph([side]).operations for side in (use.before, use.after))
    if operations(after) > operations(before):
        return 'adds operations. Only rules of the phase "stabilise" may add some'
    return (
        f"costs more: {worth(after)} instead of {worth(before)} additions. Only rules of the phase "
        '"stabilise" may cost more'
    )


def worth(nodes: Iterable[Expr]) -> int:
    return sum(map(weight, nodes))


def alone(rule: Rewrite, node: Expr) -> Simplification:
    return simplify(node, mode=rule.mode, rules=[rule], final=True)


def check_measure(rule: Rewrite, stages: Sequence[Simplification], report: Report) -> None:
    """Is what the rule decreases lower after each use, and nothing before that higher?"""
    for stage in stages:
        for k in stage.select(rule=rule.name):
            place = Place(stage, k, [rule], rule.mode)
            if not falls(rule.decreases, place.before, place.after):
                report.findings.append(f"it does not decrease {rule.decreases!r}: {place}")
                return
    report.passed.append(f"it decreases {rule.decreases!r}")


def silence(rule: Rewrite) -> str:
    """Why a rule never fired."""
    if not isinstance(rule, Rule):
        return "give it an `example`, an expression on which it fires"
    if rule.reorders and (refused := uses(lenient(rule, reorders=False))):
        return (
            f"the law of products refuses {equation(refused[0])}, since something new on the way "
            'may overflow, or underflow. State it with mode="real"'
        )
    if not rule.any_dtype and uses(lenient(rule, any_dtype=True)):
        return (
            "its left side has another dtype than its wildcards, and a rule speaks of floating "
            "point numbers of one dtype only, unless it says any_dtype=True"
        )
    if rule.when is not None and uses(lenient(rule, when=None)):
        return (
            "its `when` was false for all that was tried; give it an `example` for which it holds"
        )
    tried = next((node for types in TYPES for node in of_types(rule, types)), None)
    if tried is None:
        return "nothing was found that fits its left side; give it an `example`"
    stage = simplify(tried, rules=[])
    if stage.steps:
        return (
            f"{stage.steps[0].rule} comes before all rules and makes {text(stage.after.output)} of "
            f"{text(tried)}, which the left side does not match"
        )
    return (
        f"{text(tried)} was not matched, nor made into anything new; give it an `example` that is"
    )


# ---- what it promises


def check_values(rule: Rewrite, sides: Sequence[Compared], report: OfRule) -> None:
    broken = next(filter(None, (s.first(rule.mode) for s in sides)), None)
    if broken is not None:
        report.findings.append(f"{broken}. {PROMISE[rule.mode]}. {admitted(rule, sides)}")
        return
    if not sum(s.compared for s in sides):
        report.findings.append("at no point are both sides finite: nothing could be compared")
    report.equal = not report.findings
    points = sum(s.size for s in sides)
    report.passed.append(
        f"both sides agree as far as mode {rule.mode} promises, at {points} points of "
        f"{len(sides)} expressions"
    )
    if any(s.exact for s in sides):
        report.notes.append("the exact zero of differentiation times inf is 0: only finite "
                            "points were compared")  # fmt: skip


def check_slopes(rule: Rewrite, sides: Sequence[Compared], report: OfRule) -> None:
    """May a derivative be taken of what the rule leaves?"""
    lost = None if rule.final or report.findings else lost_slope(sides, rule.mode)
    if lost is not None:
        report.findings.append(lost)


def admitted(rule: Rewrite, sides: Sequence[Compared]) -> str:
    """Which mode would admit a rule that breaks the promise of its own."""
    for mode in MODES[MODES.index(rule.mode) + 1 :]:
        if not any(s.first(mode) for s in sides):
            return f'It keeps the promise of mode="{mode}"'
    condition = missing(rule)
    if condition:
        return f'It holds where {condition}: mode="real", needs={condition}'
    return "No mode admits it"


def missing(rule: Rewrite) -> str:
    """A condition on one wildcard under which the rule would hold."""
    if not isinstance(rule, Rule):
        return ""
    for w in wildcards(rule):
        for condition in () if w.constant else (w != 0, w >= 0, w > 0):
            needs = (*rule.needs, condition)
            sides = [Compared(use) for use in uses(lenient(rule, mode="real", needs=needs))]
            if any(s.compared for s in sides) and not any(s.first("real") for s in sides):
                return text(condition)
    return ""


def check_words(rule: Rewrite, report: Report) -> None:
    if rule.mode == "real" and not rule.caveat:
        report.notes.append("say in `caveat` what it may change")
    needs = zip(rule.needs, rule.facts, strict=True) if isinstance(rule, Rule) else ()
    for condition in [text(condition) for condition, fact in needs if fact is None]:
        report.notes.append(f"no proof is known of {condition}, so that mode real alone uses the "
                            "rule. What may be proved are x != 0, x > 0, x >= 0, isfinite(x) and "
                            "floor(x) == x")  # fmt: skip


def equation(use: Use) -> str:
    return f"{text(use.before)} → {text(use.after)}"
