"""Stabilisation of exponentials that are summed: logsumexp, softmax and log_softmax.

A sum stands beside the array it was taken of in one of three forms: with its axes kept, with its
axes put back, or, where they are the leading ones, as it is.
Letters: x y expressions, a axes, k keepdims.
"""

from typing import Any

from ....core.pattern import instantiate
from ....expr import Expr
from ....library import isfinite
from ....ops import exp, expand_dims, log, log_softmax, logsumexp, max, mean, size, softmax, sum
from ...algebra.monomial import Powers, worth
from ...algebra.named_quotients import SPREADS
from ...algebra.reading import whole
from ...algebra.writing import product
from ...engine.rule_table import table
from ...engine.validate import wild
from ..reductions import along_axes, holds, out_of_quotient
from ..shapes import node_of

x, y = wild("x y")
a, k = wild("a k")
OVER = "e^x may overflow"
UNDER = "e^x / Σ e^x may be 0"
DIVISORS = frozenset((sum, *SPREADS))


# ---- a reduction in a form in which it stands beside x


def kept(op: Any, x: Expr) -> Expr:
    return node_of(op, x, axis=a, keepdims=True)


def put_back(op: Any, x: Expr) -> Expr:
    return node_of(expand_dims, bare(op, x), axis=a)


def bare(op: Any, x: Expr) -> Expr:
    return node_of(op, x, axis=a, keepdims=False)


def leading(a: tuple[int, ...]) -> bool:
    return a == tuple(range(len(a)))


P, L = node_of(softmax, x, axis=a), node_of(log_softmax, x, axis=a)
LSE = node_of(logsumexp, x, axis=a, keepdims=k)
m = node_of(max, x, axis=a, keepdims=k)
FORMS = (("", kept), (", axes put back", put_back), (", leading axes", bare))


def total(x: Expr) -> Expr:
    return node_of(sum, x, axis=a, keepdims=k)


# ---- right sides that algebra cannot write


def count(x: Expr, a: tuple[int, ...]) -> Any:
    """How many entries there are, if the dtype of x holds that number for sure."""
    n = size(x, a)
    if not holds(x, [n]):
        return None
    return n.astype(x.dtype) if isinstance(n, Expr) else n


def mean_of_exp(x: Expr, a: tuple[int, ...], k: bool) -> Expr | None:
    n = count(x, a)
    return None if n is None else logsumexp(x, axis=a, keepdims=k) - log(n)


def P_times_n(x: Expr, a: tuple[int, ...]) -> Expr | None:
    n = count(x, a)
    return None if n is None else n * softmax(x, axis=a)


def divisor(node: Expr, x: Expr) -> Expr | None:
    """What x is divided by, somewhere in a product, if that is Σe^x over the same axes."""
    if not worth("below", x, DIVISORS):
        return None
    powers = whole(x, "safe").powers
    found = (d for d, e in powers.items() if e < 0 and of_exps(d) and along_axes(d, x, node))
    return next(found, None)


def without(x: Expr, changed: Powers) -> Expr:
    """The product x with these powers multiplied in."""
    found = whole(x, "safe")
    powers = found.powers | {b: found.powers.get(b, 0) + e for b, e in changed.items()}
    kept = {b: e for b, e in powers.items() if e}
    return product(found.coefficient, kept, x.dtype, "safe")


def divided(node: Expr, x: Expr) -> bool:
    d = divisor(node, x)
    return d is not None and as_long(without(x, {d: 1}), x)


def as_long(y: Expr, x: Expr) -> bool:
    """Has y the lengths of x, where these are known?"""
    lengths = zip(y.type.shape, x.type.shape, strict=False)
    return y.ndim == x.ndim and all(n == m or (m is None and n != 1) for n, m in lengths)


def out_of_sum(node: Expr, x: Expr, a: tuple[int, ...], k: bool) -> Expr | None:
    """Σ y / Σe^x is (Σ y) / Σe^x, wherever the second sum stands in the product."""
    d = divisor(node, x)
    return None if d is None else out_of_quotient(node, without(x, {d: 1}), d, a, k)


