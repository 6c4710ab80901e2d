"""Stabilisation of exponentials that are summed: logsumexp, softmax and log_softmax.

A sum stands beside the array it was taken of in one of three forms: with its axes kept, with its
axes put back, or, where they are the leading ones, as it is.
Letters: x y expressions, a axes, k keepdims.
"""

from typing import Any

from ...expr import Expr
from ...library import isfinite
from ...ops import (
    exp,
    expand_dims,
    log,
    log_softmax,
    logsumexp,
    max,
    mean,
    size,
    softmax,
    sum,
)
from ..match import instantiate, wild
from ..rule import table
from .examples import A, v
from .shapes import node_of

x, y = wild("x y")
a, k = wild("a k")
OVER = "e^x may overflow"
UNDER = "e^x / Σ e^x may be 0"


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


def whole(node: Expr, y: Expr) -> bool:
    """Is y as large as the quotient that is summed?"""
    return node.inputs[0].type is y.type


def whole_leading(node: Expr, y: Expr, a: tuple[int, ...]) -> bool:
    return leading(a) and whole(node, y)


def total(x: Expr) -> Expr:
    return node_of(sum, x, axis=a, keepdims=k)


# ---- right sides that algebra cannot write


def mean_of_exp(x: Expr, a: tuple[int, ...], k: bool) -> Expr:
    n = size(x, a)
    n = n.astype(x.dtype) if isinstance(n, Expr) else n
    return logsumexp(x, axis=a, keepdims=k) - log(n)


def with_axes(x: Expr, y: Expr, a: tuple[int, ...]) -> Expr | None:
    """y / Σ e^x with axes put back, as a quotient that may stand beside e^x."""
    if y.ndim not in (0, x.ndim - len(a)):
        return None
    y = expand_dims(y, axis=a) if y.ndim else y
    return y / sum(exp(x), axis=a, keepdims=True)


# fmt: off
STABLE: dict[str, Any] = {"phase": "stabilise", "lowers": "unstable"}
RULES = [
    rule
    for form, of in FORMS
    for rule in table(
        "safe",
        ("softmax" + form,                exp(x) / of(sum, exp(x)),                       P, OVER),
        ("log_softmax" + form,            x - of(logsumexp, x),                           L, OVER),
        ("minus log_softmax" + form,      of(logsumexp, x) - x,                          -L, OVER),
        ("softmax of shifted" + form,     node_of(softmax, x - of(max, x), axis=a),       P),
        ("log_softmax of shifted" + form, node_of(log_softmax, x - of(max, x), axis=a),   L),
        ("logsumexp of shifted" + form,
         node_of(logsumexp, x - of(max, x), axis=a, keepdims=k) + m,                    LSE),
        when=leading if of is bare else None, **STABLE,
    )
] + [
    rule
    for form, of in FORMS
    for rule in table(
        "safe",
        ("total out of sum" + form, total(y / of(sum, exp(x))), total(y) / total(exp(x)),
         "a sum may overflow"),
        when=whole_leading if of is bare else whole, reorders=True, **STABLE,
    )
] + table(
    "safe",
    ("logsumexp",                  log(total(exp(x))),                                  LSE, OVER),
    ("log of sum of exps over",    log(total(exp(x)) / y),                     LSE - log(y), OVER),
    ("log of sum of exps times",   log(total(exp(x)) * y),                     LSE + log(y), OVER),
    ("log of mean of exps",        log(node_of(mean, exp(x), axis=a, keepdims=k)),
     mean_of_exp, OVER),
    ("total under a line",         node_of(expand_dims, y / bare(sum, exp(x)), axis=a),
     with_axes, OVER),
    ("log of softmax",             log(P),                                                L, UNDER),
    ("exp of log_softmax",         exp(L),                                                P),
    **STABLE,
) + table(
    "real",
    ("sum of softmax",             total(P),                         1, "nan at inf", isfinite(x)),
    phase="stabilise",
)
# fmt: on
for rule in RULES:
    y_like = A if rule.name.startswith("total out") else v
    rule.example = instantiate(rule.left, {"x": A, "y": y_like, "a": (0,), "k": False})
