"""Bodies: graphs that are the inside of an operation. What they need from outside, and how
operands are put in the places of their inputs.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...expr import (
    Constant,
    DTypeError,
    Expr,
    Graph,
    Input,
    Null,
    Origin,
    ShapeError,
    Shared,
    TensorType,
    at,
    check_distinct,
    check_expressions,
    check_listed,
    dependents,
    evaluate_all,
    is_derived,
    postorder,
    put_in,
    rebuild,
    substitute,
)
from ...ops import agree

Slots = Sequence[Expr | None]  # None where nothing changes, Null where no derivative exists


def inline_body(body: Graph, operands: Sequence[Expr]) -> list[Expr]:
    """The outputs of a body with operands, whose types may tell more, in place of its inputs."""
    return put_in(body.outputs, dict(zip(body.inputs, operands, strict=True)), again)


def opened(box: Expr, body: Graph, operands: Sequence[Expr]) -> list[Expr]:
    """The outputs of the body of a node, put in its place: in a derivative all of it is of one."""
    if not is_derived(box):
        return inline_body(body, operands)
    origin = Origin("rewrite", f"open {box.op.name}", box)

    def apply(n: Expr, inputs: tuple[Expr, ...]) -> Expr:
        made = again(n, inputs)
        if made is not n and not is_derived(n):
            made.origin = origin
        return made

    return put_in(body.outputs, dict(zip(body.inputs, operands, strict=True)), apply)


def again(n: Expr, inputs: tuple[Expr, ...]) -> Expr:
    """The operation of a node applied to other inputs; types are told anew where these differ."""
    for old, new in zip(n.inputs, inputs, strict=True):
        if new.type is not old.type:
            break
    else:
        return rebuild(n, inputs)
    made = n.op.apply(inputs, n.static)
    made.origin, made.name = n.origin, n.name
    return made


def expressions_in(slots: Slots) -> list[Expr]:
    """What stands in the slots, but for None and Null."""
    return [e for e in slots if e is not None and not isinstance(e, Null)]


def put_back(slots: Slots, made: Iterable[Expr]) -> list[Expr | None]:
    """The slots with others in the places of these; None and Null stay."""
    given = iter(made)
    return [e if e is None or isinstance(e, Null) else next(given) for e in slots]


def outputs_at(body: Graph, values: Sequence[Any]) -> list[Any]:
    """The values of a body's outputs for those of its inputs, by the interpreter."""
    known = evaluate_all(body.outputs, dict(zip(body.inputs, values, strict=True)))
    return [known[y] for y in body.outputs]


def free_variables(roots: Iterable[Expr], symbols: Iterable[Expr]) -> list[Expr]:
    """What an expression in these symbols takes from outside: the nodes nearest to its roots that
    do not depend on any symbol, constants aside."""
    roots = list(roots)
    order = postorder(roots)
    within = dependents(order, symbols)
    used = [i for n in order if n in within for i in n.inputs]
    outer = [n for n in (*used, *roots) if n not in within and not isinstance(n, Constant)]
    return list(dict.fromkeys(outer))


def free(roots: Iterable[Expr], symbols: Iterable[Expr]) -> list[Expr]:
    """The inputs and shared values that expressions need besides these symbols."""
    known = set(symbols)
    return [n for n in postorder(roots) if isinstance(n, (Input, Shared)) and n not in known]


def symbol_for(x: Expr, name: str = "") -> Input:
    """An input of a body that stands for x."""
    return Input(name or x.name or "x", x.type)


def closure_convert(roots: Sequence[Expr], found: Sequence[Expr]) -> tuple[list[Expr], list[Input]]:
    """The roots with a symbol in the place of each captured node, and these symbols."""
    inner = [symbol_for(x, x.name or "c") for x in found]
    became: dict[Expr, Expr] = dict(zip(found, inner, strict=True))
    return substitute(roots, became), inner


# ---- a body that is given


def body_of(inputs: Sequence[Expr], outputs: Any) -> Graph:
    """The graph with symbols of its own in the places of the inputs. Raises ValueError for an input
    listed twice, MissingInputError for what is not among them."""
    given, roots = check_expressions(inputs), check_expressions(outputs)
    check_distinct(given)
    symbols = [Input(i.name or f"x{k}", i.type, getattr(i, "facts", frozenset()))
               for k, i in enumerate(given)]  # fmt: skip
    found = substitute(roots, dict(zip(given, symbols, strict=True)))
    if not found:
        raise ValueError("an operation has at least one output")
    for n in postorder(found):
        if getattr(n.op, "updates", ()):
            raise NotImplementedError(f"{n.op.name}{at(n)} moves shared values on, which it cannot "
                                      "do within a box: an operation has no state")  # fmt: skip
    check_listed(free(found, symbols), symbols)
    return Graph(found, symbols, [y.name or "" for y in roots])


def cast(x: Expr, i: Input) -> Expr:
    """x in the dtype of the input i, where nothing is lost by it."""
    safe = x.dtype != i.dtype and np.result_type(x.dtype, i.dtype) == i.dtype
    return x.astype(i.dtype) if safe else x


def types_met(body: Graph, types: Iterable[TensorType]) -> dict[Expr, TensorType]:
    """The type of each input, as far as it and its operand tell."""
    return {i: met(i, t) for i, t in zip(body.inputs, types, strict=True)}


def met(i: Input, t: TensorType) -> TensorType:
    """What is known of an operand from its own type and from that of the input it is given for."""
    if t is i.type:
        return t
    if t.dtype != i.dtype:
        raise DTypeError(f"{disagreement(i, t)}: write .astype({str(i.dtype)!r})")
    if not agree(i.type.shape, t.shape):
        raise ShapeError(disagreement(i, t))
    lengths = zip(i.type.shape, t.shape, strict=True)
    return TensorType(t.dtype, [b if a is None else a for a, b in lengths])


def disagreement(i: Input, t: TensorType) -> str:
    """Both types, for a message."""
    return f"{i} is declared {i.type!r}, and {t!r} was given"
