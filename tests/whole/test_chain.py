"""Forty thousand operations in a row, by default a quarter, nightly a million: walks are loops.

Protects large graphs: a walk that recurses ends in RecursionError here, and one that is quadratic
takes more than four times as long for four times as many.
"""

import copy
import os
import pickle

import numpy as np

import autodiff_edu as ad
from autodiff_edu.expr import postorder
from tests.helpers.depth import draws, length
from tests.helpers.growth import assert_linear

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
LONG = 1_000_000 if NIGHTLY else draws(40_000)


def chain(length, attempt):
    x = ad.scalar("x")
    v = x
    for _ in range(length // 2):
        v = 1.01 * ad.sin(v)
    return x, v, length


def differentiated_and_simplified(chain):
    x, v, length = chain
    graph = ad.Graph(v)
    assert len(graph.operations) == length
    stage = ad.reverse_mode(v, x)
    assert len(stage.steps) == length + 1
    short = ad.simplify(stage)
    assert short.after.counts["cos"] == length // 2
    assert ad.Graph(v).same(v)
    assert len(repr(v)) < 300 and len(repr(stage)) < 300
    assert copy.copy(v) is v and copy.deepcopy(v) is v


def pickled(chain):
    x, v, length = chain
    again = pickle.loads(pickle.dumps(v))
    (y,) = [n for n in postorder([again]) if n.op is None and n.name == "x"]
    assert len(ad.Graph(again).operations) == length
    np.testing.assert_array_equal(again.type.dtype, v.type.dtype)
    assert y is not x and y.type is x.type


def test_the_work_on_a_long_chain_is_linear():
    assert_linear(differentiated_and_simplified, chain, LONG)


def test_pickling_a_long_chain_is_linear():
    assert_linear(pickled, chain, LONG)


def test_the_other_passes_on_a_long_chain():
    x = ad.scalar("x")
    v = x
    for _ in range(length(2_500)):
        v = 1.01 * ad.sin(v)
    at = {x: 0.3}
    values = [
        ad.evaluate(stage, at)
        for stage in (ad.reverse_mode(v, x), ad.forward_mode(v, x), ad.symbolic_derivative(v, x))
    ]
    f = ad.function(x, ad.grad(v, x))
    np.testing.assert_allclose([*values, f(0.3)], values[0], rtol=1e-9)


def test_a_pickled_graph_keeps_what_it_shares():
    x = ad.scalar("x")
    graph = pickle.loads(pickle.dumps(ad.Graph([x * x, x + 1], names=["a", "b"])))
    assert len(graph.inputs) == 1 and graph.names == ("a", "b")
    assert ad.function(graph.inputs, graph)(3.0) == [9.0, 4.0]
