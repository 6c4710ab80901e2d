"""Gates change what comes back, each for itself."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.values import value


def test_a_gradient_does_not_depend_on_simplification_before_it():
    x = ad.scalar("x")
    f = ad.grad_clip(x, -1, 1) * ad.grad_clip(x, -1, 1)
    for graph in (f, ad.simplify(f).output):
        assert ad.evaluate(ad.grad(graph, x), {x: 2.0}) == 2.0  # each part is clipped by itself


def test_gates_merge_with_nothing_until_they_are_released():
    x = ad.scalar("x")
    f = ad.simplify(ad.grad_clip(x, -1, 1) * ad.grad_clip(x, -1, 1))
    assert f.graph.counts["grad_clip"] == 2
    assert ad.simplify(ad.release(f)).graph.counts == {"square": 1}


@pytest.mark.each("n", [2, 3, 4, 7])
def test_gates_change_a_jacobian_whatever_its_shape(n):
    x = ad.vector("x", shape=3)
    rows = ad.jacobian(ad.grad_scale(x, factor=10.0).sum() * np.ones(n), x)
    np.testing.assert_array_equal(value(rows, x=np.ones(3)), np.full((n, 3), 10.0))


def test_gates_change_second_derivatives():
    x = ad.vector("x", shape=3)
    cost = (ad.grad_scale(x, factor=2.0) ** 2).sum()
    at, eight = np.ones(3), 8 * np.eye(3)
    np.testing.assert_array_equal(value(ad.hessian(cost, x), x=at), eight)
    np.testing.assert_array_equal(value(ad.jacobian(ad.grad(cost, x), x), x=at), eight)
    product = ad.hessian_vector_product(cost, x, np.ones(3))
    np.testing.assert_array_equal(value(product, x=at), np.full(3, 8.0))
