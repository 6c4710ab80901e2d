"""The plan: joined operations give what plain ones give; what is needed is not overwritten."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run import Plan, Program
from autodiff_edu.run.fast import regions
from autodiff_edu.run.plan import Region
from tests.helpers.depth import draws, some
from tests.helpers.programs import random_program
from tests.run.test_parallel import in_threads

SEEDS = range(draws(150, least=25))


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of a few entries, so that small arrays are large."""
    monkeypatch.setattr(regions, "BLOCK", 5)
    monkeypatch.setattr(regions, "LARGE", 8)


def with_gradients(seed):
    """Inputs, values, and a graph of a random program and its gradients."""
    inputs, values, output = random_program(seed, 5 + seed % 21)
    x = inputs[0]
    neighbours = ad.sum(x[1:] * x[:-1]) + ad.sum(ad.sin(x[:, 1:]) * x[:, :-1] ** 2)
    cost = ad.sum(output * ad.cos(output)) + neighbours
    wrt = inputs[: 1 + seed % 3]
    return inputs, values, ad.Graph([cost, output, *ad.reverse_mode(cost, wrt).outputs])


def programs(graph, inputs):
    """The program as planned, and as it would be without any plan."""
    how = {"inputs": inputs, "listed": True}
    return Program(graph, **how), Program(graph, **how, fuse=False)


@pytest.mark.each("seed", some(SEEDS, 6))
def test_planned_and_unplanned_agree(small_blocks, seed):
    inputs, values, graph = with_gradients(seed)
    planned, plain = programs(graph, inputs)
    given = [np.array(v) for v in values]
    found, expected = planned(*given), plain(*given)
    for a, b in zip(found, expected, strict=True):
        scale = np.max(np.abs(b), initial=1.0)
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13 * scale)
        assert np.shape(a) == np.shape(b) and a.dtype == b.dtype
    for v, g in zip(values, given, strict=True):
        np.testing.assert_array_equal(v, g)  # inputs are never overwritten
    copies = [np.array(a) for a in found]
    planned(*[v + 1 for v in given])
    for a, b in zip(found, copies, strict=True):
        np.testing.assert_array_equal(a, b)  # results of one call survive the next


@pytest.mark.each("seed", some(SEEDS, 3))
def test_nothing_is_read_after_it_was_overwritten(small_blocks, seed):
    """Each array is a page on which the last node that was written is the one that is read."""
    _, _, graph = with_gradients(seed)
    for plan in (Plan(graph), Plan(graph, fuse=False)):
        written = {}  # by array: the node whose value it holds
        for n in plan.order:
            for i in plan.reads(n):
                while i.op is not None and i.op.view:  # a view holds what its operand holds
                    i = i.inputs[0]
                if i.op is not None:
                    assert written[plan.home(i)] is i or i in plan.into.values() and i is n
            if not n.op.view:
                written[plan.home(n)] = n
        homes = [plan.home(o) for o in graph.outputs if o.op is not None]
        assert all(home in written or home.op is None for home in homes)


def layers(seed):
    """Regions one after the other, each with several results that are needed later."""
    draw = np.random.default_rng(seed)
    x, y = ad.matrix("x", shape=(6, 3)), ad.matrix("y", shape=(6, 3))
    last = [x, y, ad.sin(x) * y]
    for _ in range(int(draw.integers(2, 6))):
        picked = [[last[k] for k in draw.integers(len(last), size=3)] for _ in range(3)]
        new = [a * b - k * ad.tanh(c) for k, (a, b, c) in enumerate(picked[draw.integers(2) :], 1)]
        last = [*new, ad.cumsum(new[draw.integers(len(new))], axis=0) / 6]
    return [x, y], ad.Graph([sum(ad.cumsum(z, axis=0) for z in last)])


@pytest.mark.each("seed", some(SEEDS, 6))
def test_two_results_never_take_one_array(small_blocks, seed):
    """Also where a region gives an array to the next, and that to the one after it."""
    inputs, graph = layers(seed)
    values = [np.random.default_rng(seed).normal(size=i.shape) for i in inputs]
    found, expected = [program(*values) for program in programs(graph, inputs)]
    scale = np.max(np.abs(expected[0]))
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-11, atol=1e-12 * scale)


def test_regions_are_found_in_random_programs(small_blocks):
    plans = [Plan(with_gradients(seed)[2]) for seed in SEEDS]
    assert sum(len(plan.regions) > 0 for plan in plans) > len(plans) / 2
    assert sum(len(plan.fused) > 0 for plan in plans) > 20


