"""Functions that are symmetric in eigenvalues have second derivatives where some coincide.

The judge is the same function, written of the matrix without its eigenvalues.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws

pytestmark = [pytest.mark.numeric, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

A = ad.matrix("A", shape=(3, 3))
S = (A + A.T) / 2
w = ad.eigvalsh(S)
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
}  # fmt: skip


def hessian(f, mode):
    """The second derivatives as a function of the matrix."""
    slope = ad.grad(f, A)
    slope = slope if mode is None else ad.simplify(slope, mode=mode).output
    return ad.function(A, ad.jacobian(slope, A), simplify=mode, on_unused_input="ignore")


@pytest.mark.each("name", PAIRS)
@pytest.mark.parametrize("mode", [None, "ieee", "safe", "real"])
def test_second_derivatives_at_coinciding_eigenvalues(name, mode):
    f, g = PAIRS[name]
    second, judge = hessian(f, mode), hessian(g, None)
    slopes = [ad.function(A, ad.grad(h, A), simplify=mode) for h in (f, g)]
    rng = np.random.default_rng(1)
    for k in range(draws(20)):
        q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        q = np.eye(3) if k % 4 == 0 else q
        a, b = rng.uniform(0.5, 3, 2)
        values = ([a, a, a], [a, a, b], [a, b, a + b], [a, a * (1 + 10.0 ** -(k % 16)), b])[k % 4]
        at = q * values @ q.T
        np.testing.assert_allclose(slopes[0](at), slopes[1](at), 1e-9, 1e-9)
        found, wanted = second(at), judge(at)
        np.testing.assert_allclose(found, wanted, 1e-6, 1e-6 * np.abs(wanted).max())


def test_what_has_no_second_derivative_has_none():
    for f in (w[0], ad.sum(w * np.array([1.0, 2.0, 3.0])), ad.max(w)):
        assert np.isnan(hessian(f, None)(2 * np.eye(3))).any()
