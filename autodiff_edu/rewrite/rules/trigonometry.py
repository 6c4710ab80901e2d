"""Circular and hyperbolic functions, functions that are odd or even, and inverses.

f⁻¹(f(x)) is x only where f has one inverse; arcsin(sin x) is not x, and has no rule.
Letters: x y expressions.
"""

from ...library import cbrt, deg2rad, erf, isfinite, rad2deg, sinc, trunc
from ...library.rounding import rint
from ...ops import (
    abs,
    arccos,
    arccosh,
    arcsin,
    arcsinh,
    arctan,
    arctanh,
    cos,
    cosh,
    exp,
    sign,
    sin,
    sinh,
    square,
    tan,
    tanh,
)
from ..engine.rule_table import table
from ..engine.validate import wild

x = wild("x")
ODD = (
    sin, tan, arcsin, arctan, sinh, tanh, arcsinh, arctanh, erf, cbrt, sign, rint, trunc, deg2rad,
    rad2deg,
)  # fmt: skip
EVEN = (cos, cosh, sinc)

OUTSIDE = "nan where |x| > 1"
OVERFLOW = "both may overflow"

# fmt: off
RULES = table(
    "ieee",
    *[(f"{f.name} is odd",       f(-x),       -f(x)) for f in ODD],
    decreases="order",
) + table(
    "ieee",
    *[(f"{f.name} is even",      f(-x),        f(x)) for f in EVEN],
    *[(f"{f.name} of abs",       f(abs(x)),    f(x)) for f in EVEN],
) + table(
    "safe",
    ("sin over cos",             sin(x) / cos(x),          tan(x)),
    ("cos over sin",             cos(x) / sin(x),          1 / tan(x)),
    ("tan times cos",            tan(x) * cos(x),          sin(x)),
    ("sinh over cosh",           sinh(x) / cosh(x),        tanh(x),     OVERFLOW),
    ("cosh over sinh",           cosh(x) / sinh(x),        1 / tanh(x), OVERFLOW),
    ("tanh times cosh",          tanh(x) * cosh(x),        sinh(x)),
    ("cosh plus sinh",           cosh(x) + sinh(x),        exp(x),     "cancels where x < 0"),
    ("arcsinh of sinh",          arcsinh(sinh(x)),         x,           "sinh x may overflow"),
    ("sinh of arcsinh",          sinh(arcsinh(x)),         x),
    cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("sin of arcsin",            sin(arcsin(x)),           x, OUTSIDE,           1 - abs(x) >= 0),
    ("cos of arccos",            cos(arccos(x)),           x, OUTSIDE,           1 - abs(x) >= 0),
    ("tanh of arctanh",          tanh(arctanh(x)),         x, OUTSIDE,           1 - abs(x) >= 0),
    ("cosh of arccosh",          cosh(arccosh(x)),         x, "nan where x < 1", x - 1 >= 0),
    ("tan of arctan",            tan(arctan(x)),           x, "at most 1.6e16",  1e16 - abs(x) > 0),
    ("sin over tan",             sin(x) / tan(x),          cos(x), "0/0 is nan",  x != 0),
    ("arctanh of tanh",          arctanh(tanh(x)),         x, "tanh 20 is 1, and so inf"),
    ("double angle",             2 * (sin(x) * cos(x)),    sin(2 * x), "2x may overflow",
     isfinite(2 * x)),
    ("double angle, sine first", 2 * sin(x) * cos(x),      sin(2 * x), "2x may overflow",
     isfinite(2 * x)),
    ("double angle, cosine first", 2 * cos(x) * sin(x),    sin(2 * x), "2x may overflow",
     isfinite(2 * x)),
    ("cos² minus sin²", square(cos(x)) - square(sin(x)),   cos(2 * x), "2x may overflow",
     isfinite(2 * x)),
    cost_policy="cheaper", decreases="cost",
)
# fmt: on
