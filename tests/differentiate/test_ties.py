"""Slopes at ties: one reduction shares its slope equally, in every mode of differentiation, and
simplification before the derivative does not change it.
"""

from functools import cache
from itertools import islice

import numpy as np
import pytest

import autodiff_edu as ad
import autodiff_edu.theano.tensor as T
from autodiff_edu.check.rule.instances import each_use
from tests.helpers.depth import draws, is_short, length, some

EXTREMES = {"max": (ad.max, np.max), "min": (ad.min, np.min)}
AXES = (None, 0, 1, (0, 1), (0, 2), -1)


def shares(x, y):
    """1/n at each of the n entries of x that equal y, for y with its axes kept."""
    those = (x == y).astype(float)
    n = those.sum(axis=tuple(k for k, m in enumerate(y.shape) if m == 1), keepdims=True)
    with np.errstate(invalid="ignore"):
        return those / n


# ---- the numbers of the issue


def test_a_maximum_of_equal_entries_has_the_slope_of_each():
    assert ad.grad(lambda x: np.max(np.stack([x, x])))(1.0) == 1
    assert ad.grad(lambda x: np.min(np.stack([x, x, x])))(1.0) == 1
    for width in (1, 2, 5):
        edge = ad.grad(lambda x, w=width: np.max(np.pad(np.stack([x, 2 * x]), w, mode="edge")))
        np.testing.assert_allclose([edge(1.0), edge(-1.0)], [2, 1], rtol=1e-15)


@pytest.mark.each(
    ("f", "slope"),
    some(
        [
            (lambda x: np.ptp(np.stack([x, 2 * x, 2 * x, x])), 1),
            (lambda x: np.amax(np.stack([x, x])), 1),
            (lambda x: np.nanmax(np.stack([x, x, np.nan])), 1),
            (lambda x: np.nanmin(np.stack([x, x, np.nan])), 1),
            (lambda x: np.linalg.norm(np.stack([x, -x, x]), np.inf), 1),
            (lambda x: np.linalg.norm(np.stack([x, -x, x]), -np.inf), 1),
            (lambda x: np.linalg.norm(np.stack([np.stack([x, -x]), np.stack([x, x])]), 1), 2),
            (lambda x: np.maximum.reduce(np.stack([x, x])), 1),
            (lambda x: np.sort(np.stack([x, x, x]))[1], 1),
            (lambda x: np.median(np.stack([x, x, x, x])), 1),
            (lambda x: np.quantile(np.stack([x, x, x]), 0.3), 1),
            (lambda x: ad.logsumexp(np.stack([x, x, x])), 1),
        ],
        3,
    ),
)
def test_what_is_made_of_extremes_has_the_slope_of_the_smooth_function(f, slope):
    np.testing.assert_allclose(ad.grad(f)(1.5), slope, rtol=1e-15)
    np.testing.assert_allclose(ad.grad(ad.grad(lambda x: f(x) * x))(1.5), 2 * slope, rtol=1e-15)


def test_a_tie_in_two_operands_and_in_a_window_goes_to_the_first():
    for f in (np.maximum, np.minimum):
        assert ad.grad(f)(1.0, 1.0) == 1 and ad.grad(f, argnums=1)(1.0, 1.0) == 0
    assert ad.grad(lambda x: np.clip(x, 0, 1))(1.0) == 1
    image = np.ones((1, 1, 2, 2))
    pooled = ad.grad(lambda x: np.sum(ad.max_pool2d(x, (2, 2))))(image)
    np.testing.assert_array_equal(pooled[0, 0], [[1, 0], [0, 0]])


def test_old_names_give_all_of_it_to_each():
    X, t = T.matrix("X"), T.matrix("t")
    at = np.array([[1.0, 2, 1], [1, 5, 1], [1, 4, 1]])
    dt = np.array([[1.0, 10, 100], [2, 20, 200], [4, 30, 300]])
    for extreme, wanted in ((T.max, [7, 20, 600]), (T.min, [7, 10, 600])):
        y = extreme(X, axis=0)
        got = ad.evaluate(ad.pushforward(y, X, t), {X: at, t: dt})
        np.testing.assert_array_equal(got, wanted)
        slope = ad.evaluate(T.grad(T.sum(y), X), {X: at})
        np.testing.assert_array_equal(slope[:, 0], [1, 1, 1])


# ---- random arrays with ties, and with nan


@pytest.mark.parametrize("seed", range(draws(12)))
@pytest.mark.parametrize("name", some(EXTREMES, 2))
def test_slopes_are_shared_in_every_mode_of_differentiation(name, seed):
    ours, numpys = EXTREMES[name]
    rng = np.random.default_rng(seed)
    dtype = rng.choice(["float32", "float64"])
    X, t = (ad.tensor(n, dtype=dtype, shape=(2, 3, 4)) for n in "Xt")
    at, dt = rng.integers(0, 3, (2, 3, 4)).astype(dtype), rng.normal(size=(2, 3, 4)).astype(dtype)
    if seed % 3 == 0:
        at[rng.random(at.shape) < 0.05] = np.nan
    rtol = 1e-5 if dtype == "float32" else 1e-12
    for axis in AXES:
        y = ours(X, axis=axis)
        c = rng.normal(size=np.shape(numpys(at, axis))).astype(dtype)
        wanted = shares(at, numpys(at, axis=axis, keepdims=True))
        back = ad.grad(ad.sum(y * c), X)
        spread = np.expand_dims(c, axis) if axis is not None else c
        np.testing.assert_allclose(ad.evaluate(back, {X: at}), wanted * spread, rtol=rtol)
        assert back.dtype == dtype
        forth = (wanted * dt).sum(axis=axis)
        twice = np.where(np.isnan(numpys(at, axis)), 0, forth)  # the pullback takes no entry of nan
        for once, pushed in ((True, forth), (False, twice)):
            p = ad.pushforward(y, X, t, use_op_pushforward=once)
            for q in (p, ad.simplify(p)):
                found = ad.evaluate(q, {X: at, t: dt})
                np.testing.assert_allclose(found, pushed, rtol=10 * rtol, atol=rtol)
        many = ad.vectorize(lambda x, a=axis: ours(x, axis=a))
        if not np.isnan(at).any() and axis is None:
            batched = ad.grad(lambda x, f=many: np.sum(f(x)))(np.stack([at, at]))
            np.testing.assert_allclose(batched, np.stack([wanted, wanted]), rtol=rtol)