@pytest.mark.each(
    "shape", some([(70_000,), (300, 300), (3, 40_000), (40_000, 1, 3), (1, 90_000)], 3)
)
def test_large_arrays_run_block_by_block(shape):
    x, y = ad.tensor("x", shape=shape), ad.tensor("y", shape=shape[-1:])
    z = ad.sin(x) * y + ad.exp(-x * x)
    cost = ad.sum(z * z) + ad.mean(ad.tanh(z))
    graph = ad.Graph([cost, *ad.grad(cost, [x, y]), ad.sum(z, axis=-1)])
    planned, plain = programs(graph, [x, y])
    assert ("for k in range(" in planned.source) == (shape[0] > 1)
    values = [np.random.default_rng(0).normal(size=s) for s in (shape, shape[-1:])]
    for a, b in zip(planned(*values), plain(*values), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-11)


def test_large_constants_and_shared_values_run_block_by_block():
    x, c = ad.vector("x", shape=80_000), np.linspace(0, 1, 80_000)
    w = ad.shared(np.arange(80_000.0), "w")
    f = ad.function(x, ad.sin(x * c) + w * c, updates=[(w, w + x)])
    assert "for k in range(" in f.source
    np.testing.assert_allclose(f(c), np.sin(c * c) + np.arange(80_000) * c, rtol=1e-14)
    np.testing.assert_array_equal(w.get_value(), np.arange(80_000) + c)
    np.testing.assert_allclose(f(0 * c), (np.arange(80_000) + c) * c, rtol=1e-14)


def test_arrays_of_any_strides_run_block_by_block():
    x = ad.matrix("x", shape=(400, 300))
    f = ad.function(x, [ad.sin(x.T) * 2 + 1, ad.sum(ad.cos(x[::-1]) * x)])
    assert f.source.count("for k") == 2
    v = np.random.default_rng(0).normal(size=(800, 300))[::2]
    for given in (v, np.asfortranarray(v), np.ascontiguousarray(v)):
        turned, total = f(given)
        np.testing.assert_allclose(turned, np.sin(v.T) * 2 + 1, rtol=1e-13, atol=1e-14)
        np.testing.assert_allclose(total, np.sum(np.cos(v[::-1]) * v), rtol=1e-10)


def test_one_region_computes_value_and_gradient():
    x = ad.vector("x", shape=100_000)
    cost = ad.sum(ad.tanh(x * x) * ad.exp(-x))
    plan = ad.plan(ad.Graph([cost, ad.grad(cost, x)])).after
    (region,) = plan.regions
    assert len(region.kept) == len(region.ends) == 1
    assert plan.peak == 3  # what comes out of it, and a view of a 1; all else is a block


def test_what_is_used_later_is_computed_later():
    """cos(x) is of use for the gradient only: no array waits for that."""
    x, W = ad.matrix("x", shape=(300, 300)), ad.matrix("W", shape=(300, 300))
    cost = ad.sum(ad.exp(ad.sin(x) @ W))
    plan = ad.plan(ad.Graph(ad.grad(cost, x))).after
    *_, last = plan.steps
    assert isinstance(last, Region)
    assert {"cos", "multiply"} <= {n.op.name for n in last.members}


