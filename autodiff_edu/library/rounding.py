"""Rounding, remainders, tests of floating point numbers, and choices among several."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.derivative_rules import zero
from ..expr import Expr, LazyModule, is_function, operands, register
from ..ops.comparison import STEP, TRUTH, abs, logical_and, logical_or, sign, where
from ..ops.declare import op, real

jnp = LazyModule("jax.numpy")
OF_WHOLE = {"integer": "each"}
ROUNDED: dict[str, Any] = {
    "facts": {"integer": "always"}, "exact_facts": {"finite": "first", "integer": "finite"},
}  # fmt: skip

__all__ = [
    "ceil", "copysign", "floor", "floor_divide", "fmax", "fmin", "fmod", "heaviside", "isclose",
    "isfinite", "isinf", "isnan", "logical_xor", "piecewise", "remainder", "round", "select",
    "trunc",
]  # fmt: skip


@op(
    label="⌊·⌋",
    nondifferentiable=STEP,
    **ROUNDED,
    latex=r"\left\lfloor #1 \right\rfloor",
)
def floor(x):
    """The largest whole number that is not above x.

    >>> ad.evaluate(ad.floor([-1.5, 1.5]))
    array([-2.,  1.])
    """
    return np.floor(x)


@op(
    label="⌈·⌉",
    nondifferentiable=STEP,
    **ROUNDED,
    latex=r"\left\lceil #1 \right\rceil",
)
def ceil(x):
    """The smallest whole number that is not below x.

    >>> ad.evaluate(ad.ceil([-1.5, 1.5]))
    array([-1.,  2.])
    """
    return np.ceil(x)


@op(nondifferentiable=STEP, **ROUNDED)
def trunc(x):
    """The whole number between 0 and x that is nearest to x.

    >>> ad.evaluate(ad.trunc([-1.5, 1.5]))
    array([-1.,  1.])
    """
    return np.trunc(x)


@op(label="round", nondifferentiable=STEP, **ROUNDED)
def rint(x):
    """The nearest whole number; of two, the even one."""
    return np.rint(x)


@register("round")
def round(x: Any, decimals: int = 0) -> Expr:
    """x rounded to this many decimals; whole numbers stay whole.

    Parameters
    ----------
    decimals : int, default: 0
        How many decimals stay.

    Returns
    -------
    Expr
        Of the dtype of x. No derivative passes.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.round(x, 1), {x: [1.26, 2.5]})
    array([1.3, 2.5])
    """
    (x,) = operands((x,), "round")
    if x.dtype.kind in "iu" and decimals >= 0:
        return x
    rounded = rint(x * 10.0**decimals) / 10.0**decimals if decimals else rint(x)
    return rounded.astype(x.dtype) if x.dtype.kind in "iu" else rounded


def whole_quotient(x, y):
    """For JAX: whole numbers that are divided by 0 give 0, as with NumPy."""
    found = jnp.floor_divide(x, y)
    return found if found.dtype.kind == "f" else jnp.where(y == 0, 0, found)


@op(
    label="⌊÷⌋",
    nondifferentiable=STEP,
    facts={"integer": "always"},
    latex=r"\left\lfloor \frac{#1}{#2} \right\rfloor",
    targets={"jax": whole_quotient},
)
def floor_divide(x, y):
    """⌊x / y⌋.

    >>> ad.evaluate(ad.floor_divide([-7.0, 7.0], 2.0))
    array([-4.,  3.])
    """
    return np.floor_divide(x, y)


@op(label="mod", chain=lambda d, x, y, out: (d, -(d * floor(x / y))), facts=OF_WHOLE)
def remainder(x, y):
    """x − y·⌊x / y⌋, which has the sign of y.

    Notes
    -----
    At a jump the slopes are those of the value there: 1 by x, −⌊x / y⌋ by y.

    Examples
    --------
    >>> ad.evaluate(ad.remainder([-7.0, 7.0], 3.0))
    array([2., 1.])
    """
    return np.remainder(x, y)


@op(chain=lambda d, x, y, out: (d, -(d * trunc(x / y))))
def fmod(x, y):
    """x − y·trunc(x / y), which has the sign of x.

    Notes
    -----
    At a jump the slopes are those of the value there: 1 by x, −trunc(x / y) by y.

    Examples
    --------
    >>> ad.evaluate(ad.fmod([-7.0, 7.0], 3.0))
    array([-1.,  1.])
    """
    return np.fmod(x, y)


# ---- more choices


@op(nondifferentiable=TRUTH)
def isnan(x):
    """Is x not a number?

    >>> ad.evaluate(ad.isnan([np.nan, 1.0]))
    array([ True, False])
    """
    return np.isnan(x)


@op(nondifferentiable=TRUTH)
def isinf(x):
    """Is x infinite?

    >>> ad.evaluate(ad.isinf([np.inf, 1.0]))
    array([ True, False])
    """
    return np.isinf(x)


@op(nondifferentiable=TRUTH)
def isfinite(x):
    """Is x a finite number?

    >>> ad.evaluate(ad.isfinite([np.inf, 1.0]))
    array([False,  True])
    """
    return np.isfinite(x)


@op(label="xor", nondifferentiable=TRUTH, commutative=True)
def logical_xor(x, y):
    """Is just one of the two nonzero?

    >>> ad.evaluate(ad.logical_xor([1.0, 1.0], [0.0, 1.0]))
    array([ True, False])
    """
    return np.logical_xor(x, y)


@op(
    chain=lambda d, x, y, out: (d * where(out == abs(x), sign(x), -sign(x)), zero(d)),
    kinks={"x = 0": "0 for x, 0 for y"},
    operand_labels=("x", "sign"),
)
def copysign(x, y):
    """|x| with the sign of y.

    >>> ad.evaluate(ad.copysign([1.0, 2.0], [-1.0, 1.0]))
    array([-1.,  2.])
    """
    return np.copysign(x, y)


@op(
    chain=lambda d, x, at_zero, out: (None, where(x == 0, d, 0)),
    reasons={0: STEP},
    operand_labels=("x", "at 0"),
)
def heaviside(x, at_zero):
    """0 for negative x, 1 for positive, and a value of its own at 0.

    Parameters
    ----------
    x : Expr or array_like
        Numbers of any sign.
    at_zero : Expr or array_like
        The value where x is 0.

    Examples
    --------
    >>> ad.evaluate(ad.heaviside([-1.0, 0.0, 2.0], 0.5))
    array([0. , 0.5, 1. ])
    """
    return np.heaviside(x, at_zero)


@register("select")
def select(conditions: Sequence[Any], choices: Sequence[Any], default: Any = 0) -> Expr:
    """Of the choices the first whose condition holds, and the default where none does.

    Parameters
    ----------
    conditions : list of Expr
        Truth values.
    choices : list of Expr or float
        What stands for each.
    default : Expr or float, default: 0
        What stands where none holds.

    Returns
    -------
    Expr
        An array of the shape to which all broadcast.

    Raises
    ------
    ValueError
        If there is not one choice for each condition.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.select([x < 0, x < 1], [-1.0, x]), {x: [-3.0, 0.5, 2.0]})
    array([-1. ,  0.5,  0. ])
    """
    if len(conditions) != len(choices):
        raise ValueError(f"{len(conditions)} conditions for {len(choices)} choices: one for each")
    chosen: Any
    *given, chosen = operands((*choices, default), "select")
    for condition, choice in zip(reversed(conditions), reversed(given), strict=True):
        chosen = where(condition, choice, chosen)
    return chosen


@register("isclose")
def isclose(x: Any, y: Any, rtol: float = 1e-05, atol: float = 1e-08) -> Expr:
    """Is |x − y| ≤ atol + rtol·|y|? Equal infinities are close, too.

    Parameters
    ----------
    rtol : float, default: 1e-05
        How far y allows, as a part of it.
    atol : float, default: 1e-08
        How far is always allowed.

    Returns
    -------
    Expr
        Truth values, of the shape to which both broadcast.

    Examples
    --------
    >>> ad.evaluate(ad.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]))
    array([ True, False])
    """
    x, y = real(operands((x, y), "isclose"))
    near = abs(x - y) <= atol + rtol * abs(y)
    return logical_or(logical_and(near, isfinite(y)), x == y)


@register("piecewise")
def piecewise(x: Any, conditions: Sequence[Any], functions: Sequence[Any]) -> Expr:
    """Of functions of x, or numbers, the one whose condition holds; the last of several that do.

    Where none holds it is the function that is left over, if there is one, and else 0.

    Parameters
    ----------
    conditions : Expr or list of Expr
        Truth values, of the shape of x.
    functions : list
        Functions of x, or numbers, one for each condition, and perhaps one more.

    Returns
    -------
    Expr
        An array of the shape and the dtype of x.

    Raises
    ------
    ValueError
        If there is not a function for each condition.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.piecewise(x, [x < 0], [lambda x: -x, lambda x: x * x]), {x: [-3.0, 3.0]})
    array([3., 9.])
    """
    (x,) = operands((x,), "piecewise")
    conditions = listed(conditions, x.ndim)
    if len(functions) - len(conditions) not in (0, 1):
        raise ValueError(f"{len(functions)} functions for {len(conditions)} conditions: one for "
                         "each, and perhaps one more")  # fmt: skip
    values = [f(x) if is_function(f) else f for f in functions]
    found: Any = values[-1] if len(values) > len(conditions) else 0.0
    for condition, value in zip(conditions, values, strict=False):
        found = where(condition, value, found)
    return found.astype(x.dtype)


def listed(conditions: Any, ndim: int) -> Sequence[Any]:
    """Conditions as a list; one for an array of so many axes may stand alone, as in NumPy."""
    if isinstance(conditions, (Expr, np.ndarray)):
        return [conditions] if conditions.ndim == ndim else conditions  # type: ignore[return-value]
    plain = ndim and len(conditions) and isinstance(conditions[0], (bool, np.bool_))
    return [np.array(conditions)] if plain else conditions


@register("fmax")
def fmax(x: Any, y: Any) -> Expr:
    """The larger of x and y, and of a number and nan the number; a tie goes to x.

    Returns
    -------
    Expr
        An array of the shape to which both broadcast.

    Examples
    --------
    >>> ad.evaluate(ad.fmax(ad.constant([1.0, np.nan]), 0.0))
    array([1., 0.])
    """
    x, y = operands((x, y), "fmax")
    return where(logical_or(x >= y, isnan(y)), x, y)


@register("fmin")
def fmin(x: Any, y: Any) -> Expr:
    """The smaller of x and y, and of a number and nan the number; a tie goes to x.

    Returns
    -------
    Expr
        An array of the shape to which both broadcast.

    Examples
    --------
    >>> ad.evaluate(ad.fmin(ad.constant([1.0, np.nan]), 0.0))
    array([0., 0.])
    """
    x, y = operands((x, y), "fmin")
    return where(logical_or(x <= y, isnan(y)), x, y)
