"""Old programs: what updates read, slopes behind a clip, loops and dtypes of a moved program.

What is right is computed by hand here, or it is the value of the old program. The form of an answer
is read from its graph: its size, and the dtypes of its operations.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...expr import Expr, Graph, Input, TensorType
from ..harness.check import call, check_function
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, expect
from .lecture_15 import whole_size

LENGTHS = 3, 30


# ---- by hand


@checker
def check_updates(student: Callable[..., Any], *, trials: int = 20, seed: int | None = None):
    """student(w, v, slopes, rate) is (w, v) after a call of the old program for each slope.

    The updates are (v, 0.9 v - rate·slope) and (w, w + v).
    """

    def draw(rng: np.random.Generator) -> tuple:
        w, v, rate = rng.uniform(1, 2, 3).round(3).tolist()
        return w, v, rng.uniform(1, 2, int(rng.integers(2, 6))).round(3), rate

    check_function(student, updated, draw, trials=trials, seed=seed)


def updated(w: float, v: float, slopes: np.ndarray, rate: float) -> tuple[float, float]:
    """All right sides are computed from the old values."""
    for slope in slopes:
        w, v = w + v, 0.9 * v - rate * slope
    return w, v


@checker
def check_clipped_slope(student: Callable[..., Any], *, trials: int = 20, seed: int | None = None):
    """student(z, k, low) is the gradient by z of -log(max(softmax(z)[k], low)).

    Parameters
    ----------
    trials : int, default: 20
        How many random pairs are tried: one above the limit, one below it, with large scores.
    """

    def draw(rng: np.random.Generator, sign: float) -> tuple:
        z, k = rng.normal(size=int(rng.integers(3, 6))).round(3), int(rng.integers(0, 3))
        z[k] += sign * rng.uniform(10, 12)
        return (z + rng.choice([0, 800])).round(3), k, 1e-3

    for sign in (0.1, -1.0):
        check_function(student, clipped_slope, partial(draw, sign=sign), trials=trials, seed=seed)


def clipped_slope(z: np.ndarray, k: int, low: float) -> np.ndarray:
    """Of -log p it is p minus a row of the identity; below the limit, zero."""
    powers = np.exp(z - z.max())
    p = powers / powers.sum()
    return np.where(p[k] > low, p - np.eye(len(z))[k], 0.0)


# ---- expressions


@checker
def check_moved(
    student: Callable[..., Any],
    old: Callable[..., Any],
    *,
    trials: int = 5,
    seed: int | None = None,
) -> None:
    """student(x, w, n) is a modern expression equal to the old program's, of one size for every n.

    x and w are inputs of the engine: a matrix with n rows, and a vector of as many columns.

    Parameters
    ----------
    student : callable
        What the student wrote, for the engine.
    old : callable
        The old program, as a function of arrays: old(x, w, n).
    trials : int, default: 5
        How many random inputs are tried, for each n.
    """
    rng, sizes = np.random.default_rng(seed), []
    for n in LENGTHS:
        kinds = {"x": TensorType("float64", (n, 4)), "w": TensorType("float64", (4,))}
        graph = graph_of(student, kinds, n)
        for _ in range(trials):
            at = [rng.uniform(0.2, 1, size).round(3) for size in ((n, 4), 4)]
            values = dict(zip(graph.inputs, at, strict=True))
            where = f"x = {at[0].tolist()}, w = {at[1].tolist()}, n = {n}"
            expect(old(*at, n), graph.evaluate(values), where)
        sizes.append(whole_size(graph))
    if sizes[0] != sizes[1]:
        found = ", ".join(f"{size} operations for n = {n}" for size, n in zip(sizes, LENGTHS))
        complain(f"{student.__name__}: the graph grows", "one size", found)
    print(f"{student.__name__}: equal to the old program; {sizes[0]} operations for every n")


@checker
def check_narrow(
    student: Callable[..., Any],
    old: Callable[..., Any],
    *,
    trials: int = 10,
    seed: int | None = None,
) -> None:
    """student(x, w) is a modern expression equal to the old program's, all in float32.

    x is a matrix of float32 with any number of rows and four columns, w is a vector of four.

    Parameters
    ----------
    student : callable
        What the student wrote, for the engine.
    old : callable
        The old program, as a function of arrays: old(x, w).
    """
    kinds = {"x": TensorType("float32", (None, 4)), "w": TensorType("float32", (4,))}
    graph = graph_of(student, kinds)
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        rows = int(rng.integers(2, 6))
        at = [rng.uniform(0.2, 1, size).round(3).astype("float32") for size in ((rows, 4), 4)]
        values = dict(zip(graph.inputs, at, strict=True))
        where = f"x = {at[0].tolist()}, w = {at[1].tolist()}"
        expect(old(*at), graph.evaluate(values), where, rtol=1e-4, atol=1e-5)
    for node in graph.operations:
        if node.type.dtype == np.float64:
            complain(f"{student.__name__}: not all of it is float32", "no operation in float64",
                     f"{node.op.name} in float64")  # fmt: skip
    if graph.outputs[0].type.dtype != np.float32:
        complain(student.__name__, "a result in float32", str(graph.outputs[0].type))
    print(f"{student.__name__}: equal to the old program, all in float32")


def graph_of(student: Callable[..., Any], kinds: dict[str, TensorType], *more: Any) -> Graph:
    """The graph of what the student makes of inputs of these types."""
    inputs = [Input(name, kind) for name, kind in kinds.items()]
    found = call(student, (*inputs, *more), by_hand=False)
    if not isinstance(found, Expr):
        kind = "an old variable" if hasattr(found, "expr") else type(found).__name__
        raise Wrong(f"{student.__name__} returns a modern expression, not {kind}")
    return Graph(found, inputs)