def test_contributions_by_slices_are_added_in_place():
    x = ad.vector("x", shape=1000)
    cost = ad.sum((x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
    f = ad.function(x, ad.grad(cost, x))
    assert f.source.count("np.zeros(1000)") == 1 and "_part += " in f.source
    assert "embed" not in f.source
    assert ", out=v" in f.source and "[:-1])" in f.source  # the first one is computed there
    v = np.linspace(-1, 2, 1000)
    expected = ad.evaluate(ad.grad(cost, x), {x: v})
    np.testing.assert_allclose(f(v), expected, rtol=1e-12, atol=1e-12)


ALL = slice(None)
KEYS = [
    (slice(1, None),), (2,), (ALL, 1), (slice(None, None, -1),), (0, slice(1, 3)),
    (ALL, slice(None, -1)), (-1, -1), (slice(0, 0),), (ALL, slice(None, None, 2)),
]  # fmt: skip


@pytest.mark.each("seed", range(draws(60)))
def test_contributions_of_many_slices(seed):
    rng = np.random.default_rng(seed)
    dtype = ("float64", "float32")[seed % 4 == 0]
    x, y = (ad.matrix(name, dtype, shape=(4, 5)) for name in "xy")
    parts = [KEYS[k] for k in rng.integers(len(KEYS), size=4)]
    cost = ad.sum(ad.sin(x) * y) * (seed % 2)
    for k, key in enumerate(parts):
        part = (x, ad.exp(x), x * y)[k % 3][key]
        cost = cost + rng.normal() * ad.sum(part * part * (y[key] if k % 2 else 1))
    slopes = ad.grad(cost, [x, y], disconnected_inputs="ignore")
    f = ad.function([x, y], slopes)
    values = [np.asfortranarray(rng.normal(size=(4, 5)).astype(dtype)) for _ in "xy"]
    kept = [np.array(v) for v in values]
    expected = ad.evaluate(slopes, dict(zip([x, y], values)))
    first = f(*values)
    copies = [np.array(a) for a in first]
    f(*[v + 1 for v in values])
    close = 1e-12 if dtype == "float64" else 1e-4
    for a, b, c in zip(first, expected, copies, strict=True):
        np.testing.assert_allclose(a, b, rtol=close, atol=close)
        np.testing.assert_array_equal(a, c)
    for v, k in zip(values, kept, strict=True):
        np.testing.assert_array_equal(v, k)


@pytest.mark.each("dtype", some(["float32", "float64"], 2, turn=1))
@pytest.mark.each("wide", some([2, 3, 4, 5, 8, 16], 2))
def test_slopes_of_columns_with_either_sign(dtype, wide):
    """np.negative of NumPy 2.4 goes wrong from one column to another, in rows of some widths."""
    x = ad.matrix("x", dtype, shape=(5, wide))
    value = np.random.default_rng(0).normal(size=(5, wide)).astype(dtype)
    for y in (np.gradient(x, axis=1), np.diff(x), x[:, 0] - x[:, -1], x[:, :1] * x - x[:, -1:]):
        g = ad.grad(ad.sum(ad.sin(y)), x)
        found, expected = ad.function(x, g)(value), ad.evaluate(g, {x: value})
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_a_sum_of_products_is_a_dot():
    x, y = ad.vector("x", shape=1000), ad.vector("y", shape=1000)
    X = ad.matrix("X", shape=(20, 30))
    f = ad.function([x, y, X], [ad.sum(x * y), ad.sum(X * X), ad.sum(X**3, axis=0)])
    assert "x.dot(y)" in f.source and "np.vdot(X, X)" in f.source
    named = x * y
    named.name = "product"  # what has a name keeps its line
    assert "product = x * y" in ad.function([x, y], ad.sum(named)).source
    whole = ad.vector("n", dtype="int64", shape=1000)
    assert "dot" not in ad.function(whole, ad.sum(whole * whole)).source


@pytest.mark.each("keepdims", some([False, True], 2))
@pytest.mark.each("shape", some([(20, 30), (1, 2), (0, 5), (3, 4, 5), (2, 3, 1, 7)], 2))
def test_sums_of_products_in_rows_are_dots(shape, keepdims):
    x, y = ad.tensor("x", shape=shape), ad.tensor("y", shape=shape)
    rows = ad.sum(x * y, axis=-1, keepdims=keepdims)
    outputs = [rows, ad.exp(rows) + 1, ad.sum(x * x, axis=-1, keepdims=keepdims) * 2]
    f = ad.function([x, y], outputs)
    assert str(f.program).count("np.vecdot(") == 2
    draw = np.random.default_rng(0)
    values = [draw.normal(size=shape) for _ in range(2)]
    values[0].flat[:1] = np.inf
    found = f(*values)
    exact = np.sum(values[0] * values[1], axis=-1, keepdims=keepdims)
    with np.errstate(all="ignore"):
        squares = 2 * np.sum(values[0] ** 2, axis=-1, keepdims=keepdims)
        for one, two in zip(found, [exact, np.exp(exact) + 1, squares], strict=True):
            np.testing.assert_allclose(one, two, rtol=1e-12, atol=1e-14)
    space = {}
    exec(f.source, space)
    np.testing.assert_array_equal(space["program"](*values)[0], found[0])


def test_which_sums_are_no_dots_of_rows():
    X, v = ad.matrix("X", shape=(20, 30)), ad.vector("v", shape=30)
    single, long = X.astype("float32"), ad.matrix("long", shape=(2, 10_000))
    large, unknown = ad.matrix("large", shape=(1000, 100)), ad.matrix("unknown")
    products = [X * v, single * single, long * long, large * large, unknown * unknown, X.T * X.T]
    inputs = [X, v, long, large, unknown]
    for p in products:
        f = ad.function(inputs, ad.sum(p, axis=1), on_unused_input="ignore", simplify=None)
        assert "vecdot" not in f.source
    assert "vecdot" not in ad.function([X], ad.sum(X * X, axis=0)).source
    named = X * X
    named.name = "squares"
    assert "squares = " in str(ad.function(X, ad.sum(named, axis=1)).program)


def test_eight_threads_agree_with_one():
    x = ad.matrix("x", shape=(300, 300))
    cost = ad.sum(ad.tanh(x @ x) * ad.exp(-x))
    f = ad.function(x, [cost, ad.grad(cost, x)])
    draw = np.random.default_rng(0)
    values = [draw.normal(size=(300, 300)) for _ in range(8)]
    alone = [f(v) for v in values]
    found = [[] for _ in values]
    in_threads(lambda k: found[k].extend(f(values[k]) for _ in range(5)))
    for results, (value, slope) in zip(found, alone, strict=True):
        for a, b in results:
            np.testing.assert_allclose(a, value, rtol=1e-12)
            np.testing.assert_allclose(b, slope, rtol=1e-11, atol=1e-12)


def test_the_text_is_the_same_each_time():
    _, _, graph = with_gradients(3)
    assert Program(graph, graph.inputs).source == Program(graph, graph.inputs).source
