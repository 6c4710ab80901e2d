"""Softmax as everybody writes it, with the largest entry subtracted: nothing of that is left in the
slope, whatever the form, the lengths and the rest of the program."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.rewrite.rules.rare import shifts
from tests.helpers.depth import draws, some

SHAPE = (3, 4)
Program = Callable[..., ad.Expr]


def kept(x: ad.Expr) -> ad.Expr:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def put_back(x: ad.Expr) -> ad.Expr:
    e = np.exp(x - np.max(x, axis=1)[:, None])
    return e / np.sum(e, axis=1)[:, None]


def reciprocal(x: ad.Expr) -> ad.Expr:
    e = np.exp(x - np.max(x, axis=1)[:, None])
    return e * (1 / np.sum(e, axis=1)[:, None])


def leading(x: ad.Expr) -> ad.Expr:
    e = np.exp(x - np.max(x, axis=0))
    return e / np.sum(e, axis=0)


def leading_put_back(x: ad.Expr) -> ad.Expr:
    e = np.exp(x - np.max(x, axis=0))
    return e / ad.expand_dims(np.sum(e, axis=0), axis=0)


def of_all(x: ad.Expr) -> ad.Expr:
    e = np.exp(x - np.max(x))
    return e / np.sum(e)


def naive(x: ad.Expr) -> ad.Expr:
    return np.exp(x) / np.sum(np.exp(x), axis=1, keepdims=True)


def total(x: ad.Expr) -> ad.Expr:
    m = np.max(x, axis=1)
    return m + np.log(np.sum(np.exp(x - m[:, None]), axis=1))


def logarithm(x: ad.Expr) -> ad.Expr:
    x = x - np.max(x, axis=1, keepdims=True)
    return x - np.log(np.sum(np.exp(x), axis=1, keepdims=True))


ROWS, PLACES = np.arange(3), [0, 1, 2]
SIZES: dict[str, tuple[Program, int]] = {
    "axes kept": (lambda x, d: np.sum(kept(x) * d), 5),
    "axes put back": (lambda x, d: np.sum(put_back(x) * d), 5),
    "reciprocal of the total": (lambda x, d: np.sum(reciprocal(x) * d), 5),
    "leading axes": (lambda x, d: np.sum(leading(x) * d), 5),
    "sine of leading axes": (lambda x, d: np.sum(np.sin(leading_put_back(x)) * d), 7),
    "all axes": (lambda x, d: np.sum(of_all(x) * d), 5),
    "nothing subtracted": (lambda x, d: np.sum(naive(x) * d), 5),
    "temperature": (lambda x, d: np.sum(kept(x / 3) * d), 7),
    "squared error": (lambda x, d: np.sum((kept(x) - d) ** 2), 8),
    "softmax of softmax": (lambda x, d: np.sum(kept(kept(x)) * d), 10),
    "logsumexp": (lambda x, d: np.sum(total(x)), 1),
    "cross entropy": (lambda x, d: -np.sum(logarithm(x) * d), 4),
    "cross entropy of probabilities": (lambda x, d: -np.sum(np.log(kept(x)) * d), 4),
    "cross entropy, nothing subtracted": (lambda x, d: -np.sum(d * np.log(naive(x))), 4),
    "of classes": (lambda x, d: -np.mean(logarithm(x)[ROWS, PLACES]), 3),
    "of probabilities": (lambda x, d: -np.mean(np.log(kept(x)[ROWS, PLACES])), 3),
    "beside other terms": (lambda x, d: np.sum(kept(x) * d) + np.sum(np.sin(x)) + np.sum(x * x), 9),
}


def inputs(known: bool, dtype: str = "float64") -> list[ad.Expr]:
    shape = SHAPE if known else (None, None)
    return [ad.matrix(name, dtype=dtype, shape=shape) for name in "xd"]


def slope(program: Program, x: ad.Expr, d: ad.Expr) -> list[ad.Expr]:
    return list(ad.reverse_mode(program(x, d), [x]).outputs)


def compiled(ins: list[ad.Expr], outputs: Any) -> Callable[..., Any]:
    return ad.function(ins, outputs, simplify=None, on_unused_input="ignore")


@pytest.mark.each("name", some(SIZES, 3))
def test_nothing_of_the_shift_is_left(name: str) -> None:
    program, size = SIZES[name]
    after = ad.simplify(slope(program, *inputs(known=True))).after
    assert len(after.operations) == size
    assert not {"max", "equal", "where"} & {n.op.name for n in after.operations}


@pytest.mark.each("name", some(SIZES, 6))
def test_nothing_is_left_where_lengths_are_not_known(name: str) -> None:
    after = ad.simplify(slope(SIZES[name][0], *inputs(known=False))).after
    assert not {"max", "equal", "where"} & {n.op.name for n in after.operations}


@pytest.mark.each("known", [True, False], ids=["known", "unknown"])
@pytest.mark.each("name", some(SIZES, 12, turn=1))
def test_where_more_is_allowed_no_more_is_left(name: str, known: bool) -> None:
    before = slope(SIZES[name][0], *inputs(known))
    sizes = [len(ad.simplify(before, mode=m).after.operations) for m in ("ieee", "safe", "real")]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.numeric
@pytest.mark.each("known", [True, False], ids=["known", "unknown"])
@pytest.mark.each("dtype", some(["float64", "float32"], 2, turn=1))
@pytest.mark.each("name", some(SIZES, 12, turn=2))
def test_same_numbers(name: str, dtype: str, known: bool) -> None:
    ins = inputs(known, dtype)
    before = slope(SIZES[name][0], *ins)
    one, other = compiled(ins, before), compiled(ins, ad.simplify(before).outputs)
    rng = np.random.default_rng(0)
    for scale, odd in [(1, 1), (30, 1), (1, -np.inf), (1, np.inf), (1, np.nan)]:
        x, d = (scale * rng.normal(size=SHAPE).astype(dtype) for _ in ins)
        x.flat[1] *= abs(odd) if np.isfinite(odd) else 0
        x.flat[1] += 0 if np.isfinite(odd) else odd
        with np.errstate(all="ignore"):
            (left,), (right,) = one(x, d), other(x, d)
        fine = np.isfinite(left)
        bound = 100 * scale**2 * np.finfo(dtype).eps
        np.testing.assert_allclose(right[fine], left[fine], rtol=bound, atol=bound)
        if np.isnan(odd):
            assert np.array_equal(np.isnan(left), np.isnan(right))
    x, d = (rng.normal(size=SHAPE).astype(dtype) for _ in ins)
    d.flat[1] = np.nan
    (left,), (right,) = one(x, d), other(x, d)
    assert np.array_equal(np.isnan(left), np.isnan(right))


def largest(x: ad.Expr, share: ad.Expr, axis: int = 1) -> ad.Expr:
    """What reverse mode sends to the largest entries."""
    those = x == np.max(x, axis=axis, keepdims=True)
    n = np.sum(those.astype(x.dtype), axis=axis, keepdims=True)
    return ad.where(those, share / n, 0 / n)


def summed(x: ad.Expr, axis: int = 1) -> ad.Expr:
    return np.sum(x, axis=axis, keepdims=True)


UNLIKE: dict[str, Callable[[ad.Expr, ad.Expr, ad.Expr], ad.Expr]] = {
    "the sum is not 0": lambda x, d, p: d * p + largest(x, summed(d * p)),
    "another factor": lambda x, d, p: p + largest(x, 2 - summed(p)),
    "other axes": lambda x, d, p: p + largest(x, 1 - summed(p, 0), 0),
    "another array": lambda x, d, p: p + largest(d, 1 - summed(p)),
    "no softmax beside": lambda x, d, p: d + largest(x, 1 - summed(p)),
    "nan elsewhere": lambda x, d, p: p + largest(x, summed(d) - summed(d) * summed(p)),
    "squares": lambda x, d, p: p + largest(x, 1 - summed(p * p)),
    "a weight that varies": lambda x, d, p: p + largest(x, summed(d) - summed(d * p)),
    "nan where d is 0": lambda x, d, p: p + largest(x, (1 - summed(p)) / summed(d)),
}


@pytest.mark.each("name", UNLIKE)
def test_what_only_looks_alike_is_kept(name: str) -> None:
    x, d = inputs(known=True)
    steps = ad.simplify(UNLIKE[name](x, d, ad.softmax(x))).steps
    assert "slope to a shift" not in {step.rule for step in steps}


@pytest.mark.numeric
@pytest.mark.each("seed", range(draws(60)))
def test_random_sums_with_a_slope_to_a_shift(seed: int) -> None:
    """Terms, weights and axes at random: what is dropped was 0, and nothing else is."""
    rng = np.random.default_rng(seed)
    x, d = inputs(known=bool(seed % 2))
    axis = int(rng.integers(2))
    p = ad.softmax(x, axis=axis)
    weights = [1.0, d, summed(d, axis), np.sin(d), summed(p * d, axis), 0.5 * summed(x, axis)]
    g = weights[rng.integers(len(weights))] * (p if rng.integers(2) else p * np.cos(d))
    scale = [1.0, summed(d, axis)][rng.integers(2)]
    y = scale * (g - summed(g, axis) * p) if rng.integers(3) else g
    below = [1.0, 2.0, summed(d, axis), 1 + d[0, 0] ** 2, d[0, 0]][rng.integers(5)]
    share = largest(x, -summed(y, axis) / below, axis)
    before = [y + share, share - y][rng.integers(2)]
    one, other = compiled([x, d], before), compiled([x, d], ad.simplify(before).output)
    for size in (1, 1, 1, 0):  # of what is divided by, too
        values = [rng.normal(size=SHAPE), size * rng.normal(size=SHAPE)]
        np.testing.assert_allclose(other(*values), one(*values), rtol=1e-9, atol=1e-12)


def of_one_array(x: ad.Expr, d: ad.Expr, n: int) -> ad.Expr:
    return sum((np.sum(kept(x) * np.sin(d * k)) for k in range(1, n)), np.sum(x))


def layers(x: ad.Expr, d: ad.Expr, n: int) -> ad.Expr:
    for _ in range(n):
        x = kept(x * d)
    return np.sum(x * d)


@pytest.mark.parametrize("program, mode", [
    (program, mode)
    for k, program in some(enumerate([of_one_array, layers]), 2)
    for mode in some(["safe", "real"], 2, turn=k)
])  # fmt: skip
def test_terms_are_read_a_few_times(
    program: Any, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice as many softmaxes, twice as many terms: no sum is read anew for each of them."""
    read: list[ad.Expr] = []

    def counted(m: ad.Expr, *rest: Any) -> Any:
        read.append(m)
        return term(m, *rest)

    term = shifts.term
    monkeypatch.setattr(shifts, "term", counted)
    lengths = []
    for n in (10, 20):
        read.clear()
        x, d = inputs(known=True)
        ad.simplify(slope(lambda x, d, n=n: program(x, d, n), x, d), mode=mode)
        lengths.append(len(read))
    assert 0 < lengths[1] < 2.5 * lengths[0] < 1000


def test_gradient_of_a_softmax_does_not_overflow() -> None:
    x, d = inputs(known=True)
    after = ad.simplify(slope(SIZES["nothing subtracted"][0], x, d))
    gradient = compiled([x, d], after.output)
    large, weights = np.array([[1000.0, 999, 0, -1000]] * 3), np.arange(12.0).reshape(3, 4)
    p = np.array([np.e / (1 + np.e), 1 / (1 + np.e), 0, 0])
    wanted = p * (weights - np.sum(p * weights, axis=1, keepdims=True))
    np.testing.assert_allclose(gradient(large, weights), wanted, rtol=1e-12, atol=1e-15)
