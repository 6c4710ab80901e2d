"""Loops in loops, boxes in loops, loops in boxes, in functions, and for many examples at once."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some
from tests.helpers.loops import check_gradients, several, value

RNG = np.random.default_rng(6)


def normal(*shape):
    return RNG.normal(size=shape)


# ---- loops in loops


def test_a_loop_in_a_loop():
    """Rows of a table, each row's sum of products handed down to the next."""

    def table(X, a, w):
        def row(x, a):
            within = ad.scan(lambda x, s: ad.sin(s * w) + x * a, sequences=x, outputs_info=a)
            return within[-1]

        return ad.scan(row, sequences=X, outputs_info=a)

    check_gradients(table, [normal(3, 4), normal(), normal()])


def test_three_loops_in_one_another():
    def deep(x, w):
        inner = lambda s: ad.scan(lambda s: ad.sin(s * w), outputs_info=s, n_steps=2)[-1]
        middle = lambda s: ad.scan(inner, outputs_info=s, n_steps=2)[-1] * w
        return ad.scan(middle, outputs_info=x, n_steps=3)

    check_gradients(deep, [0.4, 1.3])
    x, w = ad.scalar("x"), ad.scalar("w")
    second = ad.grad(ad.grad(deep(x, w)[-1], w), x)
    flat = ad.grad(ad.grad(ad.unroll(deep(x, w)[-1]).output, w), x)
    np.testing.assert_allclose(*several([second, flat], {x: 0.4, w: 1.3}), rtol=1e-12)


def test_the_number_of_inner_steps_may_differ_from_step_to_step():
    x, ns = ad.scalar("x"), ad.vector("ns", dtype="int64")
    power = lambda n: ad.scan(lambda p: p * x, outputs_info=1.0, n_steps=n)[-1]
    y = ad.scan(power, sequences=ns)
    run = ad.function([x, ns], [y, ad.grad(y.sum(), x)])
    values, slope = run(2.0, [3, 1, 4])
    np.testing.assert_array_equal(values, [8, 2, 16])
    assert slope == 3 * 4 + 1 + 4 * 8


def test_the_number_of_inner_steps_may_be_zero():
    x, ns = ad.scalar("x"), ad.vector("ns", dtype="int64")
    power = lambda n: ad.scan(lambda p: p * x, outputs_info=x, n_steps=n).sum()
    y = ad.scan(power, sequences=ns)
    values, slope = ad.function([x, ns], [y, ad.grad(y.sum(), x)])(2.0, [2, 0])
    np.testing.assert_array_equal(values, [4 + 8, 0])
    assert slope == 2 * 2 + 3 * 4


def test_an_inner_loop_over_what_the_outer_one_has_computed():
    def f(x, w):
        outer = ad.scan(lambda x, s: ad.tanh(s + w * x), sequences=x, outputs_info=0.0)
        return ad.scan(lambda s: ad.scan(lambda t: t * s, sequences=outer), sequences=outer)

    check_gradients(f, [normal(3), normal()])


def test_an_inner_loop_with_an_end():
    x = ad.vector("x")
    step = lambda limit: ad.scan(
        lambda s: (s * 2, ad.until(s * 2 > limit)), outputs_info=1.0, n_steps=50
    )[-1]
    y = ad.scan(step, sequences=x)
    np.testing.assert_array_equal(value(y, x=[3.0, 40.0, 0.0]), [4, 64, 2])


