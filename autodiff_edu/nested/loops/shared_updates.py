"""Shared values that a loop moves on: what a step says of them, and what becomes of them.

The last state is the next value. Whoever uses a result of the loop moves them on with it: a
function by default, a step of a loop around it in the same way.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from ...expr import Expr, Shared, at, computed_by, operands, results, same
from .scan_op import Scan


def said(part: Any) -> dict[Shared, Expr]:
    """Pairs, or a dictionary, as a dictionary of expressions. Raises TypeError."""
    pairs = list(part.items() if isinstance(part, Mapping) else part)
    check_shared([w for w, _ in pairs], "a step updates")
    return {w: operands((w, e), "the update")[1] for w, e in pairs}


def check_shared(given: Iterable[Any], who: str) -> None:
    """Raises TypeError for what is no shared value."""
    for w in given:
        if not isinstance(w, Shared):
            raise TypeError(f"{who} shared values, made by ad.shared, not {w!r}")


def moved_on(nodes: Iterable[Expr], known: Iterable[Any] = ()) -> dict[Shared, Expr]:
    """The next values of the shared ones that the loops among these nodes move on, but for those
    that are known.

    Raises ValueError where two loops move the same one to different values.
    """
    found: dict[Shared, Expr] = {}
    known = set(known)
    for n in nodes:
        for k in n.op.updates if isinstance(n.op, Scan) else ():
            w, last = beginning(n.inputs[1 + k]), results(n)[k]
            if not isinstance(w, Shared) or w in known:
                continue
            if w in found and not same([found[w]], [last]):
                raise ValueError(
                    f"two loops move {w}{at(w)} to different values: say which one is next, by "
                    "updates=[(w, ...)] of ad.function or of the step around them"
                )
            found[w] = last
    return found


def beginning(x: Expr) -> Expr:
    """What a state begins with, before the loops of which it is a last state."""
    n, place = computed_by(x)
    while isinstance(n.op, Scan) and place < n.op.states:
        x = n.inputs[1 + place]
        n, place = computed_by(x)
    return x
