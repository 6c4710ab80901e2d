"""Every universal function of NumPy and SciPy: the same numbers and dtypes, or an error."""

import numpy as np
import pytest
from scipy import special

import autodiff_edu as ad
from tests.helpers.depth import some

ROOMS = {"np": np, "special": special}
NAMES = [
    f"{room}.{name}"
    for room, module in ROOMS.items()
    for name in sorted(dir(module))
    if isinstance(getattr(module, name), np.ufunc)
]
WIDER = {"np.conj", "np.conjugate", "np.fabs", "np.modf"}  # of short integers
DTYPES = ["float64", "float32", "int64", "uint8", "bool"]


def drawn(draw, dtype):
    values = draw.uniform(0.1, 3, 3)
    return values > 1 if dtype == "bool" else values.astype(dtype)


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


@pytest.mark.numeric
@pytest.mark.each("name, dtype", [
    (name, dtype) for k, name in some(enumerate(NAMES), 3) for dtype in some(DTYPES, 4, turn=k)
])  # fmt: skip
def test_it_computes_the_same_or_says_that_it_does_not(name, dtype):
    room, short = name.split(".")
    function, draw = getattr(ROOMS[room], short), np.random.default_rng(len(name))
    values = [drawn(draw, dtype) for _ in range(function.nin)]
    inputs = [ad.vector(f"x{i}", dtype=dtype, shape=3) for i in range(function.nin)]
    try:
        found = function(*inputs)
        with np.errstate(all="ignore"):
            wanted = function(*values)
    except (TypeError, ValueError) as error:
        assert " at 0x" not in str(error)
        return
    nodes, wanted = as_tuple(found), as_tuple(wanted)
    for k, (node, value) in enumerate(zip(nodes, wanted, strict=True)):
        got = ad.evaluate(node, dict(zip(inputs, values, strict=True)))
        single = room == "special" and value.dtype == "float32"  # of newer SciPy; ours is double
        may_be_wider = name in WIDER or (single and got.dtype == "float64")
        assert got.dtype == value.dtype or (may_be_wider and dtype in ("uint8", "bool"))
        if single and got.dtype == "float64":
            value = as_tuple(function(*[v.astype("float64") for v in values]))[k]
        np.testing.assert_allclose(got, value, rtol=1e-5)
