"""Why a rule was not used, as sentences beside pictures: the pattern and the graph, both with the
spot marked. It is loaded when one is first shown.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..expr import Expr, Graph, Input, hook, substitute
from ..rewrite.why_not.answers import Answer, WhyNot
from .build.builder import Drawing
from .build.marks import Marking
from .build.passes import diagram
from .build.wildcard_colours import hues
from .diagram.theme import Mark
from .html import page
from .html.picture import Picture
from .html.showable import Showable
from .views.equation import wildcards
from .views.rule import bare

SMALL = 24  # nodes of a graph that is drawn whole
DEEP = 3  # levels below the node that are drawn of a larger one
ROW = "display:flex;flex-wrap:wrap;align-items:flex-start;gap:14px;margin:0 0 6px"
TEXT = "flex:1 1 320px;max-width:560px"


class Pictured(NamedTuple):
    """An answer, its pattern if the rule has one, and the graph around the node."""

    answer: Answer
    pattern: Picture | None
    graph: Picture


class WhyNotPicture(Showable):
    """The sentences of each answer, beside the pattern and the graph.

    Parameters
    ----------
    why : WhyNot
        What is shown.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.simplify(ad.sin(x) + 1)
    >>> picture = stage.why_not("plus zero", stage.output).draw()
    >>> [pictured.answer.obstacle for pictured in picture.each]
    ['structure']
    """

    kind = "why-not"
    key = (("matched", "the node in question"), ("new", "the spot that matters"))

    def __init__(self, why: WhyNot):
        self.why = why
        self.each = [Pictured(a, pattern(a), around(why.stage.frame(a.frame), a))
                     for a in why.answers]  # fmt: skip

    @property
    def _parts(self) -> Iterable[Showable]:
        return [p for one in self.each for p in (one.pattern, one.graph) if p is not None]

    def __repr__(self) -> str:
        return repr(self.why)

    def image(self, widest: int = 0) -> str:
        return "".join(map(row, self.each)) or page.caption(page.escape(repr(self)))


def row(one: Pictured) -> str:
    """One answer as HTML."""
    head, *rest = repr(one.answer).split("\n")
    words = page.caption(f"<b>{page.escape(head)}</b>")
    words += "".join(page.caption(page.escape(line.strip())) for line in rest)
    pictures = "".join(p.image() for p in (one.pattern, one.graph) if p is not None)
    return f'<div style="{ROW}"><div style="{TEXT}">{words}</div>{pictures}</div>'


def pattern(answer: Answer) -> Picture | None:
    """The left side of the rule, with the part that does not fit."""
    s = answer.spot
    left = getattr(answer.rule, "left", None) if s is None else s.pattern
    if left is None:
        return None
    colours = hues([w.name or "" for w in wildcards(left)])
    fills: dict[Expr, str] = {w: colours[w.name or ""] for w in wildcards(left)}
    marks: dict[Expr, Mark] = {} if s is None else {s.part: "new"}
    return bare(Drawing(Graph([left]), types=False, marking=Marking(marks, fills=fills)))


def around(graph: Graph, answer: Answer) -> Picture:
    """The graph with its marks; of a large one the node, what is near below it, and what else uses
    the parts that matter."""
    if len(graph.order) <= SMALL:
        marks = marks_of(answer.node, answer.nodes)
        return Picture.of(diagram(Drawing(graph, types=False, marking=Marking(marks))))
    parts = {*answer.nodes} - {answer.node}
    users = [m for m in graph.order if not parts.isdisjoint(m.inputs)]
    roots = dict.fromkeys([answer.node, *(users if "user" in answer.obstacles else ())])
    return cut([*roots], answer)


def marks_of(node: Expr, spots: Iterable[Expr]) -> dict[Expr, Mark]:
    matched: dict[Expr, Mark] = {node: "matched"}
    return matched | dict.fromkeys(spots, "new")


def cut(roots: Sequence[Expr], answer: Answer) -> Picture:
    """A few levels below the roots, with dots for what is deeper."""
    level, near = set(roots), set(roots)
    for _ in range(DEEP):
        level = {i for n in level for i in n.inputs} - near
        near |= level
    deeper = [i for n in level for i in n.inputs if i not in near]
    place: dict[Expr, Expr] = {n: Input("…", n.type) for n in deeper if n.op is not None}
    new: Any = substitute([*roots, answer.node, *[n for n in answer.nodes if n in near]], place)
    node, *spots = new[len(roots) :]
    marks = marks_of(node, spots)
    return bare(Drawing(Graph(new[: len(roots)]), types=False, marking=Marking(marks)))


@hook("draw_why_not")
def draw_why_not(why: WhyNot) -> WhyNotPicture:
    """Each answer as sentences, beside pictures of the pattern and of the graph.

    Parameters
    ----------
    why : WhyNot
        The answers.

    Returns
    -------
    WhyNotPicture
        What a notebook shows.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.simplify(x / x).why_not("over itself").draw().image()[:4]
    '<div'
    """
    return WhyNotPicture(why)
