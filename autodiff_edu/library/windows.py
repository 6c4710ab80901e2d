"""Sliding windows, and what is made of them: convolution and pooling, by matrix products."""

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, ShapeError, TensorType, operands, register
from ..ops.comparison import maximum
from ..ops.cost import each_entry
from ..ops.creation import full
from ..ops.declare import op
from ..ops.index import embed
from ..ops.lengths import alone, axes_as_given, fill, read_shape, unfilled
from ..ops.reduce import mean
from ..ops.shape import moveaxis
from .arrange import at_least, concatenate
from .convolution import correlate_images
from .moving import flip
from .tensor_products import tensordot

jnp = LazyModule("jax.numpy")

__all__ = [
    "conv2d", "convolve", "correlate", "max_pool2d", "mean_pool2d", "pad", "sliding_window_view",
]  # fmt: skip

# ---- windows and their opposite


def places_of(n: int | None, size: int, stride: int) -> int | None:
    if n is not None and n < size:
        raise ShapeError(f"a window of length {size} does not fit into {n} entries")
    return None if n is None else (n - size) // stride + 1


def windowed(t: TensorType, size: tuple, stride: tuple) -> TensorType:
    if t.ndim < len(size):
        raise ShapeError(f"a window of {len(size)} axes needs as many axes, not {t.ndim}")
    before = t.shape[: t.ndim - len(size)]
    last = zip(t.shape[t.ndim - len(size) :], size, stride, strict=True)
    return TensorType(t.dtype, (*before, *[places_of(*each) for each in last], *size))


@op(
    view=True,
    linear=True,
    type=windowed,
    pullback=lambda ct, x, out, size, stride: (overlap(ct, x.shape, size=size, stride=stride),),
    batch=lambda inputs, flags, size, stride: windows(inputs[0], size=size, stride=stride),
    overlaps=True,
    targets={"jax": lambda x, *, size, stride: windows_of(x, size, stride)},
)
def windows(x, *, size, stride):
    """All windows of a size over the last axes of x, with this many steps from one to the next."""
    axes = tuple(range(x.ndim - len(size), x.ndim))
    seen = np.lib.stride_tricks.sliding_window_view(x, size, axes)
    steps = tuple(slice(None, None, k) for k in stride)
    return seen[(slice(None),) * axes[0] + steps]


def windows_of(x: Any, size: tuple, stride: tuple) -> Any:
    """`windows` for JAX, which has no views: the entries by their places."""
    last, count = x.shape[x.ndim - len(size) :], len(size)
    key: Any = []
    for k, (n, m, step) in enumerate(zip(last, size, stride, strict=True)):
        places = np.arange(0, n - m + 1, step)[:, None] + np.arange(m)
        shape = np.ones(2 * count, int)
        shape[[k, count + k]] = places.shape
        key.append(places.reshape(shape))
    return x[(..., *key)]


def added_windows(x: Any, out: Any, size: tuple, stride: tuple) -> Any:
    """`overlap` for JAX, whose arrays cannot be written into."""
    places = x.shape[x.ndim - 2 * len(size) : x.ndim - len(size)]
    for offset in np.ndindex(*size):
        steps = zip(offset, places, stride, strict=True)
        key = (..., *[slice(o, o + n * k, k) for o, n, k in steps])
        out = out.at[key].add(x[(..., *offset)])
    return out


def read_overlap(x: Any, *lengths: Any, size: tuple, stride: tuple, shape: Any = None) -> tuple:
    args, static = read_shape(x, *lengths, shape=shape)
    return args, {"size": size, "stride": stride, **static}


