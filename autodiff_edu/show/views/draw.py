"""`draw`: a picture of whatever a pass takes or makes.

A small graph is a line of passes: from nodes to a diagram, to DOT, to Graphviz's layout, to SVG.
For a larger one, and for what has groups or boxes, `legible` chooses how much is seen.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, get_args, overload

from ...expr import Expr, Graph, Pipeline, Stage, as_graph, check_expressions, shown
from ..build.builder import Drawing, Layout
from ..build.expansion import Open
from ..build.groups import Fold
from ..build.labels import groups
from ..by_class import by_class
from ..diagram.diagram import FEW, Direction
from ..html.picture import Picture
from ..html.showable import Showable

if TYPE_CHECKING:
    from ..html.film_strip import Film
    from ..html.side_by_side import SideBySide


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
def draw(what: Stage, **options: Unpack[Options]) -> "SideBySide": ...
@overload
def draw(what: Pipeline, **options: Unpack[Options]) -> "Film": ...
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
    if not highlight and is_plain(graph, options):
        plain = Drawing(graph, direction=options["direction"], types=options["types"])
        diagram = plain.directed(plain.plain())
        if len(diagram.nodes) <= FEW:
            return Picture.of(diagram)
    from .legible import legible_picture  # loaded with the first one

    return legible_picture(graph, options, highlight)


def is_plain(graph: Graph, options: Mapping[str, Any]) -> bool:
    """Is it a small graph, to be drawn as it is: without groups, open boxes and values?"""
    extra = options["layout"] == "tree" or options["values"] or options["open"] is not False
    return not extra and len(graph.nodes) <= FEW and not any(map(groups, graph.nodes))
