"""`verify_grad` passes right gradients, catches wrong ones, and tells a kink from either."""

from fractions import Fraction

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, some

pytestmark = pytest.mark.numeric


@pytest.fixture
def rule():
    """States an operation with the rule that is to be checked, and forgets it afterwards."""

    def state(body, **stated):
        def tried(x):
            return body(x)

        return ad.op(**stated)(tried)

    yield state


def logistic(x):
    for _ in range(3):
        x = 4 * x * (1 - x)
    return x


# ---- right gradients


@pytest.mark.each(
    "f, x",
    some(
        [
            (logistic, 0.2),
            (lambda x: ad.sin(100 * x), 0.3),
            (lambda x: ad.softmax(x), np.array([1.0, 20.0, -30.0])),
            (lambda x: x * x, 0.0),  # both slopes are rounding: no kink
            (lambda x: 1e-20 * x * x, 0.4),
            (lambda x: x * x + 1e6, 0.3),
        ],
        3,
    ),
)
def test_a_right_gradient_passes_with_slope_two(f, x):
    found = ad.verify_grad(f, [x])
    assert found.error < 1e-5 and abs(found.slope - 2) < 0.1 and found.kinks == ()


@pytest.mark.each("dtype, error", [("float64", 1e-9), ("float32", 1e-3)])
def test_single_precision_has_a_wider_tolerance(dtype, error):
    found = ad.verify_grad(ad.exp, [np.array([0.1, 2.0, -3.0], dtype)])
    assert found.error < error and abs(found.slope - 2) < 0.1 and found.kinks == ()


def test_where_nothing_remains_the_slope_is_inf_and_at_a_flat_place_three():
    assert ad.verify_grad(lambda x: 3 * x, [0.3]).slope == np.inf
    assert abs(ad.verify_grad(lambda x: x**3, [0.0]).slope - 3) < 1e-6


def test_the_step_must_stay_in_the_domain():
    with pytest.raises(ad.GradientError, match="may leave the domain, give a smaller eps"):
        ad.verify_grad(ad.log, [1e-8])
    assert ad.verify_grad(ad.log, [1e-8], eps=1e-11).slope > 1.9


# ---- wrong ones


@pytest.mark.each("size", [1.0, 1e-9, 1e9])
def test_a_wrong_factor_is_caught_however_small_the_gradient(rule, size):
    wrong = rule(np.sin, partials=lambda x, out: (1.01 * ad.cos(x),))
    with pytest.raises(ad.GradientError, match="argument 0 of Σ u·f: the gradient says"):
        ad.verify_grad(lambda x: size * wrong(x), [0.3])


def test_an_error_near_a_minimum_is_not_taken_for_a_kink(rule):
    wrong = rule(np.square, partials=lambda x, out: (2 * x + 4e-6,))
    with pytest.raises(ad.GradientError, match="finite differences 0$"):
        ad.verify_grad(wrong, [0.0])


@pytest.mark.each("ignores", [lambda ct: ct * 0 + 1, abs, lambda ct: ct * ct])
def test_a_rule_that_is_not_linear_in_the_cotangent_is_caught(rule, ignores):
    right = rule(np.sin, chain=lambda d, x, out: (d * ad.cos(x),))
    ad.verify_grad(right, [np.arange(3.0)])
    wrong = rule(np.sin, chain=lambda d, x, out: (ignores(d) * ad.cos(x),))
    with pytest.raises(ad.GradientError):
        ad.verify_grad(wrong, [np.arange(3.0)])


def test_tolerances_of_zero_are_tolerances(rule):
    with pytest.raises(ad.GradientError):
        ad.verify_grad(ad.sin, [0.3], abs_tol=0, rel_tol=0)
    wrong = rule(np.sin, partials=lambda x, out: (1.01 * ad.cos(x),))
    assert 0.005 < ad.verify_grad(wrong, [0.3], rel_tol=0.02).error < 0.02
    assert 0.005 < ad.verify_grad(wrong, [0.3], abs_tol=0.02).error < 0.02


# ---- kinks


