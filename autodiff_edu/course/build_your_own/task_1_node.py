"""Task 1: a node has its operation and its operands, in order, and nothing is computed."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..harness.feedback import Wrong, complain
from .doing import doing

Case = tuple[str, Callable[..., Any], str, tuple[Any, ...]]
OPERATORS: tuple[Case, ...] = (
    ("x + y", lambda x, y: x + y, "add", ("x", "y")),
    ("x - y", lambda x, y: x - y, "sub", ("x", "y")),
    ("y - x", lambda x, y: y - x, "sub", ("y", "x")),
    ("x * x", lambda x, y: x * x, "mul", ("x", "x")),
    ("x / y", lambda x, y: x / y, "div", ("x", "y")),
    ("-y", lambda x, y: -y, "neg", ("y",)),
    ("x + 2", lambda x, y: x + 2, "add", ("x", 2)),
    ("2 + x", lambda x, y: 2 + x, "add", (2, "x")),
    ("x - 2", lambda x, y: x - 2, "sub", ("x", 2)),
    ("2 - x", lambda x, y: 2 - x, "sub", (2, "x")),
    ("x * 2", lambda x, y: x * 2, "mul", ("x", 2)),
    ("2 * x", lambda x, y: 2 * x, "mul", (2, "x")),
    ("x / 2", lambda x, y: x / 2, "div", ("x", 2)),
    ("2 / x", lambda x, y: 2 / x, "div", (2, "x")),
    ("np.float64(0.5) - x", lambda x, y: np.float64(0.5) - x, "sub", (0.5, "x")),
)


def check(engine: Any, rng: np.random.Generator) -> None:
    """Every way to write an operation, then identity, then that constants stay what they are."""
    cases = list(OPERATORS)
    for name in ("exp", "log", "sin", "cos"):
        cases.append((f"{name}(y)", lambda x, y, n=name: getattr(engine.node, n)(y), name, ("y",)))
    c = round(rng.normal(), 3)
    cases.append((f"{c} / x", lambda x, y: c / x, "div", (c, "x")))
    for case in cases:
        check_case(engine, *case)
    check_identity(engine)
    check_nothing_is_computed(engine)


def check_case(engine: Any, what: str, made: Any, op: str, operands: tuple[Any, ...]) -> None:
    """One new node, of these operands in this order."""
    with doing(what):
        known = {name: engine.node.variable(name) for name in "xy"}
        made = made(known["x"], known["y"])
    check_node(engine, made, op, len(operands), what)
    for k, (wanted, got) in enumerate(zip(operands, made.operands, strict=True), 1):
        of = f"operand {k} of {what}"
        if wanted in known and got is not known[wanted]:
            complain(f"{of} is another node", f"the node {wanted} itself", shown(got), what)
        elif wanted not in known and not is_constant(got, wanted):
            complain(f"{of} is not the constant", f"constant({wanted})", shown(got), what)
    if any(x.operands != () for x in known.values()):
        raise Wrong(f"an operation changed its operands\n  at        {what}")


def check_node(engine: Any, got: Any, op: str, count: int, what: str) -> None:
    """A Node of this operation, with so many operands."""
    if not isinstance(got, engine.node.Node):
        complain(f"{what} must be a Node", "a Node", shown(got), what)
    if got.op != op:
        complain("a node has another operation", f"op = {op!r}", f"op = {got.op!r}", what)
    if type(got.operands) is not tuple:
        found = type(got.operands).__name__
        complain("operands must be a tuple, which keeps their order", "a tuple", found, what)
    if len(got.operands) != count:
        complain("a node has another number of operands", count, len(got.operands), what)


def check_identity(engine: Any) -> None:
    """Nodes are equal only to themselves, and can be keys."""
    what = 'x = variable("x"); first = x + 1; second = x + 1'
    with doing(what):
        x, other = engine.node.variable("x"), engine.node.variable("x")
        first, second = x + 1, x + 1
        equal = [bool(first == second), bool(x == other)]
        keys = engine.node.Node.__hash__ is not None
    if any(equal):
        words = "two nodes that were written separately are equal"
        needed = "a Node without `__eq__` (a dataclass has one unless it says eq=False)"
        complain(words, needed, "first == second" if equal[0] else "x == another x", what)
    if not keys:
        words = "a node cannot be a key: a class with `__eq__` of its own loses `__hash__`"
        complain(words, "a Node without `__eq__`", "Node.__hash__ is None", what)
    with doing(what):
        found = {first: 1, x: 2}.get(first), len({first, second, x, other}), bool(first == first)
    if found != (1, 4, True):
        complain("a node is lost as a key", "a node equals itself alone", "another node", what)


def check_nothing_is_computed(engine: Any) -> None:
    """An operation of constants is a node like any other: even 0 / 0."""
    for what, op in (("constant(2) + constant(3)", "add"), ("constant(0) / constant(0)", "div")):
        with doing(what):
            a, b = (engine.node.constant(v) for v in ((2, 3) if op == "add" else (0, 0)))
            made = a + b if op == "add" else a / b
        if getattr(made, "op", None) == "constant":
            complain("this was computed: keep the operation", f"op = {op!r}", shown(made), what)
        check_node(engine, made, op, 2, what)


def is_constant(node: Any, value: Any) -> bool:
    kind = getattr(node, "op", None), getattr(node, "operands", None)
    return kind == ("constant", ()) and np.shape(node.value) == () and node.value == value


def shown(value: Any) -> str:
    """A node in few words; anything else by its type."""
    if not all(hasattr(value, name) for name in ("op", "operands", "value")):
        return f"{type(value).__name__}"
    inside = type(value.value).__name__ if hasattr(value.value, "op") else repr(value.value)
    leaf = str(value.op) in ("input", "constant")
    return f"{value.op}({inside})" if leaf else f"a node with op = {value.op!r}"
