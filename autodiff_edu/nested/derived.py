"""The derivatives of a body, in symbols for its inputs and for the changes of its ends."""

from collections.abc import Sequence

from ..differentiate import backward, sweep
from ..expr import Expr, Graph, Input, Null, substitute
from .nested import through

Slots = Sequence[Expr | None]


def pulled(body: Graph, cotangents: Slots) -> list[Expr | None]:
    """The adjoint of each input, None where there is none."""
    start: dict[Expr, Expr] = {}
    for y, ct in zip(body.outputs, cotangents, strict=True):
        if ct is not None:
            start[y] = start[y] + ct if y in start else ct
    adjoint = backward(body, body.inputs, start).adjoint
    found = [adjoint.get(i) for i in body.inputs]
    return [through(body, e) if isinstance(e, Null) else e for e in found]


def pushed(body: Graph, tangents: Slots) -> list[Expr | None]:
    """The tangent of each output, None where it is zero."""
    moving = {i: t for i, t in zip(body.inputs, tangents, strict=True) if t is not None}
    tangent, _ = sweep(body, tuple(moving), tuple(moving.values()))
    return [tangent.get(y) for y in body.outputs]


def reusing(found: Slots, body: Graph, known: Sequence[Input]) -> list[Expr | None]:
    """The expressions with the outputs taken from outside instead of being computed again."""
    became: dict[Expr, Expr] = {y: k for y, k in zip(body.outputs, known) if y.op is not None}
    there = [e for e in found if e is not None and not isinstance(e, Null)]
    done = iter(substitute(there, became))
    return [e if e is None or isinstance(e, Null) else next(done) for e in found]
