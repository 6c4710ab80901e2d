"""Logarithms of mixtures, as everyone writes them, are finite far from all centres, and so are
their slopes: weights, constants and quotients stand inside the sum, before or behind e^x."""

import itertools

import numpy as np
import pytest
from scipy.special import logsumexp

import autodiff_edu as ad
from tests.helpers.depth import draws, some

pytestmark = pytest.mark.numeric

W, M, S = np.array([0.2, 0.5, 0.3]), np.array([0.0, 1.0, 4.0]), np.array([1.0, 0.5, 2.0])
X = np.array([200.0, -300.0, 1.0, 1e4])
C = np.sqrt(2 * np.pi)
FAR = np.array([200.0, -300.0, 1e3])


def square(x, m, s):
    return -0.5 * ((x[:, None] - m) / s) ** 2


WAYS = {  # the densities at each x, for weights w, centres m and widths s
    "all over": lambda x, w, m, s: np.sum(w * np.exp(square(x, m, s)) / (s * C), axis=1),
    "constant inside": lambda x, w, m, s: np.sum(w * (1 / C / s * np.exp(square(x, m, s))), axis=1),
    "exp first": lambda x, w, m, s: np.sum(np.exp(square(x, m, s)) / s * w, axis=1) / C,
    "weights over widths": lambda x, w, m, s: np.sum(w / (C * s) * np.exp(square(x, m, s)), 1),
    "a product": lambda x, w, m, s: (np.exp(square(x, m, s)) / (C * s)) @ w,
    "a product with widths": lambda x, w, m, s: np.exp(square(x, m, s)) @ (w / s) / C,
    "mean": lambda x, w, m, s: np.mean(3 * w / (C * s) * np.exp(square(x, m, s)), axis=1),
    "average": lambda x, w, m, s: np.average(np.exp(square(x, m, s)) / (s * C), 1, w) * np.sum(w),
    "average of columns": lambda x, w, m, s: np.sum(w) * np.average(
        (np.exp(square(x, m, s)) / (s * C)).T, axis=0, weights=w
    ),
    "transposed": lambda x, w, m, s: np.sum((w * np.exp(square(x, m, s)) / (s * C)).T, axis=0),
    "columns": lambda x, w, m, s: np.sum(
        np.exp(square(x, m, s)).T * (w / (s * C))[:, None], axis=0
    ),
    "columns times numbers": lambda x, w, m, s: np.sum(
        np.exp(square(x, m, s).T) * w[:, None] / (s[:, None] * C), axis=0
    ),
    "a vector times": lambda x, w, m, s: w @ (np.exp(square(x, m, s)) / (s * C)).T,
    "a vector times columns": lambda x, w, m, s: (w / s) @ np.exp(square(x, m, s).T) / C,
    "einsum": lambda x, w, m, s: np.einsum("ij,j->i", np.exp(square(x, m, s)) / (s * C), w),
}  # fmt: skip


def exact(x, w, m, s):
    """The logarithms, and the share of each part."""
    terms = square(x, m, s) + np.log(w / (s * C))
    logs = logsumexp(terms, axis=1)
    return logs, np.exp(terms - logs[:, None])


def slopes(x, w, m, s):
    """Of the sum of logarithms: by x, w, m and s."""
    shares = exact(x, w, m, s)[1]
    z = (x[:, None] - m) / s
    return [
        (-shares * z / s).sum(1), shares.sum(0) / w, (shares * z / s).sum(0),
        (shares * (z**2 - 1) / s).sum(0),
    ]  # fmt: skip


