"""Products to which columns, rows and numbers are added, as distances and layers have them."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run.fast import regions
from tests.helpers.depth import draws


@pytest.fixture(autouse=True)
def blocks(monkeypatch):
    """Small arrays are large enough for regions, too."""
    monkeypatch.setattr(regions, "BLOCK", 8)
    monkeypatch.setattr(regions, "LARGE", 1)


@pytest.mark.each("seed", range(draws(120)))
def test_random_sums_around_a_product(seed):
    """Columns, rows, numbers and negatives in any order around a product of arrays, views or
    slices; with products, sums and terms that are needed elsewhere, too, and with arrays that are
    given in any layout and twice."""
    draw = np.random.default_rng(seed)
    m, k, n = (int(draw.integers(1, 7)) for _ in range(3))
    shapes = [(m, k), (k, n), (k, m), (n, k), (m, 1), (1, n), (n,), (), (m, n), (n, 1), (m + 1, k)]
    inputs = [ad.tensor(f"x{j}", shape=s) if s else ad.scalar("c") for j, s in enumerate(shapes)]
    A, B, AT, BT, column, row, line, c, full, other, longer = inputs
    left = [A, AT.T, -A, ad.tanh(A), longer[1:], 2.0 * A][draw.integers(6)]
    right = [B, BT.T, ad.exp(B), B[:, ::-1]][draw.integers(4)]
    product = left @ right
    terms = [column, row, line, c, 1e-6, 3.0, -2.5, ad.sum(A, axis=1)[:, None], other.T,
             ad.sum(B * B, axis=0), column * column, full, ad.sum(full)]  # fmt: skip
    y, shared = product, []
    for _ in range(int(draw.integers(1, 6))):
        t = terms[draw.integers(len(terms))]
        t = t + terms[draw.integers(len(terms))] if draw.random() < 0.3 else t
        ways = [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: b - a, lambda a, b: -a + b]
        y = ways[draw.integers(4)](y, t)
        shared += [y] if draw.random() < 0.15 else []
    outputs = [y, ad.sum(ad.sqrt(y * y + 1)), *shared]
    outputs += [product] if draw.random() < 0.15 else []
    outputs += [ad.sum(y * full)] if draw.random() < 0.5 else []
    values = [draw.normal(size=s) for s in shapes]
    values = [np.array(v, order="F") if draw.random() < 0.3 else v for v in values]
    before = [np.array(v) for v in values]
    f = ad.function(inputs, outputs, on_unused_input="ignore", simplify=[None, "safe"][seed % 2])
    found = f(*values)
    kept = [np.array(v) for v in found]
    expected = ad.evaluate(outputs, dict(zip(inputs, values, strict=True)))
    scale = max(1.0, *[float(np.max(np.abs(v), initial=0.0)) for v in map(np.asarray, expected)])
    for one, two in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(two)
        np.testing.assert_allclose(one, two, rtol=1e-13, atol=1e-13 * scale)
    f(*[v + 1 for v in values])
    for v, then in zip([*values, *found], [*before, *kept], strict=True):
        np.testing.assert_array_equal(v, then)


def test_infinities_stay_where_they_are():
    x, y = ad.matrix("x", shape=(3, 2)), ad.matrix("y", shape=(2, 4))
    u, v = ad.matrix("u", shape=(3, 1)), ad.vector("v", shape=4)
    draw = np.random.default_rng(0)
    values = [draw.normal(size=s) for s in ((3, 2), (2, 4), (3, 1), (4,))]
    values[2][1], values[3][2], values[0][0, 0] = np.inf, -np.inf, np.nan
    a, b, column, row = values
    found = ad.function([x, y, u, v], x @ y - u + v)(*values)
    np.testing.assert_allclose(found, a @ b - column + row, rtol=1e-12)
