"""The cases of Theano's and PyTensor's gradients, under `grad`: one test a case, by number.

They are tests of other wrappings too: each differentiates `wrap(expression)`, and the wrappings
stand in tests/helpers/wrapped.py.
"""

import numpy as np
import pytest
from scipy.optimize import rosen_hess_prod

import autodiff_edu as ad
from autodiff_edu.expr import Disconnected, Null
from tests.helpers.values import value
from tests.helpers.wrapped import plainly

RNG = np.random.default_rng(2)


@pytest.fixture
def wrap():
    return plainly


def test_01_the_type_of_wrt_is_kept(wrap):
    x, y = ad.scalar("x"), ad.scalar("y")
    product = wrap(x * y)
    assert isinstance(ad.grad(product, [x, y]), list)
    assert isinstance(ad.grad(product, (x, y)), tuple)
    assert isinstance(ad.grad(product, x), ad.Expr)


def test_02_a_vector_is_no_cost(wrap):
    x = ad.vector("x")
    with pytest.raises(TypeError, match="Cost must be a scalar"):
        ad.grad(wrap(x * 2), x)
    with pytest.raises(ValueError, match="known_grads"):
        ad.grad(None, x)


def test_03_a_zero_gradient_has_the_shape_of_wrt(wrap):
    x, M = ad.scalar("x"), ad.matrix("M", shape=(3, 7))
    assert value(ad.grad(wrap(x + 0 * M.sum()), M), x=1.0, M=np.ones((3, 7))).shape == (3, 7)
    assert value(ad.grad(wrap(x), M, disconnected_inputs="ignore")).shape == (3, 7)


def test_04_the_name(wrap):
    x = ad.scalar("x")
    f = wrap(x * x)
    f.name = "f"
    assert ad.grad(f, x).name == "∂f/∂x"


def test_05_the_same_input_twice(wrap):
    x = ad.scalar("x")
    assert value(ad.grad(wrap(x * x), x), x=3.0) == 6.0


@pytest.mark.each(
    "f",
    [
        lambda x, A, wrap: wrap(x @ A @ x),
        lambda x, A, wrap: wrap(((x * x) @ A).sum()),
        lambda x, A, wrap: wrap((x * x) @ A @ x),
        lambda x, A, wrap: (ad.grad(wrap((x * x) @ A @ x), x) ** 2).sum(),
        lambda x, A, wrap: (ad.grad(wrap(((x * x) @ A).sum()), A) * A).sum(),
    ],
)
def test_06_quadratic_forms_and_gradients_of_gradients(wrap, f):
    point = [RNG.normal(size=3), RNG.normal(size=(3, 3))]
    ad.verify_grad(lambda x, A: f(x, A, wrap), point, n_tests=1)


def test_07_integer_data_give_the_gradient_of_float_data(wrap):
    X, W, b = ad.matrix("X", dtype="int64"), ad.matrix("W"), ad.vector("b")
    Y = ad.matrix("X")
    at = {"W": RNG.normal(size=(4, 2)), "b": RNG.normal(size=2)}
    data = RNG.integers(-3, 3, (5, 4))
    found, wanted = (ad.grad(wrap(ad.sigmoid(Z @ W + b).sum()), Z) for Z in (X, Y))
    assert found.dtype == "float64"
    np.testing.assert_array_equal(value(found, X=data, **at), value(wanted, X=1.0 * data, **at))


def test_08_the_way_through_a_shape_is_disconnected(wrap):
    x = ad.vector("x")
    n = x.shape[0]
    cost = wrap(ad.broadcast_to(x.sum() / n, (n,)).sum())
    np.testing.assert_allclose(value(ad.grad(cost, x), x=RNG.normal(size=5)), np.ones(5))


def test_09_float32_stays_float32(wrap):
    x = ad.vector("x", dtype="float32")
    assert ad.grad(wrap((x**2).sum()), x).dtype == "float32"


def test_10_the_derivative_of_an_integer_by_itself(wrap):
    k = ad.scalar("k", dtype="int64")
    g = ad.grad(wrap(k), k)
    assert g.dtype == "float64" and value(g, k=3) == 1.0


