"""Stabilisation: exponentials that overflow, and logarithms of what cancels, replaced by the
functions made for them.

These rules come last, and they alone may add operations: the result is better, not shorter.
Letters: x y z expressions.
"""

from math import log as ln

import numpy as np

from ....core.pattern import instantiate
from ....expr import Constant, Expr
from ....library import exp2, log2, logaddexp, logaddexp2, logit, sigmoid, sigmoid_slope, softplus
from ....ops import (
    abs,
    cosh,
    divide,
    exp,
    expm1,
    log,
    log1p,
    maximum,
    minimum,
    multiply,
    reciprocal,
    sinh,
    square,
    tanh,
    tanh_slope,
    where,
)
from ...algebra.identities import opposite
from ...algebra.monomial import number_of
from ...engine.rule_table import table
from ...engine.validate import wild

x, y, z = wild("x y z")
u, w = wild("u w")

NEAR = "accurate near 0"
OVER = "e^x may overflow"
UNDER = "a slope may underflow"
CANCEL = "1 − σ may cancel"
LOST = "1 + e^x forgets a small e^x"
SHARES = "σ may be 0"
LN_2 = ln(2)


def unguarded(x: Expr) -> bool:
    """Has no branch of its own been chosen for x yet?"""
    return x.op is not maximum and x.op is not minimum


def opposite_shares(y: Expr, z: Expr) -> bool:
    return opposite(y, z)


def half_of_opposites(x: Expr, u: Expr, w: Expr) -> bool:
    """Is u seen to be −x, and w the half of one of them?"""
    return opposite(x, u) and (is_half(w, x) or is_half(w, u))


def is_half(w: Expr, x: Expr) -> bool:
    for i, j, ratio in ((w, x, 0.5), (x, w, 2.0)):
        if i.op is multiply and i.inputs[1] is j and number_of(i.inputs[0]) == ratio:
            return True
    return w.op is divide and w.inputs[0] is x and number_of(w.inputs[1]) == 2


def half(x: Expr) -> Expr:
    """x / 2, with the number that x begins with halved."""
    if x.op is multiply and isinstance(x.inputs[0], Constant):
        return Constant(x.inputs[0].value / 2) * x.inputs[1]
    return 0.5 * x


def tanh_of_half(x: Expr) -> Expr:
    return tanh(half(x))


# Mächler 2012, Accurately computing log(1 − exp(−|a|)): each branch sees only the x meant for it.
log1mexp = where(x > -LN_2, log(-expm1(maximum(x, -LN_2))), log1p(-exp(minimum(x, -LN_2))))
slope, log_slope = sigmoid_slope(x), -softplus(x) - softplus(-x)


def log_difference(x: Expr, y: Expr) -> Expr:
    """x + log(1 − e^(y − x)), which is -inf where both are."""
    return x + log(-expm1(y - maximum(x, float(np.finfo(x.dtype).min))))


log_cosh = where(
    abs(x) < 1,
    0.5 * log1p(square(sinh(minimum(abs(x), 1)))),
    abs(x) + log1p(exp(-2 * abs(x))) - LN_2,
)

