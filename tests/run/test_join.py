"""The stage `join` of `function`: quicker forms that programs alone use."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.rewrite import FOR_PROGRAMS
from tests.helpers.depth import draws, some


def names_of_stages(f):
    return [stage.name for stage in f.stages]


def squares(rng, n):
    """A sum of two squares with random numbers before them, which are written in several ways."""
    x, y = ad.vector("x", shape=n), ad.vector("y", shape=n)
    c, d = rng.choice([1.0, 1.5, 100.0, 0.5, -2.0], 2)
    ways = [c * x**2 + d * y * y, d * ad.square(y) + c * x * x, c * (x * x) - (-d) * y**2]
    return [x, y], ad.sum(ways[rng.integers(3)])


@pytest.mark.each("seed", range(draws(40)))
def test_sums_of_squares_are_the_same_numbers(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 3, 16, 50, 1000, 100_000]))
    inputs, y = squares(rng, n)
    values = [rng.normal(size=n) * 10.0 ** rng.integers(-3, 4) for _ in range(2)]
    found = ad.function(inputs, [y, *ad.grad(y, inputs)])(*values)
    expected = ad.function(inputs, [y, *ad.grad(y, inputs)], simplify=None)(*values)
    size = sum(np.vdot(v, v) for v in values) * 200
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12, atol=1e-14 * size)
    for a, b in zip(found[1:], expected[1:], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13)


@pytest.mark.each("n, joined", [(3, False), (1000, True)])
def test_long_sums_of_squares_become_dot_products(n, joined):
    x, y = ad.vector("x", shape=n), ad.vector("y", shape=n)
    f = ad.function([x, y], ad.sum(100 * x * x + y * y))
    assert (f.source.count(".dot(") == 2) is joined
    assert ("join" in names_of_stages(f)) is joined


def test_what_may_cancel_stays_one_sum():
    x, y = ad.vector("x", shape=1000), ad.vector("y", shape=1000)
    for cost in (100 * x * x - y * y, x * x + y, 0.5 * x * x + y * y):
        assert ".dot(" not in ad.function([x, y], ad.sum(cost)).source


@pytest.mark.each("shape", [(), (7,), (3, 4)])
def test_a_slope_of_sigmoid_takes_one_exp(shape):
    x, v = ad.tensor("x", shape=shape), ad.tensor("v", shape=shape)
    slope = ad.grad(ad.sum(ad.grad(ad.sum(ad.softplus(x)), x) * v), x)
    f = ad.function([x, v], slope)
    assert "sigmoid_slope(" in f.source
    values = [np.random.default_rng(0).normal(size=shape) for _ in range(2)]
    plain = ad.function([x, v], ad.sigmoid(x) * ad.sigmoid(-x) * v, simplify="ieee")
    assert "sigmoid_slope" not in plain.source
    np.testing.assert_allclose(f(*values), plain(*values), rtol=1e-14)


def test_the_slope_far_out():
    x = ad.vector("x", shape=7)
    f = ad.function(x, ad.sigmoid(x) * ad.sigmoid(-x))
    found = f([-np.inf, -800, -50, 0, 50, np.inf, np.nan])
    small = np.exp(-50.0)
    np.testing.assert_allclose(found, [0, 0, small, 0.25, small, 0, np.nan], rtol=1e-14)


def test_a_part_of_a_slope_is_found():
    x, v = ad.vector("x", shape=5), ad.vector("v", shape=5)
    f = ad.function([x, v], (ad.exp(v) * ad.sigmoid(2 * x)) * ad.sigmoid(-2 * x))
    assert "sigmoid_slope(" in f.source


@pytest.mark.each("d", [2.0, -0.5, 1024.0, 3.0, 0.1])
def test_a_number_over_a_scaled_array_is_one_division(d):
    x = ad.vector("x", shape=50)
    f, plain = (ad.function(x, 5 / (d * x), simplify=mode) for mode in ("safe", None))
    exact = d not in (3.0, 0.1)
    assert ("join" in names_of_stages(f)) is exact
    value = np.random.default_rng(0).normal(size=50)
    np.testing.assert_allclose(f(value), plain(value), rtol=1e-15)
    if exact:
        np.testing.assert_array_equal(f(value), plain(value))


@pytest.mark.each("shapes", [((30, 4), (4, 50)), ((50, 4), (4, 30)), ((4, 30), (30, 4))])
def test_a_number_goes_into_the_smaller_factor(shapes):
    A, B = (ad.tensor(word, shape=shape) for word, shape in zip("AB", shapes, strict=True))
    f = ad.function([A, B], 3 + 2 * (A @ B))
    plain = ad.function([A, B], 3 + 2 * (A @ B), simplify=None)
    assert ("join" in names_of_stages(f)) is (shapes[0] != (4, 30))
    values = [np.random.default_rng(0).normal(size=shape) for shape in shapes]
    np.testing.assert_array_equal(f(*values), plain(*values))
    f = ad.function([A, B], [2 * (A @ B), ad.exp(A @ B)])  # which is needed as it is, too
    assert f.source.count(".dot(") == 1


@pytest.mark.each("c, moved", [
    (0.1, True), (-3.0, True), (1e-305, False), (0.0, False), (np.inf, False), (np.nan, False),
])  # fmt: skip
def test_which_numbers_go_into_the_smaller_factor(c, moved):
    A, v = ad.matrix("A", shape=(30, 4)), ad.vector("v", shape=4)
    f, plain = (ad.function([A, v], c * (A @ v), simplify=how) for how in ("safe", None))
    assert ("join" in names_of_stages(f)) is moved
    values = [np.random.default_rng(0).normal(size=shape) for shape in ((30, 4), 4)]
    np.testing.assert_allclose(f(*values), plain(*values), rtol=1e-14, atol=1e-15)


@pytest.mark.each("seed", range(draws(60)))
def test_a_number_of_all_terms_is_taken_out(seed):
    rng = np.random.default_rng(seed)
    shape = [(50,), (), (3, 4)][seed % 3]
    x, y, z = inputs = [ad.tensor(name, shape=shape) for name in "xyz"]
    c = float(rng.choice([0.1, -3.0, 7.0, 0.05]))  # one below 1/32 may keep a product in range
    d = c * int(rng.choice([1, -1]))
    ways = [
        c * x + d * z, c * x - z * d, x * c + y * (d * z), c * x - y * (d * z),
        y * (x * c) - d * z, y * (c * x) + d * z, -(c * x) - d * z, c * x - 2 * d * z,
    ]  # fmt: skip
    f = ad.function(inputs, ways[seed % 8], on_unused_input="ignore")
    values = [rng.normal(size=shape) for _ in inputs]
    expected = ad.evaluate(ways[seed % 8], dict(zip(inputs, values)))
    np.testing.assert_allclose(f(*values), expected, rtol=1e-13, atol=1e-14)
    many = ad.simplify(ways[seed % 8], final=True).after.operations
    assert len(f.graph.operations) < len(many) or seed % 8 in (6, 7)


def test_other_simplification_does_not_use_these_rules():
    x = ad.vector("x", shape=100)
    y = ad.sum(ad.square(x) + ad.square(ad.sin(x)))
    assert not {rule.name for rule in FOR_PROGRAMS} & {rule.name for rule in ad.RULES}
    assert not ad.simplify(y, final=True).steps


def test_joining_ends_and_is_done_once():
    x, y = ad.vector("x", shape=100), ad.vector("y", shape=100)
    f = ad.function([x, y], ad.sum(2 * x * x + 3 * y * y) + ad.sum(x * x + y * y))
    again = ad.simplify(f.graph, rules=FOR_PROGRAMS, final=True)
    assert not again.steps


@pytest.mark.each("degree", [3, 11])
def test_the_slope_of_a_polynomial_by_horner_is_written_by_horner(degree):
    """One product and one sum for each power, in the value and in the slope."""
    x = ad.scalar("x")
    p = 0.3
    for k in range(degree):
        p = p * x + (0.7 - 0.1 * k)
    f = ad.function(x, [p, ad.grad(p, x)])
    lines = [line for line in f.source.splitlines() if " = " in line and "accept" not in line]
    assert len(lines) <= 4 * degree - 3
    plain = ad.function(x, [p, ad.grad(p, x)], simplify=None)
    for at in (0.0, -1.3, 0.7, 2.5, 1e3):
        np.testing.assert_allclose(f(at), plain(at), rtol=1e-12)


def sum_of_products(rng, leaves, terms):
    """A sum of products of a few leaves, their squares and functions, with random signs."""
    factors = [*leaves, *[ad.sin(v) for v in leaves[:2]], -leaves[0], leaves[1] ** 2]
    total = leaves[0] * leaves[1] + leaves[2] * leaves[0]
    for _ in range(terms):
        term = factors[rng.integers(len(factors))]
        for _ in range(rng.integers(3)):
            other = factors[rng.integers(len(factors))]
            term = term / (2 + ad.cos(other)) if rng.random() < 0.1 else term * other
        term = rng.choice([1.0, 0.5, -3.0]) * term if rng.random() < 0.3 else term
        total = total + term if rng.random() < 0.6 else total - term
    return total


@pytest.mark.each("small", ["bool", "uint8", "int16"])
def test_a_factor_of_another_dtype_stays_as_it_is(small):
    """Minus a number without a sign wraps, so it is another number than −1 times that."""
    x, y, k = ad.scalar("x"), ad.scalar("y", "float32"), ad.scalar("k", small)
    minus = ad.logical_not(k) if small == "bool" else -k
    for total in (x * minus + x * k + 2 * (ad.sin(x) * minus), y * minus - ad.exp(y) * minus):
        inputs = [k, x if total.dtype == "float64" else y]
        f, plain = (ad.function(inputs, total, simplify=mode) for mode in ("real", None))
        for at in np.array([0, 1, 3]).astype(small):
            np.testing.assert_allclose(
                f(at, np.float32(0.7)), plain(at, np.float32(0.7)), rtol=1e-5
            )


def test_no_term_is_lost_where_a_factor_cancels():
    x, y, z = ad.scalar("x"), ad.scalar("y"), ad.scalar("z")
    once = x**-1.0 * y
    total = once * x + x * z + x * ad.sin(z) - x**2 * once
    values = [0.7, -1.3, 2.1]
    for mode in ("safe", "real"):
        f = ad.function([x, y, z], [total, ad.exp(once)], simplify=mode)
        expected = ad.function([x, y, z], [total, ad.exp(once)], simplify=None)(*values)
        np.testing.assert_allclose(f(*values), expected, rtol=1e-12)


@pytest.mark.each("seed", range(draws(20)))
def test_what_is_subtracted_from_itself_stays_nan_where_it_is_infinite(seed):
    """3x − x is nan at inf, and 2x is not: in safe mode it stays, by `collect terms` and by all."""
    rng = np.random.default_rng(seed)
    x, z = ad.scalar("x"), ad.scalar("z")
    same = [x, x * z, ad.exp(x), x * x * z][rng.integers(4)]
    others = [z, x * z, ad.sin(z), x * x, 1 / x]
    terms = [2 * same, *[others[k] for k in rng.integers(5, size=rng.integers(3))]]
    total = sum(terms[k] for k in rng.permutation(len(terms))) - same
    f = ad.function([x, z], total, on_unused_input="ignore")
    assert np.isnan(f(np.inf, 1.0))
    assert f(2.0, 1.5) == pytest.approx(float(ad.evaluate(total, {x: 2.0, z: 1.5})), rel=1e-13)


@pytest.mark.each("dtype", some(["float64", "float32"], 2, turn=1))
@pytest.mark.each("seed", range(draws(30)))
def test_shared_factors_are_taken_out_of_sums(seed, dtype):
    rng = np.random.default_rng(seed)
    shapes = [[(), (5,), (3, 1), (3, 5)][rng.integers(4)] for _ in range(3)]
    leaves = [ad.tensor(f"x{k}", dtype, shape) for k, shape in enumerate(shapes)]
    y = sum_of_products(rng, leaves, int(rng.integers(2, 9)))
    outputs = [y, *ad.grad(ad.sum(y), leaves)]
    f, plain = (ad.function(leaves, outputs, simplify=mode) for mode in ("safe", None))
    joined = [stage for stage in f.stages if stage.name == "join"]
    for stage in joined:
        sizes = [len(frame.operations) for frame in stage.frames()]
        for step, more, less in zip(stage.steps, sizes, sizes[1:], strict=False):
            before, after = step.cost
            assert (after, less) < (before, more) and less <= more  # as the policy "cheaper" says
    values = [rng.normal(size=shape).astype(dtype) for shape in shapes]
    tight = 1e-13 if dtype == "float64" else 1e-4
    for a, b in zip(f(*values), plain(*values), strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, rtol=tight, atol=100 * tight)


def test_rows_of_a_product_that_is_there_are_not_computed_anew():
    x, y = ad.matrix("x", shape=(50, 4)), ad.matrix("y", shape=(4, 30))
    for rows in (x[::-1], x[1:-3:2], x[7]):
        f = ad.function([x, y], [x @ y, rows @ y])
        alone = ad.function([x, y], rows @ y)
        values = [np.random.default_rng(0).normal(size=i.shape) for i in (x, y)]
        assert sum(n.op is ad.matmul for n in f.graph.operations) == 1, str(rows)
        np.testing.assert_allclose(f(*values)[1], alone(*values), rtol=1e-13, err_msg=str(rows))
    f = ad.function([x, y], [x @ y, x[:, :3] @ y[:3]])
    assert sum(n.op is ad.matmul for n in f.graph.operations) == 2


def test_the_slope_of_tanh_is_written_out_and_has_all_digits():
    x, one = ad.vector("x", shape=5), ad.scalar("one")
    f, g = ad.function(x, ad.tanh_slope(x)), ad.function(one, ad.tanh_slope(one))
    values = [0.0, -0.5, 20.0, 400.0, 800.0]
    for source in (f.source, g.source):
        assert "cosh(" in source and "= tanh_slope(" not in source
    expected = ad.evaluate(ad.tanh_slope(np.array(values)))
    np.testing.assert_allclose(f(values), expected, rtol=1e-14)
    np.testing.assert_allclose([g(v) for v in values], expected, rtol=1e-14)
