"""What an open box of an equation shows: the equation, and the unknown for which it is right."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...expr import Expr, Graph, Op, TensorType, evaluate_all


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
