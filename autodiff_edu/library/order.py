"""Places by value: the largest, the order, the nearest below; and what follows from them."""

from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, ShapeError, TensorType, at, constant, operands, register
from ..ops.arithmetic import subtract
from ..ops.comparison import PLACE, clip, equal, maximum, minimum, not_equal, where
from ..ops.cost import each_entry
from ..ops.creation import full
from ..ops.declare import op, real
from ..ops.getitem import getitem
from ..ops.lengths import common_length, normal_axes, one_axis, positions, size
from ..ops.reduce import reduced, sum
from ..ops.shape import broadcast_to, expand_dims, ravel, reshape
from .arrange import concatenate, cut, stack
from .cumulative import read_running, running

__all__ = [
    "argmax", "argmin", "argsort", "diff", "interp", "median", "quantile", "searchsorted", "sort",
    "take", "take_along_axis", "trapezoid",
]  # fmt: skip

jnp = LazyModule("jax.numpy")


def place_type(t: TensorType, axis: int, keepdims: bool) -> TensorType:
    return TensorType("int64", reduced(t, (axis,), keepdims))


def read_places(x: Any, axis: int | None = None, keepdims: bool = False) -> tuple[tuple, dict]:
    if axis is None and keepdims and np.ndim(x):  # one long row, with as many axes
        x = operands((x,), "argmax")[0]
        x, axis = reshape(x, (*[1] * (x.ndim - 1), -1)), -1
    (x,), static = read_running(x, axis)
    return (x,), static | {"keepdims": bool(keepdims) and axis is not None}


def normalize_static(t: TensorType, axis: int, keepdims: bool) -> dict[str, Any]:
    return {"axis": one_axis(t, axis), "keepdims": keepdims}


@op(
    nondifferentiable=PLACE,
    reads=read_places,
    normal=normalize_static,
    type=place_type,
    cost=each_entry(),
)
def argmax(x, *, axis=None, keepdims=False):
    """The place of the largest entry along an axis; of several, the first.

    Parameters
    ----------
    axis : int, optional
        Along which; by default all entries row by row.

    Returns
    -------
    Expr
        The places, whole numbers, in the shape without the axis.

    Examples
    --------
    >>> ad.evaluate(ad.argmax([3.0, 7.0, 5.0]))
    np.int64(1)
    """
    return np.argmax(x, axis=axis, keepdims=keepdims)


@op(
    nondifferentiable=PLACE,
    reads=read_places,
    normal=normalize_static,
    type=place_type,
    cost=each_entry(),
)
def argmin(x, *, axis=None, keepdims=False):
    """The place of the smallest entry along an axis; of several, the first.

    Parameters
    ----------
    axis : int, optional
        Along which; by default all entries row by row.

    Returns
    -------
    Expr
        The places, whole numbers, in the shape without the axis.

    Examples
    --------
    >>> ad.evaluate(ad.argmin([3.0, 7.0, 5.0]))
    np.int64(0)
    """
    return np.argmin(x, axis=axis, keepdims=keepdims)


# ---- entries by their place


@register("take")
def take(x: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Expr:
    """The entries of x at these places along an axis; without one, of x row by row.

    Parameters
    ----------
    indices : Expr or array_like
        Whole numbers.
    axis : int, optional
        Along which.
    mode : {'raise', 'wrap', 'clip'}, default: 'raise'
        What a place outside means: an error, counting round, or the nearest place.

    Returns
    -------
    Expr
        The entries, in the shape of indices along the axis.

    Raises
    ------
    ValueError
        If the mode is none of these.

    Examples
    --------
    >>> ad.evaluate(ad.take([10.0, 20.0, 30.0], [2, 0]))
    array([30., 10.])
    """
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f'take has the modes "raise", "wrap" and "clip", not {mode!r}')
    x = operands((x,), "take")[0]
    x, axis = (ravel(x), 0) if axis is None else (x, one_axis(x.type, axis))
    indices = as_places(indices)
    if mode != "raise":
        n = x.shape[axis]
        indices = np.mod(indices, n) if mode == "wrap" else np.clip(indices, 0, n - 1)
    return getitem(x, (*[slice(None)] * axis, indices))


