"""Types: the dtype and the shape of a value, known before it is computed.

A length of `None` is not known yet. Only a length known to be 1 stretches in broadcasting; two
unknown lengths that meet must turn out equal when the program runs.
"""

from collections.abc import Iterable
from contextlib import suppress
from operator import index
from typing import Any, NoReturn

import numpy as np

from .errors import DTypeError, PatternError, ShapeError, refusal
from .sanitize import shown
from .seams import HOOKS

Length = int | None
Shape = tuple[Length, ...]


class TensorType:
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
        key = (as_dtype(dtype), tuple(shape))
        type = cls._types.get(key)
        if type is None:
            require_real(key[0])
            type = object.__new__(cls)
            type.dtype, type.shape = key[0], normalize_shape(key[1])
            type.is_float = type.dtype.kind == "f"
            cls._types[key] = type
        return type

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

    def __call__(self, name: str = "x") -> Any:
        """An input of this type."""
        return HOOKS["input of type"](self, name)

    def fits(self, shape: Shape) -> bool:
        """Can a value of this shape have this type?

        Parameters
        ----------
        shape : tuple of int
            The shape of a value.

        Returns
        -------
        bool
            Whether all known lengths agree.

        Examples
        --------
        >>> ad.TensorType("float64", (None, 3)).fits((2, 3))
        True
        """
        return len(shape) == self.ndim and all(
            mine in (None, its) for mine, its in zip(self.shape, shape, strict=True)
        )

    def __repr__(self) -> str:
        return f"{self.dtype}{spell(self.shape)}" if self.shape else str(self.dtype)


class TupleType:
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
    dtype, shape, ndim, known, is_float = np.dtype(object), (), 0, True, False

    def __init__(self, items: Iterable[TensorType]):
        self.items = tuple(items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TupleType) and self.items == other.items

    def __hash__(self) -> int:
        return hash(self.items)

    def __repr__(self) -> str:
        return f"({', '.join(map(repr, self.items))})"


class NullType:
    """The type of a derivative that does not exist; `why` says why."""

    __slots__ = ("why",)
    dtype, shape, ndim, known, is_float = np.dtype(object), (), 0, True, False

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


def normalize_shape(shape: Any) -> Shape:
    """A shape as users write it, (2, None) or [2, 3] or 3, as a tuple of lengths."""
    several = isinstance(shape, Iterable) and not isinstance(shape, str)
    several = several and getattr(shape, "ndim", 1) > 0  # not of np.array(3)
    return tuple([None if n is None else length(n) for n in (shape if several else (shape,))])


def length(n: Any, otherwise: str = "None where it is not known yet") -> int:
    """A length that is known. Raises TypeError or ShapeError for what is none."""
    if type(n) is int and n >= 0:  # most lengths: be quick
        return n
    whole = None
    if not isinstance(n, (bool, np.bool_)):
        with suppress(TypeError):
            whole = index(n)
    if whole is not None and whole >= 0:
        return whole
    sentence = f"a length is a whole number from 0 on, or {otherwise}, not {shown(n)}"
    raise TypeError(sentence) if whole is None else ShapeError(sentence)


def as_dtype(name: Any) -> np.dtype:
    """A dtype as NumPy reads it, its bytes in this machine's order. Raises TypeError with what is
    usually meant."""
    try:
        dtype = np.dtype(name)
    except TypeError:
        sentence = f"a dtype is needed, such as 'float64', not {shown(name)}"
        raise refusal(TypeError, sentence, "dtype", given=name) from None
    return dtype if dtype.isnative else dtype.newbyteorder("=")


def require_real(dtype: np.dtype) -> None:
    if dtype.kind not in "biuf":
        sentence = f"expressions hold booleans, integers and reals, not {dtype}"
        raise refusal(DTypeError, sentence, "real", dtype=dtype)


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