def test_11_known_gradients_at_every_layer(wrap):
    x, t, c = ad.scalar("x"), ad.scalar("t", dtype="int64"), ad.vector("c")
    coefficient, power = wrap(c[t]), wrap(x**t)
    product = wrap(coefficient * power, coefficient, power)
    cost = wrap(product**2, product)
    at = {"x": 1.3, "t": 2, "c": np.array([1.0, 2.0, 3.0])}
    whole = value(ad.grad(cost, x), **at)
    for layer in ([cost], [product], [coefficient, power]):
        known = dict(zip(layer, ad.grad(cost, layer)))
        found = ad.grad(None, x, known_grads=known)
        np.testing.assert_allclose(value(found, **at), whole, rtol=1e-14)
    given = ad.constant(2.5)
    assert ad.grad(None, t, known_grads={t: given}) is given
    with pytest.raises(TypeError, match="known gradient"):
        ad.grad(None, x, known_grads={power: ad.constant(1)})
    with pytest.raises(ad.NullTypeGradError):
        ad.grad(None, x, known_grads={power: Null("no reason")})
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(None, x, known_grads={power: Disconnected()})


def test_12_what_is_considered_constant_is_as_a_constant(wrap):
    x = ad.vector("x", shape=3)
    fixed = ad.constant([1.0, 2.0, 3.0])
    at = [1.0, 2.0, 3.0]
    y = wrap(x * 1)
    found = ad.grad(wrap((y * y * x).sum(), y, x), x, consider_constant=[y])
    wanted = ad.grad(wrap((fixed * fixed * x).sum()), x)
    np.testing.assert_array_equal(value(found, x=at), value(wanted, x=at))
    above = ad.grad(wrap((x * x).sum()), x, consider_constant=[x])
    np.testing.assert_array_equal(value(above, x=at), [2.0, 4.0, 6.0])
    for wrong in (3, [3], "x"):
        with pytest.raises(TypeError):
            ad.grad(wrap((x * x).sum()), x, consider_constant=wrong)


class First(ad.Op):
    """Its first input; the second one is not connected."""

    name = label = "first"
    arity = 2

    def infer_type(self, x, y):
        return x

    def perform(self, x, y):
        return x * 1

    def pullback(self, inputs, outputs, cotangents):
        return [cotangents[0], None]


def test_13_a_connection_that_is_not_there_carries_no_null(wrap):
    x, y = ad.scalar("x"), ad.scalar("y")
    first = First()
    cost = wrap(ad.undefined_grad(first(x, y) * 2))
    assert isinstance(ad.grad(cost, x, null_gradients="return"), Null)
    quiet = wrap(first(x, ad.undefined_grad(y)) * x)
    assert value(ad.grad(quiet, x), x=3.0, y=1.0) == 6.0
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(wrap(first(x, y)), y)


def test_14_zero_grad(wrap):
    x = ad.scalar("x")
    g = lambda f: value(ad.grad(wrap(f), x), x=2.0)
    assert g(x * ad.zero_grad(x)) == 2.0
    np.testing.assert_allclose(g(x * ad.zero_grad(ad.exp(x))), np.exp(2.0))
    assert g(ad.zero_grad(x)) == 0.0
    assert g(x**2 * ad.zero_grad(x)) == 2 * 2.0**2
    assert value(ad.pushforward(wrap(ad.zero_grad(x)), x, 1.0), x=2.0) == 0.0


def test_15_disconnected_grad(wrap):
    x, a, b = ad.vector("x", shape=2), ad.scalar("a"), ad.scalar("b")
    at = [1.0, 2.0]
    np.testing.assert_array_equal(value(wrap(ad.disconnected_grad(x)), x=at), at)
    with pytest.raises(ad.DisconnectedInputError, match="disconnected_grad"):
        ad.grad(wrap(ad.disconnected_grad(x).sum()), x)
    both = wrap((x + ad.disconnected_grad(x)).sum())
    np.testing.assert_array_equal(value(ad.grad(both, x), x=at), 1)
    mixed = wrap(a + ad.disconnected_grad(b))
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(mixed, b)
    assert value(ad.grad(mixed, a), a=1.0, b=1.0) == 1.0


def test_16_grad_clip(wrap):
    x = ad.scalar("x")
    square = wrap(ad.grad_clip(x, low=-1, high=1) ** 2)
    clipped, plain = ad.grad(square, x), ad.grad(wrap(x**2), x)
    assert (value(clipped, x=2.0), value(plain, x=2.0)) == (1.0, 4.0)
    assert ad.function(x, [clipped, square])(2.0) == [1.0, 4.0]


def test_17_grad_scale(wrap):
    x = ad.scalar("x")
    scaled, plain = (ad.grad(wrap(e**2), x) for e in (ad.grad_scale(x, factor=2), x))
    assert (value(scaled, x=2.0), value(plain, x=2.0)) == (8.0, 4.0)


