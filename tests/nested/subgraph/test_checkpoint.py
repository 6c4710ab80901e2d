"""`checkpoint`: a function whose intermediate results are computed again on the way back."""

import functools
import tracemalloc
import typing

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import is_short, some


def layers(h, w, n=4):
    for _ in range(n):
        h = ad.exp(ad.sin(h @ w)) + 0.1 * h
    return h


def bits(values):
    return [np.asarray(v).tobytes() for v in values]


@pytest.fixture
def leaves():
    return ad.matrix("h"), ad.matrix("w")


@pytest.fixture
def at(rng):
    return rng.normal(size=(5, 3)), rng.normal(size=(3, 3))


# ---- the same numbers


@pytest.mark.each("mode", some(["safe", "ieee", None], 2))
def test_value_and_gradients_are_those_of_the_function_to_the_bit(leaves, at, mode):
    h, w = leaves
    found = []
    for f in (layers, ad.checkpoint(layers)):
        y = f(h, w)
        run = ad.function([h, w], [y, *ad.grad((y * y).sum(), [h, w])], simplify=mode)
        found.append(bits(run(*at)))
    assert found[0] == found[1]


def test_what_is_taken_from_outside_has_the_same_gradient(leaves, at):
    """Inputs, shared values, and nodes that stand for something computed outside."""
    h, w = leaves
    scale, shift = ad.shared(1.5, name="scale"), ad.shared(np.ones(3), name="shift")

    def cost(wrap):
        twice = w * scale
        return (wrap(lambda h: layers(h, twice) + shift)(h) ** 2).sum()

    found = []
    for wrap in (lambda f: f, ad.checkpoint):
        slopes = ad.grad(cost(wrap), [h, w, scale, shift])
        found.append(ad.function([h, w], slopes)(*at))
    for one, other in zip(*found):
        np.testing.assert_allclose(one, other, rtol=1e-13)


def test_checkpoints_within_checkpoints(leaves, at):
    h, w = leaves
    inner = ad.checkpoint(lambda h: layers(h, w, 2))
    middle = ad.checkpoint(lambda h: inner(inner(h)))
    outer = ad.checkpoint(lambda h: middle(inner(h)))
    forms = [outer(h), layers(h, w, 6)]
    found = [ad.function([h, w], ad.grad(e.sum(), [h, w]))(*at) for e in forms]
    for one, other in zip(*found):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("order", [2, 3])
def test_higher_orders(order):
    x = ad.scalar("x")
    found = []
    for f in (lambda x: ad.exp(ad.sin(x) * x), ad.checkpoint(lambda x: ad.exp(ad.sin(x) * x))):
        e = f(x)
        for _ in range(order):
            e = ad.grad(e, x)
        found.append(ad.function(x, e)(0.7))
    assert found[0] == pytest.approx(found[1], rel=1e-13)


def test_draws_are_the_same_when_computed_again():
    """With and without parameters that are computed within."""
    rng = ad.RandomStream(5)
    x = ad.vector("x", shape=4)

    @ad.checkpoint
    def noisy(x):
        return x * rng.normal(size=4) + ad.exp(rng.normal(loc=ad.sin(x)))

    y = noisy(x)
    run = ad.function(x, [y, ad.grad(y.sum(), x)])
    zero = np.zeros(4)
    (y1, slope1), (y2, slope2) = run(zero), run(zero)
    assert (y1 != y2).all() and (slope1 != slope2).all()
    noise = slope1 - y1  # d/dx = first + cos(x) · second, and y = second, at x = 0
    rerun = ad.function(x, [y, ad.grad(y.sum(), x)])
    assert not np.allclose(noise, 0) and not np.allclose(rerun(zero)[0], y1)


# ---- with everything else


def test_inside_grad_of_a_function_and_called_with_arrays(at):
    f = ad.checkpoint(layers)
    cost = lambda h, w: (f(h, w) ** 2).sum()
    wanted = ad.grad(lambda h, w: (layers(h, w) ** 2).sum(), argnums=(0, 1))(*at)
    for one, other in zip(ad.grad(cost, argnums=(0, 1))(*at), wanted):
        np.testing.assert_allclose(one, other, rtol=1e-13)
    np.testing.assert_allclose(f(*at), ad.function([], layers(*map(ad.constant, at)))())


def test_arguments_that_are_no_arrays_stay_what_they_are(leaves, at):
    h, w = leaves
    f = ad.checkpoint(layers)
    for y in (f(h, w, 2), f(h, w, n=2)):
        plain = layers(h, w, 2)
        assert bits([ad.function([h, w], y)(*at)]) == bits([ad.function([h, w], plain)(*at)])


class Layer:
    """An object that is called, and that holds a parameter."""

    def __init__(self, w):
        self.w = w

    def __call__(self, h):
        return layers(h, self.w)


def test_whatever_can_be_called(leaves, at):
    """Objects, methods, partial functions; parameters by name or in containers."""
    h, w = leaves
    by_key = ad.checkpoint(lambda h, *, w: layers(h, w))
    in_dict = ad.checkpoint(lambda h, weights: layers(h, weights["w"]))
    forms = [
        layers(h, w),
        ad.checkpoint(Layer(w))(h),
        ad.checkpoint(Layer(w).__call__)(h),
        ad.checkpoint(functools.partial(layers, w=w))(h),
        by_key(h, w=w),
        in_dict(h, {"w": w}),
    ]
    first, *others = (bits(ad.function([h, w], ad.grad(y.sum(), [h, w]))(*at)) for y in forms)
    assert others == [first] * 5


