"""A pullback against numbers: is it linear in its cotangent, and is it the derivative?

Letters: us vs random cotangents, k the place of an operand.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...differentiate import forward_mode
from ...expr import Null
from ..gradient.differences import Entry, Projection, rounding
from ..report import Report, lengths
from .diagnosis import bent, code, ignores_cotangent, offset, wrong
from .trial import Rule, cotangents, far, ordinary

MOST = 30  # entries of an operand that are compared

Rng = np.random.Generator


# ---- linear in the cotangent


def check_linear(rule: Rule, rng: Rng, report: Report) -> bool:
    """P(0) = 0, P(2u) = 2·P(u), P(u + v) = P(u) + P(v)."""
    values = ordinary(rule.trial, rng)
    us, vs = (cotangents(rule.trial, values, rng) for _ in range(2))
    said = [
        rule([a * u + b * v for u, v in zip(us, vs, strict=True)], values)
        for a, b in ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1))
    ]
    faults: dict[str, list[int]] = {}
    for k, rows in enumerate(zip(*said, strict=True)):
        if rows[0] is not None and np.isfinite(rows[1]).all():
            faults.setdefault(fault(rows, rounding(us)), []).append(k)
    faults.pop("", None)
    if "ignores_cotangent" in faults:
        fixed = in_words(times_cotangent(rule, faults["ignores_cotangent"]), values, rng)
        report.findings.append(ignores_cotangent(rule, faults["ignores_cotangent"], fixed))
    if "offset" in faults:
        k = faults["offset"][0]
        fixed = in_words(linear_part(rule), values, rng)
        report.findings.append(offset(rule, k, said[0][k], fixed))
    if "bent" in faults:
        (report.notes if rule.trial.op.overrides else report.findings).append(bent(rule))
    return not faults


def fault(rows: Sequence[Any], eps: float) -> str:
    """In which way a pullback is not linear, from its values for 0, u, 2u, v, u + v."""
    zero, one, two, other, both = rows
    slack = np.sqrt(eps) * max(np.abs(one).max(initial=0), np.abs(other).max(initial=0))
    if far(zero, 0 * zero) > slack:
        return "ignores_cotangent" if max(far(one, zero), far(other, zero)) <= slack else "offset"
    return "bent" if max(far(two, 2 * one), far(both, one + other)) > slack else ""


def in_words(fixed: Rule | None, values: Sequence[Any], rng: Rng) -> str:
    """A rule that was mended, as code, if it agrees with the differences; an override need not."""
    if fixed is None:
        return ""
    agrees = fixed.trial.op.overrides or all(e.right for e in entries(fixed, values, rng))
    return code(fixed) if agrees else ""


def times_cotangent(rule: Rule, places: Sequence[int]) -> Rule | None:
    """The rule with its terms in these places multiplied by the cotangent, where that fits."""
    (g, *others), terms = rule.changes, list(rule.terms)
    for k in places:
        term = terms[k]
        if others or term is None or g.ndim and g.type.shape != term.type.shape:
            return None
        terms[k] = g * term
    return Rule(rule.trial, rule.changes, terms)


def linear_part(rule: Rule) -> Rule | None:
    """What moves with the cotangents: the derivative of the rule along them."""
    try:
        moved = forward_mode(rule.there, rule.changes, list(rule.changes)).outputs
    except TypeError:
        return None
    part = dict(zip(rule.there, moved, strict=True))
    return Rule(rule.trial, rule.changes, [part.get(e) for e in rule.terms])  # type: ignore[arg-type]


# ---- the derivative

EDGE = (
    "near the example the differences leave the domain, where perform gives nan or inf: of the "
    "pullback there they say nothing"
)


def check_gradient(rules: Sequence[Rule], rng: Rng, report: Report) -> bool:
    """Against central differences, at all lengths; of an override, how far it is from them."""
    overrides, off = rules[0].trial.op.overrides, 0.0
    for rule in [*rules, rules[0]]:
        tried = entries(rule, ordinary(rule.trial, rng), rng)
        found = [e for e in tried if np.isfinite(e.slopes.central)]
        if len(found) < len(tried) and EDGE not in report.notes:
            report.notes.append(EDGE)
        if overrides:
            off = max([off, *(abs(e.found - e.slopes.central) for e in found if not e.right)])
        elif not all(e.right for e in found):
            report.findings.append(wrong(rule, found))
            return False
    if off:
        report.notes.append(
            "it overrides its derivative, and differs from the derivative of what it computes by "
            f"up to {off:.3g}"
        )
    else:
        report.passed.append(
            "the pullback is linear in its cotangent, and agrees with central differences, at "
            f"random points by random cotangents{lengths(rules)}"
        )
    return True


def entries(rule: Rule, values: Sequence[Any], rng: Rng) -> list[Entry]:
    """The gradient of Σ u·f and its differences, for entries of all operands that are floats."""
    us = cotangents(rule.trial, values, rng)
    gradient = [np.zeros(v.shape) if g is None else g for g, v in zip(rule(us, values), values)]
    f = Projection(rule.trial.perform, values, us, gradient)
    known = [k for k in rule.trial.moving if not isinstance(rule.terms[k], Null)]
    return [f.entry(k, place) for k in known for place in sample(values[k].shape, rng)]


def sample(shape: tuple[int, ...], rng: Rng) -> list[tuple[int, ...]]:
    places = list(np.ndindex(shape))
    if len(places) <= MOST:
        return places
    return [places[k] for k in sorted(rng.choice(len(places), MOST, replace=False))]
