"""Tables, and those of a trace's numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..diagram.escape import shorten, visible
from ..diagram.theme import FAINT
from ..views.trace import DOT, Row, Trace
from . import page

CELL = (
    f"padding:2px 14px 2px 0;border:0;border-bottom:1px solid {FAINT};"
    "background:#ffffff;text-align:left"
)
SHORT, LONG = 18, 400  # characters
SHEET = "border-collapse:collapse;font-size:14px;background:#ffffff;color:#1a1a1a"


class Table(Sequence):
    """Rows of cells under headings; `table[k]` is a row."""

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

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        rows = "".join(line("td", row) for row in self.rows)
        content = f'<table style="{SHEET}">{line("th", self.columns)}{rows}</table>'
        return {"text/plain": repr(self), "text/html": page.card(content, "table")}


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


# ---- of a trace


def trace_table(trace: Trace) -> Table:
    """Values and, beside them, tangents; or below them the adjoints, one row a contribution."""
    if trace.tangents:
        return forward_table(trace)
    if not trace.adjoints:
        return Table(("name", "=", "value"), [cells(r) for r in trace.values], "values")
    rows = [(r.rule, *cells(r)) for r in trace]
    return Table(("rule", "name", "=", "value"), rows, "reverse mode")


def forward_table(trace: Trace) -> Table:
    beside = {row.name.replace(DOT, ""): cells(row) for row in trace.tangents}
    rows = [(*cells(r), *beside.get(r.name, ("", "", ""))) for r in trace.values]
    return Table(("name", "=", "value", "tangent", "=", "value"), rows, "forward mode")


def cells(row: Row) -> tuple[str, str, str]:
    return row.name, row.text, number(row.value)


def number(value: Any) -> str:
    if isinstance(value, tuple):
        return f"{len(value)} results"
    array = np.asarray(value)
    if not array.ndim:
        return f"{array[()]:.6g}" if array.dtype.kind == "f" else str(array[()])
    return np.array2string(array, precision=4, threshold=6, edgeitems=2).replace("\n", "")
