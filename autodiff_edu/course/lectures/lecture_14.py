"""Rules for operations of one's own: pullbacks in numbers, held to Taylor's remainder; pullbacks in
symbols, held to a count of operations; and rules for all layers of a network.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...differentiate import reverse_mode
from ...expr import Expr, Graph, Input, TensorType, evaluate
from ..harness.chart import chart_graph
from ..harness.check import Arrays, Draw, call, pulled, where
from ..harness.checker import checker
from ..harness.feedback import complain, expect, spell

Rng = np.random.Generator


# ---- in numbers, with no other derivative to compare with


@checker
def check_remainder(
    student: Callable[..., Any],
    of: Callable[..., Any],
    inputs: Draw,
    *,
    trials: int = 20,
    seed: int | None = None,
    **limits: Any,
) -> None:
    """student(u, *args) is a cotangent for each argument of `of`, by the Taylor test.

    student(u, *args) is a cotangent for each argument of `of`: for φ = Σ u·of, what is left
    of φ without its linear part falls like h² in a random direction (in the best of three:
    where the curvature happens to be small, the slope is less clear; a wrong one has slope
    1 in them all).

    Parameters
    ----------
    **limits : object
        Those of `watched`.
    """
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        args = [np.asarray(a, float) for a in inputs(rng)]
        u = rng.normal(size=np.shape(of(*args))).round(2)
        at = where(student, (u, *args))
        got = call(student, (u, *args), **limits)
        expect(tuple([0 * a for a in args]), shapes_of(got), at)
        directions = [[rng.normal(size=a.shape) for a in args] for _ in range(3)]
        slope = max(remainder_slope(of, args, d, u, got) for d in directions)
        if not slope > 1.9:
            said = "slope 2, of Σ u·f without its linear part over the step"
            complain(student.__name__, said, f"{slope:.3f}", at)
    print(f"{student.__name__}: Taylor's remainder has slope 2 at {trials} points")


def shapes_of(got: Any) -> Any:
    """Zeros in the shapes of what was returned: those are to be right first."""
    parts = got if isinstance(got, (tuple, list)) else [got]
    return tuple([np.zeros(np.shape(part)) for part in parts])


def remainder_slope(of: Callable[..., Any], args: Arrays, d: Arrays, u: Any, got: Any) -> float:
    """Of log |φ(x + hd) − φ(x) − h·⟨got, d⟩| over log h; inf where nothing is left."""
    linear = sum(np.sum(np.asarray(g, float) * t) for g, t in zip(got, d, strict=True))
    steps, left = 10.0 ** np.linspace(-3, -5, 7), []
    start = np.sum(u * of(*args))
    for h in steps:
        there = [a + h * t for a, t in zip(args, d, strict=True)]
        left.append(abs(np.sum(u * of(*there)) - start - h * linear))
    noise = 1e-13 * (1 + np.sum(np.abs(u * of(*args))))
    if max(left) < noise:
        return np.inf
    return float(np.polyfit(np.log(steps), np.log(np.maximum(left, noise)), 1)[0])


# ---- in symbols


@checker
def check_symbolic(
    student: Callable[..., Any],
    of: Callable[..., Any],
    inputs: Draw,
    at_most: int,
    *,
    trials: int = 20,
    seed: int | None = None,
) -> None:
    """student(inputs, outputs, cotangents) writes down the pullback of `of`.

    student(inputs, outputs, cotangents) writes down the pullback of `of`, which has one
    result, in so many operations. `of` is written in NumPy's words.

    Parameters
    ----------
    at_most : int
        How many operations are allowed.
    """
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        args = [np.asarray(a, float) for a in inputs(rng)]
        out = np.asarray(of(*args))
        u = np.round(rng.normal(size=out.shape), 2)
        places = [f"x{k}" for k in range(len(args))]
        xs = [symbol(name, a) for name, a in zip(places, args, strict=True)]
        y, g = symbol("y", out), symbol("g", out)
        name = f"{student.__name__}({spell(xs)}, [y], [g])"
        terms = call(student, (xs, [y], [g]), by_hand=False)
        if not (isinstance(terms, (list, tuple)) and len(terms) == len(xs)):
            complain(student.__name__, f"a list of {len(xs)}, one for each input", terms, name)
        if not all(isinstance(t, Expr) for t in terms):
            complain(student.__name__, "expressions", spell(terms), name)
        chart_graph(f"{student.__name__}: your graph", terms)
        values = dict(zip([*xs, y, g], [*args, out, u], strict=True))
        found = tuple([evaluate(t, values) for t in terms])
        at = ", ".join(f"{n} = {spell(v)}" for n, v in zip([*places, "y", "g"], values.values()))
        expect(pulled(of, args, u), found if len(args) > 1 else found[0], at)
        used = [n.op.name for n in Graph(terms).operations]
        if len(used) > at_most:
            said = f"{len(used)}: {', '.join(used)}"
            complain(student.__name__, f"at most {at_most} operations", said, name)
    print(f"{student.__name__}: right at {trials} points, in at most {at_most} operations")


def symbol(name: str, value: np.ndarray) -> Input:
    """Of lengths that are not known: the rule shall serve for all."""
    return Input(name, TensorType("float64", [None] * value.ndim))


# ---- all layers of a network


class Network(NamedTuple):
    """A cost; the weights that are to have a rule of their own; all else; and values for both."""

    cost: Expr
    weights: list[Expr]
    others: list[Expr]
    at: dict[Expr, Any]


@checker
def check_override(
    student: Callable[..., Any],
    network: Callable[[Rng], Network],
    wanted: Callable[[Any], Any],
    *,
    trials: int = 10,
    seed: int | None = None,
) -> None:
    """student(cost) is the stage that gives the weights, and nothing else, another gradient.

    student(cost) is the stage that gives the weights, and nothing else, another gradient:
    wanted(gradient) instead of gradient.

    Parameters
    ----------
    network : callable
        Draws a network from a generator.
    wanted : callable
        Makes the gradient that is right from the ordinary one.
    """
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        cost, weights, others, at = network(rng)
        stage = call(student, (cost,), by_hand=False)
        said = f"{student.__name__}({spell(str(cost))})"
        count = len(getattr(stage, "matches", ()))
        if count != len(weights):
            complain(student.__name__, f"{len(weights)} matches", count, said)
        for name, expected, found in compared(cost, stage.output, weights, others, at):
            ruled = name in {w.name for w in weights}
            expect(wanted(expected) if ruled else expected, found, f"{name} of {said}")
    print(f"{student.__name__}: all layers of {trials} networks, and nothing else")


def compared(cost: Expr, other: Expr, weights: list, others: list, at: dict) -> list[tuple]:
    """(name, gradient of the cost, gradient of the other) for the value and for each parameter."""
    wrt = [*weights, *others]
    rows = [[evaluate(e, at) for e in (c, *reverse_mode(c, wrt).outputs)] for c in (cost, other)]
    return list(zip(["value", *(p.name for p in wrt)], *rows, strict=True))
