"""`compare`: two graphs side by side, with what the one has and the other has not.

A stage is drawn so: its graph before and after.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ...expr import HOOKS, Expr, Graph, Growing, Stage, as_graph, numbered
from ..build.render import is_text, lie, picture, result
from ..diagram.escape import shorten, visible
from ..diagram.theme import Mark
from ..html.side_by_side import SideBySide
from .draw import drawing


def compare(
    before: Any,
    after: Any,
    captions: tuple[str, str] | None = None,
    *,
    values: Mapping[Expr, Any] | None = None,
    **options: Any,
) -> SideBySide:
    """Both graphs side by side: what only the left one has is marked removed, the rest new.

    Nodes are the same if they apply the same operations to the same inputs.

    Parameters
    ----------
    before : Graph, Stage or Expr
        The left one.
    after : Graph, Stage or Expr
        The right one.
    captions : tuple of str, optional
        What to write above; by default before and after, or the names of stages.
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
    graphs = as_graph(before), as_graph(after)
    options["direction"] = options.get("direction") or lie(graphs, options.get("open", False))
    number = numbered(graphs[0].outputs + graphs[1].outputs, {})
    left, right = ({n: number[n] for n in g.nodes} for g in graphs)
    sides = [
        picture(graphs[0], values, marks=marks(left, right, "removed"), follow=True, **options),
        picture(graphs[1], values, marks=marks(right, left, "new"), follow=True, **options),
    ]
    words = captions or (caption(before, "before"), caption(after, "after"))
    return SideBySide((words[0], sides[0]), (words[1], sides[1]), counts(*graphs), KEY)


PARTS: tuple[Any, ...] = ("forward", "derivative")
KEY: tuple[Any, ...] = (*PARTS, "removed", "new")


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
    if "cost" in HOOKS:
        flops = [getattr(HOOKS["cost"](g), "flops", None) for g in (left, right)]
        if None not in flops:
            yield "floating point operations", *flops  # type: ignore[misc]


# ---- a stage


@drawing.register
def draw_stage(stage: Stage, options: dict[str, Any], highlight: Any = ()) -> SideBySide:
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
