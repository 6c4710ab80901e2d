"""From graphs to pictures: which way they lie, which boxes fit in open, which groups are folded,
which graphs are too large."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...expr import Expr, Graph, Stage, as_graph, evaluate_all
from ..diagram.diagram import Diagram, Direction
from ..diagram.theme import Mark
from ..html.listing import Listing
from ..html.picture import Picture
from .builder import Drawing
from .common_layout import together
from .expansion import Open, Opening, fitting
from .groups import enough, in_order
from .labels import kind
from .summary import summary
from .vertices import size

PAGE = 1100  # pixels of a window of 1,280 that a notebook has for a picture
FEW = 24  # nodes fit anywhere
TRIES = 5  # of layouts: each takes tenths of a second
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
    values: Mapping[Any, Any] | None = None,
    open: Open = False,
    **options: Any,
) -> Picture:
    """One graph drawn, or summarised where it is too large to read; `values` of its inputs."""
    if too_large(graph, options):
        return summary(graph, options.get("direction"))
    diagram = legible if options.get("grouped") else Drawing.diagram
    return Picture.of(diagram(plan(graph, values, open, **options)))


def legible(drawing: Drawing) -> Diagram:
    """With as few groups folded as will do, up to a few. Where nothing does, all are, and the page
    scrolls."""
    members = drawing.members
    if drawing.fold is not None or not members:
        return lying(drawing)
    order, content = in_order(members), drawing.content()
    least = enough(content, members, order, LARGEST)
    tried = sorted({round(k) for k in np.linspace(least, len(order), TRIES)})
    for folded in tried:
        found = lying(replace(drawing, folded=order[:folded]))
        if fits(found):
            break
    return found


def lying(drawing: Drawing) -> Diagram:
    """In its usual direction, or in the other one where that is narrower and the usual too wide."""
    usual = drawing.diagram()
    if drawing.direction or len(usual.nodes) > LARGEST or fits(usual):
        return usual
    other = usual._replace(direction="TB" if usual.direction == "LR" else "LR")
    return min(usual, other, key=width)


def fits(diagram: Diagram) -> bool:
    """Are there few enough nodes, and does a page show them in legible letters?"""
    return len(diagram.nodes) <= LARGEST and width(diagram) <= PAGE


def width(diagram: Diagram) -> int:
    """The least at which its letters are legible. A few nodes fit anywhere."""
    return Picture.of(diagram).widths[1] if len(diagram.nodes) > FEW else 0


def too_large(graph: Graph, options: Mapping[str, Any]) -> bool:
    """Are there more nodes than a reader can follow?"""
    return size(graph, options.get("layout", "graph")) > LARGEST


def plan(
    graph: Graph, values: Mapping[Any, Any] | None = None, open: Open = False, **options: Any
) -> Drawing:
    """How one graph is drawn that is not too large."""
    open_derivative = any(kind(n) == "open derivative" for n in graph.nodes)
    known = evaluate_all(graph.outputs, values) if values and not open_derivative else {}
    return Drawing(graph, values=known, opening=opened(graph, open), **options)


def pictures(
    graphs: tuple[Graph, Graph],
    number: Mapping[Expr, int],
    marks: tuple[Mapping[Expr, Mark], Mapping[Expr, Mark]],
    options: Mapping[str, Any],
) -> tuple[Picture, Picture]:
    """Two graphs, in which nodes of one number stand in one place."""
    each = [dict(options, marks=m, follow=True) for m in marks]
    if any(too_large(g, options) for g in graphs):
        return picture(graphs[0], **each[0]), picture(graphs[1], **each[1])
    left, right = (plan(g, **own) for g, own in zip(graphs, each, strict=True))
    mine, other = together(left, right, number)
    return Picture.of(mine), Picture.of(other)


def is_text(after: Any) -> bool:
    """Is what a stage made no graph, but a plan or a program, which prints as its text?"""
    return not isinstance(after, (Graph, Expr, list, tuple))


def result(stage: Stage, options: Mapping[str, Any]) -> Picture | Listing:
    """What a stage made."""
    is_picture = not is_text(stage.after)
    return picture(as_graph(stage), **options) if is_picture else Listing(repr(stage.after))
