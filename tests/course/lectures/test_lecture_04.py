"""Pairs and sweeps by hand: the reference is right, and what is wrong is said at its input."""

from itertools import accumulate
from operator import mul

import numpy as np
import pytest

from autodiff_edu import course, sin
from autodiff_edu.course.lectures.lecture_04 import pushed


def running(*factors):
    return list(accumulate(factors, mul))


def test_the_reference_is_the_survey_s_trace():
    values, tangents = pushed(lambda a, b: a * b - sin(b), (2.0, 5.0), (0.0, 1.0))
    assert values == (pytest.approx(10 - np.sin(5)),)
    assert tangents == (pytest.approx(2 - np.cos(5)),)


def test_several_results():
    values, tangents = pushed(running, (2.0, 3.0, 0.0), (1.0, 1.0, 1.0))
    assert values == (2, 6, 0) and tangents == (1, 5, 6)


def two(rng):
    return rng.normal(size=2)


def test_right_pairs_are_accepted():
    def times(a, b):
        return a[0] * b[0], a[1] * b[0] + a[0] * b[1]

    course.check_pairs(times, lambda a, b: a * b, two, examples=[[(2.0, 1.0), (5.0, 0.0)]])


def test_wrong_pairs_are_told_where():
    def times(a, b):
        return a[0] * b[0], a[1] * b[1]

    with pytest.raises(course.Wrong, match=r"part 1: the value differs(.|\n)*times\(a=\("):
        course.check_pairs(times, lambda a, b: a * b, two)


def along(x, r):
    product, tangent, found = x[0], r[0], [r[0]]
    for factor, rate in zip(x[1:], r[1:], strict=True):
        tangent = tangent * factor + product * rate
        product = product * factor
        found.append(tangent)
    return found


def test_a_sweep_is_accepted():
    course.check_direction(along, running, lambda n: 3 * (n - 1), seed=0)


def test_a_sweep_that_costs_more_is_told_so():
    with pytest.raises(course.Wrong, match="at most 2 multiplications\n  got       3"):
        course.check_direction(along, running, lambda n: 3 * (n - 1) - (n > 1))


def test_arrays_do_not_count():
    def arrays(x, r):
        x, r = np.array(x, float), np.array(r, float)
        return [np.dot(np.array([np.prod(np.delete(x[:k], i)) for i in range(k)]), r[:k])
                for k in range(1, len(x) + 1)]  # fmt: skip

    with pytest.raises(course.Wrong, match="arrays do not count"):
        course.check_direction(arrays, running, lambda n: 3 * n)


def test_a_division_is_refused():
    def divides(x, r):
        p = list(accumulate(x, mul))
        return [p[k] * sum((b / a for a, b in zip(x, r[: k + 1], strict=False)), 0.0)
                for k in range(len(x))]  # fmt: skip

    with pytest.raises((course.Wrong, ZeroDivisionError)):
        course.check_direction(divides, running, lambda n: 3 * n)
