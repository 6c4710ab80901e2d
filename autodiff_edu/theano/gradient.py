"""`theano.gradient`."""

from typing import Any

from .. import differentiate
from ..expr import DisconnectedType, NullType
from ..ops import disconnected_grad, grad_clip, grad_scale, zero_grad

__all__ = [
    "DisconnectedType", "NullType", "disconnected_grad", "grad", "grad_clip", "grad_scale",
    "zero_grad",
]  # fmt: skip


def grad(cost: Any, wrt: Any, *args: Any, return_disconnected: str = "zero", **how: Any) -> Any:
    """ad.grad."""
    how["return_disconnected"] = return_disconnected.lower()
    return differentiate.grad(cost, wrt, *args, **how)
