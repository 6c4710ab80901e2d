"""Derivative rules: an operation states one, and from that follow all others.

An elementwise operation states what becomes of a small change d in each operand, `chain`, or the
factors alone, `partials`. A linear one states that it is linear. Type, pullback and pushforward
follow from that; an operation that is neither states all three, or leaves out the pushforward:
then the pullback is taken twice. Of a body `def square(x): return x * x` these say the same:

    partials=lambda x, out: (2 * x,)
    chain=lambda d, x, out: (d * (2 * x),)
    pullback=lambda ct, x, out: (ct * (2 * x),)
    pushforward=lambda tangents, x, out: tangents[0] * (2 * x)

The page has three parts: zeros, stretching and its opposite, of which rules are made; the record of
an operation, with the rules that follow from it; and the contract that each rule is held to.

Letters: d a tangent or cotangent, ct a cotangent; x y operands, out the result; c the change of x,
which is an input in a pullback, and an output in a pushforward.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .node import Constant, Disconnected, Expr, Null, Origin, made_by
from .op import Op, operands_of
from .seams import HOOKS, OPERATIONS, cached_property
from .types import NullType, Shape, TensorType, TupleType, broadcast_shapes

Exprs = Sequence[Expr]
Slots = Sequence[Expr | None]
Rule = Callable[..., Any]
# fields that are read by methods of the same names; others are attributes
METHODS = frozenset("type core normal cores partials chain pullback pushforward".split())


# ---- what rules are made of


def put(inputs: Sequence[Expr], k: int, value: Expr) -> list[Expr]:
    return [value if j == k else x for j, x in enumerate(inputs)]


def times(factor: float, d: Expr) -> Expr:
    return d if factor == 1 else -d if factor == -1 else factor * d


def add_up(terms: Sequence[Expr]) -> Expr:
    return sum(terms[1:], start=terms[0])


def float_type(dtype: np.dtype) -> np.dtype:
    """The dtype of a derivative: that of the value if it is a float, otherwise float64."""
    return dtype if dtype.kind == "f" else np.dtype("float64")


def constant_like(like: Expr, value: float, exact: bool = False) -> Expr:
    """A number in the shape of `like`, and in the dtype of its derivatives."""
    return broadcast_like(Constant(value, float_type(like.dtype), exact), like)


def zero(like: Expr) -> Expr:
    """The exact zero of differentiation, of the shape of `like`."""
    return constant_like(like, 0.0, exact=True)


def seed(y: Expr) -> Expr:
    """The tangent or adjoint 1, in the dtype of derivatives, where none is given."""
    return made_by(Origin("derivative", "seed", y), constant_like, y, 1.0)


def broadcast_like(x: Expr, like: Expr) -> Expr:
    """x broadcast to the shape of `like`."""
    if x.type.shape == like.type.shape:
        return x
    if isinstance(x, Constant) and like.type.known:
        return Constant(np.broadcast_to(x.value, like.shape), exact=x.exact)
    return OPERATIONS["broadcast_to"](x, like.shape)


def unbroadcast(ct: Any, like: Expr) -> Any:
    """A cotangent summed over the axes along which `like` was stretched, in its dtype. A minus
    before it is taken of the sum, which has fewer entries. What is no cotangent stays as it is."""
    fits = usual(ct, like) or not isinstance(ct, Expr) or ct.ndim < like.ndim
    if fits or isinstance(ct.type, NullType):
        return ct
    if ct.op is OPERATIONS["negative"]:
        return -unbroadcast(ct.inputs[0], like)
    extra = ct.ndim - like.ndim
    lengths = enumerate(zip(like.type.shape, ct.type.shape[extra:], strict=True))
    ones = tuple([extra + k for k, (n, m) in lengths if n == 1 != m])
    if ones:
        ct = ct.sum(axis=ones, keepdims=True)
    if extra:
        ct = ct.sum(axis=tuple(range(extra)))
    dtype = float_type(like.dtype)
    return ct if ct.dtype == dtype else ct.astype(dtype)


# ---- the record: an operation that is stated once, above its NumPy body


class Declared(Op):
    """An operation made by the decorator `op`."""

    takes_none = True
    __call__: Callable[..., Expr]  # an operation of the house gives one expression

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

    def perform(self, *values: Any, **static: Any) -> Any:
        return self.body(*values, **static)

    def normal(self, types: Sequence[TensorType], **static: Any) -> dict[str, Any]:
        rule = self.stated.get("normal")
        return rule(*types, **static) if rule else static

    def infer_type(self, *types: TensorType, **static: Any) -> TensorType | TupleType:
        if self.elementwise and self.parameters.keys() - static:
            raise TypeError(f"{self.name} is applied without its static parameters: give those "
                            "of the node too, op.apply(inputs, node.static)")  # fmt: skip
        rule = self.stated.get("type")
        shape = rule(*types, **static) if rule else broadcast_shapes(*[t.shape for t in types])
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
        partials = self.stated.get("partials")
        if partials is None:
            return self.stated.get("chain")
        return lambda d, *args, **static: [d * p for p in partials(*args, **static)]

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

    def pushforward(self, inputs: Exprs, outputs: Exprs, tangents: Slots, **static: Any) -> Slots:
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

    def pullback(self, inputs: Exprs, outputs: Exprs, cotangents: Slots, **static: Any) -> Slots:
        """[ct · ∂f/∂xᵢ for each operand], summed over what was stretched to meet the others."""
        if len(outputs) == 1:
            parts = self.pull(cotangents[0], inputs, outputs[0], static)
        else:
            parts = self.stated["pullback"](tuple(cotangents), *inputs, tuple(outputs), **static)
        if not isinstance(parts, (list, tuple)) or len(parts) != len(inputs):
            return parts  # who asked says what is wrong
        return [*map(unbroadcast, parts, inputs)]

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


# ---- the contract


Words = tuple[str, str, str]  # for messages: a rule, what it gives, and for each of what
PULLBACK: Words = ("pullback", "cotangent", "input")
PUSHFORWARD: Words = ("pushforward", "tangent", "output")


def pulled(op: Any, inputs: Exprs, outputs: Exprs, changes: Slots, static: dict) -> list:
    """The cotangent of each input, or None, by the operation's pullback. Raises TypeError."""
    cotangents = changes if op.takes_none else filled(changes, outputs)
    rule = partial(op.pullback, **static)
    if not (op.takes_none and getattr(op, "is_ours", True)):
        rule = partial(HOOKS["in_symbols"], rule)
    result = rule(inputs, outputs, cotangents)
    return accepted(result, inputs, PULLBACK, op.name, outputs[0])


