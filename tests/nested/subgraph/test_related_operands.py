"""Boxes whose operands are one expression, or of which one is made of another: an override that
takes a derivative itself takes it by each operand alone."""

import numpy as np
import pytest

import autodiff_edu as ad

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


def boxed(body, rule):
    a, b = ad.scalar("a"), ad.scalar("b")
    return ad.OpFromGraph([a, b], body(a, b), pullback=rule(body))


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


@pytest.mark.parametrize("rule", [own, slots])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("operands", OPERANDS)
def test_a_derivative_by_each_operand_alone(rule, body, operands):
    x, f = ad.scalar("x"), boxed(body, rule)
    same(f(*operands(x)), body(*operands(x)), x)
    same(f(f(*operands(x)), x), body(body(*operands(x)), x), x)


@pytest.mark.parametrize("body", BODIES)
def test_within_a_loop_and_for_many_examples(body):
    x, f = ad.scalar("x"), boxed(body, own)
    same(steps(f, x), steps(body, x), x)
    slopes = [ad.vectorize(ad.grad(g(x * x, x), x)) for g in (f, body)]
    found, wanted = [ad.evaluate(s.output, {s.graph.inputs[0]: [0.3, -0.6]}) for s in slopes]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
