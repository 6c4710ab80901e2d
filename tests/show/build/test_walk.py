"""The way of a graph from ad.draw to a picture is short enough to be read."""

import sys
from functools import partial
from pathlib import Path

import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Expr, Graph, Op
from tests.helpers.depth import some

HOUSE = Path(ad.__file__).parent


def holds(thing, depth=3):
    """Is it a graph or a node, or does it consist of some? An operation is no part of a graph."""
    if isinstance(thing, (Graph, Expr)):
        return True
    if isinstance(thing, Op) or not depth:
        return False
    if isinstance(thing, dict):
        parts = [*thing, *thing.values()]
    elif isinstance(thing, (tuple, list, set)):
        parts = list(thing)
    else:
        parts = list(getattr(thing, "__dict__", {}).values())
    return any(holds(part, depth - 1) for part in parts)


def files_on_the_way(call):
    """The files of the house with a function that is handed a graph or a part of one."""
    found = set()

    def entered(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and HOUSE in path.parents and path not in found:
            if any(map(holds, frame.f_locals.values())):
                found.add(path)

    sys.setprofile(entered)
    try:
        call()
    finally:
        sys.setprofile(None)
    return sorted(path.relative_to(HOUSE).as_posix() for path in found)


W, v = ad.matrix("W"), ad.vector("v")
LOSS = ad.sum(ad.where(W @ v > 0, ad.exp(W @ v), 2 * v))
WALKS = {
    "graph": (LOSS, {}),
    "tree": (LOSS, {"layout": "tree"}),
    "derivative": (ad.grad(LOSS, W), {}),
    "types": (LOSS, {"types": True, "highlight": LOSS}),
    "open box": (ad.OpFromGraph([W, v], LOSS)(W, v), {"open": True}),
}


@pytest.mark.parametrize("name", some(WALKS, 4))
def test_a_graph_passes_through_ten_files_on_its_way_to_a_picture(name):
    """From the diagram on, no node is left."""
    root, options = WALKS[name]
    graph = Graph(root)
    files = files_on_the_way(partial(ad.draw, graph, **options))
    assert {"show/views/draw.py", "show/build/builder.py"} < set(files)
    assert len(files) <= 10, files
    assert not [file for file in files if file.startswith(("show/diagram", "show/html"))]
