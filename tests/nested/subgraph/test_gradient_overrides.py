"""Overriding the gradient of a part of a graph: what a thread asked for, what came of it, and what
overrides are for: clipping, rescaling, natural gradients."""

import numpy as np
import pytest

import autodiff_edu as ad

EPS = 0.01
inlined = pytest.mark.each("inline", [False, True], ids=["box", "inline"])
both_ways = pytest.mark.each("way", ["box", "function"])


def safe_slopes(x, y):
    """The derivatives of arctan2(y, x), kept finite at the origin."""
    square = x**2 + y**2 + EPS
    return -y / square, x / square


def the_threads_own(inline):
    """arctan2 with the thread's override: a box that does not use its cotangent."""
    x, y, ct = ad.scalar("x"), ad.scalar("y"), ad.scalar("ct")
    rule = ad.OpFromGraph([x, y, ct], safe_slopes(x, y), inline=inline)
    angle = ad.arctan2(y, x)
    return ad.OpFromGraph([x, y], [angle], inline=inline, pullback=rule, name="atan2_safe")


def corrected(inline):
    """The same with the cotangent in its place."""
    x, y, ct = ad.scalar("x"), ad.scalar("y"), ad.scalar("ct")
    rule = ad.OpFromGraph([x, y, ct], [ct * slope for slope in safe_slopes(x, y)], inline=inline)
    angle = ad.arctan2(y, x)
    return ad.OpFromGraph([x, y], [angle], inline=inline, pullback=rule, name="atan2_safe")


@ad.custom_gradient
def by_function(x, y):
    """The same as a Python function."""
    return ad.arctan2(y, x), lambda ct: [ct * slope for slope in safe_slopes(x, y)]


def slopes_of(f, factor=1):
    x, y = ad.scalar("x"), ad.scalar("y")
    return ad.function([x, y], ad.grad(factor * f(x, y), [x, y]))


@inlined
def test_the_threads_program(inline):
    fn = slopes_of(the_threads_own(inline))
    assert fn(1.0, 0.0) == [0.0, 1 / 1.01] and np.signbit(fn(1.0, 0.0)[0])
    assert fn(0.0, 0.0) == [0.0, 0.0]


def test_without_the_override_there_is_no_number_at_the_origin():
    plain = slopes_of(lambda x, y: ad.arctan2(y, x))
    assert np.isnan(plain(0.0, 0.0)).all()
    assert plain(1.0, 0.0) == [0.0, 1.0]


@inlined
def test_the_threads_override_drops_the_cotangent(inline):
    """The gradient of 3·f comes out as that of f: off by a factor of three."""
    thrice = slopes_of(the_threads_own(inline), factor=3)
    assert thrice(1.0, 0.0) == slopes_of(the_threads_own(inline))(1.0, 0.0)
    for right in (corrected(inline), by_function):
        assert slopes_of(right, factor=3)(1.0, 0.0) == pytest.approx([0.0, 3 / 1.01], rel=1e-15)


@inlined
def test_forward_mode_says_that_the_cotangent_is_dropped(inline):
    x, y = ad.scalar("x"), ad.scalar("y")
    with pytest.raises(TypeError, match="the pullback of atan2_safe drops its cotangent"):
        ad.pushforward(the_threads_own(inline)(x, y), [x, y], [1.0, 1.0])
    moved = ad.pushforward(corrected(inline)(x, y), [x, y], [2.0, 3.0])
    assert ad.evaluate(moved, {x: 1.0, y: 0.0}) == 3 / 1.01


def test_the_forms_of_an_override_agree_to_the_bit(rng):
    programs = [slopes_of(f) for f in (corrected(False), corrected(True), by_function)]
    for x, y in rng.normal(size=(20, 2)):
        first, *others = (np.array(fn(x, y)).tobytes() for fn in programs)
        assert others == [first, first]


def test_the_value_is_that_of_the_function_to_the_bit(rng):
    x, y = ad.scalar("x"), ad.scalar("y")
    forms = [the_threads_own(True)(x, y), corrected(False)(x, y), by_function(x, y)]
    for at in rng.normal(size=(20, 2)):
        found = ad.Graph(forms).evaluate({x: at[0], y: at[1]})
        assert found == [np.arctan2(at[1], at[0])] * 3


def test_after_differentiation_the_override_is_simplified():
    """Once all derivatives are taken the box opens, and 1 · slope becomes the slope."""
    x, y = ad.scalar("x"), ad.scalar("y")
    fn = ad.function([x, y], ad.grad(corrected(True)(x, y), [x, y]))
    assert "atan2_safe" not in fn.source
    assert fn.graph.counts["divide"] == 2 and fn.graph.counts["add"] == 2


# ---- what overrides are for


def as_box(value, rule):
    """A function of one vector with an override, by OpFromGraph."""
    x = ad.vector("x")
    return ad.OpFromGraph([x], [value(x)], pullback=lambda inputs, outputs, ct: [rule(ct[0])])


def as_function(value, rule):
    """The same by custom_gradient."""
    return ad.custom_gradient(lambda x: (value(x), rule))


