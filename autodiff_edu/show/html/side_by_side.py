"""Captioned pictures side by side; of two, a table of counts under them."""

from collections.abc import Iterable, Sequence
from math import log10
from typing import Any, NamedTuple

from ..diagram.theme import FAINT
from . import page
from .showable import Showable
from .stepper import Frame


class Count(NamedTuple):
    """How many of something there are on the left and on the right."""

    what: str
    left: int
    right: int


class SideBySide(Showable):
    """Pictures with captions, from left to right, and how large the first and the last are.

    Parameters
    ----------
    *frames : tuple
        (caption, picture) for each.
    counts : iterable of tuple, default: ()
        (what is counted, how many on the left, how many on the right).
    key : iterable, default: ()
        Words for the signs that the pictures use: ("new", "made by this step"), ...

    Raises
    ------
    TypeError
        If a frame is no caption with a picture.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> pair = ad.compare(x * 1, x)
    >>> pair.left.caption, pair.right.caption
    ('before', 'x')
    >>> pair.counts[0]
    Count(what='nodes', left=3, right=1)
    """

    kind = "pair"

    def __init__(
        self,
        *frames: tuple[str, Showable],
        counts: Iterable[tuple[str, int, int]] = (),
        key: Iterable[page.Word] = (),
    ):
        check_frames(frames)
        self.frames = tuple(Frame(*frame) for frame in frames)
        self.counts = tuple(Count(*c) for c in counts)
        self.key = tuple(key)

    @property
    def left(self) -> Frame:
        """The first caption and picture.

        Examples
        --------
        >>> ad.compare(ad.scalar("x") * 1, ad.scalar("x")).left.caption
        'before'
        """
        return self.frames[0]

    @property
    def right(self) -> Frame:
        """The last caption and picture.

        Examples
        --------
        >>> ad.compare(ad.scalar("x") * 1, ad.scalar("x")).right.caption
        'x'
        """
        return self.frames[-1]

    @property
    def _parts(self) -> Iterable[Showable]:
        return [frame.picture for frame in self.frames]

    def __repr__(self) -> str:
        sides = [f"{f.caption}:\n{f.picture!r}" for f in self.frames]
        signs = self.signs or ()
        own = [word for word in self.key if isinstance(word, tuple) and word[0] in signs]
        words = [f"{sign}: {meaning}" for sign, meaning in own]
        counts = [f"{c.what}: {number(c.left)} → {number(c.right)}" for c in self.counts]
        return "\n\n".join(filter(None, [*sides, "\n".join(words), "\n".join(counts)]))

    def image(self, widest: int = 0) -> str:
        return _pair(self)


def check_frames(frames: Sequence[Any]) -> None:
    """Raises TypeError for what is no caption with a picture."""
    pairs = all(isinstance(f, tuple) and len(f) == 2 and isinstance(f[0], str) for f in frames)
    if not frames or not pairs or not all(hasattr(f[1], "image") for f in frames):
        raise TypeError("what stands side by side are pairs of a caption and a picture, as in "
                        'SideBySide(("before", ad.draw(y)), ("after", ad.draw(z)))')  # fmt: skip


def number(count: int | str) -> str:
    """The count; of one with more than 100 digits, how many they are."""
    if isinstance(count, int) and count >= 10**HUGE:
        return f"about 10**{round(log10(count))}"
    return str(count)


HUGE = 100  # digits
NARROW = 200  # a caption's room, in pixels
GAP = 16


def _pair(pair: SideBySide) -> str:
    frames = pair.frames
    width = sum(max(NARROW, f.picture.widths[0]) for f in frames) + GAP * (len(frames) - 1)
    style = f"display:flex;flex-wrap:wrap;gap:{GAP}px;width:{width}px;max-width:100%;"
    style += page.together(f.picture.height for f in frames)
    figures = "".join(_figure(f) for f in frames)
    return f'<div style="{style}">{figures}</div>{_table(pair)}'


def _figure(frame: Frame) -> str:
    """All shrink alike, as far as they stay legible; then the last one goes below the others."""
    width, least = (max(NARROW, n) for n in frame.picture.widths)
    return (
        f'<div style="min-width:0;flex:{width} 1 {least}px;max-width:{width}px;overflow-x:auto">'
        f"{page.caption(f'<b>{page.escape(frame.caption)}</b>')}{frame.picture.image()}</div>"
    )


def _table(pair: SideBySide) -> str:
    if not pair.counts:
        return ""
    head = ("", pair.left.caption, pair.right.caption)
    rows = "".join(_row("td", c) for c in pair.counts)
    return f'<table style="{TABLE}">{_row("th", head)}{rows}</table>'


TABLE = "margin:10px 0 0;border-collapse:collapse;font-size:14px;background:#ffffff;color:#1a1a1a"
CELL = f"padding:2px 12px 2px 0;border:0;border-bottom:1px solid {FAINT};background:#ffffff"


def _row(tag: str, cells: Iterable[str | int]) -> str:
    return "<tr>" + "".join(_cell(tag, k, number(text)) for k, text in enumerate(cells)) + "</tr>"


def _cell(tag: str, column: int, text: str) -> str:
    align = "right" if column else "left"
    tag = tag if text else "td"  # a heading without words would be announced as one
    return f'<{tag} style="{CELL};text-align:{align}">{page.escape(text)}</{tag}>'
