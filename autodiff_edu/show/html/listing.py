"""A text that stands where a picture would: the source of a program, a plan."""

import hashlib
from dataclasses import dataclass
from typing import ClassVar

from ..diagram.theme import FAINT, INK, TINT
from . import page
from .showable import Showable

LETTER = 8.5  # pixels across, in a typewriter's face of 14 pixels
PRE = (
    f"margin:0;padding:8px 12px;border:1px solid {FAINT};background:{TINT};color:{INK};"
    "font-family:DejaVu Sans Mono,Menlo,Consolas,monospace;font-size:14px;line-height:1.45;"
    "white-space:pre;overflow-x:auto"
)


@dataclass(frozen=True, repr=False)
class Listing(Showable):
    """An immutable text."""

    kind: ClassVar = "listing"
    text: str

    @property
    def listing(self) -> str:
        return self.text

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change whenever the text does."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    @property
    def widths(self) -> tuple[int, int]:
        """The width of the longest line, twice: where it does not fit, a text goes below."""
        width = round(LETTER * max(map(len, self.text.split("\n")))) + 26
        return width, width

    def image(self, widest: int = 0) -> str:
        """The text as HTML; it keeps its size, beside whatever it stands."""
        lines = "\n".join(map(page.escape, self.text.split("\n")))
        return f'<pre style="{PRE}">{lines}</pre>'

    def __repr__(self) -> str:
        return self.text
