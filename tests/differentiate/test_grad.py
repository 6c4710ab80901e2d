"""`grad`: its arguments, its names, and what it says where there is no derivative."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Graph
from tests.helpers.depth import some


def test_one_for_one_a_list_for_a_list_a_tuple_for_a_tuple():
    x, y = ad.scalar("x"), ad.scalar("y")
    assert isinstance(ad.grad(x * y, x), ad.Expr)
    assert isinstance(ad.grad(x * y, [x, y]), list)
    assert isinstance(ad.grad(x * y, (x, y)), tuple)


def test_names():
    x, y = ad.scalar("x"), ad.scalar("y")
    f = x * ad.exp(y)
    f.name = "f"
    assert ad.grad(f, x).name == "∂f/∂x"
    assert ad.grad(f, x, add_names=False).name is None
    assert x.name == "x" and f.name == "f"


def test_a_node_that_is_not_a_leaf_has_a_gradient():
    x = ad.scalar("x")
    u = ad.sin(x)
    assert ad.evaluate(ad.grad(u * u, u), {x: 1.0}) == 2 * np.sin(1.0)
    assert ad.evaluate(ad.grad(u, u), {x: 1.0}) == 1.0


def test_consider_constant_stops_but_not_at_what_is_asked_for():
    x = ad.scalar("x")
    u = x * x
    f = u * x
    assert ad.evaluate(ad.grad(f, x, consider_constant=[u]), {x: 3.0}) == 9.0
    assert ad.evaluate(ad.grad(f, u, consider_constant=[u]), {x: 3.0}) == 3.0


@pytest.mark.numeric
def test_known_grads_replace_what_would_arrive():
    x = ad.scalar("x")
    u = x * x
    f = ad.sin(u)
    at = {x: 1.3}
    whole = ad.evaluate(ad.grad(f, x), at)
    above = ad.grad(f, u)
    assert ad.evaluate(ad.grad(None, x, known_grads={u: above}), at) == whole
    assert ad.evaluate(ad.grad(None, x, known_grads={u: 1}), at) == 2.6
    assert ad.evaluate(ad.grad(f, x, known_grads={f: 10}), at) == pytest.approx(
        10 * whole, rel=1e-15, abs=0
    )


def test_integers_have_float_gradients():
    n = ad.vector("n", dtype="int64", shape=3)
    w = ad.vector("w", shape=3)
    g = ad.grad(ad.sum(ad.sigmoid(n * w)), n)
    assert g.dtype == "float64"
    x = ad.vector("x", shape=3)
    same = ad.grad(ad.sum(ad.sigmoid(x * w)), x)
    at = np.array([1, 2, 3]), np.array([0.1, -0.2, 0.3])
    np.testing.assert_allclose(
        ad.evaluate(g, {n: at[0], w: at[1]}), ad.evaluate(same, {x: 1.0 * at[0], w: at[1]})
    )
    k = ad.scalar("k", dtype="int64")
    assert ad.evaluate(ad.grad(k, k), {k: 3}) == 1.0


def test_float32_gives_float32():
    x = ad.vector("x", dtype="float32", shape=3)
    g = ad.grad(ad.sum(x * x * np.arange(3.0)), x)
    assert g.dtype == "float32"
    assert ad.function(x, g)(np.ones(3, "float32")).dtype == "float32"


def test_zero_none_or_an_error_for_a_disconnected_input():
    x, M = ad.scalar("x"), ad.matrix("M", shape=(3, 7))
    zero = ad.grad(x * x, M, disconnected_inputs="ignore")
    assert ad.evaluate(zero, {}).shape == (3, 7)
    assert ad.grad(x * x, M, disconnected_inputs="ignore", return_disconnected="none") is None
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(x * x, M)


def test_every_order_of_a_polynomial():
    x = ad.scalar("x")
    f = x**4
    for order, expected in enumerate([16, 32, 48, 48, 24, 0, 0, 0]):
        assert ad.evaluate(f, {x: 2.0}) == expected, order
        f = ad.grad(f, x)


def test_kinks():
    x, y = ad.scalar("x"), ad.scalar("y")
    slope = lambda f, v=0.0: ad.evaluate(ad.grad(f, x), {x: v, y: v})
    assert slope(ad.abs(x)) == 0
    assert slope(ad.maximum(x, 0)) == 1 and slope(ad.maximum(0, x)) == 0
    assert slope(ad.minimum(x, 0)) == 1 and slope(ad.minimum(0, x)) == 0
    assert slope(ad.where(x > 0, x, 0)) == 0
    assert slope(ad.clip(x, 0, 1)) == 1 and slope(ad.clip(x, -1, 0)) == 1
    assert slope(ad.sqrt(x)) == np.inf
    assert slope(x**0) == 0 and slope(x**1) == 1 and slope(x**2) == 0
    assert ad.evaluate(ad.grad(x**y, y), {x: 0.0, y: 2.0}) == 0
    assert ad.evaluate(ad.grad(x**y, x), {x: 0.0, y: 0.0}) == 0


def test_ties_of_an_extreme_share_their_slope():
    X = ad.matrix("X", shape=(3, 3))
    value = np.array([[1.0, 2, 1], [1, 5, 1], [1, 4, 1]])
    tangent = np.array([[1.0, 10, 100], [2, 20, 200], [4, 30, 300]])
    for op, expected in ((ad.max, [7 / 3, 20, 200]), (ad.min, [7 / 3, 10, 200])):
        pushed = ad.forward_mode(op(X, axis=0), X, ad.constant(tangent))
        np.testing.assert_allclose(ad.evaluate(pushed, {X: value}), expected, rtol=1e-15)


def test_a_variable_used_many_times_is_collected_once():
    x = ad.scalar("x")
    total = x
    for _ in some(range(5_000), 10):
        total = total + ad.sin(x) * x
    g = ad.simplify(ad.grad(total, x))
    assert g.after.counts["sin"] == g.after.counts["cos"] == 1
    assert len(Graph(g.output).operations) < 10


def test_verify_grad_accepts_right_rules_and_names_wrong_entries():
    ad.verify_grad(lambda a, b: ad.tanh(a @ b)[1:], [np.eye(3), np.arange(6.0).reshape(3, 2)])
    ad.verify_grad(lambda a: a**3, [np.float32(1.5)])

    @ad.op(partials=lambda x, out: (2 * out,))
    def crooked(x):
        """e^x, with a wrong derivative."""
        return np.exp(x)

    with pytest.raises(ad.GradientError, match=r"argument 0 at \(1,\).*gradient says"):
        ad.verify_grad(lambda a: ad.where(np.array([True, False]), a, crooked(a)), [np.ones(2)])


def test_powers_at_zero_have_every_derivative():
    x, y = ad.scalar("x"), ad.scalar("y")
    for exponent in (0, 1, 2, 3):
        d = x**exponent
        for order in range(1, 6):
            d = ad.grad(d, x)
            expected = np.prod(np.arange(exponent, exponent - order, -1.0)) * (order == exponent)
            assert ad.evaluate(d, {x: 0.0}) == expected
    n = ad.scalar("n", dtype="int64")
    assert ad.evaluate(ad.grad(1.0 * n**0, n), {n: 0}) == 0
    assert ad.evaluate(ad.grad(x**y, x), {x: 2.0, y: 0.0}) == 0
    mixed = ad.grad(ad.grad(x**y, x), y)
    assert ad.evaluate(mixed, {x: 2.0, y: 0.0}) == 0.5


def test_only_what_was_differentiated_away_is_zero_without_a_word():
    x, y, z = ad.scalar("x"), ad.scalar("y"), ad.scalar("z")
    cost = ad.grad(x * x, x) + y
    assert ad.evaluate(ad.grad(ad.grad(cost, x), x), {}) == 0
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(cost, z)


@pytest.mark.each("dtype", ["float32", "float64"])
@pytest.mark.each("shape", [(), (1,), (4,), (1, 4), (3, 1), (1, 1), (3, 4)])
@pytest.mark.each("operation", [np.subtract, np.divide])
def test_a_minus_is_taken_of_the_sum_over_stretched_axes(operation, shape, dtype):
    """That of the second operand: a sum of fewer entries is negated, and the numbers are right."""
    x, y = ad.matrix("x", shape=(3, 4)), ad.tensor("y", dtype=dtype, shape=shape)
    slope = ad.reverse_mode(ad.sum(operation(x, y) * x), y)
    sums = [n for n in slope.graph.operations if n.op.name == "sum"]
    assert not any(n.inputs[0].op is ad.negative for n in sums)
    rng = np.random.default_rng(0)
    at = {x: rng.uniform(1, 2, (3, 4)), y: rng.uniform(1, 2, shape).astype(dtype)}
    factor = -at[x] if operation is np.subtract else -at[x] * at[x] / at[y].astype(float) ** 2
    wanted = np.sum(factor * np.ones((3, 4)), axis=tuple(range(2 - len(shape))))
    wanted = np.sum(wanted, axis=tuple(k for k, n in enumerate(shape) if n == 1), keepdims=True)
    found = slope.evaluate(at)
    assert found.dtype == dtype and found.shape == shape
    np.testing.assert_allclose(found, wanted.reshape(shape), rtol=1e-5)
