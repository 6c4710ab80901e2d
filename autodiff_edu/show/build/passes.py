"""The passes of a picture in a line: nodes and edges, marks, what is in open boxes, a direction.

Each takes a diagram and gives another one. Groups and frames of films follow where a view has some.
"""

from dataclasses import replace

from ...expr import Expr, Graph
from ..diagram.diagram import Diagram, Node
from .builder import Drawing
from .expansion import expanded
from .subgraphs import output_names, values_inside


def diagram(drawing: Drawing) -> Diagram:
    """All passes, one after another."""
    return drawing.directed(content(drawing))


def content(drawing: Drawing) -> Diagram:
    """Nodes and edges, with their marks, and with those that are in open boxes."""
    diagram, rows = drawing.plain(), drawing.uses[0]
    drawn = {use.id: use.node for use in rows}
    drawn |= {f"out{k}": n for k, n in enumerate(drawing.graph.outputs)}
    if drawing.marking:
        users = {use.id: use.user for use in rows if use.user is not None}
        diagram = drawing.marking.on(diagram, drawn, users)
    if drawing.opening.levels:
        diagram = expanded(diagram, drawn, drawing.opening, lambda *box: inside(drawing, *box))
    return diagram


def inside(drawing: Drawing, n: Expr, inner: Graph, frame: Node) -> Diagram:
    """The content of an open box."""
    every = {*inner.nodes, *inner.inputs}  # some may be unused
    marking = drawing.marking and drawing.marking.inside(frame, every, len(inner.outputs))
    own = replace(
        drawing,
        graph=Graph(inner.outputs, inner.inputs, output_names(n, inner)),
        layout="graph",
        ends=True,
        opening=drawing.opening.below(),
        values=values_inside(n, inner, drawing.values),
        marking=marking,
        derived=every if frame.part == "derivative" else (),
    )
    return content(own)
