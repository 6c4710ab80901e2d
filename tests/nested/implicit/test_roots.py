"""Roots: their values, and derivatives of every order and mode, at random equations."""

import warnings

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.nested.implicit import numbers
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric
SEEDS = range(4)
SHAPES = [(), (1,), (4,), (2, 3)]
a = ad.scalar("a")


def equation(rng, shape):
    """A function that is monotone in x, and so has one root, whatever c is."""
    n = int(np.prod(shape, dtype=int))
    A = rng.normal(size=(n, n)) / (3 * n + 1)

    def f(x, c):
        mixed = ad.reshape(ad.constant(A) @ ad.reshape(ad.sin(x), (n,)), shape)
        return x**3 + 2 * x + mixed - c * ad.cos(c)

    return f


@pytest.mark.parametrize(
    "seed, shape",
    [(s, shape) for s in some(SEEDS, 2) for shape in some(SHAPES, 6, turn=s)],
    ids=str,
)
def test_it_solves_the_equation_and_differences_agree(seed, shape):
    rng = np.random.default_rng(seed)
    f, c = equation(rng, shape), np.array(rng.normal(size=shape))
    start = np.array(rng.normal(size=shape))
    x = ad.root(lambda x: f(x, ad.constant(c)), start)
    assert abs(ad.evaluate(f(x, ad.constant(c)))).max(initial=0) < 1e-13
    ad.verify_grad(lambda c: ad.root(lambda x: f(x, c), start), [c], rng=seed)


