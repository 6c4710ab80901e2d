"""A sequence cut to the number of steps, for which it must have enough slices."""

from collections.abc import Sequence
from typing import Any

from ...expr import Expr, TensorType, constant, same
from ...ops import op
from ...ops.index import surround


def cut_type(t: TensorType, n: TensorType, axis: int) -> TensorType:
    return TensorType(t.dtype, [None if k == axis else m for k, m in enumerate(t.shape)])


@op(
    view=True,
    label="·[:n]",
    written="{0}[:{1}]",
    linear=(0,),
    type=cut_type,
    lengths=(1,),
    batch=lambda inputs, flags, axis: of_every_example(inputs, flags, axis + 1),
    pullback=lambda ct, x, n, out, axis: (surround(ct, 0, n, x.shape[axis], axis=axis), None),
)
def first_slices(x, n, *, axis=0):
    """x[:n] along an axis, which must be that long."""
    if x.shape[axis] < n:
        raise ValueError(f"{n} steps, but there are slices for {x.shape[axis]}")
    return x[(slice(None),) * axis + (slice(int(n)),)]


def of_every_example(inputs: Sequence[Expr], flags: Sequence[bool], axis: int) -> Expr:
    x, n = inputs
    if flags[1]:
        raise unbatched(f"{n} steps are another number")
    return first_slices(x, n, axis=axis)


def unbatched(what: str) -> TypeError:
    """The error where examples would go through a loop in different ways."""
    return TypeError(f"{what} for each example: call the loop for one example after the other")


def cut(x: Expr, steps: Any) -> Expr:
    """x itself where it is known to be as long as there are steps; else its first slices."""
    n = x.shape[0]
    unknown = [isinstance(k, Expr) for k in (n, steps)]
    if n is steps or (all(unknown) and same([n], [steps])) or (not any(unknown) and n == steps):
        return x
    steps_now = steps if isinstance(steps, Expr) else constant(steps)
    return first_slices(x, steps_now) if any(unknown) else x[:steps]
