"""How an operation is stated once, and what follows from the statement.

An elementwise operation states what becomes of a small change d in each operand, `chain`, or the
factors alone, `partials`. A linear one states that it is linear. Type, pullback and pushforward
follow from that; an operation that is neither states all three.

Letters: d a tangent or cotangent, ct a cotangent, x y operands, out the result.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..expr import Constant, Expr, Op, TensorType, broadcast_shapes, enters, upstairs

Rule = Callable[..., Any]
OPS: dict[str, "Declared"] = {}  # every declared operation, by name


class Declared(Op):
    """An operation made by the decorator `op`."""

    def __init__(self, body: Rule, **stated: Any):
        super().__init__()
        self.body, self.name, self.__doc__ = body, body.__name__, body.__doc__
        signature = inspect.signature(body).parameters.values()
        kinds = [p.kind for p in signature]
        self.arity = (
            None
            if inspect.Parameter.VAR_POSITIONAL in kinds
            else kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD)
        )
        self.parameters = {p.name: p.default for p in signature if p.kind is p.KEYWORD_ONLY}
        self.stated = stated
        self.symbol = stated.get("symbol", "")
        self.label = stated.get("label", self.symbol or self.name)
        self.commutative = stated.get("commutative", False)
        self.severed = stated.get("severed", "")
        self.elementwise = "type" not in stated
        self.scalar = stated.get("scalar", "")
        self.reads = stated.get("reads")

    def __call__(self, *args: Any, **static: Any) -> Expr:
        if self.reads is not None:
            args, static = self.reads(*args, **static)
        return super().__call__(*args, **static)

    def perform(self, *values: Any, **static: Any) -> Any:
        return self.body(*values, **static)

    def normal(self, types: Sequence[TensorType], **static: Any) -> dict[str, Any]:
        rule = self.stated.get("normal")
        return rule(*types, **static) if rule else static

    def infer_type(self, *types: TensorType, **static: Any) -> TensorType:
        shape = self.stated.get("type", elementwise_shape)(*types, **static)
        return (
            shape if isinstance(shape, TensorType) else TensorType(self.dtype(types, static), shape)
        )

    def dtype(self, types: Sequence[TensorType], static: dict[str, Any]) -> np.dtype:
        """The dtype that the body itself gives for operands of these dtypes."""
        ones = [np.ones((1,) * t.ndim, t.dtype) for t in types]
        with np.errstate(all="ignore"):
            return np.asarray(self.body(*ones, **static)).dtype

    def __reduce__(self):
        return declared, (self.name,)

    # ---- what the statement implies

    @cached_property
    def linear(self) -> tuple[int, ...]:
        """The operands in which the operation is jointly linear."""
        stated = self.stated.get("linear", ())
        return tuple(range(self.arity or 0)) if stated is True else stated

    @cached_property
    def multilinear(self) -> bool:
        return self.stated.get("multilinear", False)

    @cached_property
    def chain(self) -> Rule | None:
        if "partials" in self.stated:
            return lambda d, *args: [d * p for p in self.stated["partials"](*args)]
        return self.stated.get("chain")

    @cached_property
    def coefficients(self) -> tuple[float, ...]:
        """What each operand of an elementwise linear operation is multiplied by."""
        return tuple(float(self.body(*row)) for row in np.eye(self.arity or 1))

    def differentiable(self, n_inputs: int) -> tuple[int, ...]:
        """The operands through which derivatives pass."""
        return () if self.severed else self.linear or tuple(range(n_inputs))

    def pushforward(
        self,
        inputs: Sequence[Expr],
        outputs: Sequence[Expr],
        tangents: Sequence[Expr | None],
        **static: Any,
    ) -> list[Expr]:
        """[Σᵢ tᵢ · ∂f/∂xᵢ], with None for a tangent that is zero; at least one is not."""
        out = outputs[0]
        if "pushforward" in self.stated:
            full = [zero(x) if t is None else t for x, t in zip(inputs, tangents, strict=True)]
            return [stretch(self.stated["pushforward"](full, *inputs, out, **static), out)]
        if self.linear:
            return [stretch(self.push_linear(inputs, tangents, static), out)]
        pairs = [(k, t) for k, t in enumerate(tangents) if t is not None]
        if self.multilinear:
            terms = [self(*put(inputs, k, t), **static) for k, t in pairs]
        else:
            assert self.chain, f"{self.name} states no derivative: give chain= or pushforward="
            terms = [self.chain(t, *inputs, out)[k] for k, t in pairs]
        return [stretch(add_up(terms), out)]

    def push_linear(self, inputs: Sequence[Expr], tangents: Any, static: dict[str, Any]) -> Expr:
        given = [k for k in self.linear if tangents[k] is not None]
        if self.elementwise and len(given) < len(self.linear) == self.arity:
            return add_up([times(self.coefficients[k], tangents[k]) for k in given])
        args = list(inputs)
        for k in self.linear:
            args[k] = zero(inputs[k]) if tangents[k] is None else tangents[k]
        return self.apply(tuple(args), tuple(static.items()))

    def pullback(
        self,
        inputs: Sequence[Expr],
        outputs: Sequence[Expr],
        cotangents: Sequence[Expr],
        **static: Any,
    ) -> list[Expr | None]:
        """[ct · ∂f/∂xᵢ for each operand], summed over what was stretched to meet the others."""
        parts = self.pull(cotangents[0], inputs, outputs[0], static)
        return [None if c is None else fit(c, x) for c, x in zip(parts, inputs, strict=True)]

    def pull(self, ct: Expr, inputs: Sequence[Expr], out: Expr, static: dict) -> Sequence[Any]:
        if "pullback" in self.stated:
            return self.stated["pullback"](ct, *inputs, out, **static)
        if self.chain:
            return self.chain(ct, *inputs, out)
        assert self.elementwise and not static, f"{self.name} states no pullback"
        if self.multilinear:
            varying = [not isinstance(x, Constant) for x in inputs]
            return [self(*put(inputs, k, ct)) if v else None for k, v in enumerate(varying)]
        if len(self.linear) == self.arity:
            return [times(c, ct) for c in self.coefficients]
        return [self.pull_slot(ct, inputs, k) for k in range(len(inputs))]

    def pull_slot(self, ct: Expr, inputs: Sequence[Expr], k: int) -> Expr | None:
        """where(c, x, y) gives where(c, ct, 0) and where(c, 0, ct)."""
        if k not in self.linear:
            return None
        return self(*[ct if j == k else 0 if j in self.linear else x for j, x in enumerate(inputs)])


def declared(name: str) -> Declared:
    """The operation of this name: how a stored graph finds it again."""
    return OPS[name]


def op(**stated: Any) -> Callable[[Rule], Declared]:
    """State an operation once, above its NumPy body.

    label, symbol       its picture, and its sign in formulas
    partials, chain     (x, y, out) -> factors, or (d, x, y, out) -> what each operand's d becomes
    linear, multilinear True, or the places of the operands
    type                (*types, **static) -> the result's shape, or its TensorType
    normal              (*types, **static) -> the static parameters in their one normal form
    reads               (arguments as NumPy's users write them) -> operands and parameters
    pullback            (ct, x, y, out, **static) -> a cotangent or None for each operand
    pushforward         ((dx, dy), x, y, out, **static) -> the tangent of the result
    severed             why no derivative passes
    scalar              the Python expression for numbers, with {0} {1} for operands
    """

    def declare(body: Rule) -> Declared:
        check_name(body)
        made = OPS[body.__name__] = Declared(body, **stated)
        return enters(made.name)(made)  # type: ignore[return-value]

    return declare


def check_name(body: Rule) -> None:
    """A name may be stated again by the module that stated it, as when a cell is run twice."""
    name, old = body.__name__, OPS.get(body.__name__)
    if name in upstairs and (old is None or old.body.__module__ != body.__module__):
        raise ValueError(f"the name {name} is taken: call the operation something else")


# ---- the few things that every rule needs


def elementwise_shape(*types: TensorType) -> tuple:
    return broadcast_shapes(*[t.shape for t in types])


def put(inputs: Sequence[Expr], k: int, value: Expr) -> list[Expr]:
    return [value if j == k else x for j, x in enumerate(inputs)]


def times(factor: float, d: Expr) -> Expr:
    return d if factor == 1 else -d if factor == -1 else factor * d


def add_up(terms: Sequence[Expr]) -> Expr:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def float_type(dtype: np.dtype) -> np.dtype:
    """The dtype of a derivative: that of the value if it is a float, otherwise float64."""
    return dtype if dtype.kind == "f" else np.dtype("float64")


def zero(like: Expr) -> Expr:
    """The exact zero of differentiation, of the shape of `like`."""
    return stretch(Constant(0.0, float_type(like.dtype), exact=True), like)


def stretch(x: Expr, like: Expr) -> Expr:
    """x broadcast to the shape of `like`."""
    if x.type.shape == like.type.shape:
        return x
    if isinstance(x, Constant) and like.type.known:
        return Constant(np.broadcast_to(x.value, like.shape), exact=x.exact)
    return upstairs["broadcast_to"](x, like.shape)


def fit(ct: Expr, like: Expr) -> Expr:
    """A cotangent summed over the axes along which `like` was stretched, in its dtype."""
    if ct.type is like.type and ct.type.is_float:
        return ct
    extra = ct.ndim - like.ndim
    ones = tuple(
        k + extra for k, n in enumerate(like.type.shape) if n == 1 != ct.type.shape[k + extra]
    )
    if ones:
        ct = ct.sum(axis=ones, keepdims=True)
    if extra:
        ct = ct.sum(axis=tuple(range(extra)))
    wanted = float_type(like.dtype)
    return ct if ct.dtype == wanted else ct.astype(wanted)
