"""The side of a `where` that is not taken has no part in a derivative, whatever its slope is.

The judge takes the derivatives of both sides by themselves, and chooses between the numbers.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, some

pytestmark = [pytest.mark.numeric, pytest.mark.filterwarnings("ignore::RuntimeWarning")]

x = ad.vector("x", shape=(9,))
AT = np.array([-2.0, -1.0, -0.5, 0.0, 0.25, 1.0, 2.0, 30.0, -30.0])
HOLES = np.array([np.nan, 1.0, 2.0])


# ---- cases from bug reports of several projects

CASES = {
    "a root": (lambda t: np.where(t > 0, np.sqrt(t), 0.0), 0.0, 0.0),
    "x log x": (lambda t: np.where(t > 0, t * np.log(t), 0.0), 0.0, 0.0),
    "sinc": (lambda t: np.where(t == 0, 1.0, np.sin(t) / t), 0.0, 0.0),
    "a switch": (lambda t: np.where(t < 7, t, np.sqrt(t - 7)), 5.0, 1.0),
    "an overflow": (lambda t: np.where(t < 700, np.exp(t) * t, t), 1000.0, 1.0),
    "a maximum": (lambda t: np.maximum(np.log(t), -5), 0.0, 0.0),
    "a clip": (lambda t: np.clip(np.log(t), -5, 5), 0.0, 0.0),
    "a mean without nan": (lambda t: np.nanmean((t * HOLES - HOLES) ** 2), 2.0, 5.0),
    "a sum without nan": (lambda t: np.nansum((t * HOLES - HOLES) ** 2), 2.0, 10.0),
    "a mask": (lambda t: np.where(np.isnan(HOLES), 0, (t - HOLES) ** 2).sum(), 2.0, 2.0),
    "a row": (lambda t: np.where(t > 0, np.sum(np.sqrt(t * np.ones(3))), 0.0), 0.0, 0.0),
    "two choices": (
        lambda t: np.where(t > 0, np.where(t > 1, np.log(t), np.sqrt(t)), t), 0.0, 1.0,
    ),
}  # fmt: skip


MODES = None, "ieee", "safe", "real"


@pytest.mark.parametrize(
    "name, mode",
    [(name, mode) for k, name in some(enumerate(CASES), 3) for mode in some(MODES, 2, turn=k)],
)
def test_the_side_not_taken_has_no_part(name, mode):
    f, at, slope = CASES[name]
    assert ad.grad(f)(at) == slope
    t = ad.scalar("t")
    df = ad.grad(f(t), t)
    assert ad.function(t, df, simplify=mode)(at) == slope
    assert ad.evaluate(ad.symbolic_derivative(f(t), t).output, {t: at}) == slope


def test_the_cotangent_of_a_choice_is_summed_over_what_was_stretched():
    A = np.array([[0.0, 0.0], [1.0, 4.0]])
    slopes = ad.grad(lambda A: np.where(A[:, 0] > 0, np.sqrt(A).sum(axis=1), 0.0).sum())(A)
    np.testing.assert_array_equal(slopes, [[0, 0], [0.5, 0.25]])
    column = ad.grad(lambda c: np.where(c > 0, c**0.5 * np.arange(3), 0.0).sum())(A[:, :1])
    np.testing.assert_array_equal(column, [[0], [1.5]])


CHANGES = {  # of the shape of A, (2, 3)
    "transposed": lambda A: A.T,
    "longer": lambda A: ad.expand_dims(A, axis=1),
    "in rows": lambda A: ad.reshape(A, (3, 2)),
    "repeated": lambda A: ad.broadcast_to(A, (2, 2, 3)),
    "less an axis": lambda A: ad.squeeze(A[:, None], axis=1),
    "a slice": lambda A: A[:, 1:],
    "backwards": lambda A: A[::-1, ::2],
    "places": lambda A: A[:, [0, 2, 0]],
    "pairs of places": lambda A: A[[0, 1, 1], [2, 0, 0]],
    "sorted": lambda A: np.sort(A, axis=1),
    "joined": lambda A: ad.concatenate([np.ones((2, 1)), A], axis=1),
    "times a matrix": lambda A: A @ np.ones((3, 2)),
    "a matrix times": lambda A: np.ones((4, 2)) @ A,
    "times a vector": lambda A: A @ np.ones(3),
    "a vector times": lambda A: np.ones(2) @ A,
    "summed": lambda A: ad.sum(A, axis=1),
    "turned twice": lambda A: ad.expand_dims(A.T, axis=1),
}


@pytest.mark.each("name", some(CHANGES, 3))
def test_sides_that_are_arranged_anew_or_added_up(name):
    A = ad.matrix("A", shape=(2, 3))
    y = CHANGES[name](ad.sqrt(A))
    rng = np.random.default_rng(0)
    for n in [*range(y.ndim + 1)] * draws(10):
        c = rng.normal(size=y.type.shape[n:]) > 0
        taken = CHANGES[name](ad.sqrt(A + 1))  # whose slopes are finite
        value = {A: np.zeros((2, 3))}
        for sides in (lambda s: (s, 0), lambda s: (0, s)):
            slopes = [ad.evaluate(ad.grad(ad.sum(ad.where(c, *sides(s))), A), value)
                      for s in (y, taken)]  # fmt: skip
            np.testing.assert_array_equal(np.isinf(slopes[0]), slopes[1] > 0, err_msg=str(c))
            assert not np.isnan(slopes[0]).any()


def test_a_slope_that_counts_stays_infinite():
    assert ad.grad(lambda t: np.where(t >= 0, np.sqrt(t), 0.0))(0.0) == np.inf


def test_a_chain_of_choices_stays_linear():
    def size(n):
        y = t = ad.scalar("t")
        for _ in range(n):
            y = ad.sin(ad.maximum(y, 0.0))
        return len(ad.Graph(ad.grad(y, t)).operations)

    assert size(120) - size(80) == size(80) - size(40)


# ---- random formulas

UNARY = [
    ad.sqrt, ad.log, ad.exp, ad.square, ad.reciprocal, ad.arcsin, ad.log1p, ad.arccosh, ad.arctanh,
    ad.cbrt, ad.tanh, ad.sin, ad.sinh, ad.negative, lambda u: u**1.5, lambda u: u**-2, ad.softplus,
    ad.logit, lambda u: 3 * u, lambda u: u / 7, lambda u: u - 1,
]  # fmt: skip
BINARY = [
    ad.add, ad.multiply, ad.subtract, ad.divide, ad.power, ad.maximum, ad.minimum, ad.hypot,
    ad.arctan2,
]  # fmt: skip
CHOICES = [
    lambda f: x > 0, lambda f: x >= 0, ad.isfinite, lambda f: ~ad.isnan(f), lambda f: ad.abs(x) < 1,
]  # fmt: skip


def drawn(rng, some):
    return some[rng.integers(len(some))]


def grown(rng, deep):
    """A random formula; a subexpression is often used twice."""
    if not deep:
        return x if rng.random() < 0.8 else ad.constant(drawn(rng, [0.5, 2.0, -1.0]))
    one = grown(rng, deep - 1)
    if rng.random() < 0.55:
        return drawn(rng, UNARY)(one)
    return drawn(rng, BINARY)(one, one if rng.random() < 0.3 else grown(rng, deep - 1))


def slope(y):
    return ad.grad(ad.sum(y), x, disconnected_inputs="ignore")


def after(mode, y):
    return y if mode is None else ad.simplify(y, mode=mode).output


def values(y):
    return np.broadcast_to(ad.evaluate(y, {x: AT}), AT.shape)


@pytest.mark.each("seed", some(range(300), 240))
def test_only_the_side_that_is_taken_counts(seed):
    rng = np.random.default_rng(seed)
    f, g = (grown(rng, rng.integers(1, 4)) for _ in range(2))
    condition = drawn(rng, CHOICES)(f)
    y, taken = ad.where(condition, f, g), values(condition)
    plain = dict.fromkeys((None, "ieee", "safe"), y)
    for order in (1, 2, 3):
        f, g = slope(f), slope(g)
        wanted = np.where(taken, values(f), values(g))
        sure = np.abs(wanted) < 1e30
        for mode, one in plain.items():
            plain[mode] = after(mode, slope(after(mode, one)))
            np.testing.assert_allclose(values(plain[mode])[sure], wanted[sure], 1e-6, 1e-9,
                                       err_msg=f"order {order}, mode {mode}: {y}")  # fmt: skip
