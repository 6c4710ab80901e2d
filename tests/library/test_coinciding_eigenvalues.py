"""Functions that are symmetric in eigenvalues or singular values have derivatives where some
coincide, or differ by rounding alone; what depends on the choice of a vector has none.

The judge is the same function, written of the matrix without its eigenvalues.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, some

pytestmark = [pytest.mark.numeric, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

A = ad.matrix("A", shape=(3, 3))
S = (A + A.T) / 2
w, v = ad.eigh(S)
INVERSE = ad.inv(S)
PAIRS = {
    "log": (ad.sum(ad.log(w)), ad.log(ad.det(S))),
    "cubes": (ad.sum(w**3), np.trace(S @ S @ S)),
    "inverses": (ad.sum(1 / w), np.trace(INVERSE)),
    "mean of squares": (ad.mean(ad.square(w)), np.trace(S @ S) / 3),
    "norm": (ad.norm(w), ad.norm(S)),
    "log of a sum": (ad.log(ad.sum(w * w)) * ad.sum(w), ad.log(np.trace(S @ S)) * np.trace(S)),
    "two sums": (ad.sum(w**2) * ad.sum(1 / w**2), np.trace(S @ S) * np.trace(INVERSE @ INVERSE)),
    "eigenvalues twice": (ad.sum(ad.eigvalsh(S) * w), np.trace(S @ S)),
    "a potential": (ad.sum(w - ad.log(w) - 1), np.trace(S) - ad.log(ad.det(S)) - 3),
    "product": (ad.prod(w), ad.det(S)),
    "product of functions": (ad.prod(w * w + 1), ad.det(S @ S + np.eye(3))),
    "a product with itself": (w @ w * ad.prod(w), np.trace(S @ S) * ad.det(S)),
    "absolute values": (ad.sum(ad.abs(w)), np.trace(S)),
    "those above a number": (ad.sum(ad.where(w > 0.1, w**3, 0)), np.trace(S @ S @ S)),
    "clipped": (ad.sum(ad.maximum(w, 0.1) ** 2), np.trace(S @ S)),
}  # fmt: skip
MODES = (None, "ieee", "safe", "real")


def after(mode, y):
    return y if mode is None else ad.simplify(y, mode=mode).output


def slopes(f, x, mode, orders=(1, 2)):
    """The first and second derivatives as a function of the matrix."""
    slope = after(mode, ad.grad(f, x))
    both = [slope, ad.jacobian(slope, x) if 2 in orders else slope]
    return ad.function(x, both[: len(orders)], simplify=mode, on_unused_input="ignore")


def values(rng, k):
    """Three that coincide, all or two of them, or that nearly do."""
    a, b = rng.uniform(0.5, 3, 2)
    near = a * (1 + 10.0 ** -rng.uniform(4, 17))
    return ([a, a, a], [a, a, b], [a, near, b], [a, near, a + b], [a, near, 2 * a - near])[k % 5]


def symmetric(rng, k):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    q = np.eye(3) if k % 4 == 0 else q
    return q * values(rng, k) @ q.T


def agree(f, x, points, orders=(1, 2), modes=MODES, tolerance=1e-10):
    """Has one function the derivatives of the other at these points?"""
    for mode in modes:
        one, other = (slopes(h, x, mode, orders) for h in f)
        for at in points:
            for found, wanted in zip(one(at), other(at), strict=True):
                size = np.abs(wanted).max() + 1e-3
                np.testing.assert_allclose(found, wanted, atol=tolerance * size, err_msg=mode)


@pytest.mark.each("name", some(PAIRS, 8))
def test_functions_of_all_eigenvalues(name):
    rng = np.random.default_rng(1)
    modes = some(MODES, 4, turn=[*PAIRS].index(name))
    agree(PAIRS[name], A, [symmetric(rng, k) for k in range(draws(40))], modes=modes)


# ---- singular values


def polar(x):
    """u·vᵀ, by Newton's iteration."""
    y = x / ad.norm(x)
    for _ in range(16):
        y = 1.5 * y - 0.5 * (y @ y.T @ y)
    return y


def gram(x):
    m, n = x.type.shape
    return x.T @ x if m >= n else x @ x.T


