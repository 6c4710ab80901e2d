"""An operation: what it computes, how it is drawn, how it is differentiated, in one record."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .address import MISUSE, misfit, refuse_options
from .expr import Expr
from .operands import operands
from .origin import origin_now
from .types import TensorType, TupleType
from .upstairs import upstairs

Static = tuple[tuple[str, Any], ...]
Exprs = Sequence[Expr]


class Op:
    """An operation; calling it makes a node.

    infer_type(*types, **static)  the result's TensorType; raises ShapeError or DTypeError
    perform(*values, **static)    the result, computed by NumPy
    pullback(inputs, outputs, cotangents, **static)   a cotangent or None for each input
    pushforward(inputs, outputs, tangents, **static)  the tangent of each output
    """

    name = ""
    label = ""  # the symbol in pictures
    arity: int | None = 1  # None: any number of operands
    parameters: Mapping[str, Any] = {}  # static parameters and their defaults
    elementwise = False
    commutative = False
    linear: bool | tuple[int, ...] = ()  # the operands in which it is jointly linear
    multilinear = False
    view = False  # may the result share memory with the first input?
    merges = True  # may equal nodes be one? Not where the rule for a cotangent is not linear
    body: Any = None  # the graph inside, where the operation is made of one
    gate = False  # does it change cotangents, but not tangents?
    severed = ""  # why no derivative passes through, where none does
    infer_type: Callable[..., TensorType | TupleType]
    perform: Callable[..., Any]
    pullback: Callable[..., Sequence[Expr | None]]
    pushforward: Callable[..., Sequence[Expr]]

    def __init__(self) -> None:
        self._types: dict[tuple, TensorType] = {}

    def __call__(self, *args: Any, **static: Any) -> Any:
        if self.arity is not None and len(args) != self.arity:
            args, static = self.bind(args, static)
        for a in args:
            if not isinstance(a, Expr):
                args = operands(args, self.name)
                break
        n = self.apply(args, self.settle(args, static) if self.parameters or static else ())
        return upstairs["results"](n) if isinstance(n.type, TupleType) else n

    def apply(self, inputs: tuple[Expr, ...], static: Static = ()) -> Expr:
        """The node for inputs and parameters that are in their normal form already."""
        types = tuple([i.type for i in inputs])
        result = self._types.get((types, static))
        if result is None:
            if None in types:  # a pattern of a rewrite rule has no type
                return Expr(self, inputs, static, None)  # type: ignore[arg-type]
            result = self._types[types, static] = self.type_of(inputs, types, static)
        return Expr(self, inputs, static, result, origin_now())

    def bind(self, args: tuple, static: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        """Arguments after the operands are parameters given by position: sum(x, 0)."""
        n = self.arity or 0
        extra = dict(zip(self.parameters, args[n:], strict=False))
        if len(args) < n or len(args) - n > len(self.parameters) or extra.keys() & static.keys():
            raise TypeError(f"{self.name} takes {n} operands, {len(args)} were given")
        return args[:n], extra | static

    def settle(self, inputs: tuple[Expr, ...], static: dict[str, Any]) -> Static:
        """The static parameters in their normal form, defaults filled in, in a fixed order."""
        unknown = static.keys() - self.parameters.keys()
        if unknown:
            refuse_options(self.name, static)
            raise TypeError(f"{self.name} has no parameter {', '.join(sorted(unknown))}")
        if any(i.type is None for i in inputs):
            return tuple(static.items())
        for k, v in static.items():
            if isinstance(v, Expr):
                raise TypeError(f"{self.name} needs {k} to be known now, not as the expression {v}")
        full = {**self.parameters, **static}
        try:
            return tuple(self.normal([i.type for i in inputs], **full).items())
        except MISUSE as error:
            raise misfit(self.word, inputs, error) from None

    def normal(self, types: Sequence[TensorType], **static: Any) -> dict[str, Any]:
        """Override where parameters can be written in several ways, as axis=-1 can."""
        return static

    def differentiable(self, n_inputs: int) -> tuple[int, ...]:
        """The operands through which derivatives pass."""
        return tuple(range(n_inputs))

    def cores(self, ndims: Sequence[int]) -> Sequence[int] | None:
        """How many last axes of each operand, and of the result, do not broadcast; None where
        nothing does."""
        return [0] * (len(ndims) + 1) if self.elementwise else None

    def type_of(self, inputs: Exprs, types: tuple[TensorType, ...], static: Static) -> Any:
        try:
            return self.infer_type(*types, **dict(static))
        except MISUSE as error:
            raise misfit(self.word, inputs, error) from None

    @property
    def word(self) -> str:
        """The name by which users know the operation: solve, for what we call solve_columns."""
        word = self.label.isascii() and self.label.isidentifier()
        return self.label if word and not hasattr(np, self.name) else self.name

    def __repr__(self) -> str:
        return self.name

    def __copy__(self) -> "Op":
        return self

    def __deepcopy__(self, memo: dict) -> "Op":
        return self
