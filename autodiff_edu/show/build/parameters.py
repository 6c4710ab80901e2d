"""The static parameters of an operation in a few words: `axis 0` below its symbol, [1:] in it."""

from collections.abc import Sequence
from typing import Any

from ...expr import Wild, subscript
from ...ops import OPS

TOLD = ("shape", "dtype", "place", "order", "count")  # by the type, the label or the edges
# operations whose axes are not written where they are all of them
WHOLE = "sum mean max min transpose logsumexp norm2 all any softmax log_softmax".split()


# ---- below the symbol


def parameter(op: Any, name: str, value: Any, ndim: int | None) -> str:
    """A parameter of an operation; ndim is that of the first operand, None in a pattern."""
    if isinstance(value, Wild):
        return f"{name} {value.name}"
    if name in TOLD or value is False:
        return ""
    if name == "key":
        return "" if "{key}" in op.label else key(value)
    if name in ("axis", "axes"):
        return axes(op, name, value, ndim)
    if name in ("size", "stride"):
        return "" if set(value) == {1} else f"{name} {'×'.join(map(str, value))}"
    if name in ("subscripts", "why"):
        return value.replace("->", "→")
    return name if value is True else f"{name}={value}"


def axes(op: Any, name: str, value: Any, ndim: int | None) -> str:
    """Nothing where they are the usual ones: a sum over all axes, a transpose that reverses."""
    if value is None:
        return ""
    given = (value,) if isinstance(value, int) else tuple(value)
    if ndim is None:
        ndim = len(given) if name == "axes" else -1
    usual = tuple(range(ndim)) if name == "axis" else tuple(range(ndim))[::-1]
    if given == usual and op in map(OPS.__getitem__, WHOLE):
        return ""
    return f"{'axes' if len(given) > 1 else 'axis'} {', '.join(map(str, given))}"


# ---- in the symbol


def value(parameter: str, v: Any) -> str:
    """What stands for a static parameter in a label."""
    if parameter == "key":
        return key(places(v))
    return raised(v) if parameter == "order" else str(v)


def raised(order: int) -> str:
    """⁽²⁾, the sign of a second derivative."""
    return f"⁽{str(order).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}⁾"


def places(items: Sequence[Any] | Wild) -> Sequence[Any] | Wild:
    """The key of an update, with i, j, … where arrays index."""
    letters = iter("ijklmnop")
    named = isinstance(items, Wild)
    return items if named else [next(letters) if i == "array" else i for i in items]


def key(items: Sequence[Any] | Wild) -> str:
    """The key of an index as it was written: [1:, 0]."""
    if isinstance(items, Wild):
        return f"[{items.name}]"
    return f"[{', '.join(map(subscript, items))}]"
