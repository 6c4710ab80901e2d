"""Operations written as classes: make_node, perform(node, inputs, output_storage), grad or L_op,
R_op, connection_pattern."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...expr import Expr, Input, TensorType, TupleType
from ...expr import Op as EngineOp
from ..core import Apply, Variable, config, unwrap, wrap
from ..core.lifting import key_of, known
from ..core.test_values import with_test_value
from ..core.variable import TABLES

CODE = "c_code"


class MethodNotDefined(Exception):
    """Raised by a method that an operation of one's own has to define."""


class NoDerivativeError(TypeError, AttributeError):
    """Raised for an operation without `grad`: to programs of Theano's an AttributeError."""


class Op:
    """The class that an old operation inherits from. Two with equal __props__ are the same."""

    __props__: tuple[str, ...] | None = None
    default_output: int | None = None
    destroy_map: dict[int, Sequence[int]] = {}
    view_map: dict[int, Sequence[int]] = {}

    def __init__(self, *_: Any, **__: Any):
        super().__init__()

    def __init_subclass__(cls, **options: Any) -> None:
        for name in vars(cls):
            if name.startswith(CODE) and hasattr(cls, "perform"):
                warnings.warn(
                    f"{cls.__name__}.{name} is never called: `perform` computes the operation",
                    stacklevel=2,
                )

    def make_node(self, *inputs: Any) -> Apply:
        """The operation applied to variables, by its itypes and otypes."""
        if not hasattr(self, "itypes"):
            raise NotImplementedError(f"{type(self).__name__} needs make_node(self, *inputs)")
        if len(inputs) != len(self.itypes):
            raise ValueError(f"We expected {len(self.itypes)} inputs but got {len(inputs)}.")
        given = [TABLES["as_tensor_variable"](x) for x in inputs]
        for x, t in zip(given, self.itypes, strict=True):
            if x.type != t:
                raise TypeError(f"We expected inputs of types {self.itypes} but got types "
                                f"{[x.type for x in given]}")  # fmt: skip
        return Apply(self, given, [t() for t in self.otypes])  # type: ignore[attr-defined]

    def __call__(self, *inputs: Any, **how: Any) -> Any:
        if not hasattr(self, "perform") and any(n.startswith(CODE) for n in dir(self)):
            raise NotImplementedError(f"{type(self).__name__} has C code alone: {REMEDY}")
        return_list = how.pop("return_list", False)
        plain = any(isinstance(x, Expr) for x in inputs)
        old = any(isinstance(x, Variable) for x in inputs)
        node = self.make_node(*[wrap(x) for x in inputs], **how)
        rows = unwrap(node.outputs) if plain and not old else list(node.outputs)
        if self.default_output is not None and not return_list:
            return rows[self.default_output]
        return rows if return_list or len(rows) > 1 else rows[0]

    def props(self) -> tuple[Any, ...]:
        """The values of __props__."""
        return tuple(getattr(self, name) for name in self.__props__ or ())

    _props = props

    def __eq__(self, other: object) -> bool:
        if self.__props__ is None:
            return self is other
        return type(self) is type(other) and self.props() == other.props()

    def __hash__(self) -> int:
        return id(self) if self.__props__ is None else hash((type(self), self.props()))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __str__(self) -> str:
        said = ", ".join(f"{k}={getattr(self, k)!r}" for k in self.__props__ or ())
        return type(self).__name__ + (f"{{{said}}}" if said else "")


def hashtype(op: Any) -> int:
    """The hash of the class of an operation, for a `__hash__` of one's own."""
    return hash(type(op))


REMEDY = "it needs perform(self, node, inputs, output_storage) in Python"


class ViewOp(Op):
    """The same value as another variable, which may be of a class of one's own."""

    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        """The value itself."""
        output_storage[0][0] = inputs[0]

    def grad(self, inputs: Any, output_gradients: Any) -> Any:
        """The cotangent itself. A class that inherits may say otherwise."""
        return output_gradients


