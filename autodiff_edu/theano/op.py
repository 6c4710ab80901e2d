"""Operations written as classes for Theano: make_node, perform(node, inputs, output_storage), grad
or L_op, R_op."""

import warnings
from collections.abc import Sequence
from typing import Any

from ..expr import Expr, Input, TensorType, TupleType
from ..expr import Op as EngineOp
from .gof import Apply
from .tensor import as_tensor_variable


class Op:
    """The class that an old operation inherits from. Two with equal __props__ are the same."""

    __props__: tuple[str, ...] | None = None

    def __init_subclass__(cls) -> None:
        for name in vars(cls):
            if name.startswith("c_code"):
                warnings.warn(
                    f"{cls.__name__}.{name} is never called: `perform` computes the operation",
                    stacklevel=2,
                )

    def make_node(self, *inputs: Any) -> Apply:
        raise NotImplementedError(f"{type(self).__name__} needs make_node(self, *inputs)")

    def __call__(self, *inputs: Any) -> Any:
        node = self.make_node(*inputs)
        found = Carried(self)(*map(as_tensor_variable, node.inputs))
        return list(found) if isinstance(found, tuple) else found


class Carried(EngineOp):
    """An old operation as one of the engine's."""

    arity = None

    def __init__(self, old: Op):
        super().__init__()
        self.old, self.name, self.label = old, type(old).__name__, type(old).__name__

    @property
    def key(self) -> Any:
        props = self.old.__props__
        return id(self.old) if props is None else tuple(getattr(self.old, k) for k in props)

    def __eq__(self, other: object) -> bool:
        alike = isinstance(other, Carried) and type(self.old) is type(other.old)
        return alike and self.key == other.key  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self.old), self.key))

    def node(self, types: Sequence[TensorType]) -> Apply:
        """What make_node says of variables of these types; Theano's knew no length but 1."""
        known = [TensorType(t.dtype, [1 if n == 1 else None for n in t.shape]) for t in types]
        return self.old.make_node(*[Input(f"x{k}", t) for k, t in enumerate(known)])

    def infer_type(self, *types: TensorType) -> TensorType | TupleType:
        found = [y.type for y in self.node(types).outputs]
        return found[0] if len(found) == 1 else TupleType(found)

    def perform(self, *values: Any) -> Any:
        node = self.node([TensorType(v.dtype, v.shape) for v in values])
        storage: list[list[Any]] = [[None] for _ in node.outputs]
        self.old.perform(node, list(values), storage)  # type: ignore[attr-defined]
        found = tuple(cell[0] for cell in storage)
        return found[0] if len(found) == 1 else found

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any, **_: Any) -> Sequence[Any]:
        if hasattr(self.old, "L_op"):
            return self.old.L_op(list(inputs), list(outputs), list(cotangents))
        if hasattr(self.old, "grad"):
            return self.old.grad(list(inputs), list(cotangents))
        raise TypeError(f"{self.name} has no derivative: give it L_op(inputs, outputs, gradients)")

    def pushforward(
        self, inputs: Any, outputs: Any, tangents: Any, **_: Any
    ) -> Sequence[Expr | None]:
        if hasattr(self.old, "R_op"):
            return self.old.R_op(list(inputs), list(tangents))
        return super().pushforward(inputs, outputs, tangents)