# fmt: off
RULES = table(  # ---- logarithms and exponentials near 0
    "safe",
    ("log of one plus",             log(1 + x),                      log1p(x),             NEAR),
    ("log of one minus",            log(1 - x),                      log1p(-x),            NEAR),
    ("exp minus one",               exp(x) - 1,                      expm1(x),             NEAR),
    ("one minus exp",               1 - exp(x),                     -expm1(x),             NEAR),
    ("share of exp less itself",    exp(x) * y - y,                  y * expm1(x),         NEAR),
    ("itself less share of exp",    y - exp(x) * y,                 -(y * expm1(x)),       NEAR),
    ("expm1 plus one",              expm1(x) + 1,                    exp(x)),
    ("log1p of expm1",              log1p(expm1(x)),                 x,                    OVER),
    ("log of expm1",                log(expm1(x)),           x + log(-expm1(-x)),          OVER),
    ("log of square",               log(square(x)),                  2 * log(abs(x)),
     "x² may overflow"),
    ("exp over expm1",              exp(x) / expm1(x),              -1 / expm1(-x),        OVER),
    ("over a square, times its root", y / square(expm1(x)) * expm1(x), y / expm1(x),       OVER),
    ("over a square, times twice its root", y / square(expm1(x)) * (2 * expm1(x)),
     2 * (y / expm1(x)),                                                                   OVER),
    phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("log1mexp",                    log(-expm1(x)),                  log1mexp,
     "log 1 is 0 where e^x is forgotten"),
    ("log1mexp of log1p",           log1p(-exp(x)),                  log1mexp,             NEAR),
    when=unguarded, phase="stabilise", decreases="unstable",
) + table(  # ---- softplus and its kin
    "safe",
    ("softplus",                    log1p(exp(x)),                   softplus(x),          OVER),
    ("softplus as logaddexp",       logaddexp(x, 0),                 softplus(x)),
    ("softplus minus its operand",  softplus(x) - x,                 softplus(-x),         OVER),
    ("operand minus softplus",      x - softplus(x),                -softplus(-x),         OVER),
    ("logaddexp",                   log(exp(x) + exp(y)),            logaddexp(x, y),      OVER),
    ("log of twice sinh",           log(2 * sinh(x)),        x + log(-expm1(-2 * x)),      OVER),
    ("log of twice cosh",           log(2 * cosh(x)),                logaddexp(x, -x),     OVER),
    ("logaddexp2",                  log2(exp2(x) + exp2(y)),         logaddexp2(x, y),     OVER),
    ("log of difference of exps",   log(exp(x) - exp(y)),            log_difference,       OVER),
    ("log of exp over",             log(exp(x) / y),                 x - log(y),           OVER),
    ("log of exp times",            log(exp(x) * y),                 x + log(y),           OVER),
    ("log of cosh",                 log(cosh(x)),                    log_cosh,
     "cosh x may overflow"),
    phase="stabilise", decreases="unstable",
) + table(
    "real",
    ("logaddexp with a log",        log(exp(x) + y),                 logaddexp(x, log(y)),
     "the log of y < 0 is nan", y > 0),
    phase="stabilise", decreases="unstable",
) + table(  # ---- sigmoid
    "safe",
    ("sigmoid",                     1 / (1 + exp(-x)),               sigmoid(x),           OVER),
    ("reciprocal sigmoid",          reciprocal(1 + exp(x)),          sigmoid(-x),          OVER),
    ("sigmoid as quotient",         exp(x) / (1 + exp(x)),           sigmoid(x),           OVER),
    ("sigmoid as tanh",             1 + tanh(x),                     2 * sigmoid(2 * x),
     "1 + tanh may cancel"),
    ("sigmoid of minus as tanh",    1 - tanh(x),                     2 * sigmoid(-2 * x),
     "1 − tanh may cancel"),
    ("tanh as quotient",            sinh(x) / cosh(x),               tanh(x),              OVER),
    ("slope of tanh times sinh",    tanh_slope(x) * sinh(x),         tanh(x) / cosh(x),    UNDER),
    ("slope of tanh times cosh",    tanh_slope(x) * cosh(x),         1 / cosh(x),          UNDER),
    ("tanh from expm1",             expm1(x) / (1 + exp(x)),         tanh_of_half,         OVER),
    ("slope of sigmoid",            exp(x) / square(1 + exp(x)),     slope,                OVER),
    ("exp over difference of exps", exp(x) / (exp(x) - exp(y)), -1 / expm1(y - x),         OVER),
    ("exp under difference of exps", exp(y) / (exp(x) - exp(y)), 1 / expm1(x - y),         OVER),
    ("one minus sigmoid",           1 - sigmoid(x),                  sigmoid(-x),          CANCEL),
    ("sigmoid minus one",           sigmoid(x) - 1,                 -sigmoid(-x),          CANCEL),
    ("less its share",              y - y * sigmoid(x),              y * sigmoid(-x),      CANCEL),
    ("sigmoid less its square",     sigmoid(x) - square(sigmoid(x)), slope,                CANCEL),
    ("share less its share",        y * sigmoid(x) - y * square(sigmoid(x)), y * slope,    CANCEL),
    ("tanh less its share",         y - y * tanh(x),                 2 * (y * sigmoid(-2 * x)),
     "1 − tanh may cancel"),
    ("tanh and its share",          y + y * tanh(x),                 2 * (y * sigmoid(2 * x)),
     "1 + tanh may cancel"),
    ("exp of minus softplus",       exp(-softplus(x)),               sigmoid(-x)),
    ("sigmoid of minus",            y / (1 + exp(x)),                y * sigmoid(-x),      OVER),
    phase="stabilise", decreases="unstable",
) + table(  # ---- logarithms of sigmoids
    "safe",
    ("log of sigmoid",              log(sigmoid(x)),                -softplus(-x),         CANCEL),
    ("log of sigmoid times",        log(sigmoid(x) * y),             log(y) - softplus(-x), CANCEL),
    ("log1p of minus sigmoid",      log1p(-sigmoid(x)),             -softplus(x),          CANCEL),
    ("logit",                       log(x / (1 - x)),                logit(x)),
    ("logit of reciprocal",         log(reciprocal(x) - 1),         -logit(x)),
    ("logit of one over",           log(1 / x - 1),                 -logit(x)),
    ("logit as difference",         log(x) - log1p(-x),              logit(x)),
    ("logit of sigmoid",            logit(sigmoid(x)),               x,                    CANCEL),
    ("log of slope of sigmoid",     log(sigmoid_slope(x)),           log_slope,            UNDER),
    ("log of slope of sigmoid times", log(sigmoid_slope(x) * y),     log(y) + log_slope,   UNDER),
    ("log of slope of tanh",        log(tanh_slope(x)),             -2 * log_cosh,         UNDER),
    ("log of slope of tanh times",  log(tanh_slope(x) * y),          log(y) - 2 * log_cosh, UNDER),
    phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("share and its opposite",      y * sigmoid(x) + z * square(sigmoid(x)), y * slope,    CANCEL),
    when=opposite_shares, phase="stabilise", decreases="unstable",
) + table(  # ---- 4·σ(x)·σ(−x) is the slope of tanh at x/2
    "safe",
    ("odds times slope",            (y / sigmoid(x) + z / sigmoid(u)) * tanh_slope(w),
     4 * (y * sigmoid(u) + z * sigmoid(x)), SHARES),
    ("odds less odds, times slope", (y / sigmoid(x) - z / sigmoid(u)) * tanh_slope(w),
     4 * (y * sigmoid(u) - z * sigmoid(x)), SHARES),
    when=half_of_opposites, phase="stabilise", decreases="unstable",
) + table(  # ---- two exponents of opposite signs
    "safe",
    ("sigmoid times exp",           sigmoid(y) * exp(x),             sigmoid(x),           OVER),
    ("log of quotient of sigmoids", log(sigmoid(x) / sigmoid(y)),    x,                    CANCEL),
    ("tanh from two sigmoids",      sigmoid(x) - sigmoid(y),         tanh_of_half,         LOST),
    ("sinh from exps",              exp(x) - exp(y),                 2 * sinh(x),
     "two numbers near 1 cancel"),
    ("tanh from exps",              sinh(x) / (exp(x) + exp(y)),     0.5 * tanh(x),        OVER),
    when=opposite, phase="stabilise", decreases="unstable",
)
# fmt: on


def examples() -> dict[str, Expr]:
    from ..letters import x, y, z

    letters = {
        opposite: {"x": x, "y": -x},
        half_of_opposites: {"x": x, "u": -x, "w": 0.5 * x, "y": y, "z": z},
        opposite_shares: {"x": x, "y": y, "z": -y},
    }
    shown = [rule for rule in RULES if rule.when in letters]
    return {rule.name: instantiate(rule.left, letters[rule.when]) for rule in shown}
