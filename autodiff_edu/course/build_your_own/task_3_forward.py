"""Task 3: forward mode, row by row as in Baydin's table, and compared with the complex step."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..harness.feedback import complain, expect
from .doing import doing
from .formulas import (
    Formula,
    build,
    make,
    nodes_of,
    point,
    random_formula,
    slopes_of,
    spelled,
    values_of,
)


def check(engine: Any, rng: np.random.Generator) -> None:
    """Each operation alone, then the published table, then random formulas."""
    for f, at in alone(engine, rng):
        check_table(engine, f, at, dict(zip(f.inputs, rng.normal(size=2).round(3).tolist())))
    f = baydin(engine)
    x1, x2 = f.inputs
    check_table(engine, f, {x1: 2.0, x2: 5.0}, {x1: 1.0}, tell=False)
    check_table(engine, f, {x1: 2.0, x2: 5.0}, {x2: 1.0}, tell=False)
    for steps in range(1, 20):
        f, at = random_formula(engine, rng, steps)
        check_table(engine, f, at, drawn(f, rng))


def baydin(engine: Any) -> Formula:
    """Baydin et al. (2018), tables 2 and 3."""
    log, sin = engine.node.log, engine.node.sin
    what = "log(x1) + x1 * x2 - sin(x2)"
    return build(engine, what, lambda x1, x2: log(x1) + x1 * x2 - sin(x2), "x1", "x2")


def alone(engine: Any, rng: np.random.Generator) -> list[tuple[Formula, dict]]:
    """Every operation of inputs, at a random point: an error in a rule is seen in one row."""
    made: dict[str, Callable[..., Any]] = {
        "x + y": lambda x, y: x + y,
        "x - y": lambda x, y: x - y,
        "x * y": lambda x, y: x * y,
        "x / y": lambda x, y: x / y,
        "-x": lambda x, y: -x,
    }
    for name in ("exp", "log", "sin", "cos"):
        made[f"{name}(x)"] = lambda x, y, op=name: make(engine, op, x)
    formulas = [build(engine, what, f, "x", "y") for what, f in made.items()]
    points = [rng.uniform(0.5, 2.0, 2).round(3).tolist() for _ in formulas]
    return [(f, dict(zip(f.inputs, p, strict=True))) for f, p in zip(formulas, points, strict=True)]


def drawn(f: Formula, rng: np.random.Generator) -> dict[Any, float]:
    """A random direction; some inputs are left out, and stay where they are."""
    moving = [x for x in f.inputs if rng.uniform() < 0.7]
    return {x: round(rng.normal(), 3) for x in moving}


def check_table(engine: Any, f: Formula, at: dict, direction: dict, tell: bool = True) -> None:
    """Both columns, for every node."""
    moving = point(direction) or "nothing"
    what = f"forward({f.text}) at {point(at)}; tangents: {moving}"
    with doing(what):
        table = engine.forward.forward(f.y, dict(at), dict(direction))
    if not isinstance(table, dict):
        needed = "a dict from nodes to pairs (value, tangent)"
        complain("the result must be a dict", needed, type(table).__name__, what)
    value, slope = values_of(f.y, at, what), slopes_of(f, at, direction)
    for node in nodes_of(f.y, what):
        row = f"the row of {spelled(node)}, in {what}"
        pair = table.get(node)
        if not (isinstance(pair, tuple) and len(pair) == 2):
            needed = "a pair (value, tangent) for each node"
            complain("the table lacks a row", needed, type(pair).__name__, row)
        expect({"value": value[id(node)]}, {"value": pair[0]}, row, tell=tell)
        expect({"tangent": slope[id(node)]}, {"tangent": pair[1]}, row, tell=tell)
