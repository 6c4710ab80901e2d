"""`theano.scalar`, `theano.tensor.xlogx` and `raw_random`: small rooms of their own."""

from typing import Any

import numpy as np

from ... import library
from ..arrays import creation, elementwise, leaves
from ..arrays.leaves import expression
from ..core import lift
from ..core.types import TensorType
from ..programs import scalar_op
from .kinds import MAKERS, kind, plain


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
CLASSES = dict(
    pair.split(":")
    for pair in """
    Add:add Sub:sub Mul:mul TrueDiv:true_div IntDiv:int_div Mod:mod Pow:pow Maximum:maximum
    Minimum:minimum LT:lt LE:le GT:gt GE:ge EQ:eq NEQ:neq AND:and_ OR:or_ XOR:xor Invert:invert
    Neg:neg Inv:inv Abs:abs_ Sgn:sgn Ceil:ceil Floor:floor Trunc:trunc Sqr:sqr Sqrt:sqrt Exp:exp
    Exp2:exp2 Expm1:expm1 Log:log Log2:log2 Log10:log10 Log1p:log1p Sin:sin Cos:cos Tan:tan
    Sinh:sinh Cosh:cosh Tanh:tanh ArcSin:arcsin ArcCos:arccos ArcTan:arctan ArcTan2:arctan2
    ArcSinh:arcsinh ArcCosh:arccosh ArcTanh:arctanh Deg2Rad:deg2rad Rad2Deg:rad2deg IsNan:isnan
    IsInf:isinf Erf:erf Erfc:erfc Erfcx:erfcx GammaLn:gammaln Psi:psi TriGamma:tri_gamma
    Identity:tensor_copy
""".split()
)
SCALAR_KINDS: dict[str, Any] = {
    name: kind(name, elementwise.ELEMENTWISE[ours].names) for name, ours in CLASSES.items()
}
MAKERS.update({name: plain(elementwise.ELEMENTWISE[ours]) for name, ours in CLASSES.items()})
NAMES: dict[str, Any] = {
    **scalar_op.NAMES, **SCALAR_KINDS,
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
