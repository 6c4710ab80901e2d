"""Derivatives of orders 1 to 5 of the functions of learning and statistics, over all magnitudes:
as they are stated, simplified before, between and after, in three modes. mpmath judges: what
differs is rounding, times the condition.
"""

import itertools
from functools import cache

import mpmath
import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, some

pytestmark = pytest.mark.numeric

x = ad.vector("x")
MODES = ("ieee", "safe", "real")
ORDERS = range(1, 6)
EDGES = [1.0, 2.0, 0.5, 0.0101, 0.0099, 0.31831, 0.63662, 1.2733, 20.0, 40.0, 350.0, 700.0]
BELOW_ONE = [0.5, 0.3, 0.9, 0.999, 1 - 1e-9]


def softplus(p):
    return mpmath.log1p(mpmath.exp(-abs(p))) + max(p, 0)


def log1mexp(p):
    return mpmath.log(-mpmath.expm1(p))


def log_erfc(p):
    return mpmath.log(mpmath.erfc(p))


def log_half(p):
    return mpmath.log(mpmath.erfc(p) / 2)


def erfcx(p):
    return mpmath.exp(p * p) * mpmath.erfc(p)


EVERY = {  # the function, the same for mpmath, signs, least and largest arguments, more points
    "sigmoid": (ad.sigmoid, lambda p: 1 / (1 + mpmath.exp(-p)), (1, -1), 1e-300, 700, EDGES),
    "softplus": (ad.softplus, softplus, (1, -1), 1e-300, 700, EDGES),
    "tanh": (ad.tanh, mpmath.tanh, (1, -1), 1e-300, 700, EDGES),
    "sinc": (ad.sinc, mpmath.sincpi, (1, -1), 1e-300, 700, EDGES),
    "erfc": (ad.erfc, mpmath.erfc, (1, -1), 1e-300, 26, EDGES[:8]),
    "logit": (ad.logit, lambda p: mpmath.log(p / (1 - p)), (1,), 1e-300, 1, BELOW_ONE),
    "log1mexp": (lambda p: ad.log(-ad.expm1(p)), log1mexp, (-1,), 1e-40, 0.7, [0.01]),
    "log1mexp of large": (lambda p: ad.log1p(-ad.exp(p)), log1mexp, (-1,), 0.69, 150, EDGES),
    "erfcx": (ad.erfcx, erfcx, (1, -1), 1e-300, 10, EDGES[:8]),
    "naive": (lambda p: ad.log(1 - ad.exp(p)), log1mexp, (-1,), 1e-20, 150, EDGES[:10]),
    "tail": (lambda p: ad.log(ad.erfc(p)), log_erfc, (1, -1), 1e-300, 700, EDGES),
    "probit": (lambda p: ad.log(0.5 * ad.erfc(p)), log_half, (1, -1), 1e-300, 700, EDGES),
}
NAIVE = {"naive", "tail", "probit"}  # which under- and overflow as they are written
FAR = {"tail", "probit"}  # whose slopes of slopes do so beyond repair: simplify before them


@cache
def points(name):
    *_, signs, least, largest, more = EVERY[name]
    draw = np.random.default_rng(len(name))
    sizes = np.exp(draw.uniform(np.log(least), np.log(largest), draws(50)))
    return np.array([s * p for p in (*sizes, *more) for s in signs if least <= p <= largest])


@cache
def exact(name):
    """The derivatives of all orders at each point."""
    return np.array([differences(EVERY[name][1], p) for p in points(name)]).T


def differences(function, p):
    """Those of higher and higher order, over powers of the distance; 120 digits are left of what
    is 10^300 times smaller than the function."""
    k = 30 - min(0, int(np.log10(abs(p))))
    found, n = [], ORDERS[-1] + 1
    with mpmath.workdps(420 + n * k):
        h = mpmath.mpf(10) ** -k
        values = [function(p + j * h) for j in range(n + 1)]
        while values:
            found.append(float(values[0]))
            values = [(b - a) / h for a, b in zip(values, values[1:])]
    return found


def derivative(name, order, mode, before, between):
    """The derivative of an order: as it is stated, or simplified on the way."""
    y = added_up(name, order, mode if before or between else None, before, between)
    return y.inputs[0] if y.op is ad.sum else ad.grad(y, x)


@cache
def added_up(name, order, mode, before, between):
    """The sum of all entries of that derivative, made from that of the order below."""
    if not order:
        y = ad.sum(EVERY[name][0](x))
        return ad.simplify(y, mode=mode).output if before else y
    y = ad.grad(added_up(name, order - 1, mode, before, between), x)
    return ad.sum(ad.simplify(y, mode=mode).output if between else y)


def assert_right(name, order, output):
    wanted, change = exact(name)[order], abs(points(name) * exact(name)[order + 1])
    told = (abs(wanted) > 1e-290) & (abs(wanted) < 1e290)
    found = np.broadcast_to(ad.evaluate(output, {x: points(name)}), wanted.shape)
    error = abs(found - wanted)[told]
    steps = 2048 if name in FAR else 64  # of rounding; terms of a long sum are larger than it
    allowed = steps * np.finfo(float).eps * (abs(wanted) + change)[told]
    worst = np.argmax(error - allowed)
    assert (error <= allowed).all(), (points(name)[told][worst], found[told][worst], output)
    tiny = abs(wanted) <= 1e-290
    np.testing.assert_allclose(found[tiny], wanted[tiny], rtol=0, atol=1e-289)


STATED = [name for name in EVERY if name not in NAIVE]


@pytest.mark.parametrize(
    "name, order",
    [(name, order) for k, name in some(enumerate(STATED), 2) for order in some(ORDERS, 3, turn=k)],
)
def test_derivatives_as_they_are_stated(name, order):
    assert_right(name, order, derivative(name, order, "ieee", False, False))


@pytest.mark.parametrize("name, order, mode", some(itertools.product(EVERY, ORDERS, MODES), 58))
def test_simplified_derivatives(name, order, mode):
    if name in NAIVE and mode == "ieee" or name in FAR and order == 5:
        return  # the naive formula stays; terms of order 5 are a thousand times their sum
    after = [(False, False)] if name not in FAR or order == 1 else []
    for before, between in [*after, (True, False), (True, True)]:
        slopes = derivative(name, order, mode, before, between)
        assert_right(name, order, ad.simplify(slopes, mode=mode).output)
