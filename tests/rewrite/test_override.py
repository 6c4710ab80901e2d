"""override_gradient, one test for each clause of SEMANTICS 7, and the network of thread 1."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.nested import OpFromGraph

W, x, b = ad.wild("W x b")
A, v, c = ad.matrix("A", shape=(3, 4)), ad.vector("v", shape=4), ad.vector("c", shape=3)
rng = np.random.default_rng(3)
AT = {n: rng.normal(size=n.shape) for n in (A, v, c)}


def doubled(bindings, output, cotangent):
    """The ordinary rule for W @ x + b, twice as steep in W."""
    return {
        "W": 2 * ad.outer(cotangent, bindings["x"]),
        "x": bindings["W"].T @ cotangent,
        "b": cotangent,
    }


def gradient(stage_or_expr, wrt):
    return ad.evaluate(ad.grad(getattr(stage_or_expr, "output", stage_or_expr), wrt), AT)


@pytest.mark.each(
    "returned",
    [
        lambda s, ct: {"W": 0 * s["W"], "x": 3 * s["x"], "b": ct},
        lambda s, ct: [0 * s["W"], 3 * s["x"], ct],
        lambda s, ct: (0 * s["W"], 3 * s["x"], ct),
    ],
)
def test_the_rule_returns_a_cotangent_for_each_wildcard(returned):
    seen = []

    def rule(bindings, output, cotangent):
        seen.append((dict(bindings), output, cotangent))
        return returned(bindings, cotangent)

    y = A @ v + c
    stage = ad.override_gradient(y.sum(), W @ x + b, rule)
    np.testing.assert_array_equal(gradient(stage, v), 3 * AT[v])
    np.testing.assert_array_equal(gradient(stage, c), np.ones(3))
    bindings, output, cotangent = seen[0]
    assert bindings["W"] is A and bindings["x"] is v and bindings["b"] is c
    np.testing.assert_array_equal(ad.evaluate(output, AT), ad.evaluate(y, AT))
    np.testing.assert_array_equal(ad.evaluate(cotangent, AT), np.ones(3))


def test_the_rule_for_one_wildcard_returns_its_cotangent():
    u = ad.wild("u")
    stage = ad.override_gradient(ad.tanh(v).sum(), ad.tanh(u), lambda s, out, ct: ct * 5)
    np.testing.assert_array_equal(gradient(stage, v), np.full(4, 5.0))


@pytest.mark.each("wrong", [[1], {"y": None}, 3.0])
def test_a_rule_that_returns_anything_else_is_told_what_to_return(wrong):
    stage = ad.override_gradient((A @ v + c).sum(), W @ x + b, lambda s, out, ct: wrong)
    with pytest.raises(TypeError, match="a cotangent for each of W, x, b"):
        ad.grad(stage.output, v)


def test_sums_match_in_either_order():
    stage = ad.override_gradient((c + A @ v).sum(), W @ x + b, doubled)
    assert len(stage.matches) == 1
    np.testing.assert_allclose(gradient(stage, A), 2 * np.outer(np.ones(3), AT[v]))


def test_a_row_times_a_matrix_is_a_pattern_of_its_own():
    row = (v @ A.T + c).sum()
    assert not ad.override_gradient(row, (W @ x) * b, doubled).matches
    stage = ad.override_gradient(
        row, x @ W + b, lambda s, out, ct: [s["x"] * 0, s["W"] * 0, ct * 7]
    )
    np.testing.assert_array_equal(gradient(stage, c), np.full(3, 7.0))


def test_an_operation_inside_that_is_used_elsewhere_keeps_its_derivative_there():
    product = A @ v
    stage = ad.override_gradient((product + c).sum() + (product**2).sum(), W @ x + b, doubled)
    ordinary = ad.evaluate(ad.grad((product**2).sum(), A), AT)
    overridden = 2 * np.outer(np.ones(3), AT[v])
    np.testing.assert_allclose(gradient(stage, A), ordinary + overridden, rtol=1e-14)


def test_of_matches_within_each_other_the_outermost_counts():
    u, w = ad.wild("u w")
    s, t = ad.scalar("s"), ad.scalar("t")
    inner = s * t + s
    stage = ad.override_gradient(inner * t + inner, u * w + u, lambda b, out, ct: [ct, ct])
    assert stage.matches[0] is stage.before.output
    deep = (s + t) + t
    nest = ad.override_gradient(deep + s, (u + w) + ad.wild("q"), lambda b, o, ct: [ct, ct, ct])
    assert nest.matches == (nest.before.output,)
    assert nest.skipped == (deep,)


def test_simplification_does_not_cross_the_box_until_it_is_released():
    s = ad.scalar("s", positive=True)
    u = ad.wild("u")
    stage = ad.override_gradient(ad.log(ad.exp(s)), ad.exp(u), lambda b, out, ct: ct)
    closed = ad.simplify(stage)
    assert closed.graph.counts == {"override": 1, "log": 1}
    assert ad.evaluate(ad.grad(closed.output, s), {s: 2.0}) == pytest.approx(np.exp(-2.0))
    opened = ad.simplify(ad.release(stage))
    assert opened.output is s


def test_values_are_the_same_to_the_last_bit():
    y = ad.tanh(c + A @ v) * ad.exp(A @ v + c)
    stage = ad.override_gradient(y, W @ x + b, doubled)
    assert len(stage.matches) == 2
    np.testing.assert_array_equal(ad.evaluate(stage.output, AT), ad.evaluate(y, AT))


def test_every_other_gradient_is_untouched():
    h = ad.tanh(A @ v + c)
    cost = (ad.exp(h) * c).sum() + (v**3).sum()
    rule = ad.override_gradient(cost, W @ x + b, doubled)
    for wrt, factor in ((A, 2), (v, 1), (c, 1)):
        np.testing.assert_array_equal(gradient(rule, wrt), factor * gradient(cost, wrt))


def test_what_the_pattern_is_has_to_be_an_operation_on_wildcards():
    for pattern in (W, A @ v + c, 3):
        with pytest.raises(TypeError, match="a pattern is an operation on wildcards"):
            ad.override_gradient(A.sum(), pattern, doubled)


def test_the_same_node_for_two_wildcards_gets_both_cotangents():
    u, w = ad.wild("u w")
    s = ad.scalar("s")
    stage = ad.override_gradient(s * s, u * w, lambda b, out, ct: {"u": ct, "w": 10 * ct})
    assert ad.evaluate(ad.grad(stage.output, s), {s: 3.0}) == 11.0


def test_equal_matches_merge_when_all_derivatives_are_taken():
    y = (A @ v + c) * (A @ v + c)
    stage = ad.override_gradient(y, W @ x + b, doubled)
    assert ad.simplify(stage).graph.counts["override"] == 2  # each is to see its own cotangent
    assert ad.simplify(ad.release(stage)).graph.counts["matmul"] == 1


# ---- with loops, and with higher orders


def test_an_override_within_the_step_of_a_loop():
    def step(h):
        y = A[:, :3] @ h + c
        return ad.tanh(ad.override_gradient(y, W @ x + b, doubled).output)

    cost = ad.scan(step, outputs_info=c, n_steps=3)[-1].sum()
    ordinary = ad.scan(lambda h: ad.tanh(A[:, :3] @ h + c), outputs_info=c, n_steps=3)[-1].sum()
    np.testing.assert_allclose(gradient(cost, A), 2 * gradient(ordinary, A), rtol=1e-13)
    np.testing.assert_allclose(gradient(cost, c), gradient(ordinary, c), rtol=1e-13)
    run = ad.function([A, c], ad.grad(cost, A))
    np.testing.assert_allclose(run(AT[A], AT[c]), 2 * gradient(ordinary, A), rtol=1e-12)


def test_second_derivatives_are_those_of_the_override():
    s, u = ad.scalar("s"), ad.wild("u")
    stage = ad.override_gradient(ad.sin(s), ad.sin(u), lambda b, out, ct: ct * b["u"] ** 3)
    slope = ad.grad(stage.output, s)
    assert ad.evaluate(ad.grad(slope, s), {s: 2.0}) == 12.0
    assert ad.evaluate(ad.grad(ad.grad(slope, s), s), {s: 2.0}) == 12.0


# ---- thread 1: a rule for all linear parts of a model


class Network:
    """Three layers, the last written the other way round, with a product in the middle."""

    def __init__(self):
        sizes = [(5, 6), (6, 5), (2, 6)]
        self.weights = [ad.matrix(f"W{k}", shape=s) for k, s in enumerate(sizes)]
        self.biases = [ad.vector(f"b{k}", shape=s[0]) for k, s in enumerate(sizes)]
        self.gain, self.data = ad.vector("gain", shape=6), ad.vector("data", shape=6)
        (W0, W1, W2), (b0, b1, b2) = self.weights, self.biases
        hidden = ad.tanh(W0 @ self.data + b0)
        hidden = ad.softplus(b1 + W1 @ hidden) * self.gain
        self.cost = ad.logsumexp(W2 @ hidden + b2) + (self.gain**2).sum()
        self.parameters = [*self.weights, *self.biases, self.gain]
        draw = np.random.default_rng(11)
        self.at = {n: draw.normal(size=n.shape) for n in (*self.parameters, self.data)}

    def gradients(self, cost):
        run = ad.function([*self.parameters, self.data], ad.grad(cost, self.parameters))
        return dict(zip(self.parameters, run(*[self.at[p] for p in (*self.parameters, self.data)])))


def test_all_linear_parts_of_a_network_have_a_rule_and_nothing_else_does():
    net = Network()
    stage = ad.override_gradient(net.cost, W @ x + b, doubled)
    assert len(stage.matches) == 3
    assert all(isinstance(step.after.op, OpFromGraph) for step in stage.steps)
    found, plain = net.gradients(stage.output), net.gradients(net.cost)
    for p in net.parameters:
        factor = 2 if p in set(net.weights) else 1
        np.testing.assert_array_equal(found[p], factor * plain[p])


def test_the_film_shows_one_box_after_the_other():
    stage = ad.override_gradient(Network().cost, W @ x + b, doubled)
    boxes = [sum(isinstance(n.op, OpFromGraph) for n in frame.nodes) for frame in stage.frames()]
    assert boxes == [0, 1, 2, 3]
    assert "W @ x" in repr(ad.draw(stage.output))


def test_bodies_are_looked_into():
    w, u = ad.scalar("w"), ad.wild("u")
    last = ad.scan(lambda h: ad.tanh(w * h), outputs_info=ad.scalar("s"), n_steps=3)[-1]
    boxed = ad.OpFromGraph([w], [ad.tanh(w)], name="box")(w)
    stage = ad.override_gradient(last + boxed, ad.tanh(u), lambda b, out, ct: [2 * ct])
    assert len(stage.matches) == 2
    at = dict.fromkeys(ad.Graph(last).inputs, 0.5)
    inside = ad.scan(
        lambda h: (
            ad.override_gradient(ad.tanh(w * h), ad.tanh(u), lambda b, out, ct: [2 * ct]).output
        ),
        outputs_info=next(i for i in at if i is not w),
        n_steps=3,
    )[-1]
    wanted = ad.evaluate(ad.grad(inside, w), at) + 2
    assert ad.evaluate(ad.grad(stage.output, w), at) == pytest.approx(wanted, rel=1e-14)
    for frame in stage.frames():
        assert ad.evaluate(frame.output, at) == ad.evaluate(last + boxed, at)


def test_an_axis_is_found_as_it_is_written():
    u = ad.wild("u")
    for pattern in (ad.sum(u, axis=0), ad.sum(u, axis=(0,)), ad.sum(u)):
        stage = ad.override_gradient(A.sum(axis=0), pattern, lambda b, out, ct: [b["u"]])
        assert len(stage.matches) == 1


def test_check_reports_an_override_that_ignores_its_cotangent():
    s, u = ad.scalar("s"), ad.wild("u")

    def checked(rule):
        return ad.override_gradient(ad.tanh(s), ad.tanh(u), rule).steps[0].after.op.check(0.5)

    (finding,) = checked(lambda b, out, ct: [1 - out**2]).findings
    assert "ignores its cotangent" in finding and "off by a factor of 3" in finding
    assert finding.rstrip().endswith("return [g * (1 - ad.square(outputs[0]))]")
    assert checked(lambda b, out, ct: [ct * (1 - out**2)]).ok