WAYS = {"box": as_box, "function": as_function}


@both_ways
def test_clipping(way, rng):
    """No entry of the gradient is larger than one on its way back; the value is untouched."""
    f = WAYS[way](lambda x: 2 * x, lambda ct: ad.clip(ct, -1, 1))
    x = ad.vector("x")
    fn = ad.function(x, [f(x), ad.grad((f(x) ** 2).sum(), x)])
    at = rng.normal(size=50)
    value, slope = fn(at)
    np.testing.assert_array_equal(value, 2 * at)
    np.testing.assert_array_equal(slope, np.clip(4 * at, -1, 1))


@both_ways
def test_rescaling(way, rng):
    """A gradient of length one, whatever the cost is multiplied by."""
    f = WAYS[way](lambda x: 1 * x, lambda ct: ct / ad.sqrt((ct**2).sum()))
    x = ad.vector("x")
    at = rng.normal(size=5)
    for factor in (1e-3, 1.0, 1e6):
        slope = ad.function(x, ad.grad(factor * (f(x) ** 2).sum(), x))(at)
        np.testing.assert_allclose(slope, at / np.linalg.norm(at), rtol=1e-14)


def natural(way):
    """The parameters (mu, log s) of a Gaussian as they are, but gradients with respect to them are
    multiplied by the inverse of the Fisher matrix diag(1/s², 2)."""
    rule = lambda mu, log_s, ct: [ct[0] * ad.exp(2 * log_s), ct[1] / 2]
    if way == "function":
        return ad.custom_gradient(lambda mu, log_s: ((mu, log_s), lambda *ct: rule(mu, log_s, ct)))
    mu, log_s = ad.scalar("mu"), ad.scalar("log_s")
    return ad.OpFromGraph([mu, log_s], [mu, log_s], pullback=lambda i, o, ct: rule(*i, ct))


def surprise(x, mu, log_s):
    """-log N(x; mu, s), but for a constant."""
    return log_s + ((x - mu) / ad.exp(log_s)) ** 2 / 2


def test_the_fisher_matrix():
    """diag(1/s², 2) is the Hessian of the divergence from a Gaussian to its neighbours."""
    p, q = ad.vector("p", shape=2), ad.vector("q", shape=2)
    ratio = ad.exp(2 * (p[1] - q[1]))
    divergence = q[1] - p[1] + (ratio + ((p[0] - q[0]) / ad.exp(q[1])) ** 2 - 1) / 2
    at = np.array([0.3, 0.7])
    found = ad.evaluate(ad.hessian(divergence, q), {p: at, q: at})
    np.testing.assert_allclose(found, np.diag([np.exp(-1.4), 2]), atol=1e-15)


@both_ways
def test_the_natural_gradient_of_a_gaussian(way, rng):
    """(mu - mean x, (1 - var/s²)/2): one step leads mu to the mean, whatever s is."""
    x, mu, log_s = ad.vector("x"), ad.scalar("mu"), ad.scalar("log_s")
    cost = ad.mean(surprise(x, *natural(way)(mu, log_s)))
    data, m, ls = rng.normal(3, 5, 100), 1.0, 0.5
    found = ad.function([x, mu, log_s], ad.grad(cost, [mu, log_s]))(data, m, ls)
    spread = np.mean((data - m) ** 2)
    wanted = [m - data.mean(), (1 - spread * np.exp(-2 * ls)) / 2]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@both_ways
def test_a_fit_by_natural_gradient_converges_from_far_away(way, rng):
    """Where plain descent at this rate diverges."""
    x, mu, log_s = ad.vector("x"), ad.scalar("mu"), ad.scalar("log_s")
    data = rng.normal(3, 5, 100)

    def descend(parameters):
        cost = ad.mean(surprise(x, *parameters))
        slope = ad.function([x, mu, log_s], ad.grad(cost, [mu, log_s]))
        at = np.array([100.0, 4.0])
        for _ in range(100):
            at = at - 0.5 * np.array(slope(data, *at))
        return at

    wanted = [data.mean(), np.log(data.std())]
    np.testing.assert_allclose(descend(natural(way)(mu, log_s)), wanted, rtol=1e-10)
    assert abs(descend((mu, log_s)) - wanted)[0] > 1


@inlined
def test_check_says_that_the_cotangent_is_dropped_and_what_would_be_right(inline):
    report = the_threads_own(inline).check(1.0, 2.0)
    (finding,) = report.findings
    assert "ignores its cotangent" in finding and "off by a factor of 3" in finding
    g, x, y = map(ad.scalar, ("g", "x", "y"))
    terms = finding.partition("return ")[2]
    said = eval(terms, {"ad": ad, "g": g, "x": x, "y": y})  # the rule that the check prints
    at = {g: 3.0, x: 1.0, y: 2.0}
    wanted = [3.0 * ad.evaluate(slope, at) for slope in safe_slopes(x, y)]
    assert ad.evaluate(said, at) == pytest.approx(wanted, rel=1e-14)
    assert corrected(inline).check(1.0, 2.0).ok
