"""Gradients of loops that do not exist, that are none, that are held back or given."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Disconnected, Null
from tests.helpers.depth import some
from tests.helpers.loops import value

pytestmark = pytest.mark.numeric

RNG = np.random.default_rng(9)


def normal(*shape):
    return RNG.normal(size=shape)


# ---- undefined


def test_a_derivative_that_does_not_exist_tells_its_path_into_the_step():
    x, w = ad.vector("x"), ad.scalar("w")
    y = ad.scan(
        lambda x, s: s + ad.undefined_grad(x * w, why="it was said so") * 2,
        sequences=x,
        outputs_info=0.0,
        name="walk",
    )
    cost = (y**2).sum()
    cost.name = "cost"
    for wrt in (x, w):
        with pytest.raises(ad.NullTypeGradError) as caught:
            ad.grad(cost, wrt)
        message = str(caught.value)
        assert f"with respect to {wrt.name}" in message and "it was said so" in message
        assert "cost ← " in message and "walk ← add ← multiply ← undefined_grad" in message
        assert "undefined_grad(x * w" in message and "ad.disconnected_grad" in message
    null = ad.grad(cost, w, null_gradients="return")
    assert isinstance(null, Null) and null.why == "it was said so"
    with pytest.raises(ad.NullTypeGradError, match="it was said so"):
        ad.forward_mode(cost, w)


def test_what_does_not_need_the_path_has_its_derivative():
    x, w, v = ad.vector("x"), ad.scalar("w"), ad.scalar("v")
    s, y = ad.scan(
        lambda x, s: (s + ad.undefined_grad(x * w), x * v), sequences=x, outputs_info=[0.0, None]
    )
    at = {"x": normal(3), "w": 2.0, "v": 3.0}
    np.testing.assert_array_equal(value(ad.grad(y.sum(), x), **at), [3.0] * 3)
    np.testing.assert_allclose(value(ad.grad((s + y).sum(), v), **at), at["x"].sum())
    for wrt in (x, w):
        with pytest.raises(ad.NullTypeGradError):
            ad.grad((s + y).sum(), wrt)
    held = ad.scan(lambda x, s: s + x + ad.disconnected_grad(ad.undefined_grad(x * w)), x, 0.0)
    np.testing.assert_array_equal(value(ad.grad(held.sum(), x), **at), [3, 2, 1])


def test_a_state_that_passes_a_missing_derivative_on():
    """The second state reads the first one, whose derivative does not exist, one step later."""
    h, k = ad.scalar("h"), ad.scalar("k")
    a, b = ad.scan(lambda a, b: (ad.undefined_grad(a), a * b), outputs_info=[h, k], n_steps=3)
    with pytest.raises(ad.NullTypeGradError):
        ad.grad(b[-1], h)
    assert value(ad.grad(b[-1], k), h=2.0, k=3.0) == 8.0
    once = ad.scan(lambda a, b: (ad.undefined_grad(a), a * b), outputs_info=[h, k], n_steps=1)
    assert isinstance(ad.grad(once[0][-1], h, null_gradients="return"), Null)


def test_a_missing_derivative_in_a_loop_in_a_loop():
    x = ad.scalar("x")
    inner = lambda s: ad.scan(ad.undefined_grad, outputs_info=s, n_steps=2, name="inner")[-1]
    y = ad.scan(inner, outputs_info=x, n_steps=2, name="outer")[-1]
    with pytest.raises(ad.NullTypeGradError, match="outer ← inner ← undefined_grad"):
        ad.grad(y, x)


def test_a_discrete_draw_in_a_step_says_what_to_do():
    rng, p, w = ad.RandomStream(2), ad.scalar("p"), ad.scalar("w")
    step = lambda s: s + w * rng.bernoulli(p)
    y = ad.scan(step, outputs_info=0.0, n_steps=4, name="walk")[-1]
    with pytest.raises(ad.NullTypeGradError) as caught:
        ad.grad(y, p)
    message = str(caught.value)
    assert "walk" in message and "bernoulli" in message and "test_loop_gradients.py" in message
    assert value(ad.grad(y, w), p=1.0, w=2.0) == 4.0


# ---- disconnected


def test_a_cost_that_does_not_depend():
    x, h, w = ad.vector("x"), ad.scalar("h"), ad.scalar("w")
    s, y = ad.scan(lambda x, s: (s * w, x), sequences=x, outputs_info=[h, None])
    for cost, wrt in ((s.sum(), x), (y.sum(), h), (y.sum(), w)):
        with pytest.raises(ad.DisconnectedInputError, match=f"with respect to {wrt.name}"):
            ad.grad(cost, wrt)
        at = {"x": normal(3), "h": 1.0, "w": 2.0}
        assert not np.any(value(ad.grad(cost, wrt, disconnected_inputs="ignore"), **at))
        found = ad.grad(cost, wrt, None, "ignore", return_disconnected="disconnected")
        assert isinstance(found, Disconnected)
        assert not np.any(value(ad.forward_mode(cost, wrt).output, **at))


def test_what_jumps_within_a_step_says_so():
    x, w = ad.vector("x"), ad.scalar("w")
    y = ad.scan(lambda x: ad.floor(x * w), sequences=x)
    with pytest.raises(ad.DisconnectedInputError, match="floor"):
        ad.grad(y.sum(), w)
    both = ad.scan(lambda x: ad.floor(x * w) * w, sequences=x)
    assert value(ad.grad(both.sum(), w), x=[1.5, 2.5], w=2.0) == 3 + 5


def test_the_number_of_steps_has_no_derivative():
    n = ad.scalar("n", dtype="int64")
    y = ad.scan(lambda s: s * 2.0, outputs_info=1.0, n_steps=n)
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad(y[-1], n)


def test_a_derivative_that_is_identically_zero_is_zero():
    x = ad.scalar("x")
    y = ad.scan(lambda s: 2 * s, outputs_info=x, n_steps=3)[-1]
    for _ in range(4):
        y = ad.grad(y, x)
    assert value(y, x=1.0) == 0


# ---- held back, and given


def test_what_is_considered_constant_within_a_step_and_around_it():
    x, h, w = ad.vector("x"), ad.scalar("h"), ad.scalar("w")
    outside = w * 2
    s = ad.scan(lambda x, s: s * outside + x, sequences=x, outputs_info=h)
    at = {"x": normal(3), "h": 0.5, "w": 0.7}
    cost = (s**2).sum() + w
    assert value(ad.grad(cost, w, consider_constant=[outside]), **at) == 1.0
    assert value(ad.grad(cost, w, consider_constant=[s]), **at) == 1.0
    found = value(ad.grad(cost, outside, consider_constant=[outside]), **at)
    np.testing.assert_allclose(found, (value(ad.grad(cost, w), **at) - 1) / 2, rtol=1e-14)
    with pytest.raises(ad.DisconnectedInputError):
        ad.grad((s**2).sum(), w, consider_constant=[outside])


def test_known_gradients_of_a_loops_results():
    x, h, w = ad.vector("x"), ad.scalar("h"), ad.scalar("w")
    s, y = ad.scan(lambda x, s: (ad.tanh(s * w + x), s * x), sequences=x, outputs_info=[h, None])
    cost = (s**2).sum() + ad.sin(y).sum()
    at = {"x": normal(4), "h": 0.5, "w": 0.7}
    ends = dict(zip([s, y], ad.grad(cost, [s, y])))
    for found, wanted in zip(ad.grad(None, [x, h, w], known_grads=ends), ad.grad(cost, [x, h, w])):
        np.testing.assert_allclose(value(found, **at), value(wanted, **at), rtol=1e-14)
    alone = ad.grad(None, w, known_grads={s: ends[s]})
    part = ad.grad((s**2).sum(), w)
    np.testing.assert_allclose(value(alone, **at), value(part, **at), rtol=1e-14)
    with pytest.raises(ad.NullTypeGradError):
        ad.grad(None, w, known_grads={s: Null("no reason")})


def test_layer_by_layer_with_a_loop_between():
    x, w, v = ad.vector("x"), ad.scalar("w"), ad.scalar("v")
    inner = x * w
    s = ad.scan(lambda x, s: ad.tanh(s * v + x), sequences=inner, outputs_info=0.0)
    cost = (s**2).sum()
    (dv,), (at_inner,) = ad.subgraph_grad([v], [inner], cost=cost)
    (dw,), _ = ad.subgraph_grad([w], [x], start={inner: at_inner})
    at = {"x": normal(4), "w": 0.5, "v": 0.7}
    for found, wanted in zip([dv, dw], ad.grad(cost, [v, w])):
        np.testing.assert_allclose(value(found, **at), value(wanted, **at), rtol=1e-13)


def test_cotangents_and_tangents_that_a_user_gives():
    x, h = ad.vector("x"), ad.scalar("h")
    s, y = ad.scan(lambda x, s: (ad.sin(s) + x, s * x), sequences=x, outputs_info=[h, None])
    at = {"x": normal(3), "h": 0.4}
    u, v, t, r = normal(3), normal(3), normal(3), 0.3
    back = value(ad.pullback([s, y], [x, h], [u, v]), **at)
    ahead = value(ad.pushforward([s, y], [x, h], [t, r]), **at)
    both = np.dot(u, ahead[0]) + np.dot(v, ahead[1])
    np.testing.assert_allclose(both, np.dot(back[0], t) + back[1] * r, rtol=1e-13)
    twice = ad.pushforward([s, y], [x, h], [t, r], use_op_pushforward=False)
    for a, b in zip(value(twice, **at), ahead):
        np.testing.assert_allclose(a, b, rtol=1e-12)


# ---- loops that end early

LIMITS = {-9.0: 1, 1.0: 2, 2.5: 5, 99.0: 8}  # and the number of steps


@pytest.mark.parametrize(
    "limit, length",
    [(at, n) for k, at in some(enumerate(LIMITS), 6) for n in some([9, None], 2, turn=k // 6)],
)
def test_a_loop_that_ends_early_is_one_of_fewer_steps(limit, length):
    """Values, slopes and second derivatives, by both modes, of all that it gives."""
    x, h, w = ad.vector("x", shape=length), ad.scalar("h"), ad.scalar("w")

    def outputs(x, end):
        def step(far, x, s, old, p):
            new = ad.sin(s * w) + old + x * far
            out = [new, s * p, new * x]
            return (out, ad.until(abs(new) > limit)) if end else out

        info = [{"initial": ad.stack([h, h * 2]), "taps": [-1, -2]}, 1.0, None]
        return ad.scan(step, {"input": x, "taps": [-1, 0]}, info)

    at = {"x": np.linspace(0.1, 0.9, 9), "h": 0.3, "w": 0.8}
    ended = outputs(x, True)
    k = len(value(ended[0], **at))
    assert k == LIMITS[limit]
    fewer = outputs(x[: k + 1], False)
    xs = [x, h, w]
    ts = [ad.constant(t) for t in (normal(9), 0.7, -0.4)]
    weights = [ad.constant(normal(k)) for _ in ended]
    costs = [sum((y * u).sum() for y, u in zip(ys, weights)) + ys[0][-1] ** 2
             for ys in (ended, fewer)]  # fmt: skip
    firsts = [ad.grad(cost, xs) for cost in costs]
    along = [sum((g * t).sum() for g, t in zip(first, ts)) for first in firsts]
    seconds = [ad.grad(d, xs) for d in along]
    pushed = [ad.forward_mode(cost, xs, ts).output for cost in costs]
    twice = [ad.forward_mode(p, xs, ts).output for p in pushed]
    pairs = (costs, *zip(*firsts), along, *zip(*seconds), pushed, twice)
    for one, other in some(pairs, 2, turn=LIMITS[limit]):
        found, wanted = value(one, **at), value(other, **at)
        np.testing.assert_allclose(found, wanted, 1e-11, 1e-12)
        program = ad.function(xs, one, on_unused_input="ignore")
        np.testing.assert_allclose(program(*at.values()), wanted, 1e-11, 1e-12)
    np.testing.assert_allclose(value(pushed[0], **at), value(along[0], **at), rtol=1e-12)


@pytest.mark.parametrize("length", some([6, None], 2, turn=1))
def test_jacobians_and_hessians_of_a_loop_that_ends_early(length):
    x, w = ad.vector("x", shape=length), ad.scalar("w")
    step = lambda x, s: (ad.sin(s * w) + x, ad.until(s > 1))
    s = ad.scan(step, sequences=x, outputs_info=0.5)
    short = ad.scan(lambda x, s: ad.sin(s * w) + x, sequences=x[:3], outputs_info=0.5)
    at = {"x": np.array([0.4, 0.8, 0.1, 2.0, 3.0, 0.2]), "w": 0.9}
    assert len(value(s, **at)) == 3
    for mode in ("forward", "reverse"):
        for i in (x, w):
            found, wanted = (value(ad.jacobian(y, i, mode=mode), **at) for y in (s, short))
            np.testing.assert_allclose(found, wanted, 1e-12, 1e-14)
    for i in (x, w):
        found, wanted = (value(ad.hessian((y**3).sum(), i), **at) for y in (s, short))
        np.testing.assert_allclose(found, wanted, 1e-12, 1e-14)


# ---- how far back


@pytest.mark.parametrize("k, known", [
    (k, known)
    for turn, k in some(enumerate([1, 2, 4, 9]), 3)
    for known in some([True, False], 2, turn)
])  # fmt: skip
def test_truncation_is_a_state_that_is_held_back(k, known):
    """Through the last k steps: as if the state before them did not depend on anything."""
    x = ad.tensor("x", shape=(6 if known else None,))
    h, w = ad.scalar("h"), ad.scalar("w")
    step = lambda x, s: ad.tanh(s * w + x)
    s = ad.scan(step, sequences=x, outputs_info=h, truncate_gradient=k)[-1]
    if k < 6:
        before = ad.scan(step, sequences=x[: 6 - k], outputs_info=h)[-1]
        cut = ad.disconnected_grad(before)
        wanted = ad.scan(step, sequences=x[6 - k :], outputs_info=cut)[-1]
    else:
        wanted = ad.scan(step, sequences=x, outputs_info=h)[-1]
    at = {"x": normal(6), "h": 0.3, "w": 0.8}
    assert value(s, **at) == value(wanted, **at)
    for i in (x, h, w):
        one, other = (ad.grad(y, i, disconnected_inputs="ignore") for y in (s, wanted))
        np.testing.assert_allclose(value(one, **at), value(other, **at), rtol=1e-13)
        program = ad.function(ad.Graph(one).inputs, one)
        given = [at[n.name] for n in ad.Graph(one).inputs]
        np.testing.assert_allclose(program(*given), value(other, **at), rtol=1e-13)


@pytest.mark.each("taps", [[-2], [-2, -1], [-3, -1]])
@pytest.mark.each("depth", [1, 2, 3, 5])
def test_a_truncated_derivative_reaches_the_first_rows_that_its_steps_see(taps, depth):
    """Against the loop written out in which all steps but the last are held."""
    far, steps = -min(taps), 5
    first = ad.vector("first", shape=far)

    def step(*past):
        return ad.tanh(sum((k + 2) * p for k, p in enumerate(past)))

    how = {"n_steps": steps, "truncate_gradient": depth}
    loop = ad.scan(step, outputs_info={"initial": first, "taps": taps}, **how)[-1]
    rows = [first[k] for k in range(far)]
    for t in range(steps):
        y = step(*[rows[far + t + tap] for tap in taps])
        rows.append(y if t >= steps - depth else ad.disconnected_grad(y))
    at = {first: np.linspace(0.1, 0.3, far)}
    slopes = [
        ad.evaluate(ad.grad(y, first, disconnected_inputs="ignore"), at) for y in (loop, rows[-1])
    ]
    np.testing.assert_allclose(slopes[0], slopes[1], rtol=1e-13, atol=1e-15)
