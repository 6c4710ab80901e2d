"""Gates change what comes back, each for itself."""

import autodiff_edu as ad


def test_a_gradient_does_not_depend_on_simplification_before_it():
    x = ad.scalar("x")
    f = ad.grad_clip(x, -1, 1) * ad.grad_clip(x, -1, 1)
    for graph in (f, ad.simplify(f).output):
        assert ad.evaluate(ad.grad(graph, x), {x: 2.0}) == 2.0  # each part is clipped by itself


def test_gates_merge_with_nothing_until_they_are_released():
    x = ad.scalar("x")
    f = ad.simplify(ad.grad_clip(x, -1, 1) * ad.grad_clip(x, -1, 1))
    assert f.graph.counts["grad_clip"] == 2
    assert ad.simplify(ad.release(f)).graph.counts == {"square": 1}
