"""The picture of the house in the book is drawn from the imports of the code.

Protects the page of the architecture: a room that is added, or looks into another, is in it.
"""

from graphlib import TopologicalSorter
from itertools import pairwise

import graphviz
import pytest

import dev
from autodiff_edu.show.diagram.diagram import edge_look, node_look, sheet
from autodiff_edu.show.diagram.svg import svg
from autodiff_edu.show.diagram.theme import FAINT, SMALL
from tests.house.test_house import FLOORS, HOUSE, MODULES, imports, room_of

FILE = dev.ROOT / "book" / "static" / "house.svg"
TITLE = "The rooms of the house, floor by floor, and what each imports from the floors below"


def rooms():
    """The rooms on which each room rests, by their imports; the doors of the house are no rooms."""
    found = {}
    for path in MODULES:
        room = path.relative_to(HOUSE).parts[0].removesuffix(".py")
        found.setdefault(room, set()).update(room_of(name) for name in imports(path))
    doors = {"__init__", "__main__"}
    return {room: below - {room} - doors for room, below in found.items() if room not in doors}


def reduced(graph):
    """Without the arrows that a longer way replaces."""
    reached = {}
    for room in TopologicalSorter(graph).static_order():
        reached[room] = graph[room].union(*(reached[below] for below in graph[room]))
    return {
        room: {b for b in below if not any(b in reached[other] for other in below)}
        for room, below in graph.items()
    }


def inner(room):
    """The rooms inside a room."""
    return sorted(path.parent.name for path in (HOUSE / room).glob("*/__init__.py"))


def label(room):
    """The name of a room and below it, smaller, those of the rooms inside."""
    words = f"<b>{room}</b>"
    if inside := inner(room):
        words += f'<br/><font point-size="{SMALL}">{" · ".join(inside)}</font>'
    return f"<{words}>"


def drawn(graph):
    """The house in Graphviz's language: a row for each floor, with its number at the left."""
    house = graphviz.Digraph(**sheet())
    house.attr(ranksep="0.34")
    floors = sorted({FLOORS[room] for room in graph}, reverse=True)
    for floor in floors:
        with house.subgraph(graph_attr={"rank": "same"}) as row:
            row.node(str(floor), f"floor {floor}", shape="plain", fontcolor=FAINT, tooltip=" ")
            for room in graph:
                if FLOORS[room] == floor:
                    row.node(room, label(room), tooltip=room, **node_look("input"))
    for above, below in pairwise(map(str, floors)):
        house.edge(above, below, **edge_look(hidden=True))
    for room, below in graph.items():
        for other in sorted(below):
            house.edge(room, other, **edge_look())
    return house.source


def picture():
    graph = reduced(rooms())
    rests = [f"{room} on {', '.join(sorted(graph[room]))}" for room in graph]
    return svg(drawn(graph), TITLE, "\n".join(rests))


@pytest.mark.numeric
def test_the_picture_is_up_to_date():
    """If it is not: python -c "from tests.book.test_house_picture import *; write()"."""
    assert FILE.read_text("utf-8") == picture()


def write():
    FILE.write_text(picture(), encoding="utf-8")
