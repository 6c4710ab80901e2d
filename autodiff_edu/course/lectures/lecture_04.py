"""Tangents carried by hand: a student's pairs and sweeps, checked by the engine's forward mode.

A pair is (value, tangent): a number that is 3 and moves at the rate 1 is (3.0, 1.0).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...differentiate import forward_mode
from ...expr import Graph, Input, TensorType, as_graph, constant
from ..harness.check import Draw, call, check_function
from ..harness.checker import checker
from ..harness.counting import counted
from ..harness.feedback import complain, expect, spell


@checker
def check_pairs(
    student: Callable[..., Any],
    of: Callable[..., Any],
    inputs: Draw,
    *,
    seed: int | None = None,
    **how: Any,
) -> None:
    """student((a, ȧ), (b, ḃ), ...) = (value, tangent) of `of(a, b, ...)`, for random tangents.

    Parameters
    ----------
    **how : object
        Options of `check_function`.
    """

    def draw(rng: np.random.Generator) -> list[tuple[float, float]]:
        return [(float(a), float(rng.normal())) for a in inputs(rng)]

    def reference(*pairs: tuple[float, float]) -> tuple[Any, Any]:
        values, tangents = pushed(of, *zip(*pairs, strict=True))
        return values[0], tangents[0]

    check_function(student, reference, draw, seed=seed, **how)


@checker
def check_direction(
    student: Callable[..., Any],
    of: Callable[..., Any],
    allowed: Callable[[int], int],
    *,
    sizes: Sequence[int] = range(1, 21),
    seed: int | None = None,
) -> None:
    """student(x, r) is J·r for the results of `of`, in at most allowed(n) multiplications.

    x and r are lists of n counted numbers, about a third of x is 0; `of` takes the n values
    as separate arguments.

    Parameters
    ----------
    allowed : callable
        How many operations are allowed, by the size.
    sizes : sequence of int, default: range(1, 21)
        The sizes that are tried.
    """
    rng = np.random.default_rng(seed)
    for n in sizes:
        x, r = rng.uniform(-2, 2, (2, n)).round(2)
        x = (x * (rng.uniform(size=n) > 1 / 3)).tolist()
        judge(student, of, x, r.tolist(), allowed(n))
    print(f"{student.__name__}: J·r, at the promised cost, for n = {sizes[0]} to {sizes[-1]}")


def judge(student: Callable[..., Any], of: Callable[..., Any], x: list, r: list, allowed: int):
    numbers, tally = counted([*x, *r])
    got = call(student, (numbers[: len(x)], numbers[len(x) :]))
    at = f"{student.__name__}(x={spell(x)}, r={spell(r)})"
    expect(np.array(pushed(of, x, r)[1]), got, at)
    if tally["truediv"] or tally["pow"]:
        wanted, found = "products alone", str(dict(tally))
    elif tally["mul"] > allowed:
        wanted, found = f"at most {allowed} multiplications", str(tally["mul"])
    elif tally["mul"] < len(x) - 1:
        wanted, found = "products of the numbers given", f"{tally['mul']} (arrays do not count)"
    else:
        return
    complain(student.__name__, wanted, found, at)


def pushed(of: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any]) -> tuple:
    """The values and the tangents of all results of `of`, by the engine's forward mode."""
    inputs = [Input(f"x{k}", TensorType("float64", np.shape(a))) for k, a in enumerate(args)]
    graph = as_graph(of(*inputs))
    moving = [constant(np.asarray(t, dtype=float)) for t in tangents]
    both = [*graph.outputs, *forward_mode(graph, inputs, moving).outputs]
    at = dict(zip(inputs, [np.asarray(a, dtype=float) for a in args], strict=True))
    found = Graph(both, inputs).evaluate(at)
    half = len(graph.outputs)
    return tuple(found[:half]), tuple(found[half:])
