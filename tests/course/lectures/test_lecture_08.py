"""Prices: growth is measured, sweeps are called one vector at a time, operations are tallied."""

import numpy as np
import pytest

from autodiff_edu import course

COUNTS = {"line": lambda n: 3 * n + 2, "square": lambda n: n * n + 7 * n}


def test_growth():
    def slopes():
        return {"line": 1, "square": 2}

    def wrong():
        return {"line": 1, "square": 3}

    def fewer():
        return {"line": 1}

    course.check_growth(slopes, COUNTS)
    with pytest.raises(course.Wrong, match=r"\n  got       3\n  at        square$"):
        course.check_growth(wrong, COUNTS)
    with pytest.raises(course.Wrong, match="a dict with the keys line, square"):
        course.check_growth(fewer, COUNTS)


def rows(n, m, push, pull):
    return np.array([pull(e) for e in np.eye(m)])


def test_the_fewest_calls():
    def whole(n, m, push, pull):
        return rows(n, m, push, pull) if m <= n else np.array([push(e) for e in np.eye(n)]).T

    def at_once(n, m, push, pull):
        return push(np.eye(n))

    course.check_calls(whole, seed=0)
    with pytest.raises(course.Wrong, match=r"1 calls\n  got       0 of push, 9 of pull"):
        course.check_calls(rows)
    with pytest.raises(course.Wrong, match="push takes one array of length"):
        course.check_calls(at_once)


def norm(x):
    return sum((v * v for v in x), 0.0)


def draw(rng, n):
    return (rng.normal(size=n).round(2).tolist(),)


def test_the_ratio_of_operations(capsys):
    def good(x):
        return norm(x), [2 * v for v in x]

    def sum_again(x):
        return norm(x), [2 * v + 0 * norm(x) for v in x]

    def arrays(x):
        return np.dot(x, x), 2 * np.array(x)

    course.check_ratio(good, norm, draw, sizes=(1, 10))
    assert "for n = 10, 1.50 times" in capsys.readouterr().out
    with pytest.raises(course.Wrong, match=r"less than 6 times the 20 operations"):
        course.check_ratio(sum_again, norm, draw, sizes=(10,))
    with pytest.raises(course.Wrong, match="arrays do not count"):
        course.check_ratio(arrays, norm, draw)


def test_lists_of_lists():
    def form(x, A):
        return sum(x[i] * A[i][j] * x[j] for i in range(len(x)) for j in range(len(x)))

    def slopes(x, A):
        n = range(len(x))
        return form(x, A), [sum((A[i][j] + A[j][i]) * x[j] for j in n) for i in n]

    def inputs(rng, n):
        return rng.normal(size=n).tolist(), rng.normal(size=(n, n)).tolist()

    course.check_ratio(slopes, form, inputs, sizes=(1, 3))
