"""A derivative, of any size, beside its values; and a graph too large to read, by its groups."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...expr import Expr, Graph, Stage, as_graph
from ..build.expansion import CLOSED, Opening
from ..build.groups import Fold, Group, chosen, in_order
from ..build.labels import groups
from ..build.summary import summary
from ..diagram.diagram import Direction
from ..html.picture import Picture
from ..html.side_by_side import SideBySide
from .bodies import Bodies
from .document import Document
from .film import KEY
from .sheet import Open
from .still import still
from .tree import written_out
from .values import subscripted

MOST = 200_000  # nodes of a graph that is drawn in groups, in some seconds


def large_picture(
    graph: Graph, values: Mapping[Any, Any] | None = None, open: Any = False, **options: Any
) -> Picture:
    """By the groups of the scene; or, of a tree and of what is larger still, the ends alone."""
    if options["layout"] == "tree" or len(graph) > MOST:
        return summary(graph, options["direction"])
    options |= {"values": values, "open": open}
    return last_frame(Document(None, None, dict(values or {}), groups=True, graph=graph), options)


def beside(
    stage: Stage,
    options: dict[str, Any],
    opening: Opening = CLOSED,
    highlight: Sequence[Expr] = (),
    is_small: bool = True,
) -> SideBySide:
    """Values with their derivative beside them, under a caption; `is_small` says whether a reader
    can follow all nodes."""
    words = f"values, and {stage.name} beside them"
    picture = derivative_picture(stage, options, opening, highlight, is_small)
    return SideBySide((words, picture), key=KEY)


def derivative_picture(
    stage: Stage,
    options: dict[str, Any],
    opening: Opening,
    highlight: Sequence[Expr],
    is_small: bool,
) -> Picture:
    graph, is_tree = as_graph(stage), options["layout"] == "tree"
    if len(graph) > MOST or is_tree and not is_small:
        return summary(graph, options["direction"])
    at, fold = dict(options["values"] or {}), options["fold"]
    if fold is not None and is_small:
        document = Document(stage, None, at, groups="named", runs=False, moves=False)
        options = options | {"open": unfolded(document.graph, fold, options["open"])}
    else:
        document = Document(stage, None, at, groups=not is_tree, runs=False, moves=False)
    return last_frame(document, options, opening, highlight)


def unfolded(graph: Graph, fold: Fold, open: Open) -> Open:
    """The labels of the groups that are open where these are folded."""
    paths = dict.fromkeys(path for n in graph.nodes if (path := groups(n)))
    members = {str(k): Group(path, "forward") for k, path in enumerate(paths)}
    folded = chosen(members, fold)
    labels = [path[-1] for path in in_order(members) if path not in folded]
    if open is True:
        return True
    own = (open,) if isinstance(open, str) else open if isinstance(open, (list, tuple)) else ()
    return [*labels, *own]


def last_frame(
    document: Document,
    options: Mapping[str, Any],
    opening: Opening = CLOSED,
    highlight: Sequence[Expr] = (),
) -> Picture:
    """The last frame of a document: the groups of `open` are open, and boxes as `opening` says."""
    open: Open = options["open"]
    data: Mapping[str, Any] = opened(document, open, opening, options["types"], highlight)
    data = written_out(data) if options["layout"] == "tree" else data
    direction: Direction = options["direction"] or "TB"
    return still(data, open=open, numbers=options.get("numbers", False), direction=direction)


def opened(
    document: Document,
    open: Open,
    opening: Opening = CLOSED,
    types: bool | None = None,
    highlight: Sequence[Expr] = (),
) -> dict[str, Any]:
    """The last frame of a document with what is in its open boxes, with the types of parts if they
    are asked for, and those of these nodes highlighted."""
    bodies = Bodies(document.parts, document.shots[-1][1].contents, opening)
    data = bodies.written(document.picture(open, bodies), document.values)
    words = document.parts.types | bodies.types if types else {}
    pairs = (*document.parts.shows(), *bodies.homes)
    names = map(subscripted, document.results.names)
    results = {p: name for p, name in zip(data["outs"], names) if name}
    return {**data, "types": words, "highlighted": [p for n, p in pairs if n in {*highlight}],
            "results": results}  # fmt: skip
