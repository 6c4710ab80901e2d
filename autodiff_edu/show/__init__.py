"""The show: graphs and stages as pictures, films, tables and formulas that need no kernel.

Below, a `Diagram` lists nodes and edges; a `Picture` is one diagram drawn, with its alternative
text; a `Film` steps through pictures and a `SideBySide` compares two: none of these knows what an
expression is. Above, `draw`, `compare`, `film`, `why`, `latex` and `table` tell of graphs and
stages in those forms. The same graph gives the same bytes on every machine.
"""

from .diagram.diagram import Diagram, Edge, Node
from .diagram.graphviz import GraphvizMissing
from .html.film_strip import Film
from .html.listing import Listing
from .html.picture import Picture
from .html.showable import Showable
from .html.side_by_side import Count, SideBySide
from .html.stepper import Frame
from .html.table import Table
from .tex.formula import Formula, latex
from .views.compare import compare
from .views.draw import draw
from .views.film import film
from .views.provenance import Why, why
from .views.rule import RulePicture
from .views.steps import table
from .views.trace import trace

__all__ = [
    "Count", "Diagram", "Edge", "Film", "Formula", "Frame", "GraphvizMissing", "Listing", "Node",
    "Picture", "RulePicture", "Showable", "SideBySide", "Table", "Why", "compare", "draw", "film",
    "latex", "table", "trace", "why",
]  # fmt: skip