@op(
    linear=(0,),
    reads=read_overlap,
    type=lambda t, *lengths, size, stride, shape: TensorType(t.dtype, shape),
    pullback=lambda ct, x, *rest, size, stride, shape: alone(
        windows(ct, size=size, stride=stride), rest[:-1]
    ),
    batch=lambda inputs, flags, shape, **how: overlap(
        inputs[0], (inputs[0].shape[0], *unfilled(shape, inputs[1:])), **how
    ),
    cost=each_entry(),
    drawn=1,
    targets={
        "jax": lambda x, *lengths, size, stride, shape: added_windows(
            x, jnp.zeros(fill(shape, lengths), x.dtype), size, stride
        )
    },
)
def overlap(x, *lengths, size, stride, shape):
    """Zeros of a shape, to which every window is added where it was taken from."""
    out = np.zeros(fill(shape, lengths), x.dtype)
    places = x.shape[x.ndim - 2 * len(size) : x.ndim - len(size)]
    for offset in np.ndindex(*size):
        steps = zip(offset, places, stride, strict=True)
        key: Any = (..., *[slice(o, o + n * k, k) for o, n, k in steps])
        out[key] += x[(..., *offset)]
    return out


@register("sliding_window_view")
def sliding_window_view(x: Expr, window_shape: Any, axis: Any = None) -> Expr:
    """All windows over axes of x, as new axes at the end.

    Parameters
    ----------
    x : Expr
        An array.
    window_shape : int or tuple of int
        The lengths of a window.
    axis : int or tuple of int, optional
        Along which, one for each length; by default all.

    Returns
    -------
    Expr
        The windows, one step apart.

    Raises
    ------
    ValueError
        If there is not one length for each axis.

    See Also
    --------
    numpy.lib.stride_tricks.sliding_window_view : The same for arrays.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.sliding_window_view(x, 2), {x: [1.0, 2.0, 3.0]})
    array([[1., 2.],
           [2., 3.]])
    """
    size = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    axes = axes_as_given(x.type, axis)
    if len(size) != len(axes):
        raise ValueError(f"{len(size)} window lengths for {len(axes)} axes: one for each")
    last = tuple(range(x.ndim - len(axes), x.ndim))
    found = windows(moveaxis(x, axes, last), size=size, stride=(1,) * len(size))
    return moveaxis(found, last, axes)


# ---- padding


BY_PLACE = ("edge", "reflect", "symmetric", "wrap")  # modes that repeat entries of the array


