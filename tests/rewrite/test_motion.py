"""Work moves out of loops: before them, behind them, and out of the graph if nobody needs it."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import postorder
from autodiff_edu.nested import Scan
from tests.helpers.depth import some

rng = np.random.default_rng(8)
U, W = ad.matrix("U", shape=(3, 4)), ad.matrix("W", shape=(4, 4))
XS, H0, V = ad.matrix("xs", shape=(7, 3)), ad.vector("h0", shape=4), ad.vector("v", shape=5)
AT = {n: rng.normal(size=n.shape) * 0.5 for n in (U, W, XS, H0, V)}


def loops(stage):
    return [n for n in postorder(stage.outputs) if isinstance(n.op, Scan)]


def operations(n):
    return sorted(m.op.name for m in n.op.body.operations)


def rnn():
    return ad.scan(lambda x, h: ad.tanh(x @ U + h @ W), sequences=XS, outputs_info=H0)


def same_values(stage, rtol=1e-12):
    for before, after in zip(stage.before.outputs, stage.outputs):
        np.testing.assert_allclose(
            ad.evaluate(before, AT), ad.evaluate(after, AT), rtol=rtol, atol=1e-13
        )


def rules(stage):
    return {step.rule for step in stage.steps}


def test_products_with_sequences_are_one_product_before_the_loop():
    stage = ad.simplify(rnn())
    (loop,) = loops(stage)
    assert operations(loop) == ["add", "matmul", "tanh"]
    assert stage.graph.counts["matmul"] == 1
    assert "scan: before the loop, for all steps at once" in rules(stage)
    same_values(stage)


def test_sums_of_outer_products_are_one_product_behind_the_loop_back():
    stage = ad.simplify(ad.grad((rnn() ** 2).sum(), [U, W, H0, XS]))
    ahead, back = loops(stage)
    assert operations(ahead) == ["add", "matmul", "tanh"]
    assert operations(back) == ["add", "matmul", "multiply"]
    assert stage.graph.counts["matmul"] == 6  # x U, what becomes of U, W and xs, and two for the
    # slopes of tanh at x U + h W: those that 1 − h² gives have no digits where h is nearly 1
    assert "pullback of scan: after the loop, for all steps at once" in rules(stage)
    same_values(stage)


def test_sums_of_matrix_products_are_one_product_too():
    batch = ad.tensor("batch", shape=(7, 2, 3))
    h0 = ad.zeros((2, 4))
    hs = ad.scan(lambda x, h: ad.tanh(x @ U + h @ W), sequences=batch, outputs_info=h0)
    stage = ad.simplify(ad.grad((hs[-1] ** 2).sum(), [U, W]))
    assert operations(loops(stage)[-1]) == ["matmul", "multiply"]
    at = AT | {batch: rng.normal(size=batch.shape)}
    for before, after in zip(stage.before.outputs, stage.outputs):
        np.testing.assert_allclose(ad.evaluate(before, at), ad.evaluate(after, at), rtol=1e-12)


def test_every_frame_has_the_same_value():
    stage = ad.simplify(ad.grad((rnn() ** 2).sum(), W))
    wanted = ad.evaluate(stage.before.output, AT)
    for frame in stage.frames():
        np.testing.assert_allclose(ad.evaluate(frame.output, AT), wanted, rtol=1e-12)


def test_simplifying_twice_is_simplifying_once():
    once = ad.simplify(ad.grad((rnn() ** 2).sum(), [U, W, H0, XS]))
    assert not ad.simplify(once).steps


def test_a_loop_without_recurrence_vanishes():
    stage = ad.simplify(ad.scan(lambda v: ad.exp(v) * H0.sum(), sequences=V))
    assert not loops(stage)
    same_values(stage)


def test_what_depends_on_constants_alone_is_done_once():
    ys = ad.scan(lambda h: h * ad.exp(W).sum(), outputs_info=1.0, n_steps=3)
    gradient = ad.simplify(ad.grad(ys.sum(), W))
    assert all(set(operations(loop)) <= {"add", "multiply"} for loop in loops(gradient))
    same_values(gradient)


def test_states_and_rows_that_nobody_asks_for_are_dropped():
    a, b, c = ad.scan(
        lambda a, b: [ad.sin(a), b * a, ad.cos(b)], outputs_info=[V, V + 1, None], n_steps=4
    )
    stage = ad.simplify(a[-1])
    (loop,) = loops(stage)
    assert operations(loop) == ["sin"]
    assert "scan: drop what nobody needs" in rules(stage)
    same_values(stage)


def test_running_sums_stay_in_the_loop():
    total = ad.scan(lambda x, s: s + ad.sin(x).sum(), sequences=XS, outputs_info=0.0)
    stage = ad.simplify([total, ad.grad(total.sum(), XS)])
    same_values(stage)
    assert loops(stage)


def test_values_much_larger_than_states_stay_inside():
    last = ad.scan(lambda x, h: h + (ad.outer(x, x) @ x)[0], sequences=XS, outputs_info=0.0)[-1]
    for n in loops(ad.simplify(last)):
        assert all(i.ndim <= 2 for i in n.inputs)


def test_a_loop_that_may_end_early_keeps_its_work():
    ys = ad.scan(lambda v: (ad.exp(v), ad.until(v > 0)), sequences=V)
    stage = ad.simplify(ys)
    assert operations(loops(stage)[0]) == ["exp", "greater"]
    same_values(stage)


def test_segments_between_checkpoints_keep_their_work():
    h = ad.scan(
        lambda x, h: ad.tanh(x @ U + h @ W), sequences=XS, outputs_info=H0, checkpoint_every=2
    )
    stage = ad.simplify(ad.grad((h[-1] ** 2).sum(), W))
    assert any(loop.op.kept for loop in loops(stage))
    same_values(stage)


def test_ieee_mode_moves_nothing():
    assert not [r for r in rules(ad.simplify(rnn(), mode="ieee")) if "all steps" in r]


@pytest.mark.each("size", [0, 1])
def test_loops_of_few_steps(size):
    h = ad.scan(lambda h: ad.tanh(h @ W), outputs_info=H0, n_steps=size)
    same_values(ad.simplify([h, ad.grad(h.sum(), W, disconnected_inputs="ignore")]))


def test_a_sum_of_scattered_rows_is_one_scattering():
    table, places = ad.matrix("table", shape=(9, 4)), ad.vector("places", "int64", shape=7)
    hs = ad.scan(lambda i, h: ad.tanh(table[i] + h @ W), sequences=places, outputs_info=H0)
    stage = ad.simplify(ad.grad((hs[-1] ** 2).sum(), table))
    assert "scatter" not in operations(loops(stage)[-1])
    assert all(n.type.shape != (7, 9, 4) for n in stage.graph.nodes)
    at = AT | {table: rng.normal(size=(9, 4)), places: np.array([1, 3, 1, 8, 0, 3, 3])}
    before, after = (ad.evaluate(g, at) for g in (stage.before, stage.after))
    np.testing.assert_allclose(after, before, rtol=1e-12, atol=1e-14)


def test_large_values_stay_inside_unless_a_product_gains():
    large = ad.vector("large", shape=5000)
    h = ad.scan(lambda h: ad.tanh(ad.sum(V) * h), outputs_info=large, n_steps=3)[-1]
    back = loops(ad.simplify(ad.grad(h.sum(), large)))[-1]
    assert "tanh" not in operations(back) and "tanh_slope" in operations(back)


def test_lengths_that_only_one_side_knows_do_not_hold_a_sum_in_the_loop():
    xs = ad.matrix("xs")
    hs = ad.scan(lambda x, h: ad.tanh(x @ U + h @ W), sequences=xs, outputs_info=H0)
    stage = ad.simplify(ad.grad((hs**2).sum(), [U, W]))
    assert operations(loops(stage)[-1]) == ["add", "matmul", "multiply"]
    at = AT | {xs: rng.normal(size=(7, 3))}
    for before, after in zip(stage.before.outputs, stage.outputs):
        np.testing.assert_allclose(ad.evaluate(before, at), ad.evaluate(after, at), rtol=1e-12)


PRODUCTS = {
    "matmul": lambda s, w: s @ w,
    "outer": lambda s, w: ad.outer(s[0], w[1]) * 0.5,
    "column times row": lambda s, w: s[:, 0][:, None] * w[0],
    "scatter": lambda s, w: s.T @ ad.zeros((4, 4)).at[[2, 0]].add(w[:2]),
    "sum": lambda s, w: ad.sin(s + w),
}


@pytest.mark.parametrize("name, known", [
    (name, known) for k, name in enumerate(PRODUCTS) for known in some([True, False], 2, turn=k)
])  # fmt: skip
def test_what_is_added_up_may_be_the_next_state_itself(name, known):
    """As in the sum of all powers of a matrix, or where a cotangent goes two ways."""
    w = W if known else ad.matrix("w")

    def step(s, total):
        new = PRODUCTS[name](s, w)
        return [new, total + new]

    last = ad.scan(step, outputs_info=[w * 0.3, w * 0], n_steps=3)[1][-1]
    outputs = [last, ad.grad(ad.sum(ad.sin(last)), w)]
    for mode in ("safe", "real"):
        found = ad.function(w, outputs, simplify=mode)(AT[W])
        for a, b in zip(found, ad.evaluate(outputs, {w: AT[W]}), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)


def test_cotangents_of_sorted_sums():
    h, c = ad.vector("h"), ad.vector("c")
    slopes = ad.grad(ad.sum(ad.scan(lambda s: ad.sort(s + c), outputs_info=h, n_steps=2)), [h, c])
    values = [np.array([3.0, 1.0]), np.array([0.5, 0.25])]
    expected = ad.evaluate(slopes, dict(zip([h, c], values)))
    np.testing.assert_array_equal(ad.function([h, c], slopes)(*values), expected)
