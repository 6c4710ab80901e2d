"""Rules stated by hand: the value in every bit, what the pullback is, and what must hold of it."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import course


def draw(rng):
    return (rng.normal(size=4),)


def value(x):
    return np.sin(x)


def right(x):
    return np.sin(x), lambda ct: ct * np.cos(x)


def slope(ct, x):
    return ct * np.cos(x)


def test_a_right_rule_is_accepted(capsys):
    course.check_rule(right, value, draw, pullback=slope, examples=[(0.5,)], trials=4)
    assert "value and pullback are right at 5 inputs" in capsys.readouterr().out


def test_one_that_nobody_has_begun_is_told_so():
    def rule(x):
        raise NotImplementedError

    with pytest.raises(course.Unsolved, match="rule is not written yet"):
        course.check_rule(rule, value, draw)


@pytest.mark.each("result", [1.0, (1.0, 2.0), (1.0,), [1.0, np.sin]])
def test_a_pair_is_expected(result):
    with pytest.raises(course.Wrong, match="value and pullback: "):
        course.check_rule(lambda x: result, value, draw)


def test_the_value_is_compared_bit_for_bit():
    def nearly(x):
        return np.sin(x) + 0.1 - 0.1, lambda ct: slope(ct, x)

    def off(x):
        return np.sin(x) + 1, lambda ct: slope(ct, x)

    with pytest.raises(course.Wrong, match="leaves every bit of it as it is"):
        course.check_rule(nearly, value, draw, seed=0)
    with pytest.raises(course.Wrong, match=r"the value at \[0\] differs"):
        course.check_rule(off, value, draw)


def test_a_dropped_cotangent_is_not_linear():
    def dropped(x):
        return np.sin(x), lambda ct: np.cos(x)

    with pytest.raises(course.Wrong, match="of 3·ct it is three times that of ct"):
        course.check_rule(dropped, value, draw)
    course.check_rule(dropped, value, draw, linear=False)


def test_several_cotangents_are_linear_one_by_one():
    def product(x, y):
        return x * y, lambda ct: (ct * y, ct * x)

    def half(x, y):
        return x * y, lambda ct: (ct * y, x)

    def pairs(rng):
        return tuple(rng.normal(size=2))

    course.check_rule(product, np.multiply, pairs, pullback=lambda ct, x, y: (ct * y, ct * x))
    with pytest.raises(course.Wrong, match="must be linear"):
        course.check_rule(half, np.multiply, pairs)


def test_what_must_hold_is_said_in_words():
    holds = {"it is never above one": lambda got, ct, x: np.all(got <= 1)}
    with pytest.raises(course.Wrong, match=r"it must hold: it is never above one(.|\n)*, ct = "):
        course.check_rule(right, lambda x: np.sin(x), lambda rng: (0.0,), holds=holds, seed=0)


def test_the_pullback_may_change_nothing_and_call_no_engine():
    def greedy(x):
        def pullback(ct):
            ct *= np.cos(x)
            return ct

        return np.sin(x), pullback

    def engine(x):
        return np.sin(x), lambda ct: ad.evaluate(ad.cos(ad.constant(x))) * ct

    with pytest.raises(course.Wrong, match="changed its arguments"):
        course.check_rule(greedy, value, draw)
    with pytest.raises(course.Wrong, match="the engine was called"):
        course.check_rule(engine, value, draw)


# ---- programs that the engine differentiates


def test_a_right_program_is_accepted(capsys):
    course.check_program(lambda x: np.sin(x), np.sin, np.cos, draw, trials=3)
    assert "value and derivative are right at 3 inputs" in capsys.readouterr().out


def test_value_and_derivative_are_told_apart():
    with pytest.raises(course.Wrong, match="the value at(.|\n)*, the value$"):
        course.check_program(lambda x: np.cos(x), np.sin, np.cos, draw)
    with pytest.raises(course.Wrong, match="(.|\n)*, the derivative$"):
        course.check_program(lambda x: abs(x), np.abs, np.ones_like, lambda rng: (-1.0,))


def test_gates_and_overrides_are_refused():
    @ad.custom_gradient
    def own(x):
        return np.sin(x), lambda ct: ct * np.cos(x)

    for program in (own, lambda x: ad.grad_scale(np.sin(x), 1.0)):
        with pytest.raises(course.Wrong, match="no gates and no overrides"):
            course.check_program(program, np.sin, np.cos, draw)


@pytest.mark.each("result", [1.0, None, ad.scalar("s"), (1, 2)])
def test_an_expression_of_the_same_shape_is_expected(result):
    def program(x):
        return result

    with pytest.raises(course.Wrong, match="needed    an expression, of the shape of x"):
        course.check_program(program, np.sin, np.cos, draw)
