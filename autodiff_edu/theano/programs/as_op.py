"""Operations of Python functions, `as_op`, and small ones that programs name."""

from collections.abc import Callable, Sequence
from typing import Any

from .op import Op


class FromFunctionOp(Op):
    """An operation that calls a Python function of arrays; it has no derivative."""

    def __init__(self, fn: Callable[..., Any], itypes: Any, otypes: Any, infer_shape: Any = None):
        super().__init__()
        self.fn, self.itypes, self.otypes = fn, list(itypes), list(otypes)
        self.__name__ = getattr(fn, "__name__", "function")

    def perform(self, node: Any, inputs: Sequence[Any], outputs: Any) -> None:
        found = self.fn(*inputs)
        rows = found if isinstance(found, (list, tuple)) else [found]
        if len(rows) != len(outputs):
            raise ValueError(f"{self.__name__} returned {len(rows)} results, and states "
                             f"{len(outputs)} otypes")  # fmt: skip
        for cell, value in zip(outputs, rows, strict=True):
            cell[0] = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FromFunctionOp) and self.fn == other.fn

    def __hash__(self) -> int:
        return hash((type(self), self.fn))

    def __str__(self) -> str:
        return f"FromFunctionOp{{{self.__name__}}}"


def as_op(itypes: Any, otypes: Any, infer_shape: Any = None) -> Callable[..., FromFunctionOp]:
    """A decorator that makes an operation of a Python function of arrays."""
    ins = itypes if isinstance(itypes, (list, tuple)) else [itypes]
    outs = otypes if isinstance(otypes, (list, tuple)) else [otypes]

    def make(fn: Callable[..., Any]) -> FromFunctionOp:
        return FromFunctionOp(fn, ins, outs, infer_shape)

    return make


NAMES: dict[str, Any] = {"FromFunctionOp": FromFunctionOp, "as_op": as_op}
