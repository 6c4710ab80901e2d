"""Powers, roots, exponentials, logarithms and trigonometric functions.

Letters: x y expressions, c d constants.
"""

from ...expr import Constant
from ...ops import abs, cos, cosh, exp, log, reciprocal, sin, sinh, sqrt, square, tan, tanh
from ..match import wild
from ..rule import table

x, y = wild("x y")
c, d = wild("c d", constant=True)

OVERFLOW = "e^x may overflow"
DOMAIN = "nan where x < 0"


def whole(*constants: Constant) -> bool:
    """Are these constants 0-d whole numbers?"""
    return all(not c.ndim and float(c.value).is_integer() for c in constants)


def whole_and_positive(c: Constant, d: Constant) -> bool:
    return whole(c, d) and c.value > 0 and d.value > 0


# fmt: off
RULES = table(
    "ieee",
    ("minus squared",    square(-x),                square(x)),
    ("abs squared",      square(abs(x)),            square(x)),
    ("square in abs",    abs(square(x)),            square(x)),
    ("sin is odd",       sin(-x),                  -sin(x)),
    ("tan is odd",       tan(-x),                  -tan(x)),
    ("sinh is odd",      sinh(-x),                 -sinh(x)),
    ("tanh is odd",      tanh(-x),                 -tanh(x)),
    ("cos is even",      cos(-x),                   cos(x)),
    ("cosh is even",     cosh(-x),                  cosh(x)),
) + table(
    "safe",
    ("power two",        x**2,                      square(x)),
    ("power minus one",  x**-1,                     reciprocal(x)),
    ("root of square",   sqrt(square(x)),           abs(x),    "x² may overflow"),
    ("reciprocal twice", reciprocal(reciprocal(x)), x),
    ("one over",         1 / reciprocal(x),         x),
    ("log of exp",       log(exp(x)),               x,         OVERFLOW),
    ("product of exps",  exp(x) * exp(y),           exp(x + y), OVERFLOW),
    ("quotient of exps", exp(x) / exp(y),           exp(x - y), OVERFLOW),
    ("log of root",      log(sqrt(x)),              0.5 * log(x)),
    ("sin over cos",     sin(x) / cos(x),           tan(x)),
    ("sinh over cosh",   sinh(x) / cosh(x),         tanh(x),   "both may overflow"),
) + table(
    "safe",
    ("power of power",   (x**c)**d,                 x**(c * d), "x^c may overflow"),
    when=whole_and_positive,
) + table(
    "real",
    ("power one half",   x**0.5,                    sqrt(x),   "(−inf)^½ is inf, its root is nan"),
    ("square of root",   square(sqrt(x)),           x,         DOMAIN),
    ("exp of log",       exp(log(x)),               x,         DOMAIN),
    needs=x >= 0,
) + table(
    "real",
    ("log of reciprocal", log(1 / x),              -log(x),    "1/x may overflow"),
    needs=x > 0,
) + table(
    "real",
    ("sin² + cos²", square(sin(x)) + square(cos(x)), 1,        "nan at inf"),
)
# fmt: on
