"""Boxes and operations of one's own whose operands are one expression, or of which one is made of
another: a rule that takes a derivative itself takes it by each operand alone."""

import itertools

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

BODIES = [
    lambda a, b: a * b,
    lambda a, b: ad.sin(a) * b + a,
    lambda a, b: a / (2 + b * b),
    lambda a, b: ad.where(a > b, a * a, b),
]
OPERANDS = [
    lambda x: (x, x),
    lambda x: (x * x, x),
    lambda x: (x, ad.tanh(x)),
    lambda x: (ad.exp(x), 3 * ad.exp(x)),
]


def own(body):
    """The derivative of the body, as an override of all inputs."""
    return lambda inputs, outputs, cts: ad.pullback(body(*inputs), list(inputs), cts[0])


def slots(body):
    """The same, a rule for each input."""
    rule = own(body)
    return [lambda inputs, outputs, cts, k=k: list(rule(inputs, outputs, cts))[k] for k in range(2)]


def boxed(body, rule=own):
    a, b = ad.scalar("a"), ad.scalar("b")
    return ad.OpFromGraph([a, b], body(a, b), pullback=rule(body))


def by_slots(body):
    return boxed(body, slots)


def computed(body, a, b):
    """The body as NumPy computes it, of arrays of any shape."""
    x, y = ad.tensor("x", shape=np.shape(a)), ad.tensor("y", shape=np.shape(b))
    return ad.evaluate(body(x, y), {x: a, y: b})


def declared(body):
    @ad.op(pullback=lambda ct, a, b, out: ad.pullback(body(a, b), [a, b], ct))
    def operation(a, b):
        return computed(body, a, b)

    return operation


def of_class(body):
    class Operation(ad.Op):
        def infer_type(self, a, b):
            return a

        def perform(self, a, b):
            return computed(body, a, b)

        def pullback(self, inputs, outputs, cotangents):
            return own(body)(inputs, outputs, cotangents)

    return Operation()


def overriding(body):
    """The same by `override_gradient`, wherever the body stands in a graph."""
    pattern = body(*ad.wild("a b"))

    def rule(found, out, ct):
        return ad.pullback(body(found["a"], found["b"]), [found["a"], found["b"]], ct)

    return lambda a, b: ad.override_gradient(body(a, b), pattern, rule).output


def steps(f, x):
    """A loop whose step has the state and what is made of it among its operands."""
    return ad.scan(lambda s: f(s, 1 + s * s) / 2, outputs_info=x, n_steps=3)[-1]


def same(found, wanted, x):
    """Both values, and their derivatives up to the second, are equal."""
    for _ in range(3):
        for mode in (None, "safe"):
            pair = ad.function(x, [found, wanted], simplify=mode, on_unused_input="ignore")(0.4)
            np.testing.assert_allclose(*pair, rtol=1e-12)
        found, wanted = ad.grad(found, x), ad.grad(wanted, x)


@pytest.mark.parametrize(
    "operands, body, make",
    some(itertools.product(OPERANDS, BODIES, [boxed, by_slots, declared, of_class]), 58),
)
def test_a_derivative_by_each_operand_alone(make, body, operands):
    x, f = ad.scalar("x"), make(body)
    same(f(*operands(x)), body(*operands(x)), x)
    same(f(f(*operands(x)), x), body(body(*operands(x)), x), x)


def test_a_part_of_a_gradient_by_each_wildcard_alone():
    x = ad.scalar("x")
    for body, operands in some(itertools.product(BODIES, OPERANDS), 3):
        same(overriding(body)(*operands(x)), body(*operands(x)), x)


@pytest.mark.parametrize("body, make", [
    (body, make)
    for k, make in enumerate([boxed, declared, of_class]) for body in some(BODIES, 8, turn=k)
])  # fmt: skip
def test_within_a_loop_and_for_many_examples(make, body):
    x, f = ad.scalar("x"), make(body)
    same(steps(f, x), steps(body, x), x)
    slopes = [ad.vectorize(ad.grad(g(x * x, x), x)) for g in (f, body)]
    found, wanted = [ad.evaluate(s.output, {s.graph.inputs[0]: [0.3, -0.6]}) for s in slopes]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
