"""Adjoints of equations, early stops, sensitivities, stubborn steps: what the checks say."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course
from autodiff_edu.course.lectures.lecture_20 import by_complex_steps
from autodiff_edu.course.lectures.more.lecture_20_early import stopped
from tests.helpers.depth import draws, some


def layer(x, W, b):
    return np.tanh(W @ x + b)


def draw(rng):
    W = rng.normal(size=(3, 3))
    return rng.normal(size=3), 0.9 * W / np.linalg.norm(W, 2), rng.normal(size=3)


def adjoints(ct, x, W, b):
    slope = 1 - x**2
    u = np.linalg.solve((np.eye(len(x)) - slope[:, None] * W).T, ct) * slope
    return np.outer(u, x), u


def test_the_adjoint_of_a_fixed_point():
    course.check_implicit_pullback(adjoints, layer, draw)
    with pytest.raises(course.Wrong, match=r"part 1: the value(.|\n)*expected(.|\n)*at  "):
        course.check_implicit_pullback(lambda *a: (adjoints(*a)[0], a[0]), layer, draw)
    with pytest.raises(course.Wrong, match="the engine was called"):
        course.check_implicit_pullback(lambda ct, x, W, b: ad.sum(b), layer, draw)


def test_any_step_in_the_words_of_numpy():
    """Of one parameter, the answer is one array."""

    def rotated(ct, x, c):
        return ct / (1 + np.sin(x * c) * c) * -np.sin(x * c) * x

    course.check_implicit_pullback(
        rotated,
        lambda x, c: np.cos(x * c),
        lambda rng: (rng.normal(size=4), rng.uniform(0.3, 0.9, 4)),
    )


def solved(ct, A, x):
    b = np.linalg.solve(A.T, ct)
    return -np.outer(b, x), b


def test_the_adjoint_of_a_linear_equation():
    course.check_solve_pullback(solved, trials=draws(100))
    wrong = {
        r"A\.T @ b_bar - ct near 0": lambda ct, A, x: (solved(ct, A, x)[0], ct),
        r"A_bar \+ outer": lambda ct, A, x: (-solved(ct, A, x)[0], solved(ct, A, x)[1]),
        "part 0: the shape": lambda ct, A, x: solved(ct, A, x)[::-1],
        "the result must be of type tuple": lambda ct, A, x: None,
    }
    for words, answer in wrong.items():
        with pytest.raises(course.Wrong, match=words) as caught:
            course.check_solve_pullback(answer)
        assert "expected" not in str(caught.value)


def test_early_stops():
    """SYLLABUS 5H: the errors of the slope through the steps."""
    exact = 0.5 / np.sqrt(2)
    through = [abs(stopped(2.0, count)[1] - exact) for count in range(6)]
    np.testing.assert_allclose(through[:4], [0.146, 7.56e-3, 1.25e-5, 1.84e-11], rtol=5e-3)
    assert max(through[4:]) < 1e-15

    def early(a, N):
        x, slope = (1 + a) / 2, 0.5
        for _ in range(N):
            x, slope = (x + a / x) / 2, (slope + 1 / x - a * slope / x**2) / 2
        return x, slope, 1 / (2 * x)

    course.check_early_stop(early)
    says = r"by_equation: the value differs\n  expected  0.25\n  got .*\n  at .*\(a=3.0, N=0\)"
    with pytest.raises(course.Wrong, match=says):
        course.check_early_stop(lambda a, N: (*early(a, N)[:2], 0.5 / np.sqrt(a)))
    with pytest.raises(course.Wrong, match="by_equation: the value differs") as caught:
        course.check_early_stop(lambda a, N: (*early(a, N)[:2], early(a, N)[2] + (a == 2)))
    assert "expected" not in str(caught.value)  # it fails at a fixed input alone
    course.check_early_stop(lambda a, N: np.array(early(a, N)))
    for answer in (lambda a, N: early(a, N)[:2], lambda a, N: early(a, N)[0], lambda a, N: None):
        with pytest.raises(course.Wrong, match="three numbers: x, and both slopes"):
            course.check_early_stop(answer)


def test_sensitivities():
    def rate(y, p):
        return np.array([p[0] * y[0] - p[1]])

    def drawn(rng):
        return rng.uniform(0.5, 1, 2), rng.uniform(1, 2, 1), 1.5

    def exact(p, y0, T):
        growth = np.exp(p[0] * T)
        by_rate = y0[0] * T * growth - p[1] * (T * growth / p[0] - (growth - 1) / p[0] ** 2)
        return np.array([[by_rate, -(growth - 1) / p[0]]])

    p, y0, T = drawn(np.random.default_rng(0))
    np.testing.assert_allclose(by_complex_steps(rate, p, y0, T), exact(p, y0, T), rtol=1e-8)
    course.check_sensitivity(exact, rate, drawn)
    with pytest.raises(course.Wrong, match="the shape must be"):
        course.check_sensitivity(lambda *a: exact(*a)[0], rate, drawn)


STUBBORN = {
    "repeated from nearby, the search ends": lambda x, c: ad.cos(c * x),
    "a singular equation": lambda x, c: x + 0 * c,
    "slope 0": lambda x, c: 3 * x + 0 * c,
    "found from 0.5": lambda x, c: x * x + 1 + c,
    "returns one number, made of x and c": lambda x, c: 2.0,
}


def test_stubborn_steps():
    course.check_stubborn(lambda x, c: 4 * c - 3 * x, trials=10)
    course.check_stubborn(lambda x, c: x + 2 * (x * x - c))
    for words, step in some(STUBBORN.items(), 2):
        with pytest.raises(course.Wrong, match=words):
            course.check_stubborn(step)


@pytest.mark.each("check", [
    lambda f: course.check_implicit_pullback(f, layer, draw), course.check_solve_pullback,
    course.check_early_stop, course.check_stubborn,
])  # fmt: skip
def test_what_is_not_written_is_unsolved(check):
    def nothing(*args):
        raise NotImplementedError

    with pytest.raises(course.Unsolved):
        check(nothing)
