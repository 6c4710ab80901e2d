"""An operation that calls SciPy (its cdist), and how to add a gradient to it: what a thread asked.

Three answers, each verified by random cotangents: a pullback made from the inputs, one that uses
the result again, and one that calls an operation of its own with its own fast code.
"""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import autodiff_edu as ad

RNG = np.random.default_rng(2)
X, W = RNG.normal(size=(3, 2)), RNG.normal(size=(5, 2))  # different numbers of rows


class Cdist(ad.Op):
    """The distances of all rows of x from all rows of w."""

    props = ()

    def infer_type(self, x, w):
        if x.shape[1] != w.shape[1] and None not in (x.shape[1], w.shape[1]):
            raise ad.ShapeError("rows of x and w have different lengths")
        return ad.TensorType("float64", (x.shape[0], w.shape[0]))

    def perform(self, x, w):
        return cdist(x, w)


def away(x, w):
    """x[i] − w[j], by i and j."""
    return x[:, None, :] - w[None, :, :]


def collected(each):
    """The cotangents of x and w from that of every difference of rows."""
    return [each.sum(axis=1), -each.sum(axis=0)]


class FromInputs(Cdist):
    """(a) The distances are written a second time, in the engine's own operations."""

    def pullback(self, inputs, outputs, cotangents):
        x, w = inputs
        (g,) = cotangents
        d = ad.sqrt((away(x, w) ** 2).sum(axis=2))
        return collected((g / d)[:, :, None] * away(x, w))


class FromOutputs(Cdist):
    """(b) They are there already: what Theano called L_op."""

    def pullback(self, inputs, outputs, cotangents):
        (d,), (g,) = outputs, cotangents
        return collected((g / d)[:, :, None] * away(*inputs))


class CdistGrad(ad.Op):
    """The cotangents of x and w, without an array of all differences of rows."""

    props = ()

    def infer_type(self, x, w, d, g):
        return ad.TupleType([ad.TensorType("float64", t.shape) for t in (x, w)])

    def perform(self, x, w, d, g):
        r = g / d
        return (
            x * r.sum(axis=1, keepdims=True) - r @ w,
            w * r.sum(axis=0)[:, None] - r.T @ x,
        )


class WithItsOwn(Cdist):
    """(c) Another operation computes it."""

    def pullback(self, inputs, outputs, cotangents):
        return list(CdistGrad()(*inputs, *outputs, *cotangents))


class Finite(Cdist):
    """(b), finite where rows coincide: the zero is kept from the divisor, not from the quotient."""

    def pullback(self, inputs, outputs, cotangents):
        (d,), (g,) = outputs, cotangents
        return collected((g / ad.where(d == 0, 1.0, d))[:, :, None] * away(*inputs))


ANSWERS = [FromInputs, FromOutputs, WithItsOwn, Finite]
each_answer = pytest.mark.each("answer", ANSWERS)


# ---- the gradient


@each_answer
def test_every_answer_passes_its_check(answer):
    report = answer().check(X, W)
    assert report, report
    assert "agrees with central differences, at random points by random cotangents" in " ".join(
        repr(report).split()
    )


@each_answer
def test_random_cotangents_at_other_numbers_of_rows(answer):
    for rows in ((1, 4), (4, 1), (2, 2)):
        values = [RNG.normal(size=(n, 3)) for n in rows]
        ad.verify_grad(lambda x, w: answer()(x, w), values)


def test_the_answers_agree_in_a_program_with_unknown_lengths():
    x, w, u = ad.matrix("x"), ad.matrix("w"), ad.matrix("u")
    outputs = [g for a in ANSWERS for g in ad.pullback(a()(x, w), [x, w], u)]
    found = ad.function([x, w, u], outputs)(X, W, RNG.normal(size=(3, 5)))
    for k in range(2, len(found)):
        np.testing.assert_allclose(found[k], found[k % 2], rtol=1e-12, atol=1e-14)


def test_equal_operations_merge():
    x, w = ad.matrix("x"), ad.matrix("w")
    d = FromOutputs()(x, w) + FromOutputs()(x, w)
    assert ad.simplify(d).after.counts["FromOutputs"] == 1


def test_second_derivatives_need_a_pullback_all_the_way():
    assert "second derivatives exist, and agree" in repr(FromOutputs().check(X, W))
    (note,) = [n for n in WithItsOwn().check(X, W).notes if "second" in n]
    assert "no gradient passes through CdistGrad" in note


