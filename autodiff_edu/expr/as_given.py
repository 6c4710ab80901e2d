"""Dtypes, shapes and operands as users write them, in the form that the core needs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from operator import index
from typing import Any, TypeGuard

import numpy as np

from ..core.derivative_rules import agree, float_type
from ..core.errors import REMEDIES, DTypeError, ShapeError, refusal
from ..core.graph import expression_of
from ..core.node import Constant, Disconnected, Expr, Input, Null, Origin, made_by
from ..core.op import constant
from ..core.stage import Growing, Stage, Step
from ..core.types import Shape, TensorType
from .errors.suggestion import again
from .methods import give, hook
from .text import shown

# ---- types


@hook("lengths")
def lengths(dtype: np.dtype, shape: tuple) -> Shape:
    """The shape of a type of this dtype. Raises DTypeError for one that no expression has."""
    require_real(dtype)
    return normalize_shape(shape)


def normalize_shape(shape: Any) -> Shape:
    """A shape as users write it, (2, None) or [2, 3] or 3, as a tuple of lengths."""
    several = isinstance(shape, Iterable) and not isinstance(shape, str)
    several = several and getattr(shape, "ndim", 1) > 0  # not of np.array(3)
    return tuple([None if n is None else length(n) for n in (shape if several else (shape,))])


def length(n: Any, otherwise: str = "None where it is not known yet") -> int:
    """A length that is known. Raises TypeError or ShapeError for what is none."""
    if type(n) is int and n >= 0:  # most lengths: be quick
        return n
    number = None
    if not isinstance(n, (bool, np.bool_)):
        with suppress(TypeError):
            number = index(n)
    if number is not None and number >= 0:
        return number
    sentence = f"a length is a whole number from 0 on, or {otherwise}, not {shown(n)}"
    raise TypeError(sentence) if number is None else ShapeError(sentence)


@hook("dtype")
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


def fits(type: TensorType, shape: Shape) -> bool:
    """Can a value of this shape have this type?

    Parameters
    ----------
    type : TensorType
        A type.
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
    return len(shape) == type.ndim and all(
        mine in (None, its) for mine, its in zip(type.shape, shape, strict=True)
    )


def input_of(type: TensorType, name: str = "x") -> Input:
    """An input of this type."""
    return Input(name, type)


give(TensorType, fits=fits, __call__=input_of)

# ---- operands


@hook("leaf")
def as_leaf(value: Any, name: str) -> Expr:
    """A value as an expression. Raises TypeError, with what to write instead."""
    if (stands_for := expression_of(value)) is not value:
        return stands_for
    if isinstance(value, (list, tuple)) and any(isinstance(v, Expr) for v in value):
        raise TypeError(f"{name} met a list of expressions: write ad.array([...]) around it")
    if type(value) is not np.ndarray and isinstance(value, np.matrix):
        raise TypeError(f"{name} takes no np.matrix, of which * is the matrix product: write "
                        "np.asarray(a) for it, and @ for the product")  # fmt: skip
    try:
        return Constant(value)
    except (TypeError, ValueError) as error:
        hint = REMEDIES["operand"](value) or error
        sentence = f"{name} takes expressions and numbers, not {shown(value)}: {hint}"
        raise again(error, sentence) from None


@hook("beyond")
def beyond(error: Exception, name: str) -> Exception:
    """The error of a number that the dtype of the other operand cannot hold."""
    hint = "write it as a float, or cast the operand by .astype"
    return again(error, f"{name} met a number beyond its dtype: {error}: {hint}")


# ---- changes and steps


@hook("changes")
def changes_like(changes: Any, of: Sequence[Expr], kind: str) -> list[Expr]:
    """One tangent or cotangent for each, as expressions; plain numbers take the dtype.

    Raises ValueError for a wrong number of them, TypeError for one of another type.
    """
    values = changes if isinstance(changes, (list, tuple)) else (changes,)
    if len(values) != len(of):
        raise ValueError(f"{len(of)} {kind}s are needed, one for each, not {len(values)}")
    return [change_like(v, x, kind) for v, x in zip(values, of, strict=True)]


def change_like(v: Any, x: Expr, kind: str) -> Expr:
    v = expression_of(v)
    if isinstance(v, (Null, Disconnected)):
        return v
    type = TensorType(float_type(x.dtype), x.type.shape)
    if not isinstance(v, Expr):
        dtype = type.dtype if isinstance(v, (int, float)) else None
        v = made_by(Origin("derivative", "seed", x), constant, v, dtype)
    if v.dtype != type.dtype or not agree(v.type.shape, type.shape):
        raise TypeError(f"the {kind} of {x} must have the type {type!r}; {v} has {v.type!r}")
    return v


@hook("check_steps")
def check_steps(name: Any, steps: Iterable[Step]) -> None:
    """Raise TypeError for a step of a stage that is none, and for a name that is no text."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a stage is a text, not {shown(name)}")
    for kind in set(map(type, steps)):
        if not issubclass(kind, Step):
            wrong = next(step for step in steps if type(step) is kind)
            raise TypeError(f"the steps of a stage are ad.Step(rule, before, after), not "
                            f"{shown(wrong)}")  # fmt: skip


@hook("check_grown")
def check_grown(stage: Growing, grown: Mapping[Expr, Expr]) -> None:
    """Raise ValueError where a stage does not say of which nodes its outputs or steps are."""
    if stage.of and len(stage.of) != len(stage.outputs):
        raise ValueError(f"`of` names {len(stage.of)} nodes, for {len(stage.outputs)} outputs")
    if strange := grown.keys() - stage.before.order - {*stage.of}:
        raise ValueError(f"{strange.pop()} is no node of the graph before, and a step of "
                         f"{stage.name} is of it")  # fmt: skip


def is_function(thing: Any) -> TypeGuard[Callable[..., Any]]:
    """Is it a function? Who calls an expression or a stage is only told that these are none."""
    return callable(thing) and not isinstance(thing, (Expr, Stage))
