"""From graphs to pictures: which way they lie, which boxes fit in open, which are too large."""

from collections.abc import Iterable, Mapping
from typing import Any

from ...expr import Expr, Graph, Stage, as_graph, evaluate_all
from ..diagram.diagram import Direction
from ..html.listing import Listing
from ..html.picture import Picture
from .builder import Drawing
from .expansion import Open, Opening, fitting
from .labels import kind
from .summary import summary
from .vertices import size

LARGEST = 150  # nodes that a reader can still follow


def lie(graphs: Iterable[Graph], open: Open = False) -> Direction:
    """Pictures that are seen together lie the same way: down, or to the right if one is deep."""
    small = [Drawing(g, opening=opened(g, open)) for g in graphs if size(g) <= LARGEST]
    return "LR" if any(d.diagram().direction == "LR" for d in small) else "TB"


def opened(graph: Graph, open: Open) -> Opening:
    """Which boxes are opened, so that a reader can still follow the whole."""
    return fitting(graph, open, LARGEST)


def picture(
    graph: Graph,
    values: Mapping[Expr, Any] | None = None,
    open: Open = False,
    **options: Any,
) -> Picture:
    """One graph drawn, or summarised where it is too large to read; `values` of its inputs."""
    if size(graph, options.get("layout", "graph")) > LARGEST:
        return summary(graph, options.get("direction"))
    open_derivative = any(kind(n) == "open derivative" for n in graph.nodes)
    known = evaluate_all(graph.outputs, values) if values and not open_derivative else {}
    drawing = Drawing(graph, values=known, opening=opened(graph, open), **options)
    return Picture.of(drawing.diagram())


def is_text(after: Any) -> bool:
    """Is what a stage made no graph, but a plan or a program, which prints as its text?"""
    return not isinstance(after, (Graph, Expr, list, tuple))


def result(stage: Stage, options: Mapping[str, Any]) -> Picture | Listing:
    """What a stage made."""
    if is_text(stage.after):
        return Listing(repr(stage.after))
    return picture(as_graph(stage), **options)
