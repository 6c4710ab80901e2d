"""Powers, roots, exponentials, logarithms and trigonometric functions."""

from ...ops import (
    abs,
    cos,
    cosh,
    exp,
    log,
    reciprocal,
    sin,
    sinh,
    sqrt,
    square,
    tan,
    tanh,
)
from ..facts import nonnegative, positive, whole
from ..rule import Rule, wild

x, y = wild("x y")
c, d = wild("c d", constant=True)


def whole_and_positive(c, d):  # type: ignore[no-untyped-def]
    return whole(c, d) and c.value > 0 and d.value > 0


# fmt: off
RULES = [
    Rule("power two",        x**2,               square(x),    "safe"),
    Rule("power minus one",  x**-1,              reciprocal(x), "safe"),
    Rule("power one half",   x**0.5,             sqrt(x),      "real", proved=nonnegative,
         caveat="(−inf)^½ is inf, its root nan"),
    Rule("power of power",   (x**c)**d,          x**(c * d),   "safe", when=whole_and_positive),
    Rule("minus squared",    square(-x),         square(x),    "ieee"),
    Rule("abs squared",      square(abs(x)),     square(x),    "ieee"),
    Rule("square in abs",    abs(square(x)),     square(x),    "ieee"),
    Rule("root of square",   sqrt(square(x)),    abs(x),       "safe", caveat="x² may overflow"),
    Rule("square of root",   square(sqrt(x)),    x,            "real", proved=nonnegative),
    Rule("reciprocal twice", reciprocal(reciprocal(x)), x,     "safe"),
    Rule("one over",         1 / reciprocal(x),  x,            "safe"),
    Rule("log of exp",       log(exp(x)),        x,            "safe", caveat="e^x may overflow"),
    Rule("exp of log",       exp(log(x)),        x,            "real", proved=nonnegative,
         caveat="nan where x < 0"),
    Rule("product of exps",  exp(x) * exp(y),    exp(x + y),   "safe", caveat="e^x may overflow"),
    Rule("quotient of exps", exp(x) / exp(y),    exp(x - y),   "safe", caveat="e^x may overflow"),
    Rule("log of root",      log(sqrt(x)),       0.5 * log(x), "safe"),
    Rule("log of reciprocal", log(1 / x),       -log(x),       "real", proved=positive),
    Rule("sin² + cos²",      square(sin(x)) + square(cos(x)), 1, "real", caveat="nan at inf"),
    Rule("sin over cos",     sin(x) / cos(x),    tan(x),       "safe"),
    Rule("sinh over cosh",   sinh(x) / cosh(x),  tanh(x),      "safe", caveat="both may overflow"),
    Rule("sin is odd",       sin(-x),           -sin(x),       "ieee"),
    Rule("tan is odd",       tan(-x),           -tan(x),       "ieee"),
    Rule("sinh is odd",      sinh(-x),          -sinh(x),      "ieee"),
    Rule("tanh is odd",      tanh(-x),          -tanh(x),      "ieee"),
    Rule("cos is even",      cos(-x),            cos(x),       "ieee"),
    Rule("cosh is even",     cosh(-x),           cosh(x),      "ieee"),
]
# fmt: on
