"""The paths of a function: the tree of the conditions, with the graph of each path at its leaf.

A condition stands beside the user's line that asked it. Conditions that all paths answered alike
stand in one node; the edges are the answers.
"""

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, groupby, islice
from typing import Any, Protocol, runtime_checkable

from ...expr import Expr, Graph, text
from ...expr.text import SHORT
from ..build.builder import Drawing
from ..build.expansion import moved
from ..diagram.diagram import Diagram, Edge, Node, Tag
from ..diagram.theme import PAPER
from ..html.picture import Picture
from .draw import drawing
from .legible import LARGEST, size
from .trace import SUBSCRIPT

SMALL, FLAT = 36, 12  # nodes of a graph that is drawn at its leaf, and how many stand in a row
LEAVES = 32  # paths that are drawn
LINES = 4  # of a formula that stands in place of its graph


class Guard(Protocol):
    """A condition that Python asked for, and its answer."""

    condition: Expr
    answer: Any
    place: Any
    met: str


class Path(Protocol):
    """What a function computes where the guards have these answers."""

    guards: Sequence[Guard]
    formula: Graph
    taken: int

    def runs(self) -> Sequence[Sequence[Guard]]: ...


@runtime_checkable
class Branching(Protocol):
    """The paths of a function. `trees` gives the most used, by the types of the arguments: these in
    words, the paths, and the tree, in which a question has `guards` and, by answers, `ways`.
    `advice` is what could be written otherwise."""

    def __iter__(self) -> Iterator[Path]: ...
    def trees(self, most: int | None = ...) -> Sequence[tuple[str, Sequence[Path], Any]]: ...
    def advice(self) -> Sequence[str]: ...


def draw_paths(paths: Branching) -> Picture:
    """The tree of conditions, with the formula of each path as a leaf.

    Parameters
    ----------
    paths : Paths
        Those of a function that was called: `f.paths`.

    Returns
    -------
    Picture
        One tree for each combination of types of arguments.
    """
    return Picture.of(PathTree(paths).diagram())


@drawing.register
def draw_branching(paths: Branching, options: dict[str, Any], highlight: Any = ()) -> Picture:
    return draw_paths(paths)


class PathTree:
    """Nodes and edges of the trees.

    Parameters
    ----------
    paths : Paths
        What is drawn.
    """

    def __init__(self, paths: Branching):
        self.trees = paths.trees(LEAVES)
        self.number = {id(p): k for k, p in enumerate(paths)}
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.asked = count()
        self.drawn = 0  # nodes of graphs at leaves

    def diagram(self) -> Diagram:
        for k, (arguments, _, tree) in enumerate(self.trees):
            self.nodes.append(Node(f"a{k}", arguments or "no arguments", "input"))
            self.grow(f"a{k}", tree)
        rest = len(self.number) - sum(len(some) for _, some, _ in self.trees)
        if rest:
            words = f"… {rest:,} more path{'s' * (rest > 1)} …", "taken less often"
            self.nodes.append(Node("rest", words[0], "summary", note=words[1]))
        return Diagram(tuple(self.nodes), tuple(self.edges))

    def grow(self, root: str, tree: Any) -> None:
        """A tree under its root, those to the left first."""
        waiting: list[tuple[str, str, Any]] = [(root, "", tree)]
        while waiting:
            above, answer, node = waiting.pop()
            if not hasattr(node, "ways"):
                self.edges.append(Edge(above, self.leaf(node), answer))
                continue
            id = f"q{next(self.asked)}"
            self.nodes.append(question(id, node.guards))
            self.edges.append(Edge(above, id, answer))
            ways = [(id, answer_words(a), way) for a, way in node.ways.items()]
            waiting += reversed(ways)

    def leaf(self, path: Path) -> str:
        """A frame with the graph of a path, or its formula where that is too large."""
        k = self.number[id(path)]
        frame = Node(f"p{k}", f"path {k}", "open box", note=f"taken {times(path.taken)}")
        nodes = size(path.formula)
        if not is_small(path.formula) or self.drawn + nodes > LARGEST:
            self.nodes.append(written(frame, path.formula))
            return frame.id
        self.drawn += nodes
        content = Drawing(path.formula).plain()
        self.nodes += [frame, *(moved(frame.id, n) for n in content.nodes)]
        at = f"{frame.id}."
        self.edges += [e._replace(tail=at + e.tail, head=at + e.head) for e in content.edges]
        return frame.id