def test_a_gradient_within_a_step():
    """Newton's method by derivatives taken within a step, and the derivative of its result."""

    def root(a, x):
        def newton(x):
            f = x**3 - a
            return x - f / ad.grad(f, x)

        return ad.scan(newton, outputs_info=x, n_steps=30)[-1]

    a, x = ad.scalar("a"), ad.scalar("x")
    y = root(a, x)
    slope, second = ad.grad(y, a), ad.grad(ad.grad(y, a), a)
    found = ad.function([a, x], [y, slope, second])(5.0, 1.0)
    wanted = [5 ** (1 / 3), 5 ** (-2 / 3) / 3, -2 / 9 * 5 ** (-5 / 3)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_gradient_descent_differentiated_with_respect_to_its_rate():
    def last(rate, w):
        def step(w):
            cost = (w**4).sum() / 4 + (w[:-1] * w[1:]).sum()
            return w - rate * ad.grad(cost, w)

        return ad.scan(step, outputs_info=w, n_steps=6)[-1]

    check_gradients(last, [0.05, normal(3)])


def test_a_derivative_of_a_loop_within_the_step_of_another():
    def f(x, w):
        def step(x):
            y = ad.scan(lambda s: ad.sin(s * w), outputs_info=x, n_steps=3)[-1]
            return x - 0.1 * ad.grad(y, x)

        return ad.scan(step, outputs_info=x, n_steps=4)

    check_gradients(f, [0.3, 1.2])


# ---- boxes


def test_a_box_in_a_loop():
    a, b = ad.scalar("a"), ad.scalar("b")
    box = ad.OpFromGraph([a, b], [ad.sin(a) * b, a + b], name="both")

    def f(x, w):
        def step(s, w):
            p, q = box(s, w)
            return p * q

        return ad.scan(step, outputs_info=x, non_sequences=w, n_steps=4)

    check_gradients(f, [0.4, 1.3])


@pytest.mark.parametrize("inline", [True, False])
def test_an_override_in_a_loop_is_used_at_every_step(inline):
    a, b = ad.scalar("a"), ad.scalar("b")
    twice = lambda inputs, outputs, cts: [2 * cts[0] * inputs[1], cts[0] * inputs[0]]
    box = ad.OpFromGraph([a, b], [a * b], pullback=twice, inline=inline)
    x, w = ad.scalar("x"), ad.scalar("w")
    y = ad.scan(lambda s: box(s, w), outputs_info=x, n_steps=3)[-1]
    for slope in (ad.grad(y, x), ad.grad(ad.unroll(y).output, x)):
        assert value(slope, x=2.0, w=3.0) == 8 * 27
        assert ad.function([x, w], slope, on_unused_input="ignore")(2.0, 3.0) == 8 * 27


def test_a_custom_gradient_in_a_loop():
    @ad.custom_gradient
    def clipped(x):
        return x, lambda ct: ad.clip(ct, -1, 1)

    x = ad.scalar("x")
    y = ad.scan(lambda s: clipped(s) * 3, outputs_info=x, n_steps=4)[-1]
    for slope in (ad.grad(y, x), ad.grad(ad.unroll(y).output, x)):
        assert ad.function(x, slope, on_unused_input="ignore")(2.0) == 1.0


def test_a_checkpoint_in_a_loop_and_around_one():
    step = ad.checkpoint(lambda s, w: ad.tanh(ad.sin(s) * w))
    check_gradients(
        lambda x, w: ad.scan(step, outputs_info=x, non_sequences=w, n_steps=4), [normal(3), 0.7]
    )
    whole = ad.checkpoint(lambda x, w: ad.scan(lambda s: ad.sin(s) * w, outputs_info=x, n_steps=4))
    check_gradients(lambda x, w: whole(x, w), [normal(3), 0.7])


@pytest.mark.parametrize("inline", [True, False])
def test_a_loop_in_a_box(inline):
    x, w = ad.scalar("x"), ad.scalar("w")
    y = ad.scan(lambda s: ad.sin(s) * w, outputs_info=x, n_steps=4)
    box = ad.OpFromGraph([x, w], [y[-1], y.sum()], inline=inline)
    check_gradients(lambda x, w: ad.stack(box(x, w * 2)), [0.4, 1.3])


@pytest.mark.parametrize("gate", [ad.zero_grad, ad.disconnected_grad])
def test_gates_in_a_loop(gate):
    x, w = ad.scalar("x"), ad.scalar("w")
    y = ad.scan(lambda s: gate(s) * w + s, outputs_info=x, n_steps=3)[-1]
    slope = ad.grad(y, [x, w])
    flat = ad.grad(ad.unroll(y).output, [x, w])
    found = ad.function([x, w], slope, on_unused_input="ignore")(2.0, 3.0)
    assert found == value(flat, x=2.0, w=3.0) == [1.0, 2 + 8 + 32]


def test_gates_that_change_a_cotangent_in_a_loop():
    x = ad.scalar("x")
    clip = ad.scan(lambda s: ad.grad_clip(s * 3, low=-1, high=1), outputs_info=x, n_steps=3)[-1]
    scale = ad.scan(lambda s: ad.grad_scale(s, factor=2.0), outputs_info=x, n_steps=3)[-1]
    assert ad.function(x, ad.grad(clip, x), on_unused_input="ignore")(1.0) == 3.0
    assert ad.function(x, ad.grad(scale, x), on_unused_input="ignore")(1.0) == 8.0


# ---- Python functions


def test_loops_in_python_functions():
    def f(w, x, steps=3):
        h = ad.scan(lambda x, h: np.tanh(h * w + x), sequences=x, outputs_info=0.0, n_steps=steps)
        return (h**2).sum()

    def plain(w, x, steps=3):
        h, total = 0.0, 0.0
        for t in range(steps):
            h = np.tanh(h * w + x[t])
            total += h * h
        return total

    xs, d = normal(4), 1e-6
    wanted = (plain(0.5 + d, xs) - plain(0.5 - d, xs)) / (2 * d)
    assert ad.grad(f)(0.5, xs) == pytest.approx(wanted, rel=1e-8)
    y, slopes = ad.value_and_grad(f, argnums=(0, 1))(0.5, xs)
    assert y == pytest.approx(plain(0.5, xs), rel=1e-14)
    assert slopes[1].shape == (4,) and slopes[1][3] == 0
    assert ad.hessian(f)(0.5, xs) == pytest.approx(
        (plain(0.5 + 1e-4, xs) - 2 * plain(0.5, xs) + plain(0.5 - 1e-4, xs)) / 1e-8, rel=1e-4
    )
    assert ad.grad(f)(0.5, xs, 4) != ad.grad(f)(0.5, xs)


def test_a_gradient_of_a_python_function_within_a_step():
    energy = lambda q: (q**4).sum() / 4

    def f(q):
        def leap(q, p):
            p = p - 0.1 * ad.grad(energy(q), q)
            return q + 0.1 * p, p

        return ad.scan(leap, outputs_info=[q, ad.zeros(3)], n_steps=5)[0]

    check_gradients(f, [normal(3)])


# ---- many examples


def model(x, h, w):
    s, y = ad.scan(lambda x, s: (ad.tanh(s * w + x), s * x), sequences=x, outputs_info=[h, None])
    return ad.concatenate([s, y])


SHAPES = {"x": (4,), "h": (), "w": ()}


@pytest.mark.parametrize("over, size", [
    (over, size)
    for k, over in some(enumerate(["x", "h", "w", "xh", "xw", "hw", "xhw"]), 3)
    for size in some([5, None], 2, turn=k)
])  # fmt: skip
def test_a_loop_for_every_example(over, size):
    symbols = {k: ad.tensor(k, shape=s if size else (None,) * len(s)) for k, s in SHAPES.items()}
    y = model(**symbols)
    stage = ad.vectorize(y, [symbols[k] for k in over], size)
    at = {k: 0.5 * normal(*(5,) * (k in over), *s) for k, s in SHAPES.items()}
    one = lambda k: {n: v[k] if n in over else v for n, v in at.items()}
    wanted = np.array([value(y, **one(k)) for k in range(5)])
    np.testing.assert_allclose(value(stage.output, **at), wanted, 1e-14)
    inputs = ad.Graph(stage.output).inputs
    run = ad.function(inputs, stage.output)
    np.testing.assert_allclose(run(*[at[i.name] for i in inputs]), wanted, 1e-13, 1e-15)
    for k in over:
        (i,) = [i for i in inputs if i.name == k]
        slope = value(ad.grad((stage.output**2).sum(), i), **at)
        rows = [value(ad.grad((y**2).sum(), symbols[k]), **one(n)) for n in range(5)]
        np.testing.assert_allclose(slope, rows, 1e-12, 1e-14)


def test_gradients_for_every_example():
    x, h, w = (ad.tensor(k, shape=s) for k, s in SHAPES.items())
    slope = ad.grad(model(x, h, w).sum(), w)
    each = ad.vectorize(slope, [x], 3).output
    at = {"x": normal(3, 4), "h": 0.3, "w": 0.8}
    wanted = [value(slope, **(at | {"x": row})) for row in at["x"]]
    np.testing.assert_allclose(value(each, **at), wanted, 1e-13)


def test_many_examples_of_many_examples():
    x, h, w = (ad.tensor(k, shape=s) for k, s in SHAPES.items())
    rows = ad.vectorize(model(x, h, w), [x], 3)
    (xs,) = [i for i in rows.after.inputs if i.name == "x"]
    tables = ad.vectorize(rows.output, [xs, w], 2)
    at = {"x": normal(2, 3, 4), "h": 0.3, "w": normal(2)}
    wanted = [
        [value(model(x, h, w), x=row, h=0.3, w=k) for row in table]
        for table, k in zip(at["x"], at["w"])
    ]
    np.testing.assert_allclose(value(tables.output, **at), wanted, 1e-13)


def test_states_that_vary_only_later():
    """The first state is the same for all examples, and a state that forgets where it began."""
    x, h = ad.vector("x", shape=3), ad.scalar("h")
    p, q = ad.scan(lambda x, p, q: (p + x, p * 0 + 2.0), sequences=x, outputs_info=[0.0, h])
    for over in ("x", "h", "xh"):
        many = ad.vectorize([p, q], [i for i in (x, h) if i.name in over], 4)
        at = {i.name: normal(*(4,) * (i.name in over), *i.type.shape) for i in (x, h)}
        for k in range(4):
            one = {n: v[k] if n in over else v for n, v in at.items()}
            for found, wanted in zip(many.outputs, (p, q)):
                row = value(found, **at)[k]
                np.testing.assert_array_equal(row, value(wanted, **one))


def test_an_end_that_differs_from_example_to_example_is_refused():
    x, u = ad.vector("x"), ad.scalar("u")
    y = ad.scan(lambda x: (x * 2, ad.until(x > u)), sequences=x)
    for over in ([x], [u]):
        with pytest.raises(TypeError, match="another number of steps for each example"):
            ad.vectorize(y, over)
    n, p = ad.scalar("n", dtype="int64"), ad.scalar("p")
    y = ad.scan(lambda s: s * p, outputs_info=1.0, n_steps=n)
    with pytest.raises(TypeError, match="another number of steps for each example"):
        ad.vectorize(y, n)
    y = ad.scan(lambda x: x * 2, sequences=x, n_steps=n)
    with pytest.raises(TypeError, match="another number for each example"):
        ad.vectorize(y, n)
    same = ad.vectorize(ad.scan(lambda s: s * p, outputs_info=1.0, n_steps=n), p, 3).output
    assert value(same, p=[1.0, 2, 3], n=2).shape == (3, 2)


def test_an_end_that_is_the_same_for_all_examples():
    x, p = ad.vector("x"), ad.scalar("p")
    y = ad.scan(lambda x: (x * p, ad.until(x > 1)), sequences=x)
    found = value(ad.vectorize(y, p, 2).output, x=[0.0, 1, 2, 3], p=[1.0, 10.0])
    np.testing.assert_array_equal(found, [[0, 1, 2], [0, 10, 20]])


def test_python_functions_for_every_example():
    f = lambda w, x: ad.scan(lambda x, h: np.tanh(h * w + x), sequences=x, outputs_info=0.0)[-1]
    xs = normal(5, 4)
    found = ad.vectorize(f, in_axes=(None, 0))(0.5, xs)
    slopes = ad.vectorize(ad.grad(f), in_axes=(None, 0))(0.5, xs)
    for k, row in enumerate(xs):
        h = 0.0
        for x in row:
            h = np.tanh(h * 0.5 + x)
        assert found[k] == pytest.approx(h, rel=1e-14)
        assert slopes[k] == pytest.approx(ad.grad(f)(0.5, row), rel=1e-13)
