"""The film of a derivative: its frames share one layout, so that nothing moves.

Where nothing runs, a reader pages through a dozen frames at most: the film says how many it leaves
out, and has them all by number. Each frame is a whole picture, if they are small. Else what stays
is one picture, which a stylesheet lays below all frames, and a frame adds what changes. The first
and the last are whole, for pages without stylesheets.
"""

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...differentiate.slope_names import BAR
from ...expr import Growing, Stage, cached_property, text
from ..html import page
from ..html.film_strip import Film
from ..html.showable import Showable
from ..html.stepper import Frame, stepper
from ..tex.step_text import caption, halts, words_of
from ..views.trace import forward_formulas, reverse_formulas
from .document import Document
from .marks import Marks
from .sheet import sheet
from .still import Still, Stills
from .svg import svg
from .view import View, seen

MOST = 12  # frames of a page
ROOM = 48_000  # characters of the frames of a film that are all whole
BARE = (
    '<p class="bare" style="margin:0 0 6px">Only what changes is drawn here. What stays is in the '
    "first and in the last frame.</p>"
)
BEFORE = "before {}: the values, named in the order of their computation"
KEY: tuple[page.Word, ...] = (
    ("solid", "values"), ("dashed", "their derivatives, at the same places"),
)  # fmt: skip


