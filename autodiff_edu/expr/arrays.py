"""Arrays that expressions hold: one copy of each, which nobody changes, compared in place.

Who writes an array into several expressions, and who looks whether it has changed, shares its copy:
the array's identity leads to it, and it counts as long as all bits are the same.
"""

import sys
import zlib
from collections.abc import Callable
from typing import Any, NoReturn
from weakref import finalize, ref

import numpy as np

from ..core.node import SMALL
from ..core.seams import HOOKS
from .methods import hook

Pair = tuple[Callable[[], Any], Callable[[], Any]]
_copies: dict[int, Pair] = {}  # by the identity of an array: it and its copy, if both still live
_nothing: Pair = lambda: None, lambda: None


class Bits:
    """An array as a key: equal to another if the shapes, the dtypes and all bits are equal. So nan
    is equal to itself, and -0.0 is not 0.0."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray):
        self.array = array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bits) and same_bits(self.array, other.array)

    def __hash__(self) -> int:
        """From all bits, in the order of the axes: one read of the memory."""
        number = 0
        for part in np.nditer(self.array, ["external_loop", "buffered", "zerosize_ok"], order="C"):
            number = zlib.crc32(np.ascontiguousarray(part).data, number)  # by blocks, if at all
        return number


HOOKS["bits"] = Bits


def key_of(array: Any) -> Any:
    """Equal for arrays, or numbers, of one type that no program can tell apart."""
    return array.tobytes() if array.nbytes < SMALL else Bits(array)


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    if a is b:
        return True
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        return False
    return all(map(np.array_equal, whole_numbers(a), whole_numbers(b)))


def whole_numbers(array: np.ndarray) -> list[np.ndarray]:
    """Views of an array as whole numbers, which are equal if their bits are."""
    wide, rest = divmod(array.itemsize, 8)
    if not rest and wide == 1 or array.itemsize in (1, 2, 4):
        return [array.view(f"u{array.itemsize}")]
    parts = array.view(np.dtype([("", "u8")] * wide + [("", "u1")] * rest))
    return [parts[name] for name in parts.dtype.names or ()]


def unchanging(array: np.ndarray) -> np.ndarray:
    """A copy, in the order of the memory, that nobody changes: the one that is there already, as
    long as the array has not changed since. Such a copy, and all of it by other axes, is its own.
    """
    if array.nbytes < SMALL:
        return read_only(array)
    if is_unchanging(array):
        return array
    source, copy = _copies.get(id(array), _nothing)
    there = copy()
    if source() is array and there is not None and same_bits(there, array):
        return there
    new = read_only(array)
    remember(new, new)
    remember(array, new)
    return new


def is_unchanging(array: np.ndarray) -> bool:
    root = array if array.base is None else array.base
    source, copy = _copies.get(id(root), _nothing)
    if source() is not root or copy() is not root or root.flags.writeable:
        return False
    return array.nbytes == root.nbytes and all(step > 0 for step in array.strides)


def read_only(array: np.ndarray) -> np.ndarray:
    copy = array.copy(order="K")
    copy.flags.writeable = False
    return copy


def remember(array: np.ndarray, copy: np.ndarray) -> None:
    """For as long as the array lives."""
    number = id(array)
    _copies[number] = ref(array), ref(copy)
    finalize(array, _copies.pop, number, None).atexit = False


# ---- what becomes a constant


@hook("copied")
def copied(value: Any, dtype: Any = None) -> np.ndarray:
    """The value as an array that nobody changes, its bytes in this machine's order."""
    require_unmasked(value)
    if type(value) is np.ndarray and (dtype is None or dtype == value.dtype):
        if value.dtype.isnative and not value.dtype.hasobject:
            return unchanging(value)
    array = np.array(value, dtype=dtype)
    array = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    array.flags.writeable = False
    return array


def is_masked(value: Any) -> bool:
    """Is it one of NumPy's masked arrays?"""
    masked = sys.modules.get("numpy.ma")  # which takes long to load, and whoever masks has it
    return masked is not None and isinstance(value, getattr(masked, "MaskedArray", ()))


def require_unmasked(value: Any) -> None:
    """Raises TypeError where what a mask hides would be taken for numbers."""
    if type(value) is not np.ndarray and is_masked(value) and np.any(value.mask):
        refuse_mask()


def refuse_mask() -> NoReturn:
    raise TypeError("a masked array would lose its mask: pass data and mask, and write "
                    "ad.where(mask, 0, data)")  # fmt: skip