@pytest.mark.each("kind", [list, tuple])
def test_several_results(kind, leaves, at):
    h, w = leaves
    found = ad.checkpoint(lambda h: kind([h @ w, h, ad.tanh(h)]))(h)
    assert type(found) is kind and len(found) == 3
    slopes = ad.grad(sum(e.sum() for e in found), [h, w])
    wanted = ad.grad((h @ w + h + ad.tanh(h)).sum(), [h, w])
    for one, other in zip(*(ad.function([h, w], e)(*at) for e in (slopes, wanted))):
        np.testing.assert_allclose(one, other, rtol=1e-13)


class Pair(typing.NamedTuple):
    """Two results with names."""

    sine: ad.Expr
    cosine: ad.Expr


def test_what_it_returns():
    x = ad.scalar("x")
    found = ad.checkpoint(lambda x: Pair(ad.sin(x), ad.cos(x)))(x)
    assert isinstance(found, Pair) and ad.evaluate(found.sine, {x: 0.0}) == 0.0
    for wrong in ({"y": x}, "x"):
        with pytest.raises(TypeError, match="<lambda> must return an expression"):
            ad.checkpoint(lambda x, wrong=wrong: wrong)(x)
    with pytest.raises(TypeError, match="returned None: write `return` before its result"):
        ad.checkpoint(lambda x: None)(x)


def test_what_it_takes_from_outside_may_change_later():
    """So it is an expression, and no number, that comes of numbers alone."""
    w = ad.shared(2.0, name="w")
    y = ad.checkpoint(lambda x: x * w)(3.0)
    run = ad.function([], [y, ad.grad(y, w)])
    assert run() == [6.0, 3.0]
    w.set_value(5.0)
    assert run() == [15.0, 3.0]
    assert ad.checkpoint(lambda x: x * 2)(3.0) == 6.0


def test_in_a_step_of_a_loop_in_batches_and_in_jacobians():
    w, h = ad.scalar("w"), ad.scalar("h")
    step = ad.checkpoint(lambda h: ad.tanh(w * h + 0.5))
    last = ad.scan(step, outputs_info=h, n_steps=10)[-1]
    slope = ad.function([w, h], ad.grad(last, w))(0.7, 0.1)
    assert slope == pytest.approx(0.42019691477789956, rel=1e-14)  # SYLLABUS 15
    many = ad.vectorize(lambda h, w: ad.checkpoint(lambda h: ad.tanh(w * h))(h), in_axes=(0, None))
    np.testing.assert_allclose(many(np.arange(3.0), 0.5), np.tanh(np.arange(3) / 2), rtol=1e-15)
    v = ad.vector("v")
    squares = ad.checkpoint(lambda v: v * v)(v)
    for mode in ("forward", "reverse"):
        jacobian = ad.function(v, ad.jacobian(squares, v, mode=mode))(np.arange(3.0))
        np.testing.assert_array_equal(jacobian, np.diag(2 * np.arange(3.0)))


def test_simplification_does_not_undo_it(leaves):
    """What is computed again stays within its box, and is not merged with the first time."""
    h, w = leaves
    y = ad.checkpoint(layers)(h, w)
    run = ad.function([h, w], [y, *ad.grad(y.sum(), [h, w])])
    assert {"layers", "pullback of layers"} <= set(run.graph.counts)
    assert run.source.count("np.exp") == 2 * 4


# ---- less memory


def peak(run, x):
    """The most memory that is taken at once, in arrays like x."""
    run(x[:2])
    tracemalloc.start()
    try:
        run(x)
        return tracemalloc.get_traced_memory()[1] / x.nbytes
    finally:
        tracemalloc.stop()


def chain(x, n):
    for _ in range(n):
        x = ad.sin(x) * 1.01
    return x


def gradient(f):
    x = ad.vector("x")
    return ad.function(x, ad.grad(f(x).sum(), x))


def by_root(x, n=100, size=10):
    """A checkpoint after every ten of a hundred steps."""
    part = ad.checkpoint(lambda x: chain(x, size))
    for _ in range(n // size):
        x = part(x)
    return x


def halves(x, n):
    """Checkpoints within checkpoints: each of two halves is computed again by itself."""
    if n <= 4:
        return chain(x, n)
    half = ad.checkpoint(lambda x: halves(x, n // 2))
    return halves(half(x), n - n // 2)


def test_a_gradient_takes_less_memory():
    """All states of a chain; those of ten beginnings and of one part; a few for each halving."""
    x, n = np.linspace(-1, 1, 30_000), 50 if is_short() else 100
    plain = gradient(lambda x: chain(x, n))
    root, log = gradient(lambda x: by_root(x, n)), gradient(lambda x: halves(x, n))
    assert peak(plain, x) > 0.9 * n
    assert peak(root, x) < 12 + n / 10
    assert peak(log, x) < 12
    for less in (root, log):
        np.testing.assert_allclose(less(x), plain(x), rtol=1e-11)


def test_memory_of_several_layers_with_parameters():
    """A network whose hidden layers are wide: their activations are not kept."""
    h, w = ad.vector("h"), ad.scalar("w")
    wide = lambda h: ad.tanh(ad.sin(ad.exp(ad.cos(h * w))))
    found = {}
    for name, wrap in (("plain", lambda f: f), ("checkpoint", ad.checkpoint)):
        y = h
        for _ in range(8):
            y = wrap(wide)(y)
        run = ad.function([h, w], ad.grad(y.sum(), [h, w]))
        found[name] = peak(lambda x, run=run: run(x, 0.5), np.linspace(0, 1, 30_000))
    assert found["checkpoint"] < 0.5 * found["plain"]
