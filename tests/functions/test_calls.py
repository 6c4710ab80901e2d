"""How often a function is traced, and why: counted, told once, and settled by a promise.

Protects users from a loop that is a thousand times slower than it need be, without a word.
"""

import io
import itertools
import math
import random
import sys
import time
import types
import warnings

import numpy as np
import pytest
from scipy import special

import autodiff_edu as ad
from autodiff_edu.expr import Disconnected, Null
from autodiff_edu.functions.unsure import TracedAnew
from tests.helpers.depth import some

generator, legacy, python = np.random.default_rng(1), np.random.RandomState(1), random.Random(1)
numbers, rows = itertools.count(1), []
file = io.StringIO("1.0 2.0")
computed = types.ModuleType("computed")
computed.__getattr__ = lambda name: 2.0


def growing(x):
    rows.append(1.0)
    return x * len(rows)


TOLD = {  # what the user wrote, the name that is told, and a word of the remedy
    "generator": (lambda x: x * generator.normal(), "generator", "ad.RandomStream"),
    "legacy": (lambda x: x * legacy.rand(), "legacy", "ad.RandomStream"),
    "python": (lambda x: x * python.random(), "python", "ad.RandomStream"),
    "module": (lambda x: x * np.random.rand(), "np.random.rand", "ad.RandomStream"),
    "file": (lambda x: x * len(file.read()), "file", "hand over its contents"),
    "iterator": (lambda x: x * next(numbers), "numbers", "make a list of it"),
    "clock": (lambda x: x * time.time(), "time.time", "ad.pure"),
    "computed attributes": (lambda x: x * computed.scale, "computed.scale", "ad.pure"),
    "state": (growing, "rows", "Return the new value"),
}


@pytest.mark.parametrize("name", some(TOLD, 3))
def test_what_is_traced_anew_is_told_once(name):
    f, reads, remedy = TOLD[name]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(2):
            slope = ad.grad(f)
            for _ in range(3):
                slope(1.0)
    (warning,) = [w for w in told if w.category is TracedAnew]
    text = str(warning.message)
    assert reads in text and remedy in text and "traced anew at each call" in text
    assert "/" not in warning.filename
    assert (slope.calls.count, slope.calls.traced) == (3, 3)


def test_where_a_call_is_refused_the_error_speaks_alone():
    slope = ad.grad(lambda x: x * time.time() + math.exp(x))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(TypeError, match="np.exp"):
            slope(1.0)
    assert (slope.calls.count, slope.calls.traced) == (1, 0)


def test_what_is_compared_and_what_changed_are_told():
    held = types.SimpleNamespace(scale=2.0)
    data = np.arange(3.0)
    slope = ad.grad(lambda x: held.scale * np.sum(data * x))
    for _ in range(3):
        slope(np.ones(3))
    held.scale = 3.0
    slope(np.ones(3))
    data[0] = 1.0
    slope(np.ones(3))
    slope(np.ones(3, "float32"))
    assert repr(slope.calls) == (
        "6 calls, traced 4 times: for x: float64(3,); held changed; data changed; "
        "for x: float32(3,)\ncompared at each call: np.sum, held, data"
    )


def test_a_promise_is_kept_without_a_look():
    draws = []

    def f(x):
        draws.append(generator.normal())
        return x * draws[-1]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        slope = ad.grad(ad.pure(f))
        assert len({slope(v) for v in (1.0, 2.0, 3.0)}) == 1 and len(draws) == 1
        assert ad.grad(ad.pure(f))(4.0) == slope(1.0) and len(draws) == 1
    assert ad.pure(f)(1.0) == draws[-1]  # it can be called as before


def test_a_promise_is_tested_where_that_is_asked():
    scale = [1.0]
    slope = ad.grad(ad.pure(lambda x: scale[0] * x, check=True))
    assert [slope(v) for v in (1.0, 2.0, 3.0)] == [1.0, 1.0, 1.0]
    scale[0] = 5.0
    with pytest.raises(
        ValueError, match=r"promised .* it gave first 1 \* x, now 5 \* x: leave out"
    ):
        for _ in range(8):
            slope(1.0)
    kept = ad.grad(ad.pure(lambda x: x**2 if x > 0 else -x, check=True))
    assert [kept(v) for v in (1.0, -1.0) * 10] == [2.0, -1.0] * 10


def test_a_promise_is_about_a_function():
    with pytest.raises(TypeError, match=r"ad.pure takes a function, such as ad.pure\(f\)"):
        ad.pure(2.0)
    assert str(ad.pure(growing)) == "pure(growing)"


def test_all_calls_count():
    slope = ad.grad(lambda x: np.sum(x * x))
    for length in [1, 2, 1, 2, 1]:
        slope(np.ones(length))
    slope([np.ones(2)][0])
    assert (slope.calls.count, slope.calls.traced) == (6, 2)


def test_a_promise_is_about_one_function():
    """Another function of the same code, or a method of another object, has its own."""

    class Model:
        def __init__(self, scale):
            self.scale = scale

        def loss(self, x):
            return self.scale * x

    for scale in (2.0, 3.0):
        assert ad.grad(ad.pure(lambda x, scale=scale: scale * x))(1.0) == scale
        assert ad.grad(ad.pure(Model(scale).loss))(1.0) == scale
    model = Model(4.0)
    assert [ad.grad(ad.pure(model.loss))(1.0) for _ in range(3)] == [4.0] * 3


def test_keys_that_are_functions_are_looked_into():
    scale = [2.0]
    slope = ad.grad(lambda table: sum(key(v) for key, v in table.items()))
    key = lambda v: scale[0] * v
    for value in (2.0, 3.0):
        scale[0] = value
        assert list(slope({key: 1.0}).values()) == [value]


def test_what_is_nested_deep_is_traced_anew():
    node = None
    for _ in range(400):
        node = types.SimpleNamespace(value=1.0, below=node)

    def loss(x):
        total, n = 0 * x, node
        while n is not None:
            total, n = total + n.value * x, n.below
        return total

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)  # Python's own; another test may have asked for more
    try:
        with pytest.warns(TracedAnew, match="nested too deep"):
            assert ad.grad(loss)(1.0) == 400.0
    finally:
        sys.setrecursionlimit(limit)


def test_two_states_in_turn_are_traced_once_each():
    one, other = types.SimpleNamespace(scale=2.0), types.SimpleNamespace(scale=3.0)
    slope = ad.grad(lambda x, held: held.scale * x)
    assert [slope(1.0, held) for held in (one, other) * 5] == [2.0, 3.0] * 5
    assert slope.calls.traced == 2


def test_a_derivative_without_numbers_is_handed_on_in_its_place():
    """What `null_gradients` and `return_disconnected` ask for is no number, in any tree."""
    x = np.array([1.0, 2.0])
    returned = ad.grad(lambda v: np.sum(special.gammainc(v, 2.0)), null_gradients="return")
    for _ in range(3):
        assert type(returned(x)) is Null
    both = ad.grad(
        lambda p: np.sum(p["a"] ** 2),
        disconnected_inputs="ignore", return_disconnected="disconnected",
    )  # fmt: skip
    for _ in range(3):
        slopes = both({"a": x, "b": [x, 1.0]})
        np.testing.assert_array_equal(slopes["a"], 2 * x)
        assert [type(s) for s in slopes["b"]] == [Disconnected, Disconnected]
