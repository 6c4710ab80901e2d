"""A linear equation as one operation, whose body multiplies: the v with A(c)·v = b.

    body       (v, c...) -> A(c)·v
    operands   b, and c...
    result     v

    v̇ = A⁻¹·(ḃ - Ȧ·v),    b̄ = A⁻ᵀ·v̄,    c̄ = -b̄ᵀ·∂(A(c)·v)/∂c

The derivative of a solution is such an equation, and so the derivatives of this one are.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ...differentiate.higher import symbol
from ...expr import (
    Expr,
    Graph,
    Input,
    Null,
    Op,
    ShapeError,
    TensorType,
    cached_property,
    evaluate_all,
    substitute,
)
from ...ops import Loop, agree, all_batched, zero
from ..loops.recurrence import for_each
from ..subgraph.base import Nested, built_like
from ..subgraph.body import Slots, closure_convert, free_variables, outputs_at
from ..subgraph.linearised import Linearised, of_result
from .numbers import DENSE, Function, linear_solution

RIGHT = "right-hand side"


class LinearSolve(Nested):
    """`names` are its own and that of the transposed equation. b may have a leading axis more: then
    it is a row of right-hand sides."""

    arity = None
    unknowns = (0,)
    steps = None

    def __init__(self, body: Graph, names: tuple[str, str]):
        super().__init__()
        self.body, self.names = body, names
        self.name = self.label = names[0]
        self.key = (names, built_like(body))

    def changed(self, body: Graph) -> "LinearSolve":
        return LinearSolve(body, self.names)

    # ---- what people read

    @property
    def operand_words(self) -> tuple[str, ...]:
        return (RIGHT, *[i.name or "" for i in self.body.inputs[1:]])

    @property
    def inside(self) -> tuple[int | None, ...]:
        """The input of the body that each operand feeds: the right-hand side feeds none."""
        return (None, *range(1, len(self.body.inputs)))

    def picture(self, n: Expr) -> Graph:
        """What an open box shows: the product, and the unknown for which it is right."""
        if "picture" not in self.memory:
            found = AtSolution(f"= {RIGHT}").apply((self.body.outputs[0], self.body.inputs[0]))
            self.memory["picture"] = Graph([found], self.body.inputs)
        return self.memory["picture"]

    def values_inside(self, picture: Graph, values: Sequence[Any]) -> Mapping[Expr, Any]:
        """The values in such a picture: those at the solution."""
        return at_solution(self, picture, values)

    # ---- types and values

    @property
    def axes(self) -> int:
        return self.body.inputs[0].ndim

    def infer_type(self, b: TensorType, *others: TensorType) -> TensorType:
        v = self.body.inputs[0].type
        extra = len(b.shape) - self.axes
        if extra not in (0, 1) or not agree(b.shape[extra:], v.shape):
            raise ShapeError(f"the right-hand side is {b!r}, the unknown {v!r}")
        return b

    def perform(self, *values: Any) -> Any:
        product, columns = interpreted(self.body), interpreted(self.columns)
        return linear_solution(self.axes, self.name, product, columns, *values)

    def lowered(self, compile: Callable[..., Any], wanted: frozenset[int]) -> Any:
        """The function that solves, by the programs that its number of unknowns calls for."""
        v = self.body.inputs[0]
        n = v.size if v.type.known else None
        product = compile(self.body, self.name) if n is None or n > DENSE else not_needed
        columns = compile(self.columns, self.name) if n is None or n <= DENSE else not_needed
        return partial(linear_solution, self.axes, self.name, product, columns)

    @cached_property
    def columns(self) -> Graph:
        return columns(self.body)

    # ---- derivatives and batches

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any, **_: Any) -> Slots:
        if inputs[0].ndim > self.axes:
            return self.each.pullback(inputs, outputs, cotangents)
        return of_result(self, pulled, outputs, inputs, cotangents)

    def pushforward(self, inputs: Any, outputs: Any, tangents: Any, **_: Any) -> Slots:
        if inputs[0].ndim > self.axes:
            return self.each.pushforward(inputs, outputs, tangents)
        return of_result(self, pushed, outputs, inputs, tangents)

    @property
    def each(self) -> Loop:
        """One equation after the other, whose derivatives are batched again."""
        return Loop(self, (), (True, *[False] * (len(self.body.inputs) - 1)))

    def batch(self, inputs: Sequence[Expr], flags: Sequence[bool]) -> Expr:
        """Right-hand sides stand side by side; what changes the matrix is taken one by one."""
        b = inputs[0]
        if any(flags[1:]):
            return for_each(self, inputs, flags)[0]
        if b.ndim == self.axes + 1:
            return self.apply(tuple(inputs))
        rows = b.reshape((-1, *b.shape[2:]))
        return self.apply((rows, *inputs[1:])).reshape(b.shape)


def pulled(op: LinearSolve, cotangents: Slots) -> Slots:
    """The cotangents of the operands, in the symbols of the body."""
    v, *others = op.body.inputs
    y, u = op.body.outputs[0], symbol(v, "u")
    transposed = Linearised(op.body, [v]).pullback([(y, u)]).get(v, zero(u))
    if isinstance(transposed, Null):
        return [transposed] * len(op.body.inputs)
    transposed = substitute([transposed], {v: u})[0]  # it depends on the shape of v alone
    b = linear_solve(transposed, u, cotangents[0], op.names[::-1])  # type: ignore[arg-type]
    adjoint = Linearised(op.body, others).pullback([(y, b)])
    return [b, *[negated(adjoint.get(c)) for c in others]]


def pushed(op: LinearSolve, tangents: Slots) -> Slots:
    """The tangent of the result, in the symbols of the body."""
    v, *others = op.body.inputs
    moved = Linearised(op.body, others).pushforward(tangents[1:]).get(op.body.outputs[0])
    terms = [tangents[0], negated(moved)]
    there = [e for e in terms if e is not None]
    return [op.apply((sum(there[1:], there[0]), *others)) if there else None]


def negated(e: Expr | None) -> Expr | None:
    """-e; None and a derivative that does not exist as they are."""
    return e if e is None or isinstance(e, Null) else -e


def not_needed(*values: Any) -> Any:
    """In the place of a program that this number of unknowns does not call for."""
    raise NotImplementedError


# ---- from a product to its equation


def linear_solve(product: Expr, v: Input, b: Expr, names: tuple[str, str]) -> Expr:
    """The value of v at which a product, linear in v, is b."""
    outer = free_variables([product], [v])
    inside, inner = closure_convert([product], outer)
    return LinearSolve(Graph(inside, [v, *inner]), names).apply((b, *outer))


def columns(body: Graph) -> Graph:
    """(arrays in a row, ...) -> the body for each of these, where a body is a product with its
    first input."""
    v, *others = body.inputs
    known = v.size if v.type.known else None
    units = Input("units", TensorType(v.dtype, (known, *v.type.shape)))
    row = all_batched(body.outputs, {v: units}, units.shape[0])
    return Graph(row, [units, *others])


def interpreted(graph: Graph) -> Function:
    """A graph with one output as a function of arrays, where no program of it has been made."""
    return lambda *values: outputs_at(graph, values)[0]


# ---- what an open box of an equation shows: it, and the unknown for which it is right


class AtSolution(Op):
    """In pictures: the unknown, at which the expression is what the equation says."""

    name = label = "solution"
    operand_labels: Sequence[str] = ("= 0", "")
    props = ("asked", "label")

    def __init__(self, asked: str, label: str = "solution"):
        self.asked, self.label, self.operand_labels = asked, label, (asked, "")

    def infer_type(self, y: TensorType, x: TensorType) -> TensorType:
        return x

    def perform(self, y: Any, x: Any) -> Any:
        return x


def at_solution(op: Any, picture: Graph, values: Sequence[Any]) -> Mapping[Expr, Any]:
    """The values in the picture of an open box, given those of its operands: at the solution."""
    found = op.perform(*values)
    given: dict[Expr, Any] = dict(zip(op.body.inputs, [found, *values[1:]], strict=True))
    return evaluate_all(op.body.outputs, given) | {picture.outputs[0]: found}
