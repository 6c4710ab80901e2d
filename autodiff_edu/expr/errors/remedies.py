"""Remedies for refusals of the core: a function for each subject, from the facts."""

from typing import Any

import numpy as np

from ...core.errors import REMEDIES
from ..text import shown
from .suggestion import nearest

DTYPES = "bool float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()


def dtype(given: Any) -> str:
    if isinstance(given, float):
        return f"for a value, write ad.constant({given!r}), or give it to ad.evaluate"
    if isinstance(given, (int, tuple, list)):
        return f"for the lengths of an array, write shape={shown(given)}"
    near = nearest(given, DTYPES) if isinstance(given, str) else ""
    if near:
        return f"write {near!r}"
    return "leave dtype out for float64, and make one input in a call"


def real(dtype: np.dtype) -> str:
    if dtype.kind == "c":
        return "write the real and the imaginary part as two expressions"
    return "give an array of numbers"


def pattern() -> str:
    return (
        "patterns are made of wildcards, numbers, operators and functions that ask for neither, "
        "such as a + 2, a @ b, (a > 5) & (a < 6), ad.exp(a), ad.where(a, b, c), ad.sum(a, axis=0)"
    )


REMEDIES |= {"dtype": dtype, "real": real, "pattern": pattern}
