"""Stabilisation: every naive shape leads to the function made for it, value and gradient are right
where the naive formula fails, and no moderate value becomes worse."""

import numpy as np
import pytest
from scipy import special

import autodiff_edu as ad
from tests.helpers.depth import is_short, some
from tests.helpers.exactly import exactly

pytestmark = pytest.mark.numeric

exp, log, sqrt, where = ad.exp, ad.log, ad.sqrt, ad.where
x, y, t, u = (ad.scalar(name) for name in "xytu")
p = ad.scalar("p", positive=True)
v, w, five = ad.vector("v"), ad.vector("w"), ad.vector("five", shape=5)
A, T = ad.matrix("A"), ad.matrix("T")
S = ad.matrix("S", shape=(3, 3))
labels = ad.vector("labels", dtype="int64")
one_hot = ad.eye(3)[labels]


# ---- every naive shape leads to the stable operation

SHAPES = {
    "log1p": (log(1 + x), ad.log1p(x)),
    "log1p, turned": (log(x + 1), ad.log1p(x)),
    "log1p of minus": (log(1 - x), ad.log1p(-x)),
    "expm1": (exp(x) - 1, ad.expm1(x)),
    "expm1, added": (-1 + exp(x), ad.expm1(x)),
    "minus expm1": (1 - exp(x), -ad.expm1(x)),
    "softplus": (log(1 + exp(x)), ad.softplus(x)),
    "softplus, turned": (log(exp(x) + 1), ad.softplus(x)),
    "softplus, by log1p": (ad.log1p(exp(x)), ad.softplus(x)),
    "softplus, by its twin": (x + log(1 + exp(-x)), x + ad.softplus(-x)),
    "softplus, by logaddexp": (ad.logaddexp(0, x), ad.softplus(x)),
    "softplus of minus": (log(1 + exp(-x)), ad.softplus(-x)),
    "softplus minus x": (log(1 + exp(x)) - x, ad.softplus(-x)),
    "x minus softplus": (x - log(1 + exp(x)), -ad.softplus(-x)),
    "sigmoid": (1 / (1 + exp(-x)), ad.sigmoid(x)),
    "sigmoid, turned": (1 / (exp(-x) + 1), ad.sigmoid(x)),
    "sigmoid of minus": (1 / (1 + exp(x)), ad.sigmoid(-x)),
    "sigmoid, a reciprocal": (ad.reciprocal(1 + exp(-x)), ad.sigmoid(x)),
    "sigmoid, a power": ((1 + exp(-x)) ** -1, ad.sigmoid(x)),
    "sigmoid, a quotient": (exp(x) / (1 + exp(x)), ad.sigmoid(x)),
    "sigmoid, less": (1 - 1 / (1 + exp(x)), ad.sigmoid(x)),
    "sigmoid, by tanh": (0.5 * (1 + ad.tanh(0.5 * x)), ad.sigmoid(x)),
    "sigmoid, half of tanh": ((1 + ad.tanh(x / 2)) / 2, ad.sigmoid(x)),
    "sigmoid of a difference": (exp(x) / (exp(x) + exp(y)), ad.sigmoid(x - y)),
    "log of sigmoid": (log(1 / (1 + exp(-x))), -ad.softplus(-x)),
    "log of one less sigmoid": (log(1 - 1 / (1 + exp(-x))), -ad.softplus(x)),
    "log1p of minus sigmoid": (ad.log1p(-ad.expit(x)), -ad.softplus(x)),
    "logit": (log(x / (1 - x)), ad.logit(x)),
    "logit, a difference": (log(x) - log(1 - x), ad.logit(x)),
    "logit, of one over": (-log(1 / x - 1), ad.logit(x)),
    "logit of sigmoid": (log(ad.sigmoid(x) / (1 - ad.sigmoid(x))), x),
    "logaddexp": (log(exp(x) + exp(y)), ad.logaddexp(x, y)),
    "logaddexp of three": (
        log(exp(x) + exp(y) + exp(t)),
        ad.logaddexp(t, ad.logaddexp(x, y)),
    ),
    "logaddexp with a number": (log(exp(x) + p), ad.logaddexp(x, log(p))),
    "logaddexp2": (ad.log2(ad.exp2(x) + ad.exp2(y)), ad.logaddexp2(x, y)),
    "log of exp over": (log(exp(x) / (y * y)), x - 2 * log(ad.abs(y))),
    "log of a square": (log(x**2), 2 * log(ad.abs(x))),
    "log of cosh twice": (log(exp(x) + exp(-x)), ad.logaddexp(x, -x)),
    "hypot": (sqrt(x**2 + y**2), ad.hypot(x, y)),
    "hypot, by products": (sqrt(x * x + y * y), ad.hypot(x, y)),
    "hypot with one": (sqrt(1 + x * x), ad.hypot(x, 1)),
    "one minus cos": (1 - ad.cos(x), 2 * ad.square(ad.sin(0.5 * x))),
    "one minus cos²": (1 - ad.cos(x) ** 2, ad.square(ad.sin(x))),
    "one minus tanh²": (1 - ad.tanh(x) ** 2, ad.tanh_slope(x)),
    "tanh": ((exp(x) - exp(-x)) / (exp(x) + exp(-x)), ad.tanh(x)),
    "tanh, by e^2x": ((exp(2 * x) - 1) / (exp(2 * x) + 1), ad.tanh(x)),
    "tanh, by e^−2x": ((1 - exp(-2 * x)) / (1 + exp(-2 * x)), ad.tanh(x)),
    "tanh, by one quotient": (2 / (1 + exp(-2 * x)) - 1, ad.tanh(x)),
    "tanh, by sigmoid": (2 * ad.sigmoid(2 * x) - 1, ad.tanh(x)),
    "sinh": ((exp(x) - exp(-x)) / 2, ad.sinh(x)),
    "difference of squares": (x**2 - y**2, (x - y) * (x + y)),
    "roots, by a number": (sqrt(x + 2) - sqrt(x), 2 / (sqrt(x + 2) + sqrt(x))),
    "roots, with one": (sqrt(1 + x) - 1, (sqrt(x + 1) + 1) * ad.tanh(0.25 * ad.log1p(x))),
    "erfc": (1 - ad.erf(x), ad.erfc(x)),
    "erf": (1 - ad.erfc(x), ad.erf(x)),
    "normal distribution": (0.5 * (1 + ad.erf(x)), 0.5 * ad.erfc(-x)),
    "length": (sqrt(ad.sum(v**2)), ad.norm(v)),
    "length, by @": (sqrt(v @ v), ad.norm(v)),
    "lengths of rows": (sqrt(ad.sum(A * A, axis=1)), ad.norm(A, axis=1)),
    "root of mean square": (sqrt(ad.mean(five**2)), ad.norm(five) / np.sqrt(5)),
    "log of product of positives": (log(ad.prod(exp(v) + 1)), ad.sum(ad.softplus(v))),
    "arctanh": (0.5 * log((1 + x) / (1 - x)), ad.arctanh(x)),
    "arctanh, a difference": ((log(1 + x) - log(1 - x)) / 2, ad.arctanh(x)),
    "arcsinh": (log(x + sqrt(x**2 + 1)), ad.arcsinh(x)),
    "arccosh": (log(x + sqrt(x**2 - 1)), ad.arccosh(x)),
    "logsumexp": (log(ad.sum(exp(v))), ad.logsumexp(v)),
    "logsumexp of rows": (log(ad.sum(exp(A), axis=1)), ad.logsumexp(A, axis=1)),
    "logsumexp, kept": (
        log(ad.sum(exp(A), axis=0, keepdims=True)),
        ad.logsumexp(A, axis=0, keepdims=True),
    ),
    "logsumexp, by hand": (
        ad.max(v) + log(ad.sum(exp(v - ad.max(v)))),
        ad.logsumexp(v),
    ),
    "logsumexp of rows, by hand": (
        ad.max(A, axis=1) + log(ad.sum(exp(A - ad.max(A, axis=1)[:, None]), axis=1)),
        ad.logsumexp(A, axis=1),
    ),
    "log mean exp": (log(ad.mean(exp(five))), ad.logsumexp(five) - np.log(5)),
    "softmax": (exp(v) / ad.sum(exp(v)), ad.softmax(v)),
    "softmax, kept": (exp(v) / ad.sum(exp(v), keepdims=True), ad.softmax(v)),
    "softmax, by a factor": (exp(v) * (1 / ad.sum(exp(v))), ad.softmax(v)),
    "softmax of all": (exp(A) / ad.sum(exp(A)), ad.softmax(A, axis=(0, 1))),
    "softmax of rows": (exp(A) / ad.sum(exp(A), axis=1, keepdims=True), ad.softmax(A, axis=1)),
    "softmax of columns": (exp(A) / ad.sum(exp(A), axis=0), ad.softmax(A, axis=0)),
    "softmax, expand_dims": (
        exp(A) / ad.expand_dims(ad.sum(exp(A), axis=1), axis=1),
        ad.softmax(A, axis=1),
    ),
    "softmax, None": (exp(A) / ad.sum(exp(A), axis=1)[:, None], ad.softmax(A, axis=1)),
    "softmax, reshape": (exp(A) / ad.sum(exp(A), axis=1).reshape(-1, 1), ad.softmax(A, axis=1)),
    "softmax, spread": (
        exp(A) / ad.broadcast_to(ad.sum(exp(A), axis=1, keepdims=True), A.shape),
        ad.softmax(A, axis=1),
    ),
    "softmax, by hand": (
        exp(A - ad.max(A, axis=1, keepdims=True))
        / ad.sum(exp(A - ad.max(A, axis=1, keepdims=True)), axis=1, keepdims=True),
        ad.softmax(A, axis=1),
    ),
    "softmax, transposed": (
        (exp(A.T) / ad.sum(exp(A.T), axis=0)).T,
        ad.softmax(A.T, axis=0).T,
    ),
    "log_softmax": (v - log(ad.sum(exp(v))), ad.log_softmax(v)),
    "log_softmax of softmax": (log(exp(v) / ad.sum(exp(v))), ad.log_softmax(v)),
    "log_softmax of rows": (
        A - ad.logsumexp(A, axis=1, keepdims=True),
        ad.log_softmax(A, axis=1),
    ),
    "log_softmax, None": (A - log(ad.sum(exp(A), axis=1))[:, None], ad.log_softmax(A, axis=1)),
    "log_softmax, by hand": (
        v - ad.max(v) - log(ad.sum(exp(v - ad.max(v)))),
        ad.log_softmax(v),
    ),
    "softmax of log_softmax": (exp(ad.log_softmax(v)), ad.softmax(v)),
    "softmax of logsumexp": (exp(v - log(ad.sum(exp(v)))), ad.softmax(v)),
    "one entry": (-log((exp(v) / ad.sum(exp(v)))[2]), -ad.log_softmax(v)[2]),
    "one entry, first": (-log(exp(v[2]) / ad.sum(exp(v))), ad.logsumexp(v) - v[2]),
    "an entry a row": (
        -ad.mean(log((exp(A) / ad.sum(exp(A), axis=1)[:, None])[ad.arange(4), labels])),
        -ad.mean(ad.log_softmax(A, axis=1)[ad.arange(4), labels]),
    ),
}