def of_singular_values(x):
    s, p, g = ad.svdvals(x), polar(x), gram(x)
    return {
        "sum": (ad.sum(s), ad.sum(p * x)),
        "square of the sum": (ad.norm(x, "nuc") ** 2, ad.sum(p * x) ** 2),
        "product": (ad.prod(s), ad.sqrt(ad.det(g))),
        "logs": (ad.sum(ad.log(s)), ad.log(ad.det(g)) / 2),
        "fourth powers": (ad.sum(s**4), np.trace(g @ g)),
        "norm": (ad.norm(s), ad.norm(x)),
    }


def rectangular(rng, shape, k):
    q, r = (np.linalg.qr(rng.normal(size=(n, n)))[0][:, :3] for n in shape)
    return q * values(rng, k) @ r.T


SHAPES = [(3, 3), (4, 3), (3, 4)]


@pytest.mark.each("name, shape", [
    (name, shape)
    for k, name in some(enumerate(of_singular_values(A)), 4) for shape in some(SHAPES, 3, turn=k)
])  # fmt: skip
def test_functions_of_all_singular_values(name, shape):
    rng, x = np.random.default_rng(2), ad.matrix("x", shape=shape)
    points = [rectangular(rng, shape, k) for k in range(draws(25))]
    modes = some([None, "safe"], 2, turn=len(name) + SHAPES.index(shape))
    agree(of_singular_values(x)[name], x, points, modes=modes)


# ---- functions of matrices, made of vectors

B, b = np.arange(9.0).reshape(3, 3), np.array([1.0, -2.0, 3.0])
ROOT = v * ad.sqrt(w)
FUNCTIONS = {
    "inverse": ((v / w) @ v.T, INVERSE),
    "inverse of those above a number": ((v * ad.where(w > 0.1, 1 / w, 0)) @ v.T, INVERSE),
    "squares": (v @ (w[:, None] ** 2 * v.T), S @ S),
    "cubes, by a diagonal": (v @ np.diag(w**3) @ v.T, S @ S @ S),
    "of a root": (ROOT @ ROOT.T, S),
    "with a sum": ((v * (w + ad.sum(w * w))) @ v.T, S + np.trace(S @ S) * np.eye(3)),
    "two": (v * w @ v.T @ B @ (v / w) @ v.T, S @ B @ INVERSE),
    "less another": (v * w @ v.T - (v / w) @ v.T, S - INVERSE),
    "times a vector": ((v @ ((v.T @ b) / w))[:, None] * B, (INVERSE @ b)[:, None] * B),
    "a vector times": (((b @ v) * w) @ v.T * B, b @ S * B),
    "projector": (v @ v.T, S @ INVERSE),
}


@pytest.mark.each("name", some(FUNCTIONS, 4))
def test_first_slopes_of_functions_of_symmetric_matrices(name):
    rng = np.random.default_rng(3)
    points = [symmetric(rng, k) for k in range(draws(25))]
    costs = lambda f: ad.sum(B * f), lambda f: ad.norm(f) + ad.sum(ad.sin(f))
    for cost in some(costs, 2, turn=[*FUNCTIONS].index(name)):
        pair = [cost(f) for f in FUNCTIONS[name]]
        modes = some([None, "safe"], 2, turn=len(name))
        agree(pair, A, points, orders=[1], modes=modes, tolerance=1e-9)