@pytest.mark.each("shape", some(SHAPES, 3), ids=str)
def test_modes_agree_in_first_and_second_order(shape):
    rng = np.random.default_rng(7)
    f = equation(rng, shape)
    c = ad.tensor("c", shape=shape)
    value, t = rng.normal(size=shape), rng.normal(size=shape)
    x = ad.root(lambda x: f(x, c), np.zeros(shape))
    cost = ad.sum(ad.sin(x) * rng.normal(size=shape))
    slope = ad.grad(cost, c)
    ahead = ad.evaluate(ad.pushforward(cost, c, t), {c: value})
    assert np.isclose(ahead, ad.evaluate(ad.sum(slope * t), {c: value}), rtol=1e-12)
    forward_over_reverse = ad.evaluate(ad.pushforward(slope, c, t), {c: value})
    reverse_over_forward = ad.evaluate(ad.grad(ad.pushforward(cost, c, t), c), {c: value})
    reverse_over_reverse = ad.evaluate(ad.grad(ad.sum(slope * t), c), {c: value})
    np.testing.assert_allclose(forward_over_reverse, reverse_over_forward, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(forward_over_reverse, reverse_over_reverse, rtol=1e-10, atol=1e-13)


def test_orders_one_to_five_of_a_square_root():
    x = ad.root(lambda x: x * x - a, 1.0)
    exact, factor = x, 1.0
    for order in range(5):
        factor *= 0.5 - order
        x = ad.grad(x, a)
        wanted = factor * 2.0 ** (0.5 - order - 1)
        assert np.isclose(ad.function([a], x)(2.0), wanted, rtol=1e-12)
    assert np.isclose(ad.evaluate(exact, {a: 2.0}), np.sqrt(2), rtol=1e-15)


def test_the_symbolic_derivative_is_the_same():
    x = ad.root(lambda x: ad.exp(x) + x - a, 0.0)
    stage = ad.symbolic_derivative(x, a)
    assert np.isclose(stage.evaluate({a: 1.0}), 0.5, rtol=1e-14)


@pytest.mark.filterwarnings("ignore:An ill-conditioned")  # within SciPy's own method
@pytest.mark.each("method", ["hybr", "lm", "krylov", "anderson", "broyden1", "df-sane"])
def test_every_method_finds_the_root_and_has_its_derivative(method):
    c = ad.vector("c", shape=3)
    A = np.random.default_rng(1).normal(size=(3, 3)) / 5
    x = ad.root(lambda x: x + ad.tanh(A @ x) - c, np.zeros(3), method=method, tol=1e-9)
    value = np.array([0.1, 0.7, -0.3])
    found, slope = ad.function([c], [x, ad.jacobian(x, c)])(value)
    np.testing.assert_allclose(found + np.tanh(A @ found), value, atol=1e-7)
    matrix = np.eye(3) + (1 - np.tanh(A @ found) ** 2)[:, None] * A
    np.testing.assert_allclose(slope @ matrix, np.eye(3), atol=1e-7)


@pytest.mark.each("scale", [1e-20, 1e-8, 1.0, 1e8, 1e20])
def test_the_scale_of_the_equation_and_of_x_does_not_matter(scale):
    f = ad.function([a], ad.root(lambda x: scale * (x * x - a), 1.5))
    assert np.isclose(f(2.0), np.sqrt(2), rtol=1e-14)
    with pytest.raises(ad.ConvergenceError):
        f(-1.0)


@pytest.mark.each("dtype", ["float32", "float64"])
def test_the_dtype_is_that_of_the_equation(dtype):
    b = ad.scalar("b", dtype=dtype)
    x = ad.root(lambda x: x * x - b, 1.0)
    slope = ad.grad(x, b)
    assert x.dtype == slope.dtype == dtype
    found = ad.function([b], [x, slope])(np.dtype(dtype).type(2))
    assert all(v.dtype == dtype for v in found)
    eps = np.finfo(dtype).eps
    np.testing.assert_allclose(found, [2**0.5, 0.5 / 2**0.5], rtol=4 * eps)


def test_what_it_begins_with():
    v = ad.vector("v", shape=3)
    many = ad.root(lambda x: x * v - 1, 1)
    assert many.type.shape == (3,)
    np.testing.assert_allclose(ad.evaluate(many, {v: [1.0, 2.0, 4.0]}), [1, 0.5, 0.25])
    whole = ad.root(lambda x: x * x - 2, [1, -1])
    np.testing.assert_allclose(ad.evaluate(whole), [2**0.5, -(2**0.5)])
    assert ad.evaluate(ad.root(lambda x: x * x - 2, np.zeros(0))).shape == (0,)


@pytest.mark.each("n", [1, 2, 5])
def test_lengths_that_are_not_known(n):
    v = ad.vector("v")
    x = ad.root(lambda x: x**3 + x - v, v)
    f = ad.function([v], [x, ad.grad(ad.sum(x), v), ad.hessian(ad.sum(x), v)])
    value = np.linspace(-1, 2, n)
    found, slope, second = f(value)
    np.testing.assert_allclose(found**3 + found, value, atol=1e-14)
    np.testing.assert_allclose(slope, 1 / (3 * found**2 + 1), rtol=1e-12)
    curve = -6 * found / (3 * found**2 + 1) ** 3
    np.testing.assert_allclose(second, np.diag(curve), rtol=1e-12, atol=1e-14)


def test_arguments_are_given_or_found():
    given = ad.root(lambda x, p, q: x * x - p * q, 1.0, args=(a, 2.0))
    assert given.op == ad.root(lambda x, p: x * x - p * 2.0, 1.0, args=a).op
    assert np.isclose(ad.evaluate(ad.grad(given, a), {a: 8.0}), 0.25)


def test_many_unknowns_need_no_matrix(monkeypatch):
    """Above a number of unknowns GMRES solves for the derivative, and agrees with LAPACK."""
    n, rng = 40, np.random.default_rng(3)
    c = ad.vector("c", shape=n)
    A = rng.normal(size=(n, n)) / (3 * n)
    x = ad.root(lambda x: x + x**3 + A @ x - c, np.zeros(n))
    value = rng.normal(size=n)
    dense = ad.evaluate(ad.grad(ad.sum(x), c), {c: value})
    monkeypatch.setattr(numbers, "DENSE", 10)
    monkeypatch.setattr(numbers, "by_matrix", None)
    sparse = ad.evaluate(ad.grad(ad.sum(x), c), {c: value})
    np.testing.assert_allclose(sparse, dense, rtol=1e-9)


def test_equal_equations_are_equal_operations():
    one, other = ad.root(lambda x: x * x - a, 1.0), ad.root(lambda z: z * z - a, 1.0)
    assert one.op == other.op and hash(one.op) == hash(other.op)
    assert one.op != ad.root(lambda x: x * x - a, 1.0, tol=1e-5).op
    assert one.op != ad.fixed_point(lambda x: x * x - a, 1.0).op
    assert str(ad.simplify(one + other).output) == "2 * root(1, a)"


@pytest.mark.parametrize("seed", some(SEEDS, 8))
def test_the_operation_passes_its_own_check(seed):
    rng = np.random.default_rng(seed)
    f = equation(rng, (2,))
    c = ad.vector("c", shape=2)
    op = ad.root(lambda x: f(x, c), np.zeros(2)).op
    assert op.check(np.zeros(2), rng.normal(size=2)).ok


FLAT = {  # f, and points where it is 0, and all around them
    "underflow": (lambda x: x * np.exp(-x * x), (30.0, -40.0, 1e3)),
    "constant": (lambda x: np.maximum(x, 0.0), (-1.0, -5.0)),
    "stairs": (lambda x: np.floor(x), (0.5, 0.3)),
}
STEEP = {  # f, and points from which a search finds a root of its
    "square": (lambda x: x * x - 2, (1.0, 3.0, 2**0.5)),
    "double": (lambda x: (x - 1) ** 2, (1.0, 1.5)),
    "small": (lambda x: 1e-12 * (x - 3), (3.0, 5.0)),
    "large": (lambda x: 1e12 * (x**3 - 8), (2.0, 5.0)),
}
METHODS = ("hybr", "lm", "krylov", "broyden1", "df-sane")


@pytest.mark.parametrize("method", some(METHODS, 8))
def test_a_guess_at_a_flat_place_is_no_root_without_a_word(method):
    """One unknown or several, at points drawn from those where f is flat, and where it is not."""
    draw = np.random.default_rng(1)
    for kind, (f, points) in [*FLAT.items(), *STEEP.items()]:
        for shape in ((), (3,)):
            begin = draw.choice(points, size=shape)
            small_to_it = kind == "small" and method not in ("hybr", "lm")  # it knows no slope
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                try:
                    found = ad.evaluate(ad.root(f, begin, method=method))
                except ad.ConvergenceError:
                    continue
            told = [w for w in told if "f is flat" in str(w.message)]
            if kind in FLAT or small_to_it:
                assert told, (kind, method, begin, found)
                assert "where it began" in str(told[0].message) or small_to_it
            else:
                assert not told, (kind, method, begin, found)
