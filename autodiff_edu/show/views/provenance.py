"""`why`: where a node came from, rule by rule, back to the user's line."""

from collections.abc import Iterable
from typing import NamedTuple

from ...expr import Expr, first_place, origins, shorten, shown, text, visible
from ..build.labels import part
from ..diagram.diagram import Diagram, Edge, Node
from ..html import page
from ..html.picture import Picture
from ..html.showable import Showable


def named(rule: str) -> str:
    return shorten(visible(rule), 80)


class Event(NamedTuple):
    """`rule`, of a derivative or a rewrite, was applied at `node`."""

    kind: str
    rule: str
    node: Expr


ACTS = {"rewrite": "rewriting", "derivative": "differentiating", "argument": "the argument"}


class Why(Showable):
    """The story of a node: `events`, the youngest rule first, and the user's `place`.

    Parameters
    ----------
    node : Expr
        Whose story it is.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> story = ad.why(ad.grad(x * x, x))
    >>> [event.kind for event in story.events]
    ['derivative']
    """

    kind = "why"
    key = (("matched", "the node that was asked for"),)

    def __init__(self, node: Expr):
        self.node = node
        self.events = [Event(*origin) for origin in origins(node)]
        self.place = str(first_place(node) or "")

    @property
    def lines(self) -> list[str]:
        """The story in words, youngest first."""
        words = [f"{text(self.node)}"]
        for kind, rule, node in self.events:
            words.append(f"came from {ACTS[kind]} {text(node)}  (rule: {named(rule)})")
        eldest = self.events[-1].node if self.events else self.node
        return [*words, *([f"{text(eldest)} was written in {self.place}"] if self.place else [])]

    @property
    def _parts(self) -> Iterable[Showable]:
        return (self.picture,)

    @property
    def picture(self) -> Picture:
        """The same story from the user's line down to the node."""
        chain = [*reversed([e.node for e in self.events]), self.node]
        nodes = [Node(f"n{k}", text(n), "operation", part(n)) for k, n in enumerate(chain)]
        nodes[-1] = nodes[-1]._replace(mark="matched")
        rules = [e.rule for e in reversed(self.events)]
        edges = [Edge(f"n{k}", f"n{k + 1}", rule) for k, rule in enumerate(rules)]
        if self.place:
            nodes.insert(0, Node("place", self.place, "input"))
            edges.insert(0, Edge("place", "n0", "was written"))
        return Picture.of(Diagram(tuple(nodes), tuple(edges)), ". ".join(self.lines))

    def __repr__(self) -> str:
        return "\n".join(self.lines)

    def image(self, widest: int = 0) -> str:
        words = "".join(page.caption(page.escape(line)) for line in self.lines)
        return words + self.picture.image()


def why(node: Expr) -> Why:
    """Where a node came from: the rules that made it, and the user's line.

    Parameters
    ----------
    node : Expr
        A node of a derivative or of a simplified graph.

    Returns
    -------
    Why
        The rewrites and derivative rules, from the last to the first.

    Raises
    ------
    TypeError
        If node is not an expression.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> repr(ad.why(ad.grad(x * x, x))).splitlines()[1]
    'came from differentiating x * x  (rule: pullback of multiply)'
    """
    if not isinstance(node, Expr):
        raise TypeError(f"why asks about an expression, such as stage.output, not {shown(node)}")
    return Why(node)