@pytest.mark.each("name", some(SHAPES, 3))
def test_every_naive_shape_leads_to_the_stable_operation(name):
    naive, wanted = SHAPES[name]
    stage = ad.simplify(naive)
    assert stage.after.same(ad.simplify(wanted, rules=[]).after), stage.output
    assert ad.simplify(stage).steps == ()


# ---- right where the naive formula fails, and not worse where it does not

BIG = [1000.0, 300.0, 40.0, 1e-9, -1e-9, -40.0, -300.0, -1000.0]
SMALL = [1e-9, -1e-9, 3e-17, 1e-150]
NAIVE = {  # a formula of x, and points where its value or its slope is wrong, or nearly
    "log1p": (log(1 + x), SMALL),
    "log1p of minus": (log(1 - x), SMALL),
    "expm1": (exp(x) - 1, [*SMALL, 30.0]),
    "one minus exp": (1 - exp(-x), [*SMALL, 30.0]),
    "log1mexp": (log(1 - exp(x)), [-1e-20, -1e-9, -0.1, -0.69, -0.7, -2.0, -40.0, -700.0]),
    "log of exp minus one": (log(exp(x) - 1), [1e-20, 1e-9, 0.1, 3.0, 40.0, 1000.0]),
    "softplus": (log(1 + exp(x)), BIG),
    "softplus minus x": (log(1 + exp(x)) - x, BIG),
    "sigmoid": (1 / (1 + exp(-x)), BIG),
    "sigmoid, a quotient": (exp(x) / (1 + exp(x)), BIG),
    "sigmoid, less": (1 - 1 / (1 + exp(-x)), BIG),
    "sigmoid, by tanh": (0.5 * (1 + ad.tanh(0.5 * x)), BIG),
    "log of sigmoid": (log(1 / (1 + exp(-x))), BIG),
    "log of sigmoid, quotient": (log(exp(x) / (1 + exp(x))), BIG),
    "log of one less sigmoid": (log(1 - 1 / (1 + exp(-x))), BIG),
    "logit": (log(x / (1 - x)), [0.5 + 1e-9, 0.5 - 3e-12, 1e-200, 1 - 1e-12]),
    "logaddexp": (log(exp(x) + exp(2 * x)), [1000.0, 700.0, -800.0, 40.0]),
    "log of cosh": (log(ad.cosh(x)), [1000.0, -800.0, 1e-9, -1e-5, 0.9, 1.1]),
    "log of a square": (log(x**2), [1e200, -1e200, 1e-200, 1 + 1e-9]),
    "hypot": (sqrt(x**2 + (2 * x) ** 2), [1e200, -1e200, 1e-200]),
    "hypot with one": (sqrt(1 + x * x), [1e200, -1e200, 1e-9]),
    "one minus cos": (1 - ad.cos(x), [1e-9, -1e-5, 1e-150]),
    "one minus cos²": (1 - ad.cos(x) ** 2, [1e-9, -1e-5]),
    "one minus tanh²": (1 - ad.tanh(x) ** 2, [20.0, -40.0, 300.0, 1e-9]),
    "tanh": ((exp(x) - exp(-x)) / (exp(x) + exp(-x)), [*SMALL, 1000.0, -1000.0]),
    "tanh, by e^2x": ((exp(2 * x) - 1) / (exp(2 * x) + 1), [*SMALL, 1000.0, -1000.0]),
    "sinh": ((exp(x) - exp(-x)) / 2, [*SMALL, 700.0]),
    "difference of squares": ((x + 1) ** 2 - x**2, [1e8, 1e9, -1e12]),
    "roots, by a number": (sqrt(x + 2) - sqrt(x), [1e16, 1e9, 1e300]),
    "roots, with one": (sqrt(1 + x) - 1, SMALL),
    "erfc": (1 - ad.erf(x), [3.0, 5.0, 7.0]),
    "normal distribution": (0.5 * (1 + ad.erf(x)), [-3.0, -5.0, -7.0]),
    "arctanh": (0.5 * log((1 + x) / (1 - x)), SMALL),
    "arcsinh": (log(x + sqrt(x**2 + 1)), [*SMALL, -1e9, 1e200, -1e200]),
    "pseudo-Huber": (sqrt(1 + x**2) - 1, [1e-9, 1e-150, 1e200]),
    "a share of exp less itself": (3 * exp(x) - 3, [1e-9, -1e-9, 1e-12]),
    "a share that varies of exp less itself": (3 * x * exp(x) - 3 * x, [1e-9, -1e-9, 1e-12]),
    "three terms with exp": (exp(2 * x) + ad.sin(x) - 1, [1e-9, -1e-9, 1e-12]),
    "log of erfc": (log(ad.erfc(x)), [1e-9, -1e-9, 7.0, 20.0, -5.0]),
    "log of erfc, by erf": (log(1 - ad.erf(-3 * x)), [1e-9, -1e-9, -7.0, 2.0]),
    "log of normal distribution": (log(0.5 * (1 + ad.erf(x / 2**0.5))), [-9.0, -1e-9, 5.0, -0.1]),
    "log of half erfc": (log(ad.erfc(2 * x) / 2), [9.0, 1e-9, -1.5]),
    "one over more less one over": (1 / (x + 1) - 1 / x, [1e8, -1e8, 1e12]),
    "one over less one over less": (1 / x - 1 / (x - 2), [1e8, -1e8, 1e12]),
    "slope of a logistic by expm1": (exp(x) / (exp(x) - 1) ** 2, [30.0, 200.0, -30.0, 0.5]),
}
MODERATE = np.random.default_rng(12).uniform(0.05, 3, 25)