class SceneFrame(Showable):
    """One frame of a scene: the picture of the whole, of which a film shows the new half.

    Parameters
    ----------
    stills : Stills
        The frames of a document.
    k : int
        The number of this one.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> frame = ad.film(ad.reverse_mode(x * x, x))[-1]
    >>> frame.listing.splitlines()[0], frame.svg[:4]
    ('v₀ = x', '<svg')
    """

    kind: ClassVar = "picture"

    def __init__(self, stills: Stills, k: int):
        self.stills, self.k = stills, k

    @cached_property
    def still(self) -> Still:
        """Its parts in pixels."""
        return self.stills[self.k]

    @cached_property
    def marks(self) -> Marks:
        """The parts that the last step made."""
        fresh = self.still.words.fresh if self.k else ()
        return Marks([p for p in fresh if p not in self.still.frames])

    @cached_property
    def svg(self) -> str:
        """The picture as text."""
        return svg(self.still, self.marks)

    @property
    def dot(self) -> str:
        """The picture in Graphviz's language, with all places."""
        return self.still.dot

    @property
    def alt(self) -> str:
        """A sentence, for those who do not see it."""
        return self.still.alt

    @property
    def listing(self) -> str:
        """List the parts as text, a line each."""
        lines = self.still.listing.splitlines()
        words = [", ".join(self.marks.words(p)) for p in self.still.boxes]
        return "\n".join(f"{line}  [{said}]" if said else line
                         for line, said in zip(lines, words, strict=True))  # fmt: skip

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change whenever the drawing does."""
        return hashlib.sha256(self.svg.encode()).hexdigest()[:12]

    @property
    def brief(self) -> str:
        return f"  {self.digest}"

    @property
    def widths(self) -> tuple[int, int]:
        return page.size(self.svg)[0], page.narrowest(self.svg)

    @property
    def height(self) -> int:
        return page.size(self.svg)[1]

    @property
    def signs(self) -> tuple:
        return "solid", "dashed"

    def image(self, widest: int = 0) -> str:
        return page.image(self.svg, self.alt, widest)

    def over(self, base: str, widest: int) -> str:
        """The new half as an image, for pages in which `base` is a class with the other half."""
        image = page.image(svg(self.still, self.marks, overlay=True), self.alt, widest)
        return image.replace('class="dark-light"', f'class="dark-light {base}"')

    def __repr__(self) -> str:
        return f"{self.listing}\nSVG sha256 {self.digest}"


class SceneFilm(Film):
    """The frames of a derivative over one picture of its values.

    Parameters
    ----------
    frames : iterable of tuple
        (caption, frame of a scene).
    key : iterable, optional
        Words for the signs that the pictures use; by default those of a derivative.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> film = ad.film(ad.reverse_mode(x * x, x))
    >>> len(film), film.captions[-1]
    (4, 'pullback of multiply: v̄₀ = v̄₀ + (v₀ * v̄₁)')
    """

    def __init__(self, frames: Iterable[tuple[str, Showable]], key: Iterable[page.Word] = KEY):
        super().__init__(frames, key)

    def __repr__(self) -> str:
        return super().__repr__().replace("DOT sha256", "SVG sha256", 1)

    def begun(self, words: str) -> "SceneFilm":
        """The film whose first caption says this, too.

        Parameters
        ----------
        words : str
            What is not shown as it was asked for, and why; or nothing.

        Returns
        -------
        SceneFilm
            The film.

        Examples
        --------
        >>> film = ad.film(ad.simplify(ad.scalar("x") * 1))
        >>> film.begun("boxes stay closed").captions[0]
        'before simplify; boxes stay closed'
        """
        (caption, picture), *rest = self.frames
        return SceneFilm([("; ".join(filter(None, [caption, words])), picture), *rest], self.key)

    def image(self, widest: int = 0) -> str:
        """The first frame, the last and some between as a page needs them.

        Parameters
        ----------
        widest : int, default: 0
            The width of the widest picture beside it.

        Returns
        -------
        str
            HTML.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> ad.film(ad.reverse_mode(x * x, x)).image()[:6]
        '<style'
        """
        shown = some(self.frames)
        style, pictures = "", [frame.picture for frame in shown]
        if sum(len(p.svg) for p in pictures if isinstance(p, SceneFrame)) > ROOM:
            style, pictures = layers(pictures)
        frames = [Frame(f.caption, p) for f, p in zip(shown, pictures, strict=True)]
        count = len(self.frames) - len(shown)
        words = f"<p>Of {len(self.frames)} frames, {count} are left out: film[k] is frame k.</p>"
        return f"{style}{stepper(frames)}{words if count else ''}"


def layers(pictures: Sequence[Any]) -> tuple[str, list[Any]]:
    """The stylesheet with what stays, and the frames to be laid over it; the first and the last of
    each scene are whole."""
    grounds: dict[Stills, Ground] = {}
    layered: list[Any] = []
    for picture, following in zip(pictures, [*pictures[1:], None], strict=True):
        stills = getattr(picture, "stills", None)
        ground = grounds.get(stills) if stills is not None else None
        if ground is not None and getattr(following, "stills", None) is stills:
            layered.append(Layer(picture, ground.name))
            continue
        if stills is not None and ground is None:
            grounds[stills] = Ground.of(picture)
        layered.append(picture)
    looks = "".join(f".{ground.name}{{{ground.look}}}" for ground in grounds.values())
    return f"<style>{looks}.autodiff-film .bare{{display:none}}</style>", layered


class Ground(NamedTuple):
    """What does not change in the frames of one document: the name of a style, and its words."""

    name: str
    look: str

    @classmethod
    def of(cls, frame: SceneFrame) -> "Ground":
        below = svg(frame.still, base=True).encode()
        data = base64.b64encode(below).decode()
        look = f'background:url("data:image/svg+xml;base64,{data}") 0 0/100% 100%!important;'
        look += "print-color-adjust:exact"
        return cls(f"scene-{hashlib.sha256(below).hexdigest()[:8]}", look)


class Layer(Showable):
    """A frame in a film: what changes, over what stays."""

    kind = "picture"

    def __init__(self, frame: SceneFrame, base: str):
        self.frame, self.base = frame, base

    @property
    def widths(self) -> tuple[int, int]:
        return self.frame.widths

    @property
    def height(self) -> int:
        return self.frame.height

    def image(self, widest: int = 0) -> str:
        return BARE + self.frame.over(self.base, widest)


def some(frames: tuple[Frame, ...]) -> list[Frame]:
    """A dozen of the frames at most, the first and the last among them."""
    if len(frames) <= MOST:
        return list(frames)
    places = np.linspace(0, len(frames) - 1, MOST).round().astype(int)
    return [Frame(f"frame {k}: {frames[k].caption}", frames[k].picture) for k in places]


def scene_film(
    stage: Stage,
    at: Mapping[Any, Any] | None,
    places: Sequence[int],
    view: View,
) -> SceneFilm:
    """The film of these steps of a stage that differentiates."""
    is_numbered = isinstance(stage, Growing)
    document = Document(stage, None, dict(at or {}), is_numbered, groups=view.groups)
    stills = filmed(document, view)
    texts = [BEFORE.format(stage.name), *captions(stage)]
    return SceneFilm((words_of(halt, stage) if halt.left else texts[halt.k],
                      SceneFrame(stills, halt.k)) for halt in halts(places))  # fmt: skip


def filmed(
    document: Document, view: View, frames: slice = slice(None), near: bool = False
) -> Stills:
    """Frames of a document in this view."""
    data = seen(document, view, frames, near)
    return Stills(sheet(data, view.open), view.numbers, view.direction)


def captions(stage: Stage) -> Iterable[str]:
    """Say for each step its rule and its formula: pullback of sin: v̄₁ = v̄₂ * cos(v₁)."""
    if not isinstance(stage, Growing):
        yield from map(caption, stage.steps)
        return
    formulas = reverse_formulas(stage) if stage.mark == BAR else forward_formulas(stage)
    for step, (name, formula) in zip(stage.steps, formulas, strict=True):
        yield f"{step.rule}: {name} = {text(formula)}"
