"""`custom_gradient`: Python functions that say what their derivative is to be."""

import math
import pickle

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Disconnected

pytestmark = pytest.mark.numeric


def straight_through(x):
    """A step whose derivative is that of the identity."""
    return ad.sign(x), lambda ct: ct


def value(e, **at):
    graph = ad.Graph(e)
    return ad.function(graph.inputs, graph)(*[at[i.name] for i in graph.inputs])


# ---- arguments and results


def test_one_argument_and_one_result():
    x = ad.vector("x")
    f = ad.custom_gradient(straight_through)
    at = np.array([-2.0, 0.5])
    np.testing.assert_array_equal(value(f(x), x=at), [-1.0, 1.0])
    np.testing.assert_array_equal(value(ad.grad((f(x) * x).sum(), x), x=at), np.sign(at) + at)


@pytest.mark.each("kind", [tuple, list])
def test_several_arguments_and_results(kind):
    @ad.custom_gradient
    def rotated(x, y):
        return kind([x - y, x + y]), lambda a, b: kind([10 * a + b, a + 100 * b])

    x, y = ad.scalar("x"), ad.scalar("y")
    found = rotated(x, y)
    assert type(found) is kind and value(list(found), x=5.0, y=3.0) == [2.0, 8.0]
    u, v = found
    assert value(ad.grad(2 * u + 3 * v, [x, y]), x=5.0, y=3.0) == [23.0, 302.0]
    assert value(ad.grad(3 * v, [x, y]), x=5.0, y=3.0) == [3.0, 300.0]


def test_arguments_that_are_no_arrays_stay_what_they_are():
    @ad.custom_gradient
    def power(x, n, *, label="x"):
        assert label == "y"
        for _ in range(n - 1):
            x = x * x
        return x, lambda ct: [ct * n, None]

    @ad.custom_gradient
    def brief(x, n):
        return x * n, lambda ct: ct * n

    x = ad.scalar("x")
    assert value(power(x, 3, label="y"), x=2.0) == 16.0
    assert value(ad.grad(power(x, 3, label="y"), x)) == 3.0
    assert value(ad.grad(brief(x, 4), x)) == 4.0
    assert power(2.0, 3, label="y") == 16.0


def test_called_with_numbers_it_gives_numbers():
    f = ad.custom_gradient(lambda x, y: ((x * y, x + y), lambda a, b: [a, b.sum()]))
    assert f(2.0, 3.0) == (6.0, 5.0)
    product, total = f(np.arange(3.0), 2.0)
    np.testing.assert_array_equal(product, [0.0, 2.0, 4.0])
    np.testing.assert_array_equal(total, [2.0, 3.0, 4.0])
    assert ad.custom_gradient(lambda n: (n * n, lambda ct: ct))(3) == 9


def test_arrays_and_numbers_meet_expressions():
    f = ad.custom_gradient(lambda x, y, z: (x * y * z, lambda ct: [ct, None, None]))
    x = ad.vector("x", dtype="float32")
    out = f(x, 2.0, np.float32(3))
    assert out.dtype == "float32"
    np.testing.assert_array_equal(value(ad.grad(out.sum(), x), x=np.ones(2, "float32")), [1, 1])


def test_the_argument_itself_as_the_result():
    f = ad.custom_gradient(lambda x: (x, lambda ct: -ct))
    x = ad.scalar("x")
    reversed_once = ad.grad(f(x) * x, x)  # x·1 − f(x)
    assert value(f(x), x=3.0) == 3.0 and value(reversed_once, x=3.0) == 0.0


def test_a_number_as_the_result():
    f = ad.custom_gradient(lambda x: (7.0, lambda ct: ct * 2))
    x = ad.scalar("x")
    assert value(ad.grad(f(x) * x, x), x=3.0) == 7.0 + 2 * 3.0


def test_none_says_that_no_derivative_passes():
    x, y = ad.scalar("x"), ad.scalar("y")
    f = ad.custom_gradient(lambda x, y: (x * y, lambda ct: [ct, None]))
    assert value(ad.grad(f(x, y), x)) == 1.0
    for nothing in (None, Disconnected()):
        stopped = ad.custom_gradient(lambda x, nothing=nothing: (x, lambda ct: nothing))
        with pytest.raises(ad.DisconnectedInputError, match="ends at <lambda>"):
            ad.grad(stopped(x), x)
    for wanted in (ad.grad, lambda e, x: ad.pushforward(e, x, 1.0)):
        with pytest.raises(ad.DisconnectedInputError):
            wanted(f(x, y), y)


