"""The show: graphs and stages as pictures, films, tables and formulas that need no kernel.

Takes: expressions, graphs, stages and rules. Gives: objects that show themselves in a notebook, a
book, a file and a terminal; the same graph gives the same bytes on every machine. Below, `diagram`
and `html` draw diagrams and know nothing of expressions; above, `build` and `views` make diagrams
of graphs, and `tex` their formulas. Each is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from ..expr import later

if TYPE_CHECKING:
    from .diagram.diagram import Diagram, Edge, Node
    from .diagram.layout import GraphvizMissing
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
    from .views.explanation import Explanation, explain
    from .views.film import film
    from .views.overview import overview
    from .views.provenance import Why, why
    from .views.rule import RulePicture
    from .views.tables import table
    from .views.trace import trace
else:
    __getattr__, __dir__ = later(
        __name__,
        {
            "diagram.diagram": "Diagram Edge Node",
            "diagram.layout": "GraphvizMissing",
            "html.film_strip": "Film",
            "html.listing": "Listing",
            "html.picture": "Picture",
            "html.showable": "Showable",
            "html.side_by_side": "Count SideBySide",
            "html.stepper": "Frame",
            "html.table": "Table",
            "tex.formula": "Formula latex",
            "views.compare": "compare",
            "views.draw": "draw",
            "views.explanation": "Explanation explain",
            "views.film": "film",
            "views.overview": "overview",
            "views.provenance": "Why why",
            "views.rule": "RulePicture",
            "views.tables": "table",
            "views.trace": "trace",
        },
    )

__all__ = [
    "Count", "Diagram", "Edge", "Explanation", "Film", "Formula", "Frame", "GraphvizMissing",
    "Listing", "Node", "Picture", "RulePicture", "Showable", "SideBySide", "Table", "Why",
    "compare", "draw", "explain", "film", "latex", "overview", "table", "trace", "why",
]  # fmt: skip
