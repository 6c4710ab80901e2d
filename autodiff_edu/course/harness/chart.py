"""The picture of a check: the graph on which an answer fails, or the student's own graph.

A checker calls `chart`. The chart travels with the verdict as words, from the worker to the
notebook, and is drawn there. A terminal has the words of the message alone.

    ×  yours 1, right 1
    x  yours 3, right 6  ✗
"""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from operator import ne
from typing import Any, NamedTuple

import numpy as np

from ...expr import Expr, Graph, Input, evaluate_all
from ...show.build.labels import label
from ...show.diagram.diagram import Diagram, Edge, Node
from ...show.diagram.theme import Kind
from ...show.html.picture import Picture
from ...show.html.side_by_side import SideBySide
from .feedback import differences, numbers

MOST = 40  # nodes of a chart: nobody reads a larger one
FEW = 4  # numbers of an array that are written below a node
NEAR = 1e-9, 1e-12  # rtol and atol of numbers that count as equal
IN_ORDER = ("−", "÷")  # whose operands have numbers: 2 − x is not x − 2
OPERATORS = {"add": "+", "subtract": "−", "multiply": "×", "divide": "÷"}


class Chart(NamedTuple):
    """A graph in words: (id, text, kind, note, is wrong) a node, (tail, head, text) an edge."""

    title: str
    nodes: Sequence[tuple[str, str, Kind, str, bool]]
    edges: Sequence[tuple[str, str, str]]

    def picture(self) -> SideBySide:
        """The chart drawn; a wrong node has a cross, and stands out."""
        nodes = [
            Node(id, text, kind, mark="matched" if wrong else "plain",
                 note=f"✗ {note}" if wrong else note)
            for id, text, kind, note, wrong in self.nodes
        ]  # fmt: skip
        picture = Picture.of(Diagram(tuple(nodes), tuple(Edge(*edge) for edge in self.edges)))
        return SideBySide((self.title, Picture(picture.dot, picture.alt, picture.listing, ())))


PAGE: ContextVar[list[Chart] | None] = ContextVar("PAGE", default=None)


@contextmanager
def charts() -> Iterator[list[Chart]]:
    """The charts of the check that is under way: the last one counts."""
    page: list[Chart] = []
    before = PAGE.set(page)
    try:
        yield page
    finally:
        PAGE.reset(before)


def chart(
    title: str,
    links: Mapping[str, Sequence[str]],
    texts: Mapping[str, str] | None = None,
    notes: Mapping[str, str] | None = None,
    wrong: Collection[str] = (),
) -> None:
    """Draw the graph `links` beside the verdict: each name, and the names that it uses.

    Parameters
    ----------
    title : str
        What stands above the picture.
    links : dict
        The names that each node uses; a name that is no key is an input.
    texts : dict, optional
        What stands in a node; by default its name.
    notes : dict, optional
        What stands below it.
    wrong : collection of str, default: ()
        Nodes at which the answer is wrong.
    """
    page, texts, notes = PAGE.get(), texts or {}, notes or {}
    names = list(dict.fromkeys([*(o for row in links.values() for o in row), *links]))
    if page is None or len(names) > MOST:
        return
    nodes = [
        (n, texts.get(n, n), kind_of(links, texts, n), notes.get(n, ""), n in wrong) for n in names
    ]
    edges = [
        (o, n, str(k) if texts.get(n) in IN_ORDER else "")
        for n, operands in links.items()
        for k, o in enumerate(operands, 1)
    ]
    page[:] = [Chart(title, nodes, edges)]


def kind_of(links: Mapping[str, Sequence[str]], texts: Mapping[str, str], name: str) -> Kind:
    if links.get(name):
        return "operation"
    return "constant" if texts.get(name, name).lstrip("-−")[:1].isdigit() else "input"


def chart_answers(
    title: str,
    links: Mapping[str, Sequence[str]],
    texts: Mapping[str, str],
    own: Mapping[str, Any],
    right: Mapping[str, Any],
    spelled: Callable[[Any], str] = str,
    differ: Callable[[Any, Any], bool] = ne,
    versus: Callable[[Any, Any], str] | None = None,
) -> None:
    """Draw a graph with the student's answer at each node, and the right one where it differs.

    Parameters
    ----------
    title : str
        What stands above the picture.
    links : dict
        The names that each node uses.
    texts : dict
        What stands in a node; by default its name.
    own : dict
        The student's answer at each node.
    right : dict
        The right answer.
    spelled : callable, default: str
        An answer in words.
    differ : callable, optional
        Whether two answers are not the same.
    versus : callable, optional
        Two answers in words: the student's and the right one.
    """
    versus = versus or (lambda own, right: f"yours {spelled(own)}, right {spelled(right)}")
    wrong = [name for name in own if differ(right[name], own[name])]
    notes = {
        name: versus(answer, right[name]) if name in wrong else spelled(answer)
        for name, answer in own.items()
    }
    chart(title, links, texts, notes, wrong)


