"""Updates, slopes behind a clip, moved loops, narrow programs: what the checks say."""

import numpy as np
import pytest

import autodiff_edu as ad
import autodiff_edu.theano as theano
import autodiff_edu.theano.tensor as T
from autodiff_edu import course
from autodiff_edu.course.lectures.lecture_21 import clipped_slope, updated
from tests.helpers.depth import draws
from tests.helpers.students import own


def test_updates_are_those_of_an_old_program():
    """The reference of the check, against a function of the old names."""
    w, v = theano.shared(1.5, "w"), theano.shared(0.25, "v")
    slope = T.dscalar("slope")
    train = theano.function([slope], [], updates=[(v, 0.9 * v - 0.1 * slope), (w, w + v)])
    slopes = np.array([1.0, -2.0, 0.5, 3.0])
    for value in slopes:
        train(value)
    found = float(w.get_value()), float(v.get_value())
    np.testing.assert_allclose(found, updated(1.5, 0.25, slopes, 0.1), rtol=1e-12)


@pytest.mark.each("seed", range(5))
def test_slopes_behind_a_clip_are_those_of_the_engine(seed):
    rng, low = np.random.default_rng(seed), 0.2
    z, k = ad.vector("z"), int(rng.integers(0, 4))
    loss = -ad.log(ad.maximum(ad.softmax(z)[k], low))
    at = rng.normal(size=4)
    np.testing.assert_allclose(
        clipped_slope(at, k, low), ad.evaluate(ad.grad(loss, z), {z: at}), atol=1e-12
    )


def test_updates():
    course.check_updates(updated, trials=draws(50))

    def in_turn(w, v, slopes, rate):
        for slope in slopes:
            v = 0.9 * v - rate * slope
            w = w + v
        return w, v

    with pytest.raises(course.Wrong, match=r"part 0: the value(.|\n)*expected(.|\n)*at  "):
        course.check_updates(in_turn)


def test_slopes_behind_a_clip():
    course.check_clipped_slope(clipped_slope, trials=draws(50))
    for wrong in (lambda z, k, low: own(clipped_slope)(z, k, 0.0),
                  lambda z, k, low: own(clipped_slope)(z, k, 1.0)):  # fmt: skip
        with pytest.raises(course.Wrong, match=r"the value at \[\d\] differs"):
            course.check_clipped_slope(wrong)


def old_sum(x, w, T):
    return sum(np.tanh(x[k]) @ w for k in range(T))


def test_moved_loops():
    course.check_moved(lambda x, w, T: ad.sum(ad.tanh(x) @ w), old_sum)
    unrolled = {"the graph grows": lambda x, w, T: sum(ad.tanh(x[k]) @ w for k in range(T)),
                "the value differs": lambda x, w, T: ad.sum(x @ w),
                "the shape must be": lambda x, w, T: ad.tanh(x) @ w,
                "not an old variable": lambda x, w, T: theano.shared(1.0),
                "not float": lambda x, w, T: 1.0}  # fmt: skip
    for words, wrong in unrolled.items():
        with pytest.raises(course.Wrong, match=words) as caught:
            course.check_moved(wrong, old_sum)
        assert "raised" not in str(caught.value)


def test_narrow_programs():
    def old(x, w):
        return np.sum(x @ w) / len(x)

    course.check_narrow(lambda x, w: ad.mean(x @ w), old)
    wide = {"divide in float64": lambda x, w: (ad.sum(x @ w) / x.shape[0]).astype("float32"),
            "cast in float64": lambda x, w: ad.mean(x.astype("float64") @ w),
            "the value differs": lambda x, w: ad.sum(x @ w)}  # fmt: skip
    for words, wrong in wide.items():
        with pytest.raises(course.Wrong, match=words) as caught:
            course.check_narrow(wrong, old)
        assert "raised" not in str(caught.value)


def test_what_is_not_written_is_unsolved():
    def nothing(*args):
        raise NotImplementedError

    for check in (course.check_updates, course.check_clipped_slope,
                  lambda f: course.check_moved(f, old_sum),
                  lambda f: course.check_narrow(f, old_sum)):  # fmt: skip
        with pytest.raises(course.Unsolved):
            check(nothing)
