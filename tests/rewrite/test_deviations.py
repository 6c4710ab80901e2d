"""The sum of deviations from a mean is 0: variances, and what is normalised by them."""

from collections.abc import Callable

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, some

SHAPE = (3, 4)
Program = Callable[[ad.Expr, ad.Expr], ad.Expr]


def centred(x: ad.Expr, axis: int = 1) -> ad.Expr:
    return x - np.mean(x, axis=axis, keepdims=True)


def put_back(x: ad.Expr) -> ad.Expr:
    return x - np.mean(x, axis=1)[:, None]


def variance(x: ad.Expr, axis: int = 1) -> ad.Expr:
    return np.mean(centred(x, axis) ** 2, axis=axis, keepdims=True)


SIZES: dict[str, tuple[Program, int]] = {
    "variance": (lambda x, d: np.var(x), 3),
    "of rows": (lambda x, d: np.sum(np.var(x, axis=1)), 3),
    "of columns": (lambda x, d: np.sum(np.var(x, axis=0)), 3),
    "by hand": (lambda x, d: np.sum(centred(x) ** 2), 3),
    "axes put back": (lambda x, d: np.sum(put_back(x) ** 2), 3),
    "standard deviation": (lambda x, d: np.std(x), 5),
    # one more than without the law of products: d·x is not made of d·(x/s), as it may overflow
    "layer norm": (lambda x, d: np.sum(centred(x) / np.sqrt(variance(x) + 1e-5) * d), 18),
    "batch norm": (lambda x, d: np.sum(centred(x, 0) / np.sqrt(variance(x, 0) + 1e-5) * d), 18),
}


def inputs(known: bool) -> list[ad.Expr]:
    return [ad.matrix(name, shape=SHAPE if known else (None, None)) for name in "xd"]


def both(program: Program, known: bool) -> tuple[ad.Stage, list[Callable[..., list]]]:
    ins = inputs(known)
    before = ad.reverse_mode(program(*ins), ins[:1]).outputs
    stage = ad.simplify(before)
    outs = (before, stage.outputs)
    how = {"simplify": None, "on_unused_input": "ignore"}
    return stage, [ad.function(ins, out, **how) for out in outs]


@pytest.mark.each("name", SIZES)
def test_the_slope_through_the_mean_is_dropped(name: str) -> None:
    program, size = SIZES[name]
    stage, _ = both(program, known=True)
    assert len(stage.after.operations) <= size
    assert "sum of deviations" in {step.rule for step in stage.steps}


@pytest.mark.numeric
@pytest.mark.each("known", [True, False], ids=["known", "unknown"])
@pytest.mark.each("name", some(SIZES, 3))
def test_same_numbers(name: str, known: bool) -> None:
    _, (one, other) = both(SIZES[name][0], known)
    rng = np.random.default_rng(0)
    for scale in (1, 1e3, 1e-3):
        x, d = (scale * rng.normal(size=SHAPE) for _ in "xd")
        (left,), (right,) = one(x, d), other(x, d)
        np.testing.assert_allclose(right, left, rtol=1e-7, atol=1e-12 * np.abs(left).max())
    x.flat[1] = np.nan
    (left,), (right,) = one(x, d), other(x, d)
    assert np.array_equal(np.isnan(left), np.isnan(right))


def total(x: ad.Expr) -> ad.Expr:
    return np.sum(x, axis=1, keepdims=True)


UNLIKE: dict[str, Callable[[ad.Expr, ad.Expr], ad.Expr]] = {
    "it does not stand beside": lambda x, d: d + total(centred(x)),
    "a weight that varies": lambda x, d: d * centred(x) - total(d * centred(x)),
    "other axes": lambda x, d: centred(x, 0) - total(centred(x, 0)),
    "another array": lambda x, d: (
        (x - np.mean(d, axis=1, keepdims=True)) * 1.0 - total(x - np.mean(d, axis=1, keepdims=True))
    ),
    "squares": lambda x, d: centred(x) ** 2 - total(centred(x) ** 2),
    "nan where d is 0": lambda x, d: centred(x) - total(centred(x)) / total(d),
    "nan where d is inf": lambda x, d: centred(x) - d[0, 0] * total(centred(x)),
}


@pytest.mark.each("name", UNLIKE)
def test_what_only_looks_alike_is_kept(name: str) -> None:
    stage = ad.simplify(UNLIKE[name](*inputs(known=True)))
    assert "sum of deviations" not in {step.rule for step in stage.steps}


@pytest.mark.numeric
@pytest.mark.each("dtype", some(["float64", "float32", "int64", "uint8", "bool"], 2))
@pytest.mark.each("ndim", some([0, 1, 2], 2))
def test_what_is_left_keeps_its_place_and_is_computed_in_the_dtype_of_the_sum(ndim, dtype):
    """A number, a row's numbers or a column beside Σ v, of any dtype, under new axes or not."""
    x, t = inputs(known=True)[0], ad.tensor("t", dtype=dtype, shape=(SHAPE[0], 1)[:ndim])
    v = centred(x)
    bare, kept = np.sum(v, axis=1), np.sum(v, axis=1, keepdims=True)
    sums = [(bare + t)[:, None]] if ndim < 2 else []
    sums += [kept + t] if ndim != 1 else []
    rng = np.random.default_rng(0)
    values = {x: rng.normal(size=SHAPE), t: rng.integers(2, 200, t.type.shape).astype(dtype)}
    for s in sums:
        for before in (v - s / 3, v + -s, v - -0.1 * s):
            after = ad.simplify(before).output
            left, right = ad.evaluate(before, values), ad.evaluate(after, values)
            assert left.shape == right.shape and left.dtype == right.dtype
            np.testing.assert_allclose(right, left, rtol=1e-12)


@pytest.mark.numeric
@pytest.mark.each("seed", range(draws(60)))
def test_random_sums_beside_deviations(seed: int) -> None:
    """Weights, axes, scales and other terms at random: what is dropped was 0, nothing else is."""
    rng = np.random.default_rng(seed)
    x, d = inputs(known=bool(seed % 2))
    axis = int(rng.integers(2))

    def over(y: ad.Expr) -> ad.Expr:
        return np.sum(y, axis=axis, keepdims=True)

    weight = [1.0, 0.5, over(d), 1 / (1 + over(d * d)), d, np.sin(over(x))][rng.integers(6)]
    v = weight * (centred(x, axis) if rng.integers(3) else centred(x, 1 - axis))
    inner = [over(v), over(v) + over(d), over(d) - over(v), np.mean(v, axis=axis, keepdims=True)]
    below = [1.0, 4.0, 1 + d[0, 0] ** 2, over(d), d[0, 0]][rng.integers(5)]
    w = inner[rng.integers(4)] * [1.0, -0.25, 3.0][rng.integers(3)] / below
    before = [v - w, w + v + d, d - (v + w)][rng.integers(3)]
    outs = (before, ad.simplify(before).output)
    one, other = (ad.function([x, d], out, simplify=None, on_unused_input="ignore") for out in outs)
    for size in (1, 1, 1, 0):  # of what is divided by, too
        values = [rng.normal(size=SHAPE), size * rng.normal(size=SHAPE)]
        np.testing.assert_allclose(other(*values), one(*values), rtol=1e-9, atol=1e-12)
