"""The outputs of a loop that are its states: all but the first, which was given."""

from typing import Any

from ...expr import Expr, TensorType
from ...ops import op
from ...ops.batch import every as every_slice
from ...ops.index import ALL, embed, part


def without_first(t: TensorType, last: TensorType) -> TensorType:
    n = t.shape[0]
    return TensorType(t.dtype, (None if n is None else n - 1, *t.shape[1:]))


def last_one(every: Expr, last: Expr, key: Any) -> Expr | None:
    """history[-1] is the last state, or the first after no step; no other has to be kept for it."""
    return last if type(key) is int and key == -1 else None


def first_cut(ndim: int) -> tuple:
    """The key of all but the first slice."""
    return ((1, None, None), *[ALL] * (ndim - 1))


def of_each(every: Expr) -> Expr:
    return part(every, (ALL, *first_cut(every.ndim - 1)))


def after_first(ct: Expr, every: Expr) -> Expr:
    return embed(ct, every.shape, key=first_cut(every.ndim))


def parted(ct: Expr) -> tuple[Expr | None, Expr]:
    """A cotangent of all states, as that of the first one, None where there is none, and that of
    the others."""
    if ct.op is embed and dict(ct.static)["key"] == first_cut(ct.ndim):
        return None, ct.inputs[0]
    return ct[0], ct[1:]


@op(
    view=True,
    label="·[1:]",
    written="{0}[1:]",
    linear=(0,),
    type=without_first,
    batch=lambda inputs, flags: of_each(every_slice(inputs, flags)[0]),
    pullback=lambda ct, every, last, out: (after_first(ct, every), None),
    taken=last_one,
    cost=0,
    operand_labels=("", ""),
    drawn=1,
)
def history(every, last):
    """All states of a loop but the first; the last one is known by itself."""
    return every[1:]
