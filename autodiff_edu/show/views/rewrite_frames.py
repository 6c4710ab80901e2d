"""A rewriting stage as a film: what is matched, what replaces it, and where the parts go.

Frame k is after step k and before step k + 1: it marks what the one made and what the other takes
in, and tags the parts that are bound to wildcards: `→ x` of the one, `x →` of the other.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from ...expr import Expr, Rewriting
from ..build.marks import Marking
from ..build.wildcard_colours import hues
from ..diagram.diagram import Tag
from ..diagram.theme import Mark
from ..html.picture import Picture
from ..tex.step_text import halts, words_of
from .frames import shots
from .legible import picture
from .replay import Change, Frame


@shots.register
def rewriting(
    stage: Rewriting, places: Sequence[int], options: dict[str, Any]
) -> Iterator[tuple[str, Picture]]:
    """The frames of these steps, each with what the last one made and the next one takes."""
    frame = cache(lambda k: Frame(stage, k))

    def change(k: int) -> Change:
        return Change(stage.steps[k], frame(k), frame(k + 1))

    for halt in halts(places):
        made = change(halt.k - 1) if halt.shows_last else None
        coming = change(halt.k) if halt.shows_next else None
        yield words_of(halt, stage), shot(frame(halt.k), made, coming, options)


def shot(frame: Frame, made: Change | None, coming: Change | None, options: Any) -> Picture:
    """A frame between two changes, with the marks and the tags of both."""
    marks: dict[Expr, Mark] = {}
    tags: dict[Expr, tuple[Tag, ...]] = {}
    for change, form in ((made, "→ {}"), (coming, "{} →")):
        for name, n, colour in bound(change, frame):
            tags[n] = (*tags.get(n, ()), Tag(form.format(name), colour))
    if made:
        marks |= dict.fromkeys(made.new(), "new")
    if coming:
        marks |= dict.fromkeys(coming.matched(), "matched")
    new_edges = made.new_edges() if made else ()
    return picture(frame.graph, marking=Marking(marks, tags=tags, new_edges=new_edges), **options)


def bound(change: Change | None, frame: Frame) -> Iterator[tuple[str, Expr, str]]:
    """The wildcards of a change whose parts are in a frame, these parts, and their colours."""
    bindings = change.step.bindings if change else {}
    colours = hues(bindings)
    for name, e in bindings.items():
        if frame.place(e) in frame.nodes:
            yield name, frame.place(e), colours[name]