VALUE_ONLY = {"log of a square", "roots, by a number"}  # their slopes stay


def both(naive, wrt=x):
    return [naive, ad.grad(naive, wrt)]


def error(got, exact, dtype="float64"):
    """The distance to the exact value, in units in its last place."""
    unit = np.spacing(np.abs(np.asarray(exact).astype(dtype)))
    return np.abs(np.asarray(got, "longdouble") - exact) / unit


@pytest.mark.parametrize("name", some(NAIVE, 20))
def test_value_and_slope_are_right_where_the_naive_formula_fails(name):
    naive, points = NAIVE[name]
    value, slope = both(naive)
    apart = ad.simplify(value).output, ad.simplify(slope).output
    together = ad.simplify([value, slope]).outputs
    for p in points:
        exact = exactly(value, {x: p}), exactly(slope, {x: p})
        for stable in (apart, together):
            got = ad.evaluate(list(stable), {x: p})
            assert error(got[0], exact[0]) < 20, (name, p, got[0], exact[0])
            if name not in VALUE_ONLY:
                assert error(got[1], exact[1]) < 20, (name, p, got[1], exact[1], stable[1])


@pytest.mark.parametrize("name", some(NAIVE, 30, turn=2))
def test_no_moderate_value_becomes_worse(name):
    naive, _ = NAIVE[name]
    for formula in both(naive):
        stable = ad.simplify(formula).output
        worst = [0.0, 0.0]
        for p in (*MODERATE, *-MODERATE):
            with np.errstate(all="ignore"):
                before, after = ad.evaluate([formula, stable], {x: p})
            if np.isfinite(before):
                exact = exactly(formula, {x: p}, digits=60)
                errors = [error(found, exact) for found in (before, after)]
                worst = np.maximum(worst, errors)
        assert worst[1] <= worst[0] + 4, (name, *worst, stable)


