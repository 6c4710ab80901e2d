"""What is known of shapes: flags that say which axes stretch, lengths that are claimed, and claims
that are checked when a program runs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import ops
from ...expr import Expr, TensorType
from ...expr import Op as EngineOp
from ..core import lift
from .leaves import expression
from .lengths import lengths_of


class Assertion(EngineOp):
    """x, if all conditions hold when it runs."""

    arity = None
    linear = (0,)

    def __init__(self, message: str, error: type[Exception] = AssertionError):
        super().__init__()
        self.message, self.error, self.name, self.label = message, error, "Assert", "Assert"

    def infer_type(self, x: TensorType, *conditions: TensorType) -> TensorType:
        return x

    def perform(self, x: Any, *conditions: Any) -> Any:
        if not all(np.all(c) for c in conditions):
            raise self.error(self.message)
        return x

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any, **_: Any) -> list[Any]:
        return [cotangents[0], *[None] * (len(inputs) - 1)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Assertion) and self.message == other.message

    def __hash__(self) -> int:
        return hash(self.message)


def among(axes: Sequence[int], ndim: int) -> set[int]:
    """The axes, counted from 0. Raises ValueError for one that there is not."""
    for k in axes:
        if not -ndim <= k < ndim:
            raise ValueError(f"Trying to broadcast non-existing dimension: {k} of {ndim}")
    return {k % ndim for k in axes}


@lift
def addbroadcast(x: Any, *axes: Any) -> Any:
    """x, of which these axes have length 1 and stretch from now on."""
    x, wanted = expression(x), among(axes, expression(x).ndim)
    if all(x.type.shape[k] == 1 for k in wanted):
        return x
    return ops.reshape(x, tuple(1 if k in wanted else n for k, n in enumerate(x.shape)))


@lift
def unbroadcast(x: Any, *axes: Any) -> Any:
    """x, of which these axes stretch no more."""
    x, wanted = expression(x), among(axes, expression(x).ndim)
    if all(x.type.shape[k] != 1 for k in wanted):
        return x
    told = [ops.length(x, axis=k) if k in wanted else n for k, n in enumerate(x.shape)]
    return ops.reshape(x, tuple(told))


@lift
def patternbroadcast(x: Any, broadcastable: Sequence[bool]) -> Any:
    """x with these flags."""
    x = expression(x)
    stretched = [k for k, b in enumerate(broadcastable) if b and x.type.shape[k] != 1]
    rigid = [k for k, b in enumerate(broadcastable) if not b and x.type.shape[k] == 1]
    x = addbroadcast.plain(x, *stretched) if stretched else x
    return unbroadcast.plain(x, *rigid) if rigid else x


@lift
def specify_shape(x: Any, shape: Any) -> Any:
    """x, which has these lengths or makes an error when it runs."""
    x, lengths = expression(x), lengths_of(shape)
    if len(lengths) != x.ndim:
        raise AssertionError(f"SpecifyShape: {x.ndim} dimensions, and {len(lengths)} lengths")
    unsure = [ops.equal(n, m) for n, m in zip(x.shape, lengths, strict=True) if n is not m]
    said = f"SpecifyShape: the shape of {x} is not {tuple(lengths)}"
    return ops.reshape(Assertion(said)(x, *unsure), lengths)


class Assert:
    """Assert("message")(x, condition): x, if the condition holds when it runs."""

    def __init__(self, msg: str = "Theano Assert failed!"):
        self.op = Assertion(msg)

    def __call__(self, value: Any, *conditions: Any) -> Any:
        def checked(value: Any, *conditions: Any) -> Expr:
            return self.op(expression(value), *map(expression, conditions))

        return lift(checked)(value, *conditions)


class Rebroadcast:
    """Rebroadcast((0, True), ...)(x): x, whose flags are these."""

    def __init__(self, *axes: tuple[int, bool]):
        self.axes = axes

    def __call__(self, x: Any) -> Any:
        flags = list(x.broadcastable)
        for axis, stretches in self.axes:
            flags[axis] = bool(stretches)
        return patternbroadcast(x, flags)


class SpecifyShape:
    """SpecifyShape()(x, shape): x, which has these lengths."""

    def __call__(self, x: Any, shape: Any) -> Any:
        return specify_shape(x, shape)


NAMES = {f.__name__: f for f in (addbroadcast, unbroadcast, patternbroadcast, specify_shape)}