def test_18_layer_by_layer(wrap):
    x, t = ad.vector("x"), ad.vector("t")
    w1, w2 = ad.matrix("w1"), ad.matrix("w2")
    a1 = wrap(ad.tanh(x @ w1))
    a2 = wrap(ad.tanh(a1 @ w2), a1, w2)
    cost2 = wrap(((a2 - t) ** 2).sum() + (w2**2).sum(), a2, t, w2)
    cost1 = wrap((w1**2).sum())
    by_part = {}
    (by_part[w2],), (at_a1,) = ad.subgraph_grad([w2], [a1], cost=cost2)
    (by_part[w1],), _ = ad.subgraph_grad([w1], [x], start={a1: at_a1}, cost=cost1)
    shapes = {"x": 3, "t": 2, "w1": (3, 4), "w2": (4, 2)}
    at = {k: RNG.normal(size=s) for k, s in shapes.items()}
    for w, found in by_part.items():
        wanted = ad.grad(cost1 + cost2, w)
        np.testing.assert_allclose(value(found, **at), value(wanted, **at), rtol=1e-12)


def test_19_jacobians(wrap):
    x, z, X = ad.vector("x"), ad.vector("z"), ad.tensor3("X")
    at = {"x": RNG.normal(size=4), "z": RNG.normal(size=4)}
    np.testing.assert_array_equal(value(ad.jacobian(wrap(2 * x), x), **at), 2 * np.eye(4))
    dx, dz = ad.jacobian(wrap(x * z), [x, z])
    np.testing.assert_array_equal(value(dx, **at), np.diag(at["z"]))
    np.testing.assert_array_equal(value(dz, **at), np.diag(at["x"]))
    big = RNG.normal(size=(10, 10, 10))
    found = value(ad.jacobian(wrap(2 * X.sum(axis=0)), X), X=big)
    wanted = 2 * np.einsum("jl,km,i->jkilm", np.eye(10), np.eye(10), np.ones(10))
    np.testing.assert_array_equal(found, wanted)
    found = value(ad.jacobian(wrap(np.outer(x, x)), x), x=np.arange(3.0))
    wanted = [
        [[0, 0, 0], [1, 0, 0], [2, 0, 0]],
        [[1, 0, 0], [0, 2, 0], [0, 2, 1]],
        [[2, 0, 0], [0, 2, 1], [0, 0, 4]],
    ]
    np.testing.assert_array_equal(found, wanted)
    how = {"disconnected_inputs": "ignore"}
    assert not value(ad.jacobian(wrap(x), z, **how), **at).any()
    M = ad.matrix("M", shape=(3, 2))
    N = ad.matrix("N", shape=(4, 4))
    found = value(ad.jacobian(wrap(M), N, **how), M=np.ones((3, 2)), N=np.ones((4, 4)))
    assert found.shape == (3, 2, 4, 4) and not found.any()
    with pytest.raises(ad.DisconnectedInputError):
        ad.jacobian(wrap(x), z)


def test_20_hessian(wrap):
    x = ad.vector("x")
    np.testing.assert_array_equal(
        value(ad.hessian(wrap((x**2).sum()), x), x=np.ones(4)), 2 * np.eye(4)
    )


