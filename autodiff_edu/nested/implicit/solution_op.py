"""The solution of an equation as one operation, whose body is the equation.

    root           body (x, c...) -> F(x, c),     result the x with F(x, c) = 0
    fixed point    body (x, c...) -> step(x, c),  result the x with x = step(x, c)
    operands       where the search begins, and c...

How it is found is a matter of numbers. The derivative comes from the equation alone: F(x(c), c) is
zero for all c, and so is its derivative (the implicit function theorem).

    ∂F/∂x · ẋ = -∂F/∂c · ċ,    u · ∂F/∂x = x̄,  c̄ = -u · ∂F/∂c
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ...differentiate.higher import symbol
from ...expr import (
    Expr,
    Graph,
    Null,
    ShapeError,
    TensorType,
    cached_property,
    infer,
)
from ...ops import agree, zero
from ..loops.recurrence import for_each
from ..subgraph.base import Nested, built_like
from ..subgraph.body import Slots, types_met
from ..subgraph.linearised import Linearised, of_result
from . import solvers
from .linear_solve import AtSolution, at_solution, columns, interpreted, linear_solve
from .solvers import How

START = "the solution does not depend on where the search for it begins"


class Solution(Nested):
    """What roots and fixed points have in common; `how` says by which method they are found."""

    arity = None
    unknowns = (0,)
    steps = None  # nobody knows how many
    reasons = {0: START}
    solve: Callable[..., Any]

    def __init__(self, body: Graph, how: How, name: str):
        super().__init__()
        self.body, self.how, self.name, self.label = body, how, name, name
        self.key = (name, how, built_like(body))

    def changed(self, body: Graph) -> "Solution":
        return type(self)(body, self.how, self.name)

    # ---- the equation

    def residual_of(self, x: Expr, y: Expr) -> Expr:
        """What is zero at the solution, if the body gives y for x. It is linear in both, so it also
        tells what becomes of their changes."""
        raise NotImplementedError

    def driven(self, moved: Expr) -> Expr:
        """The right-hand side to which a change of y leads."""
        raise NotImplementedError

    def product(self, v: Expr) -> Expr:
        """∂F/∂x · v."""
        x = self.body.inputs[0]
        moved = Linearised(self.body, [x]).pushforward([v]).get(self.body.outputs[0])
        return self.residual_of(v, zero(v) if moved is None else moved)

    @cached_property
    def matrix(self) -> Graph:
        """(unit vectors, x, c...) -> ∂F/∂x times each of them."""
        v = symbol(self.body.inputs[0], "v")
        return columns(Graph(self.product(v), [v, *self.body.inputs]))

    # ---- what people read

    @property
    def operand_words(self) -> tuple[str, ...]:
        return ("from", *[i.name or "" for i in self.body.inputs[1:]])

    # ---- types and values

    def infer_type(self, *types: TensorType) -> TensorType:
        y, first = self.body.outputs[0], types[0]
        found = infer(self.body, types_met(self.body, types)).get(y, y.type)
        if not agree(found.shape, first.shape):
            raise ShapeError(f"the search begins with {first!r}, the equation gives {found!r}")
        lengths = zip(first.shape, found.shape, strict=True)
        return TensorType(found.dtype, [b if a is None else a for a, b in lengths])

    def perform(self, *values: Any) -> Any:
        """The solution, by the interpreter."""
        return type(self).solve(self.how, interpreted(self.body), interpreted(self.matrix), *values)

    def lowered(self, compile: Callable[..., Any], wanted: frozenset[int]) -> Any:
        """The function that solves, by programs of the equation and of its derivative."""
        equation = compile(self.body, self.name)
        known = self.how.method in solvers.BY_MATRIX
        matrix = compile(self.matrix, f"matrix_of_{self.name}") if known else None
        return partial(type(self).solve, self.how, equation, matrix)

    # ---- derivatives and batches

    def differentiable(self, n_inputs: int) -> tuple[int, ...]:
        return tuple(range(1, n_inputs))

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any, **_: Any) -> Slots:
        return of_result(self, pulled, outputs, inputs, cotangents)

    def pushforward(self, inputs: Any, outputs: Any, tangents: Any, **_: Any) -> Slots:
        return of_result(self, pushed, outputs, inputs, [None, *tangents[1:]])

    def batch(self, inputs: Sequence[Expr], flags: Sequence[bool]) -> Expr:
        return for_each(self, inputs, flags)[0]


class Root(Solution):
    """The x with F(x, c) = 0."""

    solve = staticmethod(solvers.root)

    def residual_of(self, x: Expr, y: Expr) -> Expr:
        return y

    def driven(self, moved: Expr) -> Expr:
        return -moved

    def picture(self, n: Expr) -> Graph:
        """What an open box shows: the equation, and the x at which it holds."""
        if "picture" not in self.memory:
            found = AtSolution("= 0").apply((self.body.outputs[0], self.body.inputs[0]))
            self.memory["picture"] = Graph([found], self.body.inputs)
        return self.memory["picture"]

    def values_inside(self, picture: Graph, values: Sequence[Any]) -> Mapping[Expr, Any]:
        """The values in such a picture: those at the root."""
        return at_solution(self, picture, values)


class FixedPoint(Solution):
    """The x with x = step(x, c)."""

    solve = staticmethod(solvers.fixed_point)
    feedback = ((0, 0),)

    def residual_of(self, x: Expr, y: Expr) -> Expr:
        return x - y

    def driven(self, moved: Expr) -> Expr:
        return moved


# ---- the implicit function theorem


def pulled(op: Solution, cotangents: Slots) -> Slots:
    """The cotangents of the operands, in the symbols of the body."""
    x, *others = op.body.inputs
    y, u = op.body.outputs[0], symbol(x, "u")
    back = Linearised(op.body, [x]).pullback([(y, u)]).get(x)
    if isinstance(back, Null):
        return [None, *[back] * len(others)]
    product = op.residual_of(u, zero(u) if back is None else back)
    solved = linear_solve(product, u, cotangents[0], names_of(op)[::-1])  # type: ignore[arg-type]
    adjoint = Linearised(op.body, others).pullback([(y, op.driven(solved))])
    return [None, *map(adjoint.get, others)]


def pushed(op: Solution, tangents: Slots) -> Slots:
    """The tangent of the result, in the symbols of the body."""
    x, *others = op.body.inputs
    moved = Linearised(op.body, others).pushforward(tangents[1:]).get(op.body.outputs[0])
    if moved is None:
        return [None]
    v = symbol(x, "v")
    return [linear_solve(op.product(v), v, op.driven(moved), names_of(op))]


def names_of(op: Solution) -> tuple[str, str]:
    """What the equation of a tangent is called, and that of an adjoint."""
    return f"tangent of {op.name}", f"adjoint of {op.name}"
