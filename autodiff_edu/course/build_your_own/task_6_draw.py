"""Task 6: the DOT text of a graph, read back by Graphviz."""

import re
from collections import Counter
from typing import Any

import numpy as np

from ..harness.feedback import Wrong, complain
from .doing import doing
from .formulas import Formula, build, nodes_of, random_formula
from .task_2_graph import judge_order, small

NAMES = (
    'say "x"',
    "back\\slash",
    "a\\nb",
    'both \\" of them',
    "x -> y; z",
    "<b>x</b>",
    "größe",
    "x",
)


def check(engine: Any, rng: np.random.Generator) -> None:
    """Small graphs, random ones, names that DOT could misread, and the same text again."""
    for f in small(engine):
        check_picture(engine, f)
    for steps in range(1, 12, 2):
        check_picture(engine, random_formula(engine, rng, steps)[0])
    for name in NAMES:
        check_picture(engine, build(engine, f"2 - variable({name!r})", lambda x: 2 - x, name))
    same = build(engine, "variable('x') + variable('x')", lambda a, b: a + b, "x", "x")
    check_picture(engine, same)
    check_deterministic(engine)


def text_of(engine: Any, f: Formula, what: str) -> str:
    with doing(what):
        text = engine.draw.dot(f.y)
    if not isinstance(text, str):
        complain("the result must be a text", "a text", type(text).__name__, what)
    return text


def check_picture(engine: Any, f: Formula) -> None:
    """Boxes, labels and edges are those of the graph."""
    what = f"dot({f.text})"
    graph = parsed(text_of(engine, f, what), what)
    with doing(what):
        placed = engine.graph.order(f.y)
        labels = {f"n{k}": str(engine.draw.label(node)) for k, node in enumerate(placed)}
    judge_order(placed, f.y, what)
    names = {id(node): f"n{k}" for k, node in enumerate(placed)}
    compare_nodes(graph, labels, what)
    wanted = Counter(
        (names[id(x)], names[id(node)]) for node in nodes_of(f.y, what) for x in node.operands
    )
    compare_edges(Counter((str(a), str(b)) for a, b in graph.edges()), wanted, what)


def parsed(text: str, what: str) -> Any:
    """The graph that Graphviz reads. Raises Wrong if there is none, or an undirected one."""
    from pygraphviz import AGraph

    try:
        graph = AGraph(string=text)
    except Exception:  # pygraphviz has several
        shown = text[:200]
        raise Wrong(
            f"Graphviz cannot read this text\n  got       {shown}\n  at        {what}"
        ) from None
    if not graph.directed or graph.strict:
        complain("edges need a direction, and may be double", "digraph {...}", text[:30], what)
    return graph


def compare_nodes(graph: Any, labels: dict[str, str], what: str) -> None:
    found = {str(name): shown(graph.get_node(name).attr["label"] or "") for name in graph.nodes()}
    if found.keys() != labels.keys():
        needed, got = (", ".join(sorted(names, key=place)) for names in (labels, found))
        complain("the picture has other nodes than the graph", needed, got[:200], what)
    for name, label in labels.items():
        if found[name] != label:
            words = f"the label of {name} is not what label(node) says"
            complain(words, label, f"{found[name]}, as Graphviz shows it", what)


def place(name: str) -> tuple[int, str]:
    """n10 comes after n9."""
    return len(name), name


def shown(label: str) -> str:
    """What Graphviz writes into the box: a backslash stands before what is meant as it is."""
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "l": "\n", "r": "\n"}.get(m[1], m[1]), label)


def compare_edges(found: Counter, wanted: Counter, what: str) -> None:
    if found == wanted:
        return
    if found == Counter((b, a) for a, b in wanted.elements()):
        raise Wrong(f"the edges lead backwards: operand -> node\n  at        {what}")
    a, b = min(edge for edge in found | wanted if found[edge] != wanted[edge])
    needed, got = (
        f"{edges[a, b]} in the {of}" for edges, of in ((wanted, "graph"), (found, "text"))
    )
    complain(f"the number of edges {a} -> {b} is wrong", needed, got, what)


def check_deterministic(engine: Any) -> None:
    """The same formula, written anew at another place in memory, gives the same text."""
    what = "dot((x + y) * (y + z) - x), twice"
    kept: list[Any] = []
    texts: set[str] = set()
    for _ in range(5):
        f = build(engine, what, lambda x, y, z: (x + y) * (y + z) - x, "x", "y", "z")
        kept.append((f, [object() for _ in range(len(kept) * 7)]))
        texts.add(text_of(engine, f, what))
    if len(texts) > 1:
        raise Wrong(f"the same formula has two texts: is there an id() in it?\n  at        {what}")
