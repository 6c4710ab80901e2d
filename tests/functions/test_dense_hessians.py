"""A dense Hessian in the user's call: by colours where that takes fewer operations, and the same
numbers as column by column, also where some are infinite."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

N = 48
TERMS = {  # functions of neighbours a and b, and of both ends, with values where they are singular
    "polynomial": lambda a, b: 100 * (b - a * a) ** 2 + (1 - a) ** 2,
    "root": lambda a, b: np.sqrt(a * a) * b + np.sqrt(b),
    "root of product": lambda a, b: np.sqrt(a * b),
    "logarithm": lambda a, b: a * np.log(b),
    "quotient": lambda a, b: a / b,
    "powers": lambda a, b: a**1.5 + a * b**2.5,
    "choice": lambda a, b: np.where(a > 0, a * a * b, b / a),
    "length": lambda a, b: np.hypot(a, b),
}


def column_by_column(f):
    return ad.jacobian(lambda x: ad.grad(f)(x), mode="forward")


@pytest.mark.each("name", some(list(TERMS), 3))
def test_colours_change_no_number(name):
    term, draw = TERMS[name], np.random.default_rng(3)
    losses = {
        "chain": lambda x: np.sum(term(x[1:], x[:-1])),
        "far": lambda x: np.sum(term(x[3:], x[:-3])) + np.sum(x**3),
        "ring": lambda x: np.sum(term(x, np.roll(x, 1))),
        "grid": lambda x: np.sum(term(x.reshape(6, 8)[1:], x.reshape(6, 8)[:-1])),
    }
    for shape, loss in some(losses.items(), 4, turn=[*TERMS].index(name)):
        user, dense = ad.hessian(loss), column_by_column(loss)
        for zeros in some((0, 1, 5, N // 2), 2, turn=len(shape)):
            x = draw.uniform(0.2, 2, N)
            x[draw.choice(N, zeros, replace=False)] = draw.choice([0.0, np.inf, 0.0, np.nan])
            found, wanted = user(x), dense(x)
            sure = np.isfinite(wanted)
            np.testing.assert_allclose(
                found[sure], wanted[sure], rtol=1e-11, atol=1e-12, err_msg=f"{shape} {zeros}"
            )
            if not np.isfinite(found).all():
                assert not sure.all(), (shape, zeros)
        assert user.paths[0].choices, shape
        assert "nonzeros" in repr(user.paths)


def test_the_choice_goes_by_operations():
    rosenbrock = lambda x: np.sum(TERMS["polynomial"](x[:-1], x[1:]))
    full = np.random.default_rng(1).normal(size=(90, 90))
    for f, n, colours in (
        (rosenbrock, 100, "3 pushforwards instead of 100"), (rosenbrock, 6, ""),
        (lambda x: np.sum(x**4), 100, ""), (lambda x: np.sum(np.tanh(full @ x)), 90, ""),
        (lambda x: np.sum(x) ** 3, 100, ""),
    ):  # fmt: skip
        slope = ad.hessian(f)
        slope(np.linspace(0.5, 1, n))
        words = " ".join(slope.paths[0].choices)
        assert (colours in words) and bool(words) == bool(colours), (n, words)


def test_in_containers_and_within_other_functions():
    def loss(p):
        x, y = p["x"], p["y"]
        return np.sum((x[1:] - x[:-1] ** 2) ** 2) + np.sum(x * y) + np.sum(y[1:] * y[:-1] ** 2)

    p = {name: np.random.default_rng(k).normal(size=40) for k, name in enumerate("xy")}
    found, wanted = ad.hessian(loss)(p), ad.jacobian(ad.grad(loss))(p)
    for a in p:
        for b in p:
            np.testing.assert_allclose(found[a][b], wanted[a][b], rtol=1e-12, atol=1e-12)
    of_x = lambda x: loss({"x": x, "y": p["y"]})
    diagonal = ad.grad(lambda x: np.sum(np.diagonal(ad.hessian(of_x)(x))))
    inner = np.r_[np.ones(39), 0]
    np.testing.assert_allclose(diagonal(p["x"]), 24 * p["x"] * inner - 4 * np.r_[0, np.ones(39)])
    rows = ad.vectorize(ad.hessian(of_x))(np.stack([p["x"], p["y"]]))
    np.testing.assert_allclose(rows[1], ad.hessian(of_x)(p["y"]), rtol=1e-12)
