"""Rules as students write them: what they say is what happens, and what cannot be is told."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu import Rule

a, b, x, y = ad.wild("a b x y")
M, N, v = ad.matrix("M"), ad.matrix("N"), ad.vector("v")
SPLIT = Rule("split", ad.sum(a + b), ad.sum(a) + ad.sum(b), pays="")


def fires(rule, e):
    return bool(ad.simplify(e, rules=[rule]).steps)


# ---- parameters are matched as they are meant


def test_what_a_pattern_leaves_unsaid_is_the_default_on_both_sides():
    ones = np.ones((2, 3))
    assert not fires(SPLIT, ad.sum(M + N, axis=0))
    assert not fires(SPLIT, ad.sum(M + N, keepdims=True))
    assert ad.evaluate(ad.simplify(ad.sum(M + N), rules=[SPLIT]), {M: ones, N: ones}) == 12
    assert fires(SPLIT, ad.sum(v + v)) and fires(SPLIT, ad.sum(M + N, axis=(0, 1)))


@pytest.mark.parametrize("axis", [1, -1, (1,), (-1,)])
def test_an_axis_may_be_written_in_any_way(axis):
    rule = Rule("split", ad.sum(a + b, axis), ad.sum(a, axis) + ad.sum(b, axis), pays="")
    stage = ad.simplify(ad.sum(M + N, axis=1), rules=[rule])
    assert str(stage.output) == "sum(M, axis=(1,)) + sum(N, axis=(1,))"
    assert not fires(rule, ad.sum(M + N, axis=0)) and not fires(rule, ad.sum(M + N))


def test_a_wildcard_stands_for_any_axis():
    k = ad.wild("k")
    rule = Rule("odd", ad.sum(-a, axis=k), -ad.sum(a, axis=k), pays="")
    assert str(ad.simplify(ad.sum(-M, axis=0), rules=[rule]).output) == "-sum(M, axis=(0,))"


def test_the_default_of_softmax_is_the_last_axis():
    rule = Rule("mine", ad.log(ad.softmax(a)), ad.log_softmax(a))
    assert fires(rule, ad.log(ad.softmax(M))) and fires(rule, ad.log(ad.softmax(M, axis=1)))
    assert not fires(rule, ad.log(ad.softmax(M, axis=0)))


def test_transposes_match_as_they_are_written():
    twice = Rule("twice", a.T.T, a, any_dtype=True)
    product = Rule("product", (a @ b).T, b.T @ a.T, pays="")
    assert ad.simplify(M.T.T, rules=[twice]).output is M
    assert ad.simplify(v.T.T, rules=[twice]).output is v
    assert ad.same([ad.simplify((M @ N).T, rules=[product]).output], [N.T @ M.T])
    cube = ad.tensor("C", shape=(2, 3, 4))
    assert not fires(twice, ad.transpose(ad.transpose(cube, (0, 2, 1)), (0, 2, 1)))
    assert twice.check().ok and any("agree" in said for said in product.check().passed)


def test_an_override_whose_pattern_names_no_axis_takes_any():
    stage = ad.override_gradient(ad.sum(M, axis=0), ad.sum(a), lambda s, out, ct: [s["a"]])
    assert len(stage.matches) == 1
    given = ad.override_gradient(ad.sum(M, axis=0), ad.sum(a, axis=-1), lambda s, out, ct: [ct])
    assert not given.matches
