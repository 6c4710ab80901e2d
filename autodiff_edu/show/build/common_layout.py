"""Two graphs in one layout: what both have stands in the same place in both pictures.

Both are laid out with all nodes of the two; those of the other graph take their room, unseen.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import count

from ...expr import Expr
from ..diagram.diagram import Diagram, Edge, Node
from ..diagram.theme import Part
from .builder import Drawing
from .labels import per_use
from .passes import diagram

SHARED = 0.5  # of the smaller picture's nodes: with less in common, each has a layout of its own


def together(left: Drawing, right: Drawing, number: Mapping[Expr, int]) -> tuple[Diagram, Diagram]:
    """Both diagrams; nodes of one `number` are the same. What has little in common stays apart."""
    mine, other = diagram(left), diagram(right)
    own, others = keys(left, mine, number), keys(right, other, number)
    same, fresh = matched(own, others), (f"n{k}" for k in count(len(own)))
    other = renamed(other, {id: same.get(id) or next(fresh) for id in others})
    nodes = list(dict.fromkeys(n.id for n in (*mine.nodes, *other.nodes)))
    sizes = len(mine.nodes), len(other.nodes)
    if sum(sizes) - len(nodes) < SHARED * min(sizes):
        return mine, diagram(right)
    lines = dict.fromkeys(line for d in (mine, other) for line, _ in lined(d.edges))
    return placed(mine, other, nodes, lines), placed(other, mine, nodes, lines)


Key = tuple[Hashable, Part]


def keys(drawing: Drawing, diagram: Diagram, number: Mapping[Expr, int]) -> dict[str, Key]:
    """For the id of each node outside all frames what it shares with the same node elsewhere."""
    looks = {n.id: n for n in diagram.nodes}
    rows, _ = drawing.uses
    found: dict[str, Key] = {}
    for use in rows:
        user = number[use.user] if use.user is not None and per_use(use.node) else None
        n = looks.get(use.id)  # results of an open box may have no node
        told = n and (n.kind, n.text, n.note)
        found[use.id] = (number[use.node], user, told), n.part if n else "forward"
    outputs = [n for n in diagram.nodes if n.id.startswith("out")]
    return found | {n.id: ((n.id, n.text, n.note), n.part) for n in outputs}


def matched(own: Mapping[str, Key], others: Mapping[str, Key]) -> dict[str, str]:
    """For the other's ids those that have the same key, in order, first within the same part."""
    found: dict[str, str] = {}
    for read in (lambda key: key, lambda key: key[0]):
        taken, waiting = set(found.values()), defaultdict[Hashable, deque[str]](deque)
        for id, key in own.items():
            if id not in taken:
                waiting[read(key)].append(id)
        for id, key in others.items():
            if id not in found and waiting[read(key)]:
                found[id] = waiting[read(key)].popleft()
    return found


def renamed(diagram: Diagram, called: Mapping[str, str]) -> Diagram:
    """With other ids for the nodes, and for all that is inside them."""

    def new(id: str) -> str:
        top, dot, rest = id.partition(".")
        return called.get(top, top) + dot + rest

    nodes = [n._replace(id=new(n.id), inside=new(n.inside)) for n in diagram.nodes]
    edges = [e._replace(tail=new(e.tail), head=new(e.head)) for e in diagram.edges]
    return diagram._replace(nodes=tuple(nodes), edges=tuple(edges))


Line = tuple[str, str, str, bool, int]


def lined(edges: Iterable[Edge]) -> Iterable[tuple[Line, Edge]]:
    """Each edge by its ends, its words, and its number among those that agree in these."""
    times: Counter[tuple[str, str, str, bool]] = Counter()
    for e in edges:
        line = e.tail, e.head, e.text, e.back
        yield (*line, times[line]), e
        times[line] += 1


def placed(mine: Diagram, other: Diagram, nodes: Sequence[str], lines: Iterable[Line]) -> Diagram:
    """One diagram, with what only the other has as unseen room, in the common order."""
    seen: dict[str, Node] = {n.id: n._replace(hidden=True) for n in other.nodes}
    drawn: dict[Line, Edge] = {line: e._replace(hidden=True) for line, e in lined(other.edges)}
    seen |= {n.id: n for n in mine.nodes}
    drawn |= dict(lined(mine.edges))
    return mine._replace(
        nodes=tuple(seen[id] for id in nodes), edges=tuple(drawn[line] for line in lines)
    )
