"""As much of a graph as a reader can follow: which way it lies, which boxes fit in open, which
groups are folded, which graphs are too large."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...expr import Expr, Graph, evaluate_all
from ..build.builder import Drawing, Layout
from ..build.expansion import CLOSED, Open, Opening, fitting
from ..build.groups import Fold, Group, Members, chosen, enough, gathered, in_order
from ..build.labels import groups, kind
from ..build.marks import Marking
from ..build.passes import content, diagram
from ..build.summary import LARGEST, summary
from ..diagram.diagram import FEW, Diagram, Direction
from ..html.picture import Picture

PAGE = 1100  # pixels of a window of 1,280 that a notebook has for a picture
TRIES = 5  # of layouts: each takes tenths of a second


def legible_picture(
    graph: Graph, options: dict[str, Any], highlight: Sequence[Expr] = ()
) -> Picture:
    """A graph with its groups and open boxes, or by its groups alone where it is too large."""
    if too_large(graph, options) and (options["open"] is not False or not few_outside(graph)):
        from ..scene.large import large_picture  # loaded with the first one

        return large_picture(graph, **options)
    marking = Marking(dict.fromkeys(highlight, "matched")) if highlight else None
    return Picture.of(legible(plan(graph, marking=marking, **options), options["fold"]))


def lie(graphs: Iterable[Graph], open: Open = False) -> Direction:
    """Pictures that are seen together lie the same way: down, or to the right if one is deep."""
    small = [Drawing(g, opening=opened(g, open)) for g in graphs if size(g) <= LARGEST]
    return "LR" if any(diagram(d).direction == "LR" for d in small) else "TB"


def opened(graph: Graph, open: Open) -> Opening:
    """Which boxes are opened, so that a reader can still follow the whole."""
    return fitting(graph, open, LARGEST) if open is not False else CLOSED


def picture(
    graph: Graph,
    values: Mapping[Any, Any] | None = None,
    open: Open = False,
    **options: Any,
) -> Picture:
    """One graph drawn, or summarised where it is too large to read; `values` of its inputs."""
    if too_large(graph, options):
        return summary(graph, options.get("direction"))
    return Picture.of(diagram(plan(graph, values, open, **options)))


def legible(drawing: Drawing, fold: Fold = None) -> Diagram:
    """With frames around groups, of which these are folded or, by default, as few as will do. Where
    nothing does, all are, and the page scrolls."""
    nodes, members = content(drawing), members_of(drawing)
    if not members:
        return lying(drawing, nodes)
    if fold is not None:
        return lying(drawing, gathered(nodes, members, chosen(members, fold)))
    order = in_order(members)
    least = enough(nodes, members, order, LARGEST)
    for count in sorted({round(k) for k in np.linspace(least, len(order), TRIES)}):
        trial = lying(drawing, gathered(nodes, members, order[:count]))
        if fits(trial):
            break
    return trial


def members_of(drawing: Drawing) -> Members:
    """The groups of nodes; a node that is drawn at each use belongs to its user's."""
    paths = [(use, groups(use.node if use.user is None else use.user)) for use in drawing.uses[0]]
    return {use.id: Group(path, drawing.part(use)) for use, path in paths if path}


def lying(drawing: Drawing, diagram: Diagram) -> Diagram:
    """In its usual direction, or in the other one where that is narrower and the usual too wide."""
    usual = drawing.directed(diagram)
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


def size(graph: Graph, layout: Layout = "graph") -> int:
    """How many nodes would be drawn, at least."""
    return graph.tree_size if layout == "tree" else len(graph.nodes)


def too_large(graph: Graph, options: Mapping[str, Any]) -> bool:
    """Are there more nodes than a reader can follow?"""
    return size(graph, options.get("layout", "graph")) > LARGEST


def plan(
    graph: Graph, values: Mapping[Any, Any] | None = None, open: Open = False, **options: Any
) -> Drawing:
    """How one graph is drawn that is not too large."""
    open_derivative = any(kind(n) == "open derivative" for n in graph.nodes)
    known = evaluate_all(graph.outputs, values) if values and not open_derivative else {}
    options.pop("fold", None)  # groups have no frames here
    return Drawing(graph, values=known, opening=opened(graph, open), **options)


def few_outside(graph: Graph) -> bool:
    """Would there be few nodes if all groups that the user named were folded?"""
    return len({groups(n)[:1] or n for n in graph.nodes}) <= LARGEST / 2
