"""Words for what a class of one's own lacks, and for what its rules return and must not.

Letters: x what a change belongs to, c its change; n the node at which a derivative was built.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from ...expr import Expr, Op, Shape, at
from ...ops import Words, agree

Exprs = Sequence[Expr]


# ---- what a class lacks


def has(op: Op, rule: str) -> bool:
    """Does the operation's class state this rule?"""
    return getattr(type(op), rule) is not getattr(Op, rule)


def no_infer_type(op: Op, *types: Any, **static: Any) -> NoReturn:
    """The type of the result. An operation of one's own states it.

    Parameters
    ----------
    op : Op
        The operation.
    *types : TensorType
        Those of the operands.
    **static : object
        Its parameters.

    Returns
    -------
    TensorType or TupleType
        Of one result, or of several.

    Raises
    ------
    AttributeError
        If the operation states none.
    """
    raise AttributeError(
        f"{op.name} has no infer_type: write `def infer_type(self, *types)` in its class. It "
        "returns the type of the result, such as ad.TensorType(types[0].dtype, (3, None))"
    )


def no_perform(op: Op, *values: Any, **static: Any) -> NoReturn:
    """The result of known values, by NumPy. An operation of one's own states it.

    Parameters
    ----------
    op : Op
        The operation.
    *values : array
        Those of the operands.
    **static : object
        Its parameters.

    Returns
    -------
    array or tuple of array
        One result, or several.

    Raises
    ------
    AttributeError
        If the operation states none.
    """
    raise AttributeError(
        f"{op.name} has no perform: write `def perform(self, *values)` in its class. It computes "
        "the result by NumPy"
    )


def no_pullback(op: Op, inputs: Exprs, outputs: Exprs, *_: Any, **static: Any) -> NoReturn:
    """The cotangent of each operand. An operation of one's own states it.

    Parameters
    ----------
    op : Op
        The operation.
    inputs : list of Expr
        The operands.
    outputs : list of Expr
        The results.
    *_ : list of Expr
        The cotangents of the results.
    **static : object
        Its parameters.

    Returns
    -------
    list of Expr
        One for each operand, or None where no derivative passes.

    Raises
    ------
    TypeError
        If the operation states none.
    """
    forward = (
        "The pushforward that it has serves forward mode alone"
        if has(op, "pushforward")
        else "Forward mode follows from it"
    )
    raise TypeError(
        f"no gradient passes through {op.name}{at(outputs[0])}, which has no pullback: write "
        "`def pullback(self, inputs, outputs, cotangents)` in its class. It returns a list of "
        f"{len(inputs)}: for each input its cotangent, an expression of the input's type, or None "
        f"where no derivative passes. {forward}."
    )


# ---- what a rule returned


def wrong_type(op: Op, found: Any) -> TypeError:
    return TypeError(
        f"the infer_type of {op.name} must return a TensorType, such as "
        f"ad.TensorType('float64', (3, None)), or an ad.TupleType of them, not {found!r}"
    )


def wrong_count(found: Any, of: Exprs, words: Words, name: str, n: Expr) -> TypeError:
    rule, change, slot = words
    hint = ": put it in brackets" if isinstance(found, Expr) and len(of) == 1 else ""
    return TypeError(
        f"the {rule} of {name}{at(n)} must return a list of {len(of)}, one {change} "
        f"for each {slot}, not {found!r}{hint}"
    )


def wrong_change(c: Any, k: int, x: Expr, words: Words, name: str, n: Expr) -> TypeError:
    rule, change, slot = words
    given = c.type if isinstance(c, Expr) else c
    given = f"an array of shape {c.shape}" if isinstance(c, np.ndarray) else repr(given)
    begin = f"the {rule} of {name}{at(n)} returned {given} for {slot} {k}, {x}"
    if not isinstance(c, Expr):
        return TypeError(f"{begin}, which is no expression: {expression_for(c, x)}")
    what = f"a {change} is a float of the {slot}'s shape"
    if not c.type.is_float:
        return TypeError(f"{begin}: {what}. Cast it, .astype('float64')")
    hint = remedy(c.type.shape, x.type.shape)
    return TypeError(f"{begin} of type {x.type!r}: {what}{hint}")


def expression_for(c: Any, x: Expr) -> str:
    """What to write instead of a number or an array."""
    if not np.ndim(c):
        return f"write ad.zeros_like({x}) for a zero, or None where no derivative passes"
    return (
        "a rule is called once, before there are values. Compute with the expressions that it is "
        "given, or with an operation of your own that calls NumPy in its perform"
    )


def remedy(given: Shape, wanted: Shape) -> str:
    """How a change of one shape may be brought into the other, if operands were stretched."""
    extra = len(given) - len(wanted)
    if not given:
        return ": spread it by ad.broadcast_to"
    if extra < 0:
        return ""
    ones = tuple(k for k, n in enumerate(wanted) if n == 1 != given[k + extra])
    summed = [1 if k in ones else n for k, n in enumerate(given[extra:])]
    if not agree(tuple(summed), wanted):
        return ""
    leading = f".sum(axis={tuple(range(extra))})" if extra else ""
    inner = f".sum(axis={ones}, keepdims=True)" if ones else ""
    return f", which met others by being stretched: sum over those axes, {leading}{inner}"
