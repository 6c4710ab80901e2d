"""Every way to differentiate through boxes, with overrides and without, once, often, in batches."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.boxes import box, inlined, run
from tests.helpers.depth import some

OVERRIDES = {
    "none": {},
    "pullback": {"pullback": lambda i, o, ct: [ct[0] * ad.cos(i[0]) * i[1], ct[0] * ad.sin(i[0])]},
    "box": {"pullback": "box"},
    "list": {"pullback": [lambda i, o, ct: ct[0] * ad.cos(i[0]) * i[1], None]},
    "pushforward": {
        "pushforward": lambda i, o, t: [t[0] * ad.cos(i[0]) * i[1] + t[1] * ad.sin(i[0])]
    },
}


@pytest.fixture(params=some(OVERRIDES, 2))
def product(request):
    """sin(x) · y with the right derivative in several forms."""
    x, y, ct = ad.scalar("x"), ad.scalar("y"), ad.scalar("ct")

    def make(inline):
        how = dict(OVERRIDES[request.param])
        if how.get("pullback") == "box":
            rule = [ct * ad.cos(x) * y, ct * ad.sin(x)]
            how["pullback"] = ad.OpFromGraph([x, y, ct], rule, inline=inline)
        return ad.OpFromGraph([x, y], [ad.sin(x) * y], inline=inline, name="product", **how)

    return make


@inlined
def test_three_orders_by_every_mode(inline, product):
    f, x, y = product(inline), ad.scalar("x"), ad.scalar("y")
    wanted = [np.cos(0.3) * 2, -np.sin(0.3) * 2, -np.cos(0.3) * 2]
    for mode in (ad.reverse_mode, ad.forward_mode, ad.symbolic_derivative):
        e = f(x, y)
        for k in range(3):
            e = mode(e, x).output
            assert run(e, x=0.3, y=2.0) == pytest.approx(wanted[k], rel=1e-14)
    mixed = ad.grad(ad.grad(ad.grad(f(x, y), y), x), x)
    assert run(mixed, x=0.3) == pytest.approx(-np.sin(0.3), rel=1e-14)


@inlined
def test_pushforward_by_two_pullbacks(inline, product):
    f, x, y = product(inline), ad.scalar("x"), ad.scalar("y")
    for once in (True, False):
        moved = ad.pushforward(f(x, y), [x, y], [2.0, 3.0], use_op_pushforward=once)
        wanted = 2 * np.cos(0.3) * 2 + 3 * np.sin(0.3)
        assert run(moved, x=0.3, y=2.0) == pytest.approx(wanted, rel=1e-14)


@inlined
def test_batches_jacobians_and_hessians(inline, product):
    f = product(inline)
    v = ad.vector("v", shape=3)
    at = np.array([0.3, 0.7, 1.1])
    each = ad.vectorize(lambda x, y: f(x, y), in_axes=(0, None))
    np.testing.assert_allclose(each(at, 2.0), 2 * np.sin(at), rtol=1e-14)
    slopes = ad.grad(lambda x: each(x, 2.0).sum())(at)
    np.testing.assert_allclose(slopes, 2 * np.cos(at), rtol=1e-14)
    stacked = ad.stack([f(v[k], v[0]) for k in range(3)])
    wanted = np.diag(np.cos(at) * at[0])
    wanted[:, 0] += np.sin(at)
    for mode in ("forward", "reverse"):
        found = run(ad.jacobian(stacked, v, mode=mode), v=at)
        np.testing.assert_allclose(found, wanted, rtol=1e-13)
    plain = sum(ad.sin(v[k]) * v[0] for k in range(3))
    found, wanted = (run(ad.hessian(e, v), v=at) for e in (stacked.sum(), plain))
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@inlined
def test_vectorize_does_not_loop_over_overrides(inline, product):
    f, x, y = product(inline), ad.scalar("x"), ad.scalar("y")
    for e in (f(x, y), ad.grad(f(x, y), x), ad.grad(ad.grad(f(x, y), x), y)):
        graph = ad.vectorize(ad.Graph(e), over=x).after
        assert not [n for n in graph if n.op is not None and n.op.name.startswith("each")]


def test_a_hessian_of_an_override_that_is_no_derivative():
    """Reverse over reverse mode, as forward mode does not see a rule for cotangents."""
    x = ad.vector("x")
    clipped = box(x, x, pullback=lambda i, o, ct: [ad.clip(ct[0], -1, 1)])
    inside = box(clipped(x) * 1, x)
    at = np.array([0.1, 3.0])
    for f in (clipped, inside):
        found = run(ad.hessian((f(x) ** 3).sum() / 3, x), x=at)
        np.testing.assert_allclose(found, np.diag([2 * at[0], 0.0]))


@inlined
@pytest.mark.parametrize("outside", some(["input", "shared"], 2, turn=1))
def test_an_override_may_take_what_it_likes_from_outside(inline, outside):
    """Within other boxes, loops and batches, too; and it has derivatives of its own."""
    h, x = ad.scalar("h"), ad.scalar("x")
    w = ad.scalar("w") if outside == "input" else ad.shared(3.0, name="w")
    at = {"h": 1.0, "w": 3.0}
    f = box(ad.sin(x), x, inline=inline, pullback=lambda i, o, ct: [ct[0] * w * i[0]])
    g = box(f(x) * 2, x, inline=inline, name="g")
    k = box(g(x) * 2, x, inline=inline, name="k")
    slope = ad.grad(k(h), h)
    assert run(slope, **at) == 12.0
    assert run(ad.grad(slope, [w, h]), **at) == [4.0, 12.0]
    last = ad.scan(lambda h: f(h), outputs_info=h, n_steps=2)[-1]
    slope = ad.grad(last, h)
    assert run(slope, **at) == pytest.approx(9 * np.sin(1.0))
    assert run(ad.grad(slope, w), **at) == pytest.approx(6 * np.sin(1.0))
    v = ad.vector("v")
    each = ad.vectorize(lambda x: k(x))(v)
    np.testing.assert_array_equal(run(ad.grad(each.sum(), v), v=np.ones(2), **at), [12.0, 12.0])


@inlined
def test_batches_of_several_results_some_of_which_do_not_vary(inline):
    x, y = ad.scalar("x"), ad.scalar("y")
    rule = lambda i, o, ct: [ct[0] * 10, ct[1] * 100]
    for how in ({}, {"pullback": rule}):
        f = box([x * y, y * 2, ad.constant(3.0)], x, y, inline=inline, **how)
        many = ad.vectorize(lambda x, y, f=f: f(x, y), in_axes=(0, None))
        for found, wanted in zip(
            many(np.arange(3.0), 2.0), ([0.0, 2.0, 4.0], [4.0] * 3, [3.0] * 3)
        ):
            np.testing.assert_array_equal(found, wanted)
        total = lambda x, y, many=many: sum(e.sum() for e in many(x, y))
        slopes = ad.grad(total, argnums=(0, 1))(np.arange(3.0), 2.0)
        np.testing.assert_array_equal(slopes[0], [10.0] * 3 if how else [2.0] * 3)
        assert slopes[1] == (300.0 if how else 9.0)
        rows = ad.vectorize(ad.vectorize(lambda x, f=f: f(x, 2.0)[0]))
        np.testing.assert_array_equal(rows(np.ones((2, 3))), np.full((2, 3), 2.0))