@pytest.mark.parametrize("fixed", some([True, False], 2))
@pytest.mark.parametrize("name", some(WAYS, 16))
def test_densities_far_from_all_centres(name, fixed):
    """With numbers for weights, centres and widths, and with inputs of unknown sign."""
    density = WAYS[name]
    wanted = exact(X, W, M, S)[0].sum()
    if fixed:
        value, slope = ad.value_and_grad(lambda x: np.sum(np.log(density(x, W, M, S))))(X)
        found = [slope]
    else:
        f = ad.value_and_grad(lambda *p: np.sum(np.log(density(*p))), argnums=(0, 1, 2, 3))
        value, found = f(X, W, M, S)
    np.testing.assert_allclose(value, wanted, rtol=1e-13)
    for a, b in zip(found, slopes(X, W, M, S)):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-11)


TIMES = some(itertools.product(WAYS, ["before", "between", "after"]), 5)


@pytest.mark.parametrize(
    "name, when, mode",
    [
        (*way, mode)
        for k, way in some(enumerate(TIMES), 3)
        for mode in some(["safe", "real"], 2, turn=k)
    ],
)
def test_simplified_before_between_and_after(name, when, mode):
    x, w, m, s = (ad.vector(letter, shape=3) for letter in "xwms")
    y = ad.sum(ad.log(WAYS[name](x, w, m, s)))
    simple = [lambda e: ad.simplify(e, mode=mode).output, lambda e: e]
    first, then = (simple[when == "after"], simple[when == "before"])
    slope = ad.sum(then(ad.grad(first(y), x)) * ad.constant([1.0, 2.0, 3.0]))
    second = ad.function([x, w, m, s], ad.grad(slope, x), simplify=mode)(FAR, W, M, S)
    h = 1e-3
    above, below = (slopes(FAR + d, W, M, S)[0] for d in (h, -h))
    np.testing.assert_allclose(second, (above - below) / (2 * h) * [1, 2, 3], rtol=1e-6)


@pytest.mark.parametrize("seed", range(draws(40)))
def test_random_factors_of_any_sign(seed):
    """Near 0 the value and the slopes are those of the formula as it stands."""
    draw = np.random.default_rng(seed)
    u, t, A = ad.vector("u", shape=4), ad.vector("t", shape=4), ad.matrix("A", shape=(3, 4))
    forms = [
        lambda: ad.sum(t * ad.exp(A) / u, axis=1), lambda: (u * ad.exp(A)) @ t,
        lambda: ad.sum(-t * ad.exp(u)), lambda: ad.mean(ad.exp(A) * (t * t - 1), axis=1),
        lambda: t @ (ad.exp(A).T / u[:, None]), lambda: ad.sum(ad.exp(u) * t, keepdims=True) / t,
    ]  # fmt: skip
    y = ad.sum(ad.log(forms[seed % len(forms)]() ** 2 if seed % 2 else forms[seed % len(forms)]()))
    slope = ad.grad(y, [u, t, A], disconnected_inputs="ignore")
    at = [draw.normal(size=n) for n in (4, 4, (3, 4))]
    at[1][draw.integers(4)] = 0.0
    with np.errstate(all="ignore"):
        for mode in ("safe", "real"):
            f, g = (
                ad.function([u, t, A], [y, *slope], simplify=m, on_unused_input="ignore")
                for m in (None, mode)
            )
            for a, b in zip(map(np.asarray, f(*at)), map(np.asarray, g(*at)), strict=True):
                told = np.isfinite(a)
                np.testing.assert_allclose(b[told], a[told], rtol=1e-11, atol=1e-12)


def test_nothing_but_zeros_and_infinities():
    t, v = ad.vector("t", shape=2), ad.vector("v", shape=2)
    y = ad.log(ad.sum(t * ad.exp(v)))
    f, g = (ad.function([t, v], y, simplify=mode) for mode in (None, "safe"))
    for weights in ([0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [2.0, np.nan], [1e-300, 1.0]):
        for exponents in ([-np.inf, -np.inf], [0.0, -np.inf], [np.inf, 0.0], [690.0, 0.0]):
            with np.errstate(all="ignore"):
                values = [h(np.array(weights), np.array(exponents)) for h in (f, g)]
            np.testing.assert_allclose(values[1], values[0], rtol=1e-13)