# ---- when what is called


def test_pullback_is_called_while_building_and_perform_at_each_run():
    calls = []

    class Counted(FromOutputs):
        def perform(self, x, w):
            calls.append("perform")
            return super().perform(x, w)

        def pullback(self, inputs, outputs, cotangents):
            calls.append("pullback")
            assert all(isinstance(e, ad.Expr) for e in (*inputs, *outputs, *cotangents))
            return super().pullback(inputs, outputs, cotangents)

    x, w = ad.matrix("x"), ad.matrix("w")
    d = Counted()(x, w)
    assert calls == []
    gradient = ad.grad((d**2).sum(), [x, w])
    assert calls == ["pullback"]
    f = ad.function([x, w], [d, *gradient])
    assert calls == ["pullback"]
    for _ in range(3):
        f(X, W)
    assert calls == ["pullback"] + 3 * ["perform"]


# ---- what goes wrong in the thread


def test_a_type_copied_from_x_is_found_out():
    copied = type("Copied", (FromOutputs,), {"infer_type": lambda self, x, w: x})()
    (found,) = copied.check(X, W).findings
    assert "infer_type says float64(3, 2), and perform gives float64(3, 5)" in found
    assert "return ad.TensorType(x.dtype, (x.shape[0], w.shape[0]))" in found


def test_the_threads_first_rule_fails_on_broadcasting():
    """(mA, mB) times (mA, mB, n): it wants g[:, :, None]."""

    class First(Cdist):
        def pullback(self, inputs, outputs, cotangents):
            (d,), (g,) = outputs, cotangents
            return collected(g * away(*inputs) / d)

    (found,) = First().check(X, W).findings
    assert "fails while the derivative is built" in found and "lengths 3 and 5 meet" in found


def test_zero_distances_are_reported_and_may_be_finite():
    (note,) = [n for n in FromOutputs().check(X, W).notes if "nan" in n]
    assert "where all rows are equal the pullback gives nan for x at (0, 0)" in note
    assert "ad.where(d == 0, 1, d)" in note
    assert Finite().check(X, W).notes == []
    x = ad.matrix("x")
    slopes = [ad.grad(a()(x, x).sum(), x) for a in (FromOutputs, Finite)]
    broken, whole = ad.function(x, slopes)(X)
    assert np.isnan(broken).all() and np.isfinite(whole).all()


def test_a_where_around_the_quotient_keeps_its_slope_finite():
    """The side not taken has no part in the second slope either."""

    class Late(Cdist):
        def pullback(self, inputs, outputs, cotangents):
            x, w = inputs
            (g,) = cotangents
            d = ad.sqrt((away(x, w) ** 2).sum(axis=2))
            quotient = ad.where(d == 0, 0.0, g / d)[:, :, None]
            return collected(quotient * away(x, w))

    x = ad.matrix("x", shape=(3, 2))
    once = ad.grad(Late()(x, x).sum(), x)
    twice = ad.grad((once**2).sum(), x)
    assert np.isfinite(ad.evaluate(once, {x: X})).all()
    assert np.isfinite(ad.evaluate(twice, {x: X})).all()


# ---- the guide's example: a pullback of [a * g + b] for a * x + b


class Guide(ad.Op):
    """a·x + b, for numbers a and b."""

    props = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b

    def infer_type(self, x):
        return x

    def perform(self, x):
        return self.a * x + self.b

    def pullback(self, inputs, outputs, cotangents):
        return [self.a * cotangents[0] + self.b]


def test_the_guides_rule_is_rejected_with_the_reason():
    (found,) = Guide(2.0, 3.0).check(1.5).findings
    assert "of a * x + b the derivative is a, and the pullback [a * g], not [a * g + b]" in found
    assert found.endswith("\n    (g,) = cotangents\n    return [2 * g]")


def test_what_the_guides_rule_does_to_a_gradient():
    """It adds b to every gradient, even to one that is zero."""
    x = ad.scalar("x")
    for scale, wrong in ((1.0, 5.0), (10.0, 23.0), (0.0, 3.0)):
        assert ad.evaluate(ad.grad(scale * Guide(2.0, 3.0)(x), x), {x: 1.5}) == wrong
