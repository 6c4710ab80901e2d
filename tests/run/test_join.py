"""The stage `join` of `function`: quicker forms that programs alone use."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.rewrite import FOR_PROGRAMS


def names_of_stages(f):
    return [stage.name for stage in f.stages]


def squares(rng, n):
    """A sum of two squares with random numbers before them, which are written in several ways."""
    x, y = ad.vector("x", shape=n), ad.vector("y", shape=n)
    c, d = rng.choice([1.0, 1.5, 100.0, 0.5, -2.0], 2)
    ways = [c * x**2 + d * y * y, d * ad.square(y) + c * x * x, c * (x * x) - (-d) * y**2]
    return [x, y], ad.sum(ways[rng.integers(3)])


@pytest.mark.parametrize("seed", range(40))
def test_sums_of_squares_are_the_same_numbers(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 3, 16, 50, 1000, 100_000]))
    inputs, y = squares(rng, n)
    values = [rng.normal(size=n) * 10.0 ** rng.integers(-3, 4) for _ in range(2)]
    found = ad.function(inputs, [y, *ad.grad(y, inputs)])(*values)
    expected = ad.function(inputs, [y, *ad.grad(y, inputs)], simplify=None)(*values)
    size = sum(np.vdot(v, v) for v in values) * 200
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12, atol=1e-14 * size)
    for a, b in zip(found[1:], expected[1:], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13)


@pytest.mark.parametrize("n, joined", [(3, False), (1000, True)])
def test_long_sums_of_squares_become_dot_products(n, joined):
    x, y = ad.vector("x", shape=n), ad.vector("y", shape=n)
    f = ad.function([x, y], ad.sum(100 * x * x + y * y))
    assert (f.source.count("np.dot") == 2) is joined
    assert ("join" in names_of_stages(f)) is joined


def test_what_may_cancel_stays_one_sum():
    x, y = ad.vector("x", shape=1000), ad.vector("y", shape=1000)
    for cost in (100 * x * x - y * y, x * x + y, 0.5 * x * x + y * y):
        assert "np.dot" not in ad.function([x, y], ad.sum(cost)).source


@pytest.mark.parametrize("shape", [(), (7,), (3, 4)])
def test_a_slope_of_sigmoid_takes_one_exp(shape):
    x, v = ad.tensor("x", shape=shape), ad.tensor("v", shape=shape)
    slope = ad.grad(ad.sum(ad.grad(ad.sum(ad.softplus(x)), x) * v), x)
    f = ad.function([x, v], slope)
    assert "sigmoid_slope(" in f.source and names_of_stages(f)[-2:] == ["join", "generate"]
    values = [np.random.default_rng(0).normal(size=shape) for _ in range(2)]
    plain = ad.function([x, v], slope, simplify="ieee")
    assert "sigmoid_slope" not in plain.source
    np.testing.assert_allclose(f(*values), plain(*values), rtol=1e-14)


def test_the_slope_far_out():
    x = ad.vector("x", shape=7)
    f = ad.function(x, ad.sigmoid(x) * ad.sigmoid(-x))
    found = f([-np.inf, -800, -50, 0, 50, np.inf, np.nan])
    small = np.exp(-50.0)
    np.testing.assert_allclose(found, [0, 0, small, 0.25, small, 0, np.nan], rtol=1e-14)


def test_a_part_of_a_slope_is_found():
    x, v = ad.vector("x", shape=5), ad.vector("v", shape=5)
    f = ad.function([x, v], (ad.exp(v) * ad.sigmoid(2 * x)) * ad.sigmoid(-2 * x))
    assert "sigmoid_slope(" in f.source


@pytest.mark.parametrize("d", [2.0, -0.5, 1024.0, 3.0, 0.1])
def test_a_number_over_a_scaled_array_is_one_division(d):
    x = ad.vector("x", shape=50)
    f, plain = (ad.function(x, 5 / (d * x), simplify=mode) for mode in ("safe", None))
    exact = d not in (3.0, 0.1)
    assert ("join" in names_of_stages(f)) is exact
    value = np.random.default_rng(0).normal(size=50)
    np.testing.assert_allclose(f(value), plain(value), rtol=1e-15)
    if exact:
        np.testing.assert_array_equal(f(value), plain(value))


@pytest.mark.parametrize("shapes", [((30, 4), (4, 50)), ((50, 4), (4, 30)), ((4, 30), (30, 4))])
def test_a_number_goes_into_the_smaller_factor(shapes):
    A, B = (ad.tensor(word, shape=shape) for word, shape in zip("AB", shapes, strict=True))
    f = ad.function([A, B], 3 + 2 * (A @ B))
    plain = ad.function([A, B], 3 + 2 * (A @ B), simplify=None)
    assert ("join" in names_of_stages(f)) is (shapes[0] != (4, 30))
    values = [np.random.default_rng(0).normal(size=shape) for shape in shapes]
    np.testing.assert_array_equal(f(*values), plain(*values))
    f = ad.function([A, B], [2 * (A @ B), ad.exp(A @ B)])  # which is needed as it is, too
    assert f.source.count("@ ") == 1


def test_other_simplification_does_not_use_these_rules():
    x = ad.vector("x", shape=100)
    y = ad.sum(ad.square(x) + ad.square(ad.sin(x)))
    assert not {rule.name for rule in FOR_PROGRAMS} & {rule.name for rule in ad.RULES}
    assert not ad.simplify(y, final=True).steps


def test_joining_ends_and_is_done_once():
    x, y = ad.vector("x", shape=100), ad.vector("y", shape=100)
    f = ad.function([x, y], ad.sum(2 * x * x + 3 * y * y) + ad.sum(x * x + y * y))
    again = ad.simplify(f.graph, rules=FOR_PROGRAMS, final=True)
    assert not again.steps
