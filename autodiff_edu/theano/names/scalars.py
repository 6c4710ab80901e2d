"""`theano.scalar`, `theano.tensor.xlogx` and `raw_random`: small rooms of their own."""

from typing import Any

import numpy as np

from ... import library
from ..arrays import creation, elementwise, leaves
from ..arrays.leaves import expression
from ..core import lift, unwrap, wrap
from ..core.types import TensorType
from ..programs import scalar_op
from ..streams.random_state import RandomStateSharedVariable, draw
from ..streams.random_streams import told


def upcast(*dtypes: Any) -> str:
    """The dtype that holds all of these."""
    if not dtypes:
        raise ValueError("upcast takes at least one dtype")
    return str(np.result_type(*[np.dtype(d) for d in dtypes]))


def scalar_type(dtype: str) -> TensorType:
    """The type of one number."""
    return TensorType(dtype, ())


DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64")  # fmt: skip
TYPES = {dtype: scalar_type(dtype) for dtype in DTYPES}
NAMES: dict[str, Any] = {
    **scalar_op.NAMES,
    **elementwise.ELEMENTWISE, **elementwise.FURTHER, **TYPES, "upcast": upcast,
    "get_scalar_type": scalar_type, "Scalar": scalar_type, "as_scalar": leaves.as_tensor_variable,
    "second": creation.fill, "identity": elementwise.SAME["tensor_copy"],
    "floor_div": elementwise.PAIRS["int_div"],
    "float_types": [TYPES[d] for d in DTYPES[-3:]], "continuous_types": [TYPES[d] for d in (
        DTYPES[-3:])], "discrete_types": [TYPES[d] for d in DTYPES[:-3]],
    "ints": lambda *names: [TYPES["int64"](n) for n in names], "floats": leaves.MANY["scalars"],
    "constant": leaves.constant,
}  # fmt: skip


@lift
def xlogx(x: Any) -> Any:
    """x log x, 0 at 0."""
    x = expression(x)
    return library.xlogy(x, x)


@lift
def xlogy0(x: Any, y: Any) -> Any:
    """x log y, 0 where x is 0."""
    return library.xlogy(expression(x), expression(y))


XLOGX: dict[str, Any] = {"xlogx": xlogx, "xlogy0": xlogy0}


def raw(how: str, defaults: tuple[Any, ...], dtype: str) -> Any:
    """raw_random's form: (state, size, parameters) -> (next state, draw)."""

    def draws(rng: Any, size: Any = None, *parameters: Any, ndim: Any = None, dtype: Any = dtype,
              **named: Any) -> Any:  # fmt: skip
        if not isinstance(rng, RandomStateSharedVariable):
            raise TypeError(f"the state of a draw is theano.shared(RandomState(...)), not {rng!r}")
        given = [*parameters, *named.values()]
        given += defaults[len(given) :]
        exprs = [unwrap(leaves.as_tensor_variable(p)) for p in given]
        more = 1 if how in ("permutation", "multinomial") else 0
        new, out = draw(how, rng.expr, exprs, told(size, ndim, exprs), dtype, more)
        return wrap(new), wrap(out)

    return draws


RAW_DRAWS: dict[str, Any] = {
    "uniform": raw("uniform", (0.0, 1.0), "float64"),
    "normal": raw("normal", (0.0, 1.0), "float64"),
    "binomial": raw("binomial", (1, 0.5), "int64"),
    "random_integers": raw("random_integers", (0, 1), "int64"),
    "permutation": raw("permutation", (1,), "int64"), "poisson": raw("poisson", (1.0,), "int64"),
    "multinomial": raw("multinomial", (1, (0.5, 0.5)), "int64"),
}  # fmt: skip
