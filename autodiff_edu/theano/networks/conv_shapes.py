"""The lengths of images, filters and results of a convolution, one from the two others."""

from collections.abc import Callable, Sequence
from typing import Any

from ...expr import Constant, Expr
from ..arrays import elementwise
from ..arrays.flags import Assert
from ..core import Variable, config

Shape = tuple[Any, ...]
Rule = Callable[..., Any]


def around(mode: Any, reach: Any) -> tuple[Any, Any]:
    """How many zeros stand before and behind an axis that a filter of this reach moves along."""
    pad = {"valid": 0, "full": reach - 1, "half": reach // 2}.get(mode, mode)
    before, after = pad if isinstance(pad, (tuple, list)) else (pad, pad)
    if isinstance(mode, (int, tuple, list)) and (before < 0 or after < 0):
        raise ValueError(f"border_mode must be >= 0, and is {mode!r}")
    return before, after


def where_known(rule: Rule) -> Rule:
    """None where one of the lengths is."""

    def guarded(*given: Any, dilation: Any = 1) -> Any:
        given = (*given, dilation) if len(given) < 5 else given
        return None if any(n is None for n in given) else rule(*given)

    guarded.__name__, guarded.__doc__ = rule.__name__, rule.__doc__
    return guarded


@where_known
def get_conv_shape_1axis(image: Any, kernel: Any, mode: Any, step: Any, dilation: Any) -> Any:
    """The length of a result."""
    reach = (kernel - 1) * dilation + 1
    before, after = around(mode, reach)
    return (image + before + after - reach) // step + 1


@where_known
def get_conv_gradinputs_shape_1axis(
    kernel: Any, top: Any, mode: Any, step: Any, dilation: Any
) -> Any:
    """The length of images whose results have the length top; None where several have."""
    reach = (kernel - 1) * dilation + 1
    return None if step != 1 else top + reach - 1 - sum(around(mode, reach))


@where_known
def get_conv_gradweights_shape_1axis(
    image: Any, top: Any, mode: Any, step: Any, dilation: Any
) -> Any:
    """The length of filters; None where several give results of the length top."""
    if step != 1 or mode == "half":
        return None
    rest = top - image if mode == "full" else image + sum(around(mode, 1)) - top
    return rest // dilation + 1


def along(rule: Rule, first: Shape, second: Shape, mode: Any, step: Shape, dilation: Any) -> Shape:
    """A rule of one axis for all."""
    modes = mode if isinstance(mode, (tuple, list)) else (mode,) * len(step)
    rows = zip(first, second, modes, step, dilation or (1,) * len(step), strict=True)
    return tuple(rule(*row) for row in rows)


def get_conv_output_shape(
    image_shape: Shape, kernel_shape: Shape, border_mode: Any, subsample: Shape,
    filter_dilation: Any = None,
) -> Shape:  # fmt: skip
    """The shape of what a convolution gives; None where a length is not known."""
    found = along(get_conv_shape_1axis, image_shape[2:], kernel_shape[-len(image_shape[2:]) :],
                  border_mode, subsample, filter_dilation)  # fmt: skip
    return (image_shape[0], kernel_shape[0], *found)


def get_conv_gradweights_shape(
    image_shape: Shape, top_shape: Shape, border_mode: Any, subsample: Shape,
    filter_dilation: Any = None, num_groups: int = 1, unshared: bool = False,
) -> Shape:  # fmt: skip
    """The shape of the filters of which images and results are known."""
    found = along(get_conv_gradweights_shape_1axis, image_shape[2:], top_shape[2:], border_mode,
                  subsample, filter_dilation)  # fmt: skip
    channels = top_shape[1] // num_groups if num_groups > 1 else top_shape[1]
    places = top_shape[2:] if unshared else ()
    return (channels, *places, image_shape[1], *found)


def get_conv_gradinputs_shape(
    kernel_shape: Shape, top_shape: Shape, border_mode: Any, subsample: Shape,
    filter_dilation: Any = None, num_groups: int = 1,
) -> Shape:  # fmt: skip
    """The shape of the images of which filters and results are known."""
    found = along(get_conv_gradinputs_shape_1axis, kernel_shape[-len(top_shape[2:]) :],
                  top_shape[2:], border_mode, subsample, filter_dilation)  # fmt: skip
    return (top_shape[0], kernel_shape[1] * num_groups, *found)


def number(n: Any) -> int | None:
    """A length where it is known."""
    n = n.expr if isinstance(n, Variable) else n
    if isinstance(n, Constant):
        return int(n.value)
    return None if n is None or isinstance(n, Expr) else int(n)


def check_conv_gradinputs_shape(
    image_shape: Sequence[Any], kernel_shape: Sequence[Any], output_shape: Sequence[Any],
    border_mode: Any, subsample: Shape, filter_dilation: Any = None,
) -> bool:  # fmt: skip
    """Do images and filters of these shapes give this one, as far as lengths are known?"""
    counts = {len(image_shape), len(kernel_shape), len(output_shape), len(subsample) + 2}
    if len(counts) > 1 or len(filter_dilation or subsample) != len(subsample):
        return False
    found = get_conv_output_shape(
        tuple(image_shape), tuple(kernel_shape), border_mode, subsample, filter_dilation
    )
    rows = [(number(n), number(m)) for n, m in zip(output_shape, found, strict=True)]
    return all(n is None or m is None or n == m for n, m in rows)


def assert_conv_shape(shape: Shape) -> Shape:
    """These lengths, compared with 0 now or when the program runs."""
    return tuple(not_too_small(n, axis) for axis, n in enumerate(shape))


def not_too_small(n: Any, axis: int) -> Any:
    least, sign = (0, "<") if axis < 2 else (1, "<=")
    said = f"The convolution would produce an invalid shape (dim[{axis}] {sign} 0)."
    known = number(n)
    if known is None:
        return Assert(said)(n, elementwise.ELEMENTWISE["ge"](n, least))
    if known < least:
        raise ValueError(f"{said} It is {known}.")
    return n


def assert_shape(x: Any, expected_shape: Any, msg: str = "Unexpected shape.") -> Any:
    """x, whose shape is compared when the program runs, if config.conv.assert_shape says so."""
    if expected_shape is None or not config.conv.assert_shape:
        return x
    asked = [(k, n) for k, n in enumerate(expected_shape) if n is not None]
    same = [elementwise.ELEMENTWISE["eq"](x.shape[k], n) for k, n in asked]
    return Assert(msg)(x, *same) if same else x


NAMES: dict[str, Any] = {
    f.__name__: f for f in (
        assert_conv_shape, assert_shape, check_conv_gradinputs_shape, get_conv_gradinputs_shape,
        get_conv_gradinputs_shape_1axis, get_conv_gradweights_shape,
        get_conv_gradweights_shape_1axis, get_conv_output_shape, get_conv_shape_1axis)
}  # fmt: skip
