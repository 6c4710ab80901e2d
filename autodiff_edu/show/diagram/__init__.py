"""Diagrams: nodes and edges with words on them, before and after Graphviz has laid them out.

Takes: a `Diagram`, which knows nothing of expressions. Gives: its text in Graphviz's language, and
SVG in one theme with the fonts and letters that it needs, the same bytes on every machine.
"""

from ...expr.former import hand_on

hand_on({"show.diagram.dot": "show.diagram.diagram"})  # as old imports name it