def of_exps(d: Expr) -> bool:
    while d.op in SPREADS:
        d = d.inputs[0]
    return d.op is sum and d.inputs[0].op is exp


def factor(x: Expr, y: Expr) -> Expr | None:
    """The e^y among the factors of x."""
    powers = whole(x, "safe").powers
    found = (b for b, e in powers.items() if e > 0 and b.op is exp and b.inputs[0] is y)
    return next(found, None)


def with_weights(x: Expr, y: Expr) -> bool:
    return x.op is not exp and factor(x, y) is not None


def weighted(x: Expr, y: Expr, a: tuple[int, ...], k: bool) -> Expr | None:
    """Σ t·e^x / Σe^x is Σ t·softmax(x)."""
    e = factor(x, y)
    if e is None:
        return None
    return sum(without(x, {e: -1, softmax(y, axis=a): 1}), axis=a, keepdims=k)


def with_axes(x: Expr, y: Expr, a: tuple[int, ...]) -> Expr | None:
    """y / Σ e^x with axes put back, as a quotient that may stand beside e^x."""
    if y.ndim not in (0, x.ndim - len(a)):
        return None
    y = expand_dims(y, axis=a) if y.ndim else y
    return y / sum(exp(x), axis=a, keepdims=True)


# fmt: off
STABLE: dict[str, Any] = {"phase": "stabilise", "decreases": "unstable"}
RULES = [
    rule
    for form, of in FORMS
    for rule in table(
        "safe",
        ("softmax" + form,                exp(x) / of(sum, exp(x)),                       P, OVER),
        ("softmax by mean" + form,        exp(x) / of(mean, exp(x)),           P_times_n, OVER),
        ("log_softmax" + form,            x - of(logsumexp, x),                           L, OVER),
        ("minus log_softmax" + form,      of(logsumexp, x) - x,                          -L, OVER),
        ("softmax of shifted" + form,     node_of(softmax, x - of(max, x), axis=a),       P),
        ("log_softmax of shifted" + form, node_of(log_softmax, x - of(max, x), axis=a),   L),
        ("logsumexp of shifted" + form,
         node_of(logsumexp, x - of(max, x), axis=a, keepdims=k) + m,                    LSE),
        when=leading if of is bare else None, **STABLE,
    )
] + table(
    "safe",
    ("logsumexp",                  log(total(exp(x))),                                  LSE, OVER),
    ("log of sum of exps over",    log(total(exp(x)) / y),                     LSE - log(y), OVER),
    ("log of sum of exps times",   log(total(exp(x)) * y),                     LSE + log(y), OVER),
    ("log of mean of exps",        log(node_of(mean, exp(x), axis=a, keepdims=k)),
     mean_of_exp, OVER + "; near 0, log Σ − log n cancels"),
    ("total under a line",         node_of(expand_dims, y / bare(sum, exp(x)), axis=a),
     with_axes, OVER),
    ("log of softmax",             log(P),                                                L, UNDER),
    ("exp of log_softmax",         exp(L),                                                P),
    **STABLE,
) + table(
    "safe",
    ("total out of sum",           total(x),           out_of_sum, "a sum may overflow"),
    when=divided, reorders=True, **STABLE,
) + table(
    "safe",
    ("weighted by softmax",        total(x) / total(exp(y)),                weighted, OVER),
    when=with_weights, **STABLE,
) + table(
    "real",
    ("sum of softmax",             total(P),                         1, "nan at inf", isfinite(x)),
    phase="stabilise",
)
# fmt: on


def examples() -> dict[str, Expr]:
    from ..letters import A, B, v

    letters = {"x": A, "y": v, "a": (0,), "k": False}
    columns = sum(exp(A), axis=0)
    return {rule.name: instantiate(rule.left, letters) for rule in RULES} | {
        "total out of sum": sum(B.T / columns, axis=0),
        "weighted by softmax": sum(B.T * exp(A), axis=0) / columns,
    }
