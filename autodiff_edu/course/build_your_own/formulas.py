"""A student's graph as the checks see it: what is in it, its values, its text, and random ones.

Nothing here calls the student's files, but to build a formula.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..harness.feedback import complain
from .doing import doing

VALUES: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative,
    "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos,
    "matmul": np.matmul, "transpose": np.transpose, "sum": np.sum,
}  # fmt: skip
SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "matmul": "@"}
OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "neg": operator.neg,
}  # fmt: skip
UNARY = ("neg", "exp", "log", "sin", "cos")
LONGEST = 160  # characters of a formula
MOST = 1_000_000  # nodes


class Formula(NamedTuple):
    """A student's formula of some inputs, and what it is called."""

    y: Any
    inputs: Sequence[Any]

    @property
    def text(self) -> str:
        return spelled(self.y)


# ---- what is in a graph


def nodes_of(y: Any, at: str) -> list[Any]:
    """All nodes, operands first. Raises Wrong where something is no node of the task's kind."""
    placed: dict[int, Any] = {}
    stack, entered = [y], set[int]()
    while stack:
        node = stack[-1]
        if id(node) in placed:
            stack.pop()
            continue
        known_kind(node, at)
        waiting = [x for x in node.operands if id(x) not in placed]
        if waiting and id(node) in entered or len(entered) > MOST:
            complain("the graph does not end", "no node below itself", "a circle of nodes", at)
        entered.add(id(node))
        stack.extend(waiting)
        if not waiting:
            placed[id(node)] = stack.pop()
    return list(placed.values())


def known_kind(node: Any, at: str) -> None:
    """Raises Wrong unless it has an operation, a tuple of operands, and a value."""
    if not all(hasattr(node, name) for name in ("op", "operands", "value")):
        complain("the graph has something else than nodes", "a Node", type(node).__name__, at)
    if not isinstance(node.op, str):
        complain("the operation of a node must be a text", "'add', ...", repr(node.op), at)
    if not isinstance(node.operands, tuple):
        found = type(node.operands).__name__
        complain(f"the operands of a node {node.op!r} must be a tuple", "a tuple", found, at)


def values_of(y: Any, at: Mapping[Any, Any], what: str) -> dict[int, Any]:
    """The value of each node, by its id; the inputs are those in `at`. Complex numbers may be."""
    given, value = {id(x): v for x, v in at.items()}, {}
    with np.errstate(all="ignore"):
        for node in nodes_of(y, what):
            if node.op == "constant":
                value[id(node)] = node.value
            elif node.op == "input" and id(node) in given:
                value[id(node)] = given[id(node)]
            elif node.op in VALUES:
                value[id(node)] = VALUES[node.op](*[value[id(x)] for x in node.operands])
            else:
                complain("the graph has an unknown operation", "those of node.py", node.op, what)
    return value


def value_of(y: Any, at: Mapping[Any, Any], what: str) -> Any:
    return values_of(y, at, what)[id(y)]


STEP = 1e-30  # of the complex step: too small to be seen in a real part


def slopes_of(f: Formula, at: Mapping[Any, Any], direction: Mapping[Any, Any]) -> dict[int, Any]:
    """The tangent of each node, by its id, from values at a complex point: no rule is needed."""
    moved = {x: v + 1j * STEP * np.asarray(direction.get(x, 0.0)) for x, v in at.items()}
    found = values_of(f.y, moved, f.text)
    return {name: np.imag(v) / STEP for name, v in found.items()}


def gradient_of(f: Formula, at: Mapping[Any, Any], seed: Any = 1.0) -> list[np.ndarray]:
    """What the adjoint of each input must be, entry by entry."""
    found = []
    for x in f.inputs:
        shape = np.shape(at[x])
        entries = [unit(shape, k) for k in range(int(np.prod(shape)))]
        slopes = [np.sum(slopes_of(f, at, {x: e})[id(f.y)] * seed) for e in entries]
        found.append(np.reshape(slopes, shape))
    return found


def unit(shape: tuple[int, ...], k: int) -> np.ndarray:
    """Zeros, and a one at the k-th entry."""
    found = np.zeros(shape)
    found.flat[k] = 1.0
    return found


# ---- as text


def spelled(y: Any) -> str:
    """The formula as Python writes it, cut where nobody would read on."""
    text: dict[int, str] = {}
    for node in nodes_of(y, "a formula"):
        text[id(node)] = cut(one_step(node, [text[id(x)] for x in node.operands]))
    whole = text[id(y)]
    return whole[1:-1] if whole.startswith("(") and whole.endswith(")") else whole


def one_step(node: Any, operands: list[str]) -> str:
    if not operands:
        return str(node.value) if node.op == "input" else number(node.value)
    if node.op == "neg":
        return f"(-{operands[0]})"
    if node.op in SIGNS and len(operands) == 2:
        return f"({operands[0]} {SIGNS[node.op]} {operands[1]})"
    return f"{node.op}({', '.join(operands)})"


def number(value: Any) -> str:
    if np.ndim(value):
        return f"array{np.shape(value)}"
    return f"{value:.12g}" if isinstance(value, (int, float)) else str(value)


def cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"


def point(at: Mapping[Any, Any]) -> str:
    """The values of the inputs: x = 2.0, y = 5.0."""
    return ", ".join(f"{x.value} = {np.asarray(v).tolist()}" for x, v in at.items())


# ---- formulas to try


def build(engine: Any, what: str, made: Callable[..., Any], *names: str) -> Formula:
    """made(x, y, ...) of inputs with these names, in the student's own operators."""
    with doing(what):
        inputs = [engine.node.variable(name) for name in names]
        y = made(*inputs)
    nodes_of(y, what)
    return Formula(y, inputs)


def make(engine: Any, op: str, *operands: Any) -> Any:
    """One operation, as a student writes it."""
    return OPERATORS[op](*operands) if op in OPERATORS else getattr(engine.node, op)(*operands)


def random_formula(engine: Any, rng: np.random.Generator, steps: int) -> tuple[Formula, dict]:
    """A formula of x and y with shared nodes, and a point where all of its values are moderate."""
    at = dict(zip("xy", rng.uniform(0.5, 2.0, 2).round(3).tolist(), strict=True))

    def made(x: Any, y: Any) -> Any:
        pool = [(x, at["x"]), (y, at["y"]), (engine.node.constant(2.0), 2.0)]
        while len(pool) < steps + 3:
            op = str(rng.choice(UNARY + ("add", "sub", "mul", "div")))
            places = rng.integers(max(0, len(pool) - 5), len(pool), 1 if op in UNARY else 2)
            value = VALUES[op](*[pool[k][1] for k in places])
            if 0.1 < abs(value) < 10:  # a slope stays moderate, too
                pool.append((make(engine, op, *[pool[k][0] for k in places]), float(value)))
        return pool[-1][0] + pool[-2][0] * pool[-3][0]

    f = build(engine, "a random formula of x and y", made, "x", "y")
    return f, dict(zip(f.inputs, at.values(), strict=True))