@pytest.mark.each("name", some(NAIVE, 6, turn=4))
def test_finite_values_at_infinite_arguments_are_kept(name):
    naive, _ = NAIVE[name]
    stable = ad.simplify(naive).output
    for p in (np.inf, -np.inf, np.nan):
        with np.errstate(all="ignore"):
            before, after = ad.evaluate([naive, stable], {x: p})
        if np.isfinite(before) or np.isnan(p):
            np.testing.assert_allclose(after, before, rtol=16 * np.finfo(float).eps)


# ---- sums that grow, and what is divided by them

P = exp(v) / ad.sum(exp(v))
cold = exp(v / x) / ad.sum(exp(v / x))


def as_inputs(f):
    return set(ad.simplify(f, rules=[]).after.inputs)


GROWING = {
    "a linear function of softmax": P @ w,
    "of softmin": (exp(-v) / ad.sum(exp(-v))) @ w,
    "of softmax with a temperature": cold @ w,
    "a weighted mean": ad.sum(exp(v) * w) / ad.sum(exp(v)),
    "attention": ad.sum((exp(S) / ad.sum(exp(S), axis=1, keepdims=True)) @ v),
    "the sum of softmax": ad.sum(P),
    "log mean exp": log(ad.mean(exp(v))),
    "log of one and all": log(1 + ad.sum(exp(v))),
    "log of squares": log(ad.sum(ad.square(exp(v)))),
    "one of three": -log(exp(v[0]) / (exp(v[0]) + exp(v[1]) + exp(v[2]))),
    "log of three": log(exp(x) + exp(y) + exp(t)),
    "log of a mean of two": log(0.5 * exp(x) + 0.5 * exp(-x)),
    "log of one more than twice cosh": log(exp(x) + exp(-x) + 1),
    "log of a number and e^x": log(2 + exp(x)),
    "log of one and twice e^x": log(1 + 2 * exp(x)),
    "a share": exp(x) / (2 + exp(x)),
    "log of a difference": log(exp(x) - exp(x - 1)),
    "ELU": where(x > 0, x, exp(x) - 1),
    "ELU, turned": where(x <= 0, exp(x) - 1, x),
    "log of a slope": log(exp(-x) / (1 + exp(-x)) ** 2),
    "rows by reshape": ad.sum(v * log(exp(S) / ad.sum(exp(S), axis=1).reshape(3, 1))),
}
AT = {v: [700.0, 1, -2], w: [0.2, 0.3, 0.5], y: 1.0, t: -800.0}
AT[S] = [[1000.0, 0, 1], [0, 1, 2], [-800, -801, 0]]


