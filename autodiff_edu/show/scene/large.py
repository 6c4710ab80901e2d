"""A graph too large to read, or a derivative of one, as a picture of its groups."""

from collections.abc import Mapping
from typing import Any

from ...expr import Graph, Stage
from ..html.picture import Picture
from .document import Document
from .sheet import Open
from .still import still


def grouped_picture(subject: Graph | Stage, at: Mapping[Any, Any] | None, open: Open) -> Picture:
    """A graph, or values with their derivative beside them; the groups of `open` are open."""
    at = dict(at or {})
    if isinstance(subject, Graph):
        document = Document(None, None, at, groups=True, graph=subject)
    else:
        document = Document(subject, None, at, groups=True, runs=False)
    return still(document.picture(), open=open)
