"""`compare`: two graphs side by side, with what the one has and the other has not."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..expr import Constant, Expr, Graph, as_graph, evaluate_all, postorder, upstairs
from .drawing import Drawing
from .sidebyside import SideBySide
from .style import Mark
from .summary import summary
from .uses import size

LARGEST = 150


def compare(
    before: Any,
    after: Any,
    captions: tuple[str, str] | None = None,
    *,
    at: Mapping[Expr, Any] | None = None,
    **options: Any,
) -> SideBySide:
    """Both graphs; what only the left one has is marked removed, what only the right one has new.

    Nodes are the same if they apply the same operations to the same inputs. Takes graphs, stages
    and expressions; the options are those of `draw`, with `at` for values.
    """
    graphs = as_graph(before), as_graph(after)
    left, right = numbered(graphs)
    sides = [
        drawn(graphs[0], marks(left, right, "removed"), at or {}, options),
        drawn(graphs[1], marks(right, left, "new"), at or {}, options),
    ]
    words = captions or (caption(before, "before"), caption(after, "after"))
    return SideBySide((words[0], sides[0]), (words[1], sides[1]), counts(*graphs), KEY)


KEY: tuple[Any, ...] = ("forward", "derivative", "removed", "new")


def caption(what: Any, otherwise: str) -> str:
    name = getattr(what, "name", None)
    return str(name) if name else otherwise


def drawn(graph: Graph, marked: Mapping[Expr, Mark], at: Mapping[Expr, Any], options: Any) -> Any:
    if size(graph, options.get("layout", "graph")) > LARGEST:
        return summary(graph, options.get("direction", "TB"))
    values = evaluate_all(graph.outputs, at) if at else {}
    return Drawing(graph, marks=marked, values=values, **options).sketch().picture()


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
    if "cost" in upstairs:
        flops = [getattr(upstairs["cost"](g), "flops", None) for g in (left, right)]
        if None not in flops:
            yield "floating point operations", *flops  # type: ignore[misc]