def pushed(op: Any, inputs: Exprs, outputs: Exprs, changes: Slots, static: dict) -> list:
    """The tangent of each output, or None, by the operation's pushforward. Raises TypeError."""
    tangents = changes if op.takes_none else filled(changes, inputs)
    result = op.pushforward(inputs, outputs, tangents, **static)
    return accepted(result, outputs, PUSHFORWARD, op.name, outputs[0])


def filled(changes: Slots, of: Exprs) -> list[Expr]:
    """Exact zeros for the changes of what takes no part."""
    return [zero(x) if c is None else c for c, x in zip(changes, of, strict=True)]


def accepted(result: Any, of: Exprs, words: Words, name: str, n: Expr) -> list[Expr | None]:
    """The result of a rule, one change for each, in the dtypes of derivatives; the operation has
    this name, and was applied in n. Raises TypeError."""
    if type(result) not in (list, tuple) or len(result) != len(of):
        raise HOOKS["wrong_count"](result, of, words, name, n)
    if all(map(usual, result, of)):
        return [*result]
    pairs = enumerate(zip(result, of, strict=True))
    return [c if usual(c, x) else accept(c, k, x, words, name, n) for k, (c, x) in pairs]


def usual(c: Any, x: Expr) -> bool:
    """Is the change of exactly the type that it should have, or none? Nearly all are."""
    return c is None or (isinstance(c, Expr) and c.type is x.type and x.type.is_float)


def accept(c: Any, k: int, x: Expr, *where: Any) -> Expr | None:
    """A change of another type, if it can stand for one of x."""
    if isinstance(c, (Null, Disconnected)):
        return c if isinstance(c, Null) else None
    if not (isinstance(c, Expr) and c.type.is_float and agree(c.type.shape, x.type.shape)):
        raise HOOKS["wrong_change"](c, k, x, *where)
    dtype = float_type(x.dtype)
    return c if c.dtype == dtype else c.astype(dtype)


def agree(one: Shape, other: Shape) -> bool:
    """Can values of both shapes have the same shape?"""
    return len(one) == len(other) and all(None in p or p[0] == p[1] for p in zip(one, other))
