"""Task 2: an order that can be computed, each node once, and chains of any length."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..harness.feedback import Wrong, complain, expect
from ..harness.limits import SETTING
from .doing import doing
from .formulas import Formula, build, nodes_of, point, random_formula, value_of, values_of

CHAIN = 100_000  # operations
DEPTH = 100  # calls inside calls: a loop needs few


def check(engine: Any, rng: np.random.Generator) -> None:
    """Small graphs, random ones, then how often a node is computed, then a long chain."""
    for f in small(engine):
        check_order(engine, f)
    for steps in range(1, 20):  # what is wrong is seen in a short one first
        f, at = random_formula(engine, rng, steps)
        check_order(engine, f)
        check_values(engine, f, at)
    check_once(engine)
    check_chain(engine)


def small(engine: Any) -> Iterator[Formula]:
    """An input, two uses of one, a diamond, and a short way beside a long one."""
    yield build(engine, "x", lambda x: x, "x")
    yield build(engine, "x * x", lambda x: x * x, "x")
    yield build(engine, "y = sin(x); y * y", lambda x: square(engine.node.sin(x)), "x")
    yield build(engine, "x - exp(-(x * y))", lambda x, y: x - engine.node.exp(-(x * y)), "x", "y")
    yield build(engine, "exp(-(x * y)) - x", lambda x, y: engine.node.exp(-(x * y)) - x, "x", "y")


def square(v: Any) -> Any:
    return v * v


def check_order(engine: Any, f: Formula) -> None:
    """Every node once, and operands first."""
    what = f"order({f.text})"
    with doing(what, DEPTH):
        found = engine.graph.order(f.y)
    judge_order(found, f.y, what)


def judge_order(found: Any, y: Any, what: str) -> None:
    if not isinstance(found, list):
        complain("the order must be a list", "a list of nodes", type(found).__name__, what)
    wanted, places = nodes_of(y, what), {id(node): k for k, node in enumerate(found)}
    if len(places) < len(found):
        complain("a node occurs more than once", f"{len(places)} nodes", len(found), what)
    missing = [node for node in wanted if id(node) not in places]
    if missing:
        words = f"the order lacks a node: {label(missing[0])}"
        complain(words, f"{len(wanted)} nodes", len(found), what)
    if len(found) > len(wanted):
        words = "the order has nodes that are not in the formula"
        complain(words, f"{len(wanted)} nodes", len(found), what)
    for node in wanted:
        for x in node.operands:
            if places[id(x)] > places[id(node)]:
                needed = "operands before the nodes that use them"
                complain("this order cannot be computed", needed, names_of(found), what)


def names_of(nodes: list[Any]) -> str:
    return ", ".join(label(x) for x in nodes[:20])


def label(node: Any) -> str:
    return str(node.op if node.value is None else node.value)


def check_values(engine: Any, f: Formula, at: dict[Any, Any]) -> None:
    """The value of every node is right, and `at` is as it was."""
    what = f"values({f.text}) at {point(at)}"
    given = dict(at)
    with doing(what, DEPTH):
        found, result = engine.graph.values(f.y, given), engine.graph.evaluate(f.y, dict(at))
    if not isinstance(found, dict):
        complain("values must be a dict", "a dict from nodes to numbers", type(found), what)
    if given != at:
        raise Wrong(f"the dict `at` was changed: make a dict of your own\n  at        {what}")
    wanted = values_of(f.y, at, what)
    for node in nodes_of(f.y, what):
        if node not in found:
            complain("values has no number for a node", "one for each", f"none: {node.op}", what)
        expect(wanted[id(node)], found[node], f"{node.op}, in {what}")
    expect(wanted[id(f.y)], result, what.replace("values", "evaluate", 1))


# ---- how often, and how long


def check_once(engine: Any) -> None:
    """y = y + y, twelve times: twelve sums, and not 4,095."""
    f = build(engine, "y = x; 12 times y = y + y", doubled, "x")
    what = "evaluate(y) for y = x, then 12 times y = y + y"
    with counting(engine.graph) as calls, doing(what, DEPTH):
        result = engine.graph.evaluate(f.y, {f.inputs[0]: 1.0})
    if not calls:
        complain("VALUES was not used", "one call of VALUES[op] a node", "none", what)
    if calls["add"] != 12:
        complain("a shared node must be computed once", "12 sums", f"{calls['add']} sums", what)
    expect(value_of(f.y, {f.inputs[0]: 1.0}, what), result, what, tell=False)


def doubled(x: Any) -> Any:
    for _ in range(12):
        x = x + x
    return x


@contextmanager
def counting(graph: Any) -> Iterator[Counter[str]]:
    """How often each function of VALUES is called."""
    calls: Counter[str] = Counter()
    before = dict(graph.VALUES)

    def counted(op: str) -> Any:
        def called(*operands: Any) -> Any:
            calls[op] += 1
            return before[op](*operands)

        return called

    graph.VALUES.update({op: counted(op) for op in before})
    try:
        yield calls
    finally:
        graph.VALUES.update(before)


def check_chain(engine: Any) -> None:
    """-(-(-( ... x))): a short one shows a recursion, and a long one much work."""
    longest = CHAIN // 10 if SETTING.get().alone else CHAIN  # alone, each step is watched
    for length, closely in (1000, True), (longest, False):
        what = f"evaluate(y) for a chain y = -(-(-( ... x))) of {length:,} operations"
        with doing(what, DEPTH, closely=closely):
            x = y = engine.node.variable("x")
            for _ in range(length):
                y = engine.node.Node("neg", (y,))
            result = engine.graph.evaluate(y, {x: 3.0})
        expect(3.0, result, what, tell=False)
