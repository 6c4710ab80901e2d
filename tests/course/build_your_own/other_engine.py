"""Eight files that are right and quite unlike ours: no check may ask for our way of writing."""

NODE = """
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    op: str
    operands: tuple = ()
    value: Any = None
    __array_ufunc__ = None


def variable(name):
    return Node("input", value=name)


def constant(value):
    return Node("constant", value=value)


def lift(x):
    if isinstance(x, Node):
        return x
    return constant(x)


def apply(op, *operands):
    return Node(op, tuple(map(lift, operands)))


def install(op, name):
    setattr(Node, f"__{name}__", lambda a, b: apply(op, a, b))
    setattr(Node, f"__r{name}__", lambda a, b: apply(op, b, a))


for op, name in dict(add="add", sub="sub", mul="mul", div="truediv").items():
    install(op, name)
Node.__neg__ = lambda a: apply("neg", a)
for op in ("exp", "log", "sin", "cos"):
    globals()[op] = lambda x, op=op: apply(op, x)
"""

GRAPH = '''
from collections import Counter
import numpy as np

VALUES = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "div": np.divide, "neg": lambda a: -a,
    "exp": np.exp, "log": np.log, "sin": np.sin, "cos": np.cos,
}


def order(y):
    """Kahn's way, from the result: a node comes when all that use it have come; then backwards."""
    uses, stack, seen = Counter(), [y], {y}
    while stack:
        for x in stack.pop().operands:
            uses[x] += 1
            if x not in seen:
                seen.add(x)
                stack.append(x)
    result, ready = [], [y]
    while ready:
        node = ready.pop()
        result.append(node)
        for x in node.operands:
            uses[x] -= 1
            if not uses[x]:
                ready.append(x)
    return result[::-1]


def values(y, at):
    known = dict(at)
    for node in order(y):
        if node.op == "constant":
            known[node] = node.value
        elif node.op != "input":
            known[node] = VALUES[node.op](*(known[x] for x in node.operands))
    return known


def evaluate(y, at):
    return values(y, at)[y]
'''

FORWARD = """
import math
import numpy as np
from my_engine.graph import order, values

PUSH = dict(
    add=lambda x, y, dx, dy: dx + dy,
    sub=lambda x, y, dx, dy: dx - dy,
    mul=lambda x, y, dx, dy: x * dy + y * dx,
    div=lambda x, y, dx, dy: dx / y - x / y * dy / y,
    neg=lambda x, dx: -dx,
    exp=lambda x, dx: dx * math.exp(x),
    log=lambda x, dx: dx / x,
    sin=lambda x, dx: dx * math.cos(x),
    cos=lambda x, dx: -dx * math.sin(x),
)


def forward(y, at, direction):
    v, table = values(y, at), {}
    for node in order(y):
        if node.op in PUSH:
            tangents = [table[x][1] for x in node.operands]
            table[node] = v[node], PUSH[node.op](*(v[x] for x in node.operands), *tangents)
        else:
            table[node] = v[node], direction[node] if node in direction else 0
    return table
"""

REVERSE = """
from .graph import order
from .node import constant, cos, exp, sin

PULL = {
    "add": lambda ct, v, x, y: [ct, ct],
    "sub": lambda ct, v, x, y: [ct, 0 - ct],
    "mul": lambda ct, v, x, y: [y * ct, x * ct],
    "div": lambda ct, v, x, y: [ct / y, -(ct * x) / (y * y)],
    "neg": lambda ct, v, x: [0 - ct],
    "exp": lambda ct, v, x: [exp(x) * ct],
    "log": lambda ct, v, x: [1 / x * ct],
    "sin": lambda ct, v, x: [cos(x) * ct],
    "cos": lambda ct, v, x: [0 - sin(x) * ct],
}


def reverse(y, inputs, seed=None):
    parts = {y: [constant(1.0) if seed is None else seed]}
    adjoint = {}
    for node in order(y)[::-1]:
        first, *rest = parts[node]
        for part in rest:
            first = part + first
        adjoint[node] = first
        if node.operands:
            for x, part in zip(node.operands, PULL[node.op](first, node, *node.operands)):
                parts.setdefault(x, []).append(part)
    return tuple(adjoint[x] if x in adjoint else constant(0.0) for x in inputs)
"""

