"""Numbers move out of large factors of products."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.rewrite import numbers_out_of_factors
from tests.helpers.depth import draws

RULE = "number out of a factor"


def count(graph):
    return sum(n.op is ad.multiply for n in graph.order)


def factors(m, n):
    return ad.matrix("m", shape=(m, n)), ad.matrix("z", shape=(n, 3)), ad.matrix("y", shape=(3, m))


def test_all_products_of_a_factor_change_together():
    m, z, _ = factors(40, 50)
    w = ad.matrix("w", shape=(40, 3))
    p = -2.0 * ad.exp(m)
    stage = numbers_out_of_factors(ad.Graph([p @ z, p.T @ w]))
    assert [step.rule for step in stage.steps] == [RULE] * 2
    assert count(stage.after) == 2 and not any(n is p for n in stage.after.order)
    values = {i: np.random.default_rng(0).normal(size=i.shape) for i in (m, z, w)}
    before = ad.evaluate([p @ z, p.T @ w], values)
    for k in range(3):  # each frame of the film is a graph of the same values
        for a, b in zip(ad.evaluate(list(stage.frame(k).outputs), values), before, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.each("c", [3.0, 0.1, 1e308, float("inf"), 0.0])
def test_what_would_round_stays(c):
    m, z, _ = factors(60, 70)
    assert not numbers_out_of_factors(ad.Graph([(c * m) @ z])).steps


@pytest.mark.each("c", [2.0**-700, 2.0**700])
def test_a_large_or_small_number_stays_where_a_new_product_may_overflow(c):
    m, z, _ = factors(60, 70)
    large = {m: np.full(m.shape, min(1.0, 1 / c) * 1e180), z: np.full(z.shape, 1e100)}
    for mode, steps in (("safe", 0), ("real", 1)):
        stage = numbers_out_of_factors(ad.Graph([(c * m) @ z]), mode)
        assert len(stage.steps) == steps
    value = ad.function([m, z], (c * m) @ z)(large[m], large[z])
    assert np.isfinite(value).all()


def test_it_stays_where_it_would_not_pay():
    m, z, y = factors(60, 70)
    p = 4.0 * m
    square = ad.matrix("square", shape=(70, 70))
    long = -ad.matrix("long", shape=(3, 5000))
    for outputs in (
        [p @ z, p],  # which is a result
        [p @ z, ad.exp(p)],  # and needed otherwise
        [p @ z, p.T],
        [p @ square, ad.tanh(p.T) @ y.T],
        [(4.0 * square) @ square, square],  # of two large factors, with a large product
        [p @ p.T],  # with itself
        [long @ long.T],
        [(2.0 * z) @ z.T],  # a factor as small as the other
    ):
        stage = numbers_out_of_factors(ad.Graph(outputs))
        assert not stage.steps and stage.after.outputs == tuple(outputs)
    assert "scale" not in [s.name for s in ad.function([m, z], p @ z, simplify="ieee").stages]
    named = 4.0 * m
    named.name = "scaled"  # keeps its line
    assert not numbers_out_of_factors(ad.Graph([named @ z])).steps


def test_unknown_lengths_stay():
    m, z = ad.matrix("m"), ad.matrix("z", shape=(70, 3))
    assert not numbers_out_of_factors(ad.Graph([(2.0 * m) @ z])).steps


@pytest.mark.each("seed", range(draws(60)))
def test_random_products_are_equal_to_the_last_digit(seed):
    """Scaled factors, shared or not, turned or not, in products with each other and with others,
    by programs with this pass and without."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(40, 60))
    wide = [ad.matrix(f"A{k}", shape=(n, n)) for k in range(2)]
    thin = [ad.matrix(f"b{k}", shape=(n, int(draw.integers(1, 5)))) for k in range(3)]
    thin.append(ad.vector("v", shape=n))
    pool = [float(draw.choice([2.0, -0.5, -1.0, 64.0, 3.0])) * ad.tanh(A) for A in wide]
    pool += [-ad.tanh(wide[0]), wide[1]]
    outputs = []
    for _ in range(int(draw.integers(2, 6))):
        p = pool[draw.integers(len(pool))]
        p = p.T if draw.random() < 0.5 else p
        z = thin[draw.integers(len(thin))]
        if draw.random() < 0.2:
            z = pool[draw.integers(len(pool))] @ z
        outputs.append(z.T @ p if draw.random() < 0.5 else p @ z)
    if draw.random() < 0.3:
        outputs.append(ad.sum(pool[0]))
    inputs = [*wide, *thin]
    stage = numbers_out_of_factors(ad.Graph(outputs, inputs))
    values = [draw.normal(size=i.shape) for i in inputs]
    run = [ad.function(inputs, list(ys), simplify=None, on_unused_input="ignore")
           for ys in (outputs, stage.after.outputs)]  # fmt: skip
    for a, b in zip(run[0](*values), run[1](*values), strict=True):
        np.testing.assert_array_equal(a, b)
    assert [y.name for y in stage.after.outputs] == [y.name for y in outputs]


@pytest.mark.each("size", [300, 297, 260])
def test_equal_points_keep_their_exact_distance(size):
    """Whole numbers are added without rounding in any order, as BLAS has them. A number that is
    added to them, so that a root has a slope there, is not lost."""
    x, y = ad.matrix("x", shape=(size, 3)), ad.matrix("y", shape=(size, 3))
    squares = ad.sum(x * x, axis=1)[:, None] + ad.sum(y * y, axis=1) - 2 * (x @ y.T)
    points = np.random.default_rng(0).integers(-1000, 1000, size=(size, 3)).astype("float64")
    found = ad.function([x, y], squares + 1e-6)(points, points)
    np.testing.assert_array_equal(np.diag(found), 1e-6)


def test_a_program_of_distances_scales_no_large_array():
    x, y = ad.matrix("x", shape=(90, 5)), ad.matrix("y", shape=(80, 5))
    squares = ad.sum(x * x, axis=1)[:, None] + ad.sum(y * y, axis=1) - 2 * (x @ y.T)
    cost = ad.sum(ad.sqrt(squares + 1e-6))
    f = ad.function([x, y], [cost, *ad.grad(cost, [x, y])])
    scaled = [n for n in f.graph.order if n.op is ad.multiply and n.shape == (90, 80)]
    assert "scale" in [stage.name for stage in f.stages] and not scaled
    draw = np.random.default_rng(0)
    values = draw.normal(size=x.shape), draw.normal(size=y.shape)
    plain = ad.function([x, y], [cost, *ad.grad(cost, [x, y])], simplify=None)
    for a, b in zip(f(*values), plain(*values), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11)
