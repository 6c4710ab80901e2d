"""A graph too large to read, or a derivative of one, as a picture of its groups."""

from collections.abc import Mapping
from typing import Any

from ...expr import Graph, Stage, as_graph
from ..build.labels import groups
from ..build.render import LARGEST, legible, plan
from ..build.summary import summary
from ..html.picture import Picture
from .document import Document
from .sheet import Open
from .still import still

MOST = 20_000  # nodes of a graph that is drawn in groups


def large_picture(
    graph: Graph, values: Mapping[Any, Any] | None = None, open: Any = False, **options: Any
) -> Picture:
    """By the groups that the user named, if few nodes would be seen if all were folded; by the
    groups of the scene; or, of a tree and of what is larger still, the ends alone."""
    if few_outside(graph):
        return Picture.of(legible(plan(graph, values, open, **options)))
    if options["layout"] == "tree" or len(graph) > MOST:
        return summary(graph, options["direction"])
    return grouped_picture(graph, values, open)


def large_stage(stage: Stage, options: dict[str, Any]) -> Picture:
    """Values with their derivative beside them."""
    if options["layout"] == "tree" or len(as_graph(stage)) > MOST:
        return summary(as_graph(stage), options["direction"])
    return grouped_picture(stage, options["values"], options["open"])


def few_outside(graph: Graph) -> bool:
    """Would there be few nodes if all groups that the user named were folded?"""
    return len({groups(n)[:1] or n for n in graph.nodes}) <= LARGEST / 2


def grouped_picture(subject: Graph | Stage, at: Mapping[Any, Any] | None, open: Open) -> Picture:
    """A graph, or values with their derivative beside them; the groups of `open` are open."""
    at = dict(at or {})
    if isinstance(subject, Graph):
        document = Document(None, None, at, groups=True, graph=subject)
    else:
        document = Document(subject, None, at, groups=True, runs=False, moves=False)
    return still(document.picture(), open=open)
