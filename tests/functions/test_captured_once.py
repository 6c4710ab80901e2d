"""Data that functions capture are kept once: counted by the bytes that Python and NumPy ask for."""

import gc
import random
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.expr import Bits, Constant, key_of
from tests.helpers.depth import some

ROWS, COLUMNS = 3000, 40
FORMULAS = {
    "least squares": lambda a, w: ((a @ w - 1) ** 2).sum(),
    "two uses": lambda a, w: ((a @ w) ** 2).sum() + np.sin(a @ w).mean(),
    "transposed": lambda a, w: (np.tanh(w @ a.T) ** 2).sum(),
    "logistic": lambda a, w: np.log(1 + np.exp(-(a @ w))).mean(),
    "Gram matrix": lambda a, w: w @ (a.T @ (a @ w)) + w @ w,
}


def attribute(f, held):
    return lambda w: f(held.a, w)


WAYS = {  # of capturing an array: a function of w, and what holds the array
    "closure": lambda f, a: lambda w: f(a, w),
    "default": lambda f, a: lambda w, a=a: f(a, w),
    "list": lambda f, a: lambda w, held=[a]: f(held[0], w),
    "attribute": lambda f, a: attribute(f, SimpleNamespace(a=a)),
    "inner function": lambda f, a: lambda w: (lambda v: f(a, v))(w),
    "expression": lambda f, a: lambda w, held=(a, a): f(held[0], w) + f(held[1], w),
}
RESULTS = {
    "gradient": ad.grad,
    "value and gradient": ad.value_and_grad,
    "curvature": lambda f: ad.grad(lambda w: (ad.grad(f)(w) ** 2).sum()),
    "compiled": lambda f: compiled(f),
}


def compiled(f):
    w = ad.vector("w", shape=COLUMNS)
    return ad.function([w], [f(w), ad.grad(f(w), w)])


def copies(work, size):
    """How many arrays of this size are kept by the result of *work*, and were there at most."""
    gc.collect(1)  # young objects alone: a worker holds all tests, among which old ones are many
    tracemalloc.start()
    try:
        result = work()
        gc.collect(1)
        now, most = tracemalloc.get_traced_memory()
        del result
        return now / size, most / size
    finally:
        tracemalloc.stop()


def data(draw, dtype="float64"):
    a = np.random.default_rng(draw.randrange(1000)).normal(size=(ROWS, COLUMNS)).astype(dtype)
    return np.asfortranarray(a) if draw.random() < 0.3 else a


@pytest.mark.parametrize("seed", some(range(8), 4))
def test_captured_data_are_kept_once(seed):
    draw = random.Random(seed)
    formula, way, result = map(draw.choice, map(sorted, (FORMULAS, WAYS, RESULTS)))
    a, w = data(draw), np.linspace(0, 0.1, COLUMNS)
    f = RESULTS[result](WAYS[way](FORMULAS[formula], a))
    label = f"{formula}, {way}, {result}"
    if result != "compiled":
        RESULTS[result](WAYS[way](FORMULAS[formula], a[:50].copy()))(w)  # what is loaded once

    def work():
        f(w)
        return f

    kept, most = copies(work, a.nbytes)
    scaled = result == "curvature"  # 2 * a, which the program computes once, in three steps
    assert kept < 1.3 + scaled and most < 1.6 + 3 * scaled, (label, kept, most)
    _, most = copies(work, a.nbytes)
    assert most < 0.3, (label, most)  # it is compared in place, an eighth for the answers


# ---- arrays as keys


def turned(draw, a):
    """The array, seen otherwise or in another order of memory."""
    change = draw.choice(
        (
            lambda x: x,
            lambda x: x.T,
            np.asfortranarray,
            lambda x: x[::-1],
            lambda x: x[..., ::2],
            lambda x: x.copy(),
            lambda x: np.broadcast_to(x[:1], x.shape),
        )
    )
    return change(a)


@pytest.mark.filterwarnings("ignore:invalid value")  # nan as an integer
def test_keys_are_equal_where_all_bits_are():
    """Random arrays of few values, in every order of memory; their bytes are the oracle."""
    draw, made = random.Random(1), []
    values = [0.0, -0.0, np.nan, 1.0, -1.0]
    for dtype in ("float64", "float32", "float16", "int8", "bool", "complex128", "U3", "f8,i1"):
        a = np.array([values[1]] * 120).astype(dtype).reshape(8, 15)
        for _ in range(12):
            if draw.random() < 0.5:
                a = a.copy()
                a[draw.randrange(2), draw.randrange(2)] = np.array(draw.choice(values)).astype(
                    dtype
                )
            made.append(turned(draw, a))
    for a in made:
        for b in made:
            same = (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())
            assert (Bits(a) == Bits(b)) == same, (a, b)
            assert not same or hash(Bits(a)) == hash(Bits(b)), (a, b)


def test_the_number_of_a_key_is_that_of_its_entries_in_any_order_of_memory():
    a = np.random.default_rng(3).normal(size=(90, 50, 20))
    for part in (a, a.T, a[:, ::2], a[::-1, 3:], a.swapaxes(0, 1), np.broadcast_to(a[0], a.shape)):
        assert hash(Bits(part)) == hash(Bits(np.ascontiguousarray(part)))


def test_no_large_array_becomes_bytes():
    """Nor is it copied for another constant, for its transpose, or for what folds to it."""
    a = np.random.default_rng(1).normal(size=(300, 40))
    first, second = ad.constant(a), ad.constant(a)
    assert first.value is second.value is not a
    assert ad.constant(first.value.T).value.base is first.value
    assert not any(isinstance(part, bytes) for part in first.key) and first.key == second.key
    assert isinstance(key_of(a), Bits) and isinstance(key_of(a[0, 0]), bytes)
    assert not np.shares_memory(ad.constant(first.value[::-1]).value, first.value)


def test_a_copy_counts_as_long_as_nothing_has_changed():
    """Random changes in place; what was written before stays as it was."""
    draw, a = random.Random(2), np.zeros((20, 30))
    written = []
    for _ in range(40):
        if draw.random() < 0.5:
            a[draw.randrange(20), draw.randrange(30)] = draw.choice((0.0, -0.0, np.nan, 1.0))
        written.append((ad.constant(a), a.tobytes()))
        assert written[-1][0].value.flags.writeable is False
    assert all(c.value.tobytes() == bytes for c, bytes in written)
    assert len({id(c.value) for c, _ in written}) < len(written)


def test_an_array_in_the_place_of_another_is_not_taken_for_it():
    """Python gives its identity anew once it is gone."""
    for k in range(200):
        assert Constant(np.full(100, float(k))).value[0] == k


@pytest.mark.parametrize("size", [3, 300])
def test_a_constant_has_the_dtype_that_it_is_given(size):
    for array in (np.arange(size), np.arange(size, dtype=">i8"), np.arange(size, dtype="f4")):
        for dtype in (None, "float64", "float32", "int64", np.dtype("float64")):
            wanted = np.dtype(dtype or array.dtype).newbyteorder("=")
            made = ad.constant(array, dtype)
            assert made.value.dtype == made.dtype == wanted and made.value.tolist() == list(array)
