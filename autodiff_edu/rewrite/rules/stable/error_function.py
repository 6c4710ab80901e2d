"""Stabilisation of the error function where it is nearly 0: the tail of the normal distribution.

erfcx x = e^x² · erfc x holds what is left of erfc x, which underflows beyond 27.
Letters: x y expressions, c a constant.
"""

from math import log as ln

import numpy as np

from ....expr import Expr
from ....library import erf, erfc, erfcx
from ....ops import exp, log, log1p, maximum, minimum, square, where
from ...algebra.reading import whole
from ...engine.rule_table import table
from ...engine.validate import wild
from .overflow import unguarded

x, y = wild("x y")
UNDER = "erfc x may underflow"
NEAR = "erf x may be near 1, erfc x near 1 or 2"
MIDDLE = 0.5  # here both branches are accurate

high, low = maximum(x, MIDDLE), minimum(x, MIDDLE)
log_erfc = where(x > MIDDLE, log(erfcx(high)) - square(high), log1p(-erf(low)))
rate = where(x > MIDDLE, 1 / erfcx(high), exp(-square(low)) / erfc(low))  # with slopes that exist
above, below = maximum(x, 0), minimum(x, 0)
log_half = where(
    x > 0, log(erfcx(above)) - (square(above) + ln(2)), log1p(-0.5 * erfc(-below))
)  # log Φ(−x·√2)


def of_density(y: Expr, x: Expr) -> bool:
    """Is y −x², and has no branch of its own been chosen for x yet?"""
    return unguarded(x) and minus_square(y, x)


def minus_square(y: Expr, x: Expr) -> bool:
    """Is y seen to be −x², up to the rounding of a number in it?"""
    squared, single = whole(y, "real"), whole(x, "real")
    c, given = single.coefficient, squared.coefficient
    if squared.powers == {x: 2}:
        return bool(given == -1)
    close = abs(given + c**2) <= 4 * np.finfo(x.dtype).eps * c**2
    return bool(close) and squared.powers == {b: 2 * e for b, e in single.powers.items()}


# fmt: off
RULES = table(
    "safe",
    ("log of erfc",           log(erfc(x)),                log_erfc,                UNDER),
    ("log1p of minus erf",    log1p(-erf(x)),              log_erfc,                NEAR),
    ("log of half of erfc",   log(0.5 * erfc(x)),          log_half,                UNDER),
    ("log of erfc over two",  log(erfc(x) / 2),            log_half,                UNDER),
    when=unguarded, phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("log of erfc times",     log(erfc(x) * y),            log_erfc + log(y),       UNDER),
    ("log of erfc over",      log(erfc(x) / y),            log_erfc - log(y),       UNDER),
    phase="stabilise", decreases="unstable",
) + table(
    "safe",
    ("density over its tail", exp(y) / erfc(x),            rate,                    UNDER),
    when=of_density, phase="stabilise", decreases="unstable",
)
# fmt: on
