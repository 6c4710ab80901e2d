"""`draw`: a picture of whatever a pass takes or makes."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...expr import Expr, Graph, Growing, Pipeline, Stage, as_graph, check_expressions, hook
from ...rewrite import Rewrite
from ..build.expansion import Open
from ..build.render import is_text, lie, picture, result
from ..build.vertices import Layout
from ..diagram.diagram import Direction
from ..html.film_strip import Film
from ..html.picture import Picture
from ..html.side_by_side import SideBySide
from .compare import compare
from .rule import RulePicture, rule_picture

PARTS: tuple[Any, ...] = ("forward", "derivative")


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
) -> Picture | SideBySide | Film | RulePicture:
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
    if isinstance(what, Stage):
        return draw_stage(what, options | {"values": values})
    if isinstance(what, Pipeline):
        return draw_pipeline(what, options | {"values": values})
    if isinstance(what, Rewrite):
        return rule_picture(what)
    marks = dict.fromkeys(check_expressions(highlight), "matched")
    return picture(as_graph(what), values, marks=marks, **options)


def draw_stage(stage: Stage, options: dict[str, Any]) -> SideBySide:
    if is_text(stage.after):
        sides = picture(stage.before, **options), result(stage, options)
        return SideBySide(("before", sides[0]), (f"after {stage.name}", sides[1]), key=PARTS)
    if not isinstance(stage, Growing):
        return compare(stage.before, stage.after, ("before", f"after {stage.name}"), **options)
    before, after = stage.before, as_graph(stage.after)
    both = Graph(before.outputs + after.outputs, before.inputs, before.names + after.names)
    left = ("before", picture(before, **options))
    right = (f"with {stage.name}", picture(both, **options))
    return SideBySide(left, right, key=PARTS)


def draw_pipeline(pipeline: Pipeline, options: dict[str, Any]) -> Film:
    options["direction"] = options["direction"] or lie(pipeline.graphs, options["open"])
    captions = [f"before {pipeline[0].name}", *(f"after {stage.name}" for stage in pipeline)]
    first = picture(pipeline.graphs[0], **options)
    pictures = [first, *(result(stage, options) for stage in pipeline)]
    return Film(zip(captions, pictures), key=PARTS)
