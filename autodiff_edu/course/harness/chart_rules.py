"""Pictures of rules: both sides in one graph with their values, and a formula with its result."""

from collections.abc import Sequence
from typing import Any

from ...core.pattern import instantiate
from ...expr import Expr, Graph, Input, TensorType, constant
from ...rewrite import Rule, Simplification
from .chart import chart, chart_graph, chart_values, linked

SIMPLE = (1.0, 2.0, 3.0, -1.0, 0.0, 0.5)  # numbers that are tried first, in place of random ones


def chart_rule(title: str, rule: Any) -> None:
    """Draw both sides of a rule; nothing is drawn of what is no equation.

    Parameters
    ----------
    title : str
        What stands above the picture.
    rule : Rewrite
        The rule.
    """
    if isinstance(rule, Rule):
        chart_graph(title, [side for side in (rule.left, rule.right) if isinstance(side, Expr)])


def chart_step(title: str, stage: Simplification) -> None:
    """Draw a formula and what was made of it, as one graph.

    Parameters
    ----------
    title : str
        What stands above the picture.
    stage : Simplification
        The stage, which has both.
    """
    chart_graph(title, [*stage.before.outputs, *stage.graph.outputs])


def chart_ends(title: str, ends: Sequence[tuple[Expr, str]]) -> None:
    """Draw results that should be one, each with a note about where it comes from.

    Parameters
    ----------
    title : str
        What stands above the picture.
    ends : sequence of tuple
        Each result with its note.
    """
    nodes = Graph([e for e, _ in ends]).nodes
    links, texts = linked(nodes)
    ids = dict(zip(nodes, links, strict=True))
    notes = {ids[e]: note for e, note in ends}
    chart(title, links, texts, notes, set(notes))


def chart_sides(title: str, sides: Sequence[Any], w: Expr, point: float, *right: Any) -> None:
    """Draw patterns in one wildcard, with the value of each node.

    Parameters
    ----------
    title : str
        What stands above the picture.
    sides : sequence of Expr or float
        The patterns.
    w : Expr
        The wildcard.
    point : float
        The number in its place.
    *right : object
        The right value of each pattern; without them, nothing is wrong.
    """
    x = Input(str(w.name), TensorType("float64", ()))
    bound = {str(w.name): x}
    roots = [instantiate(s, bound) if isinstance(s, Expr) else constant(float(s)) for s in sides]
    chart_values(title, roots, {x: float(point)}, right)
