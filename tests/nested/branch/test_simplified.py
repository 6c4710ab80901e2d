"""What simplification makes of branches, and that each step keeps the value."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import postorder
from autodiff_edu.nested import Branch
from tests.helpers.boxes import run
from tests.helpers.depth import length

x, y, v = ad.scalar("x"), ad.scalar("y"), ad.vector("v")
true = ad.constant(True)


def branches(what):
    return [n for n in postorder(ad.Graph(what).outputs) if isinstance(n.op, Branch)]


@pytest.mark.each(("before", "after"), [
    (ad.cond(true, x * y, -x), x * y),
    (ad.cond(~true, x * y, -x), -x),
    (ad.cond(x > x - x + x, x * y, x * y), x * y),
    (ad.cond(x > 0, ad.exp(x * 1), ad.exp(x + 0)), ad.exp(x)),
    (ad.cond(~(x > 0), x * y, -x), ad.cond(x > 0, -x, x * y)),
    (ad.cond(x > 0, x, y), ad.where(x > 0, x, y)),
    (ad.cond(x > 0, ad.cond(x > 0, x * y, ad.exp(x)), -x), ad.cond(x > 0, x * y, -x)),
    (ad.cond(x > 0, -x, ad.cond(x > 0, x * y, ad.exp(x))), ad.cond(x > 0, -x, ad.exp(x))),
    (ad.cond(x > 0, ad.where(x > 0, x * y, 1), -x), ad.cond(x > 0, x * y, -x)),
    (ad.cond(x > 0, x * y * 1 + 0, ad.negative(ad.negative(-x))), ad.cond(x > 0, x * y, -x)),
    (ad.cond(x > 0, (x * y, ad.exp(x)), (-x, ad.sin(x)))[1],
     ad.cond(x > 0, ad.exp(x), ad.sin(x))),
], ids=str)  # fmt: skip
def test_shorter(before, after):
    stage = ad.simplify(before)
    assert stage.output.op is after.op or stage.output.op == after.op
    assert ad.Graph(ad.simplify(after).outputs).same(stage.outputs)
    assert ad.simplify(stage).steps == ()
    for at in (2.0, -2.0):
        given = {i: {"x": at, "y": 3.0}[i.name] for i in stage.before.inputs}
        for frame in stage.frames():
            np.testing.assert_allclose(ad.evaluate(frame, given), ad.evaluate(before, given))


def test_the_rules_have_names():
    stage = ad.simplify(ad.cond(~(x > 0), ad.cond(x > 0, x, x * x) * 1, ad.exp(x)))
    assert dict(stage.counts) == {
        "cond: not": 1, "simplify inside cond": 2, "cond: what is computed in any case": 1,
        "cond: drop what nobody needs": 1,
    }  # fmt: skip
    assert str(stage.output) == "cond(x > 0, exp(x), square(x))"


def test_results_that_are_equal_leave_the_branch():
    a, b = ad.simplify(ad.cond(x > 0, (x * y, ad.exp(x)), (x * y, ad.sin(x)))).outputs
    assert a.op is ad.multiply and isinstance(b.op, Branch)


def test_known_operands_move_inside():
    e = ad.cond(x > 0, ad.exp(x) * y, ad.sin(x) * y)
    done = ad.simplify(ad.Graph(ad.function([x], e, givens={y: 2.0}).graph.outputs)).output
    (n,) = branches(done)
    assert len(n.inputs) == 2 and str(done) == "cond(x > 0, 2 * exp(x), 2 * sin(x))"


def test_cotangents_of_ones_are_absorbed():
    f = ad.function([x, v], ad.grad(ad.sum(ad.cond(x > 0, ad.exp(v), ad.sin(v))), v))
    text = f.stages[-1].after.source
    assert "broadcast_to" not in text and text.count("np.") == 3  # errstate, exp, cos


def test_branches_on_one_condition_are_one():
    a, b = ad.cond(x > 0, ad.exp(y), ad.sin(y)), ad.cond(x > 0, ad.exp(y) * 2, y)
    c = ad.cond(x > 0, a + b, a * b)  # needs both, and is still on their condition
    f = ad.function([x, y], [a, b, c])
    assert len(branches(f.graph.outputs)) == 1 and f.source.count("exp(") == 1
    for at in (1.0, -1.0):
        found = ad.evaluate([a, b, c], {x: at, y: 0.5})
        np.testing.assert_allclose(f(at, 0.5), found)


@pytest.mark.each("joined", [np.stack, sum])
def test_one_operation_on_several_operands(joined):
    """As in a loop that is written out: each of its branches keeps operands of its own."""
    step = lambda s, w: ad.cond(w > 0, lambda: ad.sin(s * w), lambda: ad.cos(s))
    w, v = ad.scalar("w"), ad.vector("v", shape=(3,))
    rows = ad.unroll(ad.scan(lambda s: step(s, w), sequences=v)).output
    f = ad.function([w, v], joined([rows[k] + 1 for k in range(3)]))
    for sign, side in ((1.3, np.sin), (-1.3, np.cos)):
        at = np.array([0.7, 0.2, 0.4])
        expected = side(at * 1.3 if sign > 0 else at) + 1
        np.testing.assert_allclose(f(sign, at), joined(list(expected)), rtol=1e-12)


def test_branches_that_need_each_other_through_something_else_stay_apart():
    a = ad.cond(x > 0, ad.exp(y), ad.sin(y))
    b = ad.cond(x > 0, ad.cos(a * a), a * y)
    c = ad.cond(x > 0, ad.exp(ad.tanh(b)), ad.sin(ad.tanh(b)))
    d = ad.cond(x > 0, ad.log(y), ad.tan(y))
    f = ad.function([x, y], [a, b, ad.exp(ad.tanh(b)) * c, d])
    for at in (1.0, -1.0):
        expected = ad.evaluate([a, b, ad.exp(ad.tanh(b)) * c, d], {x: at, y: 0.5})
        np.testing.assert_allclose(f(at, 0.5), expected)


def test_many_branches_are_done_in_linear_time():
    """More than simplification has rounds."""
    e = x
    for k in range(length(60)):
        e = ad.cond(x > k, ad.sin(e) + k, ad.cond(x > k, e, e * 2) - 1)
    f = ad.function([x], [e, ad.grad(e, x)])
    inner = [m for n in branches(f.graph.outputs) for m in branches(n.op.body.outputs)]
    assert inner == []
    for at in (-1.0, 3.5, 100.0):
        np.testing.assert_allclose(f(at), ad.evaluate([e, ad.grad(e, x)], {x: at}))


def test_loops_keep_branches_lazy():
    """Work that moves out of a loop for all steps at once computes what is not needed."""
    s = ad.scan(lambda t, s: s + ad.cond(t > 0, ad.exp(t), 0.0), sequences=v, outputs_info=0.0)
    (loop,) = [n.op for n in ad.function([v], s).graph.nodes if hasattr(n.op, "states")]
    assert len(branches(loop.body.outputs)) == 1
    assert np.isclose(run(s[-1], v=[1.0, -1.0]), np.e, rtol=1e-14)


def test_a_branch_that_no_step_changes_leaves_the_loop():
    s = ad.scan(lambda s: s * ad.cond(x > 0, ad.exp(y), 2.0), outputs_info=1.0, n_steps=3)[-1]
    f = ad.function([x, y], s)
    assert len(branches(f.graph.outputs)) == 1
    assert (f(-1.0, 0.0), f(1.0, 0.0)) == (8, 1)


@pytest.mark.each("mode", ["ieee", "safe", "real"])
def test_modes(mode):
    e = ad.cond(x > 0, x * 0 + 1, x / x)
    f = ad.function([x], e, simplify=mode)
    assert (f(2.0), f(-2.0)) == (1, 1)
    assert np.isnan(f(np.inf)) == (mode == "ieee") or mode == "safe"
