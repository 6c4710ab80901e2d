"""A derivative, of any size, beside its values; and a graph too large to read, by its groups."""

from collections.abc import Mapping
from typing import Any

from ...expr import Graph, Stage, as_graph
from ..build.expansion import CLOSED, Opening
from ..build.summary import summary
from ..diagram.diagram import Direction
from ..html.picture import Picture
from ..html.side_by_side import SideBySide
from .bodies import Bodies
from .document import Document
from .film import KEY
from .sheet import Open
from .still import still

MOST = 200_000  # nodes of a graph that is drawn in groups, in some seconds


def large_picture(
    graph: Graph, values: Mapping[Any, Any] | None = None, open: Any = False, **options: Any
) -> Picture:
    """By the groups of the scene; or, of a tree and of what is larger still, the ends alone."""
    if options["layout"] == "tree" or len(graph) > MOST:
        return summary(graph, options["direction"])
    return grouped_picture(graph, options, values, open)


def beside(stage: Stage, options: dict[str, Any], opening: Opening = CLOSED) -> SideBySide:
    """Values with their derivative beside them, under a caption."""
    words = f"values, and {stage.name} beside them"
    return SideBySide((words, derivative_picture(stage, options, opening)), key=KEY)


def derivative_picture(stage: Stage, options: dict[str, Any], opening: Opening) -> Picture:
    if options["layout"] == "tree" or len(as_graph(stage)) > MOST:
        return summary(as_graph(stage), options["direction"])
    return grouped_picture(stage, options, options["values"], options["open"], opening)


def grouped_picture(
    subject: Graph | Stage,
    options: Mapping[str, Any],
    at: Mapping[Any, Any] | None,
    open: Open,
    opening: Opening = CLOSED,
) -> Picture:
    """A graph, or values with their derivative beside them; the groups of `open` are open, and
    boxes as `opening` says."""
    at = dict(at or {})
    if isinstance(subject, Graph):
        document = Document(None, None, at, groups=True, graph=subject)
    else:
        document = Document(subject, None, at, groups=True, runs=False, moves=False)
    direction: Direction = options["direction"] or "TB"
    numbers = options.get("numbers", False)
    data = with_bodies(document, open, opening) if opening.levels else document.picture(open)
    return still(data, open=open, numbers=numbers, direction=direction)


def with_bodies(document: Document, open: Open, opening: Opening) -> dict[str, Any]:
    """The last frame of a document, with what is in its open boxes."""
    bodies = Bodies(document.parts, document.shots[-1][1].contents, opening)
    return bodies.written(document.picture(open, bodies), document.values)
