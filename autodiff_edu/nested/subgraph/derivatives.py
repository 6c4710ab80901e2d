"""The derivatives of a box, in symbols: for its inputs those of its body, and others for its
outputs, which are computed already, and for the changes of its ends.
"""

from collections.abc import Sequence
from typing import Any

from ...differentiate import backward
from ...expr import (
    Constant,
    Expr,
    Graph,
    Input,
    Null,
    NullTypeGradError,
    at,
    computed_by,
    hook,
)
from ...ops import OPS, zero
from ...ops import pulled as cotangents_of
from .base import Nested
from .body import Slots, expressions_in, inline_body, put_back
from .linearised import Linearised, instead


def pulled(body: Graph, outputs: Sequence[Expr], cotangents: Slots) -> list[Expr | None]:
    """The adjoint of each input, None where there is none."""
    linear = Linearised(body, body.inputs, dict(zip(body.outputs, outputs, strict=True)))
    adjoint = linear.pullback(zip(body.outputs, cotangents, strict=True))
    return [adjoint.get(i) for i in body.inputs]


def pushed(body: Graph, outputs: Sequence[Expr], tangents: Slots) -> list[Expr | None]:
    """The tangent of each output, None where it is zero."""
    linear = Linearised(body, body.inputs, dict(zip(body.outputs, outputs, strict=True)))
    tangent = linear.pushforward(tangents)
    return [tangent.get(y) for y in body.outputs]


@hook("two_pullbacks")
def two_pullbacks(
    op: Any, inputs: Sequence[Expr], outputs: Sequence[Expr], tangents: Slots, **static: Any
) -> list[Expr | None]:
    """The tangents of the results: those that the pullback gives, if none are stated.

    The pullback is told symbols: what it says is differentiated, and all that the operands
    need is not.

    Parameters
    ----------
    op : Op
        The operation.
    inputs : list of Expr
        The operands.
    outputs : list of Expr
        The results.
    tangents : list of Expr
        Those of the operands, None for one that is zero.
    **static : object
        Its parameters.

    Returns
    -------
    list of Expr
        One for each result.
    """
    given = [*inputs, *outputs, *tangents]
    symbols = [x if x is None or isinstance(x, Constant) else Input(x.name or "x", x.type)
               for x in given]  # fmt: skip
    n, m = len(inputs), len(inputs) + len(outputs)
    found = transposed(op, symbols[n:m], symbols[m:], symbols[:n], static)
    places: dict[Any, Any] = {s: x for s, x in zip(symbols, given) if isinstance(s, Input)}
    rows = Graph(expressions_in(found), places)
    return put_back(found, inline_body(rows, list(places.values())))


def transposed(
    op: Any, outputs: Any, tangents: Slots, inputs: Any = None, static: Any = None
) -> list[Expr | None]:
    """u ↦ uᵀJ is linear, and its own pullback of t is J·t. Raises TypeError for a pullback that
    does not depend on its cotangents."""
    us = [Input("u", zero(y).type) for y in outputs]
    rows = cotangents_of(op, inputs or op.body.inputs, outputs, us, static or {})
    total: dict[Expr, Expr] = {}
    for row, t in zip(rows, tangents, strict=True):
        if row is None or t is None:
            continue
        adjoint = second_pullback(op, defined(op.name, row), us, t)
        reached = [u for u in us if u in adjoint]
        if not reached and not is_nothing(row):
            raise TypeError(
                f"the pullback of {op.name} drops its cotangent, so no tangent passes through it"
                f"{at(outputs[0])}: multiply by the cotangent, or give a pushforward too"
            )
        for u in reached:
            total[u] = total[u] + adjoint[u] if u in total else adjoint[u]
    found = [defined(op.name, total[u]) if u in total else None for u in us]
    return instead(found, {u: zero(y) for u, y in zip(us, outputs, strict=True)})


def second_pullback(op: Any, row: Expr, us: Sequence[Input], t: Expr) -> dict[Expr, Expr]:
    """The adjoints of the symbols u for the adjoint t of a row of uᵀJ."""
    try:
        return backward(Graph(row), us, {row: t}).adjoint
    except TypeError as error:
        what = f"forward mode through {op.name}{at(row)}, which has no pushforward, takes its"
        raise type(error)(f"{what} pullback twice, and the second time {error}") from None


def defined(name: str, change: Expr) -> Expr:
    """A change that is needed. Raises NullTypeGradError where it does not exist."""
    if isinstance(change, Null):
        raise NullTypeGradError(f"a derivative of {name} does not exist: {change.why}")
    return change


def is_nothing(e: Expr) -> bool:
    """Is it zero, whatever the values are?"""
    n, place = computed_by(e)
    if n.op is OPS["broadcast_to"]:
        return is_nothing(n.inputs[0])
    if isinstance(n.op, Nested) and len(n.inputs) == n.op.arity:
        return is_nothing(n.op.body.outputs[place])
    return isinstance(n, Constant) and not n.value.any()