@register("take_along_axis")
def take_along_axis(x: Any, indices: Any, axis: int | None = -1) -> Expr:
    """For each row along an axis, its entries at the places in the same row of indices.

    Parameters
    ----------
    indices : Expr or array_like
        Whole numbers, in an array of as many axes as x.
    axis : int, default: -1
        Along which; with None, all entries row by row.

    Returns
    -------
    Expr
        The entries, in the shape of indices.

    Raises
    ------
    ShapeError
        If indices has another number of axes.
    TypeError
        If indices are no whole numbers.

    Examples
    --------
    >>> ad.evaluate(ad.take_along_axis([[10.0, 20.0], [30.0, 40.0]], [[1], [0]], axis=1))
    array([[20.],
           [30.]])
    """
    x = operands((x,), "take_along_axis")[0]
    indices = indices if isinstance(indices, Expr) else constant(indices)
    if indices.dtype.kind not in "iu":
        raise TypeError(f"indices are whole numbers, and {indices} is {indices.dtype}")
    x, axis = (ravel(x), 0) if axis is None else (x, one_axis(x.type, axis))
    if indices.ndim != x.ndim:
        raise ShapeError(f"indices of {indices.ndim} axes for the {x.ndim} axes of {x}")
    key = [
        indices if k == axis else upright(positions(x, k), x.ndim - k - 1) for k in range(x.ndim)
    ]
    return getitem(x, tuple(key))


def as_places(indices: Any) -> Any:
    """Places as they are; truth values are the places 0 and 1, and no mask, as in NumPy."""
    found = indices if isinstance(indices, Expr) else np.asarray(indices)
    return found.astype("int64") if found.dtype == bool else indices


def upright(x: Expr, trailing: int) -> Expr:
    """x with axes of length 1 behind it."""
    return expand_dims(x, axis=tuple(range(1, 1 + trailing))) if trailing else x


# ---- order


def read_order(x: Any, axis: int | None = -1, kind: str = "stable") -> tuple[tuple, dict]:
    return read_running(x, axis)


@op(
    nondifferentiable=PLACE,
    reads=read_order,
    normal=running,
    type=lambda t, axis: TensorType("int64", t.shape),
    targets={"jax": lambda x, *, axis=-1: jnp.argsort(x, axis=axis, stable=True)},
)
def argsort(x, *, axis=-1):
    """The places of the entries along an axis, from the smallest to the largest.

    Parameters
    ----------
    axis : int, default: -1
        Along which; with None, all entries row by row.
    kind : str, default: 'stable'
        Has no effect: equal entries always keep their order.

    Returns
    -------
    Expr
        The places, whole numbers, in the shape of x.

    Examples
    --------
    >>> ad.evaluate(ad.argsort([3.0, 1.0, 2.0]))
    array([1, 2, 0])
    """
    return np.argsort(x, axis=axis, kind="stable")


@register("sort")
def sort(x: Any, axis: int | None = -1, kind: str = "stable") -> Expr:
    """The entries along an axis from the smallest to the largest.

    Parameters
    ----------
    axis : int, default: -1
        Along which; with None, all entries row by row.
    kind : str, default: 'stable'
        Has no effect: equal entries always keep their order.

    Returns
    -------
    Expr
        The sorted entries.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.sort(x), {x: [3.0, 1.0, 2.0]})
    array([1., 2., 3.])
    """
    x, axis = (ravel(x), 0) if axis is None else (x, axis)
    return take_along_axis(x, argsort(x, axis=axis), axis)


@register("median")
def median(x: Any, axis: Any = None, keepdims: bool = False) -> Expr:
    """The middle entry along axes, or the mean of the two in the middle.

    Parameters
    ----------
    x : Expr or array_like
        An array of known lengths along the axes.

    Returns
    -------
    Expr
        The middle entries, without the axes; nan where an entry is.

    Raises
    ------
    ShapeError
        If a length along the axes is not known.

    Examples
    --------
    >>> ad.evaluate(ad.median(ad.constant([5.0, 1.0, 3.0])))
    np.float64(3.0)
    """
    return quantile(x, 0.5, axis, keepdims)


