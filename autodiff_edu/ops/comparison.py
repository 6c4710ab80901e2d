"""Comparisons, and the operations that choose: where, maximum, minimum, clip, abs, sign.

At a kink one slope is fixed: |x|' is 0 at 0; a tie in maximum or minimum goes to the first
operand; clip has slope 1 at its bounds.
"""

from typing import Any

import numpy as np

from ..expr import UNTYPED, Expr
from .declare import op
from .radial import along

STEP = "its value jumps and is flat elsewhere, so its derivative is zero wherever it exists"
TRUTH = "a truth value does not vary continuously"
PLACE = "a whole number does not vary continuously"


@op(symbol="<", nondifferentiable=TRUTH, scalar="({0} < {1})", any_integer=True, cost=1)
def less(x, y):
    """x < y.

    >>> ad.evaluate(ad.less([1.0, 2.0], 2.0))
    array([ True, False])
    """
    return np.less(x, y)


@op(
    symbol="<=", label="≤", nondifferentiable=TRUTH, scalar="({0} <= {1})", any_integer=True, cost=1
)
def less_equal(x, y):
    """x ≤ y.

    >>> ad.evaluate(ad.less_equal([1.0, 2.0], 2.0))
    array([ True,  True])
    """
    return np.less_equal(x, y)


@op(symbol=">", nondifferentiable=TRUTH, scalar="({0} > {1})", any_integer=True, cost=1)
def greater(x, y):
    """x > y.

    >>> ad.evaluate(ad.greater([1.0, 3.0], 2.0))
    array([False,  True])
    """
    return np.greater(x, y)


@op(
    symbol=">=", label="≥", nondifferentiable=TRUTH, scalar="({0} >= {1})", any_integer=True, cost=1
)
def greater_equal(x, y):
    """x ≥ y.

    >>> ad.evaluate(ad.greater_equal([1.0, 2.0], 2.0))
    array([False,  True])
    """
    return np.greater_equal(x, y)


@op(
    symbol="==",
    label="=",
    nondifferentiable=TRUTH,
    commutative=True,
    scalar="({0} == {1})",
    any_integer=True,
    cost=1,
)
def equal(x, y):
    """x = y.

    >>> ad.evaluate(ad.equal([1.0, 2.0], 2.0))
    array([False,  True])
    """
    return np.equal(x, y)


@op(
    symbol="!=",
    label="≠",
    nondifferentiable=TRUTH,
    commutative=True,
    scalar="({0} != {1})",
    any_integer=True,
    cost=1,
)
def not_equal(x, y):
    """x ≠ y.

    >>> ad.evaluate(ad.not_equal([1.0, 2.0], 2.0))
    array([ True, False])
    """
    return np.not_equal(x, y)


@op(symbol="~", label="not", nondifferentiable=TRUTH, cost=1)
def logical_not(x):
    """Is x zero?

    >>> ad.evaluate(ad.logical_not([0.0, 2.0]))
    array([ True, False])
    """
    return np.logical_not(x)


@op(symbol="&", label="and", nondifferentiable=TRUTH, commutative=True, cost=1)
def logical_and(x, y):
    """Are both nonzero?

    >>> ad.evaluate(ad.logical_and([0.0, 2.0], [1.0, 1.0]))
    array([False,  True])
    """
    return np.logical_and(x, y)


@op(symbol="|", label="or", nondifferentiable=TRUTH, commutative=True, cost=1)
def logical_or(x, y):
    """Is one of the two nonzero?

    >>> ad.evaluate(ad.logical_or([0.0, 2.0], [0.0, 0.0]))
    array([False,  True])
    """
    return np.logical_or(x, y)


@op(
    linear=(1, 2),
    adopted=1,
    scalar="({1} if {0} else {2})",
    cost=1,
    exact_facts="branches",
    picks=True,
    operand_labels=("if", "then", "else"),
)
def where(condition, x, y):
    """x where the condition holds, y elsewhere.

    Parameters
    ----------
    condition : Expr or array_like
        Truth values; a number counts as true unless it is zero.

    Notes
    -----
    Both sides are computed. In a gradient, the side that is not taken gets an exact zero, also
    where its slope is inf or nan, as that of √x at 0. That holds through operations that work
    entry by entry, through changes of shape and of order, and through sums and matrix products
    of which no term is taken. It does not hold below others, such as cumsum and loops, nor where
    a subexpression has another use outside of the `where`: there 0 · inf is nan. The remedy is a
    second `where` inside, as in
    `where(x > 0, f(where(x > 0, x, 1.0)), 0)`.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.where(x > 0, x, 0.0), {x: [-1.0, 2.0]})
    array([0., 2.])
    >>> slope = ad.grad(ad.sum(ad.where(x > 0, ad.sqrt(x), 0.0)), x)
    >>> ad.evaluate(slope, {x: [0.0, 4.0]})
    array([0.  , 0.25])
    """
    return np.where(condition, x, y)[()]


