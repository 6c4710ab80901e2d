"""A rule as an equation: its two sides, or where a function makes the right one, an example."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ...core.pattern import instantiate
from ...expr import Constant, Expr, Literal, Step, Wild, is_function, postorder, text
from ...ops import tensor
from ...rewrite import Rewrite, Rule, simplify
from ...rewrite.engine.validate import parameters

# what stands for wildcards where a rule has no example: a shape, and values of constants
TRIED = (((), 2.0, 4.0), ((), -2.0, -4.0), ((3, 3), np.eye(3), np.eye(3)))


class Equation(NamedTuple):
    """Both sides of a rule; of a rule without an expression on the right `step` is the example,
    and where there is none, the right side is missing too."""

    left: Expr | None
    right: Expr | None
    step: Step | None = None

    def __str__(self) -> str:
        sides = [text(side) for side in self[:2] if side is not None]
        return " → ".join([*sides, *["…"] * (self.right is None)])


def equation(rule: Rewrite) -> Equation:
    """What a rule says, as far as expressions can say it."""
    left, right = getattr(rule, "left", None), getattr(rule, "right", None)
    if isinstance(right, Expr):
        return Equation(left, right)
    if right is not None and not is_function(right):
        return Equation(left, Literal(right))
    step = example(rule)
    return Equation(step.before, step.after, step) if step else Equation(left, None)


def example(rule: Rewrite) -> Step | None:
    """The first step that the rule makes on its example, or on its left side with numbers for the
    constants."""
    tried = [rule.example] if rule.example is not None else instances(rule)
    for e in tried:
        for step in simplify(e, rules=[rule], mode=rule.mode, final=True).steps:
            if step.rule == rule.name:
                return step
    return None


def instances(rule: Rewrite) -> Iterator[Expr]:
    """The left side of a rule with numbers, or matrices, for its wildcards and constants."""
    if not isinstance(rule, Rule):
        return
    for shape, *values in TRIED:
        given = iter(values)
        bindings = {
            w.name: Constant(next(given, 1.0)) if w.constant else tensor(w.name, shape=shape)
            for w in wildcards(rule.left)
            if w.name
        }
        with suppress(TypeError, ValueError, KeyError):  # no inverse of a number; axes are missing
            yield instantiate(rule.left, bindings)


def wildcards(*sides: Expr | None) -> list[Wild]:
    """Those of some patterns, in the order in which they are met."""
    nodes = postorder([side for side in sides if side is not None])
    return [n for n in nodes if isinstance(n, Wild)]


# ---- in words


def says(rule: Rewrite) -> Sequence[tuple[str, str]]:
    """What a rule says of itself beside its equation, and what it leaves unsaid is left out."""
    rows = (
        ("mode", rule.mode),
        ("needs", ", ".join(map(text, rule.needs))),
        ("when", when(rule)),
        ("caveat", rule.caveat),
        ("decreases", rule.decreases),
    )
    return [(word, value) for word, value in rows if value]


def when(rule: Rewrite) -> str:
    """A condition that is a function as its name tells it: c, d whole and positive."""
    asked = getattr(rule, "when", None)
    name = getattr(asked, "__name__", "")
    if asked is None or not name.isidentifier():
        return "" if asked is None else "a function says so"
    given = ", ".join(p for p in parameters(asked) if p != "node")
    return f"{given} {name.replace('_', ' ').strip()}"


def note(rule: Any) -> str:
    """The first paragraph of what is written of a rule whose right side cannot be shown."""
    written = getattr(rule, "right", None) or type(rule)
    return " ".join((written.__doc__ or "").split("\n\n")[0].split())
