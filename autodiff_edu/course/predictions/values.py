"""Formulas and numbers compared by value: every equal form is the same answer.

2*x + 1    x + (1 + x)    lambda x: 2*x + 1        one answer
2*x        x*x                                     differ at x = 1: 2 and 1
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from ...expr import Expr, Graph, Input, TensorType, evaluate

Point = Mapping[str, float]
SIMPLE = (1.0, 2.0, 3.0, -1.0, 0.0, 0.5, -2.0, 10.0, 1000.0, np.inf)
TRIALS, NEAR = 24, 1e-9
MOST = 3  # letters of which all simple numbers are combined


def letters(answer: Any) -> tuple[str, ...]:
    """The names of the inputs of an answer, in their order."""
    if isinstance(answer, (tuple, list)):
        return tuple(dict.fromkeys(name for part in answer for name in letters(part)))
    nodes = Graph(answer).nodes if isinstance(answer, Expr) else ()
    return tuple(i.name or "" for i in nodes if isinstance(i, Input))


def value(answer: Any, point: Point) -> np.ndarray:
    """The value of a number, a formula, a function of the letters, or a row of these."""
    if isinstance(answer, (tuple, list)):
        return np.concatenate([value(part, point) for part in answer])
    with np.errstate(all="ignore"):
        if isinstance(answer, Expr):
            inputs = [i for i in Graph(answer).nodes if isinstance(i, Input)]
            answer = evaluate(answer, {i: point[i.name or ""] for i in inputs})
        elif callable(answer):
            answer = answer(**point)
    return np.atleast_1d(np.asarray(answer, dtype=float))


def differ(one: Any, other: Any, point: Point) -> bool:
    """Do the values of two answers differ at a point? Two nans are equal."""
    a, b = value(one, point), value(other, point)
    return a.shape != b.shape or not np.allclose(a, b, rtol=NEAR, atol=0, equal_nan=True)


def equal(one: Any, other: Any, within: float = 0.0) -> bool:
    """Are two answers equal at random points, half of them with positive letters alone?"""
    near = max(within, NEAR)
    names, rng = letters([one, other]), np.random.default_rng(0)
    for k in range(TRIALS if names else 1):
        draws = rng.normal(scale=3, size=len(names))
        point = dict(zip(names, np.abs(draws) if k % 2 else draws))
        a, b = value(one, point), value(other, point)
        if a.shape != b.shape:
            return False
        size = float(np.max(np.abs(b), initial=1.0, where=np.isfinite(b)))
        if not np.allclose(a, b, rtol=near, atol=near * size if names else 0, equal_nan=True):
            return False
    return True


def difference(one: Any, other: Any) -> dict[str, float] | None:
    """The simplest point at which two answers differ, of finite values where there is one."""
    names = letters([one, other])
    rows = product(SIMPLE, repeat=len(names)) if len(names) <= MOST else one_for_all(len(names))
    points = (dict(zip(names, row)) for row in rows)
    wrong = [p for p in points if differ(one, other, p)]
    finite = (p for p in wrong if np.isfinite(value((one, other), p)).all())
    return next(finite, wrong[0] if wrong else None)


def one_for_all(many: int) -> Sequence[tuple[float, ...]]:
    """Points at which all letters are numbers in a row, from each simple number on."""
    return [tuple(n + k for k in range(many)) for n in SIMPLE]


def spelled(answer: Any) -> str:
    """A number, a formula or a row of them, as a reader writes it."""
    if isinstance(answer, (tuple, list)):
        return ", ".join(map(spelled, answer))
    if isinstance(answer, (bool, str, Expr)):
        return str(answer)
    if callable(answer):
        return "your function"
    return f"{answer:,}" if isinstance(answer, int) else f"{float(answer):.10g}"


def numbers(answer: Any, point: Point) -> str:
    """The value at a point, rounded for a sentence."""
    return ", ".join(f"{v:,.6g}" if abs(v) < 1e6 else f"{v:.10g}" for v in value(answer, point))


def place(point: Point) -> str:
    """A point in words: x = 1, y = 2."""
    return ", ".join(f"{name} = {number:g}" for name, number in point.items())


def letter(name: str) -> Input:
    """A number in a formula of an answer."""
    return Input(name, TensorType("float64", ()))
