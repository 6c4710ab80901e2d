"""Stabilisation of sums that grow like e^x: their logarithms, and what is divided by them.

    log(c·eˣ + eʸ + d) → logaddexp of the logarithms      eˣ / (eˣ + r) → σ(x − log r)

One question is asked of all of them: is it made of exponentials, without a minus sign?
Letters: x y z expressions, q a condition.
"""

from collections.abc import Mapping
from functools import reduce
from itertools import permutations
from typing import Any

import numpy as np

from ....expr import Constant, Expr
from ....library import logaddexp, sigmoid, softplus
from ....ops import (
    add,
    divide,
    exp,
    greater,
    greater_equal,
    less,
    less_equal,
    log,
    log1p,
    mean,
    multiply,
    square,
    sum,
    where,
)
from ...algebra.named_quotients import SPREADS
from ...algebra.reading import DEPTH_LIMIT
from ...engine.memo import answered
from ...engine.rule_table import table
from ...engine.validate import wild
from ...facts.prover import is_provable

x, y, z = wild("x y z")
q = wild("q")
OVER = "e^x may overflow"
MOST_IN_LOG = 16  # the logarithm of a number beyond loses as many times its last digit
OPPOSITE = {greater: less_equal, less_equal: greater, less: greater_equal, greater_equal: less}
DIGITS = "e^x may overflow; a large x leaves its rounding, and so does a logarithm near 0"


# ---- what grows


def grows(y: Expr) -> bool:
    """Is y made of exponentials by adding, and by multiplying with numbers above 0?"""
    found: bool = answered(y, parts, made_of_exponentials)
    return found


def parts(y: Expr) -> tuple[Expr, ...]:
    """What has to be known of the operands of y."""
    if y.op is add or y.op is multiply:
        return y.inputs
    return y.inputs[:1] if y.op in (divide, sum, mean, *SPREADS) else ()


def made_of_exponentials(y: Expr, grow: Mapping[Expr, bool]) -> bool:
    """The same, where it is known of these parts."""
    if y.op is add:
        return any(grow[i] and (grow[j] or above(j)) for i, j in permutations(y.inputs))
    if y.op is multiply:
        return any(grow[i] and above(j) for i, j in permutations(y.inputs))
    if y.op is divide:
        return grow[y.inputs[0]] and above(y.inputs[1])
    return y.op is exp or any(grow[i] for i in parts(y))


def above(x: Expr) -> bool:
    """Is x a number above 0, or seen to be none below?"""
    if isinstance(x, Constant):
        return bool((np.isfinite(x.value) & (x.value > 0)).all())
    return is_provable("nonnegative", x)


def sum_grows(y: Expr, z: Expr) -> bool:
    """Does one of them, while the other has no minus sign?"""
    return any(grows(i) and (grows(j) or above(j)) for i, j in permutations((y, z)))


def of_leaf(x: Expr) -> bool:
    return x.op is None


# ---- e^x over a sum


def terms(*stack: Expr) -> list[Expr]:
    """What is added up, if that is not much."""
    found, left = list[Expr](), list(stack[::-1])
    while left and len(found) <= DEPTH_LIMIT:
        d = left.pop()
        if d.op is add:
            left += d.inputs[::-1]
        else:
            found.append(d)
    return found if len(found) <= DEPTH_LIMIT else []


def has_share(y: Expr, z: Expr) -> bool:
    """Does the sum grow, and does the logarithm of each number in it keep its digits?"""
    numbers = [t.value for t in terms(y, z) if isinstance(t, Constant)]
    return sum_grows(y, z) and all((abs(np.log(v)) < MOST_IN_LOG).all() for v in numbers)


def share(x: Expr, y: Expr, z: Expr) -> Expr:
    """e^x / (t + rest) is (e^x / t) · σ(log t − log rest), where t is c·e^x. Of many terms each
    would have a rest of its own: there all shares have their logarithm in common. So they do where
    t is Σe^x, which is 0 where all x are -inf."""
    added = terms(y, z)
    t = next((t for t in added if is_multiple(t, x)), None)
    if t is None:
        return exp(x - log(y + z))
    first, *others = [i for i in added if i is not t]
    rest = reduce(add, others, first)
    if t.op is exp:
        return sigmoid(x - log(rest))
    return 1 / t.inputs[0] * sigmoid(log(t) - log(rest))


def is_multiple(t: Expr, x: Expr) -> bool:
    """Is t a multiple of e^x?"""
    t = t.inputs[-1] if t.op is multiply and isinstance(t.inputs[0], Constant) else t
    return t.op is exp and t.inputs[0] is x


# ---- e^x where a condition on x holds


def compared(q: Expr, x: Expr) -> bool:
    """Is it a comparison of x with what is not known to be nan?"""
    nan = any(isinstance(i, Constant) and np.isnan(i.value).any() for i in q.inputs)
    return q.op in OPPOSITE and any(i is x for i in q.inputs) and not nan


def where_not(q: Expr, x: Expr) -> Expr:
    """e^x where q holds, and where x is nan: then the opposite comparison is false too."""
    return where(OPPOSITE[q.op](*q.inputs), 0, exp(x))


# fmt: off
STABLE: dict[str, Any] = {"phase": "stabilise", "decreases": "unstable"}
RULES = table(
    "safe",
    ("log of a sum that grows",   log(y + z),          logaddexp(log(y), log(z)),      DIGITS),
    when=sum_grows, **STABLE,
) + table(
    "safe",
    ("share of a sum that grows", exp(x) / (y + z),    share,                          DIGITS),
    when=has_share, **STABLE,
) + table(
    "safe",
    ("log1p of what grows",       log1p(y),            softplus(log(y)),               OVER),
    when=grows, **STABLE,
) + table(
    "safe",
    ("square of exp",             square(exp(x)),      exp(2 * x)),
    when=of_leaf, **STABLE,
) + table(
    "safe",
    ("zero or one times exp",     where(q, 0, 1) * exp(x), where(q, 0, exp(x)),        OVER),
    ("one or zero times exp",     where(q, 1, 0) * exp(x), where_not,                  OVER),
    when=compared, any_dtype=True, **STABLE,
)
# fmt: on
