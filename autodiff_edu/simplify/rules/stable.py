"""Stabilisation: formulas that overflow or cancel, replaced by the functions made for them.

These rules come last, and they alone may add operations: the result is better, not shorter.
"""

from ...ops import exp, expm1, log, log1p, reciprocal, sigmoid, softplus, square
from ..rule import Rule, wild

x, y = wild("x y")
OVERFLOW = "e^x may overflow where this does not"

# fmt: off
ROWS = [
    ("log of one plus",        log(1 + x),                     log1p(x),                  "accurate near 0"),
    ("exp minus one",          exp(x) - 1,                     expm1(x),                  "accurate near 0"),
    ("softplus",               log1p(exp(x)),                  softplus(x),               OVERFLOW),
    ("log of sigmoid",         log(sigmoid(x)),               -softplus(-x),              "σ(x) may underflow"),
    ("log of one minus sigmoid", log(1 - sigmoid(x)),         -softplus(x),               "1 − σ(x) may cancel"),
    ("log of sigmoid of minus", log1p(-sigmoid(x)),           -softplus(x),               "1 − σ(x) may cancel"),
    ("sigmoid",                1 / (1 + exp(-x)),              sigmoid(x),                OVERFLOW),
    ("sigmoid of minus",       1 / (1 + exp(x)),               sigmoid(-x),               OVERFLOW),
    ("sigmoid by reciprocal",  reciprocal(1 + exp(-x)),        sigmoid(x),                OVERFLOW),
    ("sigmoid of minus by reciprocal", reciprocal(1 + exp(x)), sigmoid(-x),               OVERFLOW),
    ("sigmoid as quotient",    exp(x) / (1 + exp(x)),          sigmoid(x),                OVERFLOW),
    ("sigmoid in a product",   y / (1 + exp(x)) * exp(x),      y * sigmoid(x),            OVERFLOW),
    ("one minus sigmoid",      1 - sigmoid(x),                 sigmoid(-x),               "1 − σ(x) may cancel"),
    ("slope of sigmoid",       exp(-x) / square(1 + exp(-x)),  sigmoid(x) * sigmoid(-x),  OVERFLOW),
]
# fmt: on

RULES = [Rule(n, left, right, "safe", caveat=why, phase="stabilise") for n, left, right, why in ROWS]
