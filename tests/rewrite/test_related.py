"""Random products of functions that have to do with each other, and of what only looks like it:
softmax beside sums along other axes, σ(x) beside 2 + e^x, e^x beside its length. Values stay."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, some


def factors(x, y):
    """In a matrix x, of which y is another."""
    e = ad.exp(x)
    rows = [ad.softmax(x, axis=a) for a in (0, 1, (0, 1))]
    sums = [ad.sum(e, axis=a, keepdims=k) for a in (0, 1, (0, 1)) for k in (True, False)]
    sums = [s for s in sums if s.type.shape != (2,)]  # which does not stand beside x
    spread = [ad.expand_dims(ad.sum(e, axis=1), axis=1), ad.broadcast_to(ad.sum(e), (2, 3))]
    near = [e + 1, 1 + e, e + 2, e + ad.exp(2 * x), e + y, 1 + ad.exp(-x), abs(e), ad.sum(abs(e))]
    slopes = [ad.sigmoid(x), ad.sigmoid(-x), ad.sigmoid(y), ad.exp(y), ad.exp(-x), 1 / e]
    lengths = [ad.norm(e), ad.sqrt(ad.sum(ad.square(e), axis=0)), ad.norm(x, axis=1, keepdims=True)]
    others = [
        x,
        y,
        ad.sin(x),
        ad.cos(x),
        ad.tan(x),
        ad.cosh(x),
        ad.sinh(x),
        ad.square(x),
        ad.abs(x),
    ]
    return [e, e, *rows, *rows, *sums, *spread, *near, *slopes, *lengths, *others]


@pytest.mark.parametrize("mode", some(["ieee", "safe", "real"], 2))
def test_products_of_related_functions(mode):
    rng = np.random.default_rng(0)
    x, y = ad.matrix("x", shape=(2, 3)), ad.matrix("y", shape=(2, 3))
    at = {x: rng.uniform(0.3, 1.2, (2, 3)), y: rng.uniform(0.3, 1.2, (2, 3))}
    known = factors(x, y)
    for _ in range(draws(300)):
        product = x * 0 + 1 if rng.random() < 0.1 else known[rng.integers(2)]
        for k in rng.integers(len(known), size=rng.integers(1, 5)):
            power = known[k] if rng.random() < 0.7 else ad.square(known[k])
            product = product * power if rng.random() < 0.5 else product / power
        found = ad.evaluate(ad.simplify(product, mode=mode), at)
        np.testing.assert_allclose(found, ad.evaluate(product, at), 1e-9, err_msg=str(product))


def terms(x, y):
    e = ad.exp(x)
    logs = [ad.log(x), ad.log(x * y), ad.log(1 + e), ad.log(ad.sum(e, axis=0)), ad.logsumexp(x)]
    soft = [ad.log_softmax(x, axis=0), ad.softmax(x, axis=1), ad.sigmoid(x), ad.log(ad.sigmoid(x))]
    squares = [ad.square(f(x)) for f in (ad.sin, ad.cos, ad.cosh, ad.sinh, ad.tanh)]
    quotients = [x / (x + y), y / (x + y), 1 / (x + y), 1 / x, x / y, ad.cosh(x), (x - y) ** 2]
    return [x, y, e, 1 / e, *logs, *soft, *squares, *quotients, ad.sum(x), ad.norm(x), 1 - y]


@pytest.mark.parametrize("mode", some(["ieee", "safe", "real"], 2))
def test_sums_of_products_of_related_terms(mode):
    rng = np.random.default_rng(1)
    x, y = ad.matrix("x", shape=(2, 3)), ad.matrix("y", shape=(2, 3))
    at = {x: rng.uniform(0.3, 1.2, (2, 3)), y: rng.uniform(0.3, 1.2, (2, 3))}
    known = terms(x, y)
    for _ in range(draws(250)):
        total = 0
        for _ in range(rng.integers(2, 5)):
            a, b, c = (known[k] for k in rng.integers(len(known), size=3))
            term = (a, a * b, a / b, a * b / c)[rng.integers(4)]
            total = total + term if rng.random() < 0.5 else total - term
        found = ad.evaluate(ad.simplify(total, mode=mode), at)
        np.testing.assert_allclose(found, ad.evaluate(total, at), 1e-9, 1e-9, err_msg=str(total))


def test_what_cancels_in_a_bracket_is_not_taken_out_again():
    x, y = ad.matrix("x", shape=(2, 3)), ad.matrix("y", shape=(2, 3))
    total = ad.log_softmax(x, axis=0) * y - y / (x + y) * (1 - ad.tanh(x) * ad.tanh(x))
    stage = ad.simplify(total, mode="real")  # which ended with RewriteLoopError
    assert not ad.simplify(stage, mode="real").steps
