"""Floor 6, the show: graphs and stages as pictures that need neither kernel nor JavaScript.

A `Sketch` lists nodes and edges; a `Picture` is one sketch drawn, with its alternative text; a
`Film` steps through pictures and a `SideBySide` compares two. None of these knows what an
expression is. The same sketch gives the same bytes on every machine.
"""

from .film import Film
from .layout import GraphvizMissing
from .picture import Picture
from .sidebyside import Count, SideBySide
from .sketch import Edge, Node, Sketch
from .stepper import Frame

__all__ = [
    "Count",
    "Edge",
    "Film",
    "Frame",
    "GraphvizMissing",
    "Node",
    "Picture",
    "SideBySide",
    "Sketch",
]
