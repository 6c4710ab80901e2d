"""A graph as a tree: every use of every node, written out."""

from collections.abc import Iterator

from ...expr import Expr, Graph
from .labels import drawn_operands, per_use

Row = tuple[Expr, Expr | None, list[int]]  # a node, its user, and the rows of its operands


def written_out(graph: Graph) -> tuple[list[Row], list[int]]:
    """All uses, operands first, and the rows of the outputs."""
    rows: list[Row] = []
    outputs = []
    for output in graph.outputs:
        ready: list[int] = []
        for n, user in reversed(list(unfold(output))):
            count = 0 if per_use(n) else len(drawn_operands(n))
            ready, operands = ready[: len(ready) - count], ready[len(ready) - count :]
            ready.append(len(rows))
            rows.append((n, user, operands))
        outputs.append(ready.pop())
    return rows, outputs


def unfold(output: Expr) -> Iterator[tuple[Expr, Expr | None]]:
    """Every use of every node, users first, from right to left."""
    waiting: list[tuple[Expr, Expr | None]] = [(output, None)]
    while waiting:
        n, user = waiting.pop()
        yield n, user
        if not per_use(n):
            waiting.extend((i, n) for i in drawn_operands(n))
