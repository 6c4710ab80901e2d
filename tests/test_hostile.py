"""What a hostile review found: wrong values and gradients, each in its smallest form."""

import numpy as np
import pytest

import autodiff_edu as ad

RNG = np.random.default_rng(5)


def value(e, **at):
    return ad.evaluate(e, {i: at[i.name] for i in ad.Graph(e).inputs})


@pytest.mark.parametrize("n", [2, 3, 4, 7])
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


def test_linear_algebra_takes_the_last_two_axes():
    x = ad.tensor3("x", shape=(2, 3, 3))
    stack = RNG.normal(size=(2, 3, 3))
    for f in (np.linalg.trace, np.linalg.diagonal, np.trace, np.diagonal):
        np.testing.assert_allclose(value(f(x), x=stack), f(stack))


@pytest.mark.parametrize("mode", ["mean", "linear_ramp", "minimum", "maximum", "median", "empty"])
def test_padding_by_what_is_no_entry_is_refused(mode):
    with pytest.raises(ValueError, match="modes constant, edge"):
        np.pad(ad.vector("x", shape=4), 2, mode=mode)


def test_counts_of_repetitions():
    x = ad.vector("x", shape=3)
    data = np.array([3.0, 1.0, 2.0])
    np.testing.assert_array_equal(value(np.repeat(x, [2]), x=data), np.repeat(data, [2]))
    with pytest.raises(ValueError, match="broadcast"):
        np.repeat(x, [2, 1])
    with pytest.raises(ValueError, match="reshape"):
        value(np.repeat(ad.vector("x"), [2, 1]), x=data)


A, B = ad.matrix("A"), ad.matrix("B")
P, Q = ad.tensor3("P"), ad.tensor3("Q")
STRETCHING = [
    (lambda: ad.broadcast_to(A, B.shape).sum(), {"A": (1, 3), "B": (2, 3)}),
    (lambda: (P @ Q).sum(), {"P": (1, 2, 2), "Q": (3, 2, 2)}),
    (lambda: np.linalg.solve(P, Q).sum(), {"P": (1, 2, 2), "Q": (3, 2, 2)}),
    (lambda: np.einsum("ij,jk->ik", A, B).sum(), {"A": (2, 1), "B": (3, 2)}),
    (lambda: (A.at[:].set(B) ** 2).sum(), {"A": (2, 3), "B": (1, 3)}),
    (lambda: (A.at[[0, 1]].add(B) ** 2).sum(), {"A": (2, 3), "B": (1, 3)}),
]


@pytest.mark.parametrize("cost, shapes", STRETCHING)
def test_a_length_that_turns_out_to_be_1_does_not_stretch_in_silence(cost, shapes):
    e = cost()
    at = {name: RNG.normal(size=shape) for name, shape in shapes.items()}
    with pytest.raises(ValueError, match=r"declare|length"):
        value(e, **at)
    inputs = ad.Graph(e).inputs
    with pytest.raises(ValueError, match=r"declare|length"):
        ad.function(inputs, e)(*[at[i.name] for i in inputs])


def test_a_length_declared_to_be_1_stretches_in_einsum():
    a, b = RNG.normal(size=(2, 1)), RNG.normal(size=(3, 2))
    f = lambda a, b: np.sum(np.einsum("ij,jk->ik", a, b) ** 2)
    ad.verify_grad(f, [a, b], n_tests=1)
    assert np.isclose(ad.value_and_grad(f)(a, b)[0], f(a, b))


def test_what_cannot_be_known_or_held_is_refused():
    with pytest.raises(ValueError, match="order is C or F"):
        ad.matrix("X", shape=(2, 3)).ravel(order="K")
    with pytest.raises(TypeError, match="not order='A'"):
        np.reshape(ad.matrix("X", shape=(2, 3)), (3, 2), order="A")
    with pytest.raises(TypeError, match="the axis along which it weighs"):
        np.average(ad.matrix("X", shape=(2, 3)), weights=np.ones(3))
    with pytest.raises(ad.DTypeError, match="cannot take float64"):
        ad.vector("k", dtype="int64", shape=2).at[0].add(0.5)
    with pytest.raises(ad.ShapeError, match="give axis="):
        np.squeeze(ad.matrix("A"))
    x = ad.scalar("x")
    with pytest.raises(TypeError, match="a list of expressions"):
        ad.grad(x * x, x, consider_constant=x)


def test_results_of_the_interpreter_belong_to_the_caller():
    x, data = ad.vector("x", shape=3), np.arange(3.0)
    for e in (x, x[1:], ad.broadcast_to(x, (2, 3))):
        found = ad.evaluate(e, {x: data})
        found[...] = 99.0
        assert data.tolist() == [0, 1, 2]


def test_vectorize_takes_names_and_constants_and_checks_lengths():
    rows = RNG.normal(size=(4, 2))
    f = lambda x, y: (x * y).sum()
    np.testing.assert_allclose(ad.vectorize(f)(rows, y=rows), (rows * rows).sum(axis=1))
    assert ad.vectorize(lambda x: np.ones(2))(rows).shape == (4, 2)
    with pytest.raises(ad.ShapeError, match="leading axes of one length"):
        ad.vectorize(f)(rows, rows[:3])


def test_the_hessian_names_its_arguments_as_the_others_do():
    f = lambda x, y: x**2 * y
    assert ad.hessian(f, argnums=0)(3.0, 2.0) == 4.0
    (xx, xy), (yx, yy) = ad.hessian(f, argnums=(0, 1))(3.0, 2.0)
    assert (xx, xy, yx, yy) == (4.0, 6.0, 6.0, 0.0)


def test_one_entry_of_a_window_has_the_slope():
    slope = ad.grad(lambda x: ad.max_pool2d(x, 2).sum())(np.zeros((1, 1, 4, 4)))
    assert slope.sum() == 4 and slope[0, 0, 0, 0] == 1
    image = RNG.normal(size=(2, 3, 4, 6))
    found = ad.vectorize(lambda x: ad.max_pool2d(x, (2, 3)))(image)
    np.testing.assert_array_equal(found, image.reshape(2, 3, 2, 2, 2, 3).max(axis=(3, 5)))


def test_a_convolution_may_keep_the_size_and_counts_channels():
    image, filters = RNG.normal(size=(2, 3, 5, 6)), RNG.normal(size=(4, 3, 3, 2))
    same = ad.evaluate(ad.conv2d(image, filters, padding="same"), {})
    assert same.shape == (2, 4, 5, 6)
    valid = ad.evaluate(ad.conv2d(image, filters), {})
    np.testing.assert_allclose(same[:, :, 1:-1, :-1], valid)
    with pytest.raises(ad.ShapeError, match="3 channels.*2"):
        ad.conv2d(image, filters[:, :2])


def test_an_entry_cannot_be_assigned_and_the_cause_says_what_to_write():
    x, y = ad.vector("x", shape=3), np.zeros(3)
    with pytest.raises(ValueError) as caught:
        y[0] = x[0]
    assert "ad.array(y).at[0].set(e)" in str(caught.value.__cause__)