def is_small(formula: Graph) -> bool:
    """Is the graph legible in a frame among others?"""
    return size(formula) <= SMALL and max(formula.depth().values(), default=0) <= FLAT


# ---- nodes


def question(id: str, guards: Sequence[Guard]) -> Node:
    """The user's line and the condition; several in a row as how many, and their answers."""
    story = "; ".join(map(str, guards))
    lines = Counter(map(line, guards))
    words = next(iter(lines))
    if len(guards) == 1:
        return Node(id, words, "question", note=condition(guards[0]), story=story)
    told = answers(guards)
    if len(lines) == 1:
        note = f"asked {len(guards):,} times: {told}"
        return Node(id, words, "question", note=note, story=story)
    rows = [f"{n} × {words}" for words, n in lines.items()]
    tags = tuple([Tag(row, PAPER) for row in abridged(rows)])
    note = told if len(told) <= SHORT else ""
    return Node(id, f"{len(guards):,} conditions", "summary", note=note, tags=tags, story=story)


def line(guard: Guard) -> str:
    """The user's line."""
    return getattr(guard.place, "text", "") or str(guard.place or guard.condition)


def condition(guard: Guard) -> str:
    """The condition, and the number of the line where it has one."""
    where = getattr(guard.place, "where", "").rpartition(":")[2]
    return f"line {where}: {brief(guard.condition)}" if where else brief(guard.condition)


def with_numbers(guard: Guard) -> str:
    """The condition with the numbers that decided it, or without where there are none."""
    return guard.met or brief(guard.condition)


def brief(condition: Expr) -> str:
    """Its text or, where that is long, only the operations near it: `abs(…) > 1e-09`."""
    whole = text(condition)
    if len(whole) <= SHORT:
        return whole
    below = [i for n in condition.inputs for i in n.inputs if i.op is not None]
    return text(condition, dict.fromkeys(below, "…"))


def answers(guards: Sequence[Guard]) -> str:
    """`all yes`; else `b >= a yes, c >= a no` or, where that is long, `yes 3 times, then no`."""
    runs = [(a, len(list(run))) for a, run in groupby([answer_words(g.answer) for g in guards])]
    if len(runs) == 1:
        return f"{'all ' if len(guards) > 1 else ''}{runs[0][0]}"
    each = ", ".join(f"{brief(g.condition)} {answer_words(g.answer)}" for g in guards)
    if len(each) <= SHORT:
        return each
    return ", then ".join(f"{a} {times(n)}" if n > 1 else a for a, n in runs)


def answer_words(answer: Any) -> str:
    """yes and no, or the number; of several examples, those of each."""
    if isinstance(answer, tuple):
        return ", ".join(map(answer_words, answer))
    return ("no", "yes")[answer] if isinstance(answer, bool) else str(answer)


def times(n: int) -> str:
    return "once" if n == 1 else f"{n:,} times"


def written(frame: Node, formula: Graph) -> Node:
    """The formula in place of its graph."""
    rows = assignments(formula)
    note = f"{frame.note}, {len(formula.operations):,} operations"
    wrapped = [line for row in rows for line in textwrap.wrap(row, SHORT)]
    tags = tuple([Tag(row, PAPER) for row in abridged(wrapped)])
    return frame._replace(kind="summary", note=note, tags=tags, story="; ".join(rows))


def assignments(formula: Graph) -> list[str]:
    """`v₁ = a + 1`, `v₁ * v₁`: what is used several times has a name."""
    uses = Counter(i for n in formula.operations for i in n.inputs)
    several = [n for n in formula.operations if uses[n] > 1]
    called = {n: f"v{k}".translate(SUBSCRIPT) for k, n in enumerate(several, 1)}
    first = islice(called.items(), LINES)  # the others are not seen
    rows = [f"{name} = {outermost(n, called)}" for n, name in first]
    return [*rows, "; ".join(outermost(y, called) for y in formula.outputs)]


def outermost(n: Expr, called: Mapping[Expr, str]) -> str:
    """The formula of a node that may have a name itself."""
    return text(n, {m: name for m, name in called.items() if m is not n})


def abridged(rows: Sequence[str]) -> Sequence[str]:
    return rows if len(rows) <= LINES else [*rows[: LINES - 2], "…", rows[-1]]