def chart_graph(title: str, outputs: Sequence[Expr]) -> None:
    """Draw the student's own graph beside the verdict.

    Parameters
    ----------
    title : str
        What stands above the picture.
    outputs : sequence of Expr
        The results of the graph.
    """
    chart(title, *linked(Graph(list(outputs)).nodes))


def chart_end(title: str, y: Expr, note: str, wrong: bool, most: int = 8) -> None:
    """Draw the last operations of a graph; three dots stand for what comes before them.

    Parameters
    ----------
    title : str
        What stands above the picture.
    y : Expr
        The result of the graph.
    note : str
        What stands below the result.
    wrong : bool
        Whether the result is wrong.
    most : int, default: 8
        How many nodes.
    """
    links, texts = linked(Graph(y).nodes)
    last = dict(list(links.items())[-most:])
    cut = {o for row in last.values() for o in row if o not in last and links[o]}
    result = [*last][-1]
    chart(title, last, texts | dict.fromkeys(cut, "…"), {result: note}, {result} if wrong else ())


def linked(nodes: Sequence[Expr]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The links of these nodes, and the text of each: n0 is the first."""
    ids = {n: f"n{k}" for k, n in enumerate(nodes)}
    return {ids[n]: [ids[i] for i in n.inputs] for n in nodes}, {ids[n]: label(n) for n in nodes}


def chart_numbers(title: str, y: Expr, own: Any, right: Any) -> None:
    """Draw a graph with the student's number at each node, and the right one where it differs.

    The first numbers are those of the inputs, then come those of the operations.

    Parameters
    ----------
    title : str
        What stands above the picture.
    y : Expr
        The result of the graph.
    own : sequence of float
        The student's numbers; nothing is drawn where they are no such list.
    right : sequence of float
        The right numbers.
    """
    graph, answers = Graph(y), numbers(own)
    nodes = [*graph.inputs, *graph.operations]
    if answers is None or answers.shape != (len(nodes),):
        return
    links, texts = linked(nodes)
    yours, theirs = (dict(zip(links, map(float, row))) for row in (answers, right))
    differ = lambda a, b: not bool(np.isclose(a, b, *NEAR, equal_nan=True))
    chart_answers(title, links, texts, yours, theirs, "{:.4g}".format, differ)


def chart_values(
    title: str, outputs: Sequence[Expr], at: Mapping[Input, Any], right: Sequence[Any] = ()
) -> None:
    """Draw graphs with the value of each node, and the right one at a result that differs.

    Parameters
    ----------
    title : str
        What stands above the picture.
    outputs : sequence of Expr
        The results of the graphs.
    at : dict
        The value of each input.
    right : sequence, default: ()
        The right value of each result; without them, nothing is wrong.
    """
    nodes = Graph(list(outputs)).nodes
    links, texts = linked(nodes)
    ids = dict(zip(nodes, links, strict=True))
    with np.errstate(all="ignore"):
        values = evaluate_all(outputs, at)
    own = {ids[n]: values[n] for n in nodes}
    theirs = own | {ids[e]: value for e, value in zip(outputs, right)}
    differ = lambda a, b: any(differences(a, b, *NEAR))
    chart_answers(title, links, texts, own, theirs, brief, differ, contrast)


def contrast(own: Any, right: Any) -> str:
    """Two values that differ, with as many digits as show it; of arrays, the first such entry."""
    one, other = numbers(own), numbers(right)
    if one is not None and other is not None and one.shape == other.shape and one.size > 1:
        wrong = np.argwhere(~np.isclose(one, other, *NEAR, equal_nan=True))
        for place in wrong[:1]:
            at = tuple(place.tolist())
            return f"at {list(at)}: {contrast(one[at], other[at])}"
    pairs = [(brief(own, digits), brief(right, digits)) for digits in (4, 8, 12, 17)]
    return next((f"yours {a}, right {b}" for a, b in pairs if a != b), f"yours {pairs[0][0]}")


def brief(value: Any, digits: int = 4) -> str:
    """A value in a few letters: some numbers, or the shape of many."""
    array = numbers(value)
    if value is None or array is None:  # of a tuple, such as the results of a loop, nothing
        kind = type(value).__name__
        return {"NoneType": "nothing", "tuple": ""}.get(kind, kind)
    if array.size > FEW:
        return f"shape {array.shape}"
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    letters = np.vectorize(f"{{:.{digits}g}}".format, otypes=[object])(array + 0.0)
    return str(letters.tolist()).replace("'", "")


def display(page: Sequence[Chart]) -> None:
    """Show what was drawn, in a notebook with a kernel."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if page and getattr(shell, "kernel", None) is not None:
        from IPython.display import display as show

        show(Chart(*page[-1]).picture())
