"""Patterns drawn: the graph with its index sets, the matrix in its colours, seeds and products."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...expr import Graph, text, visible
from ...structure import Coloring, SparseDerivative, Sparsity
from ...structure.carry import Walk, identity
from ..build.builder import Drawing
from ..build.passes import diagram
from ..diagram.theme import BLUE, FAINT, FONT_STACK, HUES, PAPER
from ..html import page
from ..html.film_strip import Film
from ..html.picture import Picture
from ..html.showable import Showable
from .draw import drawing
from .film import filming

MOST = 40  # rows and columns that are drawn
CELL, GAP, HEAD = 20, 34, 26  # pixels
SETS = 4  # index sets that are written on a node
Cells = np.ndarray  # of numbers: a colour from 0 on, −1 for an empty cell


@dataclass(frozen=True)
class Panel:
    """A matrix: in each cell a colour or nothing, and a title."""

    title: str
    cells: Cells
    height: int
    width: int
    coloured: bool = True  # else a cell only says that something can be there

    @property
    def shown(self) -> Cells:
        return self.cells[:MOST, :MOST]


@dataclass(frozen=True, repr=False)
class MatrixPicture(Showable):
    """Matrices side by side; a number in each cell says its colour, too.

    Parameters
    ----------
    panels : tuple of Panel
        The matrices.
    words : str
        A sentence, for those who do not see them.

    Examples
    --------
    >>> x = ad.vector("x", shape=3)
    >>> ad.draw(ad.sparsity(x[1:] - x[:-1], x))
    2 × 3, 4 nonzeros, in 2 colours by columns
    01·
    ·10
    """

    kind: ClassVar = "matrices"
    panels: tuple[Panel, ...]
    words: str

    @property
    def svg(self) -> str:
        """The drawing."""
        return svg(self.panels, self.words)

    @property
    def widths(self) -> tuple[int, int]:
        """Its own width in pixels, at which it stays."""
        return (width(self.panels),) * 2

    @property
    def height(self) -> int:
        """Its own height in pixels."""
        return tall(self.panels)

    def image(self, widest: int = 0) -> str:
        """The drawing as HTML `<img>`.

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
        >>> x = ad.vector("x", shape=3)
        >>> ad.draw(ad.sparsity(x * x, x)).image()[:4]
        '<img'
        """
        return page.image(self.svg, self.words, widest)

    def __repr__(self) -> str:
        several = len(self.panels) > 1
        blocks = [[p.title] * several + rows(p) for p in self.panels]
        return "\n".join([self.words, *(line for block in blocks for line in block)])


def rows(panel: Panel) -> list[str]:
    """A panel as text: a letter for each colour, or the same for all."""
    signs = "0123456789abcdefghijklmnopqrstuvwxyz" if panel.coloured else "■"
    return ["".join("·" if c < 0 else signs[c % len(signs)] for c in row) for row in panel.shown]


# ---- the drawing


def span(count: int) -> int:
    return CELL * min(count, MOST)


def width(panels: Sequence[Panel]) -> int:
    return sum(max(span(p.width), 8 * len(p.title)) + GAP for p in panels)


def tall(panels: Sequence[Panel]) -> int:
    return HEAD + max(span(p.height) for p in panels) + GAP // 2


def svg(panels: Sequence[Panel], words: str) -> str:
    """Panels from left to right, with their titles above."""
    left, parts = GAP // 2, []
    for p in panels:
        parts += [page.letters(left, HEAD - 8, p.title, "start"), *grid(p, left)]
        left += max(span(p.width), 8 * len(p.title)) + GAP
    w, h = width(panels), tall(panels)
    said = page.escape(words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" '
        f'viewBox="0 0 {w} {h}" role="img" aria-label="{said}" font-family="{FONT_STACK}" '
        f'font-size="13"><title>{said}</title><rect width="{w}" height="{h}" fill="{PAPER}"/>'
        f"{''.join(parts)}</svg>\n"
    )


def grid(panel: Panel, left: int) -> list[str]:
    """The cells that are not empty, and a frame."""
    parts = []
    for (i, j), c in np.ndenumerate(panel.shown):
        if c >= 0:
            x, y = left + CELL * j, HEAD + CELL * i
            fill = HUES[c % len(HUES)] if panel.coloured else BLUE
            parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" '
                         f'fill="{fill}" stroke="{PAPER}"/>')  # fmt: skip
            if panel.coloured:
                parts.append(page.letters(x + CELL // 2, y + CELL - 5, str(c), "middle"))
    parts.append(f'<rect x="{left}" y="{HEAD}" width="{span(panel.width)}" '
                 f'height="{span(panel.height)}" fill="none" stroke="{FAINT}"/>')  # fmt: skip
    return parts


# ---- what is drawn


def by_color(pattern: Sparsity, coloring: Coloring) -> Panel:
    """The pattern, each nonzero in the colour of its column or row."""
    part = pattern.matrix[:MOST, :MOST].toarray()
    colors = coloring.colors[:MOST]
    painted = colors[:, None] if coloring.kind == "row" else colors[None, :]
    return Panel("matrix", np.where(part, painted, -1), *pattern.shape)


def seeds(coloring: Coloring) -> Panel:
    """A column for each colour (of a row colouring, a row): 1 where it has it."""
    colors = coloring.colors[:MOST]
    number = np.arange(coloring.count)
    cells = np.where(colors[:, None] == number, number, -1)
    if coloring.kind == "row":
        return Panel("seeds", cells.T, coloring.count, len(coloring.colors))
    return Panel("seeds", cells, len(coloring.colors), coloring.count)


def products(pattern: Sparsity, coloring: Coloring) -> Panel:
    """Which sums are not zero: what is computed."""
    both = np.zeros((min(MOST, pattern.shape[coloring.kind == "row"]), coloring.count), bool)
    rows, columns = pattern.matrix.nonzero()
    kept, colored = (columns, rows) if coloring.kind == "row" else (rows, columns)
    inside = kept < MOST
    both[kept[inside], coloring.colors[colored[inside]]] = True
    cells = np.where(both, np.arange(coloring.count), -1)
    if coloring.kind == "row":
        return Panel("products", cells.T, coloring.count, pattern.shape[1])
    return Panel("products", cells, pattern.shape[0], coloring.count)


def sentence(pattern: Sparsity, coloring: Coloring | None = None) -> str:
    m, n = pattern.shape
    part = f"; the first {MOST} rows and columns are drawn" if max(m, n) > MOST else ""
    return f"{m} × {n}, {pattern.nnz:,} nonzeros{told(coloring) if coloring else ''}{part}"


def told(coloring: Coloring) -> str:
    by = {"column": "by columns", "row": "by rows"}.get(coloring.kind, f"({coloring.kind})")
    return f", in {coloring.count} colour{'s' * (coloring.count != 1)} {by}"


@drawing.register
def draw_pattern(pattern: Sparsity, options: Any, highlight: Any = ()) -> MatrixPicture:
    coloring = pattern.coloring()
    return MatrixPicture((by_color(pattern, coloring),), sentence(pattern, coloring))


@drawing.register
def draw_derivative(found: SparseDerivative, options: Any, highlight: Any = ()) -> MatrixPicture:
    """Matrix times seeds is products; by rows, seeds times matrix."""
    pattern, coloring = found.sparsity, found.coloring
    panels = by_color(pattern, coloring), seeds(coloring), products(pattern, coloring)
    return MatrixPicture(panels, sentence(pattern, coloring))


# ---- the film: from the graph to the products


@filming.register
def film_pattern(pattern: Sparsity, which: Any, options: Any) -> Film:
    return Film(frames(pattern, pattern.coloring()))


@filming.register
def film_derivative(found: SparseDerivative, which: Any, options: Any) -> Film:
    return Film(frames(found.sparsity, found.coloring))


def frames(pattern: Sparsity, coloring: Coloring) -> list[tuple[str, Showable]]:
    cells = pattern.matrix[:MOST, :MOST].toarray() - 1
    plain = MatrixPicture((Panel("matrix", cells, *pattern.shape, False),), sentence(pattern))
    matrix, seed = by_color(pattern, coloring), seeds(coloring)
    words, by = sentence(pattern, coloring), "row" if coloring.kind == "row" else "column"
    found: list[tuple[str, Showable]] = [
        ("the pattern: which entries can be other than zero", plain),
        (f"a colour for each {by}", MatrixPicture((matrix,), words)),
        ("one product for each colour", MatrixPicture(
            (matrix, seed, products(pattern, coloring)), words)),
    ]  # fmt: skip
    if pattern.y is None:
        return found
    return [("on each node, for each of its entries, the entries of "
             f"{text(pattern.wrt)} on which it depends", index_sets(pattern)), *found]  # fmt: skip


def index_sets(pattern: Sparsity) -> Picture:
    """The graph, with the index sets on its nodes."""
    walk = Walk().run([pattern.y], identity([pattern.wrt]))
    said = {n: sets(p) for n, p in walk.items() if not isinstance(p, list)}
    return Picture.of(diagram(Drawing(Graph(pattern.y), values=said)))


def sets(pattern: Any) -> str:
    """The index set of each entry: {0} {0 1} {1 2} …"""
    ends = pattern.indptr[: SETS + 1]
    each = [sorted(pattern.indices[a:b].tolist()) for a, b in zip(ends, ends[1:])]
    short = [f"{{{' '.join(map(str, e[:SETS]))}{' …' * (len(e) > SETS)}}}" for e in each]
    return visible(" ".join(short) + " …" * (pattern.shape[0] > SETS))
