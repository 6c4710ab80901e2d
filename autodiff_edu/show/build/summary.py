"""A graph too large to read, as its first and last few nodes and a count of the rest."""

from collections.abc import Iterable

from ...expr import Expr, Graph
from ..diagram.diagram import Diagram, Direction, Edge, Node
from ..html.picture import Picture
from .labels import kind, label, output_word, part, tooltip, type_words

SHOWN = 6  # nodes at either end

LARGEST = 150  # nodes that a reader can still follow


def summary(graph: Graph, direction: Direction | None = None) -> Picture:
    """The ends of the graph; what lies between is one node, which says what it stands for."""
    first = beginning(graph)
    last = [n for n in ending(graph) if n not in set(first)]
    shown = {n: f"n{k}" for k, n in enumerate([*first, *last])}
    rest = Node(
        "rest", f"… {len(graph) - len(shown):,} more …", "summary", note=f"in all {census(graph)}"
    )
    nodes = [seen(n, id) for n, id in shown.items()]
    nodes[len(first) : len(first)] = [rest]
    outputs = [Node(f"out{k}", output_word(graph, k), "output", part(n))
               for k, n in enumerate(ends(graph))]  # fmt: skip
    diagram = Diagram(tuple(nodes + outputs), tuple(edges(graph, shown)), direction or "LR")
    return Picture.of(diagram, told(graph))


def beginning(graph: Graph) -> list[Expr]:
    """Inputs, and the first operations whose operands are all among what is shown."""
    shown: dict[Expr, None] = dict.fromkeys(graph.inputs[:SHOWN])
    most = len(shown) + SHOWN
    hidden = set(graph.inputs[SHOWN:])
    for n in graph.operations[: 20 * SHOWN]:
        leaves = dict.fromkeys(i for i in n.inputs if i.op is None and i not in hidden)
        known = all(i in shown or i in leaves for i in n.inputs)
        if known and len(shown | leaves) < most:
            shown |= leaves | {n: None}
    return list(shown)


def ends(graph: Graph) -> tuple[Expr, ...]:
    return graph.outputs[:SHOWN]


def ending(graph: Graph) -> list[Expr]:
    """The outputs and what leads to them, inputs first."""
    found = dict.fromkeys(ends(graph))
    for n in list(found):
        for i in n.inputs:
            found.setdefault(i)
    waiting = list(found)
    while waiting and len(found) < SHOWN:
        for i in waiting.pop(0).inputs:
            if len(found) < SHOWN and i not in found:
                found[i] = None
                waiting.append(i)
    return list(found)[::-1]


def seen(n: Expr, id: str) -> Node:
    note = type_words(n.type) if n.op is None else ""
    return Node(id, label(n), kind(n), part(n), note=note, story=tooltip(n))


def edges(graph: Graph, shown: dict[Expr, str]) -> Iterable[Edge]:
    found: dict[Edge, None] = {}
    for n, id in shown.items():
        for i in n.inputs:
            found[Edge(shown.get(i, "rest"), id, part=part(n))] = None
    for n in graph.operations[: 20 * SHOWN]:
        if n not in shown:
            found |= {Edge(shown[i], "rest"): None for i in n.inputs if i in shown}
    yield from found
    for k, n in enumerate(ends(graph)):
        yield Edge(shown[n], f"out{k}", part=part(n))


# ---- in words


def census(graph: Graph, most: int = 3) -> str:
    """How often each operation occurs, the commonest first."""
    counts = sorted(graph.counts.items(), key=lambda row: (-row[1], row[0]))
    words = [f"{count:,} {name}" for name, count in counts[:most]]
    return ", ".join(words) + (" …" if len(counts) > most else "")


def told(graph: Graph) -> str:
    """The alternative text: it is a summary, and of what."""
    names = ", ".join(str(i.name) for i in graph.inputs[:SHOWN])
    operations = f"{len(graph.operations):,} operations ({census(graph, 12)})"
    return (
        f"Summary of a graph of {len(graph):,} nodes, too large to draw: {operations}, "
        f"depth {max(graph.depth().values(), default=0):,}, {len(graph.inputs)} inputs ({names}), "
        f"{len(graph.outputs)} outputs."
    )
