"""Products of a stack of matrices and one matrix: one call of BLAS."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run.fast import forms
from tests.helpers.depth import draws

LAYOUTS = [
    np.ascontiguousarray, np.asfortranarray, lambda a: np.repeat(a, 2, axis=1)[:, ::2],
    lambda a: a[::-1].copy()[::-1], lambda a: np.broadcast_to(a[:1], a.shape),
]  # fmt: skip


@pytest.mark.each("seed", range(draws(40)))
def test_random_stacks(monkeypatch, seed):
    """Of any layout, in both precisions, with results that are needed or overwritten; inputs
    stay what they were."""
    monkeypatch.setattr(forms, "MANY", 1)
    draw = np.random.default_rng(seed)
    dtype = ["float64", "float64", "float32"][draw.integers(3)]
    *stack, m, k, n = (int(draw.integers(1, 6)) for _ in range(draw.integers(4, 6)))
    x, W = (
        ad.tensor("x", shape=(*stack, m, k), dtype=dtype),
        ad.matrix("W", shape=(k, n), dtype=dtype),
    )
    y = [x, ad.exp(x), ad.tanh(x) * x][draw.integers(3)] @ W
    z = ad.tanh(y + 1) if draw.random() < 0.5 else y
    outputs = [ad.sum(z * z), *ad.grad(ad.sum(z * z), [x, W])]
    outputs += [y] if draw.random() < 0.5 else [ad.sin(y) @ W.T]
    f = ad.function([x, W], outputs)
    assert ".reshape(" in str(f.program)
    values = [LAYOUTS[draw.integers(5)](draw.normal(size=x.shape).astype(dtype)),
              draw.normal(size=W.shape).astype(dtype)]  # fmt: skip
    before = [np.array(v) for v in values]
    exact = {"rtol": 1e-3, "atol": 1e-3} if dtype == "float32" else {"rtol": 1e-9, "atol": 1e-11}
    expected = ad.evaluate(outputs, dict(zip([x, W], values, strict=True)))
    for _ in range(2):
        for one, two in zip(f(*values), expected, strict=True):
            assert np.shape(one) == np.shape(two) and one.dtype == two.dtype
            np.testing.assert_allclose(one, two, **exact)
    for v, then in zip(values, before, strict=True):
        np.testing.assert_array_equal(v, then)


def test_the_rows_of_a_loop_are_written_in_place():
    xs, h = ad.tensor("xs", shape=(6, 8, 16, 32)), ad.tensor("h", shape=(8, 16, 32))
    W = ad.matrix("W", shape=(32, 32))
    hs = ad.scan(lambda x, h: ad.tanh(x + h @ W), sequences=xs, outputs_info=h)
    outputs = [hs, *ad.grad(ad.sum(hs * hs), [xs, h, W])]
    f = ad.function([xs, h, W], outputs)
    assert "out=every_h[k + 1].reshape((128, 32))).reshape((8, 16, 32))" in f.source
    draw = np.random.default_rng(0)
    values = [draw.normal(size=i.shape) / 5 for i in (xs, h, W)]
    expected = ad.evaluate(outputs, dict(zip([xs, h, W], values, strict=True)))
    for one, two in zip(f(*values), expected, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-12)
    space = {}
    exec(f.source, space)
    for one, two in zip(space["program"](*values), f(*values), strict=True):
        np.testing.assert_array_equal(one, two)


def test_what_would_be_copied_or_is_small_stays():
    x, W = ad.tensor("x", shape=(30, 20, 10)), ad.matrix("W", shape=(10, 20))
    V = ad.tensor("V", shape=(30, 10, 20))
    for y in (ad.transpose(x, axes=(1, 0, 2)) @ W, x[:2] @ W, x @ V, W.T @ V, x @ W[:, 0]):
        text = str(ad.function([x, W, V], ad.exp(y), on_unused_input="ignore").program)
        assert "reshape" not in text
    small = ad.tensor("small", shape=(3, 2, 10))
    assert "reshape" not in str(ad.function([small, W], small @ W).program)
    assert "reshape" in str(ad.function([x, W], x @ W).program)
