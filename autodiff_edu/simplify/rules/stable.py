"""Stabilisation: formulas that overflow or cancel, replaced by the functions made for them.

These rules come last, and they alone may add operations: the result is better, not shorter.
"""

from ...library import sigmoid, softplus
from ...ops import exp, expm1, log, log1p, reciprocal, square
from ..match import wild
from ..rule import table

x, y = wild("x y")
NEAR = "accurate near 0"
OVER = "e^x may overflow"
CANCEL = "1 − σ may cancel"

# fmt: off
RULES = table(
    "safe",
    ("log of one plus",            log(1 + x),                    log1p(x),                NEAR),
    ("exp minus one",              exp(x) - 1,                    expm1(x),                NEAR),
    ("softplus",                   log1p(exp(x)),                 softplus(x),             OVER),
    ("log of sigmoid",             log(sigmoid(x)),              -softplus(-x),            CANCEL),
    ("log of one minus sigmoid",   log(1 - sigmoid(x)),          -softplus(x),             CANCEL),
    ("log1p of minus sigmoid",     log1p(-sigmoid(x)),           -softplus(x),             CANCEL),
    ("sigmoid",                    1 / (1 + exp(-x)),             sigmoid(x),              OVER),
    ("sigmoid of minus",           1 / (1 + exp(x)),              sigmoid(-x),             OVER),
    ("reciprocal sigmoid",         reciprocal(1 + exp(-x)),       sigmoid(x),              OVER),
    ("reciprocal sigmoid of minus", reciprocal(1 + exp(x)),       sigmoid(-x),             OVER),
    ("sigmoid as quotient",        exp(x) / (1 + exp(x)),         sigmoid(x),              OVER),
    ("sigmoid in a product",       y / (1 + exp(x)) * exp(x),     y * sigmoid(x),          OVER),
    ("sigmoid of minus times exp", sigmoid(-x) * exp(x),          sigmoid(x),              OVER),
    ("sigmoid times exp of minus", sigmoid(x) * exp(-x),          sigmoid(-x),             OVER),
    ("one minus sigmoid",          1 - sigmoid(x),                sigmoid(-x),             CANCEL),
    ("slope of sigmoid",           exp(-x) / square(1 + exp(-x)), sigmoid(x) * sigmoid(-x), OVER),
    phase="stabilise",
)
# fmt: on
