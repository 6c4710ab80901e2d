"""The solution of a differential equation as one operation, whose body is the rate.

body       (y..., t, c...) -> dy/dt for each y
operands   y at the first time, the times, and c...
results    for each y a row for each time
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from ...expr import (
    Expr,
    Graph,
    ShapeError,
    TensorType,
    TupleType,
    cached_property,
    infer,
    postorder,
)
from ...ops import agree
from ..loops.recurrence import for_each
from ..subgraph.base import Nested, built_like
from ..subgraph.body import outputs_at, types_met
from .integrate import Tolerances, trajectory
from .linear_solve import AtSolution
from .ode_derivatives import pulled, pushed


class OdeSolution(Nested):
    """There are as many states as outputs of the body; `how` are the method and tolerances."""

    arity = None
    steps = None  # nobody knows how many

    def __init__(self, body: Graph, how: Tolerances, name: str = "odeint"):
        super().__init__()
        self.body, self.how, self.name, self.label = body, how, name, name
        self.states = len(body.outputs)
        self.key = (name, how, built_like(body))

    def changed(self, body: Graph) -> "OdeSolution":
        return OdeSolution(body, self.how, self.name)

    def split(self, operands: Sequence[Any]) -> tuple[list, Any, list]:
        """The states at first, the times, and the others; or the symbols for these."""
        m = self.states
        return [*operands[:m]], operands[m], [*operands[m + 1 :]]

    def smaller(self, used: Iterable[int]) -> tuple[list[int], list[int]]:
        """A state stays if another one that stays moves with it; and time stays."""
        states, t, others = self.split(self.body.inputs)
        kept = set(used)
        while True:
            needed = set(postorder([self.body.outputs[k] for k in kept])) | {t}
            fresh = {k for k, y in enumerate(states) if y in needed} - kept
            if not fresh:
                break
            kept |= fresh
        rest = [k for k, i in enumerate(self.body.inputs) if k >= self.states and i in needed]
        return sorted(kept), [*sorted(kept), *rest]

    # ---- what people read

    @property
    def operand_words(self) -> tuple[str, ...]:
        states, _, others = self.split([i.name or "" for i in self.body.inputs])
        return (*[f"first {y}" for y in states], "times", *others)

    @property
    def result_words(self) -> tuple[str, ...]:
        return tuple([i.name or "y" for i in self.body.inputs[: self.states]])

    def picture(self, n: Expr) -> Graph:
        """What an open box shows: the rates, and the states that follow from them."""
        if "picture" not in self.memory:
            pairs = zip(self.body.outputs, self.body.inputs, strict=False)
            found = [AtSolution(f"d{y.name}/dt", "∫").apply((rate, y)) for rate, y in pairs]
            self.memory["picture"] = Graph(found, self.body.inputs)
        return self.memory["picture"]

    def values_inside(self, picture: Graph, values: Sequence[Any]) -> dict[Expr, Any]:
        """None: there is not one value of each, but one for each time."""
        return {}

    # ---- types and values

    @cached_property
    def types(self) -> list[TensorType]:
        return [y.type for y in self.body.outputs]

    def infer_type(self, *types: TensorType) -> TensorType | TupleType:
        starts, times, others = self.split(types)
        if len(times.shape) != 1 or times.dtype.kind != "f":
            raise ShapeError(f"the times are a vector of floats, not {times!r}")
        given = types_met(self.body, [*starts, TensorType(times.dtype), *others])
        known = infer(self.body, given)
        rates = [known.get(y, y.type) for y in self.body.outputs]
        for i, y, rate in zip(self.body.inputs, starts, rates, strict=False):
            if not agree(y.shape, rate.shape):
                raise ShapeError(f"{i.name} begins as {y!r}, and its rate is {rate!r}")
        found = [TensorType(y.dtype, (times.shape[0], *y.shape)) for y in starts]
        return found[0] if len(found) == 1 else TupleType(found)

    def perform(self, *values: Any) -> Any:
        """The states at the times, by the interpreter."""
        return self.solve(lambda *at: outputs_at(self.body, at), *values)

    def solve(self, rate: Callable[..., Any], *values: Any) -> Any:
        found = trajectory(self.how, self.states, rate, *values)
        return tuple(found) if self.states > 1 else found[0]

    def lowered(self, compile: Callable[..., Any], wanted: frozenset[int]) -> Any:
        """The function that solves, by the program of the rate."""
        return partial(self.solve, compile(self.body, self.name))

    # ---- derivatives and batches

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any, **_: Any) -> list[Expr | None]:
        return pulled(self, inputs, outputs, cotangents)

    def pushforward(self, inputs: Any, outputs: Any, tangents: Any, **_: Any) -> list[Expr]:
        return pushed(self, inputs, outputs, tangents)

    def batch(self, inputs: Sequence[Expr], flags: Sequence[bool]) -> Any:
        found = for_each(self, inputs, flags)
        return found if self.states > 1 else found[0]
