"""Random graphs to sort, and the judgement of an order."""

import numpy as np
import pytest

from autodiff_edu.course import random_graph
from autodiff_edu.course.lectures.more.lecture_05_topological_order import fault, long_chain

DIAMOND = {"y": ["l", "r"], "l": ["x"], "r": ["x"], "x": []}


@pytest.mark.each("order", ["xlry", "xrly"])
def test_any_topological_order_is_right(order):
    assert fault(DIAMOND, list(order)) == ""


@pytest.mark.each(
    "order, words",
    [
        (list("lxry"), "x must come before l, which uses it"),
        (list("xly"), "there is no ['r']"),
        (list("xlryy"), "of 5 entries 4 are different"),
        (list("xlrz"), "there is no ['y']"),
        ("xlry", "must be a list, and is of type str"),
        (None, "must be a list, and is None"),
    ],
)
def test_a_fault_is_named(order, words):
    assert words in fault(DIAMOND, order)


def test_random_graphs_have_an_order_and_do_not_show_it():
    rng = np.random.default_rng(0)
    graphs = [random_graph(rng, 12) for _ in range(100)]
    for graph in graphs:
        assert len(graph) == 12 and {i for links in graph.values() for i in links} <= set(graph)
        done = []
        while len(done) < 12:  # each round places something: there is no circle
            ready = [n for n in graph if n not in done and set(graph[n]) <= set(done)]
            assert ready
            done += ready
    assert sum(fault(graph, list(graph)) == "" for graph in graphs) < 5
    assert sum(fault(graph, sorted(graph)) == "" for graph in graphs) < 5


def test_a_chain_comes_from_its_end():
    assert long_chain(3) == {"n2": ["n1"], "n1": ["n0"], "n0": []}
    assert next(iter(long_chain(3))) == "n2"