def test_kinks_are_reported_also_where_the_gradient_agrees_with_the_difference():
    assert ad.verify_grad(abs, [0.0]).kinks == ((0, ()),)
    x = np.array([0.0, 1e-6, -3e-6, 1.0, -1.0])
    found = ad.verify_grad(lambda x: ad.maximum(x, 0), [x])
    assert found.kinks == ((0, (0,)), (0, (1,)), (0, (2,))) and abs(found.slope - 1) < 0.1
    single = ad.verify_grad(lambda x: ad.maximum(x, 0), [x.astype("float32")])
    assert single.kinks == found.kinks


@pytest.mark.each("part", some(np.linspace(0, 0.9, 19), 7))
def test_a_kink_within_the_step_is_crossed_wherever_it_is(part):
    h = np.finfo(float).eps ** (1 / 3)
    assert ad.verify_grad(abs, [part * h]).kinks == ((0, ()),)
    assert ad.verify_grad(abs, [1.1 * h]).kinks == ()


def test_at_a_kink_any_slope_between_passes_and_no_other(rule):
    for slope in (0.0, 0.3, 1.0):
        fair = rule(lambda x: np.maximum(x, 0), partials=lambda x, out, slope=slope: (slope,))
        assert ad.verify_grad(fair, [0.0]).kinks
    wrong = rule(lambda x: np.maximum(x, 0), partials=lambda x, out: (1.5,))
    with pytest.raises(ad.GradientError, match="from the two sides .*: there is a kink"):
        ad.verify_grad(wrong, [0.0])


def test_a_gradient_that_is_nothing_but_rounding_is_right():
    ad.verify_grad(lambda x: ad.pinv(x.T) @ x[0], [np.arange(12.0).reshape(3, 4) ** 1.1 - 5])


def test_an_operation_without_a_derivative_names_the_keyword():
    @ad.op(type=lambda t: t)
    def silent(x):
        """x, whose derivative nobody stated."""
        return x * 1

    x = ad.scalar("x")
    with pytest.raises(TypeError, match="silent states no cotangents.*pullback="):
        ad.grad(silent(x), x)
    with pytest.raises(TypeError, match="silent states no cotangents.*pullback="):
        ad.forward_mode(silent(x), x)


def test_a_program_of_constants_takes_arrays():
    x = ad.vector("x")
    f = ad.function([x], [ad.constant(2.0) + 1.0], on_unused_input="ignore")
    assert f(np.ones(3)) == [3.0]


# ---- functions that branch


def tax(income):
    if income <= 10_000:
        return 0.0 * income
    if income <= 50_000:
        return 0.2 * (income - 10_000)
    return 8_000 + 0.4 * (income - 50_000)


def newton(a):
    x = a
    while abs(x * x - a) > 1e-9:
        x = (x + a / x) / 2
    return x


def hinge(c, slopes, jump):
    """To the left of c one slope, to the right another."""

    def f(x):
        if x < c:
            return slopes[0] * (x - c)
        return slopes[1] * (x - c) + jump

    return f


@pytest.mark.each(
    "f, x", some([(tax, 5e3), (tax, 3e4), (tax, 1e5), (newton, 2.0), (newton, 1e4)], 3)
)
def test_a_branch_away_from_its_boundary_is_like_any_function(f, x):
    found = ad.verify_grad(f, [x])
    assert found.error < 1e-9 and found.kinks == () and found.crossed == ()


@pytest.mark.parametrize("x", some([10_000.0, 10_000.01, 9_999.99, 50_000.0, 50_000.1], 3))
def test_a_kink_between_two_paths_is_a_kink(x):
    found = ad.verify_grad(tax, [x])
    assert found.kinks == ((0, ()),) and found.error == 0
    (words,) = found.crossed
    line = "income <= 10_000" if x < 2e4 else "income <= 50_000"
    assert words.startswith("a step in argument 0 crosses test_verify_grad.py:")
    assert f"`if {line}:`" in words and words.endswith("where the value is continuous")


@pytest.mark.each("x", some([0.0, 1e-7, -1e-7], 2))
def test_where_the_value_jumps_the_slope_is_that_of_the_path(x):
    def f(x):
        return x * x - 1 if x < 0 else ad.exp(3 * x)

    found = ad.verify_grad(f, [x])
    assert found.error < 1e-7 and found.kinks == () and abs(found.slope - 2) < 0.1
    assert [words.endswith("where the value jumps") for words in found.crossed] == [True]


