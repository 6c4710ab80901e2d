"""A table: rows of cells, which are text."""

from collections.abc import Callable, Sequence
from typing import Any

from ...expr import shorten, visible
from ..diagram.theme import FAINT
from . import page
from .showable import Showable

CELL = (
    f"padding:2px 14px 2px 0;border:0;border-bottom:1px solid {FAINT};"
    "background:#ffffff;text-align:left"
)
SHORT, LONG = 18, 400  # characters
MOST = 500  # rows that are shown, as a film has so many frames at most
SHEET = "border-collapse:collapse;font-size:14px;background:#ffffff;color:#1a1a1a"


class Table(Sequence, Showable):
    """Rows of cells under headings; `table[k]` is a row.

    Of a long table the first and the last rows are shown.

    Parameters
    ----------
    columns : list of str
        The headings.
    rows : list
        What the rows are made of, as a rule their cells.
    name : str, default: 'table'
        What it is a table of.
    cells : callable, optional
        The cells of a row, which are made when they are looked at.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> table = ad.simplify(x * 1).table()
    >>> table.columns
    ('step', 'phase', 'rule', 'before', 'after', 'needs', 'caveat', 'cost')
    >>> table[0][2]
    'times one'
    """

    kind = "table"

    def __init__(
        self,
        columns: Sequence[str],
        rows: Sequence[Any],
        name: str = "table",
        cells: Callable[[Any], Sequence[str]] = tuple,
    ):
        self.columns, self.name = tuple(columns), name
        self._made_of, self._cells = rows, cells

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """All rows."""
        return self[:]

    def __len__(self) -> int:
        return len(self._made_of)

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return tuple([self[j] for j in range(*k.indices(len(self)))])
        return tuple([shorten(visible(cell), LONG) for cell in self._cells(self._made_of[k])])

    def _shown(self) -> tuple[tuple[str, ...], ...]:
        """All rows or, where these are too many, those at both ends."""
        left = len(self) - MOST
        if left <= 0:
            return self.rows
        gap = ("…", f"{left:,} more", *[""] * len(self.columns))[: len(self.columns)]
        return (*self[: MOST // 2], gap, *self[-MOST // 2 :])

    def __repr__(self) -> str:
        rows = self._shown()
        widths = [max(map(width, column)) for column in zip(self.columns, *rows)]
        lines = [self.columns, tuple("-" * w for w in widths), *rows]
        return "\n".join("  ".join(map(padded, line, widths)).rstrip() for line in lines)

    def image(self, widest: int = 0) -> str:
        rows = "".join(line("td", row) for row in self._shown())
        return f'<table style="{SHEET}">{line("th", self.columns)}{rows}</table>'


def width(cell: str) -> int:
    """Characters on a terminal: accents take no room."""
    return sum(not "\u0300" <= c <= "\u036f" for c in cell)


def padded(cell: str, to: int) -> str:
    return cell + " " * (to - width(cell))


def line(tag: str, cells: Sequence[str]) -> str:
    found = (f'<{tag} style="{look(cell)}">{page.escape(cell)}</{tag}>' for cell in cells)
    return f"<tr>{''.join(found)}</tr>"


def look(cell: str) -> str:
    """What is short stays on one line, as a word does without asking."""
    return CELL + ";white-space:nowrap" * (0 < len(cell) <= SHORT and not cell.isalnum())