@op(
    label="max",
    pullback=lambda ct, x, y, out: chosen(x >= y, ct),
    pushforward=lambda t, x, y, out: where(x >= y, *t),
    kinks={"x = y": "1 for x, 0 for y"},
    scalar="({0} if {0} >= {1} or {0} != {0} else {1})",
    cost=1,
    exact_facts={"positive": "one", "nonnegative": "one", "finite": "each", "integer": "each"},
    picks=True,
    latex=r"\max",
)
def maximum(x, y):
    """The larger of x and y; the slope at a tie is that of x.

    >>> ad.evaluate(ad.maximum([1.0, 3.0], 2.0))
    array([2., 3.])
    """
    return np.maximum(x, y)


@op(
    label="min",
    pullback=lambda ct, x, y, out: chosen(x <= y, ct),
    pushforward=lambda t, x, y, out: where(x <= y, *t),
    kinks={"x = y": "1 for x, 0 for y"},
    scalar="({0} if {0} <= {1} or {0} != {0} else {1})",
    cost=1,
    exact_facts={"positive": "each", "nonnegative": "each", "finite": "each", "integer": "each"},
    picks=True,
    latex=r"\min",
)
def minimum(x, y):
    """The smaller of x and y; the slope at a tie is that of x.

    >>> ad.evaluate(ad.minimum([1.0, 3.0], 2.0))
    array([1., 2.])
    """
    return np.minimum(x, y)


def read_bounds(x: Any, low: Any = None, high: Any = None, **other: Any) -> tuple[tuple, dict]:
    """x, low and high, also as a_min= and min=; None becomes a bound that always holds."""
    low = other.pop("a_min", other.pop("min", low))
    high = other.pop("a_max", other.pop("max", high))
    always = ends(x, low if high is None else high)
    bounds = (n if b is None else b for b, n in zip((low, high), always, strict=True))
    return (x, *bounds), other


def ends(x: Any, bound: Any) -> tuple[Any, Any]:
    """The smallest and the largest number of the dtype that x and its one bound have together."""
    whole = isinstance(x, Expr) and x.type is not UNTYPED and x.dtype.kind in "biu"
    dtype: np.dtype = np.result_type(x.dtype, *weak(bound)) if whole else np.dtype(float)
    if dtype.kind == "b":
        return False, True
    if dtype.kind in "iu":
        return np.iinfo(str(dtype)).min, np.iinfo(str(dtype)).max
    return -np.inf, np.inf


def weak(bound: Any) -> list[Any]:
    """A number of Python as it is, the dtype of anything else, and nothing of no bound."""
    if bound is None:
        return []
    if type(bound) in (int, float):
        return [bound]
    return [bound.dtype if isinstance(bound, Expr) else np.asarray(bound).dtype]


@op(
    reads=read_bounds,
    pullback=lambda ct, x, low, high, out: (
        where(inside(x, low, high), ct, 0),
        where((x < low) & (low <= high), ct, 0),
        where(maximum(x, low) > high, ct, 0),  # of crossed bounds, high is what NumPy gives
    ),
    pushforward=lambda t, x, low, high, out: where(
        inside(x, low, high), t[0], where(maximum(x, low) > high, t[2], t[1])
    ),
    kinks={
        "x = low": "1 for x, 0 for low, 0 for high",
        "x = high": "1 for x, 0 for low, 0 for high",
    },
    operand_labels=("x", "low", "high"),
    cost=2,
)
def clip(x, low, high):
    """x, but at least low and at most high.

    The slope of x is 1 between the bounds and at them, 0 outside. A bound that is None
    always holds.

    >>> ad.evaluate(ad.clip([-1.0, 0.5, 2.0], 0.0, 1.0))
    array([0. , 0.5, 1. ])
    """
    return np.clip(x, low, high)


@op(
    label="|·|",
    chain=lambda d, x, out: (signed(d, x, out),),
    kinks={"x = 0": "0"},
    scalar="fabs({0})",
    cost=1,
    facts={"positive": "nonzero", "nonnegative": "always"},
    exact_facts={
        "nonnegative": "finite",
        "nonzero": "first",
        "finite": "first",
        "integer": "first",
    },
    latex=r"\left|#1\right|",
)
def abs(x):
    """|x|, with the slope 0 at 0; even powers, cos and cosh of it have all their slopes there.

    >>> ad.evaluate(ad.abs([-2.0, 3.0]))
    array([2., 3.])
    """
    return np.abs(x)


@op(
    nondifferentiable=STEP,
    scalar="sign({0})",
    cost=1,
    facts={"finite": "always", "integer": "always"},
    exact_facts={"nonzero": "first", "integer": "first"},
    picks=True,
    latex=r"\operatorname{sgn}",
)
def sign(x):
    """−1, 0 or 1, as x is negative, zero or positive.

    >>> ad.evaluate(ad.sign([-2.0, 0.0, 3.0]))
    array([-1.,  0.,  1.])
    """
    return np.sign(x)


def signed(d: Expr, x: Expr, size: Expr) -> Expr:
    """d · sign x; (d / |x|) · x, where |x| is a factor of d."""
    return along(d, size, lambda k: k * x, lambda rest: rest * sign(x))


def chosen(first: Expr, ct: Expr) -> tuple[Expr, Expr]:
    return where(first, ct, 0), where(first, 0, ct)


def inside(x: Expr, low: Expr, high: Expr) -> Expr:
    return logical_and(x >= low, x <= high)
