"""Task 4: reverse mode, whose result is a graph again."""

from typing import Any

import numpy as np

from ..harness.feedback import Wrong, complain, expect
from .doing import doing
from .formulas import (
    Formula,
    build,
    gradient_of,
    nodes_of,
    point,
    random_formula,
    slopes_of,
    spelled,
)
from .task_3_forward import alone, baydin

CHAIN = 1000  # operations
MOST = 8  # nodes of the gradient for each node of the formula


def check(engine: Any, rng: np.random.Generator) -> None:
    """Rules alone, uses that add up, Baydin's table, random formulas, and twice."""
    for f, at in alone(engine, rng):
        check_gradient(engine, f, at)
    for f in several_uses(engine):
        check_gradient(engine, f, dict.fromkeys(f.inputs, 1.5), tell=False)
    check_gradient(engine, f := baydin(engine), dict(zip(f.inputs, (2.0, 5.0))), tell=False)
    for steps in range(1, 15):
        f, at = random_formula(engine, rng, steps)
        check_gradient(engine, f, at)
        check_again(engine, f, at)
        check_identity(engine, f, at, rng)
    for _ in range(5):
        check_second(engine, *random_formula(engine, rng, 4))
    check_cost(engine)


def several_uses(engine: Any) -> list[Formula]:
    """Where an adjoint has more than one part."""
    sin, exp = engine.node.sin, engine.node.exp
    return [
        build(engine, "x * x", lambda x: x * x, "x"),
        build(engine, "sin(x) * exp(x)", lambda x: sin(x) * exp(x), "x"),
        build(engine, "a = x + x; a + a", lambda x: (a := x + x) + a, "x"),
        build(engine, "x - exp(-(x * x))", lambda x: x - exp(-(x * x)), "x"),
        build(engine, "exp(-(x * x)) - x", lambda x: exp(-(x * x)) - x, "x"),
        build(engine, "sin(x), of x and y", lambda x, y: sin(x), "x", "y"),
        build(engine, "x, of x and y", lambda x, y: x, "x", "y"),
    ]


def adjoints(engine: Any, f: Formula, what: str, seed: Any = None) -> list[Any]:
    """What the student gives: a node for each input."""
    with doing(what):
        found = engine.reverse.reverse(f.y, list(f.inputs), seed)
    if not isinstance(found, (list, tuple)) or len(found) != len(f.inputs):
        needed = f"a list of {len(f.inputs)} nodes"
        count = f" of {len(found)}" if isinstance(found, (list, tuple)) else ""
        complain("the result must have a node for each input", needed, kind(found) + count, what)
    for x in found:
        if not isinstance(x, engine.node.Node):
            words = "an adjoint must be a node: it is a formula, not a number"
            complain(words, "a Node", kind(x), what)
        nodes_of(x, what)
    return list(found)


def kind(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"


def numbers_of(engine: Any, nodes: list[Any], at: dict, what: str) -> list[Any]:
    with doing(f"evaluate, for what came from {what}"):
        return [engine.graph.evaluate(node, dict(at)) for node in nodes]


def check_gradient(engine: Any, f: Formula, at: dict, tell: bool = True) -> None:
    """Each adjoint is the slope, which the complex step knows."""
    what = f"reverse({f.text}) at {point(at)}"
    nodes = adjoints(engine, f, what)
    found, wanted = numbers_of(engine, nodes, at, what), gradient_of(f, at)
    for x, node, want, got in zip(f.inputs, nodes, wanted, found, strict=True):
        where = f"{what}, whose formula for {x.value} is {spelled(node)}"
        expect({x.value: want}, {x.value: got}, where, tell=tell)


def check_identity(engine: Any, f: Formula, at: dict, rng: np.random.Generator) -> None:
    """⟨u, Jv⟩ = ⟨Jᵀu, v⟩ for a random u, the seed, and a random direction v."""
    u, v = round(rng.normal(), 3), dict(zip(f.inputs, rng.normal(size=2).round(3).tolist()))
    what = f"reverse({f.text}) with the seed constant({u}) at {point(at)}"
    with doing(what):
        seed = engine.node.constant(u)
    back = numbers_of(engine, adjoints(engine, f, what, seed), at, what)
    left = u * slopes_of(f, at, v)[id(f.y)]
    right = sum(g * v[x] for g, x in zip(back, f.inputs))
    if not np.isclose(left, right, 1e-9, 1e-9):
        words = f"the adjoint identity fails for the direction v: {point(v)}"
        complain(words, f"⟨u, Jv⟩ = {left:.9g}", f"⟨Jᵀu, v⟩ = {right:.9g}", what)


def check_again(engine: Any, f: Formula, at: dict) -> None:
    """A second call says the same: nothing of the first is left."""
    what = f"reverse({f.text}), twice"
    first, second = (adjoints(engine, f, what) for _ in range(2))
    if numbers_of(engine, first, at, what) != numbers_of(engine, second, at, what):
        words = "a second call gives another gradient: keep nothing from call to call"
        raise Wrong(f"{words}\n  at        {what}")


STEP = 1e-5  # of the central difference


def check_second(engine: Any, f: Formula, at: dict) -> None:
    """reverse of what reverse gave."""
    what = f"x̄, ȳ = reverse({f.text}), then reverse(x̄) and reverse(ȳ)"
    first = adjoints(engine, f, what)
    rows = [adjoints(engine, Formula(g, f.inputs), what) for g in first]
    found = np.array([numbers_of(engine, row, at, what) for row in rows], dtype=float)
    for k, x in enumerate(f.inputs):
        ahead, back = (gradient_of(f, at | {x: at[x] + h}) for h in (STEP, -STEP))
        slope = (np.array(ahead) - np.array(back)) / (2 * STEP)
        expect(slope, found[:, k], f"{what}: slopes along {x.value} at {point(at)}", 1e-4, 1e-4)


def check_cost(engine: Any) -> None:
    """A chain of products: no recursion, and a gradient that is not much longer."""

    def chain(x: Any) -> Any:
        y = x
        for _ in range(CHAIN // 2):
            y = engine.node.sin(y * y)
        return y

    what = f"reverse(y) for y = x, then {CHAIN // 2:,} times y = sin(y * y)"
    f = build(engine, what, chain, "x")
    (found,) = adjoints(engine, f, what)
    count = len(nodes_of(found, what))
    if count > MOST * CHAIN:
        complain("the gradient is too long", f"at most {MOST * CHAIN:,} nodes", count, what)
