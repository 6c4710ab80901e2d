"""What equations refuse, and what they say: before they run, and when no solution is found."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

a, v = ad.scalar("a"), ad.vector("v")
w, M = ad.vector("w", shape=3), ad.matrix("M", shape=(2, 2))
T = [0.0, 1.0]
REFUSED = {
    "no function": (lambda: ad.root(a, 1.0), TypeError, r"a function first, not a: write ad\.root"),
    "no step": (lambda: ad.fixed_point(2.0, 1.0), TypeError, r"write ad\.fixed_point\(lambda x"),
    "no rate": (lambda: ad.odeint(1.0, T, T), TypeError, r"write ad\.odeint\(lambda y, t"),
    "None": (lambda: ad.root(lambda x: None, 1.0), TypeError, "write `return`"),
    "a list": (lambda: ad.root(lambda x: [x[0] * a, x[1]], [1.0, 2.0]), TypeError,
               r"write ad.stack\(\[\.\.\.\]\)"),
    "a list of rates": (lambda: ad.odeint(lambda y, t: [y[1], -y[0]], [1.0, 0.0], T), TypeError,
                        r"write ad.stack\(\[\.\.\.\]\)"),
    "another shape": (lambda: ad.root(lambda x: ad.sum(x) - a, [1.0, 2.0]), ad.ShapeError,
                      r"given float64\(2,\) and returns float64 .*begin with an array"),
    "another length": (lambda: ad.fixed_point(lambda x: x[:2] * a, [1.0, 2.0, 3.0]),
                       ad.ShapeError, r"given float64\(3,\) and returns float64\(2,\)"),
    "another shape of a rate": (lambda: ad.odeint(lambda y, t: ad.sum(y), [1.0, 2.0], T),
                                ad.ShapeError, "one number for each unknown"),
    "another dtype": (lambda: ad.root(lambda x: x.astype("float32"), a), ad.DTypeError,
                      r"write \.astype\('float64'\)"),
    "truth values": (lambda: ad.root(lambda x: x, ad.constant([True])), ad.DTypeError,
                     r"write \.astype\(float\)"),
    "more arguments": (lambda: ad.root(lambda x, p: x - p, 1.0), TypeError, "missing 1 required"),
    "t first": (lambda: ad.odeint(lambda t: t, 1.0, T), TypeError, "takes 1 positional argument"),
    "a method": (lambda: ad.root(lambda x: x - a, 1.0, method="newton"), ValueError,
                 "no method 'newton': choose hybr, lm"),
    "a method of a fixed point": (lambda: ad.fixed_point(lambda x: a, 1.0, method="repeat"),
                                  ValueError, "choose iteration, hybr"),
    "a method of a rate": (lambda: ad.odeint(lambda y, t: y, 1.0, T, method="RK4"), ValueError,
                           "choose DOP853, RK45"),
    "tol": (lambda: ad.root(lambda x: x - a, 1.0, tol=0), ValueError, "more than 0, not 0"),
    "maxiter": (lambda: ad.root(lambda x: x - a, 1.0, maxiter=0), ValueError, "1 or more"),
    "a word for tol": (lambda: ad.root(lambda x: x - a, 1.0, tol="small"), ValueError, "'small'"),
    "half a step": (lambda: ad.root(lambda x: x - a, 1.0, maxiter=3.5), ValueError, "not 3.5"),
    "no rtol": (lambda: ad.odeint(lambda y, t: y, 1.0, T, rtol=None), ValueError, "rtol=None"),
    "rtol": (lambda: ad.odeint(lambda y, t: y, 1.0, T, rtol=0, atol=0), ValueError, "rtol=0"),
    "one time": (lambda: ad.odeint(lambda y, t: y, 1.0, 2.0), ad.ShapeError, "a vector of times"),
    "no time": (lambda: ad.odeint(lambda y, t: y, 1.0, []), ad.ShapeError, "at least one time"),
    "times with expressions": (lambda: ad.odeint(lambda y, t: y, 1.0, [0.0, a]), TypeError,
                               r"write ad\.stack"),
    "`if`": (lambda: ad.root(lambda x: x if x > 0 else -x, 1.0), TypeError, "neither true nor"),
}  # fmt: skip


@pytest.mark.each(("build", "kind", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(build, kind, words):
    with pytest.raises(kind, match=words):
        build()


def nan_later(y, t):
    return ad.log(1 - a * t) * y


LOST = {
    "no root": (lambda: ad.root(lambda x: x * x + a, 1.0), r"the residual is 1\. Begin nearer"),
    "few steps": (lambda: ad.root(lambda x: ad.exp(x) - a, 50.0, maxiter=3), "the residual is"),
    "a start that is nan": (lambda: ad.root(lambda x: x * x - a, np.nan), "where f is nan"),
    "far away": (lambda: ad.root(lambda x: a * ad.exp(-x), 1.0), "the residual is"),
    "chaos": (lambda: ad.fixed_point(lambda x: 3.9 * a * x * (1 - x), 0.3),
              "step 1000 still moves x by 0.*hybr"),
    "growth": (lambda: ad.fixed_point(lambda x: 4 * a * x * x, 3.0), "still moves x by inf"),
    "fewer steps": (lambda: ad.fixed_point(lambda x: ad.cos(a * x), 0.3, maxiter=3), "step 3"),
    "an explosion": (lambda: ad.odeint(lambda y, t: a * y * y, 1.0, [0.0, 2.0]),
                     "stopped at t = 1, .*Radau"),
    "a rate that is nan": (lambda: ad.odeint(lambda y, t: a * y, np.nan, T),
                           "stopped at t = 0, where the rate is not a finite number"),
    "nan later": (lambda: ad.odeint(nan_later, 1.0, [0.0, 2.0]), "stopped at t = "),
    "nan with LSODA": (lambda: ad.odeint(nan_later, 1.0, [0.0, 2.0], method="LSODA"), "stopped"),
}  # fmt: skip


@pytest.mark.parametrize("name", some(LOST, 4))
@pytest.mark.filterwarnings("ignore::UserWarning")  # LSODA's own words
def test_what_is_not_found_is_an_error_with_the_residual_and_the_line(name):
    build, words = LOST[name]
    y = build()
    place = r"made at test_equation_errors\.py:\d+ `"
    for run in (lambda: ad.evaluate(y, {a: 1.0}), lambda: ad.function([a], y)(1.0)):
        with pytest.raises(ad.ConvergenceError, match=words) as caught:
            run()
        assert caught.match(place)


@pytest.mark.each("times", [[], [0.0, 2.0, 1.0], [0.0, np.nan], [0.0, np.inf]], ids=str)
def test_times_out_of_order(times):
    y = ad.odeint(lambda y, t: -a * y, 1.0, v)
    with pytest.raises(ValueError, match="one or more, finite, and go one way.*sort them"):
        ad.function([a, v], y)(1.0, times)


def test_a_root_of_higher_order_has_a_value_and_no_derivative():
    x = ad.root(lambda x: (x - a) ** 2, 3.0)
    assert np.isclose(ad.evaluate(x, {a: 1.0}), 1, atol=1e-6)
    flat = ad.root(lambda x: (x - a) * (x - 1) ** 2 * 0 + (x - a), 3.0)
    assert ad.evaluate(ad.grad(flat, a), {a: 1.0}) == 1
    tie = ad.fixed_point(lambda x: x, a + w)
    with pytest.raises(np.linalg.LinAlgError, match=r"singular .*no derivative exists"):
        ad.evaluate(ad.grad(ad.sum(ad.fixed_point(lambda x: x + 0 * w, tie)), w),
                    {a: 1.0, w: np.ones(3)})  # fmt: skip


def test_the_start_has_no_derivative_and_says_so():
    for y in (ad.root(lambda x: x * x - 2, a), ad.fixed_point(lambda x: ad.cos(x), a)):
        with pytest.raises(ad.DisconnectedInputError, match="where the search for it begins"):
            ad.grad(y, a)


def test_nan_in_a_matrix_is_nan_and_not_an_error():
    x = ad.root(lambda x: x - a, 0.0)
    y = ad.grad(ad.root(lambda x: x * ad.sqrt(x) - a * x, 1.0) * x, a)
    assert np.isfinite(ad.evaluate(y, {a: 1.0}))


@pytest.mark.each("wrong", [np.zeros(2), np.zeros((3, 3))], ids=["length", "axes"])
def test_operands_of_another_type(wrong):
    op = ad.root(lambda x: x**3 + x - w, np.zeros(3)).op
    with pytest.raises(ad.ShapeError):
        op(wrong, w)
