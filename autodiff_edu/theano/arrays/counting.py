"""`theano.tensor.extra_ops` and sorting: running sums, counts, one-hot rows, orders."""

from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Expr, TensorType, broadcast_shapes, constant
from ..core import config, lift
from ..core.own_op import own
from . import indexing, shaping
from .creation import bartlett
from .leaves import expression
from .lengths import counted_entries, one
from .unique import Unique


@lift
def cumsum(x: Any, axis: int | None = None) -> Any:
    """The sums of the first entries."""
    return library.cumsum(expression(x), axis=axis)


@lift
def cumprod(x: Any, axis: int | None = None) -> Any:
    """The products of the first entries."""
    return library.cumprod(expression(x), axis=axis)


@lift
def diff(x: Any, n: int = 1, axis: int = -1) -> Any:
    """The differences of neighbours, n times."""
    return library.diff(expression(x), n, axis)


@own(nondifferentiable="counts jump", type=lambda t, n: TensorType("int64", (None,)))
def counted(x, n):
    """How often each whole number occurs, at least n of them."""
    return np.bincount(x, minlength=int(n))


@own(
    linear=(1,),
    type=lambda t, w, n: TensorType(w.dtype, (None,)),
    pullback=lambda ct, x, w, n, out: (None, ct[x], None),
)
def weighed(x, w, n):
    """The sum of weights at each whole number."""
    return np.bincount(x, w, minlength=int(n)).astype(w.dtype)


@own(type=lambda x: x, nondifferentiable="whole numbers have no derivative")
def nonnegative(x):
    """x, none of whose entries is negative."""
    if np.any(x < 0):
        raise AssertionError("Input to bincount has negative values!")
    return x


@lift
def bincount(
    x: Any, weights: Any = None, minlength: Any = None, assert_nonneg: bool = False
) -> Any:
    """How often each number occurs, or the sum of weights there."""
    x, n = expression(x), 0 if minlength is None else one(minlength)
    if x.ndim != 1:
        raise TypeError(f"bincount takes a vector, not {x.ndim} axes: write bincount(x.flatten())")
    x = nonnegative(x) if assert_nonneg else x
    x = x.astype("int64") if x.dtype == "uint64" else x
    n = n if isinstance(n, Expr) else constant(np.int64(n))
    return counted(x, n) if weights is None else weighed(x, expression(weights), n)


@lift
def to_one_hot(y: Any, nb_class: Any, dtype: Any = None) -> Any:
    """A row for each whole number, with a 1 at its place."""
    y = expression(y)
    found = ops.equal(ops.expand_dims(y, axis=1), ops.arange(one(nb_class)))
    return found.astype(np.dtype(dtype or config.floatX))


@lift
def fill_diagonal(a: Any, val: Any) -> Any:
    """a with this value on its diagonal; of more than two axes all lengths are equal."""
    a = expression(a)
    if a.ndim == 2:
        return fill_diagonal_offset.plain(a, val, 0)
    places = ops.arange(a.shape[0])
    return a.at[(places,) * a.ndim].set(expression(val).astype(a.dtype))


@lift
def fill_diagonal_offset(a: Any, val: Any, offset: Any) -> Any:
    """a with this value on another diagonal."""
    a = expression(a)
    if a.ndim != 2:
        raise TypeError(f"fill_diagonal takes a matrix, not {a.ndim} axes")
    rows = ops.expand_dims(ops.arange(a.shape[0]), axis=1)
    on = ops.equal(rows + one(offset), ops.arange(a.shape[1]))
    return ops.where(on, expression(val).astype(a.dtype), a)


@own(nondifferentiable="places jump", type=lambda t, *n: TensorType("int64", (len(n), *t.shape)))
def unraveled(x, *lengths):
    """The places on each axis of numbers that count row by row."""
    return np.array(np.unravel_index(x, tuple(map(int, lengths))))


