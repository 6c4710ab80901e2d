"""What is written on a node: its symbol, its parameters in short, its type where that says more."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...differentiate import D
from ...expr import (
    UNTYPED,
    Constant,
    Disconnected,
    Expr,
    Graph,
    Input,
    Literal,
    Null,
    Origin,
    Place,
    TensorType,
    Wild,
    item,
    spell,
    text,
)
from ...ops import OPS, gather
from ...ops.batch import Loop
from ..diagram.theme import Kind, Part
from .parameters import parameter, value
from .subgraphs import body, operand_words, result_label

FEW = 4  # entries of an array that are written out


# ---- which shape and which line a node has


def kind(n: Expr) -> Kind:
    if isinstance(n, Constant):
        return "exact zero" if n.exact else "constant"
    if isinstance(n, (Literal, Null, Disconnected)) or (isinstance(n, Wild) and n.constant):
        return "constant"
    if n.op is None:
        return "input" if isinstance(n, (Input, Wild)) else "shared"
    if n.op is D:
        return "open derivative"
    return "box" if is_box(n) else "operation"


def is_box(n: Expr) -> bool:
    """Has its operation a graph inside?"""
    return isinstance(getattr(n.op, "body", None), Graph)


def part(n: Expr) -> Part:
    rules = (o.kind for o in origins(n) if isinstance(o, Origin))
    return "derivative" if "derivative" in rules else "forward"


def groups(n: Expr) -> tuple[str, ...]:
    """The names of the groups in which the user wrote it, or what it descends from."""
    *_, place = origins(n)
    return place.groups if isinstance(place, Place) else ()


def origins(n: Expr) -> Iterator[Origin | Place | str | None]:
    """What made the node; then what made the node from which it was made; at last the user."""
    yield n.origin
    while isinstance(n.origin, Origin):
        n = n.origin.node
        yield n.origin


# ---- where it is drawn, and which of its operands


def per_use(n: Expr) -> bool:
    """Is this leaf so small that it is drawn wherever it is used?"""
    if isinstance(n, Constant):
        return n.value.size <= 1 or bool((n.value == n.value.flat[0]).all())
    return isinstance(n, Literal) or is_length(n)


def is_length(n: Expr) -> bool:
    """A length of an input is drawn as a leaf, X.shape[0]."""
    return n.op is OPS["length"] and isinstance(n.inputs[0], Input)


def drawn_operands(n: Expr) -> tuple[Expr, ...]:
    """The operands, but none that add nothing to the first one: lengths of the shape into which
    it is brought; of all states of a loop, the last one."""
    if n.op is None or n.op.drawn is None:
        return n.inputs
    return n.inputs[: n.op.drawn + dict(n.static).get("count", 0)]


# ---- its symbol


def label(n: Expr) -> str:
    """What stands in the middle of the node: ×, ·², [1:], 2, x."""
    if isinstance(n, (Constant, Literal)):
        return numbers(n.value)
    if n.op is None:
        return n.name or text(n)
    if hasattr(n.op, "node_label"):
        return n.op.node_label(n)
    return f"each {called(n)}" if isinstance(n.op, Loop) else called(n)


def called(n: Expr) -> str:
    """What an operation is called in pictures; a loop as what it does to each slice."""
    op, static = operation(n)
    if op is item:
        return result_label(n.inputs[0], dict(static)["place"])
    if op is gather:
        return f"·[{', '.join(arguments(n)[1:])}]"
    given = dict.fromkeys(op.parameters, "[…]") | {k: value(k, v) for k, v in static}
    return PLACE.sub(lambda place: given.get(place[1], place[0]), op.label) or op.name or "box"


PLACE = re.compile(r"\{(\w+)\}")


def operation(n: Expr) -> tuple[Any, Sequence[tuple[str, Any]]]:
    """The operation and its parameters; of a loop over slices those of each slice."""
    assert n.op is not None
    return (n.op.op, n.op.static) if isinstance(n.op, Loop) else (n.op, n.static)


def numbers(value: Any, digits: int = 6) -> str:
    """A number in a few digits, a short array entry by entry, a longer one by its shape."""
    array = np.asarray(value)
    if not array.ndim or (array.size and (array == array.flat[0]).all()):
        return one_number(array.flat[0], digits)
    if array.ndim == 1 and array.size <= FEW:
        return f"[{', '.join(one_number(v, digits) for v in array)}]"
    return "array"


def one_number(value: Any, digits: int) -> str:
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return str(value)
    return f"{float(value):.{digits}g}".replace("-", "−")


def arguments(n: Expr) -> Sequence[str]:
    """What is written on the edges into a node, where the order of operands matters."""
    if n.op is None or n.op.commutative or len(n.inputs) < 2:
        return ("",) * len(n.inputs)
    if is_box(n) and (inner := body(n)) is not None:
        return operand_words(n, inner)
    words = operation(n)[0].operand_labels[: len(n.inputs)]
    return words or [str(k) for k in range(1, len(n.inputs) + 1)]


def output_word(graph: Graph, k: int) -> str:
    """The name of an output, or a word for it."""
    unnamed = sum(not name for name in graph.names)
    return graph.names[k] or ("out" if unnamed == 1 else f"out {k + 1}")


# ---- the small words below the symbol


def parameters(n: Expr) -> str:
    """Static parameters in a few words: `axis 0`."""
    if n.op is None:
        return ""
    op, static = operation(n)
    of = n.inputs[0].type if n.inputs else UNTYPED
    words = (parameter(op, k, v, None if of is UNTYPED else of.ndim) for k, v in static)
    return ", ".join(filter(None, words))


def type_words(t: TensorType, always: bool = False) -> str:
    """A type in short: nothing for a float64 number, (3, ?) for an array of them."""
    if not isinstance(t, TensorType):
        return ""  # several results, each with a type of its own
    shape = spell(t.shape) if t.shape else ""
    dtype = str(t.dtype) if always or t.dtype != np.float64 else ""
    return " ".join(filter(None, [dtype, shape]))


def changes_type(n: Expr) -> bool:
    """Is the type worth a word: that of an input, or one that no operand has?"""
    if n.op is OPS["length"] or (isinstance(n, Constant) and not n.type.shape):
        return False  # a length is always a whole number
    return all(n.type is not i.type for i in n.inputs)


@lru_cache(maxsize=512)  # the frames of a film show the same nodes
def tooltip(n: Expr) -> str:
    words = text(n) if n.type is UNTYPED else f"{text(n)}: {n.type!r}"
    if isinstance(n, Constant) and n.exact:
        words += ", exactly zero because differentiation proves it"
    return f"{n.name} = {words}" if n.name and n.op is not None else words
