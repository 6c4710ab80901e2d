"""Two captioned pictures side by side, with a table of counts under them."""

from collections.abc import Iterable
from math import log10
from typing import NamedTuple

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
    """Two pictures, with captions, and how large each is.

    Parameters
    ----------
    left : tuple
        (caption, picture).
    right : tuple
        (caption, picture).
    counts : iterable of tuple, default: ()
        (what is counted, how many on the left, how many on the right).
    key : iterable, default: ()
        The marks that the pictures use.
    """

    kind = "pair"

    def __init__(
        self,
        left: tuple[str, Showable],
        right: tuple[str, Showable],
        counts: Iterable[tuple[str, int, int]] = (),
        key: Iterable[page.Word] = (),
    ):
        self.left, self.right = Frame(*left), Frame(*right)
        self.counts = tuple(Count(*c) for c in counts)
        self.key = tuple(key)

    def __repr__(self) -> str:
        sides = [f"{f.caption}:\n{f.picture!r}" for f in (self.left, self.right)]
        counts = [f"{c.what}: {number(c.left)} → {number(c.right)}" for c in self.counts]
        return "\n\n".join([*sides, *["\n".join(counts)] * bool(counts)])

    def image(self, widest: int = 0) -> str:
        return _pair(self)


def number(count: int | str) -> str:
    """The count; of one with more than 100 digits, how many they are."""
    if isinstance(count, int) and count >= 10**HUGE:
        return f"about 10**{round(log10(count))}"
    return str(count)


HUGE = 100  # digits
NARROW = 200  # a caption's room, in pixels
GAP = 16


def _pair(pair: SideBySide) -> str:
    frames = (pair.left, pair.right)
    width = sum(max(NARROW, f.picture.widths[0]) for f in frames) + GAP
    style = f"display:flex;flex-wrap:wrap;gap:{GAP}px;width:{width}px;max-width:100%"
    figures = "".join(_figure(f) for f in frames)
    return f'<div style="{style}">{figures}</div>{page.key(pair.key)}{_table(pair)}'


def _figure(frame: Frame) -> str:
    """Both shrink alike, as far as they stay legible; then the right one goes below the left."""
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
    return f'<{tag} style="{CELL};text-align:{align}">{page.escape(text)}</{tag}>'
