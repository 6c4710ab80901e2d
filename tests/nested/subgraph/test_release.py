"""`release`: gates go and boxes open once all derivatives are taken, wherever they are."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Graph, first_place, postorder, substitute
from autodiff_edu.nested import Nested
from autodiff_edu.ops import GATES
from tests.helpers.depth import is_short


def box(value, *inputs, **how):
    return ad.OpFromGraph(inputs, value, **how)


def everything(graph):
    """All nodes, those within bodies too."""
    for n in postorder(graph.outputs):
        yield n
        if n.op is not None and isinstance(n.op, Nested):
            yield from everything(n.op.body)


def closed(graph):
    """The names of the gates and inline boxes that are left."""
    ops = [n.op for n in everything(graph) if n.op is not None]
    return [op.name for op in ops if op.name in GATES or getattr(op, "inline", False)]


@pytest.fixture
def mixed():
    """Gates before, within and behind boxes, one of them in a loop."""
    x = ad.vector("x", shape=3)
    inner = box(ad.grad_clip(x * x, low=-1, high=1), x, inline=True, name="inner")
    outer = box(ad.zero_grad(inner(x)) + inner(ad.grad_scale(x, factor=2)), x, name="outer")
    looped = ad.scan(lambda h: outer(inner(h)) * 0.1, outputs_info=x, n_steps=2)[-1]
    return x, ad.disconnected_grad(outer(inner(x))) + looped


def test_nothing_is_left_inside_boxes_and_loops(mixed):
    x, y = mixed
    assert len(closed(Graph(y))) > 5
    for every in (False, True):
        stage = ad.release(y, every=every)
        assert closed(stage.after) == []
        at = {x: np.array([0.1, 0.2, 0.3])}
        np.testing.assert_array_equal(stage.evaluate(at), ad.evaluate(y, at))
    assert not stage.after.counts["outer"] and ad.release(y).after.counts["outer"]


def test_each_frame_follows_from_its_step(mixed):
    x, y = mixed
    stage = ad.release(y, every=True)
    at = {x: np.array([0.1, 0.2, 0.3])}
    frames = list(stage.frames())
    assert len(frames) == len(stage.steps) + 1 and frames[-1].same(stage.after)
    for step, old, new in zip(stage.steps, frames, frames[1:]):
        assert Graph(substitute(old.outputs, {step.before: step.after})).same(new)
        np.testing.assert_allclose(new.evaluate(at), old.evaluate(at), rtol=1e-15)


def test_one_step_for_each_gate_and_each_result_of_a_box():
    x, y = ad.scalar("x"), ad.scalar("y")
    both = box([x + y, x * y], x, y, inline=True, name="both")
    total, product = both(ad.zero_grad(x), y)
    stage = ad.release(total * product * both(x, x)[0])
    rules = [step.rule for step in stage.steps]
    assert sorted(rules) == ["open both"] * 3 + ["release zero_grad"]


def test_what_has_nothing_to_release_is_left_as_it_is():
    x = ad.scalar("x")
    y = box(ad.sin(x), x)(x) * 2
    stage = ad.release(y)
    assert stage.output is y and not stage.steps


def test_a_derivative_is_taken_before_and_not_after():
    x = ad.scalar("x")
    y = ad.grad_scale(x, factor=5) * 2
    assert ad.evaluate(ad.grad(y, x), {x: 1.0}) == 10.0
    assert ad.evaluate(ad.grad(ad.release(y).output, x), {x: 1.0}) == 2.0


def test_simplification_leaves_closed_what_a_later_derivative_needs():
    x = ad.scalar("x")
    f = box(x * 1 + 0, x, inline=True, pullback=lambda i, o, ct: [7 * ct[0]], name="f")
    g = box(ad.grad_scale(f(x) * 1, factor=3) + 0, x, name="g")
    short = ad.simplify(g(x) * 1)
    assert ad.evaluate(ad.grad(short.output, x), {x: 1.0}) == 21.0
    assert ad.function(x, short.output)(4.0) == 4.0


def test_what_was_in_a_box_tells_of_the_users_line():
    x = ad.scalar("x")
    f = box(ad.sin(x), x, inline=True)
    (sine,) = [n for n in ad.release(f(x * 2)).after if n.op is not None and n.op.name == "sin"]
    assert "f = box(ad.sin(x), x, inline=True)" in str(first_place(sine))


def test_a_long_chain_with_boxes_within_boxes():
    """Each node is looked at a fixed number of times, however long the chain is."""
    x = ad.scalar("x")
    f = box(ad.zero_grad(x) + x, x, inline=True, name="f")
    for _ in range(5):
        f = box(f(x), x, inline=True, name="f")
    v = f(x)
    count = 1_500 if is_short() else 50_000
    for _ in range(count):
        v = 1.01 * ad.sin(v)
    v = f(v)
    stage = ad.release(v)
    assert len(stage.steps) == 2 * 7 and closed(stage.after) == []
    assert stage.after.counts["sin"] == count
