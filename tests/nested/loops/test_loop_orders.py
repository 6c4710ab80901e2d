"""Derivatives of loops by every way there is, of the first order to the fourth.

Letters: f a function of expressions, xs its inputs, at their values, y its output.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some
from tests.helpers.loops import check_gradients, leaves, several, value

RNG = np.random.default_rng(5)


def normal(*shape):
    return RNG.normal(size=shape)


def network(x, h, w):
    """The states of a recurrent network."""
    return ad.scan(lambda x, h: ad.tanh(h @ w + x), sequences=x, outputs_info=h)


def logistic(x, r):
    return ad.scan(lambda x: r * x * (1 - x), outputs_info=x, n_steps=5)[-1]


def fibonacci(first, c):
    step = lambda far, near: ad.sin(far) + c * near
    return ad.scan(step, outputs_info={"initial": first, "taps": [-2, -1]}, n_steps=6)


def two_outputs(x, a, b):
    s, y = ad.scan(lambda x, s: (ad.sin(a * s) + x, s * x * b), sequences=x, outputs_info=[b, None])
    return ad.concatenate([s, y])


def gaps(x):
    step = lambda before, after: before * ad.exp(after)
    return ad.scan(step, sequences={"input": x, "taps": [-1, 2]}, go_backwards=True)


def in_segments(x, h, w):
    step = lambda x, h: ad.tanh(h @ w + x)
    return ad.scan(step, sequences=x, outputs_info=h, checkpoint_every=2)


CASES = {
    "network": (network, (5, 3), (3,), (3, 3)),
    "logistic": (logistic, (), ()),
    "fibonacci": (fibonacci, (2,), ()),
    "two_outputs": (two_outputs, (4,), (), ()),
    "gaps": (gaps, (6,)),
    "in_segments": (in_segments, (5, 3), (3,), (3, 3)),
}


def cases(turn):
    return pytest.mark.parametrize("name", some(CASES, 3, turn))


def case(name):
    f, *shapes = CASES[name]
    return f, [0.5 * normal(*s) for s in shapes]


@cases(0)
def test_gradients_by_every_way(name):
    check_gradients(*case(name))


@cases(1)
def test_second_derivatives_by_every_way(name):
    f, point = case(name)
    check_gradients(lambda *xs: sum(g.sum() for g in ad.grad(cubes(f(*xs)), list(xs))), point)


def cubes(y):
    return (y**3).sum()


@cases(2)
def test_symbolic_differentials(name):
    f, point = case(name)
    xs = leaves(point)
    cost = cubes(f(*xs))
    for x, v in zip(xs, point):
        change = normal(*v.shape)
        d = ad.symbolic_derivative(cost, x).output
        given = {i: change for i in ad.Graph(d).inputs if i.name == f"d{x.name}"}
        found = ad.evaluate(d, dict(zip(xs, point)) | given)
        wanted = (ad.evaluate(ad.grad(cost, x), dict(zip(xs, point))) * change).sum()
        slope = found if x.ndim else found * change
        np.testing.assert_allclose(slope, wanted, rtol=1e-12)


@cases(0)
def test_both_modes_have_one_jacobian(name):
    f, point = case(name)
    for known in some((True, False), 2, turn=len(point)):
        xs = leaves(point, known)
        y = f(*xs)
        for x in xs:
            ways = [ad.jacobian(y, x, mode=mode) for mode in ("reverse", "forward")]
            a, b = several(ways, dict(zip(xs, point)))
            np.testing.assert_allclose(a, b, 1e-12, 1e-14)
            for c in ad.function(xs, ways, on_unused_input="ignore")(*point):
                np.testing.assert_allclose(c, a, 1e-12, 1e-14)


@cases(1)
def test_hessians_are_symmetric_and_multiply_vectors(name):
    f, point = case(name)
    xs = leaves(point)
    cost = cubes(f(*xs))
    at = dict(zip(xs, point))
    for x, v in zip(xs, point):
        H = np.reshape(ad.evaluate(ad.hessian(cost, x), at), (v.size, v.size))
        np.testing.assert_allclose(H, H.T, 1e-11, 1e-13)
        p = normal(*v.shape)
        product = ad.evaluate(ad.hessian_vector_product(cost, x, ad.constant(p)), at)
        np.testing.assert_allclose(np.ravel(product), H @ np.ravel(p), 1e-11, 1e-13)
        flat = ad.hessian(ad.unroll(cost).output, x)
        np.testing.assert_allclose(np.reshape(ad.evaluate(flat, at), H.shape), H, 1e-11, 1e-13)


@pytest.mark.parametrize("every", some([2, None], 2))
def test_the_first_four_derivatives_of_a_number(every):
    """Loop, written out, and exact: x ← x·x is x³² after five steps."""
    x = ad.scalar("x")
    y = ad.scan(lambda x: x * x, outputs_info=x, n_steps=5, checkpoint_every=every)[-1]
    flat = ad.unroll(y).output
    factor, power = 1.0, 32
    for order in range(4):
        y = ad.grad(y, x) if order % 2 else ad.forward_mode(y, x).output
        flat = ad.grad(flat, x)
        factor, power = factor * power, power - 1
        wanted = factor * 0.97**power
        np.testing.assert_allclose(several([y, flat], {x: 0.97}), wanted, rtol=1e-12)
        np.testing.assert_allclose(ad.function(x, y)(0.97), wanted, rtol=1e-12)


@pytest.mark.parametrize("name", some(["fibonacci", "logistic", "gaps"], 3))
def test_third_and_fourth_orders_along_a_direction(name):
    f, point = case(name)
    xs = leaves(point)
    at = dict(zip(xs, point))
    ts = [ad.constant(normal(*v.shape)) for v in point]
    loop, flat = cubes(f(*xs)), ad.unroll(cubes(f(*xs))).output
    for mode in "rfrf":
        loop, flat = (along(y, xs, ts, mode) for y in (loop, flat))
        np.testing.assert_allclose(*several([loop, flat], at), rtol=1e-10)
    found = ad.function(xs, loop)(*point)
    np.testing.assert_allclose(found, ad.evaluate(flat, at), rtol=1e-10)


def along(y, xs, ts, mode):
    """The derivative of y along ts, by forward or by reverse mode."""
    if mode == "f":
        return ad.forward_mode(y, xs, ts).output
    return sum((g * t).sum() for g, t in zip(ad.grad(y, xs), ts))


def test_to_the_last_bit_where_the_order_of_operations_is_the_same():
    """A number's recurrence: the loop adds up the sum over time in the order of the flat graph."""
    w, x0 = ad.scalar("w"), ad.scalar("x0")
    for step in (
        lambda x: ad.tanh(w * x + 0.5),
        lambda x: w * x * (1 - x),
        lambda x: ad.sin(x) * w,
    ):
        y = ad.scan(step, outputs_info=x0, n_steps=12)
        for cost in (y[-1], y.sum()):
            loop = ad.grad(cost, [w, x0])
            flat = ad.grad(ad.unroll(cost).output, [w, x0])
            assert value(loop, w=0.7, x0=0.1) == value(flat, w=0.7, x0=0.1)


def test_the_jacobian_of_every_output_of_several():
    x, a = ad.vector("x", shape=4), ad.scalar("a")
    outputs = ad.scan(
        lambda x, s, p: (s * a + x, p * s, x * a), sequences=x, outputs_info=[0.0, 1.0, None]
    )
    at = {"x": normal(4), "a": 0.8}
    flat = [ad.unroll(y).output for y in outputs]
    for y, z in zip(outputs, flat):
        for wrt in (x, a):
            found = value(ad.jacobian(y, wrt), **at)
            np.testing.assert_allclose(found, value(ad.jacobian(z, wrt), **at), 1e-12, 1e-14)
