"""Boxes: operations with a graph inside. What is inside, and what its ends are called.

An operation says more of itself in attributes that it may leave out: `operand_words` and
`result_words` (short words), `inside` (which input of the body each operand feeds), `outside`
(from which output of the body each result comes) and `feedback` (which output of the body becomes
which of its inputs in the next step of a loop). In methods it may say what a node of it is called,
`node_label`, which graph an open box shows, `picture`, and which values there are in it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ...expr import Expr, Graph, TupleType, evaluate_all, item

Place = int | None


def body(n: Expr) -> Graph | None:
    """The graph inside the node's operation, if there is one."""
    found = getattr(n.op, "body", None)
    if not isinstance(found, Graph):
        return None
    return n.op.picture(n) if hasattr(n.op, "picture") else found


# ---- what an operation says of its ends


def operand_words(n: Expr, inner: Graph) -> Sequence[str]:
    """A short word for each operand: by default, the name of the input that it feeds."""
    told = getattr(n.op, "operand_words", None)
    if told is not None:
        return told
    return [inner.inputs[j].name or "" if j is not None else "" for j in entries(n, inner)]


def result_word(n: Expr, k: int) -> str:
    """A short word for the k-th result: by default, the name of the output that it is."""
    told, inner = getattr(n.op, "result_words", None), body(n)
    if told is not None:
        return told[k]
    j = exits(n, inner)[k] if inner else None
    return "" if inner is None or j is None else inner.names[j]


def result_label(n: Expr, k: int) -> str:
    """`last h` of a loop, which says it so; of other operations .u or .0."""
    word = result_word(n, k)
    return word if word and hasattr(n.op, "result_words") else f".{word or k}"


def output_names(n: Expr, inner: Graph) -> list[str]:
    """What the outputs of the body are called: those of a loop by what becomes of them."""
    names = list(inner.names)
    for k, j in feedback(n):
        names[k] = names[k] or f"next {inner.inputs[j].name or 'state'}"
    for place, end in enumerate(exits(n, inner)):
        if end is not None:
            names[end] = names[end] or result_word(n, place)
    if getattr(n.op, "until", False):
        names[-1] = names[-1] or "until"
    return names


def entries(n: Expr, inner: Graph) -> Sequence[Place]:
    """Which input of the body each operand feeds; None for none."""
    known = range(len(inner.inputs))
    return getattr(n.op, "inside", [k if k in known else None for k in range(len(n.inputs))])


def exits(n: Expr, inner: Graph) -> Sequence[Place]:
    """From which output of the body each result comes; None for none. The results of a loop are
    its last states, all its states, and the rows of what else a step makes."""
    count = len(n.type.items) if isinstance(n.type, TupleType) else 1
    states = len(feedback(n))
    usual = [*range(states), *range(count)] if is_loop(n) else range(count)
    known = range(len(inner.outputs))
    return getattr(n.op, "outside", [k if k in known else None for k in usual][:count])


def feedback(n: Expr) -> Sequence[tuple[int, int]]:
    """(k, j) where the k-th output of the body becomes its j-th input in the next step."""
    return getattr(n.op, "feedback", ())


def is_loop(n: Expr) -> bool:
    return hasattr(n.op, "feedback")


def contents(n: Expr) -> str:
    """The words of a box: `5 operations inside`, or of a loop `5 operations a step`."""
    count = sum(m.op is not item for m in n.op.body.operations)
    where = "a step" if is_loop(n) else "inside"
    return f"{count:,} operation{'s' * (count != 1)} {where}"


def values_inside(n: Expr, inner: Graph, values: Mapping[Expr, Any]) -> dict[Expr, Any]:
    """The values within a box, where those of its operands are known and there is one of each."""
    if is_loop(n) or not all(i in values for i in n.inputs):
        return {}
    if hasattr(n.op, "values_inside"):
        return n.op.values_inside(inner, [values[i] for i in n.inputs])
    pairs = zip(n.inputs, entries(n, inner), strict=True)
    given: dict[Expr, Any] = {inner.inputs[j]: values[i] for i, j in pairs if j is not None}
    return evaluate_all(inner.outputs, given)
