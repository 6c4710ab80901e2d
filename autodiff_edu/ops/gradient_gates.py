"""Gates: they hand a value on unchanged, and say what its derivative is to be.

`ad.function` takes them out once all derivatives are taken; simplification leaves them alone.
"""

from typing import Any, NoReturn

import numpy as np

from ..core.derivative_rules import Rule, zero
from ..expr import Expr, Null, NullTypeGradError, at
from .comparison import clip
from .declare import op


def same_type(t: Any, **_: Any) -> Any:
    return t


def gate(name: str) -> Rule:
    """The batching rule of a gate: it stands as well before all slices."""
    return lambda inputs, flags, **static: GATES[name](inputs[0], **static)


@op(
    label="zero ∂",
    type=same_type,
    batch=gate("zero_grad"),
    overrides=True,
    merges=True,
    pullback=lambda ct, x, out: (zero(x),),
    pushforward=lambda t, x, out: zero(x),
    cost=0,
)
def zero_grad(x):
    """x, with the derivative 0.

    Returns
    -------
    Expr
        The same array.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.grad(x * ad.zero_grad(x), x)
    (1 * zero_grad(x)) + 0
    """
    return np.array(x)[()]


@op(
    label="no ∂",
    type=same_type,
    batch=gate("disconnected_grad"),
    nondifferentiable="it was put there so that no derivative passes",
    cost=0,
)
def disconnected_grad(x):
    """x, with no derivative: as if it did not depend on anything.

    Returns
    -------
    Expr
        The same array.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.grad(x * ad.disconnected_grad(x), x)
    1 * disconnected_grad(x)
    """
    return np.array(x)[()]


def nowhere(t: Any, x: Expr, out: Expr, why: str) -> NoReturn:
    raise NullTypeGradError(f"the derivative of {out}{at(out)} does not exist: {why}")


@op(
    label="undefined ∂",
    type=same_type,
    batch=gate("undefined_grad"),
    pullback=lambda ct, x, out, why: (Null(why),),
    pushforward=nowhere,
    cost=0,
)
def undefined_grad(x, *, why="it was declared undefined"):
    """x, with a derivative that does not exist; asking for one is an error that says why.

    Parameters
    ----------
    why : str, default: 'it was declared undefined'
        The reason, which the error tells.

    Returns
    -------
    Expr
        The same array.

    Raises
    ------
    NullTypeGradError
        If a derivative is asked for.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> y = ad.undefined_grad(x, why="only the value is known")
    >>> ad.evaluate(y, {x: 2.0})
    np.float64(2.0)
    """
    return np.array(x)[()]


@op(
    label="clip ∂",
    type=same_type,
    batch=gate("grad_clip"),
    overrides=True,
    pullback=lambda ct, x, out, low, high: (clip(ct, low, high),),
    pushforward=lambda t, x, out, low, high: t[0],
    cost=0,
)
def grad_clip(x, *, low, high):
    """x; a cotangent is kept between low and high on its way back, a tangent is left alone.

    Parameters
    ----------
    low : float
        The smallest cotangent.
    high : float
        The largest cotangent.

    Returns
    -------
    Expr
        The same array.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.evaluate(ad.grad(ad.grad_clip(x, -1.0, 1.0) ** 2, x), {x: 3.0})
    np.float64(1.0)
    """
    return np.array(x)[()]


@op(
    label="scale ∂",
    type=same_type,
    batch=gate("grad_scale"),
    overrides=True,
    merges=True,
    pullback=lambda ct, x, out, factor: (ct * factor,),
    pushforward=lambda t, x, out, factor: t[0],
    cost=0,
)
def grad_scale(x, *, factor):
    """x; a cotangent is multiplied by a factor on its way back, a tangent is left alone.

    Parameters
    ----------
    factor : float
        What the cotangent is multiplied by.

    Returns
    -------
    Expr
        The same array.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.evaluate(ad.grad(ad.grad_scale(x, -1.0) ** 2, x), {x: 3.0})
    np.float64(-6.0)
    """
    return np.array(x)[()]


GATES = {g.name: g for g in (zero_grad, disconnected_grad, undefined_grad, grad_clip, grad_scale)}