SIMPLIFY = '''
import numpy as np
from .graph import VALUES, order
from .node import Node, apply, constant

SAME = {("add", 0), ("sub", 0), ("mul", 1), ("div", 1)}


def number(node):
    return node.value if node.op == "constant" and np.ndim(node.value) == 0 else None


def simplify(y):
    """Equal nodes become one, too; 0 - x is -x, and -x + y is y - x."""
    new, known = {}, {}
    for node in order(y):
        made = shorter(node, [new[x] for x in node.operands])
        key = made.op, made.operands, repr(made.value) if made.op == "constant" else made.value
        new[node] = known.setdefault(key if made.op != "input" else made, made)
    return new[y]


def shorter(node, xs):
    if not xs:
        return node
    if all(number(x) is not None for x in xs) and node.op in VALUES:
        return constant(VALUES[node.op](*[np.float64(x.value) for x in xs]))
    if len(xs) == 2:
        a, b = xs
        if (node.op, number(b)) in SAME:
            return a
        if (node.op, number(a)) in SAME - {("sub", 0), ("div", 1)}:
            return b
        if node.op == "sub" and number(a) == 0:
            return negative(b)
        if node.op == "add" and a.op == "neg":
            return apply("sub", b, *a.operands)
    return negative(*xs) if node.op == "neg" else Node(node.op, tuple(xs))


def negative(x):
    return x.operands[0] if x.op == "neg" else apply("neg", x)
'''

DRAW = """
from .graph import order


def label(node):
    return node.op if node.value is None else str(node.value)


def escaped(text):
    return "".join(chr(92) + c if c in (chr(92), chr(34)) else c for c in text)


def dot(y):
    nodes = order(y)
    lines = ["// a formula", "digraph formula {", "  rankdir=BT; node [shape=box, style=rounded];"]
    for k, node in enumerate(nodes):
        lines.append(f'  "n{k}" [color="#336699", label="{escaped(label(node))}"];')
        for place, x in enumerate(node.operands, 1):
            lines.append(f'  "n{nodes.index(x)}" -> "n{k}" [label="{place}"];')
    return chr(10).join(lines + ["}", ""])
"""

ARRAYS = """
import numpy as np
from .graph import VALUES
from .node import apply
from .reverse import PULL


def matmul(a, b): return apply("matmul", a, b)
def transpose(a): return apply("transpose", a)
def total(x): return apply("sum", x)
def broadcast(x, like): return apply("broadcast", x, like)
def unbroadcast(x, like): return apply("unbroadcast", x, like)
def zeros(like): return apply("zeros", like)


def summed(x, like):
    x, shape = np.asarray(x), np.shape(like)
    while x.ndim > len(shape):
        x = x.sum(0)
    for axis, length in enumerate(shape):
        if x.shape[axis] != length:
            x = x.sum(axis, keepdims=True)
    return x


VALUES |= dict(matmul=lambda a, b: a @ b, transpose=np.transpose, sum=lambda x: np.sum(x),
               broadcast=lambda x, like: x + np.zeros(np.shape(like)), unbroadcast=summed,
               zeros=lambda x: 0.0 * np.ones(np.shape(x)))


def fitting(rule):
    def fitted(ct, v, *operands):
        parts = rule(ct, v, *operands)
        return [unbroadcast(parts[k], operands[k]) for k in range(len(operands))]

    return fitted


for op in ("add", "sub", "mul", "div"):
    PULL[op] = fitting(PULL[op])
PULL["matmul"] = lambda ct, v, a, b: [
    transpose(matmul(b, transpose(ct))), transpose(matmul(transpose(ct), a))]
PULL["transpose"] = lambda ct, v, a: [transpose(ct)]
PULL["sum"] = lambda ct, v, x: [zeros(x) + ct]
PULL["zeros"] = lambda ct, v, x: [zeros(x)]
PULL["broadcast"] = lambda ct, v, x, like: [unbroadcast(ct, x), zeros(like)]
PULL["unbroadcast"] = lambda ct, v, x, like: [broadcast(ct, x), zeros(like)]
"""

TRAIN = '''
import numpy as np
from . import arrays, graph, node, reverse


def standardised(X):
    centred = X - np.mean(X, 0)
    return centred / np.sqrt(np.mean(centred**2, 0))


def loss(X, labels, w, b):
    z = (1 - 2 * labels) * (arrays.matmul(node.constant(X), w) + b)  # of the other label
    return arrays.total(node.log(1 + node.exp(z))) * (1 / labels.size)


def train(X, labels):
    """Momentum, and a check of the accuracy after each step."""
    w, b = node.variable("weights"), node.variable("bias")
    at, speed = {w: np.zeros((X.shape[1], 1)), b: np.float64(0)}, {w: 0.0, b: 0.0}
    for _ in range(60):
        slopes = reverse.reverse(loss(X, labels, w, b), [w, b])
        for x, slope in zip((w, b), [graph.evaluate(s, at) for s in slopes]):
            speed[x] = 0.8 * speed[x] - 0.3 * slope
        at = {x: at[x] + speed[x] for x in at}
    return [at[w], at[b]]
'''

NAMES = "node graph forward reverse simplify draw arrays train".split()
FILES = dict(
    zip(NAMES, (NODE, GRAPH, FORWARD, REVERSE, SIMPLIFY, DRAW, ARRAYS, TRAIN), strict=True)
)
