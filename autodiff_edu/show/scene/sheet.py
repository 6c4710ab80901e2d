"""A document as a sheet: what is seen of it while some of its groups are open.

A sheet is a document again. A group holds `["group", operands, {"count": 50}]`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ...expr import shown
from .folded import Point
from .opening import Opening, is_own
from .parts import Content, around, lift
from .shortening import operands_of
from .steps import contents_of, with_contents

NO_OPERATION = {"input", "const", "empty", "tie", "D"}
Document = Mapping[str, Any]
Open = bool | str | Sequence[str]


def sheet(document: Document, open: Open = False) -> Document:
    """All frames with these groups open."""
    if not any("group" in row for row in document["parts"].values()):
        return document
    opening = Opening(document, opened(document["parts"], open))
    rows = {p: moved(row, opening.at.get(p)) for p, row in document["parts"].items()}
    frames = []
    for contents in contents_of(document):
        groups = gathered(rows, contents)
        frames.append(contents | {g: c for g, c in groups.items() if g in opening.at})
    return {**with_contents(document, frames), "parts": rows, "bends": opening.bends,
            "frames": opening.frames, "feet": opening.feet}  # fmt: skip


def moved(row: Mapping[str, Any], at: Point | None) -> Mapping[str, Any]:
    """A part at its place on the sheet; what is not seen has none."""
    if "x" not in row:
        return row
    if at is None:
        return {key: word for key, word in row.items() if key not in ("x", "y")}
    return {**row, "x": at[0], "y": at[1], "own": row["y"]}


def last_frame(document: Document) -> Document:
    """The last frame as a document without steps."""
    if not document["steps"]:
        return document
    *_, contents = contents_of(document)
    outs = [step["outs"] for step in document["steps"] if "outs" in step]
    return {**document, "first": contents, "outs": [document["outs"], *outs][-1], "steps": [],
            "other": [], "idle": document["steps"][-1].get("idle", [])}  # fmt: skip


# ---- groups


def gathered(rows: Mapping[str, Any], contents: Mapping[str, Content]) -> dict[str, Content]:
    """The content of each group: the parts around it that its members need, and
    the number of its operations."""
    needs: dict[str, dict[str, None]] = {}
    counts: dict[str, int] = {}
    for p, content in contents.items():
        for g in around(rows, p):
            needs.setdefault(g, {})
            counts[g] = counts.get(g, 0) + (content[0] not in NO_OPERATION)
            for a in operands_of(content):
                q = lift(rows, a, g)
                if q not in (None, g) and g not in needs.get(q, ()):  # one line is enough
                    needs[g][q] = None
    for g in needs.keys() & contents.keys():  # open boxes, which have operands of their own
        lifted = (lift(rows, a, g) for a in operands_of(contents[g]))
        needs[g] |= dict.fromkeys(a for a in lifted if a is not None)
    return {g: ["group", [*operands], {"count": counts[g]}] for g, operands in needs.items()}


def opened(rows: Mapping[str, Any], open: Open) -> Collection[str]:
    """The groups of these labels, and those around them; True opens all. A group that stands in a
    group of another label is meant before those that do not.

    Raises
    ------
    TypeError
        If `open` is no label.
    ValueError
        If no group has the label.
    """
    groups = [p for p, row in rows.items() if is_own(row)]
    if open is True:
        return groups
    labels = open if isinstance(open, (list, tuple)) else () if open is False else (open,)
    asked = [g for g in groups if "box" in rows[g]]  # which are groups only where they are open
    own = [labelled(rows, groups, label) for label in labels]
    asked += inmost(rows, own)
    return {q for g in asked for q in (g, *around(rows, g))}


def inmost(rows: Mapping[str, Any], own: Sequence[Sequence[str]]) -> Iterable[str]:
    """The groups of each label; where some are in groups of other labels, these alone."""
    every = {g for groups in own for g in groups}
    for groups in own:
        others = every.difference(groups)
        inside = [g for g in groups if not others.isdisjoint(around(rows, g))]
        yield from inside or groups


def labelled(rows: Mapping[str, Any], groups: Iterable[str], label: Any) -> list[str]:
    """The groups of one label: "step 3" is that of "step 3 of 20" too."""
    if not isinstance(label, str):
        raise TypeError('groups are opened by their labels, as in open="line 66", not by '
                        f"{shown(label)}")  # fmt: skip
    fits = [g for g in groups if label in (rows[g]["group"], rows[g]["group"].partition(" of ")[0])]
    if fits:
        return fits
    labels = dict.fromkeys(rows[g]["group"] for g in groups)
    there = ", ".join(map(repr, [*labels][:12])) + ", …" * (len(labels) > 12)
    raise ValueError(f"no group is called {label!r}; the groups: {there or 'none'}")
