"""Costs counted by hand."""

import autodiff_edu as ad


def test_floating_point_operations():
    X, w = ad.matrix("X", shape=(5, 3)), ad.vector("w", shape=3)
    z = X @ w
    assert ad.cost(z) == (1, 30)
    assert ad.cost(ad.sum(ad.exp(z) * z)) == (4, 30 + 5 + 5 + 5)
    assert ad.cost(X.T.reshape(15)[1:]) == (3, 0)
    assert ad.cost(ad.vector("v") * 2) == (1, None)
    assert ad.cost([z, z + z]).flops == 35


def test_comparisons_show_them():
    x = ad.scalar("x")
    stage = ad.symbolic_derivative(x * x + (x - 2), x)
    shown = repr(ad.compare(stage, ad.simplify(stage)))
    assert "floating point operations: 5 → 2" in shown
