"""Nodes of two graphs that are the same, by structure, and by the log of what a stage rewrote. It
is loaded with the first two graphs that are compared.
"""

from typing import Any

from ..expr import Expr, Graph, Rewriting, as_graph, numbered


def numbers(before: Graph, after: Any) -> dict[Expr, int]:
    """A number for every node, the same for nodes that are equal as trees; where a stage rewrote
    the graph before, also for those that it rebuilt."""
    number = numbered(before.outputs + as_graph(after).outputs, {})
    if not isinstance(after, Rewriting) or not is_same_result(before, after.before):
        return number
    leader: dict[int, int] = {}  # of the numbers that are one, the next one
    steps = set(after.marks)
    for k, pair in enumerate(after.log):
        old, new = [leading(leader, number.setdefault(n, len(number))) for n in pair]
        if k not in steps and old != new:
            leader[new] = old
    return {n: leading(leader, k) for n, k in number.items()}


def leading(leader: dict[int, int], k: int) -> int:
    """The last of the numbers to which this one leads; the way there becomes shorter."""
    while k in leader:
        leader[k] = leader.get(leader[k], leader[k])
        k = leader[k]
    return k


def is_same_result(left: Graph, right: Graph) -> bool:
    """Have both the same nodes as outputs?"""
    return [*map(id, left.outputs)] == [*map(id, right.outputs)]
