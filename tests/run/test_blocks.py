"""Regions: rooms for blocks, sine and cosine together, at the bounds of blocks and far out."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run.fast import regions
from autodiff_edu.run.fast.sin_cos import LARGEST, sin_cos
from tests.helpers.depth import draws, some
from tests.run.test_parallel import in_threads


def units(found, exact):
    """How many units in the last place a result is off."""
    return np.abs(found - exact) / np.spacing(np.abs(exact).astype("float64"))


def both(x):
    return sin_cos(x, *np.empty((5, *x.shape)))


@pytest.mark.numeric
@pytest.mark.parametrize("width", some([1e-8, 1.0, 10.0, 100.0, LARGEST], 3))
def test_sine_and_cosine_are_right_to_two_units(width):
    draw = np.random.default_rng(0)
    quarter = np.arange(-19000, 19000) * (np.pi / 2)
    x = np.concatenate([draw.uniform(-width, width, 50_000), quarter[np.abs(quarter) < width]])
    wide = x.astype(np.longdouble)  # of more digits, on most machines
    sine, cosine = both(x)
    for found, exact in ((sine, np.sin(wide)), (cosine, np.cos(wide))):
        assert units(found, exact).max() <= (2 if np.finfo(wide.dtype).nmant > 60 else 3)


def test_what_is_far_out_is_left_to_numpy():
    for x in ([1e6, 0.5], [np.inf, 1.0], [-np.inf], [np.nan, 2.0], [-LARGEST], []):
        x = np.array(x)
        with np.errstate(all="ignore"):
            for found, exact in zip(both(x), (np.sin(x), np.cos(x)), strict=True):
                np.testing.assert_array_equal(found, exact)
    tiny = np.array([5e-324, -5e-324, 1e-300, 0.0])
    np.testing.assert_array_equal(both(tiny), [tiny, np.ones(4)])


@pytest.fixture(params=[3, 5, 16])
def small_blocks(monkeypatch, request):
    monkeypatch.setattr(regions, "BLOCK", request.param)
    monkeypatch.setattr(regions, "LARGE", 8)


FORMULAS = [
    lambda x, y: [ad.sin(x) * ad.cos(x) + y],
    lambda x, y: [ad.sin(x), ad.cos(x), ad.sin(x) * ad.cos(x)],
    lambda x, y: [ad.sum(ad.cos(x) * ad.exp(y)), ad.sum(ad.sin(x) ** 2), ad.tanh(ad.sin(x))],
    lambda x, y: [ad.sin(x + y) / (2 + ad.cos(x + y)), ad.sin(x) + ad.cos(y), x > y],
    lambda x, y: [ad.where(x > y, ad.sin(x), ad.cos(x)), ad.maximum(x, 0.3) * (ad.abs(y) <= 0.5)],
    lambda x, y: [ad.softplus(x) * ad.sigmoid(x) - y, ad.sum(ad.exp(x) / (1 + ad.exp(y)))],
    lambda x, y: [ad.mean(ad.sin(ad.cos(x) * y)), ad.sin(ad.cos(x))],
]
LAYOUTS = [
    np.ascontiguousarray, np.asfortranarray, lambda a: np.repeat(a, 2, axis=0)[::2],
    lambda a: a[::-1].copy()[::-1], lambda a: np.broadcast_to(a[:1], a.shape),
]  # fmt: skip


@pytest.mark.each("seed", range(draws(70)))
def test_blocks_give_what_whole_arrays_give(small_blocks, seed):
    rng = np.random.default_rng(seed)
    shape = [(8,), (17,), (15,), (4, 3), (9, 2), (5, 1, 4)][seed % 6]
    dtype = ("float64", "float64", "float32", "int64")[seed % 4]
    x, y = (ad.tensor(name, dtype, shape=shape) for name in "xy")
    outputs = FORMULAS[seed % len(FORMULAS)](x, y)
    if dtype != "int64":
        cost = sum(ad.sum(o * 1.0) for o in outputs if o.dtype.kind == "f")
        outputs += ad.grad(cost, [x, y], disconnected_inputs="ignore")
    layout = LAYOUTS[seed % len(LAYOUTS)]
    values = [layout((rng.normal(size=shape) * 3).astype(dtype)) for _ in "xy"]
    kept = [np.array(v) for v in values]
    f = ad.function([x, y], outputs, on_unused_input="ignore")
    given = dict(zip([x, y], values))
    expected = [ad.evaluate(o, given) for o in outputs]
    found = f(*values)
    copies = [np.array(a) for a in found]
    f(*[v + 1 for v in kept])
    rtol = 1e-4 if dtype == "float32" else 1e-12
    for a, b, c in zip(found, expected, copies, strict=True):
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol)
        np.testing.assert_array_equal(a, c)  # results of one call survive the next
        assert np.asarray(a).dtype == np.asarray(b).dtype
    for v, k in zip(values, kept, strict=True):
        np.testing.assert_array_equal(v, k)


@pytest.mark.each("n", some([0, 1, 65_535, 65_536, 65_537, 4 * 16_384 + 1, 100_000], 3))
def test_lengths_at_the_bounds_of_blocks(n):
    x = ad.vector("x", shape=n)
    f = ad.function(x, [ad.sum(ad.sin(x) * ad.exp(-x)), ad.cos(x) * ad.sin(x)])
    v = np.linspace(-20, 20, n)
    total, product = f(v)
    np.testing.assert_allclose(total, np.sum(np.sin(v) * np.exp(-v)), rtol=1e-9)
    np.testing.assert_allclose(product, np.cos(v) * np.sin(v), rtol=1e-12, atol=1e-15)


def test_rooms_are_made_once_a_call_and_are_nobody_elses():
    x = ad.vector("x", shape=200_000)
    cost = ad.sum(ad.tanh(ad.sin(x) * ad.cos(x) + ad.exp(-x * x)))
    f = ad.function(x, [cost, ad.grad(cost, x)])
    assert "rooms = np.empty((" in f.source and "sin_cos(x_k, " in f.source
    inside = f.source.split("for k in range")[1].split("return")[0]
    assert "np.empty" not in inside
    values = [np.linspace(-k, k + 1, 200_000) for k in range(8)]
    alone = [f(v) for v in values]

    def again(k):
        for _ in range(3):
            for a, b in zip(f(values[k]), alone[k], strict=True):
                np.testing.assert_array_equal(a, b)

    in_threads(again)
