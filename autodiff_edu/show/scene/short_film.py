"""The film of a simplification: a node keeps its place, and what a rewrite makes takes the place of
what it replaced.

Frame k is after step k and before step k + 1: it marks what the one made and what the other takes
in, and says which parts the rules call 𝕒, 𝕓, …, letters that no formula has.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from ...expr import Expr, Rewriting, cached_property, visible
from ..diagram.diagram import Direction
from ..html import page
from ..tex.step_text import Halt, halts, words_of
from ..views.legible import LARGEST
from ..views.replay import Change, Frame
from .document import Document
from .film import SceneFilm, SceneFrame
from .still import Stills
from .svg import Marks
from .words import LETTERS, equation_of_rewrite

HOLLOW = dict(zip(LETTERS, "𝕒𝕓𝕔𝕕𝕖𝕗𝕘𝕙", strict=True))
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
        return self.story.marks(self.halt, {*self.still.boxes}, self.still.words.outs)

    @property
    def signs(self) -> tuple:
        present = {"new": self.marks.fresh, "matched": self.marks.matched, "tag": self.marks.tags}
        return tuple(sign for sign, parts in present.items() if parts)


class Story:
    """A stage that rewrites, and its document: which of the parts these steps make and take."""

    def __init__(
        self,
        stage: Rewriting,
        at: Mapping[Any, Any],
        places: Sequence[int],
        numbers: bool = False,
        direction: Direction = "TB",
    ):
        self.stage, self.halts = stage, halts(places)
        self.document = Document(None, stage, at, runs=False, places=places)
        self.shots = [*self.scenes(numbers, direction)]
        self.frame = cache(lambda k: Frame(stage, k))

    def scenes(self, numbers: bool, direction: Direction) -> Iterator[tuple[Stills, int]]:
        """The place of each frame: in the scene of all or, where some steps of a large graph are
        seen, of those that follow each other."""
        first = int(self.halts[0].k > 0)  # the document begins before the first step
        last = first + len(self.halts)
        if len(self.document.parts.rows) <= LARGEST:
            stills = Stills(self.document.data(), numbers, direction)
            yield from ((stills, k) for k in range(first, last))
            return
        starts = [first + j for j, halt in enumerate(self.halts) if not halt.shows_last]
        for a, b in pairwise([*starts, last]):
            stills = Stills(self.document.excerpt(range(a, b)), numbers, direction)
            yield from ((stills, k) for k in range(b - a))

    def marks(self, halt: Halt, parts: set[str], outs: Collection[str]) -> Marks:
        """The marks of one frame, in which these parts are seen."""
        k = halt.k
        last = self.change(k - 1) if halt.shows_last else None
        following = self.change(k) if halt.shows_next else None
        tags: dict[str, list[str]] = {}
        for change, form in ((last, "→ {}"), (following, "{} →")):
            for letter, p in self.letters(change, k):
                tags.setdefault(p, []).append(form.format(letter))
        fresh = self.products(last) if last else []
        matched = self.homes(following.matched()) if following else []
        return Marks(
            [p for p in fresh if p in parts],
            [p for p in matched if p in parts],
            {p: ", ".join(words) for p, words in tags.items() if p in parts},
            {p: ", ".join(names) for p, names in self.results(outs).items() if p in parts},
        )

    def results(self, outs: Collection[str]) -> dict[str, list[str]]:
        """The names of the results, by the parts where they are; the only one may have none."""
        own = self.stage.before.names
        names: dict[str, list[str]] = {}
        for j, p in enumerate(outs):
            name = own[j] if j < len(own) and own[j] else f"out {j + 1}" if len(outs) > 1 else ""
            if name:
                names.setdefault(p, []).append(visible(name))
        return names

    def change(self, k: int) -> Change:
        """Step k, counted from 0, between its two frames."""
        return Change(self.stage.steps[k], self.frame(k), self.frame(k + 1))

    def products(self, change: Change) -> list[str]:
        """The parts that a step made; a number stands inside its users."""
        return self.homes(change.new()) or self.homes(user for _, user in change.new_edges())

    def homes(self, nodes: Iterable[Expr]) -> list[str]:
        home = self.document.parts.home
        return [home[n] for n in nodes if n in home]

    def letters(self, change: Change | None, k: int) -> Iterator[tuple[str, str]]:
        """The letters of a step's rule, and the parts for which they stand."""
        if change is not None:
            for letter, n in equation_of_rewrite(change.step)[1].items():
                for p in self.homes(self.frame(k).places([n])):
                    yield HOLLOW[letter], p

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
    numbers: bool = False,
    direction: Direction = "TB",
) -> SceneFilm:
    """The film of these steps of a stage that makes a graph shorter, with the `numbers` of its
    parts."""
    story = Story(stage, dict(at or {}), places, numbers, direction)
    frames = [ShortFrame(story, number) for number in range(len(story.halts))]
    return SceneFilm(zip(story.captions(), frames, strict=True), KEY)
