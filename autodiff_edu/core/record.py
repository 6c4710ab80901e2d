"""A record: an operation that is stated once, above its NumPy body, and what follows from that.

An elementwise operation states what becomes of a small change d in each operand, `chain`, or the
factors alone, `partials`. A linear one states that it is linear. Type, pullback and pushforward
follow from that; an operation that is neither states all three, or leaves out the pushforward:
then the pullback is taken twice. Of a body `def square(x): return x * x` these say the same:

    partials=lambda x, out: (2 * x,)
    chain=lambda d, x, out: (d * (2 * x),)
    pullback=lambda ct, x, out: (ct * (2 * x),)
    pushforward=lambda tangents, x, out: tangents[0] * (2 * x)

Letters: d a tangent or cotangent, ct a cotangent, x y operands, out the result.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .derivative_rules import add_up, broadcast_like, filled, put, times, unbroadcast, usual, zero
from .node import Constant, Expr
from .op import Op, operands_of
from .seams import HOOKS, cached_property
from .types import TensorType, TupleType, broadcast_shapes

Rule = Callable[..., Any]
# fields that are read by methods of the same names; others are attributes
METHODS = frozenset("type core normal cores partials chain pullback pushforward".split())


class Declared(Op):
    """An operation made by the decorator `op`."""

    takes_none = True

    def __init__(self, body: Rule, **stated: Any):
        self.body, self.name, self.__name__ = body, body.__name__, body.__name__
        self.__qualname__, self.__module__ = body.__qualname__, body.__module__
        self.arity, self.parameters = operands_of(body)
        self.stated, self.symbol = stated, ""
        vars(self).update({name: stated[name] for name in stated.keys() - METHODS})
        self.targets = {"numpy": body, **stated.get("targets", {})}
        self.label = stated.get("label", self.symbol or self.name)
        self.merges = stated.get("merges", not self.overrides)
        self.elementwise = "type" not in stated

    if TYPE_CHECKING:  # for whom an operation of the house gives one expression

        def __call__(self, *args: Any, **static: Any) -> Expr: ...

    def perform(self, *values: Any, **static: Any) -> Any:
        return self.body(*values, **static)

    def normal(self, types: Sequence[TensorType], **static: Any) -> dict[str, Any]:
        rule = self.stated.get("normal")
        return rule(*types, **static) if rule else static

    def infer_type(self, *types: TensorType, **static: Any) -> TensorType | TupleType:
        if self.elementwise and self.parameters.keys() - static:
            raise TypeError(f"{self.name} is applied without its static parameters: give those "
                            "of the node too, op.apply(inputs, node.static)")  # fmt: skip
        shape = self.stated.get("type", elementwise_shape)(*types, **static)
        if isinstance(shape, (TensorType, TupleType)):
            return shape
        dtypes = self.dtypes(types, static)
        if isinstance(shape, list):
            return TupleType(map(TensorType, dtypes, shape))
        return TensorType(dtypes[0], shape)

    def dtypes(self, types: Sequence[TensorType], static: dict[str, Any]) -> list[np.dtype]:
        """The dtypes that the body itself gives for operands of these dtypes."""
        ones = [np.broadcast_to(np.ones((), t.dtype), (1,) * t.ndim) for t in types]
        try:
            with np.errstate(all="ignore"):
                value = self.body(*ones, **static)
        except ValueError as error:
            raise HOOKS["body_error"](self, error) from error
        return [np.asarray(v).dtype for v in (value if isinstance(value, tuple) else [value])]

    # ---- what the statement implies

    def linear_in(self, n_inputs: int) -> tuple[int, ...]:
        """The places of the operands in which it is jointly linear."""
        return tuple(range(n_inputs)) if self.linear is True else self.linear or ()

    @cached_property
    def chain(self) -> Rule | None:
        """The rule for a small change of each operand, where one is stated."""
        rule: Rule | None = self.stated.get("chain")
        if "partials" in self.stated:
            partials = self.stated["partials"]
            rule = lambda d, *args, **static: [d * p for p in partials(*args, **static)]
        return rule

    @cached_property
    def coefficients(self) -> tuple[float, ...]:
        """The factor of each operand of an elementwise linear operation."""
        return tuple(float(self.body(*row)) for row in np.eye(self.arity or 1))

    def differentiable(self, n_inputs: int) -> tuple[int, ...]:
        """The operands through which derivatives pass."""
        if self.nondifferentiable:
            return ()
        stops = self.stated.get("reasons", ())
        return self.linear_in(n_inputs) or tuple(k for k in range(n_inputs) if k not in stops)

    def pushforward(
        self,
        inputs: Sequence[Expr],
        outputs: Sequence[Expr],
        tangents: Sequence[Expr | None],
        **static: Any,
    ) -> Sequence[Expr | None]:
        """[Σᵢ tᵢ · ∂f/∂xᵢ], with None for a tangent that is zero; at least one is not."""
        out = outputs[0] if len(outputs) == 1 else tuple(outputs)
        moved = self.push(inputs, out, tangents, static)
        if moved is None:  # but the pullback tells
            return super().pushforward(inputs, outputs, filled(tangents, inputs), **static)
        pairs = zip(moved if len(outputs) > 1 else [moved], outputs)
        return [broadcast_like(t, y) if isinstance(t, Expr) else t for t, y in pairs]

    def push(self, inputs: Sequence[Expr], out: Any, tangents: Any, static: dict[str, Any]) -> Any:
        """The tangent before it is stretched; None where only the pullback is stated."""
        if "pushforward" in self.stated:
            return self.stated["pushforward"](filled(tangents, inputs), *inputs, out, **static)
        if self.linear:
            return self.push_linear(inputs, tangents, static)
        pairs = [(k, t) for k, t in enumerate(tangents) if t is not None]
        if self.multilinear:
            return add_up([self(*put(inputs, k, t), **static) for k, t in pairs])
        if not self.chain:
            return None
        terms = [self.chain(t, *inputs, out, **static)[k] for k, t in pairs]
        return add_up([t for t in terms if t is not None] or [zero(out)])

    def push_linear(self, inputs: Sequence[Expr], tangents: Any, static: dict[str, Any]) -> Expr:
        """The operation itself, applied to tangents."""
        places = self.linear_in(len(inputs))
        moving = [k for k in places if tangents[k] is not None]
        if self.elementwise and not static and len(moving) < len(places) == self.arity:
            return add_up([times(self.coefficients[k], tangents[k]) for k in moving])
        args = list(inputs)
        for k in places:
            args[k] = zero(inputs[k]) if tangents[k] is None else tangents[k]
        return self.apply(tuple(args), tuple(static.items()))

    def pullback(
        self,
        inputs: Sequence[Expr],
        outputs: Sequence[Expr],
        cotangents: Sequence[Expr | None],
        **static: Any,
    ) -> Sequence[Expr | None]:
        """[ct · ∂f/∂xᵢ for each operand], summed over what was stretched to meet the others."""
        if len(outputs) == 1:
            parts = self.pull(cotangents[0], inputs, outputs[0], static)
        else:
            parts = self.stated["pullback"](tuple(cotangents), *inputs, tuple(outputs), **static)
        if not isinstance(parts, (list, tuple)) or len(parts) != len(inputs):
            return parts  # who asked says what is wrong
        return parts if all(map(usual, parts, inputs)) else [*map(fitted, parts, inputs)]

    def pull(self, ct: Any, inputs: Sequence[Expr], out: Expr, static: dict) -> Sequence[Any]:
        """The cotangents before they are summed over what was stretched. What is stated by factors
        goes `through` a choice of where, if the cotangent has passed one: see `ops/gated.py`."""
        if "pullback" in self.stated:
            return self.stated["pullback"](ct, *inputs, out, **static)
        return HOOKS["through"](self, ct, inputs, out, static)

    def factored(self, ct: Any, inputs: Sequence[Expr], out: Expr, static: dict) -> Sequence[Any]:
        """The cotangent times the slope by each operand."""
        if self.chain:
            return self.chain(ct, *inputs, out, **static)
        if not self.elementwise or static or not (self.linear or self.multilinear):
            raise TypeError(f"{self.name} states no cotangents: give @op pullback=")
        if self.multilinear:
            varying = [not isinstance(x, Constant) for x in inputs]
            return [self(*put(inputs, k, ct)) if v else None for k, v in enumerate(varying)]
        places = self.linear_in(len(inputs))
        if len(places) == self.arity:
            return [times(c, ct) for c in self.coefficients]
        return [self.pull_slot(ct, inputs, k, places) for k in range(len(inputs))]

    def pull_slot(self, ct: Expr, inputs: Any, k: int, places: tuple[int, ...]) -> Expr | None:
        """where(c, x, y) gives where(c, ct, 0) and where(c, 0, ct)."""
        if k not in places:
            return None
        return self(*[ct if j == k else 0 if j in places else x for j, x in enumerate(inputs)])


def fitted(c: Any, x: Expr) -> Any:
    """A cotangent of x summed over what was stretched; what is none stays as it is."""
    return unbroadcast(c, x) if isinstance(c, Expr) and c.ndim >= x.ndim else c


def elementwise_shape(*types: TensorType, **static: Any) -> tuple:
    return broadcast_shapes(*[t.shape for t in types])