@register("quantile")
def quantile(x: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Expr:
    """The entry below which the part q of all lie, on the line between two neighbours.

    Parameters
    ----------
    x : Expr or array_like
        An array of known lengths along the axes.
    q : float or array_like
        Parts from 0 to 1, known now.

    Returns
    -------
    Expr
        The quantiles, without the axes; with the axes of q in front; nan where an entry is.

    Raises
    ------
    ValueError
        If q is not between 0 and 1.
    ShapeError
        If a length along the axes is not known.

    Examples
    --------
    >>> ad.evaluate(ad.quantile(ad.constant([0.0, 10.0, 20.0]), 0.25))
    np.float64(5.0)
    """
    (x,) = operands((x,), "quantile")
    if np.ndim(q):  # as an array, whose dtype counts, where that of Python's numbers does not
        return stack([quantile(x, one, axis, keepdims) for one in np.asarray(q)])
    if not 0 <= q <= 1:
        raise ValueError(f"quantiles lie between 0 and 1, and {q} does not")
    x = x.astype(quantile_dtype(x.dtype, q))
    axes = normal_axes(x.type, axis)
    rest = [k for k in range(x.ndim) if k not in axes]
    shape = [1 if k in axes else n for k, n in enumerate(x.shape)]
    n = known_count(x, axes)
    flat = reshape(x.transpose((*rest, *axes)), (*[x.shape[k] for k in rest], n))
    found = between(sort(flat), q * (n - 1)) if n else full(flat.shape[:-1], np.nan, x.dtype)
    return reshape(found, tuple(shape)) if keepdims else found


def quantile_dtype(dtype: np.dtype, q: Any) -> np.dtype:
    """That of x and q where q is of NumPy's floats, else that of x as a float."""
    if isinstance(q, (np.floating, np.ndarray)) and q.dtype.kind == "f":
        return np.result_type(dtype, q.dtype)
    return dtype if dtype.kind == "f" else np.dtype("float64")


def between(ordered: Expr, place: float) -> Expr:
    """What stands at a place, on the line between its neighbours; nan where any entry is."""
    low, part_above = int(place), place - int(place)
    found = ordered[..., low]
    if part_above == 0.5:
        found = part_above * found + part_above * ordered[..., low + 1]  # of two infinities, too
    elif part_above:
        found = found + part_above * (ordered[..., low + 1] - found)
    last = ordered[..., -1]
    return where(not_equal(last, last), np.nan, found)


def known_count(x: Expr, axes: tuple[int, ...]) -> int:
    n = size(x, axes)
    if isinstance(n, Expr):
        raise ShapeError(f"quantile needs the lengths of {x} along axes {axes}: declare them")
    return n


# ---- piecewise linear functions and differences


def read_side(table: Any, x: Any, side: str = "left", right: bool = False) -> tuple[tuple, dict]:
    return (table, x), {"right": right or side == "right"}


@op(
    nondifferentiable=PLACE,
    reads=read_side,
    type=lambda table, x, right: TensorType("int64", x.shape),
    operand_labels=("table", "x"),
    targets={
        "jax": lambda table, x, *, right=False: jnp.searchsorted(
            table, x, side="right" if right else "left"
        ).astype("int64")
    },
)
def searchsorted(table, x, *, right=False):
    """Before which place of an increasing table x has to be put.

    Parameters
    ----------
    table : Expr or array_like, shape (n,)
        Increasing numbers.
    x : Expr or array_like
        What is looked for.
    side : {'left', 'right'}, default: 'left'
        Before or after entries that are equal to x.
    right : bool, default: False
        The same as side="right".

    Returns
    -------
    Expr
        Places from 0 to n, in the shape of x.

    Examples
    --------
    >>> ad.evaluate(ad.searchsorted([1.0, 2.0, 3.0], [0.5, 2.0]))
    array([0, 1])
    """
    return np.searchsorted(table, x, side="right" if right else "left")


@register("interp")
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Expr:
    """The function through the points (xp, fp) on straight lines, constant outside of them.

    Parameters
    ----------
    x : Expr or array_like
        Where to look.
    xp : Expr or array_like, shape (n,)
        Increasing coordinates.
    fp : Expr or array_like, shape (n,)
        The values there.
    left : Expr or float, optional
        The value below the first; by default fp[0].
    right : Expr or float, optional
        The value above the last; by default fp[-1].

    Returns
    -------
    Expr
        The values, in the shape of x.

    Raises
    ------
    ShapeError
        If xp and fp have different lengths.

    Examples
    --------
    >>> ad.evaluate(ad.interp([0.5, 3.0], [0.0, 1.0], [10.0, 20.0]))
    array([15., 20.])
    """
    x, xp, fp = real(operands((x, xp, fp), "interp"))
    told = {*xp.type.shape, *fp.type.shape} - {None}
    if len(told) > 1:
        raise ShapeError(f"xp and fp are coordinates of the same points, and have lengths {told}")
    inside = fp[0] if xp.type.shape == fp.type.shape == (1,) else on_lines(x, xp, fp)
    below = where(x < xp[0], fp[0] if left is None else left, inside)
    return where(x > xp[-1], fp[-1] if right is None else right, below)


def on_lines(x: Expr, xp: Expr, fp: Expr) -> Expr:
    """The line between the two points next to x, or the first or last two."""
    known = None not in (xp.type.shape[0], fp.type.shape[0])
    last = (xp.shape[0] if known else common_length(xp.shape[0], fp.shape[0])) - 1
    before = searchsorted(xp, x, right=True) - 1
    if not known:  # one point is both ends of a line, whose slope would be 0 / 0
        k = clip(before, 0, maximum(last - 1, 0))
        n = minimum(k + 1, last)
        gap = where(equal(n, k), 1, xp[n] - xp[k])
    else:
        k = clip(before, 0, last - 1)
        n = k + 1
        gap = xp[n] - xp[k]
    slope = (fp[n] - fp[k]) / gap
    return fp[k] + slope * (x - xp[k])


@register("diff")
def diff(x: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Expr:
    """The differences x[k + 1] − x[k] of neighbours along an axis, taken n times.

    Parameters
    ----------
    n : int, default: 1
        How many times.
    axis : int, default: -1
        Along which.
    prepend : Expr or array_like, optional
        What comes before x.
    append : Expr or array_like, optional
        What follows x.

    Returns
    -------
    Expr
        Shorter than x by n along the axis.

    Raises
    ------
    ShapeError
        If x is one number: a derivative is taken by `grad`.
    ValueError
        If n is negative.

    Examples
    --------
    >>> ad.evaluate(ad.diff([1.0, 4.0, 9.0]))
    array([3., 5.])
    """
    x = operands((x,), "diff")[0]
    if not x.ndim or isinstance(n, Expr):
        raise ShapeError(f"diff takes differences along an axis of an array, n times: for the "
                         f"derivative of {x}{at(x)} write ad.grad({x.name or 'y'}, x)")  # fmt: skip
    k = one_axis(x.type, axis)
    if n < 0:
        raise ValueError(f"diff takes differences 0 times or more, not {n}: write cumsum for sums")
    if n:
        ends = [[] if v is None else [end(x, k, v)] for v in (prepend, append)]
        x = concatenate([*ends[0], x, *ends[1]], axis=k) if ends != [[], []] else x
    for _ in range(n):
        change = not_equal if x.dtype.kind == "b" else subtract
        x = change(cut(x, k, 1, None), cut(x, k, None, -1))
    return x


def end(x: Expr, axis: int, value: Any) -> Expr:
    """An array to be joined to x: a number becomes one more entry along the axis."""
    value = operands((value,), "diff")[0]  # as in NumPy, the number's own dtype takes part
    lengths = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    return value if value.ndim else broadcast_to(value, lengths)


@register("trapezoid")
def trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Expr:
    """Σₖ (x[k + 1] − x[k])·(y[k] + y[k + 1]) / 2, the integral of y on straight lines.

    Parameters
    ----------
    y : Expr or array_like
        Values at points in a row.
    x : Expr or array_like, optional
        The points; by default dx apart.
    dx : float, default: 1.0
        The distance between points.
    axis : int, default: -1
        Along which.

    Returns
    -------
    Expr
        The integrals, without the axis.

    Examples
    --------
    >>> ad.evaluate(ad.trapezoid([0.0, 1.0, 4.0]))
    np.float64(3.0)
    """
    y = operands((y,), "trapezoid")[0]
    k = one_axis(y.type, axis)
    steps: Any = dx
    if x is not None:
        x = operands((x,), "trapezoid")[0]
        steps = diff(x, axis=axis if x.ndim > 1 else 0)
        steps = upright(steps, y.ndim - k - 1) if x.ndim == 1 else steps
    return sum(steps * (cut(y, k, 1, None) + cut(y, k, None, -1)) / 2, axis=axis)
