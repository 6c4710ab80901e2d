"""A branch for several examples: against a loop over them, with conditions that differ or not."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

POINTS = {
    "both": np.array([1.0, -2.0, 4.0, -0.5]),
    "all": np.array([1.0, 2.0, 0.5, 3.0]),
    "none": np.array([-1.0, -2.0, -0.5, -3.0]),
    "one": np.array([2.0]),
    "no example": np.array([]),
}
rng = np.random.default_rng(0)
V = rng.normal(size=(4, 3))
W = rng.normal(size=(3, 3))


def own(x, v, w):
    """A condition for each example; both sides are nan or inf where they are not meant."""
    a, b = ad.cond(x > 0, (ad.log(x) * (w @ v), ad.sqrt(x)), (ad.sqrt(-x) * v, ad.sum(w) * x))
    return ad.sum(a * a) + b


def common(x, v, w):
    """One condition for all examples."""
    return ad.cond(ad.sum(w) > 0, ad.sum(w @ v) * x, ad.exp(x) * ad.sum(v))


def rows(f, xs, vs, w):
    return [f(x, v, w) for x, v in zip(xs, vs)]


SIDES = [(f, sign) for f in (own, common) for sign in (1, -1)]


@pytest.mark.parametrize(
    "name, f, sign",
    [(name, *s) for k, name in some(enumerate(POINTS), 3) for s in some(SIDES, 4, turn=k)],
)
def test_values_and_derivatives_against_a_loop(name, f, sign):
    xs, w = POINTS[name], sign * W
    vs = V[: len(xs)]
    each = ad.vectorize(f, in_axes=(0, 0, None))
    one = ad.value_and_grad(f, argnums=(0, 1, 2))
    expected = [one(x, v, w) for x, v in zip(xs, vs)]
    np.testing.assert_allclose(each(xs, vs, w), [y for y, _ in expected], rtol=1e-12)
    total = ad.grad(lambda x, v, w: ad.sum(each(x, v, w)), argnums=(0, 1, 2))(xs, vs, w)
    slopes = [np.array([g[k] for _, g in expected]) for k in range(3)]
    np.testing.assert_allclose(total[0], slopes[0].reshape(xs.shape), rtol=1e-10)
    np.testing.assert_allclose(total[1], slopes[1].reshape(vs.shape), rtol=1e-10)
    np.testing.assert_allclose(total[2], slopes[2].reshape(-1, 3, 3).sum(0), rtol=1e-10)


@pytest.mark.parametrize("name", some(POINTS, 8))
def test_symbols_with_unknown_lengths(name):
    xs = POINTS[name]
    x, v, w = ad.vector("x"), ad.matrix("v"), ad.matrix("w")
    made = ad.vectorize(own, in_axes=(0, 0, None))(x, v, w)
    given = {x: xs, v: V[: len(xs)], w: W}
    expected = [ad.evaluate(ad.constant(0.0) + own(*map(ad.constant, row)))
                for row in zip(xs, V, [W] * 4)]  # fmt: skip
    np.testing.assert_allclose(ad.evaluate(made, given), expected, rtol=1e-12)
    slope = ad.grad(ad.sum(made), x)
    run = ad.function([x, v, w], slope)(*given.values())
    np.testing.assert_allclose(run, ad.evaluate(slope, given), rtol=1e-12)
    assert np.isfinite(run).all()


def test_second_order_and_no_nan():
    def total(x):
        return ad.sum(ad.vectorize(lambda x: ad.cond(x > 0, ad.log(x), ad.sqrt(-x)))(x))

    for xs in POINTS.values():
        bend = np.where(xs > 0, -1 / xs**2, -0.25 * np.abs(xs) ** -1.5)
        np.testing.assert_allclose(ad.hessian(total)(xs), np.diag(bend), rtol=1e-12)


def test_batches_of_batches():
    grid = np.array([[1.0, -2.0, 3.0], [0.5, 1.0, 2.0], [-1.0, -2.0, -3.0], [-1.0, 4.0, -1.0]])
    inner = ad.vectorize(lambda x, y: ad.cond(x > y, ad.log(x - y), ad.sqrt(y - x) * y))
    outer = ad.vectorize(inner)
    ys = np.zeros((4, 3)) + 0.25
    plain = lambda x, y: np.log(x - y) if x > y else np.sqrt(y - x) * y
    expected = [[plain(x, y) for x, y in zip(*row)] for row in zip(grid, ys)]
    np.testing.assert_allclose(outer(grid, ys), expected, rtol=1e-14)
    slope = ad.grad(lambda x: ad.sum(outer(x, ys)))(grid)
    gap = np.abs(grid - ys)
    exact = np.where(grid > ys, 1 / gap, -0.125 / np.sqrt(gap))
    np.testing.assert_allclose(slope, exact, rtol=1e-12)


def test_jacobians():
    def f(x):
        return ad.cond(x[0] > 0, ad.exp(x) * x[0], ad.sin(x)[::-1])

    for at in (np.array([1.0, 2.0]), np.array([-1.0, 2.0])):
        found = [ad.jacobian(f, mode=mode)(at) for mode in ("reverse", "forward")]
        a, b = at
        first = np.array([[np.exp(a) * (a + 1), 0], [np.exp(b), np.exp(b) * a]])
        second = np.array([[0, np.cos(b)], [np.cos(a), 0]])
        for one in found:
            np.testing.assert_allclose(one, first if a > 0 else second, rtol=1e-12)


def test_a_side_that_raises_sees_no_example_that_is_not_meant_for_it():
    def f(a):
        return ad.cond(ad.det(a) > 0, ad.sum(ad.cholesky(a)), ad.sum(a))

    good, bad = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    for stack in ([good, bad, 2 * good], [bad, bad], [good, good], [bad, good]):
        found = ad.vectorize(f)(np.array(stack))
        np.testing.assert_allclose(found, [float(ad.vectorize(f)(a[None])[0]) for a in stack])


def test_a_batch_of_loops_with_branches():
    def last(xs, s):
        step = lambda x, s: ad.cond(x > s, s + ad.sqrt(x - s), s * x)
        return ad.scan(step, sequences=xs, outputs_info=s)[-1]

    xs, starts = rng.normal(size=(3, 5)), rng.normal(size=3)
    both = ad.vectorize(ad.value_and_grad(last, argnums=(0, 1)))
    values, slopes = both(xs, starts)
    for k in range(3):
        value, slope = ad.value_and_grad(last, argnums=(0, 1))(xs[k], starts[k])
        np.testing.assert_allclose(values[k], value, rtol=1e-12)
        np.testing.assert_allclose(slopes[0][k], slope[0], rtol=1e-12)
        np.testing.assert_allclose(slopes[1][k], slope[1], rtol=1e-12)
