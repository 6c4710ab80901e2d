"""The entries at places along the first axes, and their opposite: sums at places."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, TensorType, broadcast_shapes, spell
from .batch import after_leading, repeated
from .comparison import PLACE
from .cost import each_entry
from .declare import op
from .lengths import alone, arange, fill, unfilled
from .shape import moveaxis

jnp = LazyModule("jax.numpy")


@op(
    label="places",
    nondifferentiable=PLACE,
    type=lambda t, *n: TensorType("int64", (t.ndim, None)),
    lengths=(0,),
    cost=0,
)
def places(mask, *lengths):
    """The places where a mask, over axes of these lengths, is true, one row an axis."""
    if lengths and mask.shape != lengths:
        raise other_lengths(f"shape {mask.shape}", lengths)
    return np.array(np.nonzero(mask))


def other_lengths(mask: str, lengths: tuple) -> IndexError:
    """The error where a mask does not fit what it masks."""
    return IndexError(f"a mask of {mask} for axes of lengths {spell(lengths)}")


def gathered(t: TensorType, *indices: TensorType) -> TensorType:
    found = broadcast_shapes(*[i.shape for i in indices])
    return TensorType(t.dtype, found + t.shape[len(indices) :])


def gather_slices(inputs: Sequence[Expr], flags: Sequence[bool]) -> Expr:
    """Only x varies: its new axis waits behind the indexed ones. Else that axis is indexed too."""
    x, *indices = inputs
    if not any(flags[1:]):
        found = gather(moveaxis(x, 0, len(indices)), *indices)
        return moveaxis(found, found.ndim - x.ndim + len(indices), 0)
    rows = same_rank(indices, flags[1:])
    return gather(x, each(rows), *rows) if flags[0] else gather(x, *rows)


def same_rank(indices: Sequence[Expr], flags: Sequence[bool]) -> list[Expr]:
    """The indices with the axes of those that vary lined up behind the leading one."""
    most = max(i.ndim - f for i, f in zip(indices, flags, strict=True))
    return [
        after_leading(i, most - i.ndim + 1) if f else i for i, f in zip(indices, flags, strict=True)
    ]


def each(rows: Sequence[Expr]) -> Expr:
    """0, 1, …, n − 1 along the leading axis of the rows."""
    longest = max(rows, key=lambda r: r.ndim)
    numbers = arange(longest.shape[0])
    return after_leading(numbers, longest.ndim - 1)


@op(
    view=True,
    label="[i]",
    linear=(0,),
    type=gathered,
    pullback=lambda ct, x, *rest: alone(scatter(ct, *rest[:-1], shape=x.shape), rest[:-1]),
    batch=gather_slices,
    operand_labels=("x", *"ijklmnop"),
    targets={"jax": lambda x, *indices: jnp.asarray(x)[indices]},  # x may be NumPy's: a constant
)
def gather(x, *indices):
    """The entries of x at places along its first axes, one array of places for each axis."""
    return x[indices]


def read_scatter(x: Any, *rest: Any, shape: Any, count: int | None = None) -> tuple[tuple, dict]:
    count = len(rest) if count is None else count
    lengths = [n for n in shape if isinstance(n, Expr)]
    known = tuple(None if isinstance(n, Expr) else n for n in shape)
    return (x, *rest, *lengths), {"count": count, "shape": known}


def scatter_slices(inputs: Sequence[Expr], flags: Sequence[bool], count: int, shape: Any) -> Expr:
    x, indices, whole = inputs[0], inputs[1 : count + 1], unfilled(shape, inputs[count + 1 :])
    if not any(flags[1:]):
        later = moveaxis(x, 0, x.ndim - 1 - (len(whole) - count))
        longer = (*whole[:count], x.shape[0], *whole[count:])
        return moveaxis(scatter(later, *indices, shape=longer), count, 0)
    rows = same_rank(indices, flags[1 : count + 1])
    numbers = each(rows)
    x = x if flags[0] else repeated(x, numbers.shape[0])
    return scatter(x, numbers, *rows, shape=(numbers.shape[0], *whole))


@op(
    label="scatter",
    linear=(0,),
    reads=read_scatter,
    type=lambda t, *rest, count, shape: TensorType(t.dtype, shape),
    pullback=lambda ct, x, *rest, count, shape: alone(gather(ct, *rest[:count]), rest[:-1]),
    batch=scatter_slices,
    cost=each_entry(),
    operand_labels=("x", *"ijklmnop"),
    drawn=1,
    targets={
        "jax": lambda x, *rest, count, shape: (
            jnp.zeros(fill(shape, rest[count:]), x.dtype).at[rest[:count]].add(x)
        )
    },
)
def scatter(x, *rest, count, shape):
    """Zeros of a shape, to which the entries of x are added at their places."""
    out = np.zeros(fill(shape, rest[count:]), np.asarray(x).dtype)
    np.add.at(out, rest[:count], x)
    return out
