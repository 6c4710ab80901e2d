"""An operation tried at some values: its claims there, what it computes, its rules as functions.

Letters: u a cotangent, t a tangent.
"""

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...expr import (
    Expr,
    Graph,
    Input,
    Null,
    TensorType,
    evaluate_all,
    results,
    spell,
)
from ...ops import pulled, pushed, zero
from .points import near, signed

Values = Sequence[Any]
Rng = np.random.Generator
TRIES = 5


class Trial:
    """An operation applied to inputs that have these values, lengths known or not."""

    def __init__(self, op: Any, static: tuple, names: Sequence[str], values: Values, known=True):
        self.op, self.static, self.names, self.values = op, static, names, list(values)
        types = [TensorType(v.dtype, v.shape if known else [None] * v.ndim) for v in values]
        self.inputs = [Input(name, t) for name, t in zip(names, types, strict=True)]
        self.outputs = results(op.apply(tuple(self.inputs), static))

    @property
    def moving(self) -> list[int]:
        """The places of the operands that are floats."""
        return [k for k, v in enumerate(self.values) if v.dtype.kind == "f"]

    def perform(self, values: Values | None = None) -> tuple:
        """The results, by `perform`, which gets copies."""
        copies = [v.copy()[()] for v in (self.values if values is None else values)]
        with np.errstate(all="ignore"):
            found = self.op.perform(*copies, **dict(self.static))
        return tuple(found) if len(self.outputs) > 1 else (found,)

    def at(self, values: Values) -> "Trial":
        """The same operation at other values."""
        return Trial(self.op, self.static, self.names, values)

    def pullback(self, *needed: int) -> "Rule":
        """Its pullback, for cotangents of the results with these places, or of all."""
        us = symbols("ct" if "g" in self.names else "g", self.outputs)
        given = [u if not needed or k in needed else None for k, u in enumerate(us)]
        static = dict(self.static)
        return Rule(self, us, pulled(self.op, self.inputs, self.outputs, given, static))

    def pushforward(self) -> "Rule":
        ts = symbols("t", self.inputs)
        return Rule(self, ts, pushed(self.op, self.inputs, self.outputs, ts, dict(self.static)))

    def __str__(self) -> str:
        shapes = [f"{n} of shape {spell(v.shape)}" for n, v in zip(self.names, self.values)]
        return " and ".join(shapes)


def symbols(letter: str, of: Sequence[Expr]) -> list[Input]:
    """A symbol for the change of each."""
    names = [letter] if len(of) == 1 else [f"{letter}{k}" for k in range(len(of))]
    return [Input(name, zero(x).type) for name, x in zip(names, of, strict=True)]


class Rule:
    """What a rule says, in symbols for the changes; called with numbers for them, numbers."""

    def __init__(self, trial: Trial, changes: Sequence[Input], terms: Sequence[Expr | None]):
        self.trial, self.changes, self.terms = trial, changes, terms
        self.there = [t for t in terms if t is not None and not isinstance(t, Null)]

    def __call__(self, changes: Values, values: Values | None = None) -> list[Any]:
        """The value of each term, None where there is none."""
        values = self.trial.values if values is None else values
        symbols, numbers = [*self.trial.inputs, *self.changes], [*values, *changes]
        known = evaluate_all(self.there, dict(zip(symbols, numbers, strict=True)))
        return [np.asarray(known[t]) if t in known else None for t in self.terms]


def ordinary(t: Trial, rng: Rng) -> list[Any]:
    """Random values near those of the trial, at which the result is finite."""
    for _ in range(TRIES):
        values = [near(v, rng) for v in t.values]
        try:
            if all(np.isfinite(y).all() for y in t.perform(values)):
                return values
        except Exception:
            continue
    return t.values


def cotangents(t: Trial, values: Sequence[Any], rng: Rng) -> list[np.ndarray]:
    return [signed(rng, y) for y in t.perform(values)]


def far(some: Any, others: Any) -> float:
    """The largest difference, inf between different shapes."""
    if np.shape(some) != np.shape(others):
        return float("inf")
    gap = np.abs(np.asarray(some, "float64") - np.asarray(others, "float64"))
    return float(np.max(gap, initial=0.0))


def names_of(op: Any, n: int) -> list[str]:
    """What the operation calls its operands."""
    if isinstance(op.body, Graph):
        words = getattr(op, "operand_words", [i.name for i in op.body.inputs])
        return [word or f"x{k}" for k, word in enumerate(words)]
    listed = inspect.signature(op.body or op.perform).parameters.values()
    found = [p.name for p in listed if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return found[:n] if len(found) >= n else [f"x{k}" for k in range(n)]
