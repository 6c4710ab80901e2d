"""Nodes of a stage by what a picture says of them: a number, a name, or a line of the user's.

The number of a part is that of the document, the same in the film, in the explorer and here. A part
keeps it for good, whatever it holds, and no other part gets it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from ...differentiate.slope_names import BAR, DOT, marked
from ...expr import Expr, Growing, Place, Rewriting, Stage, first_place, hook, is_derived, shown
from ..views.film import differentiates
from .document import Document
from .values import subscripted

LINE = re.compile(r"line (\d+)")
DIGITS = str.maketrans("₋₀₁₂₃₄₅₆₇₈₉", "-0123456789")


@hook("node")
def node(stage: Stage, key: int | str) -> Expr:
    """Return a node of a stage by its number in a picture, its name, or its line.

    Of a part that held several nodes, one after the other, it is the last one.

    Parameters
    ----------
    stage : Stage
        A derivative, or a simplification.
    key : int or str
        A number, as `film(stage, numbers=True)` writes it; a name, as "v3" or "x"; or "line 66",
        if that line of yours made one node, derivatives apart.

    Returns
    -------
    Expr
        The node.

    Raises
    ------
    KeyError
        If there is no such node.
    TypeError
        If the stage is of another kind.
    ValueError
        If several nodes have the name or the line; the error has their numbers.

    See Also
    --------
    why : Where a node comes from.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.reverse_mode(x * x + ad.sin(x), x)
    >>> stage.node(1), stage.node("x")
    (x * x, x)
    """
    parts = nodes_of(document(stage))
    if not isinstance(key, str):
        places = [p for p in parts if p == str(key)]
    elif line := LINE.fullmatch(key):
        places = [p for p, (n, _) in parts.items() if line_of(n) == int(line[1])]
    else:
        places = [p for p, (_, names) in parts.items() if plain_name(key) in names]
    if len(places) == 1:
        return parts[places[0]][0]
    if places:
        raise ValueError(f"{key!r} is {len(places)} nodes of {stage!r}: take one by its number, "
                         f"{', '.join(map(str, places))}")  # fmt: skip
    raise KeyError(f"{stage!r} has no node {key!r}: film(stage, numbers=True) writes the numbers")


@lru_cache(maxsize=1)
def document(stage: Stage) -> Document:
    """The document of a stage, which numbers its parts."""
    if differentiates(stage):
        return Document(stage, None, {}, numbered=isinstance(stage, Growing))
    if isinstance(stage, Rewriting):
        return Document(None, stage, {}, runs=False)
    raise TypeError(f"nodes are numbered in derivatives and simplifications, and this is "
                    f"{shown(stage)}")  # fmt: skip


def nodes_of(document: Document) -> dict[str, tuple[Expr, set[str]]]:
    """Each part with the node that it held last, and its names."""
    parts = document.parts
    last = {p: n for n, p in parts.home.items()}
    last |= parts.anchors
    mark = {"symbolic": "′", "reverse": BAR}.get(document.mode, DOT)
    named = {p: set(names(row)) for p, row in parts.rows.items()}
    for p, row in parts.rows.items():
        if row["kind"] == "place":
            named[p] |= {marked(name, mark) for name in named[row["of"]]}
    return {p: (last[p], {*map(plain_name, named[p])}) for p in parts.rows if p in last}


def names(row: dict[str, str]) -> Iterator[str]:
    """The names of a part, v₁ and x."""
    yield from filter(None, (row.get("name"), row.get("symbol")))


def plain_name(name: str) -> str:
    """A name with digits as one types them: v3 and v₃ are the same."""
    return subscripted(name).translate(DIGITS)


def line_of(n: Expr) -> int | None:
    """The number of the user's line that made a node; derivatives have none."""
    place = None if n.op is None or is_derived(n) else first_place(n)
    return place.line if isinstance(place, Place) else None
