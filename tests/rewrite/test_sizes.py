"""How short derivatives become: the bounds of benchmarks/sizes.py hold."""

import importlib

import numpy as np
import pytest

import autodiff_edu as ad
from dev import ROOT
from tests.helpers.depth import some


@pytest.fixture(scope="module")
def sizes():
    with pytest.MonkeyPatch.context() as path:
        path.syspath_prepend(ROOT / "benchmarks")
        yield importlib.import_module("sizes")


@pytest.mark.each("mode", some(["safe", "real"], 2, turn=1))
@pytest.mark.each("n", some([4, 6, 8, 10], 2))
def test_the_slope_of_the_logistic_map(sizes, n, mode):
    stage = sizes.gradient(sizes.logistic(n), mode)
    assert sizes.arithmetic(stage) == len(stage.graph.operations) <= sizes.LOGISTIC[n]
    if mode == "real":
        assert sizes.arithmetic(stage) <= 5 * n - 8
        assert sizes.arithmetic(sizes.symbolic(sizes.logistic(n), mode)) <= sizes.LOGISTIC[n]


def test_opened_brackets_round_no_worse(sizes):
    points = np.random.default_rng(0).uniform(0, 1, 200)
    y, x = sizes.logistic(10)
    errors = {}
    for mode in ("ieee", "real"):
        f = sizes.gradient((y, x), mode).output
        wanted = np.array([exact_slope(10, p) for p in points])
        got = np.array([ad.evaluate(f, {x: p}) for p in points])
        errors[mode] = np.median(np.abs(got / wanted - 1))
    assert errors["real"] < 3 * errors["ieee"] < 1e-12


def exact_slope(n, x):
    """By the product of 4(1 − 2l), in extended precision where there is one."""
    l, slope = np.longdouble(x), np.longdouble(1)
    for _ in range(n - 1):
        slope, l = slope * 4 * (1 - 2 * l), 4 * l * (1 - l)
    return float(slope)


GRADIENTS = (
    "x*x + x - 2", "softplus: log(1 + e^x)", "tanh x", "sigmoid cross entropy",
    "softmax cross entropy", "‖Wx − b‖²", "(x + y)² − (x − y)²", "sin² x + cos² x", "x*y/y",
    "√(x²)", "log(e^x · e^y)", "x*x*x*x*x", "c·exp(−x²/2)", "x³ sin(x)/x",
)  # fmt: skip


@pytest.mark.each("name", GRADIENTS)
def test_gradients_are_as_short_as_can_be(sizes, name):
    cost, most = sizes.GRADIENTS[name]
    stage = sizes.gradient(cost, "real")
    assert sizes.arithmetic(stage) <= most, str(stage.outputs)
    assert ad.simplify(stage, mode="real").steps == ()


def test_every_gradient_is_tried(sizes):
    assert tuple(sizes.GRADIENTS) == GRADIENTS


@pytest.mark.each("name", ["x1·x2 ⋯ x20", "(x − 1)(x − 2) ⋯ (x − 20)", "sin nested 20 deep"])
@pytest.mark.each("mode", ["safe", "real"])
def test_products_and_nests_keep_their_sharing(sizes, name, mode):
    cost, most = sizes.SHARING[name]
    assert sizes.arithmetic(sizes.gradient(cost(), mode)) <= most


@pytest.mark.each("name", GRADIENTS)
def test_short_gradients_are_right(sizes, name):
    (y, wrt), _ = sizes.GRADIENTS[name]
    raw = ad.Graph(ad.grad(y, wrt))
    rng = np.random.default_rng(1)
    graph = ad.Graph([y])
    shapes = {"W": (4, 3), "b": 4, "x": 3, "z": 3, "t": 3}
    at = {i: rng.uniform(0.3, 1.5, shapes[i.name] if i.ndim else ()) for i in graph.inputs}
    short = sizes.gradient((y, wrt), "real").graph
    for a, b in zip(np.atleast_1d(ad.evaluate(short, at)), np.atleast_1d(ad.evaluate(raw, at))):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-15)
