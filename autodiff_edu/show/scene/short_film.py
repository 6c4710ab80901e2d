"""The film of a simplification: a node keeps its place, and what a rewrite makes takes the place of
what it replaced.

Frame k is after step k and before step k + 1: it marks what the one made and what the other takes
in, and says which parts the rules call 𝕒, 𝕓, …, letters that no formula has.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...expr import Rewriting, cached_property
from ..build.summary import LARGEST
from ..html import page
from ..tex.step_text import halts, words_of
from .document import Document
from .film import SceneFilm, SceneFrame, filmed
from .marks import HOLLOW, Marks, StepMarks
from .still import Stills
from .view import View
from .words import LETTERS, equation_of_rewrite

LETTER = re.compile(f"(?<![^\\W\\d])[{LETTERS}](?![^\\W\\d²])|(?<![^\\W\\d])[{LETTERS}](?=²)")
KEY: tuple[page.Word, ...] = (
    ("new", "made by this step"), ("matched", "rewritten next"),
    ("tag", "𝕒 → the part that the rule calls 𝕒; → 𝕒 the same part after the step"),
)  # fmt: skip


class ShortFrame(SceneFrame):
    """One frame of a simplification.

    Parameters
    ----------
    story : Story
        The stage and its document.
    number : int
        The number of the frame.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> frame = ad.film(ad.simplify(x * 1 + x))[0]
    >>> print(frame.listing)
    x  [𝕒 →]
    v₁ = ·1  [matched]
    y = +
    """

    def __init__(self, story: "Story", number: int):
        self.story, self.halt = story, story.halts[number]
        super().__init__(*story.shots[number])

    @cached_property
    def marks(self) -> Marks:
        """The marks of what the last step made, and of what the next one rewrites."""
        return self.story.marks.of(self.halt, self.still.words)

    @property
    def signs(self) -> tuple:
        present = {"new": self.marks.fresh, "matched": self.marks.matched, "tag": self.marks.tags}
        return tuple(sign for sign, parts in present.items() if parts)


class Story:
    """A stage that rewrites, its document, and the marks and captions of these steps."""

    def __init__(
        self,
        stage: Rewriting,
        at: Mapping[Any, Any],
        places: Sequence[int],
        view: View,
    ):
        self.stage, self.halts = stage, halts(places)
        self.document = Document(None, stage, at, runs=False, groups=view.groups, places=places)
        self.shots = [*self.scenes(view)]
        self.marks = StepMarks(stage, self.document.parts.home)

    def scenes(self, view: View) -> Iterator[tuple[Stills, int]]:
        """The place of each frame: in the scene of all or, where some steps of a large graph are
        seen, of those that follow each other."""
        first = int(self.halts[0].k > 0)  # the document begins before the first step
        last = first + len(self.halts)
        if len(self.document.parts.rows) <= LARGEST or view.groups or view.is_tree:
            stills = filmed(self.document, view)
            yield from ((stills, k) for k in range(first, last))
            return
        starts = [first + j for j, halt in enumerate(self.halts) if not halt.shows_last]
        for a, b in pairwise([*starts, last]):
            stills = filmed(self.document, view, slice(a, b), near=True)
            yield from ((stills, k) for k in range(b - a))

    def captions(self) -> Iterator[str]:
        """Say for each step its rule, what it did, and the equation."""
        for halt in self.halts:
            by = ""
            if halt.shows_last:
                equation, letters = equation_of_rewrite(self.stage.steps[halt.k - 1])
                by = hollow(equation) if letters else ""
            yield words_of(halt, self.stage, by)


def hollow(equation: str) -> str:
    """An equation with hollow letters: a·1 = a becomes 𝕒·1 = 𝕒."""
    return LETTER.sub(lambda letter: HOLLOW[letter[0]], equation)


def short_film(
    stage: Rewriting,
    at: Mapping[Any, Any] | None,
    places: Sequence[int],
    view: View,
) -> SceneFilm:
    """The film of these steps of a stage that makes a graph shorter."""
    story = Story(stage, dict(at or {}), places, view)
    frames = [ShortFrame(story, number) for number in range(len(story.halts))]
    return SceneFilm(zip(story.captions(), frames, strict=True), KEY)
