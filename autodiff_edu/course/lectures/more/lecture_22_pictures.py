"""Pictures of lecture 22: the paths of a program as a tree, and the formula of one path."""

from typing import Any

import numpy as np

from ....functions.decision_tree import Question, Tree
from ...harness.chart import chart, chart_values

LONGEST = 44  # letters of a condition or a formula


def draw_paths(title: str, run: Any, own: Any) -> None:
    """Chart the paths of a program: below each condition the answers to it, at the ends the paths.

    Parameters
    ----------
    title : str
        What stands above the picture.
    run : callable
        The traced program, which has `paths`.
    own : object
        The student's number of paths.
    """
    links: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    notes: dict[str, str] = {}
    waiting: list[tuple[Tree, str, str]] = [(run.paths.trees()[-1].tree, "", "")]
    while waiting:
        node, parent, answer = waiting.pop(0)
        name = f"n{len(links)}"
        links[name] = [parent] if parent else []
        notes[name] = answer
        if isinstance(node, Question):
            texts[name] = short(f"{node.guards[-1].condition}?")
            waiting += [(way, name, say(key)) for key, way in node.ways.items()]
        else:
            texts[name] = short(f"path: {node.formula.output}")
    count = len(run.paths)
    wrong = own != count
    notes["n0"] = f"yours {own}, right {count}" if wrong else f"paths: {count}"
    chart(title, links, texts, notes, {"n0"} if wrong else ())


def short(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST]} …"


def say(answer: Any) -> str:
    return {True: "yes", False: "no"}.get(answer, str(answer))


def draw_formula(title: str, run: Any, x: float, right: Any = None) -> None:
    """Chart the formula of the path that a call takes, with its values.

    Parameters
    ----------
    title : str
        What stands above the picture.
    run : callable
        The traced program of one number.
    x : float
        The number.
    right : float, optional
        The right value, or None where nothing is wrong.
    """
    before = {path: path.taken for path in run.paths}
    run(x)
    graph = next(path.formula for path in run.paths if path.taken != before.get(path))
    at = dict.fromkeys(graph.inputs, np.float64(x))
    chart_values(title, graph.outputs, at, [] if right is None else [right])
