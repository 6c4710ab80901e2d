"""Are the rules of an operation's derivative right?

They are built at all lengths, then computed: see pullbacks.py and pushforwards.py.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...expr import Null, NullTypeGradError
from ..report import Report
from .diagnosis import listed
from .points import special
from .pullbacks import check_gradient, check_linear
from .pushforwards import check_pushforward, check_second
from .rule_errors import has
from .trial import Rule, Trial

Rng = np.random.Generator


def check_rules(trials: Sequence[Trial], rng: Rng, report: Report) -> None:
    """Everything that can be said of the rules."""
    op = trials[0].op
    if op.nondifferentiable:
        report.notes.append(f"no derivative passes: {op.nondifferentiable}")
        return
    if has(op, "pullback"):
        compare("pullback", Trial.pullback, check_pullback, trials, rng, report)
    else:
        report.notes.append("it has no pullback, so a gradient through it is an error that says so")
    if has(op, "pushforward"):
        compare("pushforward", Trial.pushforward, check_pushforward, trials, rng, report)


def compare(
    name: str,
    build: Callable[[Trial], Rule],
    check: Callable[[Sequence[Rule], Rng, Report], None],
    trials: Sequence[Trial],
    rng: Rng,
    report: Report,
) -> None:
    """Build a rule at all lengths, and check it; where that fails, it is a finding."""
    first, rules, where = trials[0], [], ""
    try:
        for t in trials:
            where = f"fails while the derivative is built, for {t}"
            rules.append(build(t))
        where = "fails while the derivative is built, for lengths that are not known yet"
        build(Trial(first.op, first.static, first.names, first.values, known=False))
        where = "fails when it is computed"
        check(rules, rng, report)
    except NullTypeGradError as error:
        report.notes.append(str(error))
    except Exception as error:
        if name == "pullback" or report.ok:  # a pushforward may follow from a pullback
            report.findings.append(f"the {name} {where}: {error}")


def check_pullback(rules: Sequence[Rule], rng: Rng, report: Report) -> None:
    first = rules[0]
    for name, term in zip(first.trial.names, first.terms, strict=True):
        if isinstance(term, Null):
            report.notes.append(f"no derivative exists with respect to {name}: {term.why}")
    if all(isinstance(term, Null) for term in first.terms):
        return
    check_results(first.trial, report)
    if check_linear(first, rng, report) and check_gradient(rules, rng, report):
        check_second(first, rng, report)
        check_special(first, report)


def check_results(t: Trial, report: Report) -> None:
    """The pullback of each of several results alone."""
    for k in range(len(t.outputs)):
        try:
            t.pullback(k)
        except Exception as error:
            given = "None" if t.op.takes_none else "zero"
            report.findings.append(
                f"the pullback fails where only result {k} is used, and the cotangents of the "
                f"others are {given}: {error}"
            )
            return


# ---- special points


def check_special(rule: Rule, report: Report) -> None:
    """Where the value is finite and the gradient is not."""
    said: dict[str, list[str]] = {}
    for where, values in (("at the example", rule.trial.values), *special(rule.trial.values)):
        place = odd_place(rule, values)
        if place:
            said.setdefault(place, []).append(where)
    text = "; ".join(f"{listed(where)} the pullback gives {place}" for place, where in said.items())
    if "nan" in text:
        text += (
            ", although the value is finite. Where it should be finite, too, keep the zero from "
            "the divisor, as in x / ad.where(d == 0, 1, d): an ad.where around the quotient comes "
            "too late, since 0 * nan is nan"
        )
    if text:
        report.notes.append(text)


def odd_place(rule: Rule, values: Sequence[Any]) -> str:
    """`nan for x at (0, 1)`: the first entry of the gradient that is not finite."""
    try:
        results = rule.trial.perform(values)
        found = rule([np.ones(np.shape(y)) for y in results], values)
    except Exception:
        return ""
    for name, v in zip(rule.trial.names, found, strict=True):
        if v is not None and all(np.isfinite(y).all() for y in results):
            for place in map(tuple, np.argwhere(~np.isfinite(v)).tolist()):
                return f"{v[place]} for {name}" + f" at {place}" * bool(place)
    return ""
