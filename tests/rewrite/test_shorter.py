"""Formulas of textbooks and programs, and how many operations remain of each."""

import itertools

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import length, some

pytestmark = pytest.mark.numeric

x, y = ad.scalar("x"), ad.scalar("y")
v, w = ad.vector("v", shape=5), ad.vector("w", shape=4)
A, B, E = (ad.matrix(name, shape=(4, 4)) for name in "ABE")
i = ad.scalar("i", dtype="int64")
k = ad.scalar("k", dtype="int8")


def gradients(y, *inputs):
    return ad.Graph(ad.grad(y, list(inputs)), list(inputs))


FORMULAS = [
    # formula, mode, operations left
    (gradients(ad.log(ad.exp(x) * ad.exp(y)), x, y), "real", 0),
    (gradients(ad.log(ad.exp(x) * ad.exp(y)), x, y), "safe", 0),
    (gradients((x * x - 1) / (x - 1), x), "real", 0),
    ((x**3 - 8) / (x - 2), "real", 3),
    ((x * x - y * y) / (x + y), "real", 1),
    ((x * x + 2 * x * y + y * y) / (x + y), "real", 1),
    ((x * x + 1) / (x - 1), "real", 4),  # there is a remainder
    ((x + y) ** 2 - (x - y) ** 2 + x, "real", 3),
    ((x - y) ** 2 - (x + y) ** 2 + x, "real", 3),
    (ad.exp(ad.log(x) + y), "real", 2),
    (ad.exp(ad.log1p(x)), "real", 1),
    (1 / ad.sqrt(1 / x), "real", 1),
    (ad.cosh(x) + ad.sinh(x), "safe", 1),
    (2 * ad.sin(x) * ad.cos(x), "real", 2),
    (ad.cos(x) * (2 * ad.sin(x)), "real", 2),
    (ad.sin(ad.arcsin(x)), "real", 0),
    (ad.tanh(ad.arctanh(x)), "real", 0),
    (ad.minimum(ad.maximum(x, 0.0), 1.0), "ieee", 1),
    (ad.maximum(ad.minimum(v, 1.0), 0.0), "safe", 1),
    (ad.minimum(ad.maximum(x, 2.0), 1.0), "ieee", 1),  # also where its bounds cross
    (ad.maximum(ad.minimum(x, 1.0), 2.0), "safe", 2),  # clip gives 1 here
    (ad.minimum(ad.maximum(v, x), y), "ieee", 1),
    (ad.mean(v) * 5, "safe", 1),
    (ad.mean(A, axis=0) * 4, "safe", 1),
    (ad.mean(v) * ad.size(v), "safe", 1),
    (ad.mean(v) * 4, "safe", 2),
    (A @ B + A @ E, "real", 2),
    (B @ A - E @ A, "real", 2),
    (A @ w + A @ (w * w), "real", 3),
    ((2 * A) @ (3 * B), "safe", 2),
    (0.0 * x / y, "real", 0),
    (0 / x, "real", 0),
    (i // 1, "ieee", 0),
    (i % 1, "ieee", 0),
    ((i // 3) // 4, "ieee", 1),
    ((i % 12) % 4, "ieee", 1),
    ((i % 12) % 5, "real", 2),
    ((8 * i) % 8, "ieee", 0),
    ((24 * i) % 8, "ieee", 0),
    ((6 * i) % 6, "safe", 2),  # 6·i may wrap
    ((6 * i) % 6, "real", 0),
    ((3 * i) % 6, "real", 2),
    ((k // 16) // 16, "ieee", 2),  # 256 is no int8
]


def outputs(formula):
    return formula if isinstance(formula, ad.Graph) else ad.Graph(formula)


@pytest.mark.each("formula, mode, left", FORMULAS, ids=lambda what: str(what)[:60])
def test_what_is_left(formula, mode, left):
    assert len(ad.simplify(formula, mode=mode).graph.operations) == left


def test_an_inverse_times_a_vector_is_a_solution():
    found = ad.simplify(ad.inv(A) @ w).graph
    assert "inv" not in found.counts and found.counts["solve_columns"] == 1


@pytest.mark.each("formula, mode, left", some(FORMULAS, 3), ids=lambda what: str(what)[:60])
def test_values_are_kept(formula, mode, left):
    before = outputs(formula)
    after = ad.simplify(before, mode=mode).graph.outputs
    rng = np.random.default_rng(0)
    for _ in range(length(20)):
        given = {n: drawn(n, rng) for n in before.inputs}
        wanted, got = ([ad.evaluate(e, given) for e in both] for both in (before.outputs, after))
        for a, b in zip(got, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


def drawn(n, rng):
    if n.dtype.kind == "i":
        return n.dtype.type(rng.integers(-100, 100))
    return rng.uniform(0.1, 0.9, n.type.shape)


def test_a_remainder_that_wraps_is_kept():
    """200·k wraps in int8, and so has a remainder by 100; by 8 it has none, wrapped or not."""
    found = ad.evaluate(ad.simplify((25 * k) % 25).output, {k: 100})
    assert found == (np.array([100], "int8") * np.int8(25) % 25)[0] != 0
    for value in range(-128, 128):
        assert ad.evaluate(ad.simplify((24 * k) % 8).output, {k: value}) == 0


def test_a_clip_between_names_has_the_slopes_of_maximum_and_minimum():
    low, high = ad.scalar("low"), ad.scalar("high")
    both = ad.minimum(ad.maximum(x, low), high)
    short = ad.simplify(both).output
    assert short.op is ad.clip
    slopes = [ad.grad(f, [x, low, high]) for f in (both, short)]
    for at in itertools.product([-1.0, 0.0, 1.0, np.nan], repeat=3):
        values = dict(zip([x, low, high], at, strict=True))
        np.testing.assert_equal(ad.evaluate(short, values), ad.evaluate(both, values))
        if not np.isnan(at).any():
            assert ad.evaluate(slopes[0], values) == ad.evaluate(slopes[1], values)


@pytest.mark.each("low, high", [(0.0, 1.0), (0.5, 0.5), (2.0, 1.0)])
@pytest.mark.each("order", ["below", "above"])
def test_slopes_at_the_bounds_are_kept(low, high, order):
    both = {
        "below": ad.minimum(ad.maximum(x, low), high),
        "above": ad.maximum(ad.minimum(x, high), low),
    }[order]
    short = ad.simplify(both).output
    for at in (low, high, low - 1, high + 1, (low + high) / 2, np.nan):
        slopes = [ad.evaluate(ad.grad(f, x), {x: at}) for f in (both, short)]
        assert slopes[0] == slopes[1]
        np.testing.assert_equal(ad.evaluate(short, {x: at}), ad.evaluate(both, {x: at}))


def test_a_mean_times_a_length_that_is_not_known_is_a_sum():
    u = ad.vector("u")
    total = ad.simplify(ad.mean(u) * u.shape[0]).output
    assert total.op is ad.sum
    assert ad.evaluate(total, {u: np.arange(4.0)}) == 6


IN_ONE_STEP = [
    (3 * -x, "-3 * x", ["constant times minus"]),
    (-v * 3, "-3 * v", ["constant times minus"]),
    (3 / -x, "-3 / x", ["constant over minus"]),
    (-v / 3, "v / -3", ["minus over constant"]),
    (A.T.T, "A", ["transpose twice"]),
    ((e := ad.exp(x)) / (e + 2), "sigmoid(x - 0.69314718056)", ["share of a sum that grows"]),
]


@pytest.mark.each("term, short, rules", IN_ONE_STEP, ids=str)
def test_what_one_step_can_say_takes_one_step(term, short, rules):
    stage = ad.simplify(term)
    assert str(stage.output) == short
    assert [step.rule for step in stage.steps] == rules


def test_an_operation_that_a_replacement_has_twice_counts_once():
    """d·(eˣ/Σ) − t·(eˣ/Σ) is no longer than (d/Σ − t/Σ)·eˣ."""
    u, e = ad.vector("u", shape=v.type.shape), np.exp(v)
    after = ad.simplify(ad.grad((e / np.sum(e)) @ u, v)).after
    assert [n.op.name for n in after.operations].count("softmax") == 1
    assert len(after.operations) == 5


W, column, row = ad.matrix("W", shape=(4, 4)), ad.vector("c", shape=4), ad.vector("r", shape=4)
V = np.linalg.inv(W)


def names(term, mode):
    return [n.op.name for n in ad.simplify(term, mode).after.operations]


@pytest.mark.numeric
@pytest.mark.each("form", ["inverse first", "transposed", "rows", "transposed rows"])
@pytest.mark.each("other", [column, ad.matrix("X", shape=(4, 4))], ids=["vector", "matrix"])
@pytest.mark.each("mode", ["ieee", "safe", "real"])
def test_products_with_an_inverse(form, other, mode):
    product = {
        "inverse first": V @ other,
        "transposed": V.T @ other,
        "rows": other @ V,
        "transposed rows": other @ V.T,
    }[form]
    both = [product, np.sum(V @ np.cos(other)) + np.sum(np.sin(other) @ V)]
    if mode != "ieee" and form in ("inverse first", "transposed rows"):
        assert "inv" not in names([product], mode)
    rng = np.random.default_rng(0)
    values = {W: rng.normal(size=(4, 4)), other: rng.normal(size=other.type.shape)}
    for before, after in zip(both, ad.simplify(both, mode).outputs, strict=True):
        np.testing.assert_allclose(
            ad.evaluate(after, values), ad.evaluate(before, values), rtol=1e-9, atol=1e-12
        )


def test_an_inverse_that_must_stay_is_used():
    """Where not all products can be solved for, none is."""
    slope = ad.grad(column @ V @ column, column)
    for mode in ("safe", "real"):
        assert names([slope], mode).count("inv") == 1
        assert "solve_columns" not in names([slope], mode)


def test_a_product_with_an_outer_product_is_one_of_vectors():
    outer = column[:, None] * row[None, :]
    for term in (W @ outer, outer @ W, W @ outer @ W, W @ (2 * outer)):
        stage = ad.simplify(term)
        products = [n for n in stage.after.operations if n.op is ad.matmul]
        assert products and all(1 in n.type.shape for n in products)
        values = {W: np.arange(16.0).reshape(4, 4), column: np.arange(4.0), row: np.ones(4)}
        np.testing.assert_allclose(ad.evaluate(stage.output, values), ad.evaluate(term, values))


a, b, g = map(ad.scalar, "abg")
ACROSS = [
    ((4 * a) / (2 * b), "(2 * a) / b"),
    (-2 * (a / (2 * b)), "-(a / b)"),
    (2 * (a / (2 * b) * g), "(a / b) * g"),
    (6 * (g * (a / (2 * b))), "3 * (g * (a / b))"),
]


@pytest.mark.each("term, short", ACROSS, ids=str)
def test_numbers_above_a_line_and_below_it_are_one(term, short):
    """Though the rest of the divisor may be 0."""
    stage = ad.simplify(term)
    assert len(stage.after.operations) <= short.count(" ") // 2 + short.startswith("-")
    for at in (3.0, -0.5, 0.0, np.inf, np.nan):
        values = {i: v for i, v in ((a, 1.5), (b, at), (g, -2.0)) if i in inputs_of(term)}
        with np.errstate(all="ignore"):
            before, after = ad.evaluate(term, values), ad.evaluate(stage.output, values)
        np.testing.assert_allclose(after, before, rtol=1e-15)


def inputs_of(term):
    return set(ad.Graph(term).inputs)
