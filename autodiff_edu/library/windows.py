"""Sliding windows, and what is made of them: convolution and pooling, by matrix products."""

from collections.abc import Sequence
from functools import reduce
from operator import index as whole
from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, ShapeError, TensorType, operands, register, shown
from ..ops.comparison import less, maximum, minimum, where
from ..ops.cost import each_entry
from ..ops.declare import op
from ..ops.index import ALL, embedded
from ..ops.lengths import WHOLE, alone, fill, listed, one_axis, read_shape, unfilled
from ..ops.reduce import mean
from ..ops.shape import expand_dims, moveaxis
from .arrange import at_least
from .convolution import correlate_images
from .moving import flip
from .padding import pad
from .rounding import floor_divide
from .tensor_products import tensordot

jnp = LazyModule("jax.numpy")

__all__ = [
    "conv2d", "convolve", "correlate", "max_pool2d", "mean_pool2d", "sliding_window_view",
]  # fmt: skip

# ---- windows and their adjoint


def one_for_each(given: Any, count: int, word: str, least: int = 1) -> tuple:
    """A whole number for each of so many axes; one stands for all of them. Raises TypeError for
    what is no number of this kind and ValueError for one that is too small."""
    row = tuple(given) if isinstance(given, (list, tuple, np.ndarray)) else (given,) * count
    said = f"{word} is a whole number from {least} on, or {count} of them, not {shown(given)}"
    try:
        found = tuple([n if isinstance(n, Expr) else whole(n) for n in row])
    except TypeError:
        raise TypeError(said) from None
    if len(found) != count or any(n < least for n in found if not isinstance(n, Expr)):
        raise ValueError(said)
    return found


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


