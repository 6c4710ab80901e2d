"""A box: an operation made from a graph, whose derivative may be overridden.

Without overrides its derivatives are those of its body, as boxes of their own or, if `inline`, as
plain expressions. Letters: y an output, ct a cotangent, t a tangent.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..differentiate import backward
from ..expr import (
    Disconnected,
    Expr,
    Graph,
    Input,
    MissingInputError,
    Null,
    ShapeError,
    Shared,
    TensorType,
    TupleType,
    at,
    check_expressions,
    evaluate_all,
    infer,
    operands,
    postorder,
    results,
    substitute,
)
from ..ops import Loop, batched, repeated, zero
from .body import placed
from .derived import Slots, pulled, pushed, reusing
from .nested import Nested, built_like
from .overrides import filled, overridden


class OpFromGraph(Nested):
    """The operation that computes `outputs` from `inputs`, for any operands of their types.

    inline       open the box in programs, and write its derivatives as plain expressions
    pullback     what to use instead of the derivative: (inputs, outputs, cotangents) -> a cotangent
                 for each input; or an OpFromGraph of the same; or a list with one of these, None
                 (the derivative itself), a Null or a Disconnected for each input
    pushforward  likewise (inputs, outputs, tangents) -> the tangent of each output
    connection_pattern  [[does a derivative pass from input i to output k?]]
    Raises MissingInputError for what the outputs need besides the inputs, shared values included,
    and ValueError for an input listed twice.
    """

    def __init__(
        self,
        inputs: Sequence[Expr],
        outputs: Expr | Sequence[Expr],
        *,
        inline: bool = False,
        pullback: Any = None,
        pushforward: Any = None,
        connection_pattern: Sequence[Sequence[bool]] | None = None,
        name: str | None = None,
        **unknown: Any,
    ):
        super().__init__()
        check_options(unknown)
        self.body = body_of(inputs, outputs)
        self.inline, self.rules, self.pattern = inline, (pullback, pushforward), connection_pattern
        self.arity = len(self.body.inputs)
        self.name = self.label = name or self.body.outputs[0].name or "box"
        self.overrides = pullback is not None or pushforward is not None
        pattern = np.array(connection_pattern).tobytes() if connection_pattern else None
        rules = tuple(tuple(map(id, r)) if isinstance(r, (list, tuple)) else id(r) if r else None
                      for r in self.rules)  # fmt: skip
        self.key = (self.name, inline, rules, pattern, built_like(self.body))
        self.derived: dict[tuple, tuple] = {}

    def changed(self, body: Graph) -> "OpFromGraph":
        pullback, pushforward = self.rules
        how: dict[str, Any] = {"pullback": pullback, "pushforward": pushforward}
        how |= {"connection_pattern": self.pattern, "inline": self.inline, "name": self.name}
        return OpFromGraph(body.inputs, body.outputs, **how)

    # ---- values

    def __call__(self, *args: Any, **static: Any) -> Any:
        if len(args) == self.arity:
            pairs = zip(operands(args, self.name), self.body.inputs, strict=True)
            args = tuple([cast(x, i) for x, i in pairs])
        return super().__call__(*args, **static)

    def infer_type(self, *types: TensorType) -> TensorType | TupleType:
        pairs = zip(self.body.inputs, types, strict=True)
        known = infer(self.body, {i: met(i, t) for i, t in pairs})
        found = [known[y] for y in self.body.outputs]
        return found[0] if len(found) == 1 else TupleType(found)

    def perform(self, *values: Any) -> Any:
        known = evaluate_all(self.body.outputs, dict(zip(self.body.inputs, values, strict=True)))
        found = tuple([known[y] for y in self.body.outputs])
        return found[0] if len(found) == 1 else found

    def lowered(self, compile: Callable[[Graph, str], Any], wanted: Any) -> Any:
        """The function that computes the box: the program of its body."""
        return compile(self.body, self.name)

    def batch(self, inputs: Sequence[Expr], flags: Sequence[bool]) -> Expr:
        """The box around the batched body; an override is applied to one slice after the other."""
        if self.overrides:
            return Loop(self, (), tuple(flags)).apply(tuple(inputs))
        rows = zip(self.body.inputs, inputs, flags, strict=True)
        longer: dict[Expr, Expr] = {i: Input(i.name or "x", x.type) for i, x, f in rows if f}
        made = batched(self.body.outputs, longer)
        n = next(iter(longer.values())).shape[0]
        outputs = [made[y] if y in made else repeated(y, n) for y in self.body.outputs]
        symbols: list[Any] = [longer.get(i, i) for i in self.body.inputs]
        return self.changed(Graph(outputs, symbols)).apply(tuple(inputs))

    # ---- derivatives

    def differentiable(self, n_inputs: int) -> tuple[int, ...]:
        return tuple(k for k, row in enumerate(self.connection_pattern) if any(row))

    @cached_property
    def connection_pattern(self) -> list[list[bool]]:
        """[[does a derivative pass from input i to output k?]]"""
        if self.pattern is not None:
            return [list(map(bool, row)) for row in self.pattern]
        reached = [backward(self.body, self.body.inputs, {y: zero(y)}).adjoint
                   for y in self.body.outputs]  # fmt: skip
        return [[i in adjoint for adjoint in reached] for i in self.body.inputs]

    def pullback(self, inputs: Any, outputs: Any, cotangents: Slots, **_: Any) -> list:
        rule = self.rules[0]
        if rule is None:
            found = self.own_pullback(inputs, outputs, cotangents)
        else:
            given = filled(cotangents, outputs)
            found = overridden(rule, inputs, outputs, given, self.own_pullback)
        if not isinstance(found, (list, tuple)) or len(found) != len(inputs):
            return found  # the wrong number: who asked says so
        passing = self.differentiable(len(inputs)) if self.pattern else range(len(inputs))
        return [None if isinstance(ct, Disconnected) or k not in passing else ct
                for k, ct in enumerate(found)]  # fmt: skip

    def pushforward(self, inputs: Any, outputs: Any, tangents: Slots, **_: Any) -> list[Expr]:
        pullback, rule = self.rules
        if rule is None and pullback is not None:
            return list(super().pushforward(inputs, outputs, tangents))
        if rule is None:
            found = self.own_pushforward(inputs, outputs, tangents)
        else:
            given = filled(tangents, inputs)
            found = overridden(rule, inputs, outputs, given, self.own_pushforward)
        return [zero(y) if t is None else t for t, y in zip(found, outputs, strict=True)]

    def own_pullback(self, inputs: Any, outputs: Any, cotangents: Slots) -> list[Expr | None]:
        """The derivative of the body, which may use the outputs again."""
        return self.derivative("pullback", inputs, outputs, cotangents, self.body.outputs)

    def own_pushforward(self, inputs: Any, outputs: Any, tangents: Slots) -> list[Expr | None]:
        return self.derivative("tangent", inputs, outputs, tangents, self.body.inputs)

    def derivative(
        self, kind: str, inputs: Any, outputs: Any, changes: Slots, of: Sequence[Expr]
    ) -> list[Expr | None]:
        places = tuple([k for k, c in enumerate(changes) if c is not None])
        if (kind, places) not in self.derived:
            symbols = {k: Input(f"d{of[k].name or k}", zero(of[k]).type) for k in places}
            grow = pulled if kind == "pullback" else pushed
            found = grow(self.body, [symbols.get(k) for k in range(len(of))])
            known = [Input(y.name or f"y{k}", y.type) for k, y in enumerate(self.body.outputs)]
            self.derived[kind, places] = reusing(found, self.body, known), known, symbols
        found, known, symbols = self.derived[kind, places]
        return self.write(
            f"{kind} of {self.name}",
            found,
            [*self.body.inputs, *known, *symbols.values()],
            [*inputs, *outputs, *[changes[k] for k in places]],
        )

    def write(self, name: str, found: Slots, symbols: list[Input], given: list) -> list:
        """What was found, with what is given for the symbols: as a box, or inline as it is."""
        there = [e for e in found if e is not None and not isinstance(e, Null)]
        if not there:
            return list(found)
        if self.inline:
            done: list[Expr] = placed(Graph(there, symbols), given)
        else:
            needed = set(postorder(there))
            used = [k for k, s in enumerate(symbols) if s in needed]
            box = OpFromGraph([symbols[k] for k in used], there, name=name)
            done = list(results(box.apply(tuple([given[k] for k in used]))))
        rows = iter(done)
        return [e if e is None or isinstance(e, Null) else next(rows) for e in found]


# ---- a box's body


def body_of(inputs: Sequence[Expr], outputs: Any) -> Graph:
    """The graph with symbols of its own in the places of the inputs."""
    given, roots = check_expressions(list(inputs)), check_expressions(outputs)
    if len(set(given)) < len(given):
        twice = next(i for k, i in enumerate(given) if i in set(given[:k]))
        raise ValueError(f"the input {twice}{at(twice)} is listed twice")
    symbols = [Input(i.name or f"x{k}", i.type, getattr(i, "facts", frozenset()))
               for k, i in enumerate(given)]  # fmt: skip
    found = substitute(roots, dict(zip(given, symbols, strict=True)))
    for n in postorder(found):
        if isinstance(n, (Input, Shared)) and n not in set(symbols):
            raise MissingInputError(
                f"the outputs need {n}{at(n)}, which is not among the inputs: add it to them"
            )
    return Graph(found, symbols, [y.name or "" for y in roots])


def check_options(unknown: dict[str, Any]) -> None:
    if unknown.keys() & {"updates", "givens"}:
        raise NotImplementedError(
            "an operation has no state: give updates and givens to ad.function"
        )
    if unknown:
        raise TypeError(f"OpFromGraph takes no {', '.join(unknown)}")


def cast(x: Expr, i: Input) -> Expr:
    """x in the dtype of the input i, where nothing is lost by it."""
    safe = x.dtype != i.dtype and np.result_type(x.dtype, i.dtype) == i.dtype
    return x.astype(i.dtype) if safe else x


def met(i: Input, t: TensorType) -> TensorType:
    """What is known of an operand from its own type and from that of the input it is given for."""
    shapes = zip(i.type.shape, t.shape, strict=False)
    if (
        t.dtype != i.dtype
        or t.ndim != i.ndim
        or any(None not in s and s[0] != s[1] for s in shapes)
    ):
        raise ShapeError(f"{i.name} is declared {i.type!r}, and {t!r} was given")
    return TensorType(t.dtype, [b if a is None else a for a, b in zip(i.type.shape, t.shape)])
