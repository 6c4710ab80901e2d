"""The steps of a document: what each sets and drops, what it says, and the values on the way; and
the lines of code that made its parts. Passes of a film take the content of each frame and give
other ones."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...expr import Expr, Place, first_place
from ..biography import reason
from .draft import Row
from .parts import Content, Frame, Moment, Operation, Parts, Shown
from .values import type_note

Contents = Mapping[str, Content]


def written(shots: Sequence[Shown], changes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The steps between these frames; the changes are those that each frame shows."""
    return [step_of(moment, before, after, change) for (_, before), (moment, after), change in
            zip(shots, shots[1:], changes[1:], strict=False) if moment is not None]  # fmt: skip


def step_of(
    moment: Moment, before: Frame, after: Frame, changes: Mapping[str, Any]
) -> dict[str, Any]:
    """One step: what it sets and drops, and what it says."""
    old, new = before.contents, after.contents
    step, words = moment.step, dict(moment.words)
    entry: dict[str, Any] = {
        "stage": moment.stage, "rule": step.rule, "eq": moment.equation, "part": moment.part,
        "set": changes, "drop": [p for p in old if p not in new],
    }  # fmt: skip
    extra = {"outs": after.outs if after.outs != before.outs else None, "idle": after.idle,
             "note": step.note, "reason": reason(step), **words}  # fmt: skip
    return entry | {k: v for k, v in extra.items() if v}


def others(
    shots: Sequence[Shown], words: Mapping[Expr, Any], last: Mapping[str, Any]
) -> list[list[Any]]:
    """Where the value of a part, or its type, is not its last one: the frame from which on, the
    part, the value. Most parts have one value in all frames, whatever they hold."""
    rows, now = [], dict(last)
    for k, (_, frame) in enumerate(shots):
        for p, content in frame.contents.items():
            if isinstance(content, Operation) and content.of in words:
                word = words[content.of]
                if word != now.get(p):
                    now[p] = word
                    rows.append([k, p, word])
    return rows


# ---- the content of each frame


def contents_of(document: Mapping[str, Any]) -> Iterator[dict[str, Content]]:
    """The content of each part, frame by frame."""
    contents = dict(document["first"])
    yield dict(contents)
    for step in document["steps"]:
        contents |= step["set"]
        for p in step["drop"]:
            contents.pop(p, None)
        yield dict(contents)


def with_contents(document: Mapping[str, Any], frames: Sequence[Contents]) -> dict[str, Any]:
    """The document whose frames have these contents."""
    steps = []
    for step, (old, new) in zip(document["steps"], pairwise(frames), strict=True):
        changes = {p: content for p, content in new.items() if old.get(p) != content}
        steps.append(step | {"set": changes, "drop": [p for p in old if p not in new]})
    return {**document, "first": frames[0], "steps": steps}


def with_lines(
    rows: Mapping[str, Row], parts: Parts
) -> tuple[dict[str, Row], list[dict[str, str]]]:
    """The rows with the number of the line and the type of each part; and the user's lines in the
    order of their files."""
    rows = {p: dict(row) for p, row in rows.items()}
    origin: dict[str, Place] = {}
    for n, p in [*parts.of_value.items(), *parts.home.items()]:
        row, place, note = rows[p], first_place(n), type_note(n)
        row |= {"type": note} if note and "type" not in row else {}
        if isinstance(place, Place) and n.op is not None:
            origin.setdefault(p, place)
    places = dict.fromkeys(origin.values())
    order = sorted(places, key=lambda place: (place.where.rstrip("0123456789"), place.line))
    number = {place: k for k, place in enumerate(order)}
    for p, place in origin.items():
        rows[p]["line"] = number[place]
    return rows, [{"at": place.where, "code": place.text} for place in order]
