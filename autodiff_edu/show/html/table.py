"""A table: rows of cells, which are text."""

from collections.abc import Sequence
from typing import Any

from ..diagram.escape import shorten, visible
from ..diagram.theme import FAINT
from . import page
from .showable import Showable

CELL = (
    f"padding:2px 14px 2px 0;border:0;border-bottom:1px solid {FAINT};"
    "background:#ffffff;text-align:left"
)
SHORT, LONG = 18, 400  # characters
SHEET = "border-collapse:collapse;font-size:14px;background:#ffffff;color:#1a1a1a"


class Table(Sequence, Showable):
    """Rows of cells under headings; `table[k]` is a row.

    Parameters
    ----------
    columns : list of str
        The headings.
    rows : list of list of str
        The cells.
    name : str, default: 'table'
        What it is a table of.
    """

    kind = "table"

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[str]], name: str = "table"):
        self.columns, self.name = tuple(columns), name
        self.rows = tuple(tuple(shorten(visible(cell), LONG) for cell in row) for row in rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, k: Any) -> Any:
        return self.rows[k]

    def __repr__(self) -> str:
        widths = [max(map(width, column)) for column in zip(self.columns, *self.rows)]
        lines = [self.columns, tuple("-" * w for w in widths), *self.rows]
        return "\n".join("  ".join(map(padded, line, widths)).rstrip() for line in lines)

    def image(self, widest: int = 0) -> str:
        rows = "".join(line("td", row) for row in self.rows)
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
    """What is short stays on one line."""
    return CELL + ";white-space:nowrap" * (5 < len(cell) <= SHORT)
