"""What cond refuses, and what it says to write instead."""

import numpy as np
import pytest

import autodiff_edu as ad
import autodiff_edu.theano as theano
import autodiff_edu.theano.tensor as T
from autodiff_edu.nested import Branch

x, v = ad.scalar("x"), ad.vector("v")
a, b = ad.vector("a", shape=2), ad.vector("b", shape=3)
REFUSED = {
    "several entries": (lambda: ad.cond(v > 0, v, -v), ad.ShapeError,
                        r"one truth value, not bool\(\?,\).*ad.where\(condition, a, b\)"),
    "lengths": (lambda: ad.cond(x > 0, a, b), ad.ShapeError,
                r"float64\(2,\) and float64\(3,\).*one shape.*broadcast_to"),
    "axes": (lambda: ad.cond(x > 0, a, x), ad.ShapeError, r"float64\(2,\) and float64 "),
    "counts": (lambda: ad.cond(x > 0, [x, x], [x]), TypeError, "a list of 2, the other a list of"),
    "containers": (lambda: ad.cond(x > 0, [x], (x,)), TypeError, "a list of 1, the other a tuple"),
    "keys": (lambda: ad.cond(x > 0, {"u": x}, {"w": x}), TypeError, r"\['u'\].*\['w'\]"),
    "deep": (lambda: ad.cond(x > 0, [{"u": [x]}], [{"u": x}]), TypeError,
             r"at \[0\]\['u'\] one is a list of 1, the other an expression"),
    "one side": (lambda: ad.cond(x > 0, x), TypeError, "a condition and two sides"),
    "nothing beside it": (lambda: ad.cond(x > 0), TypeError, "ad.condition_number"),
    "nothing": (lambda: ad.cond(x > 0, [], []), ValueError, "at least one expression"),
    "None": (lambda: ad.cond(x > 0, x, None), ad.DTypeError, "not None"),
    "a function without return": (lambda: ad.cond(x > 0, x, lambda: None), TypeError,
                                  "write `return`"),
    "a text": (lambda: ad.cond(x > 0, x, "a"), ad.DTypeError, "not 'a'"),
    "a wildcard": (lambda: ad.cond(x > 0, x, ad.wild("p")), TypeError, "a pattern is of any dtype"),
    "a wildcard as a condition": (lambda: ad.cond(ad.wild("p"), x, x), TypeError, "a pattern is"),
    "`if` in a side": (lambda: ad.cond(x > 0, lambda: x if x > 1 else -x, x), TypeError,
                       "neither true nor false"),
}  # fmt: skip


@pytest.mark.each(("build", "kind", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(build, kind, words):
    with pytest.raises(kind, match=words):
        build()


def test_the_operation_itself_asks_for_a_truth_value():
    op = ad.cond(x > 0, x * x, -x).op
    assert isinstance(op, Branch)
    for wrong in (x, v > 0):
        with pytest.raises((ad.DTypeError, ad.ShapeError), match="one truth value"):
            op(wrong, x)


def test_lengths_that_differ_only_when_it_runs():
    """The side that is taken counts."""
    w = ad.vector("w")
    f = ad.function([x, v, w], ad.cond(x > 0, v * 2, w))
    assert f(1.0, [1.0], [1.0, 2.0]).tolist() == [2]
    assert f(-1.0, [1.0], [1.0, 2.0]).tolist() == [1, 2]


def test_equal_branches_are_equal_operations():
    def made(x):
        return ad.cond(x > 0, ad.sqrt(x), x * x).op

    one, other = made(x), made(ad.scalar("z"))
    assert one == other and hash(one) == hash(other)
    assert one != ad.cond(x > 0, x * x, ad.sqrt(x)).op
    stage = ad.simplify(ad.cond(x > 0, ad.sqrt(x), x * x) + ad.cond(x > 0, ad.sqrt(x), x * x))
    assert str(stage.output) == "2 * cond(x > 0, sqrt(x), square(x))"


def test_in_theano():
    a, b = T.scalars("ab")
    x, y = T.matrices("xy")
    z = theano.ifelse.ifelse(a < b, T.mean(x), T.mean(y))
    f = theano.function([a, b, x, y], z)
    ones = np.ones((2, 2))
    assert (f(0.0, 1.0, ones, 2 * ones), f(1.0, 0.0, ones, 2 * ones)) == (1, 2)
    one, two = theano.ifelse.ifelse(a, [a, b], [b, a], name="swap")
    g = theano.function([a, b], [one, two])
    assert [float(r) for r in g(0.0, 3.0)] == [3, 0]


def test_of_a_matrix_alone_it_is_the_condition_number():
    m = ad.matrix("m", shape=(2, 2))
    assert ad.evaluate(ad.cond(m), {m: [[4.0, 0.0], [0.0, 2.0]]}) == 2.0