def added_windows(x: Any, shape: Sequence[int], size: tuple, stride: tuple) -> Any:
    """`overlap` for JAX, whose arrays cannot be written into."""
    places = x.shape[x.ndim - 2 * len(size) : x.ndim - len(size)]
    out = jnp.zeros(shape, x.dtype)
    for offset in np.ndindex(*size):
        steps = zip(offset, places, stride, strict=True)
        key = [(o, o + n * k, k) for o, n, k in steps]
        out += embedded(x[(..., *offset)], shape, (*[ALL] * (len(shape) - len(key)), *key))
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
            x, fill(shape, lengths), size, stride
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
def sliding_window_view(x: Any, window_shape: Any, axis: Any = None) -> Expr:
    """All windows over axes of x, as new axes at the end.

    Parameters
    ----------
    window_shape : int or tuple of int
        The lengths of a window.
    axis : int or tuple of int, optional
        Along which, one for each length; by default all. An axis that is named again has windows
        of its windows.

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
    (x,) = operands((x,), "sliding_window_view")
    named = range(x.ndim) if axis is None else listed(axis)
    axes = tuple([one_axis(x.type, k) for k in named])
    size = (window_shape,) if np.ndim(window_shape) == 0 else tuple(window_shape)
    if len(size) != len(axes):
        raise ValueError(f"{len(size)} window lengths for {len(axes)} axes: one for each")
    size = one_for_each(size, len(axes), "window_shape", 0)
    if len(set(axes)) < len(axes):
        for n, k in zip(size, axes, strict=True):
            x = sliding_window_view(x, n, k)
        return x
    last = tuple(range(x.ndim - len(axes), x.ndim))
    found = windows(moveaxis(x, axes, last), size=size, stride=(1,) * len(size))
    return moveaxis(found, last, axes)


# ---- convolution


MODES = ("full", "same", "valid")  # which places of a convolution are kept


@register("convolve")
def convolve(a: Any, v: Any, mode: str = "full") -> Expr:
    """The convolution of two vectors, Σₖ a[k]·v[n − k].

    Parameters
    ----------
    a : Expr or array_like, shape (m,)
        A vector.
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
        If the mode is none of these, or a vector has no entries.

    Examples
    --------
    >>> ad.evaluate(ad.convolve([1.0, 2.0, 3.0], [1.0, 1.0]))
    array([1., 3., 5., 3.])
    """
    a, v = vectors(a, v, mode, "convolve")
    n, m = a.type.shape[0], v.type.shape[0]
    if n is None or m is None:
        return overlapping(a, v, mode)
    if m > n:
        return convolve(v, a, mode)
    sides = {"full": (m - 1, m - 1), "same": (m // 2, (m - 1) // 2), "valid": (0, 0)}
    around = pad(a, [sides[mode]]) if any(sides[mode]) else a
    return windows(around, size=(m,), stride=(1,)) @ flip(v)


@op(
    nondifferentiable=WHOLE,
    type=lambda n, m: TensorType("int64"),
    targets={"jax": lambda n, m: m - 1},
    cost=0,
    free=True,
)
def overhang(n, m):
    """How far a vector of m entries reaches past one of n entries, if they share one entry."""
    if not n or not m:
        raise ValueError(f"a convolution takes vectors that have entries: these have {n} and {m}")
    return m - 1


def overlapping(a: Expr, v: Expr, mode: str, turned: bool = False) -> Expr:
    """The convolution, if lengths are not known: all places at which a and v overlap, and of these
    the ones that the mode keeps; turned is whether one more is left out in front, not behind."""
    n, m = a.shape[0], v.shape[0]
    wide = overhang(n, m)
    images = expand_dims(pad(a, [(wide, wide)]), axis=(0, 1))
    filters = expand_dims(flip(v), axis=(0, 1))
    every = correlate_images(images, filters, stride=(1,), dilation=(1,))[0, 0]
    if mode == "full":
        return every
    short, long = minimum(n, m), maximum(n, m)
    if mode == "valid":
        return every[short - 1 : long]
    first = floor_divide(where(less(n, m), short, short - 1) if turned else short - 1, 2)
    return every[first : first + long]


@register("correlate")
def correlate(a: Any, v: Any, mode: str = "valid") -> Expr:
    """The correlation of two vectors, Σₖ a[n + k]·v[k].

    Parameters
    ----------
    a : Expr or array_like, shape (m,)
        A vector.
    v : Expr or array_like, shape (k,)
        Another.
    mode : {'valid', 'same', 'full'}, default: 'valid'
        Which n: see `convolve`.

    Returns
    -------
    Expr
        A vector.

    Examples
    --------
    >>> ad.evaluate(ad.correlate([1.0, 2.0, 3.0], [1.0, 1.0]))
    array([3., 5.])
    """
    a, v = vectors(a, v, mode, "correlate")
    n, m = a.type.shape[0], v.type.shape[0]
    if n is None or m is None:
        return overlapping(a, flip(v), mode, turned=True)
    return flip(convolve(v, flip(a), mode)) if m > n else convolve(a, flip(v), mode)


def vectors(a: Any, v: Any, mode: str, name: str) -> list[Expr]:
    """The two as vectors. Raises ShapeError for others, and ValueError for a mode that there is
    not."""
    if mode not in MODES:
        raise ValueError(f"mode is full, same or valid, not {mode!r}")
    found = [at_least(1, x) for x in operands((a, v), name)]
    for x in found:
        if x.ndim != 1 or x.type.shape[0] == 0:
            raise ShapeError(f"{name} takes vectors that have entries, and {x} is {x.type!r}")
    return found


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
    size, step = w.shape[2:], one_for_each(stride, 2, "stride")
    if isinstance(padding, str) and padding == "same":
        sides = [((k - 1) // 2, k // 2) for k in size]
    else:
        sides = [(k, k) for k in one_for_each(padding, 2, 'padding, if not "same",', 0)]
    zero = all(type(k) is int and k == 0 for side in sides for k in side)
    around = x if zero else pad(x, [(0, 0), (0, 0), *sides])
    if None in w.type.shape[2:]:
        return correlate_images(around, w, stride=step, dilation=(1, 1))
    seen = windows(around, size=w.type.shape[2:], stride=step)
    return moveaxis(tensordot(seen, w, ((1, 4, 5), (1, 2, 3))), 3, 1)


@register("max_pool2d")
def max_pool2d(x: Any, size: Any = 2, stride: Any = None) -> Expr:
    """The largest entry of each window over the last two axes.

    Of several that are largest, the first has the slope, as in a chain of maximum.

    Parameters
    ----------
    x : Expr or array_like, shape (..., height, width)
        Images.
    size : int or tuple of int, default: 2
        Of the windows.
    stride : int or tuple of int, optional
        Steps from one to the next; by default the size.

    Returns
    -------
    Expr, shape (..., rows, columns)
        A number for each window.

    See Also
    --------
    conv2d : A weighted sum of each window.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.max_pool2d(x), {x: [[1.0, 2.0], [3.0, 4.0]]})
    array([[4.]])
    """
    size = one_for_each(size, 2, "size")
    seen = seen_by(x, size, stride)
    return reduce(maximum, [seen[..., i, j] for i, j in np.ndindex(size)])


@register("mean_pool2d")
def mean_pool2d(x: Any, size: Any = 2, stride: Any = None) -> Expr:
    """The mean of each window over the last two axes.

    Parameters
    ----------
    x : Expr or array_like, shape (..., height, width)
        Images.
    size : int or tuple of int, default: 2
        Of the windows.
    stride : int or tuple of int, optional
        Steps from one to the next; by default the size.

    Returns
    -------
    Expr, shape (..., rows, columns)
        A number for each window.

    See Also
    --------
    conv2d : A weighted sum of each window.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.mean_pool2d(x), {x: [[1.0, 2.0], [3.0, 4.0]]})
    array([[2.5]])
    """
    return mean(seen_by(x, size, stride), axis=(-2, -1))


def seen_by(x: Expr, size: Any, stride: Any) -> Expr:
    size = one_for_each(size, 2, "size")
    return windows(
        x, size=size, stride=one_for_each(size if stride is None else stride, 2, "stride")
    )
