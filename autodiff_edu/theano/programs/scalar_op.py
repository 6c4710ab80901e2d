"""Operations of one's own on single numbers, which Elemwise applies to each entry."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import Apply, config
from ..core.types import TensorType
from ..core.variable import TABLES
from .op import Op

Preference = Callable[..., list[TensorType]]


def same_out(*types: Any) -> list[TensorType]:
    """The dtype that holds all of the operands."""
    return [TensorType(np.result_type(*[t.dtype for t in types]), ())]


def upgrade_to_float(*types: Any) -> list[TensorType]:
    """The same, but a float."""
    dtype = np.result_type(*[t.dtype for t in types])
    return [TensorType(dtype if dtype.kind == "f" else config.floatX, ())]


def out_of(dtype: str) -> Preference:
    """Always this dtype."""
    return lambda *types: [TensorType(dtype, ())]


class ScalarOp(Op):
    """impl(self, x, ...) computes one number; grad(self, inputs, gradients) its derivative."""

    nin = -1

    def __init__(self, output_types_preference: Preference | None = None, name: str | None = None):
        super().__init__()
        self.name = name
        self.preference = output_types_preference or same_out

    def make_node(self, *inputs: Any) -> Apply:
        """The operation applied to arrays that broadcast."""
        if self.nin >= 0 and len(inputs) != self.nin:
            raise TypeError(f"{self} takes {self.nin} inputs, {len(inputs)} were given")
        given = [TABLES["as_tensor_variable"](x) for x in inputs]
        ndim = max(x.ndim for x in given)
        rows = [(True,) * (ndim - x.ndim) + x.broadcastable for x in given]
        (kind,) = self.preference(*[x.type for x in given])
        return Apply(self, given, [TensorType(kind.dtype, [all(b) for b in zip(*rows)])()])

    def perform(self, node: Any, inputs: Any, outputs: Any) -> None:
        dtype = node.outputs[0].dtype
        each = np.vectorize(self.impl, otypes=[dtype])  # type: ignore[attr-defined]
        outputs[0][0] = np.asarray(each(*inputs), dtype)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self).items() <= vars(other).items()

    def __hash__(self) -> int:
        return hash(type(self))


class UnaryScalarOp(ScalarOp):
    """Of one number."""

    nin = 1


class BinaryScalarOp(ScalarOp):
    """Of two numbers."""

    nin = 2


NAMES: dict[str, Any] = {
    **dict.fromkeys(("same_out", "upcast_out", "same_out_nocomplex", "upcast_out_no_complex",
                     "same_out_float_only", "transfer_type"), same_out),
    **dict.fromkeys(("upgrade_to_float", "upgrade_to_float64", "upgrade_to_float_no_complex"),
                    upgrade_to_float),
    "int_out": out_of("int64"), "float_out": out_of("float64"), "ScalarOp": ScalarOp,
    "UnaryScalarOp": UnaryScalarOp, "BinaryScalarOp": BinaryScalarOp,
}  # fmt: skip
