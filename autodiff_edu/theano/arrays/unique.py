"""The different entries of an array, or its different rows."""

from typing import Any

import numpy as np

from ...expr import Expr, TensorType
from ..core import lift
from ..core.own_op import own
from .leaves import expression

PARTS = ("entries", "index", "inverse", "counts")


def part_type(t: TensorType, axis: int | None, part: str) -> TensorType:
    if part != "entries":
        return TensorType("int64", (None,))
    if axis is None:
        return TensorType(t.dtype, (None,))
    return TensorType(t.dtype, (*t.shape[:axis], None, *t.shape[axis + 1 :]))


@own(nondifferentiable="which entries differ jumps", type=part_type)
def unique_part(x, *, axis, part):
    """What np.unique gives: the different entries, or what belongs to them."""
    if part == "entries":
        return np.unique(x, axis=axis)
    asked: dict[str, Any] = {f"return_{part}": True}
    return np.unique(x, axis=axis, **asked)[1].ravel()


def unique_entries(x: Expr) -> Expr:
    """The different entries, in order."""
    return unique_part(x, axis=None, part="entries")


class Unique:
    """Unique()(x): the different entries of x, in order; with an axis, what differs along it.
    Options add the first places, the place of each entry of x among them, and how often each
    occurs."""

    def __init__(
        self,
        return_index: bool = False,
        return_inverse: bool = False,
        return_counts: bool = False,
        axis: int | None = None,
    ):
        self.return_index, self.return_inverse = return_index, return_inverse
        self.return_counts, self.axis = return_counts, axis

    def __call__(self, x: Any, return_list: bool = False) -> Any:
        found = lift(self.results)(x)
        return found if return_list or len(found) > 1 else found[0]

    def results(self, x: Any) -> list[Expr]:
        x = expression(x)
        axis = self.axis
        if axis is not None and not -x.ndim <= axis < x.ndim:
            raise RuntimeError(f"Unique along axis {axis} takes more axes than the {x.ndim} of {x}")
        axis = None if axis is None else axis % x.ndim
        wanted = True, self.return_index, self.return_inverse, self.return_counts
        return [unique_part(x, axis=axis, part=p) for p, w in zip(PARTS, wanted, strict=True) if w]