@own(nondifferentiable="places jump", type=lambda *t, mode, order: as_one(t))
def raveled(*given, mode, order):
    """The numbers that count row by row, of places on each axis and as many lengths."""
    places, lengths = given[: len(given) // 2], given[len(given) // 2 :]
    return np.asarray(np.ravel_multi_index(places, tuple(map(int, lengths)), mode, order))


def as_one(types: tuple[TensorType, ...]) -> TensorType:
    """The type of the numbers: places stretch over one another."""
    return TensorType("int64", broadcast_shapes(*[t.shape for t in types[: len(types) // 2]]))


def whole_numbers(x: Any, what: str) -> Expr:
    x = expression(x)
    if x.dtype.kind not in "iu":
        raise TypeError(f"{what} are whole numbers, not {x.type!r}")
    return x


def sides(dims: Any, ndim: int | None) -> list[Expr]:
    """The lengths that are counted over, one by one."""
    if np.ndim(dims) != 1 and not isinstance(dims, Expr):
        raise TypeError(f"dims must be a 1D sequence, not {dims!r}")
    dims = whole_numbers(dims, "dims")
    return [expression(n) for n in counted_entries(dims, ndim)]


@lift
def unravel_index(indices: Any, dims: Any, order: str = "C", ndim: int | None = None) -> Any:
    """The places on each axis of numbers that count row by row. Theano 1.0 does not look at the
    order either."""
    lengths = sides(dims, ndim)
    found = unraveled(whole_numbers(indices, "indices"), *lengths)
    return tuple(found[k] for k in range(len(lengths)))


@lift
def ravel_multi_index(multi_index: Any, dims: Any, mode: str = "raise", order: str = "C") -> Any:
    """The number that counts row by row, of places on each axis."""
    places = [whole_numbers(p, "places") for p in multi_index]
    return raveled(*places, *sides(dims, len(places)), mode=mode, order=order)


@lift
def searchsorted(x: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where entries of v would stand in the sorted x."""
    x = expression(x)
    if side not in ("left", "right"):
        raise ValueError(f"the side is 'left' or 'right', not {side!r}")
    if x.ndim != 1 or (sorter is not None and expression(sorter).ndim != 1):
        raise ValueError("searchsorted looks in a vector, which a vector sorts: x.flatten() is one")
    x = x if sorter is None else x[whole_numbers(sorter, "the places of a sorter")]
    return library.searchsorted(x, expression(v), right=side == "right")


@lift
def sort(a: Any, axis: int | None = -1, kind: str = "quicksort", order: Any = None) -> Any:
    """The entries in order."""
    return library.sort(expression(a), axis)


@lift
def argsort(a: Any, axis: int | None = -1, kind: str = "quicksort", order: Any = None) -> Any:
    """The places of the entries in order."""
    return library.argsort(expression(a), axis=axis)


@lift
def topk_and_argtopk(
    x: Any, kth: Any, axis: int | None = -1, sorted: bool = True, idx_dtype: str = "int64"
) -> Any:
    """The kth largest entries, in no promised order, and their places; the smallest if k < 0."""
    x, k = expression(x), one(kth)
    x, axis = (ops.ravel(x), 0) if axis is None else (x, axis % x.ndim)
    places = library.argsort(x, axis=axis)
    smallest = not isinstance(k, Expr) and k < 0
    part = slice(None, -k) if smallest else slice(-k, None)
    places = places[(*(slice(None),) * axis, part)]
    return [library.take_along_axis(x, places, axis), places.astype(idx_dtype)]


def topk(x: Any, kth: Any, axis: Any = -1, sorted: bool = True, idx_dtype: str = "int64") -> Any:
    """The kth largest entries."""
    return topk_and_argtopk(x, kth, axis)[0]


def argtopk(x: Any, kth: Any, axis: Any = -1, sorted: bool = True, idx_dtype: str = "int64") -> Any:
    """Their places."""
    return topk_and_argtopk(x, kth, axis, idx_dtype=idx_dtype)[1]


@lift
def inverse_permutation(perm: Any) -> Any:
    """The permutation that undoes one; of a matrix, that of each row."""
    perm = expression(perm)
    return library.argsort(perm, axis=-1).astype(perm.dtype)


@lift
def permuted(x: Any, y: Any, inverse: Any = 0) -> Any:
    """The entries of each row in the order that y says."""
    x, y = expression(x), expression(y)
    y = library.argsort(y, axis=-1) if inverse else y
    if y.ndim < x.ndim:
        y = ops.broadcast_to(y, x.shape)
    return library.take_along_axis(x, y, -1) if x.ndim > 1 else x[y]


NAMES: dict[str, Any] = {
    f.__name__: f for f in (bincount, cumprod, cumsum, diff, fill_diagonal, fill_diagonal_offset,
                            ravel_multi_index, searchsorted, to_one_hot, unravel_index)
} | {"Unique": Unique, "bartlett": bartlett, "compress": indexing.compress,
     "repeat": shaping.NAMES["repeat"], "squeeze": shaping.squeeze}  # fmt: skip
SORT: dict[str, Any] = {
    f.__name__: f for f in (argsort, argtopk, sort, topk, topk_and_argtopk)
}  # fmt: skip