def test_the_same_expression_twice():
    f = ad.custom_gradient(lambda x, y: (x * y, lambda ct: [ct * 10, ct * 100]))
    x = ad.scalar("x")
    assert value(ad.grad(f(x, x), x)) == 110.0


# ---- closures


def test_closures_are_read_at_every_call():
    factor = 2
    f = ad.custom_gradient(lambda x: (factor * x, lambda ct: factor * ct))
    x = ad.scalar("x")
    assert value([f(x), ad.grad(f(x), x)], x=3.0) == [6.0, 2.0]
    factor = 5
    assert value([f(x), ad.grad(f(x), x)], x=3.0) == [15.0, 5.0]
    assert f(3.0) == 15.0


def test_floats_that_the_value_takes_from_outside_are_refused():
    x, w = ad.scalar("x"), ad.shared(2.0, name="w")
    for outside, name in ((w, "w"), (ad.scalar("v") * 2, r"v \* 2")):
        f = ad.custom_gradient(lambda x, outside=outside: (x * outside, lambda ct: ct))
        with pytest.raises(ad.MissingInputError, match=f"{name}.*make it an argument"):
            f.__wrapped__.__defaults__ = (outside,)
            f(x)


@pytest.mark.each(
    "call", [lambda f, x: f(x=x, y=x), lambda f, x: f([x], x), lambda f, x: f(x, y=x)]
)
def test_arguments_that_are_not_given_by_place_are_refused(call):
    f = ad.custom_gradient(lambda x, y: ((x[0] if isinstance(x, list) else x) * y, lambda *ct: ct))
    with pytest.raises(ad.MissingInputError, match="argument of its own, given by place"):
        call(f, ad.scalar("x"))


def test_the_pullback_may_take_what_it_likes_from_outside():
    """And that has derivatives when the gradient is differentiated again."""
    x, rate, w = ad.scalar("x"), ad.scalar("rate"), ad.shared(4.0, name="w")
    f = ad.custom_gradient(lambda x: (x * x, lambda ct: ct * rate * x * w))
    slope = ad.grad(f(x), x)
    assert value(slope, x=3.0, rate=5.0) == 60.0
    assert value(ad.grad(slope, [rate, x, w]), x=3.0, rate=5.0) == [12.0, 20.0, 15.0]


def test_whole_numbers_and_constants_from_outside_are_welcome():
    x, k = ad.vector("x"), ad.scalar("k", dtype="int64")
    table = np.array([1.0, 10.0, 100.0])
    f = ad.custom_gradient(lambda x: (x * k * ad.constant(table), lambda ct: ct * k))
    at = {"x": np.ones(3), "k": 2}
    np.testing.assert_array_equal(value(f(x), **at), 2 * table)
    np.testing.assert_array_equal(value(ad.grad(f(x).sum(), x), **at), [2.0, 2.0, 2.0])


def test_draws_are_taken_from_outside_and_are_the_same_on_the_way_back():
    rng = ad.RandomStream(3)
    x = ad.vector("x", shape=4)

    @ad.custom_gradient
    def noisy(x):
        noise = rng.normal(size=4)
        return x + noise, lambda ct: ct * noise

    y = noisy(x)
    fn = ad.function(x, [y, ad.grad(y.sum(), x)])
    (one, slope), (other, _) = fn(np.zeros(4)), fn(np.zeros(4))
    np.testing.assert_array_equal(one, slope)
    assert (one != other).all()


# ---- with everything else


def test_inside_grad_of_a_function():
    f = ad.custom_gradient(straight_through)
    slope = ad.grad(lambda x: (f(x) * x).sum())
    np.testing.assert_array_equal(slope(np.array([-2.0, 3.0])), [-3.0, 4.0])
    np.testing.assert_array_equal(ad.grad(lambda x: f(x).sum())(np.ones(2)), [1.0, 1.0])


def test_a_function_within_a_function():
    inner = ad.custom_gradient(lambda x: (ad.sin(x), lambda ct: ct * 5))
    outer = ad.custom_gradient(lambda x: (inner(x) * 2, lambda ct: ct * inner(x)))
    x = ad.scalar("x")
    slope = ad.grad(outer(x), x)
    assert value(slope, x=0.7) == math.sin(0.7)
    assert value(ad.grad(slope, x), x=0.7) == 5.0


@pytest.mark.each("order", [1, 2, 3])
def test_derivatives_of_higher_order_differentiate_the_rule(order):
    """f' is declared to be x³, and f'' is what follows from that."""
    f = ad.custom_gradient(lambda x: (ad.exp(x), lambda ct: ct * x**3))
    x = ad.scalar("x")
    e = f(x)
    for _ in range(order):
        e = ad.grad(e, x)
    assert value(e, x=2.0) == {1: 8.0, 2: 12.0, 3: 12.0}[order]


