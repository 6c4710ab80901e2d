"""A graph as a tree: every use of every node, written out."""

from collections.abc import Iterator

from ...expr import Expr, Graph
from .labels import drawn_operands, per_use

Row = tuple[str, Expr, tuple[str, ...], Expr | None]  # an id, a node, its operands, its user


def written_out(graph: Graph) -> tuple[list[Row], list[str]]:
    """All uses, operands first, and the ids of the outputs."""
    rows: list[Row] = []
    outputs = []
    for output in graph.outputs:
        ready: list[str] = []
        for n, user in reversed(list(unfold(output))):
            count = 0 if per_use(n) else len(drawn_operands(n))
            ready, operands = ready[: len(ready) - count], ready[len(ready) - count :]
            ready.append(f"n{len(rows)}")
            rows.append((ready[-1], n, tuple(operands), user))
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
