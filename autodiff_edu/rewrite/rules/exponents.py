"""Exponentials and logarithms.

Letters: x y expressions, c a constant.
"""

import numpy as np

from ...expr import Constant, Expr
from ...library import deg2rad, exp2, isfinite, log2, logit, rad2deg, sigmoid
from ...ops import OPS, add, exp, expm1, log, log1p, scalar, subtract, sum
from ..engine.rule_table import table
from ..engine.validate import wild
from ..facts.prover import is_provable
from .powers import in_range, not_even, varies

x, y = wild("x y")
c = wild("c", constant=True)

OVERFLOW = "e^x may overflow"
DOMAIN = "nan where x < 0"
BOTH = "nan where x and y are negative; x·y may overflow"
UNSURE = {add, subtract, sum, exp, *(OPS[name] for name in ("sigmoid", "softmax", "mean"))}


def plain(x: Expr, y: Expr) -> bool:
    """Are these no sums or exponentials, whose logarithms have functions of their own?"""
    return x.op not in UNSURE and y.op not in UNSURE


def of_positive(x: Expr, y: Expr) -> bool:
    """Is x proved to be above 0? With y = 2 there is a logarithm of x^y for any x."""
    return varies(y) and is_provable("positive", x)


def leaves_digits(c: Constant) -> bool:
    """Is it a number other than 0, and so small that the last digit of x does not decide x^c?"""
    return not c.ndim and bool(c.value and abs(c.value) < 1 / np.finfo(c.dtype).eps)


# fmt: off
RULES = table(
    "safe",
    ("log of exp",        log(exp(x)),         x,            OVERFLOW),
    ("log2 of exp2",      log2(exp2(x)),       x,            "2^x may overflow"),
    ("degrees of radians", rad2deg(deg2rad(x)), x),
    ("radians of degrees", deg2rad(rad2deg(x)), x,           "a large angle may overflow"),
    ("product of exps",   exp(x) * exp(y),     exp(x + y),   OVERFLOW),
    ("quotient of exps",  exp(x) / exp(y),     exp(x - y),   OVERFLOW),
    ("one over exp",      1 / exp(x),          exp(-x),      OVERFLOW),
    cost_policy="cheaper", decreases="cost",
) + table(
    "safe",
    ("power of exp",      exp(x)**c,           exp(c * x),   "e^x may overflow, or be 0"),
    when=leaves_digits, cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("exp of log",        exp(log(x)),         x,            DOMAIN, x >= 0),
    ("exp2 of log2",      exp2(log2(x)),       x,            DOMAIN, x >= 0),
    ("expm1 of log1p",    expm1(log1p(x)),     x,            "nan where x < −1", x >= -1),
    ("sigmoid of logit",  sigmoid(logit(x)),   x,            "nan where x < 0 or x > 1",
     x >= 0, 1 - x >= 0),
    ("exp of scaled log", exp(y * log(x)),     x**y,         "nan where x ≤ 0", x > 0),
    ("exp of log1p",      exp(log1p(x)),       1 + x,        "nan where x < −1", x >= -1),
    ("exp of sum with log", exp(log(x) + y),   x * exp(y),   DOMAIN + "; e^y may overflow",
     x >= 0, *in_range(exp(y))),
    ("log of one over",   log(1 / x),         -log(x),       "1/x may overflow", x > 0),
    cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("log of power",      log(x**c),           c * log(x),   "x^c may overflow", x > 0),
    when=not_even, cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("log of any power",  log(x**y),           y * log(x),   "x^y may overflow", x > 0,
     isfinite(x)),
    when=of_positive, cost_policy="cheaper", decreases="cost",
) + table(
    "real",
    ("sum of logs",       log(x) + log(y),     log(x * y),   BOTH, x > 0, *in_range(x * y)),
    ("difference of logs", log(x) - log(y),    log(x / y),   BOTH, x > 0, *in_range(x / y)),
    when=plain, cost_policy="cheaper", decreases="cost",
)
# fmt: on


def examples() -> dict[str, Expr]:
    return {"log of any power": log(scalar("p", positive=True) ** scalar("y"))}