@pytest.mark.parametrize("name", some(GROWING, 24))
def test_sums_that_grow_have_values_and_slopes(name):
    naive = GROWING[name]
    wrt = next(leaf for leaf in (S, v, x) if leaf in as_inputs(naive))
    both_at = [naive, ad.grad(naive, wrt)]
    for at in (800.0, -800.0, 0.5, 2.0):
        here = AT | {x: at}
        if "temperature" in name:
            here |= {x: abs(at)}
        for f in both_at:
            used = {leaf: here[leaf] for leaf in as_inputs(f)}
            got = ad.evaluate(ad.simplify(f), used)
            np.testing.assert_allclose(got, exactly(f, used), rtol=1e-12, atol=1e-15)


def test_roots_and_sigmoids_at_the_edge():
    for naive in (sqrt(x + 1) - 1, sqrt(x * x + 1) - 1):
        assert ad.function(x, naive)(np.inf) == np.inf
    assert ad.function(x, log(ad.sigmoid(x) * (1 - ad.sigmoid(x))))(2000.0) == -2000
    assert ad.function(x, exp(x) / (exp(x) - 1) ** 2)(800.0) == 0


@pytest.mark.each("at", some([40.0, -40.0, 400.0, 800.0, -800.0], 4))
@pytest.mark.each("label", some([0.0, 0.3, 1.0], 2))
def test_cross_entropy_by_tanh(at, label):
    s = 0.5 * (1 + ad.tanh(x / 2))
    loss = -(y * log(s) + (1 - y) * log(1 - s))
    for f in both(loss):
        got = ad.evaluate(ad.simplify(f), {x: at, y: label})
        kind = (lambda z: np.logaddexp(0, z)) if f is loss else special.expit
        exact = (1 - label) * kind(at) + (1 if f is loss else -1) * label * kind(-at)
        np.testing.assert_allclose(got, exact, rtol=1e-12, atol=1e-300)


def test_a_slope_over_a_difference_that_overflows():
    for f in both(exp(x) / (exp(x) - 1) ** 2):
        for at in (800.0, -800.0, 400.0):
            got = ad.evaluate(ad.simplify(f), {x: at})
            np.testing.assert_allclose(got, exactly(f, {x: at}), rtol=1e-12, atol=1e-300)


# ---- weighted sums of exponentials, products of many numbers, lengths, tails

