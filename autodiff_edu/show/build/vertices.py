"""Which nodes a picture has: each node of a graph once, or, as a tree, once for every use.

Small constants are drawn at every use in both, so that no line runs across the picture for a 2.
The lengths from which reshape and its kin build a shape are not drawn: the node's type tells it.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Literal, NamedTuple

from ...expr import Constant, Expr, Graph, Input
from ...expr import Literal as Number
from ...ops import OPS

Layout = Literal["graph", "tree"]


class Use(NamedTuple):
    """A node to be drawn, and the ids of its operands; `user` is set for what is drawn per use."""

    id: str
    node: Expr
    operands: tuple[str, ...] = ()
    user: Expr | None = None


def uses(
    graph: Graph,
    layout: Layout = "graph",
    once: Collection[Expr] = (),
    first: Iterable[Expr] = (),
) -> tuple[list[Use], list[str]]:
    """The nodes in the order of their ids, and the ids of the outputs; `once` are constants that
    are nevertheless drawn once, `first` inputs that come first, used or not."""
    return as_tree(graph) if layout == "tree" else as_graph(graph, once, first)


def per_use(n: Expr) -> bool:
    """Is this leaf so small that it is drawn wherever it is used?"""
    if isinstance(n, Number):
        return True
    if isinstance(n, Constant):
        return not n.ndim or n.value.size <= 1 or bool((n.value == n.value.flat[0]).all())
    return is_length(n)


def is_length(n: Expr) -> bool:
    """A length of an input is drawn as a leaf, X.shape[0]."""
    return n.op is OPS["length"] and isinstance(n.inputs[0], Input)


def drawn_operands(n: Expr) -> tuple[Expr, ...]:
    """The operands, but none that add nothing to the first one: lengths of the shape into which
    it is brought; of all states of a loop, the last one."""
    if n.op is None or n.op.drawn is None:
        return n.inputs
    return n.inputs[: n.op.drawn + dict(n.static).get("count", 0)]


def seen(graph: Graph) -> list[Expr]:
    """The nodes that are drawn, in the graph's order."""
    found = set(graph.outputs)
    for n in reversed(graph.nodes):
        if n in found and not per_use(n):
            found.update(drawn_operands(n))
    return [n for n in graph.nodes if n in found]


def as_graph(
    graph: Graph, once: Collection[Expr], first: Iterable[Expr]
) -> tuple[list[Use], list[str]]:
    rows: list[Use] = []
    ids: dict[Expr, str] = {}

    def drawn(n: Expr, user: Expr | None) -> str:
        if n in ids:
            return ids[n]
        rows.append(Use(f"n{len(rows)}", n, (), user))
        return rows[-1].id

    for n in dict.fromkeys([*first, *seen(graph)]):
        if not per_use(n) or n in once:
            operands = tuple(drawn(i, n) for i in drawn_operands(n))
            ids[n] = f"n{len(rows)}"
            rows.append(Use(ids[n], n, operands))
    return rows, [drawn(o, None) for o in graph.outputs]


def as_tree(graph: Graph) -> tuple[list[Use], list[str]]:
    rows: list[Use] = []
    outputs = []
    for output in graph.outputs:
        waiting: list[tuple[Expr, Expr | None]] = [(output, None)]
        done: list[str] = []
        for n, user in reversed(list(unfold(waiting))):
            count = 0 if per_use(n) else len(drawn_operands(n))
            done, operands = done[: len(done) - count], done[len(done) - count :]
            rows.append(Use(f"n{len(rows)}", n, tuple(operands), user))
            done.append(rows[-1].id)
        outputs.append(done.pop())
    return rows, outputs


def unfold(waiting: list[tuple[Expr, Expr | None]]) -> Iterator[tuple[Expr, Expr | None]]:
    """Every use of every node, users first, from right to left."""
    while waiting:
        n, user = waiting.pop()
        yield n, user
        if not per_use(n):
            waiting.extend((i, n) for i in drawn_operands(n))


def size(graph: Graph, layout: Layout = "graph") -> int:
    """How many nodes would be drawn, at least."""
    return graph.tree_size if layout == "tree" else len(graph.nodes)
