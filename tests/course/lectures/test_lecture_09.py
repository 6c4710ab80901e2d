"""Linear operations: right pullbacks are accepted, wrong ones told both sides of the identity."""

import numpy as np
import pytest

from autodiff_edu import course


def table(rng):
    return rng.normal(size=rng.integers(2, 5, 2)), int(rng.integers(2))


def total(v, axis):
    return v.sum(axis=axis)


def flipped(v, _):
    return v[::-1]


def test_a_right_pullback_is_accepted(capsys):
    def back(u, axis):
        return np.flip(u, axis=0)

    course.check_adjoint(back, flipped, table, trials=5, seed=0)
    assert "for 5 random pairs" in capsys.readouterr().out


def test_examples_come_first(capsys):
    def back(u):
        return 2 * u

    course.check_adjoint(
        back, lambda v: 2 * v, lambda _: (0.0,), examples=[(np.ones(0),)], trials=1
    )
    assert "for 2 random pairs" in capsys.readouterr().out


def test_a_wrong_one_is_told_both_sides_and_where():
    def back(u, axis):
        return u

    says = r"identity fails for v = (.|\n)*needed    ⟨u, f\(v\)⟩ = (.|\n)*at        back\(u=\["
    with pytest.raises(course.Wrong, match=says):
        course.check_adjoint(back, flipped, table)


@pytest.mark.each("result", [0.0, np.zeros((7, 7)), None, "u"])
def test_a_wrong_shape_is_told_so(result):
    def back(u, axis):
        return result

    with pytest.raises(course.Wrong, match="have the shape of the operand"):
        course.check_adjoint(back, total, table)


def test_nan_is_wrong():
    def back(u, axis):
        return np.full(u.shape, np.nan)

    with pytest.raises(course.Wrong, match="identity fails"):
        course.check_adjoint(back, flipped, table)


def test_the_engine_is_refused():
    def back(u, axis):
        import autodiff_edu as ad

        return ad.evaluate(ad.constant(u)[::-1])

    with pytest.raises(course.Wrong, match="the engine was called"):
        course.check_adjoint(back, flipped, table)
