"""Convolutions as classes of operations: AbstractConv2d(border_mode=...)(x, w)."""

from collections.abc import Callable
from typing import Any

from ..arrays.leaves import as_tensor_variable
from ..arrays.lengths import counted_entries
from ..core import Variable, wrap
from ..core.variable import Constant
from .abstract_conv import abstract_conv, conv_grad_wrt_inputs, conv_grad_wrt_weights

Made = Callable[..., Any]


def stated(shape: Any, name: str) -> Any:
    """A shape whose lengths are known, or None."""
    several = isinstance(shape, (tuple, list))
    unknown = several and any(
        isinstance(n, Variable) and not isinstance(n, Constant) for n in shape
    )
    if shape is not None and (not several or unknown):
        raise ValueError(f"{name} should be None or a tuple of constant int values, not {shape!r}")
    return [int(n.data) if isinstance(n, Constant) else n for n in shape] if several else None


def pair(shape: Any, axes: int) -> list[Any]:
    """The last lengths of images or filters, as a list."""
    if not isinstance(shape, (tuple, list)):
        shape = counted_entries(as_tensor_variable(shape).expr, axes)
    return [None, None, *wrap(list(shape)[-axes:])]


def maker(call: Callable[..., Any], flip: bool = True) -> Made:
    """A class of operations: its options, and then its operands."""

    def make(
        imshp: Any = None,
        kshp: Any = None,
        border_mode: Any = "valid",
        subsample: Any = None,
        filter_flip: bool = flip,
        filter_dilation: Any = None,
        num_groups: int = 1,
        unshared: bool = False,
    ) -> Made:
        shapes = stated(imshp, "imshp"), stated(kshp, "kshp")
        how = (border_mode, subsample or 1, filter_flip, filter_dilation or 1, num_groups, unshared)
        return lambda *operands: call(shapes, how, *operands)

    return make


def by_position(make: Made) -> Made:
    """CorrMM and its like: options begin with the border, and filters are not flipped."""

    def made(
        border_mode: Any = "valid",
        subsample: Any = None,
        filter_dilation: Any = None,
        num_groups: int = 1,
        unshared: bool = False,
    ) -> Made:
        return make(None, None, border_mode, subsample, False, filter_dilation, num_groups,
                    unshared)  # fmt: skip

    return made


def forward(shapes: Any, how: Any, x: Any, w: Any) -> Any:
    return abstract_conv(x, w, *shapes, *how)


def to_weights(shapes: Any, how: Any, x: Any, ct: Any, shape: Any, add_bias: bool = False) -> Any:
    axes = as_tensor_variable(ct).ndim - 2
    return conv_grad_wrt_weights(x, ct, pair(shape, axes), shapes[0], *how)


def to_inputs(shapes: Any, how: Any, w: Any, ct: Any, shape: Any, add_bias: bool = False) -> Any:
    axes = as_tensor_variable(ct).ndim - 2
    return conv_grad_wrt_inputs(ct, w, pair(shape, axes), shapes[1], *how)


CALLS: dict[str, Callable[..., Any]] = {
    "": forward,
    "_gradWeights": to_weights,
    "_gradInputs": to_inputs,
}
MAKERS: dict[str, Made] = {
    f"AbstractConv{n}d{end}": maker(call) for n in (2, 3) for end, call in CALLS.items()
}
MAKERS |= {
    f"{name}{end}": by_position(maker(call))
    for name in ("CorrMM", "Corr3dMM")
    for end, call in CALLS.items()
}
OURS = {"": "correlate_images windows", "_gradWeights": "filters_from windows",
        "_gradInputs": "images_from"}  # fmt: skip
CLASSES = ("AbstractConv2d", "AbstractConv3d", "CorrMM", "Corr3dMM")
BY_NAME = {f"{name}{end}": ours for name in CLASSES for end, ours in OURS.items()}
