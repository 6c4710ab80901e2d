"""A derivative, of any size, beside its values; and a graph too large to read, by its groups."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...expr import Expr, Graph, Stage, as_graph
from ..build.summary import LARGEST, summary
from ..html.picture import Picture
from ..html.side_by_side import SideBySide
from .document import Document
from .film import KEY
from .still import still
from .values import subscripted
from .view import View, seen

MOST = 200_000  # nodes of a graph that is drawn in groups, in some seconds


def large_picture(graph: Graph, values: Mapping[Any, Any] | None = None, **options: Any) -> Picture:
    """By the groups of the scene; or, of a tree and of what is larger still, the ends alone."""
    if options["layout"] == "tree" or len(graph) > MOST:
        return summary(graph, options["direction"])
    view = View.of([graph], options, usual=True)
    return last_frame(
        Document(None, None, dict(values or {}), groups=view.groups, graph=graph), view
    )


def beside(stage: Stage, options: Mapping[str, Any], highlight: Sequence[Expr] = ()) -> SideBySide:
    """Values with their derivative beside them, under a caption."""
    words, graph = f"values, and {stage.name} beside them", as_graph(stage)
    is_tree = options["layout"] == "tree"
    large_tree = is_tree and max(stage.before.tree_size, graph.tree_size) > LARGEST
    if len(graph) > MOST or large_tree:
        return SideBySide((words, summary(graph, options["direction"])), key=KEY)
    view = View.of([stage.before, graph], options, usual=not is_tree)._replace(highlight=highlight)
    at = dict(options["values"] or {})
    document = Document(stage, None, at, groups=view.groups, runs=False, moves=False)
    words = "; ".join(filter(None, [words, view.words]))
    return SideBySide((words, last_frame(document, view)), key=KEY)


def last_frame(document: Document, view: View) -> Picture:
    """The last frame of a document, with the names of its results."""
    data = seen(document, view, slice(-1, None))
    outs, names = document.shots[-1][1].outs, map(subscripted, document.results.names)
    results = {p: name for p, name in zip(outs, names) if name}
    return still({**data, "results": results}, view.open, view.numbers, view.direction)
