"""`overview`: one small graph in three forms, its picture, its formula and its program."""

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from ...expr import Later, as_graph
from ..html import page
from ..html.listing import Listing
from ..html.showable import Showable
from ..html.side_by_side import SideBySide
from ..tex.formula import Formula, latex
from .draw import draw

LATER = Later()  # a picture alone needs no programs
LATER.place("autodiff_edu.run", "generate")
COMMAND = re.compile(r"\\[A-Za-z]+|[{}^_&]")
LETTER = 9  # pixels across, about, for a letter that a formula shows


@dataclass(frozen=True, repr=False)
class Typeset(Showable):
    """A formula that stands beside pictures. The page typesets it."""

    kind: ClassVar = "formula"
    formula: Formula

    @property
    def widths(self) -> tuple[int, int]:
        """A guess, from the letters of its longest line without commands and braces."""
        letters = [COMMAND.sub(" ", line) for line in self.formula.split(r"\\")]
        width = LETTER * max(map(len, letters)) + 40
        return width, min(width, 300)

    def image(self, widest: int = 0) -> str:
        """The formula as LaTeX between the marks that a page looks for."""
        return f'<div class="{page.TYPESET}">\\[{page.escape(self.formula)}\\]</div>'

    def __repr__(self) -> str:
        return str(self.formula)


def overview(what: Any, **options: Any) -> SideBySide:
    """The picture of a small graph, its formula and its program, side by side.

    Parameters
    ----------
    what : Graph, Expr, list of Expr or Stage
        What to show; of a stage its result.
    **options : object
        Those of `draw`, for the picture.

    Returns
    -------
    SideBySide
        What a notebook shows.

    See Also
    --------
    draw : The picture alone.
    latex : The formula alone.
    generate : The program alone.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> [frame.caption for frame in ad.overview(x * x).frames]
    ['graph', 'formula', 'program']
    """
    graph = as_graph(what)
    program = Listing(repr(LATER["generate"](graph).after))
    return SideBySide(
        ("graph", draw(graph, **options)), ("formula", Typeset(latex(graph))), ("program", program)
    )