def test_the_result_may_be_used_again_by_the_rule():
    """f' = f by the result itself, so that all derivatives are."""
    calls = []

    @ad.custom_gradient
    def exp(x):
        y = ad.exp(x)
        calls.append(x)
        return y, lambda ct: ct * y

    x = ad.scalar("x")
    y = exp(x)
    fn = ad.function(x, [y, ad.grad(y, x), ad.grad(ad.grad(y, x), x)])
    assert fn(0.5) == [math.exp(0.5)] * 3 and len(calls) == 1
    assert fn.graph.counts["exp"] == 1


def test_forward_and_symbolic_mode_follow_the_rule():
    f = ad.custom_gradient(lambda x: (ad.sin(x), lambda ct: ct * x**3))
    x = ad.scalar("x")
    for mode in (ad.forward_mode, ad.symbolic_derivative, ad.reverse_mode):
        assert value(mode(f(x) * x, x).output, x=2.0) == pytest.approx(16 + np.sin(2), rel=1e-15)


def test_jacobians_and_hessians_follow_the_rule():
    f = ad.custom_gradient(lambda x: (ad.sin(x), lambda ct: ct * x**3))
    x = ad.vector("x")
    at = np.array([1.0, 2.0])
    for mode in ("forward", "reverse"):
        found = value(ad.jacobian(f(x), x, mode=mode), x=at)
        np.testing.assert_array_equal(found, np.diag(at**3))
    np.testing.assert_allclose(value(ad.hessian(f(x).sum(), x), x=at), np.diag(3 * at**2))


def test_a_batch_follows_the_rule_without_a_loop():
    f = ad.custom_gradient(lambda x, y: ((x * y).sum(), lambda ct: [ct * y * 2, ct * x * 3]))
    xs, y = np.arange(6.0).reshape(3, 2), np.array([1.0, 5.0])
    many = ad.vectorize(f, in_axes=(0, None))
    np.testing.assert_array_equal(many(xs, y), xs @ y)
    slopes = ad.grad(lambda xs, y: many(xs, y).sum(), argnums=(0, 1))(xs, y)
    np.testing.assert_array_equal(slopes[0], np.broadcast_to(2 * y, (3, 2)))
    np.testing.assert_array_equal(slopes[1], 3 * xs.sum(axis=0))
    x, z = ad.vector("x", shape=2), ad.vector("y", shape=2)
    stage = ad.vectorize(ad.Graph(f(x, z)), over=x)
    assert not [n for n in stage.after if n.op is not None and n.op.name.startswith("each")]


def test_in_a_step_of_a_loop():
    f = ad.custom_gradient(lambda h, w: (ad.tanh(w * h), lambda ct: [ct * 2, ct * h]))
    w, h = ad.scalar("w"), ad.scalar("h")
    last = ad.scan(lambda h: f(h, w), outputs_info=h, n_steps=3)[-1]
    a = np.tanh(0.5 * 0.3)
    b = np.tanh(0.5 * a)
    found = value(ad.grad(last, [h, w]), h=0.3, w=0.5)
    np.testing.assert_allclose(found, [8.0, b + 2 * a + 4 * 0.3], rtol=1e-15)


def test_equal_calls_are_one_operation_and_can_be_stored():
    f = ad.custom_gradient(lambda x, y: (x * y, lambda ct: [ct * 2, ct * 3]))
    x, y = ad.scalar("x"), ad.scalar("y")
    assert f(x, y).op == f(x, y).op
    again = pickle.loads(pickle.dumps(ad.Graph(f(x, y))))
    assert value(ad.grad(again.output, again.inputs)) == [2.0, 3.0]
    assert f(*again.inputs).op == again.output.op


# ---- what is wrong


@pytest.mark.each(
    "returned, words",
    [
        (lambda x: x, "must return a value and its pullback"),
        (lambda x: (x, x), "must return a value and its pullback"),
        (lambda x: (x, lambda ct: [ct, ct]), "must return a list of 1"),
        (lambda x: (x, lambda ct: 2.0), "2.0 for input 0, x, which is no expression"),
        (lambda x: (x, lambda ct: ct[0]), "a cotangent is a float of the input's shape"),
    ],
)
def test_what_a_function_must_return(returned, words):
    with pytest.raises(TypeError, match=words):
        ad.custom_gradient(returned)(ad.vector("x"))
