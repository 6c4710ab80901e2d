"""Task 5: shorter where that is allowed, and equal everywhere: at nan and infinity, too."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..harness.feedback import Wrong, complain
from .doing import doing
from .formulas import UNARY, Formula, build, make, nodes_of, spelled, value_of

SPECIAL = (0.0, 1.0, -1.0, 2.0, 1000.0, np.nan, np.inf, -np.inf)
Made = Callable[..., Any]
SHORTER: dict[str, tuple[Made, int]] = {  # and the number of nodes that are needed
    "x + 0": (lambda n, x: x + 0, 1),
    "0 + x": (lambda n, x: 0 + x, 1),
    "x - 0": (lambda n, x: x - 0, 1),
    "x * 1": (lambda n, x: x * 1, 1),
    "1 * x": (lambda n, x: 1 * x, 1),
    "x / 1": (lambda n, x: x / 1, 1),
    "-(-x)": (lambda n, x: minus(x, 2), 1),
    "2 * 3 - 4": (lambda n, x: n.constant(2) * n.constant(3) - 4, 1),
    "((x * 1) + 0) / 1": (lambda n, x: ((x * 1) + 0) / 1, 1),
    "-(0 + -(1 * x))": (lambda n, x: -(0 + -(1 * x)), 1),
    "-(-(-(-x)))": (lambda n, x: minus(x, 4), 1),
    "(2 - 1) * x": (lambda n, x: (n.constant(2) - 1) * x, 1),
    "x + (3 - 3)": (lambda n, x: x + (n.constant(3) - 3), 1),
    "sin(x * 1) + 0": (lambda n, x: n.sin(x * 1) + 0, 2),
    "exp(log(1) + x)": (lambda n, x: n.exp(n.log(n.constant(1)) + x), 2),
    "a = sin(x + 0); a * a": (lambda n, x: (a := n.sin(x + 0)) * a, 3),
}
TRAPS: dict[str, Made] = {  # where a rule of school is wrong at some number
    "x / x": lambda n, x: x / x,
    "x - x": lambda n, x: x - x,
    "x * 0": lambda n, x: x * 0,
    "0 * x": lambda n, x: 0 * x,
    "0 / x": lambda n, x: 0 / x,
    "exp(log(x))": lambda n, x: n.exp(n.log(x)),
    "log(exp(x))": lambda n, x: n.log(n.exp(x)),
    "(x * x) / x": lambda n, x: (x * x) / x,
    "x + -x": lambda n, x: x + -x,
    "0 - x": lambda n, x: 0 - x,
    "1 - x": lambda n, x: 1 - x,
    "1 / x": lambda n, x: 1 / x,
    "1 + x": lambda n, x: 1 + x,
    "x * 2": lambda n, x: x * 2,
    "-(1 - 1) * x": lambda n, x: -(n.constant(1) - 1) * x,
}


def minus(x: Any, times: int) -> Any:
    """-(-(... x))."""
    for _ in range(times):
        x = -x
    return x


def check(engine: Any, rng: np.random.Generator) -> None:
    """Rules that are asked for, rules that are wrong, random formulas, and a long one."""
    points = points_for(rng)
    for what, (made, size) in SHORTER.items():
        f = one(engine, what, made)
        short = simplified(engine, f, points)
        if (count := len(nodes_of(short, what))) > size:
            words = "this can be shorter"
            complain(words, f"nodes: {size}", f"{count}: {spelled(short)}", f"simplify({what})")
    for what, made in TRAPS.items():
        simplified(engine, one(engine, what, made), points)
    for steps in range(2, 42):
        simplified(engine, random_redundant(engine, rng, 2 + steps // 3), points)
    check_chain(engine)


def one(engine: Any, what: str, made: Made) -> Formula:
    """A formula of x, in the student's words."""
    return build(engine, what, lambda x, y: made(engine.node, x), "x", "y")


def points_for(rng: np.random.Generator) -> np.ndarray:
    """200 points (x, y): all pairs of special numbers, and random ones."""
    special = np.array([(a, b) for a in SPECIAL for b in SPECIAL])
    return np.vstack([special, rng.normal(0, 2, (200 - len(special), 2)).round(3)])


def simplified(engine: Any, f: Formula, points: np.ndarray) -> Any:
    """The student's result, after all that must hold of it."""
    text, what = f.text, f"simplify({f.text})"
    short = call(engine, f.y, what)
    if f.text != text:
        raise Wrong(f"the formula was changed: make new nodes\n  at        {what}")
    check_equal(f, short, points, what)
    before, after = (len(nodes_of(y, what)) for y in (f.y, short))
    if after > before:
        words = "the result is larger: a shared node must stay one node"
        complain(words, f"at most {before} nodes", after, what)
    again = call(engine, short, f"simplify({what})")
    if len(nodes_of(again, what)) != after or spelled(again) != spelled(short):
        words = "a second simplification still changes the formula"
        complain(words, "the same again", f"{spelled(short)}, then {spelled(again)}", what)
    return short


def call(engine: Any, y: Any, what: str) -> Any:
    with doing(what):
        short = engine.simplify.simplify(y)
    if not isinstance(short, engine.node.Node):
        complain("the result must be a Node", "a Node", type(short).__name__, what)
    return short


def check_equal(f: Formula, short: Any, points: np.ndarray, what: str) -> None:
    """The same value at each of the points."""
    at = dict(zip(f.inputs, points.T, strict=True))
    wanted, got = (np.broadcast_to(value_of(y, at, what), 200) for y in (f.y, short))
    wrong = np.flatnonzero(~np.isclose(wanted, got, 1e-9, 1e-9, equal_nan=True))
    if len(wrong):
        k = wrong[0]
        where = f"{what} = {spelled(short)}, for x = {points[k][0]:g}, y = {points[k][1]:g}"
        lines = ["another value", f"  before    {wanted[k]:.9g}", f"  after     {got[k]:.9g}"]
        raise Wrong("\n".join([*lines, f"  at        {where}"]))


def random_redundant(engine: Any, rng: np.random.Generator, steps: int) -> Formula:
    """A formula with many zeros, ones, and double signs. It divides by inputs and 1 or 2 alone:
    elsewhere the sign of a zero would show, which simplification does not keep."""

    def made(x: Any, y: Any) -> Any:
        leaves = [x, y, engine.node.constant(1), engine.node.constant(2)]
        pool = [*leaves, engine.node.constant(0)]
        for _ in range(steps):
            op = str(rng.choice(UNARY + ("add", "sub", "mul", "div") * 2 + ("neg",) * 2))
            a, b = (pool[int(k)] for k in rng.integers(max(0, len(pool) - 7), len(pool), 2))
            other = leaves[int(rng.integers(4))] if op == "div" else b
            pool.append(make(engine, op, a) if op in UNARY else make(engine, op, a, other))
        return pool[-1] + pool[-2]

    return build(engine, "a random formula of x and y", made, "x", "y")


def check_chain(engine: Any) -> None:
    """x * 1 + 0, a thousand times, then shared: y * y."""

    def chain(x: Any) -> Any:
        for _ in range(1000):
            x = x * 1 + 0
        return x * x

    what = "y = x; 1,000 times y = y * 1 + 0; then simplify(y * y)"
    f = build(engine, what, chain, "x")
    count = len(nodes_of(call(engine, f.y, what), what))
    if count != 2:
        complain("this can be shorter", "2 nodes: x * x", count, what)
