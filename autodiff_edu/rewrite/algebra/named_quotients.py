"""Quotients that have a name, which stand together in a product.

    e^x / Σe^x      sin x / cos x      x / |x|      x / ‖x‖

Letters: x what is divided, d what it is divided by, e an exponent.
"""

from typing import Any

from ...expr import Expr
from ...library.norms import norm2
from ...ops import abs, add, broadcast_to, cos, cosh, expand_dims, hypot, sin, sinh, sum
from .monomial import Powers, present

Quotients = list[tuple[Expr, Expr, Any]]  # what is divided by what, and to which power
Arranged = tuple[Powers, Powers, Quotients]  # above the line, below it, and with a name
SPREADS = (broadcast_to, expand_dims)
NAMED = ((sin, cos), (sinh, cosh))
LOWER = (cos, cosh)
TOTALS = (sum, abs, add)


def arranged(powers: Powers) -> Arranged:
    """The powers of a product as they will stand: above the line, below it, and in quotients that
    have a name."""
    above, below = Powers(), Powers()
    for x, e in powers.items():
        if e > 0:
            above[x] = e
        elif e:
            below[x] = -e
    quotients = Quotients()
    for d, e in below.items():
        near = above if d.op in LOWER else named_with(d)
        partners = [x for x in near if has_quotient(above.get(x), e, d) and has_name(x, d)]
        if partners:
            x = partners[0]
            times = min(above[x], e)
            quotients.append((x, d, times))
            above[x] -= times
            below[d] = e - times
    if quotients:
        above, below = present(above), present(below)
    return above, below, quotients


def has_quotient(one: Any, other: Any, d: Expr) -> bool:
    """Do x^one and d^other have a quotient to write? What is divided by its length stands so even
    where more remains of one of both."""
    if one is None or one == other:
        return one is not None
    return bool(measured_by(d)) and bool(one) and one % 1 == other % 1 == 0


def has_name(x: Expr, d: Expr) -> bool:
    """Has x / d a name?"""
    return belongs(x, d) or any(i is x for i in measured_by(d))


def named_with(d: Expr) -> tuple[Expr, ...]:
    """Operands of d that have a name when they are divided by it."""
    return (*parts_of(d), *measured_by(d))


def measured_by(d: Expr) -> tuple[Expr, ...]:
    """The array, or the two numbers, whose length d is."""
    while d.op in SPREADS:
        d = d.inputs[0]
    return d.inputs if d.op is norm2 or d.op is hypot else ()


def belongs(x: Expr, d: Expr) -> bool:
    """Is x a part of d, as e^x of Σe^x, or their quotient a function?"""
    if (x.op, d.op) in NAMED:
        return x.inputs[0] is d.inputs[0]
    for i in parts_of(d):
        if i is x:
            return True
    return False


def parts_of(d: Expr) -> tuple[Expr, ...]:
    """What has a name when it is divided by d: a term of it, or what it is the size of."""
    while d.op in SPREADS:
        d = d.inputs[0]
    return d.inputs if d.op in TOTALS else ()
