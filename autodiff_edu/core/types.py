"""Types: the dtype and the shape of a value, known before it is computed.

A length of `None` is not known yet. Only a length known to be 1 stretches in broadcasting; two
unknown lengths that meet must turn out equal when the program runs.
"""

from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from .errors import PatternError, ShapeError, refusal
from .seams import HOOKS, OfType

Length = int | None
Shape = tuple[Length, ...]


class TensorType(OfType):
    """An array's dtype and shape.

    Equal types are one object, so `is` compares them.

    Parameters
    ----------
    dtype : dtype
        A boolean, integer or real floating point one.
    shape : iterable of int or None, default: ()
        The lengths, None where one is not known.

    Raises
    ------
    DTypeError
        If the dtype is none of these.
    ShapeError
        If a length is negative.

    Examples
    --------
    >>> ad.TensorType("float64", (3, None))
    float64(3, ?)
    """

    __slots__ = {
        "dtype": "That of the entries.",
        "shape": "The lengths of the axes.",
        "is_float": "Is it a floating point dtype?",
    }
    _types: dict[tuple, "TensorType"] = {}
    dtype: np.dtype
    shape: Shape
    is_float: bool

    def __new__(cls, dtype: object, shape: Iterable[Length] = ()) -> "TensorType":
        if not isinstance(dtype, (str, np.dtype)):
            dtype = HOOKS["dtype"](dtype)
        lengths = tuple(shape)
        spelling = dtype, lengths, tuple(map(type, lengths))
        t = cls._types.get(spelling)
        if t is None:
            real = HOOKS["dtype"](dtype)
            key = real, HOOKS["lengths"](real, lengths)
            t = object.__new__(cls)
            t.dtype, t.shape, t.is_float = *key, real.kind == "f"
            t = cls._types[spelling] = cls._types.setdefault(key, t)
        return t

    def __reduce__(self):
        return TensorType, (self.dtype, self.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def known(self) -> bool:
        """Is every length known?"""
        return None not in self.shape

    def __repr__(self) -> str:
        return f"{self.dtype}{spell(self.shape)}" if self.shape else str(self.dtype)


class NoArray:
    """The type of a value that is no array."""

    __slots__ = ()
    dtype, shape, ndim, known, is_float = np.dtype(object), (), 0, True, False


class TupleType(NoArray):
    """The type of an operation with several results: the types of these.

    Parameters
    ----------
    items : iterable of TensorType
        One for each result.

    Examples
    --------
    >>> ad.TupleType([ad.TensorType("float64"), ad.TensorType("int64", (3,))])
    (float64, int64(3,))
    """

    __slots__ = ("items",)

    def __init__(self, items: Iterable[TensorType]):
        self.items = tuple(items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TupleType) and self.items == other.items

    def __hash__(self) -> int:
        return hash(self.items)

    def __repr__(self) -> str:
        return f"({', '.join(map(repr, self.items))})"


class NullType(NoArray):
    """The type of a derivative that does not exist; `why` says why."""

    __slots__ = ("why",)

    def __init__(self, why: str):
        self.why = why

    def __repr__(self) -> str:
        return f"undefined: {self.why}"


class DisconnectedType(NullType):
    """The type of what stands for a derivative where nothing is connected."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "disconnected"


class Untyped:
    """The type of a pattern, which stands for expressions of any dtype and shape."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        sentence = f"a pattern is of any dtype and shape, and so has no {name}"
        raise refusal(PatternError, sentence, "pattern")

    def __reduce__(self) -> str:
        return "UNTYPED"

    def __repr__(self) -> str:
        return "any"


UNTYPED: Any = Untyped()


def spell(shape: Shape) -> str:
    """A shape in words: (3, ?), with ? for a length that is not known."""
    lengths = ["?" if n is None else str(n) for n in shape]
    return f"({lengths[0]},)" if len(lengths) == 1 else f"({', '.join(lengths)})"


def broadcast_shapes(*shapes: Shape) -> Shape:
    """The common shape of operands: each axis takes the one length that is not a known 1."""
    ndim = max(map(len, shapes), default=0)
    padded = [(1,) * (ndim - len(shape)) + shape for shape in shapes]
    return tuple(meet(lengths) for lengths in zip(*padded, strict=True))


def meet(lengths: tuple[Length, ...]) -> Length:
    """The length on which an axis's operands agree."""
    long = {n for n in lengths if n is not None and n != 1}
    if len(long) > 1:
        raise ShapeError(f"lengths {' and '.join(map(str, sorted(long)))} meet")
    if long:
        return long.pop()
    return None if None in lengths else 1
