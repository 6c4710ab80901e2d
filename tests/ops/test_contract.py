"""What a rule must return: one message for each way in which it may not, with the remedy."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Disconnected, Null

X = ad.matrix("x", shape=(3, 2))


class Times(ad.Op):
    """x·y, operands being stretched; `rule` is the pullback, from (ct, x, y)."""

    def __init__(self, rule):
        self.rule = rule

    def infer_type(self, x, y):
        return ad.TensorType(x.dtype, ad.expr.broadcast_shapes(x.shape, y.shape))

    def perform(self, x, y):
        return x * y

    def pullback(self, inputs, outputs, cotangents):
        return self.rule(cotangents[0], *inputs)


def slope(rule, x=X, y=2.0):
    return ad.grad(Times(rule)(x, y).sum(), x)


WRONG = [
    (lambda ct, x, y: None, "must return a list of 2, one cotangent for each input, not None"),
    (lambda ct, x, y: [ct], "must return a list of 2"),
    (lambda ct, x, y: ct * y, "must return a list of 2"),
    (lambda ct, x, y: (ct * y, ct, ct), "must return a list of 2"),
    (lambda ct, x, y: [0, None], r"returned 0 for input 0, x, .*write ad.zeros_like\(x\)"),
    (lambda ct, x, y: [np.ones((3, 2)), None], r"an array of shape \(3, 2\).*called once, before"),
    (lambda ct, x, y: [ct.astype("int64"), None], r"returned int64.*\.astype\('float64'\)"),
    (lambda ct, x, y: [x > 0, None], "returned bool.*a cotangent is a float of the input's shape"),
    (
        lambda ct, x, y: [ct[0], None],
        r"returned float64\(2,\) for input 0, x of type float64\(3, 2",
    ),
    (lambda ct, x, y: [ct[:, :1], None], r"returned float64\(3, 1\)"),
    (lambda ct, x, y: [ct.sum(), None], "spread it by ad.broadcast_to"),
    (lambda ct, x, y: [ad.stack([ct, ct]), None], r"sum over .*, \.sum\(axis=\(0,\)\)"),
    (lambda ct, x, y: [ct * y, 1.0], "returned 1.0 for input 1, 2"),
]


@pytest.mark.each("rule, words", WRONG)
def test_what_a_pullback_may_not_return(rule, words):
    with pytest.raises(TypeError, match=f"the pullback of Times .made at test_contract.*{words}"):
        slope(rule)


def test_what_was_stretched_is_to_be_summed():
    row = ad.matrix("row", shape=(1, 2))
    rule = lambda ct, x, y: [ct * y, ct * x]
    with pytest.raises(TypeError, match=r"\.sum\(axis=\(0,\), keepdims=True\)"):
        slope(rule, row, X)
    with pytest.raises(TypeError, match=r"\.sum\(axis=\(0,\)\)"):
        slope(rule, ad.vector("v", shape=2), X)


def test_none_ends_the_path_and_the_error_says_so():
    with pytest.raises(ad.DisconnectedInputError, match="Times .*its pullback hands none on"):
        slope(lambda ct, x, y: [None, ct.sum()])
    with pytest.raises(ad.DisconnectedInputError):
        slope(lambda ct, x, y: [Disconnected(), None])
    with pytest.raises(ad.NullTypeGradError, match="because"):
        slope(lambda ct, x, y: [Null("because"), None])


def test_a_float_of_another_precision_is_cast():
    x = ad.vector("x", shape=2, dtype="float32")
    assert slope(lambda ct, x, y: [ct * np.float64(2), None], x).dtype == "float32"


@pytest.mark.each(
    "found, words",
    [
        (lambda t: t * 2, "must return a list of 1, one tangent for each output.*in brackets"),
        (lambda t: [t.sum(axis=0)], "returned float64.*a tangent is a float of the output's shape"),
        (lambda t: [1.0], "returned 1.0 for output 0"),
    ],
)
def test_what_a_pushforward_may_not_return(found, words):
    rule = {"pushforward": lambda self, inputs, outputs, tangents: found(tangents[0])}
    op = type("Forward", (Times,), rule)(None)
    with pytest.raises(TypeError, match=f"the pushforward of Forward.*{words}"):
        ad.forward_mode(op(X, 2.0), X)


def test_a_pushforward_gets_zeros_and_a_declared_one_states_its_own():
    rule = {"pushforward": lambda self, i, o, t: [t[0] * i[1] + i[0] * t[1]]}
    op = type("Forward", (Times,), rule)(None)
    x = ad.scalar("x")
    pushed = ad.pushforward(op(x, 2.0), x, 1.5)
    assert ad.evaluate(ad.simplify(pushed), {x: 1.0}) == 3.0
    assert str(ad.simplify(pushed).output) == "3"


@pytest.mark.each(
    "rule, words",
    [
        (lambda ct, x, out: ct, "must return a list of 1"),
        (lambda ct, x, out: (ct, ct), "must return a list of 1"),
        (lambda ct, x, out: (2.0,), "returned 2.0 for input 0"),
        (lambda ct, x, out: (ct.sum(),), "returned float64 for input 0"),
    ],
)
def test_declared_operations_are_under_the_same_contract(rule, words):
    @ad.op(pullback=rule)
    def tried(x):
        return 2 * x

    with pytest.raises(TypeError, match=f"the pullback of tried.*{words}"):
        ad.grad(tried(X).sum(), X)


def test_a_slice_at_a_time_the_contract_holds_too():
    op = Times(lambda ct, x, y: [ct])
    with pytest.raises(TypeError, match="the pullback of Times.*must return a list of 2"):
        ad.vectorize(ad.grad(lambda x: op(x, 2.0)))(np.ones(3))


def test_tangents_follow_from_a_pullback_at_lengths_that_are_not_known():
    x, t = ad.vector("x"), ad.vector("t")
    op = Times(lambda ct, x, y: [ct * y, ct * x])
    box = ad.OpFromGraph([x], [x * x], pullback=lambda i, o, ct: [3 * ct[0] * i[0]])
    for y, slope in ((op(x, x), 6.0), (box(x), 9.0)):
        pushed = ad.pushforward(y, x, t)
        assert ad.evaluate(pushed, {x: [3.0, 3.0], t: [1.0, 1.0]}).tolist() == [slope, slope]
    ignores_cotangent = Times(lambda ct, x, y: [ad.broadcast_to(y, x.shape), None])
    with pytest.raises(TypeError, match="the pullback of Times drops its cotangent"):
        ad.pushforward(ignores_cotangent(x, 2.0), x, t)