tau, TAU = ad.vector("tau", nonnegative=True), ad.matrix("TAU", nonnegative=True)
HOT, MIX = np.array([0, 0, 1.0]), np.array([0, 0.5, 0.25])
SPREAD_OUT = np.array([1000.0, 0, -1000])
ROWS_OUT = np.array([[1000.0, 0, -1000], [3, -2, 1], [-800, 900, 0], [0, 1e-3, 0]])
SHARES = np.array([[0, 0, 1.0], [0.2, 0.5, 0.3], [1, 0, 0], [0.5, 0.5, 0]])
SOFT = {
    "by exp": lambda x, axis: exp(x) / ad.sum(exp(x), axis=axis, keepdims=True),
    "by softmax": lambda x, axis: ad.softmax(x, axis=axis),
}
OF_ONE = {
    "dot": lambda p, t: -log(ad.dot(t, p)),
    "dot, turned": lambda p, t: -3 * log(p @ t),
    "sum": lambda p, t: log(ad.sum(t * p)) + 1,
    "scaled": lambda p, t: log(5 * ad.dot(t, p)),
}
OF_ROWS = {
    "mean of rows": lambda p: -ad.mean(log(ad.sum(TAU * p, axis=1))),
    "rows kept": lambda p: -2 * ad.sum(log(ad.sum(TAU * p, axis=1, keepdims=True))),
    "constant rows": lambda p: -ad.mean(log(ad.sum(SHARES * p, axis=1))),
    "one constant row": lambda p: -ad.mean(log(ad.sum(MIX * p, axis=1))),
    "matrix times vector": lambda p: -ad.mean(log(p @ MIX)),
    "rows with weights": lambda p: -ad.sum(t4 * log(ad.sum(TAU * p, axis=1))),
}
t4 = ad.vector("t4", shape=4)
COLUMNS = ad.softmax(A, axis=0)
WEIGHTED = {
    **{f"{name} {soft}, {kind}": (f(SOFT[soft](v, 0), weights), v)
       for name, f in OF_ONE.items() for soft in SOFT
       for kind, weights in (("one-hot", HOT), ("mixed", MIX), ("declared", tau))},
    **{f"{name} {soft}": (f(SOFT[soft](A, 1)), A) for name, f in OF_ROWS.items() for soft in SOFT},
    "vector times matrix": (-ad.mean(log(np.arange(4.0) @ COLUMNS)), A),
    "columns": (-ad.mean(log(ad.sum(TAU * COLUMNS, axis=0))), A),
    "exponentials": (log(ad.sum(tau * exp(v))), v),
    "a difference": (log(MIX @ exp(v)) - log(ad.sum(exp(v))), v),
    "to the weights": (log(tau @ exp(v / 4)), tau),
}  # fmt: skip
AT_WEIGHTS = {v: SPREAD_OUT, A: ROWS_OUT, tau: HOT, TAU: SHARES, t4: np.arange(4.0)}


@pytest.mark.parametrize("name", some(WEIGHTED, 32))
def test_log_of_a_weighted_sum_of_exponentials(name):
    right_alone_and_together(*WEIGHTED[name], AT_WEIGHTS)


def right_alone_and_together(naive, wrt, given, rtol=1e-12):
    """Value and slope, each for itself and both, simplified in mode safe."""
    wanted = both(naive, wrt)
    apart = [ad.simplify(f, final=True).output for f in wanted]
    together = ad.simplify(wanted, final=True).outputs
    for f, *ways in zip(wanted, together, apart, strict=True):
        exact = exactly(f, {i: given[i] for i in as_inputs(f)})
        for stable in ways:
            needed = {i: given[i] for i in as_inputs(stable)}
            last = 1e-15 * np.max(np.abs(exact), initial=1e-285)  # of the largest entry
            np.testing.assert_allclose(
                ad.evaluate(stable, needed), exact, rtol=rtol, atol=last, err_msg=str(f)
            )


PRODUCTS = {
    "alone": (log(ad.prod(v)), v),
    "inside": (3 * log(ad.prod(v)) + ad.sum(v), v),
    "rows": (ad.mean(log(ad.prod(A, axis=1)) * t4), A),
    "columns": (ad.sum(log(ad.prod(A, axis=0))), A),
    "rows kept": (ad.sum(log(ad.prod(A, axis=1, keepdims=True))), A),
    "all": (log(ad.prod(A)), A),
    "squares": (log(ad.prod(v**2)), v),
    "positives": (log(ad.prod(exp(-ad.square(v)))), v),
}


@pytest.mark.parametrize("size, name", [
    (size, name)
    for turn, name in some(enumerate(PRODUCTS), 5)
    for size in some([1e-90, 1e90, 1.5, -1e-90], 4, turn)
])  # fmt: skip
def test_log_of_a_product_that_underflows(name, size):
    if name == "positives":
        size = np.sign(size) * 30
    rng = np.random.default_rng(5)
    at = {v: rng.uniform(0.5, 2, 30) * size, A: rng.uniform(0.5, 2, (4, 6)) * size}
    right_alone_and_together(*PRODUCTS[name], at | {t4: np.arange(4.0)})


def test_the_sign_of_a_product_is_kept():
    stable = ad.simplify(log(ad.prod(v))).output
    for given in ([-1e-200, 1e-200], [-1.0, 2, 3], [np.nan, 1]):
        assert np.isnan(ad.evaluate(stable, {v: given}))
    assert ad.evaluate(stable, {v: [0.0, 2]}) == -np.inf
    assert ad.evaluate(stable, {v: [-2.0, -3]}) == np.log(2) + np.log(3)


