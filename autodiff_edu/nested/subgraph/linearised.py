"""A body as a linear map: it takes changes of its inputs to changes of its outputs.

    pushforward    ẏ = Σᵢ ∂y/∂xᵢ · ẋᵢ    from the inputs on
    pullback       x̄ᵢ = Σ ȳ · ∂y/∂xᵢ     the same map transposed, from the outputs back

The derivatives of a box, a loop, a branch and an equation are all written with it. What the map
multiplies by are values within the body. Those that are `saved`, as results and states are, take
the place of the nodes that compute them, and nothing of these is computed again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ...differentiate import backward, sweep
from ...expr import Expr, Graph, Input, Null, put_in
from ...ops import zero
from .base import Nested
from .body import Slots, expressions_in, inline_body, put_back

Exprs = Sequence[Expr]
Apply = Callable[[Any], Exprs]  # operands -> the expressions
Rule = Callable[[Slots], tuple[Slots, Exprs]]  # changes -> the changes they cause, its symbols
Close = Callable[[Exprs, Exprs], Apply]


@dataclass(frozen=True)
class Linearised:
    """The map at the point where the inputs of the body have the values of its symbols. `wrt` are
    the inputs that may change, `saved` the expression of each node that is computed already."""

    body: Graph
    wrt: Exprs
    saved: Mapping[Expr, Expr] = field(default_factory=dict)

    def pushforward(self, tangents: Slots) -> dict[Expr, Expr]:
        """The tangent of each output that moves, for a tangent or None for each of wrt."""
        moving = {i: t for i, t in zip(self.wrt, tangents, strict=True) if t is not None}
        tangent, _ = sweep(self.body, tuple(moving), tuple(moving.values()))
        return self.reusing({y: tangent[y] for y in self.body.outputs if y in tangent})

    def pullback(self, seeds: Iterable[tuple[Expr, Expr | None]]) -> dict[Expr, Expr]:
        """The adjoint of each of wrt that has one, for pairs of an output and a cotangent."""
        start: dict[Expr, Expr] = {}
        for y, ct in seeds:
            if ct is not None:
                start[y] = combined(start.get(y), ct)
        adjoint = backward(self.body, self.wrt, start).adjoint
        return self.reusing({i: through(self.body, adjoint[i]) for i in self.wrt if i in adjoint})

    def reusing(self, changes: dict[Expr, Expr]) -> dict[Expr, Expr]:
        """The changes with saved values in place of the nodes that compute them."""
        computed = {y: s for y, s in self.saved.items() if y.op is not None}
        return dict(zip(changes, instead(list(changes.values()), computed), strict=True))  # type: ignore[arg-type]


def combined(old: Expr | None, new: Expr) -> Expr:
    """Their sum, or the one that is Null."""
    if old is None or isinstance(new, Null):
        return new
    return old if isinstance(old, Null) else old + new


def through(body: Graph, change: Expr) -> Expr:
    """The change; one that does not exist says that the reason lies within the body."""
    if not isinstance(change, Null) or (change.within and change.within[0] is body):
        return change
    return Null(change.why, (body, change))


def instead(slots: Slots, places: Mapping[Expr, Expr]) -> list[Expr | None]:
    """The expressions with others in these places; None and Null as they are."""
    return put_back(slots, put_in(expressions_in(slots), places))


# ---- once for each operation, whatever its operands are


def as_expressions(roots: Exprs, symbols: Exprs) -> Apply:
    """Operands to the roots, as plain expressions, with them in the places of the symbols."""
    return partial(inline_body, Graph(roots, symbols))  # type: ignore[arg-type]


def in_symbols(
    op: Nested,
    key: Any,
    rule: Rule,
    ends: Exprs,
    values: Slots,
    changes: Slots,
    mark: str = "d",
    close: Close = as_expressions,
) -> list[Expr | None]:
    """The changes to which a rule leads from these changes of the ends. The rule is asked in
    symbols, once for each choice of changes that are there; then operands take their places."""
    places = tuple([k for k, c in enumerate(changes) if c is not None])
    if (key, places) not in op.memory:
        moving = {k: Input(f"{mark}{ends[k].name or k}", zero(ends[k]).type) for k in places}
        slots, symbols = rule([moving.get(k) for k in range(len(changes))])
        apply = close(expressions_in(slots), [*symbols, *moving.values()])
        op.memory[key, places] = slots, apply
    slots, apply = op.memory[key, places]
    return put_back(slots, apply([*values, *[changes[k] for k in places]]))


def of_result(op: Nested, rule: Any, outputs: Exprs, inputs: Slots, changes: Slots) -> Slots:
    """The changes by the rule (operation, changes) of an equation. In it the first input of the
    body stands for the result: at the solution they are equal."""
    ends, values = op.body.inputs, [outputs[0], *inputs[1:]]
    return in_symbols(op, rule, lambda moving: (rule(op, moving), ends), ends, values, changes)