@register("pad")
def pad(x: Expr, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Expr:
    """An array with more entries around it.

    Parameters
    ----------
    x : Expr
        An array.
    pad_width : int, Expr or list of tuple
        How many before and after, for all axes or for each; a number may be an expression.
    mode : {'constant', 'edge', 'reflect', 'symmetric', 'wrap'}, default: 'constant'
        A number, or entries of x.
    constant_values : float or Expr, default: 0
        The number.

    Returns
    -------
    Expr
        A longer array.

    Raises
    ------
    ValueError
        If a width is negative or the mode is none of these.

    See Also
    --------
    numpy.pad : The same for arrays.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.pad(x, 1), {x: [1.0, 2.0]})
    array([0., 1., 2., 0.])
    """
    widths = each_side(pad_width, x.ndim)
    unknown = any(isinstance(n, Expr) for side in widths for n in side)
    if any(n < 0 for side in widths for n in side if not isinstance(n, Expr)):
        raise ValueError(f"pad takes widths of 0 or more, not {pad_width}")
    if mode not in ("constant", *BY_PLACE):
        raise ValueError(f"pad takes the modes constant, {', '.join(BY_PLACE)} here, not {mode!r}")
    if mode != "constant":
        return padded_by_itself(x, widths, mode)
    if unknown or isinstance(constant_values, Expr) or np.count_nonzero(constant_values):
        return framed(x, widths, constant_values)
    key = tuple((a, -b or None, None) for a, b in widths)
    return embed(x, tuple(n + a + b for n, (a, b) in zip(x.shape, widths)), key=key)


def each_side(given: Any, ndim: int) -> list[list[Any]]:
    """Widths before and after for each axis; a width may be an expression."""
    if isinstance(given, Expr):
        return [[given, given]] * ndim
    rows = [list(row) if isinstance(row, (list, tuple)) else row for row in given] if isinstance(
        given, (list, tuple)) else given  # fmt: skip
    cells = [n for row in rows for n in (row if isinstance(row, list) else [row])] if isinstance(
        rows, list) else []  # fmt: skip
    if not any(isinstance(n, Expr) for n in cells):
        return np.broadcast_to(given, (ndim, 2)).tolist()
    return [row if isinstance(row, list) else rows for row in rows][:ndim]


def padded_by_itself(x: Expr, widths: Sequence[Sequence[int]], mode: str) -> Expr:
    for k, (a, b) in enumerate(widths):
        n = x.type.shape[k]
        if n is None:
            raise ShapeError(f"pad with mode={mode!r} needs the length of axis {k}: declare it")
        places = np.pad(np.arange(n), (a, b), mode=mode)  # type: ignore[call-overload]
        x = x[(slice(None),) * k + (places,)] if a or b else x
    return x


def framed(x: Expr, widths: Sequence[Sequence[int]], value: Any) -> Expr:
    value = value if isinstance(value, Expr) else np.asarray(value)
    pairs = [(value, value)] * x.ndim if not value.ndim else np.broadcast_to(value, (x.ndim, 2))
    for k, both in enumerate(pairs):
        edges = [full((*x.shape[:k], n, *x.shape[k + 1 :]), v, x.dtype)
                 for n, v in zip(widths[k], both)]  # fmt: skip
        x = concatenate([edges[0], x, edges[1]], axis=k)
    return x


# ---- convolution


@register("convolve")
def convolve(a: Any, v: Any, mode: str = "full") -> Expr:
    """The convolution of two vectors, Σₖ a[k]·v[n − k].

    Parameters
    ----------
    a : Expr or array_like, shape (m,)
        A vector of a known length.
    v : Expr or array_like, shape (k,)
        Another.
    mode : {'full', 'same', 'valid'}, default: 'full'
        All n at which the two overlap, as many as the longer has entries, or those at which
        one lies within the other.

    Returns
    -------
    Expr
        A vector.

    Raises
    ------
    ValueError
        If the mode is none of these.

    See Also
    --------
    numpy.convolve : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.convolve([1.0, 2.0, 3.0], [1.0, 1.0]))
    array([1., 3., 5., 3.])
    """
    a, v = (at_least(1, x) for x in operands((a, v), "convolve"))
    if vector_length(v, "convolve") > vector_length(a, "convolve"):
        a, v = v, a
    m = vector_length(v, "convolve")
    sides = {"full": (m - 1, m - 1), "same": (m // 2, (m - 1) // 2), "valid": (0, 0)}
    if mode not in sides:
        raise ValueError(f"mode is full, same or valid, not {mode!r}")
    around = pad(a, [sides[mode]]) if any(sides[mode]) else a
    return windows(around, size=(m,), stride=(1,)) @ flip(v)


@register("correlate")
def correlate(a: Any, v: Any, mode: str = "valid") -> Expr:
    """The correlation of two vectors, Σₖ a[n + k]·v[k].

    Parameters
    ----------
    a : Expr or array_like, shape (m,)
        A vector of a known length.
    v : Expr or array_like, shape (k,)
        Another.
    mode : {'valid', 'same', 'full'}, default: 'valid'
        Which n: see `convolve`.

    Returns
    -------
    Expr
        A vector.

    See Also
    --------
    numpy.correlate : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.correlate([1.0, 2.0, 3.0], [1.0, 1.0]))
    array([3., 5.])
    """
    a, v = operands((a, v), "correlate")
    if vector_length(v, "correlate") > vector_length(a, "correlate"):
        return flip(correlate(v, a, mode))
    return convolve(a, flip(v), mode)


def vector_length(x: Expr, name: str) -> int:
    if x.ndim != 1 or x.type.shape[0] is None:
        raise ShapeError(f"{name} takes vectors of known lengths, and {x} is {x.type!r}")
    return x.type.shape[0]


def pair(given: Any) -> tuple[int, int]:
    return (given, given) if isinstance(given, int) else tuple(given)


@register("conv2d")
def conv2d(x: Any, w: Any, stride: Any = 1, padding: Any = 0) -> Expr:
    """Convolve images with filters: for each filter and place the sum of products, not flipped.

    It is one matrix product of the filters with all windows.

    Parameters
    ----------
    x : Expr or array_like, shape (n, channels, height, width)
        The images.
    w : Expr or array_like, shape (filters, channels, h, w)
        The filters.
    stride : int or tuple of int, default: 1
        Steps from one place to the next, down and to the right.
    padding : int, tuple of int or "same", default: 0
        Zeros around the images; "same" keeps their size at stride 1.

    Returns
    -------
    Expr, shape (n, filters, rows, columns)
        The sums of products.

    Raises
    ------
    ShapeError
        If the lengths do not fit.

    See Also
    --------
    max_pool2d : The largest entry of each window.

    Examples
    --------
    >>> image, edge = np.array([[[[0.0, 1.0, 1.0]]]]), np.array([[[[-1.0, 1.0]]]])
    >>> ad.evaluate(ad.conv2d(image, edge))
    array([[[[1., 0.]]]])
    """
    x, w = operands((x, w), "conv2d")
    if x.ndim != 4 or w.ndim != 4:
        raise ShapeError(f"conv2d takes images of 4 axes and filters of 4, not {x.ndim}, {w.ndim}")
    if len({x.type.shape[1], w.type.shape[1]} - {None}) > 1:
        raise ShapeError(f"the images {x} have {x.type.shape[1]} channels, the filters {w} have "
                         f"{w.type.shape[1]}")  # fmt: skip
    size = w.shape[2:]
    if padding == "same":
        sides = [((k - 1) // 2, k // 2) for k in size]
    else:
        sides = [(k, k) for k in pair(padding)]
    zero = all(type(k) is int and k == 0 for side in sides for k in side)
    around = x if zero else pad(x, [(0, 0), (0, 0), *sides])
    if None in w.type.shape[2:]:
        return correlate_images(around, w, stride=pair(stride), dilation=(1, 1))
    seen = windows(around, size=w.type.shape[2:], stride=pair(stride))
    return moveaxis(tensordot(seen, w, ((1, 4, 5), (1, 2, 3))), 3, 1)


@register("max_pool2d")
def max_pool2d(x: Expr, size: Any = 2, stride: Any = None) -> Expr:
    """The largest entry of each window over the last two axes.

    Of several that are largest, the first has the slope, as in a chain of maximum.

    Parameters
    ----------
    x : Expr, shape (..., height, width)
        Images.
    size : int or tuple of int, default: 2
        Of the windows.
    stride : int or tuple of int, optional
        Steps from one to the next; by default the size.

    Returns
    -------
    Expr, shape (..., rows, columns)
        A number for each window.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.max_pool2d(x), {x: [[1.0, 2.0], [3.0, 4.0]]})
    array([[4.]])
    """
    seen = seen_by(x, size, stride)
    return reduce(maximum, [seen[..., i, j] for i, j in np.ndindex(pair(size))])


@register("mean_pool2d")
def mean_pool2d(x: Expr, size: Any = 2, stride: Any = None) -> Expr:
    """The mean of each window over the last two axes.

    Parameters
    ----------
    x : Expr, shape (..., height, width)
        Images.
    size : int or tuple of int, default: 2
        Of the windows.
    stride : int or tuple of int, optional
        Steps from one to the next; by default the size.

    Returns
    -------
    Expr, shape (..., rows, columns)
        A number for each window.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.mean_pool2d(x), {x: [[1.0, 2.0], [3.0, 4.0]]})
    array([[2.5]])
    """
    return mean(seen_by(x, size, stride), axis=(-2, -1))


def seen_by(x: Expr, size: Any, stride: Any) -> Expr:
    return windows(x, size=pair(size), stride=pair(size if stride is None else stride))
