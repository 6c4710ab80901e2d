"""`compare`: two graphs side by side, with what the one has and the other has not.

A stage is drawn so: its graph before and after. Its log tells which nodes are the same: a node that
was only rebuilt, since one below it changed, is no change.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...expr import Expr, Graph, Growing, Rewriting, Stage, as_graph, shorten, visible
from ...ops import cost
from ..build.common_layout import together
from ..build.marks import Marking
from ..diagram.theme import Mark
from ..html.page import Word
from ..html.picture import Picture
from ..html.side_by_side import SideBySide
from .draw import check_numbers, drawing
from .film import differentiates
from .frames import is_text, result
from .legible import lie, picture, plan, too_large
from .trace import named


def compare(
    before: Any,
    after: Any,
    captions: tuple[str, str] | None = None,
    *,
    values: Mapping[Any, Any] | None = None,
    **options: Any,
) -> SideBySide:
    """Both graphs side by side: what only the left one has is marked removed, the rest new.

    Nodes are the same if they apply the same operations to the same inputs, and stand in the
    same place in both pictures, where the graphs have much in common. Of a stage and the graph
    that it rewrote, they are also the same if only a node below them changed.

    Parameters
    ----------
    before : Graph, Stage or Expr
        The left one.
    after : Graph, Stage or Expr
        The right one.
    captions : tuple of str, optional
        What to write above, and in the key: *only symbolic*, *only reverse*. By default before
        and after, or the names of stages, and in the key removed and new.
    values : dict, optional
        {x: 3.0, ...} to write on every node its value there.
    **options : object
        Those of `draw`.

    Returns
    -------
    SideBySide
        What a notebook shows.

    See Also
    --------
    draw : One graph.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> next(iter(ad.compare(x * 1, ad.simplify(x * 1)).counts))
    Count(what='nodes', left=3, right=1)
    """
    words = captions or (caption(before, "before"), caption(after, "after"))
    key = only(*captions) if captions else ()
    options = options | {"values": values}
    return sides(as_graph(before), after, words, key, options)


def sides(
    before: Graph, after: Any, words: Sequence[str], key: Sequence[Word], options: dict[str, Any]
) -> SideBySide:
    """The two with their marks, in one layout where they have much in common."""
    from ..pairing import numbers

    graphs = before, as_graph(after)
    options["direction"] = options.get("direction") or lie(graphs, options.get("open", False))
    number = numbers(before, after)
    left, right = ({n: number[n] for n in g.nodes} for g in graphs)
    found = marks(left, right, "removed"), marks(right, left, "new")
    drawn = pictures(graphs, number, found, options)
    return SideBySide((words[0], drawn[0]), (words[1], drawn[1]), counts=counts(*graphs), key=key)


def pictures(
    graphs: tuple[Graph, Graph],
    number: Mapping[Expr, int],
    marks: tuple[Mapping[Expr, Mark], Mapping[Expr, Mark]],
    options: Mapping[str, Any],
) -> tuple[Picture, Picture]:
    """Two graphs, in which nodes of one number stand in one place."""
    each = [dict(options, marking=Marking(m, follow=True)) for m in marks]
    if any(too_large(g, options) for g in graphs):
        return picture(graphs[0], **each[0]), picture(graphs[1], **each[1])
    left, right = (plan(g, **own) for g, own in zip(graphs, each, strict=True))
    mine, other = together(left, right, number)
    return Picture.of(mine), Picture.of(other)


def only(left: str, right: str) -> Sequence[Word]:
    """Words for two that do not follow each other: what each of them alone has."""
    return ("removed", f"only {left}"), ("new", f"only {right}")


def caption(what: Any, otherwise: str) -> str:
    name = str(getattr(what, "name", None) or "").strip("()")
    return shorten(visible(name)) or otherwise


def marks(mine: Mapping[Expr, int], other: Mapping[Expr, int], mark: Mark) -> dict[Expr, Mark]:
    """A mark for every node that the other has not."""
    there = set(other.values())
    return {n: mark for n, key in mine.items() if key not in there}


def counts(left: Graph, right: Graph) -> Iterable[tuple[str, int, int]]:
    yield "nodes", left.size, right.size
    yield "operations", len(left.operations), len(right.operations)
    yield "nodes written out as a tree", left.tree_size, right.tree_size
    before, after = cost(left).flops, cost(right).flops
    if before is not None and after is not None:
        yield "floating point operations", before, after


# ---- a stage


@drawing.register
def draw_stage(stage: Stage, options: dict[str, Any], highlight: Any = ()) -> SideBySide:
    is_small = not any(too_large(g, options) for g in (stage.before, as_graph(stage)))
    if differentiates(stage):
        from ..scene.large import beside  # loaded with the first one

        return beside(stage, options, highlight)
    if isinstance(stage, Rewriting) and is_small and options.pop("numbers", False):
        options["called"] = number_names(stage)
    check_numbers(stage, options)
    if is_text(stage.after):
        drawn = picture(stage.before, **options), result(stage, options)
        return SideBySide(("before", drawn[0]), (f"after {stage.name}", drawn[1]))
    if not isinstance(stage, Growing):
        return sides(stage.before, stage, ("before", f"after {stage.name}"), (), options)
    before = named(stage.before)
    right = (f"with {stage.name}", picture(both(before, as_graph(stage)), **options))
    return SideBySide(("before", picture(before, **options)), right)


def both(before: Graph, after: Graph) -> Graph:
    """Two graphs as one, the results of the first one first."""
    return Graph(before.outputs + after.outputs, before.inputs, before.names + after.names)


def number_names(stage: Rewriting) -> dict[Expr, str]:
    """The number of each node, and its name."""
    from ..scene.nodes import document

    parts = document(stage).parts.home
    names = {n: n.name or "" for n in parts if n.op is not None}
    return {n: f"#{p} {names.get(n, '')}".strip() for n, p in parts.items()}
