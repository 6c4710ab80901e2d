"""Two ways to differentiate what is iterated: through the steps, or by the equation."""

import tracemalloc

import numpy as np
import pytest

import autodiff_edu as ad

pytestmark = pytest.mark.numeric
a = ad.scalar("a")


def babylonian(x, t):
    return (t + x / t) / 2


def unrolled(x, steps, start):
    t = start
    for _ in range(steps):
        t = babylonian(x, t)
    return t


def test_newtons_square_root():
    """SYLLABUS 5H: errors of the derivative after t = (1 + x)/2 and N steps."""
    known = [0.146, 7.56e-3, 1.25e-5, 1.84e-11]
    exact = 0.5 / np.sqrt(2)
    ends = [unrolled(a, n, (1 + a) / 2) for n in range(6)]
    errors = [abs(ad.evaluate(ad.grad(t, a), {a: 2.0}) - exact) for t in ends]
    np.testing.assert_allclose(errors[:4], known, rtol=5e-3)
    assert max(errors[4:]) <= 1e-15
    t = ad.fixed_point(lambda t: babylonian(a, t), (1 + a) / 2)
    assert abs(ad.function([a], ad.grad(t, a))(2.0) - exact) <= 1e-15


def test_orders_of_the_errors():
    """At a point that is off by e, the equation gives a derivative that is off by e/4. The steps
    that led there give one that is off by more: the factor doubles with each step of Newton's, and
    grows by a constant with each step of a contraction."""
    steps = {"newton": babylonian, "contraction": lambda x, t: t - (t * t - x) / 4}
    exact, factors = 0.5 / np.sqrt(2), {}
    for name, step in steps.items():
        t, rows = step(a, ad.constant(1.5)), []
        for _ in range(3):
            point, through = ad.function([a], [t, ad.grad(t, a)])(2.0)
            off = point - np.sqrt(2)
            assert np.isclose((exact - 0.5 / point) / off, 0.25, rtol=0.02)
            rows.append((exact - through) / off)
            t = step(a, t)
        factors[name] = rows
    doubled = np.divide(factors["newton"][1:], factors["newton"][:-1])
    np.testing.assert_allclose(doubled, 2, rtol=0.03)
    np.testing.assert_allclose(np.diff(factors["contraction"]), 0.56, rtol=0.1)


def test_memory_does_not_grow_with_the_steps():
    """The gradient through a loop keeps every state; that of the equation none of them."""
    n = 2_000
    c = ad.vector("c", shape=n)
    value = np.linspace(0.5, 1.0, n)

    def step(x):
        return x / 2 + ad.tanh(c * x) / 4 + 0.1 * c

    def peak(y):
        f = ad.function([c], ad.grad(ad.sum(y), c))
        f(value)
        tracemalloc.start()
        f(value)
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top / (8 * n)

    few, more = [peak(ad.scan(step, outputs_info=0.5 * c, n_steps=m)[-1]) for m in (20, 220)]
    assert more - few > 190
    assert peak(ad.fixed_point(step, 0.5 * c)) < 60


def test_the_ridge_hypergradient():
    """SYLLABUS 5G: the loss on other data by the strength of the penalty."""
    from sklearn.datasets import load_diabetes  # not when tests are collected: half a second

    X, y = load_diabetes(return_X_y=True)
    y = y - y.mean()
    strength = ad.scalar("strength")

    def slope(w):
        return X[:300].T @ (X[:300] @ w - y[:300]) + strength * w

    w = ad.root(slope, np.zeros(10))
    loss = ad.mean((X[300:] @ w - y[300:]) ** 2) / 2
    f = ad.function([strength], [loss, ad.grad(loss, strength)])
    known = {
        0.01: (1407.3632863731586, 85.23252583142981),
        0.1: (1391.8609387502293, -78.8884544902128),
        1.0: (1594.4008574141496, 258.8884446218399),
    }
    for at, wanted in known.items():
        np.testing.assert_allclose(f(at), wanted, rtol=1e-9)
