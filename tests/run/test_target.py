"""A new target of programs is one class; an operation states only what differs there."""

from collections import Counter
from importlib.util import find_spec

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run.source.numpy_arrays import Arrays
from autodiff_edu.run.source.target import TARGETS, target


class Counting:
    """NumPy, with every call counted."""

    array, ndarray = np.array, np.ndarray

    def __init__(self):
        self.calls = Counter()

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def counted(*args, **options):
            self.calls[name] += 1
            return getattr(np, name)(*args, **options)

        return counted


@pytest.fixture
def library():
    counting = Counting()

    @target("counting")
    class Counted(Arrays):
        namespace, library, target = "counting", counting, "counting"
        in_place, around = False, ()

    yield counting
    del TARGETS["counting"]


def test_a_target_is_one_class(library):
    x, W = ad.vector("x", shape=3), ad.matrix("W", shape=(3, 3))
    y = ad.sum(ad.sin(W @ x) * ad.exp(x))
    given = [np.arange(3.0), np.eye(3)]
    outputs = [y, ad.grad(y, x)]
    f = ad.function([x, W], outputs, target="counting")
    for ours, theirs in zip(f(*given), ad.function([x, W], outputs)(*given), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    text = f.source
    assert "counting.sin(" in text and "np." not in text and "out=" not in text
    assert library.calls["sin"] == library.calls["cos"] == library.calls["sum"] == 1


@pytest.mark.each(
    ("word", "source", "error", "says"),
    [
        (3, Arrays, TypeError, "a target has a word: write @target.* above class .*, not 3"),
        (Arrays, Arrays, TypeError, "a target has a word: .*, not .* Arrays"),
        ("mine", 3, TypeError, "'mine' is a class that inherits from .* above class .*, not 3"),
        ("mine", lambda: 3, TypeError, "'mine' is a class that inherits from"),
        ("mine", Counting, TypeError, "'mine' is a class that inherits from"),
        ("numpy", type("Mine", (Arrays,), {}), ValueError, "'numpy' is one of ours: choose"),
        ("jax", type("Mine", (Arrays,), {}), ValueError, "'jax' is one of ours: choose another"),
    ],
)
def test_what_is_no_target_is_told(word, source, error, says):
    before = dict(TARGETS)
    with pytest.raises(error, match=says):
        target(word)(source)
    assert before.items() <= TARGETS.items() and "mine" not in TARGETS


def test_an_operation_says_what_differs(library):
    def of_target(x):
        return x + 1

    @ad.op(linear=True, targets={"counting": of_target})
    def same(x):
        return np.array(x)

    x = ad.vector("x", shape=2)
    assert list(ad.function(x, same(x))(np.zeros(2))) == [0, 0]
    assert list(ad.function(x, same(x), target="counting")(np.zeros(2))) == [1, 1]


def test_loops_and_boxes_are_written_for_the_target_too(library):
    x = ad.vector("x", shape=2)
    states = ad.scan(lambda s: ad.sin(s) * 2, outputs_info=x, n_steps=3)
    f = ad.function(x, states[-1], target="counting")
    np.testing.assert_array_equal(f(np.ones(2)), ad.function(x, states[-1])(np.ones(2)))
    assert library.calls["sin"] == 3
    assert "counting.sin(" in ad.generate(states[-1], target="counting").after.source


def test_a_target_that_there_is_not():
    x = ad.scalar("x")
    with pytest.raises(ValueError, match="no target 'fortran': it may be .*numpy"):
        ad.function(x, x * x, target="fortran")


@pytest.mark.skipif(find_spec("jax") is not None, reason="JAX is installed")
def test_a_library_that_is_not_installed():
    x = ad.scalar("x")
    with pytest.raises(ModuleNotFoundError, match='pip install "autodiff-edu.jax."'):
        ad.function(x, x * x, target="jax")
