"""The marks of a frame: what the last step made, what the next one rewrites, what its rule calls
its parts, and the names of the results.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from ...expr import Expr, Rewriting, visible
from ..tex.step_text import Halt
from ..views.replay import Change, Frame
from .boxes import Words
from .words import LETTERS, equation_of_rewrite

HOLLOW = dict(zip(LETTERS, "𝕒𝕓𝕔𝕕𝕖𝕗𝕘𝕙", strict=True))


class Marks(NamedTuple):
    """The marks of a frame: parts that the last step made, those that the next one rewrites,
    what its rule calls its parts, and the names of the results."""

    fresh: Collection[str] = ()
    matched: Collection[str] = ()
    tags: Mapping[str, str] = {}
    results: Mapping[str, str] = {}

    def of(self, p: str) -> str:
        """The class of a part."""
        return "m" if p in self.matched else "f" if p in self.fresh else ""

    def words(self, p: str) -> list[str]:
        """Its marks in words."""
        here = {"new": p in self.fresh, "matched": p in self.matched}
        return [*filter(None, [*(word for word, is_so in here.items() if is_so),
                               self.tags.get(p, ""), self.results.get(p, "")])]  # fmt: skip


PLAIN = Marks()


class StepMarks:
    """The marks of a simplification: which of the parts its steps make and take. Each node is at
    home at a part."""

    def __init__(self, stage: Rewriting, home: Mapping[Expr, str]):
        self.stage, self.home = stage, home
        self.frame = cache(lambda k: Frame(stage, k))

    def of(self, halt: Halt, words: Words) -> Marks:
        """The marks of one frame: those of a part are on all boxes that show it."""
        k = halt.k
        last = self.change(k - 1) if halt.shows_last else None
        following = self.change(k) if halt.shows_next else None
        tags: dict[str, list[str]] = {}
        for change, form in ((last, "→ {}"), (following, "{} →")):
            for letter, p in self.letters(change, k):
                for q in words.shown([p]):
                    tags.setdefault(q, []).append(form.format(letter))
        fresh = self.products(last) if last else []
        matched = self.homes(following.matched()) if following else []
        return Marks(
            words.shown(fresh), words.shown(matched),
            {q: ", ".join(own) for q, own in tags.items()},
            {q: ", ".join(names) for q, names in self.results(words).items()},
        )  # fmt: skip

    def results(self, words: Words) -> dict[str, list[str]]:
        """The names of the results, by the boxes where they are; the only one may have none."""
        own = self.stage.before.names
        names: dict[str, list[str]] = {}
        for j, p in enumerate(words.outs):
            other = f"out {j + 1}" if len(words.outs) > 1 else ""
            if name := own[j] if j < len(own) and own[j] else other:
                for q in words.results(p):
                    names.setdefault(q, []).append(visible(name))
        return names

    def change(self, k: int) -> Change:
        """Step k, counted from 0, between its two frames."""
        return Change(self.stage.steps[k], self.frame(k), self.frame(k + 1))

    def products(self, change: Change) -> list[str]:
        """The parts that a step made; a number stands inside its users."""
        return self.homes(change.new()) or self.homes(user for _, user in change.new_edges())

    def homes(self, nodes: Iterable[Expr]) -> list[str]:
        return [self.home[n] for n in nodes if n in self.home]

    def letters(self, change: Change | None, k: int) -> Iterator[tuple[str, str]]:
        """The letters of a step's rule, and the parts for which they stand."""
        if change is not None:
            for letter, n in equation_of_rewrite(change.step)[1].items():
                for p in self.homes(self.frame(k).places([n])):
                    yield HOLLOW[letter], p
