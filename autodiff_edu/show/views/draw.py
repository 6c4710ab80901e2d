"""`draw`: a picture of whatever a pass takes or makes."""

from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any

from ...expr import Expr, as_graph, check_expressions, hook
from ..build.expansion import Open
from ..build.render import picture
from ..build.vertices import Layout
from ..diagram.diagram import Direction
from ..html.showable import Showable


@hook("draw")
def draw(
    what: Any,
    *,
    layout: Layout = "graph",
    direction: Direction | None = None,
    types: bool | None = None,
    values: Mapping[Expr, Any] | None = None,
    highlight: Expr | Sequence[Expr] = (),
    open: Open = False,
) -> Showable:
    """A Graph, an expression or a list of them as a Picture; a Stage before and after, side by
    side, and a program as its source; a Pipeline as the film of its graphs; a rule as both sides.

    layout: "graph", or "tree" with every use of a node written out.
    direction: "TB" where values flow down, "LR" where they flow right, which deep graphs do.
    types: True to write every type, False for none; by default where they say something new.
    values: {x: 3.0, ...} to write on every node its value there.
    highlight: expressions to be outlined.
    open: True to show what is inside operations that are made of a graph, a number for so many
    boxes within boxes, or the nodes to be opened. Films of stages and comparisons take it too.
    A graph of more than 150 nodes is summarised.
    """
    options: dict[str, Any] = {"layout": layout, "direction": direction, "types": types}
    options["open"] = open
    return drawing(what, options | {"values": values}, check_expressions(highlight))


@singledispatch
def drawing(what: Any, options: dict[str, Any], highlight: Sequence[Expr] = ()) -> Showable:
    """A picture of what has a graph. What has another picture registers here how it is drawn."""
    return picture(as_graph(what), marks=dict.fromkeys(highlight, "matched"), **options)