@pytest.mark.parametrize("name", some(EXTREMES, 3))
def test_symbolic_mode_and_second_order_agree_at_ties(name):
    ours, _ = EXTREMES[name]
    x = ad.scalar("x")
    y = ours(ad.stack([x, x * x, x**3, 2 * x])) ** 2  # at 1: x, x² and x³ tie below 2x
    for p in (0.0, 1.0):
        symbolic = ad.evaluate(ad.symbolic_derivative(y, x).output, {x: p})
        slope = ad.grad(y, x)
        forward = ad.evaluate(ad.forward_mode(y, x).output, {x: p, **seeds(y, x)})
        np.testing.assert_allclose([symbolic, forward], 2 * [ad.evaluate(slope, {x: p})])
        curve = ad.hessian(lambda v: np.sum(ours(np.stack([v, v, v])) ** 2))(np.array([p, p]))
        np.testing.assert_allclose(curve, np.outer([1, 1], [1, 1]) / 2)


def seeds(y, x):
    return {i: 1.0 for i in ad.forward_mode(y, x).after.inputs if i is not x}


@pytest.mark.each("name", EXTREMES)
def test_an_infinite_cotangent_stays_at_the_extreme(name):
    ours, _ = EXTREMES[name]
    slope = ad.grad(lambda v: np.sqrt(ours(v)))(np.zeros(2) + [0, {"max": -1, "min": 1}[name]])
    np.testing.assert_array_equal(slope, [np.inf, 0])


# ---- no rule changes a slope at a kink or a tie, unless it is used when no derivative follows


def gradient(e, wrt):
    """The slopes of an expression, all entries added up, at any point."""
    slopes = ad.grad(ad.sum(e), wrt, disconnected_inputs="ignore")
    needed = [ad.simplify(slope, rules=[]).after.inputs for slope in slopes]

    def values(at):
        with np.errstate(all="ignore"):
            return [ad.evaluate(s, {i: at[i] for i in own}) for s, own in zip(slopes, needed)]

    return values


def points(rule, free, seed):
    """Small whole numbers, so that there are kinks and ties, where the rule may be used."""
    rng = np.random.default_rng(seed)
    least = (
        1 if any(fact == "positive" for fact, _ in filter(None, getattr(rule, "facts", ()))) else 0
    )
    for k in range(max(3, draws(8))):
        drawn = {i: rng.integers(-1, 3, [n or 4 for n in i.type.shape]) * (k > 0) for i in free}
        yield {i: (np.abs(v) + least if i.facts else v).astype(i.dtype) for i, v in drawn.items()}


KINKED = {"max", "min", "maximum", "minimum", "abs", "sign", "clip", "where", "floor", "ceil"}


@cache
def uses(rule):
    return [*islice(each_use(rule), length(10))]


def kinked(rule):
    return any(n.op is not None and n.op.name in KINKED for u in uses(rule) for n in nodes(u))


def nodes(use):
    return ad.simplify([use.before, use.after], rules=[]).after.nodes


def test_slopes_are_the_same_before_and_after():
    """One test: which rules have a kink is found by using them all, too much for a list of tests
    that each process makes."""
    exact = some((r for r in ad.RULES if not r.final and r.mode != "real"), 15)
    plain = [*filter(kinked, exact)]
    assert len(plain) >= (2 if is_short() else 80)
    for rule in plain:
        check_slopes(rule)


def check_slopes(rule):
    for seed, use in enumerate(uses(rule)):
        inputs = ad.simplify(use.before, rules=[]).after.inputs
        free = [i for i in inputs if i.type.is_float]
        if not use.before.type.is_float or not free:
            continue
        before, after = gradient(use.before, free), gradient(use.after, free)
        for at in points(rule, inputs, seed):
            for p, q, i in zip(before(at), after(at), free, strict=True):
                told = f"{rule.name}: {use.before} → {use.after}: d/d{i} at {at}"
                if np.isfinite(p).all():
                    np.testing.assert_allclose(q, p, rtol=1e-4, atol=1e-6, err_msg=told)


def test_rules_that_change_slopes_wait_until_derivatives_are_taken():
    A = ad.matrix("A", shape=(2, 2))
    y = ad.max(ad.max(A, axis=0))
    at = np.array([[1.0, 1.0], [1.0, 0.0]])
    for mode in ("ieee", "safe", "real"):
        before = ad.simplify(y, mode=mode)
        assert "largest of largest" not in before.counts
        np.testing.assert_array_equal(
            ad.function(A, ad.grad(before.output, A), simplify=mode)(at), [[0.25, 0.5], [0.25, 0]]
        )
        assert "largest of largest" in ad.function(A, y, simplify=mode).stages[-2].counts
    assert str(ad.simplify(y, final=True).output) == str(ad.max(A, axis=(0, 1)))


def test_every_rule_that_waits_says_what_it_changes():
    waiting = [rule for rule in ad.RULES if rule.final]
    assert "largest of largest" in [rule.name for rule in waiting]
    assert all(rule.caveat for rule in waiting)
