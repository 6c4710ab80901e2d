"""Stages and graphs that are stored or copied: frames, pictures and values stay what they were."""

import copy
import pickle
from itertools import product

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

x, v = ad.scalar("x"), ad.vector("v", shape=3)
FORMULAS = {
    "a sum": (x * x + (x - 2), x),
    "a quotient": (ad.sin(x * x) / (1 + ad.exp(-x)), x),
    "an array": (ad.sum(ad.tanh(v * x) ** 2), v),
    "a loop": (ad.scan(lambda h: ad.sin(h) * x, outputs_info=x, n_steps=3)[-1], x),
}
STAGES = {
    "symbolic": ad.symbolic_derivative,
    "reverse": ad.reverse_mode,
    "simplified": lambda y, wrt: ad.simplify(ad.reverse_mode(y, wrt)),
    "real": lambda y, wrt: ad.simplify(ad.reverse_mode(y, wrt), mode="real"),
    "released": lambda y, wrt: ad.release(ad.zero_grad(y) + y),
    "planned": lambda y, wrt: ad.plan(y),
}
WAYS = {
    "pickle": lambda what: pickle.loads(pickle.dumps(what)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.each("formula, made, way", some(product(FORMULAS, STAGES, WAYS), 8))
def test_frames_of_a_stored_stage(formula, made, way):
    y, wrt = FORMULAS[formula]
    if made == "symbolic" and wrt is not x:
        return
    stage = STAGES[made](y, wrt)
    found = WAYS[way](stage)
    assert type(found) is type(stage) and found.name == stage.name
    assert repr(list(found.frames())) == repr(list(stage.frames()))
    assert repr(found.steps) == repr(stage.steps) and repr(found.table()) == repr(stage.table())
    leaves = {str(i): i for i in found.before.inputs}
    assert all(leaves[str(i)] is i for i in found.graph.inputs)


@pytest.mark.parametrize("made", some(["symbolic", "reverse", "simplified"], 2))
def test_a_stored_stage_is_as_long_as_its_work(made):
    def size(n):
        y = x
        for _ in range(n):
            y = ad.sin(y)
        return len(pickle.dumps(STAGES[made](y, x)))

    assert size(400) < 5 * size(100)


def test_shared_values_of_a_stored_stage_are_shared_by_its_graphs():
    w = ad.shared(2.0, "w")
    found = pickle.loads(pickle.dumps(ad.simplify(w * x * 1)))
    (own,) = [n for n in found.before.order if isinstance(n, ad.Shared)]
    own.set_value(5.0)
    (z,) = found.graph.inputs
    assert ad.evaluate(found.before, {z: 3.0}) == ad.evaluate(found.output, {z: 3.0}) == 15
    assert w.get_value() == 2


@pytest.mark.each("way", [copy.copy, copy.deepcopy])
def test_a_copied_graph_is_of_the_same_inputs(way):
    w = ad.shared(2.0, "w")
    graph = ad.Graph([x * x, x * w], [x], ["a", "b"])
    found = way(graph)
    assert found.inputs == (x,) and found.names == graph.names
    np.testing.assert_array_equal(ad.evaluate(found, {x: 3.0}), [9, 6])
    w.set_value(4.0)
    assert ad.evaluate(found, {x: 3.0})[1] == (12 if way is copy.copy else 6)


@pytest.mark.each("way", WAYS)
@pytest.mark.each("formula", FORMULAS)
def test_expressions_that_are_stored_together_share_their_inputs(formula, way):
    y, wrt = FORMULAS[formula]
    saved = {"loss": y, "wrt": wrt, "all": [x, v], "graph": ad.Graph([y]), "same": y}
    model = WAYS[way](saved)
    assert model["same"] is model["loss"]
    assert {*model["graph"].inputs} <= {*model["all"]}
    at = dict(zip(model["all"], [0.7, np.arange(3.0)]))
    slope = ad.evaluate(ad.grad(model["loss"], model["wrt"]), at)
    expected = ad.evaluate(ad.grad(y, wrt), {x: 0.7, v: np.arange(3.0)})
    np.testing.assert_array_equal(slope, expected)


def test_what_is_stored_twice_has_inputs_of_its_own():
    ones, others = [pickle.loads(pickle.dumps([x, x * x])) for _ in range(2)]
    assert ones[1].inputs[0] is ones[0] is not others[0]