def test_21_hessian_vector_products(wrap):
    x, y, p, q = (ad.vector(name) for name in "x y p q".split())
    rosenbrock = wrap((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())
    at = {"x": 0.1 * np.arange(9), "p": 0.5 * np.arange(9)}
    found = value(ad.hessian_vector_product(rosenbrock, x, p), **at)
    np.testing.assert_allclose(found, rosen_hess_prod(at["x"], at["p"]), rtol=1e-12)
    found = ad.hessian_vector_product(wrap((x**2 - y**2).sum()), [x, y], [p, q])
    at = {"x": [np.nan] * 3, "y": [np.nan] * 3, "p": [1.0, 2, 3], "q": [3.0, 2, 1]}
    np.testing.assert_array_equal(value(found[0], **at), [2, 4, 6])
    np.testing.assert_array_equal(value(found[1], **at), [-6, -4, -2])


def test_22_a_pullback_of_a_number(wrap):
    x = ad.scalar("x")
    assert value(ad.pullback(wrap(x**2), x, 1.5), x=3.0) == 9.0


@pytest.mark.each("extreme, wanted", [(ad.max, [7 / 3, 20, 200]), (ad.min, [7 / 3, 10, 200])])
def test_23_pushforward_is_two_pullbacks_at_ties_too(wrap, extreme, wanted):
    X, T = ad.matrix("X"), ad.matrix("T")
    at = {
        "X": np.array([[1.0, 2, 1], [1, 5, 1], [1, 4, 1]]),
        "T": np.array([[1.0, 10, 100], [2, 20, 200], [4, 30, 300]]),
    }
    for once in (True, False):
        pushed = ad.pushforward(wrap(extreme(X, axis=0)), X, T, use_op_pushforward=once)
        np.testing.assert_allclose(value(pushed, **at), wanted, rtol=1e-15)


@pytest.mark.each(
    "returned, words",
    [
        (None, "must return a list of 2"),
        (lambda ct: [ct], "must return a list of 2"),
        (lambda ct: [ct, ct, ct], "must return a list of 2"),
        (lambda ct: [ct.astype("int64"), None], "a cotangent is a float"),
        (lambda ct: [ad.stack([ct, ct]), None], "of the input's shape"),
    ],
)
def test_24_an_op_that_returns_something_else_is_named(wrap, returned, words):
    class Wrong(First):
        name = "wrong_op"

        def pullback(self, inputs, outputs, cotangents):
            return returned(cotangents[0]) if returned else None

    x, y = ad.scalar("x"), ad.scalar("y")
    with pytest.raises(TypeError, match=f"wrong_op.*{words}"):
        ad.grad(wrap(Wrong()(x, y)), x)


# ---- undefined, disconnected and zero are three things


def test_a_null_gradient_tells_the_path_and_the_remedy(wrap):
    x = ad.scalar("x")
    draw = ad.undefined_grad(x * 2, why="a draw does not vary with its parameter")
    cost = wrap(ad.sum(ad.stack([draw, x])))
    with pytest.raises(ad.NullTypeGradError) as caught:
        ad.grad(cost, x)
    message = str(caught.value)
    assert "a draw does not vary with its parameter" in message
    assert "sum ← concatenate ← expand_dims ← undefined_grad" in message
    assert "disconnected_grad" in message and "test_semantics.py" in message
    null = ad.grad(cost, x, null_gradients="return")
    assert isinstance(null, Null) and null.why == "a draw does not vary with its parameter"
    with pytest.raises(ad.NullTypeGradError):
        ad.forward_mode(wrap(draw), x)


@pytest.mark.each("name", "floor ceil trunc rint sign argmax argsort isnan less".split())
def test_what_does_not_vary_says_so(wrap, name):
    x = ad.vector("x", shape=3)
    step = ad.less(x, 0.5) if name == "less" else ad.ops.OPS[name](x)
    cost = wrap(ad.sum(step * 1.0))
    with pytest.raises(ad.DisconnectedInputError, match=f"{name}.*(jumps|vary|whole)"):
        ad.grad(cost, x)
    assert not value(ad.grad(cost, x, disconnected_inputs="ignore")).any()


def test_what_stands_for_a_gradient_that_there_is_not(wrap):
    x, y = ad.scalar("x"), ad.scalar("y")
    cost = wrap(x)
    how = {"disconnected_inputs": "ignore"}
    assert value(ad.grad(cost, y, **how)) == 0
    assert ad.grad(cost, y, return_disconnected="none", **how) is None
    assert isinstance(ad.grad(cost, y, return_disconnected="disconnected", **how), Disconnected)
    with pytest.warns(UserWarning, match="does not depend on y"):
        ad.grad(cost, y, disconnected_inputs="warn")
    with pytest.raises(ValueError, match="null_gradients is one of"):
        ad.grad(cost, x, null_gradients="keep")


def test_outputs_may_be_made_of_each_other(wrap):
    x = ad.scalar("x")
    u = wrap(x * x)
    found = ad.pullback([u, wrap(ad.sin(u), u)], x, [1.0, 2.0])
    np.testing.assert_allclose(value(found, x=1.5), 3.0 * (1 + 2 * np.cos(2.25)), rtol=1e-15)


def test_pushforward_says_which_output_does_not_depend(wrap):
    x, y = ad.scalar("x"), ad.scalar("y")
    square = wrap(x * x)
    with pytest.raises(ad.DisconnectedInputError, match="the output y"):
        ad.pushforward([square, y], x, 1.0)
    for once in (True, False):
        found = ad.pushforward(
            [square, y], x, 1.0, disconnected_outputs="ignore", use_op_pushforward=once
        )
        assert [value(t, x=3.0) for t in found] == [6.0, 0.0]
