"""The show: graphs and stages as pictures that need neither kernel nor JavaScript.

Below, a `Sketch` lists nodes and edges; a `Picture` is one sketch drawn, with its alternative
text; a `Film` steps through pictures and a `SideBySide` compares two: none of these knows what an
expression is. Above, `draw`, `compare`, `film`, `why`, `latex` and `table` tell of graphs and
stages in those forms. The same graph gives the same bytes on every machine.
"""

from . import mimebundle
from .compare import compare
from .cost import Cost, cost
from .draw import draw
from .film import Film
from .filming import film
from .latex import Formula, latex
from .layout import GraphvizMissing
from .listing import Listing
from .picture import Picture
from .rules import RulePicture
from .sidebyside import Count, SideBySide
from .sketch import Edge, Node, Sketch
from .stepper import Frame
from .steps import table
from .table import Table
from .trace import trace
from .why import Why, why

__all__ = [
    "Cost", "Count", "Edge", "Film", "Formula", "Frame", "GraphvizMissing", "Listing", "Node",
    "Picture", "RulePicture", "SideBySide", "Sketch", "Table", "Why", "compare", "cost", "draw",
    "film", "latex", "mimebundle", "table", "trace", "why",
]  # fmt: skip
