"""Stabilisation of differences: what nearly equal numbers leave is computed without subtracting.

Letters: x y expressions, c a constant.
"""

from ....expr import Constant, Expr
from ....library import erf, erfc, hypot, sigmoid
from ....ops import (
    arccosh,
    arcsinh,
    arctanh,
    cos,
    cosh,
    expm1,
    log,
    log1p,
    sin,
    sinh,
    sqrt,
    square,
    tanh,
    tanh_slope,
)
from ...algebra.reading import whole
from ...engine.rule_table import table
from ...engine.validate import wild
from .overflow import LOST, tanh_of_half

x, y = wild("x y")
c = wild("c", constant=True)
SQUARES = "x² may overflow"
COSH = "cosh² may overflow"
NEAR = "the difference may cancel"
ROOTS = "nan where x is inf"
below = 1 / (x + hypot(x, 1))


def not_of_an_angle(x: Expr, y: Expr) -> bool:
    """cos² − sin² is cos 2x, which mode "real" makes of it."""
    return {x.op, y.op} != {sin, cos}


def equally_large(x: Expr, y: Expr) -> bool:
    """Of another shape, squares cost less than the sum and the difference."""
    return x.type is y.type and not_of_an_angle(x, y)


def no_sinh(y: Expr) -> bool:
    """Has y no sinh as a factor, which over cosh is tanh?"""
    return all(b.op is not sinh for b in whole(y, "safe").powers)


def quarter(x: Expr) -> Expr:
    """(√(1 + x) − 1) / (√(1 + x) + 1), which is 1 where x is inf."""
    return tanh(0.25 * log1p(x))


def moderate(c: Constant) -> bool:
    """Is it one number, neither huge nor tiny, so that c/(x + c) is in range where 1/x is?"""
    return not c.ndim and bool(1e-9 <= abs(c.value) <= 1e9)


def nonzero(c: Constant) -> bool:
    return bool((c.value != 0).all())


p, q, r = 1 / x, 1 / (x + c), 1 / (x - c)
more, less = c / (x + c) / x * (p + q), c / (x - c) / x * (p + r)
SQUARED = (  # p² − q², as derivatives write it: a square of a quotient is a quotient twice
    ("less more", p / x - q / (x + c), more),
    ("minus more", p / x + -1 / (x + c) / (x + c), more),
    ("less, of more", q / (x + c) - p / x, -more),
    ("minus, of more", q / (x + c) + -1 / x / x, -more),
    ("less less", p / x - r / (x - c), -less),
    ("minus less", p / x + -1 / (x - c) / (x - c), -less),
    ("less, of less", r / (x - c) - p / x, less),
    ("minus, of less", r / (x - c) + -1 / x / x, less),
)

# fmt: off
RULES = table(  # ---- circular functions and roots
    "safe",
    ("one minus cos",          1 - cos(x),                     2 * square(sin(0.5 * x)),   NEAR),
    ("cos minus one",          cos(x) - 1,                    -2 * square(sin(0.5 * x)),   NEAR),
    ("root of one plus less one", sqrt(1 + x) - 1, (sqrt(1 + x) + 1) * quarter(x),         NEAR),
    ("one less root of one minus", 1 - sqrt(1 - x), (sqrt(1 - x) + 1) * -quarter(-x),      NEAR),
    ("hypot less one",         hypot(x, 1) - 1,                x * tanh(0.5 * arcsinh(x)), NEAR),
    phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("root of more less root", sqrt(x + c) - sqrt(x),          c / (sqrt(x + c) + sqrt(x)), ROOTS),
    ("root less root of more", sqrt(x) - sqrt(x + c),         -c / (sqrt(x + c) + sqrt(x)), ROOTS),
    ("root less root of less", sqrt(x) - sqrt(x - c),          c / (sqrt(x) + sqrt(x - c)), ROOTS),
    ("root of less less root", sqrt(x - c) - sqrt(x),         -c / (sqrt(x) + sqrt(x - c)), ROOTS),
    when=nonzero, phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("one over more less one over", 1 / (x + c) - 1 / x,      -c / (x + c) / x,            NEAR),
    ("one over less one over more", 1 / x - 1 / (x + c),       c / (x + c) / x,            NEAR),
    ("one over less less one over", 1 / (x - c) - 1 / x,       c / (x - c) / x,            NEAR),
    ("one over less one over less", 1 / x - 1 / (x - c),      -c / (x - c) / x,            NEAR),
    *[(f"squares of one over: {name}", left, right, NEAR) for name, left, right in SQUARED],
    when=moderate, phase="stabilise", decreases="unstable",
) + table(
    "real",
    ("difference of roots",    sqrt(x) - sqrt(y),              (x - y) / (sqrt(x) + sqrt(y)),
     "0/0 where both are 0", x > 0, y > 0),
    ("power of one plus less one", (1 + x)**y - 1,             expm1(y * log1p(x)),
     "nan where 1 + x < 0", 1 + x > 0),
    phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("squares of sum less difference", square(x + y) - square(x - y), 4 * (x * y),      SQUARES),
    ("squares of difference less sum", square(x - y) - square(x + y), -4 * (x * y),     SQUARES),
    ("difference of squares",  square(x) - square(y),          (x - y) * (x + y),       SQUARES),
    when=equally_large, phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("one minus cos²",         1 - square(cos(x)),             square(sin(x)),             NEAR),
    ("one minus sin²",         1 - square(sin(x)),             square(cos(x)),             NEAR),
    ("one minus tanh²",        1 - square(tanh(x)),            tanh_slope(x),              NEAR),
    ("one over cosh²",         1 / square(cosh(x)),            tanh_slope(x),              COSH),
    ("cosh² minus one",        square(cosh(x)) - 1,            square(sinh(x)),            NEAR),
    phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("over cosh²",             y / square(cosh(x)),            y * tanh_slope(x),          COSH),
    when=no_sinh, phase="stabilise", decreases="unstable",
) + table(  # ---- hyperbolic functions and their inverses
    "safe",
    ("tanh from sigmoid",      2 * sigmoid(x) - 1,             tanh_of_half,               LOST),
    ("arcsinh",                log(x + hypot(x, 1)),           arcsinh(x),                 NEAR),
    ("slope of arcsinh",       below + below * x / hypot(x, 1), 1 / hypot(x, 1),         NEAR),
    ("slope of arcsinh, divided first", below + below / hypot(x, 1) * x, 1 / hypot(x, 1), NEAR),
    ("slope of arcsinh, by 2·x", below + below / (2 * hypot(x, 1)) * (2 * x),
     1 / hypot(x, 1),                                                                      NEAR),
    ("arccosh",                log(x + sqrt(square(x) - 1)),   arccosh(x),              SQUARES),
    ("arctanh",                log((1 + x) / (1 - x)),         2 * arctanh(x)),
    ("arctanh as difference",  log1p(x) - log1p(-x),           2 * arctanh(x)),
    phase="stabilise", decreases="unstable",
) + table(  # ---- the error function
    "safe",
    ("one minus erf",          1 - erf(x),                     erfc(x),                    NEAR),
    ("one minus erfc",         1 - erfc(x),                    erf(x),                     NEAR),
    ("one plus erf",           1 + erf(x),                     erfc(-x),                   NEAR),
    ("erf minus one",          erf(x) - 1,                    -erfc(x),                    NEAR),
    phase="stabilise", decreases="unstable",
)
# fmt: on