@pytest.mark.parametrize("dtype", some(["float64", "float32"], 2))
def test_any_kink_and_any_jump_within_a_step_is_told_from_the_other(dtype):
    rng, to = np.random.default_rng(0), np.dtype(dtype).type
    for _ in range(draws(25)):
        c = to(rng.normal() * 10 ** rng.uniform(-3, 4))
        slopes = rng.normal(size=2) * 10 ** rng.uniform(-2, 3, 2)
        h = np.finfo(dtype).eps ** (1 / 3) * max(1, abs(c))
        x = to(c + h * rng.uniform(-0.99, 0.99))
        for jump in (0.0, 1e3 * h * abs(slopes).max()):
            (words,) = ad.verify_grad(hinge(c, slopes, jump), [x]).crossed
            assert words.endswith("where the value jumps" if jump else "the value is continuous")


def test_a_wrong_gradient_beside_a_boundary_is_caught_and_the_line_named():
    def wrong(x):
        return ad.grad_scale(3 * x, 1.1) if x > 0 else -x

    with pytest.raises(
        ad.GradientError, match="there is a kink; a step in argument 0 crosses .*> 0"
    ):
        ad.verify_grad(wrong, [1e-7])

    def wrong_and_jumps(x):
        return 1 + ad.grad_scale(3 * x, 1.1) if x > 0 else -x

    with pytest.raises(ad.GradientError, match="where the value jumps"):
        ad.verify_grad(wrong_and_jumps, [1e-7])
    with pytest.raises(ad.GradientError, match="finite differences -?[0-9.]+$"):
        ad.verify_grad(wrong, [1.0])


def test_each_entry_has_its_own_crossings():
    def f(x, y):
        return np.sum(x) if x[1] > 0 else np.sum(x) * y

    found = ad.verify_grad(f, [np.array([1.0, 1e-7, 1.0]), np.array(1.0)])
    assert len(found.crossed) == 1 and "argument 0 at (1,) crosses" in found.crossed[0]


def test_an_error_on_the_other_path_is_not_the_users_error():
    def f(x):
        assert x > 0
        return ad.log(x)

    assert ad.verify_grad(f, [0.05]).error < 1e-6  # the directions of the Taylor test leave it
    with pytest.raises(ad.GradientError, match="may leave the domain.*assert x > 0"):
        ad.verify_grad(f, [1e-8])


def test_examples_that_take_several_paths_are_checked_together():
    found = ad.verify_grad(ad.vectorize(tax), [np.array([5e3, 1e4, 2e4, 1e5])])
    assert found.kinks == ((0, (1,)),) and len(found.crossed) == 1


# ---- points


@pytest.mark.each(
    "value", ["1.0", 1j, np.array([1, 2], "m8[s]"), np.zeros(2, [("a", "f8")]), {1.0}, None]
)
def test_what_is_no_real_number_is_no_point(value):
    with pytest.raises(ad.DTypeError, match="reals, not"):
        ad.verify_grad(ad.sum, [value])


@pytest.mark.each(
    "value", [np.ones(2, np.longdouble), np.arange(2, dtype=">f8"), 10**30, Fraction(1, 3)]
)
def test_a_point_of_any_real_numbers(value):
    assert ad.verify_grad(lambda x: ad.sum(x * x), [value]).error < 1e-4


@pytest.mark.each("how", some(["warn", "raise"], 2))
@pytest.mark.each("x", some([0.0, -1e4, 1e308, np.inf, np.nan, 5e-324], 6))
@pytest.mark.each("f", some([ad.log, ad.sqrt, ad.gammaln, lambda x: 1 / x, lambda x: x**4], 2))
@pytest.mark.filterwarnings("error")
def test_a_point_outside_the_domain_gives_no_warning(f, x, how):
    with np.errstate(all=how):
        try:
            ad.verify_grad(lambda x: ad.sum(f(x)), [np.full(2, x)])
        except ad.GradientError as error:
            assert "finite differences" in str(error)
