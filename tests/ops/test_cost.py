"""Costs counted by hand."""

import autodiff_edu as ad
from autodiff_edu.ops import OPS


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


def test_contractions():
    A, B = ad.matrix("A", shape=(5, 3)), ad.matrix("B", shape=(3, 4))
    assert ad.cost(ad.einsum("ij,jk->ik", A, B)).flops == ad.cost(A @ B).flops == 120
    assert ad.cost(ad.einsum("ij,kl->ijkl", A, B)).flops == 5 * 3 * 3 * 4
    assert ad.cost(ad.multi_dot([A, B, ad.vector("v", shape=4)])).flops == 24 + 30


def test_linear_algebra():
    A, b, B = (
        ad.matrix("A", shape=(30, 30)),
        ad.vector("b", shape=30),
        ad.matrix("B", shape=(30, 30)),
    )
    assert ad.cost(ad.solve(A, b)).flops == 18000 + 1800
    assert ad.cost(ad.solve(A, B)).flops == 18000 + 54000 == ad.cost(ad.inv(A)).flops + 18000
    assert ad.cost(ad.det(A)).flops == 2 * ad.cost(ad.cholesky(A)).flops == 18000


def test_what_has_no_fixed_price_says_so():
    A, v = ad.matrix("A", shape=(4, 4)), ad.vector("v", shape=6)
    assert ad.cost(ad.eigvalsh(A)).flops is None
    assert ad.cost(ad.argsort(v)).flops is None
    assert ad.cost(ad.cumsum(v)[1:]).flops == 6
    assert ad.cost(ad.logsumexp(v)).flops == 24


def test_every_operation_is_priced_or_known_to_have_no_price():
    unpriced = {k: o for k, o in OPS.items() if o.cost is None and not o.elementwise}
    others = {k for k, o in unpriced.items() if not (o.linear or o.view)}
    iterations = {"reduced_qr", "symmetric_eigen", "thin_svd"}
    series = {"polygamma", "sinc_slope", "erfcx_slope"}
    assert others == iterations | series | {"argsort", "searchsorted"}
