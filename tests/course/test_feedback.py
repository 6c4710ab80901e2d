"""What a checker says: expected, got, and at which input; in one message without a traceback."""

import numpy as np
import pytest

from autodiff_edu.course import Wrong, expect

RIGHT = [
    (1.0, 1),
    (1.0, 1.0 + 1e-12),
    (np.nan, float("nan")),
    (np.inf, np.inf),
    (np.ones(3), [1.0, 1.0, 1.0]),
    ((1.0, np.ones(2)), [1, [1, 1]]),
    ({"x": 2.0, "y": 0.0}, {"y": 0.0, "x": 2.0}),
]
WRONG = [
    (1.0, 1.001, "the value differs"),
    (1.0, np.nan, "the value differs"),
    (1.0, None, "the value differs"),
    ((1.0,), None, "must be of type tuple, and is None"),
    (1.0, "one", "must consist of numbers, and is of type str"),
    (np.ones(3), np.ones((3, 1)), r"the shape must be \(3,\), not \(3, 1\)"),
    (np.zeros((2, 2)), [[0, 0], [0, 7]], r"the value at \[1, 1\] differs"),
    ((1.0, 2.0), 1.0, "must be of type tuple, and is of type float"),
    ((1.0, 2.0), (1.0,), r"the result lacks part 1\n"),
    ((1.0, 2.0), (1.0, 3.0), "part 1: the value differs"),
    ({"x": 1.0}, {"x": 1.0, "z": 2.0}, r"should not have the key 'z'\n"),
    ({"x": 1.0}, [1.0], "must be of type dict, and is of type list"),
    ({"x": (1.0, 2.0)}, {"x": (1.0, 5.0)}, "x: part 1"),
]


@pytest.mark.each("wanted, got", RIGHT)
def test_right(wanted, got):
    expect(wanted, got)


@pytest.mark.each("wanted, got, words", WRONG)
def test_wrong(wanted, got, words):
    with pytest.raises(Wrong, match=words):
        expect(wanted, got)


def test_the_message_says_expected_got_and_where():
    with pytest.raises(Wrong) as wrong:
        expect(np.array([0.0, 12.0]), np.array([0.0, np.nan]), "gradient(x=[1.0, 0.0])")
    assert str(wrong.value).splitlines() == [
        "the value at [1] differs",
        "  expected  [0.0, 12.0]",
        "  got       [0.0, nan]",
        "  at        gradient(x=[1.0, 0.0])",
    ]
    assert wrong.value._render_traceback_() == [f"Wrong: {wrong.value}"]


def test_a_long_value_is_cut():
    with pytest.raises(Wrong) as wrong:
        expect(np.zeros(10_000), np.ones(10_000))
    assert len(str(wrong.value)) < 1000