class Carried(EngineOp):
    """An old operation as one of the engine's."""

    arity = None

    def __init__(self, old: Op, node: Apply | None = None):
        super().__init__()
        self.old, self.name, self.label = old, type(old).__name__, type(old).__name__
        self.view = bool(old.view_map)
        self.nodes: dict[tuple, Apply] = {}
        self.outputs = 1
        if node is not None:
            self.outputs = len(node.outputs)
            self.nodes[as_known([unwrap(x).type for x in node.inputs])] = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Carried) and bool(self.old == other.old)

    def __hash__(self) -> int:
        return hash(self.old)

    def node(self, types: Sequence[TensorType]) -> Apply:
        """What make_node says of variables of these types."""
        known = as_known(types)
        if known not in self.nodes:
            leaves = [wrap(Input(f"x{k}", t)) for k, t in enumerate(known)]
            self.nodes[known] = self.old.make_node(*leaves)
        return self.nodes[known]

    def infer_type(self, *types: TensorType) -> TensorType | TupleType:
        found = [unwrap(y).type for y in self.node(types).outputs]
        return found[0] if len(found) == 1 else TupleType(found)

    def perform(self, *values: Any) -> Any:
        if not hasattr(self.old, "perform"):
            raise NotImplementedError(f"{self.name} cannot be computed: {REMEDY}")
        given: list[Any] = [np.asarray(v) for v in values]
        node = self.node([TensorType(v.dtype, v.shape) for v in given])
        changed = {k for places in self.old.destroy_map.values() for k in places}
        given = [v.copy() if k in changed else v for k, v in enumerate(given)]
        given = [outward(x, v) for x, v in zip(node.inputs, given)]
        storage: list[list[Any]] = [[None] for _ in node.outputs]
        self.old.perform(node, given, storage)
        found = tuple(inward(y, cell[0]) for y, cell in zip(node.outputs, storage))
        return found[0] if len(found) == 1 else found

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any, **_: Any) -> Sequence[Any]:
        given, cts = wrap(list(inputs)), wrap(list(cotangents))
        if hasattr(self.old, "L_op"):
            found = self.old.L_op(given, wrap(list(outputs)), cts)
        elif hasattr(self.old, "grad"):
            found = self.old.grad(given, cts)
        else:
            raise NoDerivativeError(f"{self.name} has no derivative: give it L_op(inputs, outputs, "
                            "gradients), or grad(inputs, gradients)")  # fmt: skip
        found = self.checked(found, len(inputs))
        pattern = self.pattern(wrap(list(inputs)))
        if pattern is None:
            return found
        return [g if any(row) else None for g, row in zip(found, pattern, strict=True)]

    def checked(self, found: Any, many: int) -> Any:
        """What `grad` gives, one for each input."""
        if found is None:
            raise TypeError(f"{self.name}.grad returned NoneType, expected iterable: return a list "
                            "with a gradient for each input")  # fmt: skip
        rows = unwrap(list(found) if isinstance(found, (list, tuple)) else [found])
        if len(rows) != many:
            raise ValueError(f"{self.name} returned the wrong number of gradient terms: "
                             f"{len(rows)} for {many} inputs")  # fmt: skip
        return rows

    def pattern(self, inputs: Sequence[Any]) -> Any:
        """Which inputs are connected to which outputs: what a method says, or a list."""
        stated = getattr(self.old, "connection_pattern", None)
        return stated(self.old.make_node(*inputs)) if callable(stated) else stated

    def pushforward(
        self, inputs: Any, outputs: Any, tangents: Any, **_: Any
    ) -> Sequence[Expr | None]:
        if hasattr(self.old, "R_op"):
            found = unwrap(list(self.old.R_op(wrap(list(inputs)), wrap(list(tangents)))))
            if all(t is None for t in found):
                raise ValueError(f"{self.name} has no product with its Jacobian: R_op gave None")
            return found
        return super().pushforward(inputs, outputs, tangents)


def as_known(types: Sequence[TensorType]) -> tuple[TensorType, ...]:
    """Types as Theano's programs had them: they knew no length but 1."""
    return tuple(TensorType(t.dtype, [1 if n == 1 else None for n in t.shape]) for t in types)


def outward(x: Variable, value: np.ndarray) -> Any:
    """A value as `perform` takes it: of the state of a stream, the stream."""
    return x.type.outward(value) if hasattr(x.type, "outward") else value


def inward(y: Variable, value: Any) -> np.ndarray:
    """What `perform` gives, as an array."""
    return np.asarray(y.type.filter(value) if hasattr(y.type, "outward") else value, y.expr.dtype)


def connect(node: Apply) -> None:
    """The variables that make_node made for the outputs are what the operation computes."""
    if not isinstance(node.op, Op) or not node.outputs:
        return
    node.inputs = [TABLES["as_tensor_variable"](x) for x in node.inputs]
    found = Carried(node.op, node)(*unwrap(node.inputs))
    for y, expr in zip(node.outputs, found if isinstance(found, tuple) else [found], strict=True):
        y.expr, y.sources = expr, node.inputs
        known[key_of(expr)] = y
        if config.compute_test_value != "off":
            with_test_value(y)


TABLES["connect"] = connect
PureOp = COp = Op
__all__ = ["Apply", "COp", "Carried", "MethodNotDefined", "Op", "PureOp", "ViewOp", "hashtype"]
