"""What `theano.tensor` has."""

import types
from typing import Any

import numpy as np

from ...expr import ShapeError
from .. import derivatives, differences
from ..arrays import (
    complex_numbers,
    counting,
    creation,
    elementwise,
    flags,
    indexing,
    leaves,
    linear,
    reductions,
    shaping,
    slices,
    special,
)
from ..arrays import shared as shared_values
from ..arrays.lengths import shape
from ..arrays.methods import METHODS
from ..core import config
from ..core.types import TensorType
from ..core.variable import (
    ScalarSharedVariable,
    TensorConstant,
    TensorSharedVariable,
    TensorVariable,
)
from . import scalars
from .kinds import KINDS
from .known_values import (
    EmptyConstantError,
    NotScalarConstantError,
    extract_constant,
    get_scalar_constant_value,
)

Names = dict[str, Any]

ALL_DTYPES: Names = {
    "float_dtypes": ["float16", "float32", "float64"], "continuous_dtypes": [
        "float16", "float32", "float64"],
    "int_dtypes": ["int8", "int16", "int32", "int64"],
    "uint_dtypes": ["uint8", "uint16", "uint32", "uint64"],
    "complex_dtypes": ["complex64", "complex128"],
}  # fmt: skip
ALL_DTYPES["integer_dtypes"] = ALL_DTYPES["int_dtypes"] + ALL_DTYPES["uint_dtypes"]
ALL_DTYPES["discrete_dtypes"] = ["bool", *ALL_DTYPES["integer_dtypes"]]
ALL_DTYPES["all_dtypes"] = [*ALL_DTYPES["discrete_dtypes"], *ALL_DTYPES["float_dtypes"]]


SYNONYMS = {
    "power": "pow", "sgn": "sgn", "sign": "sgn", "absolute": "abs_", "bitwise_and": "and_",
    "bitwise_or": "or_", "bitwise_xor": "xor", "bitwise_not": "invert",
    "floor_div": "int_div", "square": "sqr", "negative": "neg",
    "abs": "abs_", "not_equal": "neq", "equal": "eq", "setdefault": "switch",
    "true_divide": "true_div", "ravel": "flatten",
}  # fmt: skip


def close(a: Any, b: Any, rtol: Any = None, atol: Any = None) -> bool:
    """Are two arrays close, as far as their dtypes tell?"""
    short = any(str(np.asarray(v).dtype) == "float32" for v in (a, b))
    return bool(np.allclose(a, b, rtol or 1e-5, atol or (1e-5 if short else 1e-8)))


def is_flat(var: Any, outdim: Any = None, ndim: Any = None) -> bool:
    """Has the variable so many axes?"""
    return bool(var.ndim == (ndim or outdim or 1))


def get_vector_length(v: Any) -> int:
    """The length of a vector, where it is known."""
    n = leaves.as_tensor_variable(v).expr.type.shape
    if len(n) != 1 or n[0] is None:
        raise ValueError(f"length not known: {v}")
    return n[0]


def arrays() -> Names:
    """What `theano.tensor` has, without its modules."""
    found: Names = {**leaves.LEAVES, **leaves.MANY, **ALL_DTYPES}
    found |= (
        elementwise.ELEMENTWISE
        | elementwise.FURTHER
        | shaping.NAMES
        | flags.NAMES
        | reductions.NAMES
    )
    found |= indexing.NAMES | creation.NAMES | linear.PLAIN | counting.NAMES | counting.SORT
    found |= {
        "shape": shape, "tensor": leaves.tensor, "constant": leaves.constant, "as_tensor":
        leaves.as_tensor_variable, "as_tensor_variable": leaves.as_tensor_variable,
        "AsTensorError": leaves.AsTensorError, "TensorType": TensorType, "Tensor": TensorType,
        "TensorVariable": TensorVariable, "TensorConstant": TensorConstant,
        "TensorSharedVariable": TensorSharedVariable, "ScalarSharedVariable": ScalarSharedVariable,
        "ShapeError": ShapeError,
        "NotScalarConstantError": NotScalarConstantError, "EmptyConstantError": EmptyConstantError,
        "get_scalar_constant_value": get_scalar_constant_value, "extract_constant":
        extract_constant, "get_vector_length": get_vector_length, "np": np, "numpy": np,
        "_shared": shared_values.shared, "shared": shared_values.shared, "config": config,
    }  # fmt: skip
    found |= {name: METHODS.get(ours) or found[ours] for name, ours in SYNONYMS.items()}
    found |= complex_numbers.NAMES | special.NAMES | {
        "extract_diag": linear.extract_diag, "trace": linear.trace, "norm": reductions.norm,
        "smallest": elementwise.smallest, "largest": elementwise.largest,
        "inverse_permutation": counting.inverse_permutation,
        "permute_row_elements": counting.permuted, "default": lambda x, y: y if x is None else x,
        "AdvancedIndexingError": TypeError,
        "advanced_subtensor1": indexing.getitem, "advanced_subtensor": indexing.several,
        "tensor_from_scalar": leaves.as_tensor_variable, "transfer": lambda x, target: x,
        "scalar_from_tensor": leaves.as_tensor_variable,
        "scal": types.SimpleNamespace(**scalars.NAMES), "NoneConst": None,
        "cpu_contiguous": lambda x: x, "_allclose": close, "is_flat": is_flat,
        "isnan_": elementwise.ELEMENTWISE["isnan"], "isinf_": elementwise.ELEMENTWISE["isinf"],
        "_dot": linear.dot, "get_canonical_form_slice": slices.get_canonical_form_slice,
    }  # fmt: skip
    gradients = ("Rop", "Lop", "grad", "jacobian", "hessian", "consider_constant")
    found |= {name: derivatives.NAMES[name] for name in gradients}
    return found | differences.NAMES | KINDS
