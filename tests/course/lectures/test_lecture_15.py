"""The checkers of recurrences: sizes of graphs, and counted matrix products."""

import re
from collections import Counter

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.course import Wrong, check_loop, check_products
from autodiff_edu.course.lectures.lecture_15 import Tallied, tallied

pytestmark = pytest.mark.numeric


def turns(r, x, T):
    for _ in range(T):
        x = np.sin(r * x)
    return x


def test_a_loop_has_one_size():
    check_loop(lambda r, x, T: ad.scan(lambda h: np.sin(r * h), None, x, n_steps=T)[-1], turns)


@pytest.mark.each(
    "student, complaint",
    [
        (turns, "the graph grows\n  needed    one size\n  got       6 operations for T = 3, 600"),
        (lambda r, x, T: ad.scan(lambda h: np.sin(r * h), None, x, n_steps=3)[-1], "T = 300"),
        (lambda r, x, T: turns(0.5, 0.5, T), "returns an expression, not float64"),
    ],
)
def test_what_is_no_loop(student, complaint):
    with pytest.raises(Wrong, match=re.escape(complaint)):
        check_loop(student, turns)


PRODUCTS = {
    "matmul": lambda a, b: a @ b,
    "of a plain one": lambda a, b: np.eye(3) @ a,
    "dot": lambda a, b: a.dot(b),
    "np.dot": np.dot,
    "outer": np.outer,
    "outer of a ufunc": np.multiply.outer,
    "column times row": lambda a, b: a[0][:, None] * b[0],
    "einsum": lambda a, b: np.einsum("ij,jk->ik", a, b),
    "within a list": lambda a, b: np.stack([a, b])[0] @ b,
    "in place": lambda a, b: np.add(a, b, out=a) @ b,
}


@pytest.mark.each("name", PRODUCTS)
def test_a_product_is_counted_once(name):
    tally, (a, b) = Counter(), np.random.default_rng(0).normal(size=(2, 3, 3))
    found = PRODUCTS[name](tallied(a, tally), tallied(b, tally))
    assert tally["products"] == 1 and isinstance(found, Tallied)
    np.testing.assert_allclose(np.asarray(found), PRODUCTS[name](a.copy(), b), rtol=0, atol=1e-14)


def test_nothing_else_is_counted():
    tally = Counter()
    a = tallied(np.ones((4, 3)), tally)
    for row in a:
        row = np.tanh(row * a[0] + a.sum(axis=0) - 2 * row)
    assert (np.concatenate([a, a]) * row).sum() and a.T.shape == (3, 4)
    assert not tally["products"]


def test_the_pullback_must_be_right_and_cheap():
    def rows(x, w):
        return np.tanh(x @ w)

    def cheap(ct, x, w):
        a = ct * (1 - rows(x, w) ** 2)
        return a @ w.T, x.T @ a

    def dear(ct, x, w):
        a = ct * (1 - rows(x, w) ** 2)
        return a @ w.T, sum(np.outer(x[t], a[t]) for t in range(len(x)))

    def wrong(ct, x, w):
        return cheap(ct, x, -w)

    def draw(rng):
        return rng.normal(size=(5, 3)), rng.normal(size=(3, 4))

    check_products(cheap, rows, draw, lambda T: 3)
    with pytest.raises(Wrong, match="at most 3 matrix products\n  got       7, for 5 steps"):
        check_products(dear, rows, draw, lambda T: 3)
    with pytest.raises(Wrong, match="part 0: the value at"):
        check_products(wrong, rows, draw, lambda T: 3)
