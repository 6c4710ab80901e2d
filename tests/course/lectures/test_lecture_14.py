"""The checkers of rules for operations of one's own: what they pass, what they say of the rest."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.course import (
    Network,
    Unsolved,
    Wrong,
    check_override,
    check_remainder,
    check_symbolic,
)


def ratio(x, y):
    return x / y


def ratio_pullback(u, x, y):
    return u / y, -u * x / y**2


def draw(rng):
    return rng.uniform(1, 2, 3).round(2), rng.uniform(1, 2, 3).round(2)


def test_a_right_pullback_has_slope_two_and_a_linear_one_leaves_nothing(capsys):
    check_remainder(ratio_pullback, ratio, draw)
    check_remainder(lambda u, x, y: (3 * u, -u), lambda x, y: 3 * x - y, draw)
    assert "Taylor's remainder has slope 2 at 20 points" in capsys.readouterr().out


@pytest.mark.each(
    "wrong, words",
    [
        (lambda u, x, y: (u / y, u * x / y**2), "slope 2"),
        (lambda u, x, y: (1.001 * u / y, -u * x / y**2), "slope 2"),
        (lambda u, x, y: (1 / y, -x / y**2), "slope 2"),
        (lambda u, x, y: (u / y, (-u * x / y**2).sum()), "the shape must be"),
        (lambda u, x, y: u / y, "lacks|should not have|shape"),
        (lambda u, x, y: (u / y,), "lacks part 1"),
    ],
)
def test_a_wrong_pullback_is_refused_at_an_input_that_can_be_pasted(wrong, words):
    with pytest.raises(Wrong, match=words) as said:
        check_remainder(wrong, ratio, draw)
    assert "<lambda>(u=[" in str(said.value)


def test_a_pullback_in_symbols_is_counted():
    def rule(inputs, outputs, cotangents):
        return [cotangents[0] * outputs[0]]

    def again(inputs, outputs, cotangents):
        return [cotangents[0] * ad.exp(inputs[0])]

    def points(rng):
        return (rng.normal(size=4),)

    check_symbolic(rule, np.exp, points, 1)
    check_symbolic(again, np.exp, points, 2)
    with pytest.raises(Wrong, match="at most 1 operations\n.*2: exp, multiply"):
        check_symbolic(again, np.exp, points, 1)
    with pytest.raises(Wrong, match="at        x0 = "):
        check_symbolic(lambda i, o, c: [c[0] * i[0]], np.exp, points, 1)
    for found in (3, [], [3.0]):
        with pytest.raises(Wrong, match="one for each input|expressions"):
            check_symbolic(lambda i, o, c, found=found: found, np.exp, points, 1)


def layer(rng):
    W, x, b = ad.matrix("W", shape=(2, 3)), ad.vector("x", shape=3), ad.vector("b", shape=2)
    at = {n: rng.normal(size=n.type.shape) for n in (W, x, b)}
    return Network(ad.sum(ad.tanh(W @ x + b)), [W], [x, b], at)


def doubling(factor, by_x=1.0):
    def rule(s, out, ct):
        return [factor * ad.outer(ct, s["x"]), by_x * s["W"].T @ ct, ct]

    W, x, b = ad.wild("W x b")
    return lambda cost: ad.override_gradient(cost, W @ x + b, rule)


def test_a_rule_for_layers():
    check_override(doubling(2.0), layer, lambda g: 2 * g)
    with pytest.raises(Wrong, match="W of <lambda>"):
        check_override(doubling(1.0), layer, lambda g: 2 * g)
    with pytest.raises(Wrong, match="x of <lambda>"):
        check_override(doubling(2.0, by_x=3.0), layer, lambda g: 2 * g)
    with pytest.raises(Wrong, match="1 matches\n  got       0"):
        check_override(lambda cost: cost, layer, lambda g: g)


def test_unsolved():
    def nothing(*_):
        raise NotImplementedError

    for check in (
        lambda: check_remainder(nothing, ratio, draw),
        lambda: check_symbolic(nothing, np.exp, lambda rng: (rng.normal(size=2),), 1),
        lambda: check_override(nothing, layer, lambda g: g),
    ):
        with pytest.raises(Unsolved):
            check()
