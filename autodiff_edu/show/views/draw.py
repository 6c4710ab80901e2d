"""`draw`: a picture of whatever a pass takes or makes, as much as a reader can follow: which way it
lies, which boxes fit in open, which groups are folded, which graphs are too large."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack, get_args, overload

import numpy as np

from ...expr import (
    Expr,
    Graph,
    Pipeline,
    Stage,
    as_graph,
    check_expressions,
    evaluate_all,
    shown,
)
from ..build.builder import Drawing, Layout
from ..build.expansion import CLOSED, Open, Opening, fitting
from ..build.groups import Fold, enough, in_order
from ..build.labels import groups, kind
from ..build.marks import Marking
from ..build.summary import summary
from ..by_class import by_class
from ..diagram.diagram import Diagram, Direction
from ..html.film_strip import Film
from ..html.picture import Picture
from ..html.showable import Showable
from ..html.side_by_side import SideBySide

PAGE = 1100  # pixels of a window of 1,280 that a notebook has for a picture
FEW = 24  # nodes fit anywhere
TRIES = 5  # of layouts: each takes tenths of a second
LARGEST = 150  # nodes that a reader can still follow


class Options(TypedDict, total=False):
    """The keywords of `draw`."""

    layout: Layout
    direction: Direction | None
    types: bool | None
    values: Mapping[Any, Any] | None
    highlight: Expr | Sequence[Expr]
    open: Open | str | Sequence[str]
    fold: Fold
    numbers: bool


@overload
def draw(what: Expr | Graph | Sequence[Expr], **options: Unpack[Options]) -> Picture: ...
@overload
def draw(what: Stage, **options: Unpack[Options]) -> SideBySide: ...
@overload
def draw(what: Pipeline, **options: Unpack[Options]) -> Film: ...
@overload
def draw(what: Any, **options: Unpack[Options]) -> Any: ...
def draw(
    what: Any,
    *,
    layout: Layout = "graph",
    direction: Direction | None = None,
    types: bool | None = None,
    values: Mapping[Any, Any] | None = None,
    highlight: Expr | Sequence[Expr] = (),
    open: Open | str | Sequence[str] = False,
    fold: Fold = None,
    numbers: bool = False,
) -> Showable:
    """A picture of whatever a pass takes or makes.

    A graph or an expression is a picture. A Stage is before and after, side by side, and a
    rule is both sides. A Pipeline is the film of its graphs, a program its source. A graph
    of more than 150 nodes is drawn in groups: rounds of a loop, calls of functions and lines,
    or those that `group` names; one of more than 200,000 is summarised.

    Parameters
    ----------
    what : Graph, Expr, list of Expr, Stage, Pipeline or Rule
        What to draw.
    layout : {'graph', 'tree'}, default: 'graph'
        As it is, or with every use of a node written out.
    direction : {'TB', 'BT', 'LR'}, optional
        Whether values flow down, up or right; by default right in deep graphs. A derivative
        that flows right stands below its values.
    types : bool, optional
        True to write every type, False for none; by default where they say something new, and
        beside derivatives nowhere.
    values : dict, optional
        {x: 3.0, ...} to write on every node its value there.
    highlight : Expr or list of Expr, default: ()
        Nodes to be outlined.
    open : bool, int, list of Expr, str or list of str, default: False
        True to show what is inside operations that are made of a graph, a number for so
        many boxes within boxes, or the nodes to be opened. Of a graph in groups: True for all
        of them, or their labels, as in open="line 66" and open=["step 3", "step 4"];
        open=["step 3", "slope()"] opens the calls of slope in step 3.
    fold : bool or list of str, optional
        Of a graph with groups: True to draw each group as one node, False to draw all of them
        open, or the names of those to be folded. By default as many are folded as must be for
        the letters to be legible on a page.
    numbers : bool, default: False
        Of a derivative or a simplification, write on each part its number, #17, by which
        `stage.node(17)` gives its node.

    Returns
    -------
    Picture, SideBySide, Film or RulePicture
        What a notebook shows; `svg` and `dot` are its text.

    See Also
    --------
    group : Name the parts of a graph.
    compare : Two graphs.
    film : Every step of a stage.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> print(ad.draw(x * x).listing)
    n0  input  x
    n1  operation  ×
    out0  output  out
    n0 -> n1
    n0 -> n1
    n1 -> out0
    """
    check_word("layout", layout, get_args(Layout))
    check_word("direction", direction, (None, *get_args(Direction)))
    options: dict[str, Any] = {"layout": layout, "direction": direction, "types": types}
    options |= {"open": open, "fold": fold}
    if numbers:
        options["numbers"] = True
        if not isinstance(what, Stage):
            check_numbers(what, options)
    return drawing(what, options | {"values": values}, check_expressions(highlight))


def check_word(name: str, given: Any, known: Sequence[Any]) -> None:
    """Raise ValueError for a word of which `draw` knows nothing."""
    if not isinstance(given, (str, type(None))) or given not in known:
        words = ", ".join(map(repr, known))
        raise ValueError(f"draw takes {name}= as {words}, not as {shown(given)}")


def check_numbers(what: Any, options: Mapping[str, Any]) -> None:
    """Raise ValueError if numbers are asked for in a picture of another kind."""
    if "numbers" in options:
        raise ValueError("the parts of a derivative or of a simplification have numbers, where "
                         f"they are laid out as usual; this is {shown(what)}")  # fmt: skip


@by_class
def drawing(what: Any, options: dict[str, Any], highlight: Sequence[Expr] = ()) -> Showable:
    """A picture of what has a graph. What has another picture registers here how it is drawn."""
    graph = as_graph(what)
    if too_large(graph, options) and not few_outside(graph):
        from ..scene.large import large_picture  # loaded with the first one

        return large_picture(graph, **options)
    marking = Marking(dict.fromkeys(highlight, "matched")) if highlight else None
    return Picture.of(legible(plan(graph, marking=marking, grouped=True, **options)))


# ---- what a reader can follow


def lie(graphs: Iterable[Graph], open: Open = False) -> Direction:
    """Pictures that are seen together lie the same way: down, or to the right if one is deep."""
    small = [Drawing(g, opening=opened(g, open)) for g in graphs if size(g) <= LARGEST]
    return "LR" if any(d.diagram().direction == "LR" for d in small) else "TB"


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
    return Picture.of(plan(graph, values, open, **options).diagram())


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
    return Drawing(graph, values=known, opening=opened(graph, open), **options)


def few_outside(graph: Graph) -> bool:
    """Would there be few nodes if all groups that the user named were folded?"""
    return len({groups(n)[:1] or n for n in graph.nodes}) <= LARGEST / 2
