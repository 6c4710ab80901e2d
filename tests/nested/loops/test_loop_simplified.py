"""What simplification finds in loops that derivatives make: states that stay what they are, slices
that are all the same, results that nobody needs; and that nothing changes by it."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some
from tests.helpers.loops import value


def loops(e):
    """The loops of an expression, simplified."""
    return [n.op for n in ad.simplify(e).after.nodes if isinstance(n.op, ad.nested.Scan)]


def agree(e, **at):
    short = ad.simplify(e).output
    np.testing.assert_allclose(value(short, **at), value(e, **at), rtol=1e-13)


AT = {"x": np.array([0.5, -1.0, 2.0]), "h": 0.3, "w": 0.8}


@pytest.fixture(params=[3, None])
def leaves(request):
    return ad.vector("x", shape=request.param), ad.scalar("h"), ad.scalar("w")


def test_a_state_that_stays_what_it_is(leaves):
    x, h, w = leaves
    a, b = ad.scan(lambda x, a, b: (a * x + b, b), sequences=x, outputs_info=[h, w])
    (op,) = loops(a)
    assert (op.states, [i.name for i in op.body.inputs]) == (1, ["a", "x", "b"])
    assert not loops(b) and not loops(b[-1]) and not loops(ad.grad(b.sum(), w))
    for e in (a, b, a[-1], b[-1], ad.grad((a * b).sum(), w)):
        agree(e, **AT)


def test_a_state_that_stays_until_the_loop_ends(leaves):
    x, h, w = leaves
    a, b = ad.scan(lambda x, a, b: (a, b * x, ad.until(x > 1)), x, [h, w])
    (op,) = loops(b[-1] + a[-1])
    assert op.states == 1
    for e in (a, b, a[-1], ad.grad(a.sum() * b.sum(), h)):
        agree(e, **AT)


def test_the_cotangent_of_a_sum_is_a_constant(leaves):
    x, h, w = leaves
    s = ad.scan(lambda x, s: ad.sin(s * w) + x, sequences=x, outputs_info=h)
    slope = ad.grad(s.sum(), h)
    back = [op for op in loops(slope) if "pullback" in op.name]
    assert not any(i.name.startswith("ct") for op in back for i in op.body.inputs)
    agree(slope, **AT)
    agree(ad.grad((s * ad.constant([1.0, 2.0, 3.0])).sum(), h), **AT)


def test_sequences_that_are_one_value_again_and_again(leaves):
    x, h, w = leaves
    ones, ws = ad.constant(np.ones(3)), ad.broadcast_to(w, (3,))
    s = ad.scan(lambda one, w, x, s: s * w + one * x, [ones, ws, x], h, n_steps=3)
    agree(s, **AT)
    fixed = ad.scan(lambda one, w, s: s * w + one, [ones, ws], h)
    (op,) = loops(fixed)
    assert op.slices == 0
    agree(fixed, **AT)
    agree(ad.grad(fixed.sum(), w), **AT)


def test_results_that_nobody_needs(leaves):
    x, h, w = leaves
    s, p, y = ad.scan(lambda x, s, p: (s * 0.5 + x, p * s, s * p * w), x, [h, 1.0, None])
    (op,) = loops(s[-1])
    assert (op.states, op.rows, op.slices) == (1, 0, 1)
    (op,) = loops(y)
    assert (op.states, op.rows) == (2, 0)  # the product with w is taken for all steps at once
    for e in (s, p, y, ad.grad(y.sum(), w)):
        agree(e, **AT)


@pytest.mark.parametrize("order", some([3, 1, 2], 3, turn=2))
def test_the_source_of_a_derivative_has_no_slices_of_slices(order, leaves):
    x, h, w = leaves
    y = ad.scan(lambda x, s: ad.tanh(s * w + x), x, h)[-1]
    for _ in range(order):
        y = ad.grad(y, w)
    agree(y, **AT)
    short = ad.simplify(y).after
    twice = [n for n in short.nodes if n.op is ad.ops.index and n.inputs[0].op is ad.ops.index]
    if x.type.known:
        assert not twice


@pytest.mark.parametrize(
    "step",
    some(
        [
            lambda k, x: ad.sum(x[:k]),
            lambda k, x: ad.sum(x[k : k + 2] ** 2),
            lambda k, x: ad.sum(ad.arange(k)) * x[k],
            lambda k, x: ad.sum(ad.ones(k) * x[0]),
            lambda k, x: ad.sum(ad.full((k, 2), x[1])),
            lambda k, x: ad.sum(x[1:][:k]) * ad.sum(x[: 2 * k]),
        ],
        3,
    ),
)
def test_what_has_another_length_at_each_step_stays_inside(step):
    x = ad.vector("x")
    by_slice = ad.scan(lambda k: step(k, x), ad.arange(4))
    rows = ad.scan(lambda _, k: (k + 1, step(k, x)), ad.arange(4), [ad.constant(0), None])[1]
    at = np.linspace(1, 2, 8)
    for y in (by_slice, rows):
        together = [y, ad.grad(ad.sum(y), x)]
        for found, right in zip(ad.function(x, together)(at), ad.evaluate(together, {x: at})):
            np.testing.assert_allclose(found, right, rtol=1e-12)


def test_a_batch_of_slices_of_other_lengths_is_an_error():
    with pytest.raises(ad.ShapeError, match="another length for each example"):
        ad.vectorize(lambda x, k: ad.sum(x[:k]))(np.ones((3, 5)), np.array([1, 2, 3]))


# ---- shared values that a loop moves on

COUNTED = {
    "a state": lambda c, v: ad.scan(lambda s: (ad.tanh(s), {c: c + 1}), None, v[0], n_steps=3)[-1],
    "rows": lambda c, v: ad.sum(ad.scan(lambda q: (ad.tanh(q), {c: c + 1}), sequences=v)),
    "nothing else": lambda c, v: ad.scan(lambda s: (s, {c: c + 1}), None, v[0], n_steps=3)[-1],
    "what is read": lambda c, v: ad.scan(lambda s: (s * c, {c: c + 1}), None, v[0], n_steps=3)[-1],
    "until": lambda c, v: ad.scan(
        lambda s: (s + 1, {c: c + 1}, ad.until(s > 9)), None, v[0], n_steps=3)[-1],
    "taps": lambda c, v: ad.scan(
        lambda a, b: (a + b, {c: c + 1}), None, {"initial": v[:2], "taps": [-2, -1]},
        n_steps=3)[-1],
    "a loop in a loop": lambda c, v: ad.scan(
        lambda s: ad.scan(lambda r: (ad.tanh(r), {c: c + 1}), None, s, n_steps=1)[-1],
        None, v[0], n_steps=3)[-1],
}  # fmt: skip


@pytest.mark.each("mode", some(["ieee", "safe", "real"], 2))
@pytest.mark.each("loop", COUNTED.values(), ids=COUNTED)
def test_a_loop_that_is_simplified_still_moves_shared_values_on(loop, mode):
    c, v = ad.shared(np.array(0.0), "c"), ad.vector("v", shape=(3,))
    y = loop(c, v)
    expected = ad.evaluate(y, {v: [0.5, 0.2, 0.4]})
    f = ad.function([v], ad.simplify(y, mode=mode).output)
    np.testing.assert_allclose(f([0.5, 0.2, 0.4]), expected, rtol=1e-12)
    assert c.get_value() == 3
    f([0.5, 0.2, 0.4])
    assert c.get_value() == 6