by_rows = A / sqrt(ad.sum(A**2, axis=1, keepdims=True))
LENGTHS = {
    "direction": (ad.sum(w * (v / sqrt(ad.sum(v**2)))), v),
    "direction, by @": (w @ (v / sqrt(v @ v)), v),
    "direction, by norm": (w @ (v / np.linalg.norm(v)), v),
    "length": (5 * sqrt(ad.sum(v * v)) + 1, v),
    "log of length": (log(sqrt(ad.sum(v**2))), v),
    "rows": (ad.mean(S * by_rows), A),
    "rows, None": (3 * ad.mean(S * (A / sqrt(ad.sum(A**2, axis=1))[:, None])), A),
    "columns": (ad.mean(S * (A / sqrt(ad.sum(A**2, axis=0)))), A),
    "all": (ad.sum(S * (A / sqrt(ad.sum(A**2)))), A),
}


@pytest.mark.each("size, name", [
    (size, name)
    for turn, name in some(enumerate(LENGTHS), 5)
    for size in some([1.0, 1e200, 1e-200, 1e160, 1e-160], 3, turn)
])  # fmt: skip
def test_lengths_that_overflow_or_underflow(name, size):
    rng = np.random.default_rng(6)
    given = {v: rng.normal(size=3) * size, A: rng.normal(size=(3, 3)) * size}
    given |= {w: rng.normal(size=3), S: rng.normal(size=(3, 3))}
    right_alone_and_together(*LENGTHS[name], given)


def test_the_tail_of_erfc():
    far, digits = (30.0, 1000) if is_short() else (40.0, 1700)  # erfc(27) is 0 in floating point
    for f in both(log(ad.erfc(x))) + both(3 * ad.mean(log(ad.erfc(v))), v):
        at = {x: far, v: [far, 30.0, -3.0]}
        used = {i: at[i] for i in as_inputs(f)}
        got = ad.evaluate(ad.simplify(f), used)
        np.testing.assert_allclose(got, exactly(f, used, digits), rtol=1e-14, atol=1e-300)


def test_squares_of_other_shapes_are_left():
    for naive in (x * x - v * v, ad.sum(v * v - ad.mean(v) ** 2)):
        assert "difference of squares" not in ad.simplify(naive, mode="real").counts


# ---- single precision


SINGLE = {
    "softplus": lambda z: log(1 + exp(z)),
    "log of sigmoid": lambda z: log(1 / (1 + exp(-z))),
    "log1mexp": lambda z: log(1 - exp(-ad.abs(z))),
    "tanh": lambda z: (exp(z) - exp(-z)) / (exp(z) + exp(-z)),
}


@pytest.mark.parametrize("name", some(SINGLE, 8))
def test_single_precision_stays_single_and_right(name):
    z = ad.scalar("z", dtype="float32")
    naive = SINGLE[name](z)
    stage = ad.simplify(naive)
    assert all(n.dtype == "float32" for n in stage.after.nodes if n.dtype.kind == "f")
    for p in map(np.float32, [-50, -20, -1e-4, 1e-6, 0.5, 3, 8]):
        got = ad.evaluate(stage, {z: p})
        exact = exactly(naive, {z: p})
        assert error(got, exact, "float32") < 20 or abs(exact) < 1e-36, (name, p, got, exact)


# ---- where nothing is gained, or it would be wrong, the formula stays

KEPT = {
    "another sum": exp(v) / ad.sum(exp(w)),
    "rows divided by the sums of columns": exp(S) / ad.sum(exp(S), axis=1),
    "a sum of something else": log(ad.sum(v)),
    "a product of exps and others": log(exp(x) - y * ad.sin(y)),
    "one plus": 1 + x,
    "two plus": log(2 + x),
    "root of a sum": sqrt(x * x + y),
    "difference of roots": sqrt(x) - sqrt(y),
    "one minus square": 1 - ad.square(x),
    "a sum of exps": exp(x) + exp(y),
    "two exps": exp(x) - exp(y),
    "a power less one": (1 + x) ** y - 1,
    "a sum with a number of unknown sign": log(exp(x) + y),
}


@pytest.mark.each("name", KEPT)
def test_where_nothing_is_gained_the_formula_stays(name):
    steps = ad.simplify(KEPT[name]).steps
    phases = {rule.name: rule.phase for rule in ad.RULES}
    assert not [s.rule for s in steps if phases.get(s.rule) == "stabilise"]


# ---- the six: naive softplus and both cross entropies, value and gradient

LOGISTIC = {
    "by exp(-x)": 1 / (1 + exp(-x)),
    "by exp(x)": exp(x) / (1 + exp(x)),
    "by reciprocal": ad.reciprocal(1 + exp(-x)),
    "by sigmoid": ad.sigmoid(x),
}


