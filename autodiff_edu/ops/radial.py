"""Cotangents that hold a length as a factor: slopes of smooth functions of |x|, norm and hypot.

    ct · x / r   is written   (ct / r) · x   where r is a factor of ct

The left side is 0 at r = 0, and so is each further slope that is taken of it there. The right side
has no quotient any more: the gradient of r²/2 is x, and its own slope is 1. A sine holds its
argument as a factor, too: sin r = r · (sin r / r). So f(r) has all its derivatives where f is made
of even powers, cos, cosh, and functions of these.

Letters: ct a cotangent, r a length, k j quotients by it.
"""

from collections.abc import Callable
from typing import Any

from ..core.derivative_rules import broadcast_like
from ..expr import OPERATIONS, Constant, Expr

DEPTH = 40  # operations between a cotangent and the length in it
NODES = 200  # that are looked at
ALIKE = 6  # operations below two lengths that may be the same
TERMS = 8  # of a sum that are taken apart
SINES = {"sin": -1, "sinh": 1}  # with the sign of the second derivative
Over = Callable[[Any], Any]


def along(ct: Expr, r: Expr, smooth: Over, plain: Over, depth: int = TERMS) -> Expr:
    """smooth(ct / r) where r is a factor of ct, or of terms of it, and plain(ct) for the rest."""
    k = over_length(ct, r)
    if k is not None:
        return smooth(k)
    if depth and ct.op is OPERATIONS["add"]:
        if any(over_length(term, r) is not None for term in ct.inputs):
            x, y = (along(term, r, smooth, plain, depth - 1) for term in ct.inputs)
            return x + y
    return plain(ct)


def over_length(ct: Any, r: Expr) -> Any:
    """ct / r, smooth where r is 0; None where r is no factor of ct, or is not seen to be one. A
    quotient 0 or 1 may be a number."""
    return Division(r).quotient(ct, (), DEPTH)


class Division:
    """One search for a length among the factors of a cotangent; it ends after some nodes."""

    def __init__(self, r: Expr):
        self.r, self.left = r, NODES
        self.done: dict[tuple[Expr, tuple], Any] = {}

    def quotient(self, ct: Any, keys: tuple, depth: int) -> Any:
        """ct over the length, or over a part of it where there are keys."""
        if is_part(ct, self.r, keys):
            return 1
        if not isinstance(ct, Expr) or ct.op is None or is_zero(ct):
            return 0 if is_zero(ct) else None
        rule = RULES.get(ct.op.name) if getattr(ct.op, "is_ours", False) else None
        if (ct, keys) not in self.done:
            self.left -= 1
            if rule is None or not depth or self.left < 0:
                return None
            below = (*keys, dict(ct.static)["key"]) if rule is of_part else keys
            self.done[ct, keys] = rule(ct, lambda i: self.quotient(i, below, depth - 1))
        return self.done[ct, keys]


def is_part(n: Any, r: Expr, keys: tuple) -> bool:
    """Is this the length itself, or its part with these keys?"""
    n = stem(n)
    for key in keys[::-1]:
        if n.op is None or n.op.name != "index" or dict(n.static)["key"] != key:
            return False
        n = stem(n.inputs[0])
    return computes(n, r, ALIKE)


def computes(n: Expr, r: Expr, depth: int) -> bool:
    """Is n the node r, or one that is written in the same way?"""
    if n is r or n.op is None or n.op is not r.op or n.static != r.static or not depth:
        return n is r or (isinstance(n, Constant) and isinstance(r, Constant) and n.key == r.key)
    return len(n.inputs) == len(r.inputs) and all(
        computes(a, b, depth - 1) for a, b in zip(n.inputs, r.inputs, strict=True)
    )


def stem(n: Any) -> Any:
    """The array below axes of length 1 that were put in or taken out."""
    while n.op is not None and n.op.name in ("expand_dims", "squeeze"):
        n = n.inputs[0]
    return n


def is_zero(n: Any) -> bool:
    return isinstance(n, Constant) and not n.value.any()


# ---- the quotient of an operation from those of its operands


def of_product(ct: Expr, over: Over) -> Any:
    x, y = ct.inputs
    if (k := over(y)) is not None:  # the slope of one operation, and before it the cotangent
        return x * k
    return None if (k := over(x)) is None else k * y


def of_sum(ct: Expr, over: Over) -> Any:
    k = over(ct.inputs[0])
    j = None if k is None else over(ct.inputs[1])
    return None if j is None else k + j if ct.op.name == "add" else k - j


def of_first(ct: Expr, over: Over) -> Any:
    k = over(ct.inputs[0])
    return None if k is None else -k if ct.op.name == "negative" else k / ct.inputs[1]


def of_power(ct: Expr, over: Over) -> Any:
    x, e = ct.inputs[0], exponent(ct)
    k = over(x) if e >= 1 else None
    if k is None:
        return None
    return k if e == 1 else k * x if e == 2 else k * x ** (e - 1)


def exponent(ct: Expr) -> float:
    """That of a square, or of a power whose exponent is one whole number; 0 for any other."""
    if ct.op.name == "square":
        return 2
    e = ct.inputs[1]
    whole = isinstance(e, Constant) and not e.ndim and e.value % 1 == 0
    return float(e.value) if whole else 0


def of_sine(ct: Expr, over: Over) -> Any:
    k = over(ct.inputs[0])
    sign = SINES[ct.op.name]
    return None if k is None else k * OPERATIONS["sine_quotient"](ct.inputs[0], sign=sign)


def of_choice(ct: Expr, over: Over) -> Any:
    c, x, y = ct.inputs
    k = over(x)
    j = None if k is None else over(y)
    return None if j is None else OPERATIONS["where"](c, k, j)


def of_shape(ct: Expr, over: Over) -> Any:
    k = over(ct.inputs[0])
    return ct.op.apply((k, *ct.inputs[1:]), ct.static) if isinstance(k, Expr) else k


def of_part(ct: Expr, over: Over) -> Any:
    """Of zeros around a part."""
    k = over(ct.inputs[0])
    if k is None:
        return None
    part = k if isinstance(k, Expr) else Constant(float(k), ct.dtype)
    return ct.op.apply((broadcast_like(part, ct.inputs[0]), *ct.inputs[1:]), ct.static)


RULES = {
    "multiply": of_product, "divide": of_first, "negative": of_first, "add": of_sum,
    "subtract": of_sum, "square": of_power, "power": of_power, "where": of_choice,
    "embed": of_part, **dict.fromkeys(SINES, of_sine),
    **dict.fromkeys(("broadcast_to", "expand_dims", "reshape", "squeeze"), of_shape),
}  # fmt: skip