@pytest.mark.each("shape", some(SHAPES, 3))
def test_first_slopes_of_functions_of_rectangular_matrices(shape):
    rng, x = np.random.default_rng(4), ad.matrix("x", shape=shape)
    u, s, vh = ad.svd(x, full_matrices=False)
    c = rng.normal(size=shape)
    points = [rectangular(rng, shape, k) for k in range(draws(25))]
    p = polar(x)
    for k, (f, g) in some(enumerate([
        (u * s @ vh, x), (u @ (s[:, None] * vh), x), (u @ np.diag(s) @ vh, x), (u @ vh, p),
        (u * s**3 @ vh, x @ x.T @ x),
        (u * s @ vh + ad.sum(s * s) * (u @ vh), x + ad.sum(x * x) * p),
    ]), 3, turn=SHAPES.index(shape)):  # fmt: skip
        for cost in some([ad.norm, lambda f: ad.sum(c * f)], 2, turn=k):
            modes = some((None, "safe"), 2, turn=k // 2)
            agree([cost(f), cost(g)], x, points, orders=[1], modes=modes, tolerance=1e-9)


def test_stacks_are_their_matrices():
    rng = np.random.default_rng(5)
    x = ad.tensor3("x", shape=(2, 3, 3))
    l, q = ad.eigh((x + ad.matrix_transpose(x)) / 2)
    u, s, vh = ad.svd((x + ad.matrix_transpose(x)) / 2)
    points = np.stack([symmetric(rng, k) for k in range(2)])
    weights = np.array([1.0, 3.0])
    T = ad.matrix_transpose
    inverse = lambda l, q, u, s, vh: (q / l[..., None, :]) @ T(q)
    itself = lambda l, q, u, s, vh: u * s[..., None, :] @ vh
    costs = [  # and whether the second derivatives are compared, too
        (lambda l, *_: ad.sum(ad.log(l), axis=-1), True),
        (lambda l, *_: ad.prod(l, axis=-1), True),
        (lambda l, *_: ad.norm(l, axis=-1), True),
        (lambda l, q, u, s, vh: ad.sum(s, axis=-1), True),
        (lambda *parts: ad.sum(ad.sin(inverse(*parts)), axis=(-2, -1)), False),
        (lambda *parts: ad.norm(itself(*parts), axis=(-2, -1)), False),
    ]
    for cost, twice in costs:
        first = ad.grad(ad.sum(weights * cost(l, q, u, s, vh)), x)
        one = ad.grad(cost(w, v, *ad.svd(S)), A)
        both = [[e, ad.grad(ad.sum(e * e), y)][: twice + 1] for e, y in ((first, x), (one, A))]
        stack, matrix = ad.function(x, both[0]), ad.function(A, both[1])
        for k, factor in enumerate(weights):
            pairs = zip(stack(points), matrix(points[k]), (factor, factor**2))
            for found, wanted, times in pairs:
                np.testing.assert_allclose(found[k], times * wanted, 1e-11, 1e-11)


# ---- what is undefined, or not seen to be defined

BOTH = np.ones((2, 3))
UNSEEN = {
    "rows added up": (ad.sum(ad.sum(BOTH * w, axis=0) ** 2), 4 * np.trace(S @ S)),
    "pairs": (ad.sum((w[:, None] + w) ** 2), 6 * np.trace(S @ S) + 2 * np.trace(S) ** 2),
    "squares of running sums": (ad.cumsum(w)[-1] ** 2, np.trace(S) ** 2),
    "a slice": (ad.sum(w[:2] ** 2) + w[2] ** 2, np.trace(S @ S)),
}


@pytest.mark.each("name", some(UNSEEN, 4))
def test_what_is_not_seen_is_nan_and_never_wrong(name):
    rng = np.random.default_rng(7)
    for mode in (None, "safe"):
        one, other = (slopes(f, A, mode)(2 * np.eye(3)) for f in UNSEEN[name])
        np.testing.assert_allclose(one[0], other[0], 1e-12, 1e-12)
        seen = np.isfinite(one[1])
        np.testing.assert_allclose(one[1][seen], other[1][seen], 1e-12, 1e-12)
        at = symmetric(rng, 1)
        one, other = (slopes(f, A, mode)(at) for f in UNSEEN[name])
        seen = np.isfinite(one[1])
        np.testing.assert_allclose(one[1][seen], other[1][seen], 1e-9, 1e-9)


@pytest.mark.parametrize("mode", some(MODES, 4, turn=1))
def test_what_depends_on_the_choice_of_vectors_has_no_slope(mode):
    u, s, vh = ad.svd(S)
    first = [
        ad.sum(B * v),
        ad.sum(v[:, 1] ** 3),
        ad.sum((B @ v) * v * b),
        ad.sum(u[:, 1] * vh[0]),
        ad.sum(u * b @ vh * B),
    ]
    second = [w[0], ad.sum(w * np.array([1.0, 2.0, 3.0])), ad.max(w), s[0], s[0] * s[1]]
    rng = np.random.default_rng(6)
    nearly = [1, 1, 1], [1, 1, 1 + 3e-16], [1 - 2e-16, 1, 1 + 5e-16]
    for near in some(nearly, 2, turn=MODES.index(mode) // 2):
        q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        at = 2 * np.eye(3) if near[2] == 1 else q * (2 * np.array(near)) @ q.T
        for f in first:
            found = ad.function(A, after(mode, ad.grad(f, A)), simplify=mode)(at)
            assert np.isnan(found).any(), (str(f), near)
        for f in second:
            assert np.isnan(slopes(f, A, mode)(at)[1]).any(), (str(f), near)