@pytest.mark.parametrize("name", some(LOGISTIC, 8))
def test_naive_sigmoid_cross_entropy(name):
    s = LOGISTIC[name]
    for naive in (
        -(t * log(s) + (1 - t) * log(1 - s)),
        -t * log(s) - (1 - t) * log(1 - s),
        -t * log(s) - (1 - t) * ad.log1p(-s),
    ):
        f = ad.function([x, t], [naive, ad.grad(naive, x)])
        for at in [(1000, 0), (-1000, 1), (1000, 1), (-1000, 0), (40, 0.25), (-40, 1), (0.3, 0.9)]:
            here = dict(zip((x, t), map(float, at)))
            np.testing.assert_allclose(
                f(*here.values()),
                [exactly(naive, here), exactly(ad.grad(naive, x), here)],
                rtol=1e-14,
                atol=1e-300,
            )


def test_naive_softplus():
    naive = log(1 + exp(x))
    f = ad.function(x, [naive, ad.grad(naive, x)])
    assert f(1000.0) == [1000.0, 1.0]
    assert f(-1000.0) == [0.0, 0.0]
    np.testing.assert_allclose(f(-40.0), [4.248354255291589e-18] * 2, rtol=1e-15)


ROWS = exp(A) / ad.sum(exp(A), axis=1, keepdims=True)
BATCHED = {
    "mean of sums": -ad.mean(ad.sum(T * log(ROWS), axis=1)),
    "sum of all": -ad.sum(T * log(ROWS)),
    "mean of all": -ad.mean(T * log(ROWS)),
    "expand_dims": -ad.sum(T * log(exp(A) / ad.expand_dims(ad.sum(exp(A), axis=1), 1))),
    "columns": -ad.sum(T.T * log(exp(A.T) / ad.sum(exp(A.T), axis=0))),
    "by logsumexp": -ad.sum(T * (A - log(ad.sum(exp(A), axis=1, keepdims=True)))),
    "by hand": -ad.sum(
        T
        * log(
            exp(A - ad.max(A, axis=1, keepdims=True))
            / ad.sum(exp(A - ad.max(A, axis=1, keepdims=True)), axis=1, keepdims=True)
        )
    ),
}
LOGITS = np.array([[1000.0, 0, 0], [-1000, 0, 3], [0.5, -0.25, 1], [800, 801, -900]])
TARGETS = np.array([[0, 1.0, 0], [1, 0, 0], [0.2, 0.3, 0.5], [0, 0, 1]])


@pytest.mark.parametrize("name", some(BATCHED, 8))
def test_naive_softmax_cross_entropy_of_a_batch(name):
    naive = BATCHED[name]
    slope = ad.grad(naive, A)
    f = ad.function([A, T], [naive, slope])
    at = {A: LOGITS, T: TARGETS}
    value, gradient = f(LOGITS, TARGETS)
    np.testing.assert_allclose(value, exactly(naive, at), rtol=1e-14)
    for got in (gradient, ad.evaluate(ad.simplify(slope), at)):
        np.testing.assert_allclose(got, exactly(slope, at), rtol=1e-13, atol=1e-15)


def test_naive_softmax_cross_entropy():
    naive = -ad.sum(w * log(exp(v) / ad.sum(exp(v))))
    slope = ad.grad(naive, v)
    at = {v: [1000.0, 0, 0], w: [0.0, 1, 0]}
    assert ad.evaluate(ad.simplify(naive), at) == 1000
    np.testing.assert_array_equal(ad.evaluate(ad.simplify(slope), at), [1, -1, 0])
    value, gradient = ad.function([v, w], [naive, slope])(*at.values())
    assert value == 1000
    np.testing.assert_array_equal(gradient, [1, -1, 0])


LABELLED = {
    "picked": -ad.mean(log(ROWS[ad.arange(4), labels])),
    "picked after": -ad.mean(log(ROWS)[ad.arange(4), labels]),
    "one-hot": -ad.mean(ad.sum(one_hot * log(ROWS), axis=1)),
    "along": -ad.mean(ad.take_along_axis(log(ROWS), labels[:, None], axis=1)),
}


@pytest.mark.each("name", LABELLED)
def test_naive_cross_entropy_with_labels(name):
    naive = LABELLED[name]
    f = ad.function([A, labels], [naive, ad.grad(naive, A)])
    value, gradient = f(LOGITS, [1, 0, 2, 2])
    one = np.eye(3)[[1, 0, 2, 2]]
    p = ad.evaluate(ad.softmax(A, axis=1), {A: LOGITS})
    expected = -np.mean(np.sum(one * ad.evaluate(ad.log_softmax(A, axis=1), {A: LOGITS}), axis=1))
    np.testing.assert_allclose(value, expected, rtol=1e-14)
    np.testing.assert_allclose(gradient, (p - one) / 4, rtol=1e-13, atol=1e-16)
