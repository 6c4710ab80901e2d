"""What a reader asks to see of a document, and the passes that show it: boxes open, with types, as
a tree."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...expr import Expr, Graph
from ..build.expansion import CLOSED, Opening, fitting
from ..build.groups import Fold, Group, chosen, in_order
from ..build.labels import groups, type_words
from ..build.summary import LARGEST
from ..diagram.diagram import Direction
from .bodies import Bodies
from .document import Document, Grouping
from .parts import Operation
from .sheet import Open
from .steps import others
from .tree import written_out


class View(NamedTuple):
    """The options of `draw` and `film`, as the passes need them.

    groups    which groups there are
    open      those that are open, by their labels
    opening   the boxes that are
    """

    groups: Grouping = False
    open: Open = False
    opening: Opening = CLOSED
    types: bool = False
    is_tree: bool = False
    numbers: bool = False
    direction: Direction = "TB"
    highlight: Sequence[Expr] = ()
    words: str = ""  # why something is not shown as it was asked for

    @classmethod
    def of(
        cls, graphs: Sequence[Graph], options: Mapping[str, Any], usual: Grouping = False
    ) -> "View":
        """The view of these graphs together; they have `usual` groups where none are asked for by
        their names."""
        graph = Graph([y for g in graphs for y in g.outputs])
        is_small = all(len(g) <= LARGEST for g in graphs)
        is_tree, fold = options.get("layout") == "tree", options.get("fold")
        size, words = max(g.tree_size for g in graphs), list[str]()
        if is_tree and size > LARGEST:
            is_tree = False
            words.append(f"as a tree it would be {size:,} nodes, so each is drawn once")
        labels, boxes = asked(options.get("open", False))
        most = LARGEST if is_small else len(graph) + LARGEST
        opening = fitting(graph, boxes, most) if boxes is not False else CLOSED
        if opening.cut:
            words.append("boxes stay closed that would be too many nodes if they were open")
        grouping: Grouping = usual or (labels is not True and labels != ())
        if fold is not None:
            grouping = "named" if is_small else "both"
            labels = labels if labels is True else (*unfolded(graph, fold), *labels)
        direction: Direction = options.get("direction") or "TB"
        return cls(
            grouping, labels, opening, bool(options.get("types")), is_tree,
            bool(options.get("numbers")), direction, words="; ".join(words),
        )  # fmt: skip


def asked(open: Any) -> tuple[Any, Any]:
    """The labels of groups that are to be opened, and the boxes; True opens all of both."""
    if isinstance(open, bool):
        return (True, True) if open else ((), False)
    if isinstance(open, str):
        return (open,), False
    if not isinstance(open, (list, tuple)):
        return (), open
    labels = tuple(label for label in open if isinstance(label, str))
    return labels, [n for n in open if not isinstance(n, str)] or False


def unfolded(graph: Graph, fold: Fold) -> Sequence[str]:
    """The labels of the groups that are open where these are folded."""
    paths = dict.fromkeys(path for n in graph.nodes if (path := groups(n)))
    members = {str(k): Group(path, "forward") for k, path in enumerate(paths)}
    folded = chosen(members, fold)
    return [path[-1] for path in in_order(members) if path not in folded]


def seen(
    document: Document, view: View, frames: slice = slice(None), near: bool = False
) -> dict[str, Any]:
    """Frames of a document in this view, before its groups open."""
    shots = document.shots[frames]
    contents = [frame.contents for _, frame in shots]
    bodies = Bodies(document.parts, contents, view.opening) if view.opening.levels else None
    data = document.film(frames, near, view.open, bodies)
    data = bodies.written(data, document.values) if bodies is not None else data
    if view.types:
        words = {n.of: type_words(n.of.type, always=True) for held in contents
                 for n in held.values() if isinstance(n, Operation)}  # fmt: skip
        types, inside = document.parts.types, bodies.types if bodies is not None else {}
        rows = others(shots, words, types)
        data = {**data, "types": types | inside, "other types": rows}
    if view.highlight:
        shows = [*document.parts.shows(), *(bodies.homes if bodies is not None else ())]
        data = {**data, "highlighted": [p for n, p in shows if n in {*view.highlight}]}
    return dict(written_out(data)) if view.is_tree else data
