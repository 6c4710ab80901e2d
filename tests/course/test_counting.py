"""Counted numbers behave as floats, and count."""

import numpy as np

from autodiff_edu.course import counted


def test_what_is_counted():
    (a, b), tally = counted([2.0, 3.0])
    result = -(a * b) * a + 2 * b - 1 / a
    assert isinstance(result, float) and result == -6.5
    assert tally == {"mul": 3, "add": 1, "truediv": 1, "sub": 1}
    assert (3 - a, 3 / a, a**2, 2**b) == (1, 1.5, 4, 8)
    assert tally["pow"] == 2


def test_each_call_has_its_own_tally():
    (a,), first = counted([2.0])
    (b,), second = counted([2.0])
    a * a, b + b
    assert first == {"mul": 1} and second == {"add": 1}


def test_arrays_do_not_count():
    numbers, tally = counted([2.0, 3.0])
    assert np.prod(numbers) == 6 and not tally
