"""Derivatives by floats of different lengths are as exact as the longer ones."""

from itertools import product

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.ops import OPS
from tests.helpers.depth import some

FLOATS = ["float16", "float32", "float64"]
OF_SEVERAL = [
    op for op in OPS.values()
    if op.elementwise and op.is_ours and op.arity in (2, 3) and not op.nondifferentiable
    and op(*[1.0] * op.arity).type.is_float
]  # fmt: skip


def slopes(op, dtypes, values, along):
    """The value, and its derivatives by reverse and forward mode, of operands of these dtypes."""
    xs = [
        ad.vector(f"x{k}", dtype, shape=len(v)) for k, (dtype, v) in enumerate(zip(dtypes, values))
    ]
    y = op(*xs)
    ones = ad.constant(np.ones(len(values[0]), y.dtype))
    pulled = ad.reverse_mode(y, xs, ones).outputs
    tangents = [ad.constant(v.astype(x.dtype)) for x, v in zip(xs, along)]
    pushed = ad.forward_mode(y, xs, tangents).output
    at = {x: v.astype(x.dtype) for x, v in zip(xs, values)}
    return ad.evaluate(ad.Graph([*pulled, pushed]), at)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.each("size, op", [
    (size, op) for k, op in enumerate(OF_SEVERAL) for size in some([1, 300], 2, turn=k)
], ids=lambda case: getattr(case, "name", case))  # fmt: skip
def test_a_slope_is_as_exact_as_the_longest_operand(op, size):
    rng = np.random.default_rng(0)
    values = [size * rng.uniform(0.3, 2, 5).astype("float16") for _ in range(op.arity)]
    along = [rng.normal(size=5).astype("float16") for _ in values]
    longest = slopes(op, ["float64"] * op.arity, values, along)
    for dtypes in product(FLOATS, repeat=op.arity):
        for found, wanted in zip(slopes(op, dtypes, values, along), longest, strict=True):
            precision = max(np.finfo(t).eps for t in (found.dtype, max(dtypes)))
            small = np.abs(wanted) < np.finfo(found.dtype).max / 2
            tolerance = 30 * precision * max(1, np.max(np.abs(wanted[small]), initial=0))
            np.testing.assert_allclose(found[small], wanted[small], 30 * precision, tolerance)
