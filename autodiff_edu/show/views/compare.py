"""`compare`: two graphs side by side, with what the one has and the other has not."""

from collections.abc import Iterable, Mapping
from typing import Any

from ...expr import HOOKS, Constant, Expr, Graph, as_graph, postorder
from ..build.render import lie, picture
from ..diagram.escape import shorten, visible
from ..diagram.theme import Mark
from ..html.side_by_side import SideBySide


def compare(
    before: Any,
    after: Any,
    captions: tuple[str, str] | None = None,
    *,
    values: Mapping[Expr, Any] | None = None,
    **options: Any,
) -> SideBySide:
    """Both graphs; what only the left one has is marked removed, what only the right one has new.

    Nodes are the same if they apply the same operations to the same inputs. Takes graphs, stages
    and expressions; the options are those of `draw`.
    """
    graphs = as_graph(before), as_graph(after)
    options["direction"] = options.get("direction") or lie(graphs, options.get("open", False))
    left, right = numbered(graphs)
    sides = [
        picture(graphs[0], values, marks=marks(left, right, "removed"), follow=True, **options),
        picture(graphs[1], values, marks=marks(right, left, "new"), follow=True, **options),
    ]
    words = captions or (caption(before, "before"), caption(after, "after"))
    return SideBySide((words[0], sides[0]), (words[1], sides[1]), counts(*graphs), KEY)


KEY: tuple[Any, ...] = ("forward", "derivative", "removed", "new")


def caption(what: Any, otherwise: str) -> str:
    name = str(getattr(what, "name", None) or "").strip("()")
    return shorten(visible(name)) or otherwise


def numbered(graphs: tuple[Graph, Graph]) -> list[dict[Expr, int]]:
    """Each node's number; nodes of one structure, in either graph, have one number."""
    table: dict[tuple, int] = {}
    number: dict[Expr, int] = {}
    for n in postorder(graphs[0].outputs + graphs[1].outputs):
        number[n] = table.setdefault(structure(n, number), len(table))
    return [{n: number[n] for n in g.nodes} for g in graphs]


def structure(n: Expr, number: Mapping[Expr, int]) -> tuple:
    if isinstance(n, Constant):
        return ("constant", n.key)
    if n.op is None:
        return ("leaf", id(n))
    return (n.op, n.static, *(number[i] for i in n.inputs))


def marks(mine: Mapping[Expr, int], other: Mapping[Expr, int], mark: Mark) -> dict[Expr, Mark]:
    """A mark for every node that the other has not."""
    there = set(other.values())
    return {n: mark for n, key in mine.items() if key not in there}


def counts(left: Graph, right: Graph) -> Iterable[tuple[str, int, int]]:
    yield "nodes", left.size, right.size
    yield "operations", len(left.operations), len(right.operations)
    yield "nodes written out as a tree", left.tree_size, right.tree_size
    if "cost" in HOOKS:
        flops = [getattr(HOOKS["cost"](g), "flops", None) for g in (left, right)]
        if None not in flops:
            yield "floating point operations", *flops  # type: ignore[misc]
