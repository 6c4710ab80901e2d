"""Products that add columns, rows and numbers: bordered products."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run import bordered, regions
from tests.helpers.depth import draws

pytestmark = pytest.mark.numeric


@pytest.fixture
def always(monkeypatch):
    """Small products become bordered, too."""
    monkeypatch.setattr(regions, "LARGE", 1)
    monkeypatch.setattr(bordered, "QUICKER", 0)


def close(found, expected, scale):
    """Up to rounding of the terms, which may cancel each other."""
    assert found.shape == expected.shape and found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-14 * scale)


@pytest.mark.each("seed", range(draws(120)))
def test_random_sums_around_a_product(always, seed):
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
    f = ad.function(inputs, outputs, on_unused_input="ignore", simplify=None)
    found = f(*values)
    kept = [np.array(v) for v in found]
    expected = ad.evaluate(outputs, dict(zip(inputs, values, strict=True)))
    scale = max(1.0, *[float(np.max(np.abs(v), initial=0.0)) for v in map(np.asarray, expected)])
    for one, two in zip(found, expected, strict=True):
        close(np.asarray(one), np.asarray(two), 10 * scale)
    f(*[v + 1 for v in values])
    for v, then in zip([*values, *found], [*before, *kept], strict=True):
        np.testing.assert_array_equal(v, then)


@pytest.mark.each("wide", [4, 8, 16])
def test_a_column_with_a_minus(always, wide):
    x, y, v = ad.matrix("x", shape=(5, wide)), ad.matrix("y", shape=(1, 4)), ad.vector("v", shape=4)
    n = v - x[:, -1:] @ y
    values = [np.arange(5.0 * wide).reshape(5, wide), np.ones((1, 4)), np.zeros(4)]
    f = ad.function([x, y, v], n, simplify=None)
    assert "minus=True" in f.source
    np.testing.assert_array_equal(f(*values), ad.evaluate(n, dict(zip([x, y, v], values))))


def test_what_is_swallowed_has_no_array(always):
    x, y = ad.matrix("x", shape=(5, 3)), ad.matrix("y", shape=(3, 4))
    u, v = ad.matrix("u", shape=(5, 1)), ad.vector("v", shape=4)
    n = u + v - x @ y + 1e-6
    f = ad.function([x, y, u, v], ad.sqrt(n), simplify=None)
    text = "bordered_product(x, y, (u, 1.0), (1.0, v), (1.0, 1e-06), minus=True)"
    assert text in f.source and f.program.plan.peak == 1
    found = f.program.plan.bordered[n]
    assert found.minus and [sign for _, sign in found.terms] == [1, 1, 1]
    assert f.program.line_of(n) == f.program.line_of(found.product)


def test_what_has_a_name_or_another_use_keeps_its_array(always):
    x, y, v = ad.matrix("x", shape=(5, 3)), ad.matrix("y", shape=(3, 4)), ad.vector("v", shape=4)
    product = x @ y
    product.name = "scores"
    z = x @ y
    single = ad.matrix("single", shape=(5, 3), dtype="float32")
    for outputs in (
        [product + v],
        [z + v, z],
        [z + v + z],
        [(x @ y) + (x @ y)],
        [(x @ y) * 2.0 + v],
        [x @ y + ad.exp(x @ y)],
        [single @ y + v, single @ y.astype("float32") + 1],
        [x[0] @ y + v],
    ):
        inputs = [x, y, v, single]
        f = ad.function(inputs, outputs, on_unused_input="ignore", simplify=None)
        assert "bordered" not in f.source
    unknown = ad.matrix("unknown")
    assert "bordered" not in ad.function([unknown, y, v], unknown @ y + v).source


@pytest.mark.each("m, k, n, terms, joined", [
    (500, 50, 500, 3, True), (500, 50, 500, 1, True), (500, 200, 500, 1, False),
    (128, 784, 256, 1, False), (1000, 30, 100, 1, False), (40, 2, 40, 3, False),
])  # fmt: skip
def test_it_is_done_where_it_is_quicker(m, k, n, terms, joined):
    x, y, v = ad.matrix("x", shape=(m, k)), ad.matrix("y", shape=(k, n)), ad.vector("v", shape=n)
    z = x @ y + v
    for t in [2.0, ad.sum(x, axis=1)[:, None]][: terms - 1]:
        z = z + t
    assert ("bordered" in ad.function([x, y, v], ad.exp(z)).source) is joined


def test_infinities_stay_where_they_are(always):
    x, y = ad.matrix("x", shape=(3, 2)), ad.matrix("y", shape=(2, 4))
    u, v = ad.matrix("u", shape=(3, 1)), ad.vector("v", shape=4)
    f = ad.function([x, y, u, v], x @ y - u + v)
    plain = ad.function([x, y, u, v], [x @ y - u + v, x @ y])
    draw = np.random.default_rng(0)
    values = [draw.normal(size=s) for s in ((3, 2), (2, 4), (3, 1), (4,))]
    values[2][1], values[3][2], values[0][0, 0] = np.inf, -np.inf, np.nan
    assert "bordered" in f.source and "bordered" not in plain.source
    np.testing.assert_allclose(f(*values), plain(*values)[0], rtol=1e-12)


@pytest.mark.each("size", [300, 297, 260])
def test_equal_points_keep_their_exact_distance(size):
    """Whole numbers are added without rounding in any order, as BLAS has them. A number that is
    added to them, so that a root has a slope there, is not lost."""
    x, y = ad.matrix("x", shape=(size, 3)), ad.matrix("y", shape=(size, 3))
    squares = ad.sum(x * x, axis=1)[:, None] + ad.sum(y * y, axis=1) - 2 * (x @ y.T)
    f = ad.function([x, y], squares + 1e-6)
    assert "bordered" in f.source
    points = np.random.default_rng(0).integers(-1000, 1000, size=(size, 3)).astype("float64")
    np.testing.assert_array_equal(np.diag(f(points, points)), 1e-6)


def test_it_runs_as_a_file_and_tells_its_line():
    x, y = ad.matrix("x", shape=(400, 4)), ad.matrix("y", shape=(4, 400))
    v = ad.vector("v", shape=400)
    n = ad.exp(x @ y - v)
    f = ad.function([x, y, v], n)
    space = {}
    exec(f.source, space)
    draw = np.random.default_rng(0)
    values = [draw.normal(size=s) for s in ((400, 4), (4, 400), (400,))]
    np.testing.assert_array_equal(space["program"](*values), f(*values))
    assert (
        not f.parameters
        and "def bordered_product(x, y, *borders, minus=False, out=None)" in f.source
    )
    lines = [line for line in f.profile(*values).lines if "bordered" in line.text]
    assert len(lines) == 1 and lines[0].flops >= 2 * 4 * 400 * 400
    checked = ad.function([x, y, v], n, check="nan")  # which looks at each operation
    assert "bordered" not in checked.source
    np.testing.assert_allclose(checked(*values), f(*values), rtol=1e-12)


def test_a_long_sum_is_not_walked_again_and_again(always):
    x, y, v = ad.matrix("x", shape=(3, 2)), ad.matrix("y", shape=(2, 3)), ad.vector("v", shape=3)
    z = x @ y
    for _ in range(200):
        z = z + v
    f = ad.function([x, y, v], z, simplify=None)
    assert str(f.program).count("bordered_product(") == 1  # at the lower end
    values = [np.ones((3, 2)), np.ones((2, 3)), np.ones(3)]
    np.testing.assert_array_equal(f(*values), np.full((3, 3), 202.0))
