"""The pushforward and second derivatives, along random directions.

Letters: us cotangents, ts tangents, ws changes of the gradient.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...differentiate import reverse_mode
from ...expr import constant
from ..gradient.differences import PARTS, noise, rounding
from ..report import Report
from .points import signed
from .pullbacks import EDGE
from .rule_errors import has
from .trial import Rule, Trial, cotangents, ordinary

SPREAD = 1024  # places of which a small part of a step has so many

Rng = np.random.Generator


def tangents(values: Sequence[Any], rng: Rng) -> list[np.ndarray]:
    """A random direction; whole numbers stay."""
    return [signed(rng, v) if v.dtype.kind == "f" else np.zeros(v.shape) for v in values]


def dot(some: Sequence[Any], others: Sequence[Any]) -> float:
    """The inner product of lists of arrays, None being zero."""
    pairs = zip(some, others, strict=True)
    return float(sum(np.sum(a * b) for a, b in pairs if a is not None and b is not None))


class Along(NamedTuple):
    """A difference quotient along a line, and how far it may be off."""

    slope: float
    slack: float
    noise: Callable[[], float]  # asked only where the slack is not enough

    def meets(self, found: float) -> bool:
        error = abs(found - self.slope)
        return error <= self.slack or error <= self.noise()


def line(
    f: Callable[[Sequence[Any]], float], values: Sequence[Any], ts: Sequence[Any], eps: float
) -> Along:
    """The central difference of f along ts; it may be off by rounding, and by what changes with
    twice the step."""
    h = eps ** (1 / 3)

    def at(s: float) -> float:
        pairs = zip(values, ts, strict=True)
        return f([v + s * t if v.dtype.kind == "f" else v for v, t in pairs])

    near, wide = ((at(s) - at(-s)) / (2 * s) for s in (h, 2 * h))
    slack = abs(near - wide) + h * (abs(near) + abs(at(0)))
    return Along(near, slack, lambda: noise(lambda t: at(t * h / PARTS / SPREAD), SPREAD) / h)


# ---- the pushforward


def check_pushforward(rules: Sequence[Rule], rng: Rng, report: Report) -> None:
    """J·t against differences along t and, by ⟨u, J·t⟩ = ⟨uᵀJ, t⟩, against the pullback."""
    for rule in rules:
        t, values = rule.trial, ordinary(rule.trial, rng)
        ts, us = tangents(values, rng), cotangents(rule.trial, values, rng)
        pushed = dot(us, rule(ts, values))
        along = line(partial(projected, t, us), values, ts, rounding(us))
        if not t.op.overrides and not along.meets(pushed):
            report.findings.append(
                f"the pushforward is wrong for {t}: along a random direction it gives "
                f"{pushed:.6g}, central differences of perform {along.slope:.6g}"
            )
            return
        if has(t.op, "pullback") and report.ok:
            pulled = dot(t.pullback()(us, values), ts)
            if not abs(pulled - pushed) <= np.sqrt(rounding(us)) * max(1, abs(pushed)):
                said = (
                    "pushforward and pullback are not those of one derivative: ⟨u, J·t⟩ is "
                    f"{pushed:.6g}, ⟨uᵀ·J, t⟩ is {pulled:.6g} for {t}"
                )
                (report.notes if t.op.overrides else report.findings).append(said)
                return
    op = rules[0].trial.op
    compared = ["central differences"] * (not op.overrides)
    compared += ["the pullback"] * (has(op, "pullback") and report.ok)
    if compared:
        report.passed.append(f"the pushforward agrees with {' and with '.join(compared)}")


def projected(t: Trial, us: Sequence[Any], values: Sequence[Any]) -> float:
    return dot(us, t.perform(values))


# ---- the pullback of the pullback


def check_second(rule: Rule, rng: Rng, report: Report) -> None:
    """Whether the gradient has a gradient, and the right one."""
    if not rule.there:
        return
    t, values = rule.trial, ordinary(rule.trial, rng)
    us, ts = cotangents(t, values, rng), tangents(values, rng)
    ws = [None if v is None else signed(rng, v) for v in rule(us, values)]
    given = [constant(w) for w in ws if w is not None]
    try:
        adjoints = reverse_mode(rule.there, [t.inputs[k] for k in t.moving], given).outputs
    except Exception as error:
        report.notes.append(f"there are no second derivatives: {error}")
        return
    slopes = Rule(t, rule.changes, adjoints)(us, values)
    found = dot(slopes, [ts[k] for k in t.moving])
    along = line(lambda moved: dot(ws, rule(us, moved)), values, ts, rounding(us))
    if t.op.overrides:
        report.passed.append("second derivatives exist")
    elif along.meets(found):
        report.passed.append("second derivatives exist, and agree with differences of the first")
    elif EDGE not in report.notes:
        report.findings.append(
            f"the second derivative is wrong: along a random direction it is {found:.6g}, and by "
            f"differences of the gradient {along.slope:.6g}. One of the operations in the pullback "
            "has a wrong pullback: check them"
        )
