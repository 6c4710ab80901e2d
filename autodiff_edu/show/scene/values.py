"""Numbers and words of the document: JSON knows neither inf and nan nor arrays."""

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from ...core.derivative_rules import free_name
from ...differentiate import D
from ...expr import Expr, Graph, TensorType, postorder
from ...ops import OPS
from ..build.labels import called, label, type_words
from ..views.trace import names

SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
FORMS = {  # sign, strength, and where it stands
    "add": ("+", 1, "infix"), "subtract": ("−", 1, "infix"), "multiply": ("·", 2, "infix"),
    "divide": ("/", 2, "infix"), "negative": ("−", 2, "prefix"), "power": ("^", 3, "infix"),
    "square": ("²", 3, "postfix"), "matmul": ("@", 2, "infix"),
}  # fmt: skip
LARGEST = 64  # entries of an array that are written down


def plain(value: Any) -> Any:
    """A number, or an array as its shape and its entries, row by row, if they are few."""
    if isinstance(value, tuple):  # several results
        return None
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        return None
    if not array.ndim:
        return number(array[()])
    small = array.size <= LARGEST
    data = {"data": [number(v) for v in array.ravel()]} if small else {}
    return {"shape": list(array.shape), **data}


def number(value: Any) -> int | float | str:
    """A whole number without its point; nan and inf as words."""
    x = float(value)
    if not math.isfinite(x):
        return str(x)
    return int(x) if x == int(x) and abs(x) < 1e15 and (x or math.copysign(1, x) > 0) else x


def type_note(n: Expr) -> str:
    """(3, 4); nothing for a number of float64."""
    return type_words(n.type) if isinstance(n.type, TensorType) else ""


def static_words(n: Expr) -> dict[str, Any]:
    """The parameters of an operation, and what is written on it where they change that."""
    static = {k: data(v) for k, v in n.static}
    words = {"static": static} if static else {}
    of_house = n.op is not None and OPS.get(n.op.name) is n.op
    return words | ({"label": label(n)} if static or not of_house else {})


def data(value: Any) -> Any:
    """A parameter as JSON has it; what it lacks, as text."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return number(value)
    if isinstance(value, (tuple, list)):
        return [data(v) for v in value]
    return str(value)


def operations(nodes: Iterable[Expr]) -> dict[str, dict[str, Any]]:
    """How each operation is written."""
    words: dict[str, dict[str, Any]] = {}
    for n in nodes:
        if n.op is not None and n.op is not D:
            sign, strength, form = FORMS.get(n.op.name, (called(n), 9, ""))
            row = {"symbol": sign} | ({"strength": strength, "form": form} if form else {})
            words.setdefault(n.op.name, row)
    return words


def computable(nodes: Sequence[Expr], at: Collection[Expr]) -> list[Expr]:
    """Those of the nodes that need no D(·), and no input without a value."""
    pending: set[Expr] = set()
    for n in postorder(nodes):
        unknown = n.op is None and n not in at and not hasattr(n, "value")
        if unknown or n.op is D or any(i in pending for i in n.inputs):
            pending.add(n)
    return [n for n in nodes if n not in pending]


def subscripted(name: str) -> str:
    """x1 is written x₁."""
    head = name.rstrip("0123456789")
    return head + name[len(head) :].translate(SUBSCRIPT) if head else name


def value_names(graph: Graph) -> dict[Expr, str]:
    """Own names, and v₁, v₂, … for operations that have none; the only result is y, if nothing else
    is called so."""
    named = {n: subscripted(n.name) for n in graph.nodes if n.name}
    results = dict(zip(graph.outputs, map(subscripted, graph.names), strict=False))
    alone = {graph.outputs[0]: free_name(graph)} if len(graph.outputs) == 1 else {}
    results_named = {n: name for n, name in results.items() if name and n.op is not None}
    return names(graph) | alone | named | results_named
