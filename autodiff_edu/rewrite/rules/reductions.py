"""Sums, means, products and extremes over axes.

Letters: x y z expressions, c a constant, a b axes, k keepdims.
"""

from math import prod
from typing import Any

import numpy as np

from ...expr import Constant, Expr
from ...library import isfinite
from ...ops import (
    broadcast_to,
    expand_dims,
    length,
    max,
    mean,
    min,
    reshape,
    squeeze,
    sum,
    transpose,
)
from ..algebra.monomial import held
from ..engine.coerce import length_without
from ..engine.rule_table import table
from ..engine.validate import Listed, wild
from .proved import Exact
from .shapes import node_of

x, y = wild("x y")
a, b, k = wild("a b k")
c = wild("c", constant=True)
SUMS, EXTREMES = (sum, mean), (max, min)
MOST = 2**63  # no array has more entries
NAMES = {sum: "sum", mean: "mean", max: "largest", min: "smallest"}


def over(op: Any, x: Any) -> Expr:
    """A pattern: the reduction of x over axes a."""
    return node_of(op, x, axis=a, keepdims=k)


def bare(op: Any, x: Any, axes: Any = a) -> Expr:
    """The same, where the axes are not kept."""
    return node_of(op, x, axis=axes, keepdims=False)


# ---- conditions


def number(x: Expr) -> bool:
    """Is it a finite number other than 0?"""
    return isinstance(x, Constant) and not x.ndim and bool(np.isfinite(x.value) and x.value)


def times_number(c: Constant, x: Expr, node: Expr) -> bool:
    return number(c) and x.type is node.inputs[0].type


def times_one_or_more(c: Constant, x: Expr, node: Expr) -> bool:
    """With a smaller number, the sum of x may overflow where that of c·x does not."""
    return times_number(c, x, node) and bool(np.abs(c.value) >= 1)


def times_positive(c: Constant, x: Expr, node: Expr) -> bool:
    return times_number(c, x, node) and bool(c.value > 0)


def times_negative(c: Constant, x: Expr, node: Expr) -> bool:
    return times_number(c, x, node) and bool(c.value < 0)


def as_many(c: Constant, x: Expr, a: tuple[int, ...]) -> bool:
    """Is c the number of entries of which the mean is taken?"""
    lengths = [x.type.shape[j] for j in a]
    known = [n for n in lengths if n is not None]
    return number(c) and len(known) == len(lengths) and bool(c.value == prod(known))


def along_one(a: tuple[int, ...], b: int) -> bool:
    """Is the mean taken along this axis alone?"""
    return a == (b,)


def times_scalar(x: Expr, y: Expr, node: Expr) -> bool:
    return not x.ndim and y.type is node.inputs[0].type and node.inputs[0].ndim > 0


def along_axes(y: Expr, x: Expr, node: Expr) -> bool:
    """Is y one number along the axes that are summed over, and x as large as the quotient?"""
    axes, last = dict(node.static)["axis"], node.inputs[0].ndim - y.ndim
    same = (j < last or y.type.shape[j - last] == 1 for j in axes)
    return x.type is node.inputs[0].type and bool(axes) and all(same)


# ---- right sides that algebra cannot write


def once(node: Expr, x: Expr, a: tuple, k: bool) -> Expr | None:
    """x without the axes a of the node's operand, if spreading only repeated it along these."""
    made = node.inputs[0].ndim - x.ndim
    old = tuple(j - made for j in a if j >= made)
    if k or any(x.type.shape[j] != 1 for j in old):
        return None
    return squeeze(x, axis=old) if old else x


def of_known_lengths(node: Expr, a: tuple) -> bool:
    return all(node.inputs[0].type.shape[j] for j in a)


def holds(x: Expr, lengths: list[Any]) -> bool:
    """Does the dtype of x hold the product of these lengths, of which some may not be known?"""
    known = all(isinstance(n, int) for n in lengths)
    return held(prod(lengths) if known else MOST, x.dtype)


def times_count(node: Expr, x: Expr, a: tuple, k: bool) -> Expr | None:
    """A sum over axes along which x was only repeated is x times their lengths, if the dtype of x
    holds those."""
    found = once(node, x, a, k)
    lengths = [length_without(node.inputs[0], j) for j in a]
    count = prod(n for n in lengths if isinstance(n, int))
    if found is None or not count or any(n is None for n in lengths) or not holds(x, lengths):
        return None
    found = found * count if count > 1 else found
    for n in lengths:
        found = found * n.astype(x.dtype) if isinstance(n, Expr) else found
    return found


def unrepeated(node: Expr, x: Expr, a: tuple, k: bool) -> Expr | None:
    """The mean, or an extreme, of what was only repeated: at least once, as far as is known."""
    lengths = [node.inputs[0].type.shape[j] for j in a]
    return once(node, x, a, k) if all(lengths) else None


def axes_joined(node: Expr, x: Expr, a: tuple, b: tuple) -> Expr:
    """Σ over axes a of Σ over axes b is one Σ."""
    left = [j for j in range(x.ndim) if j not in b]
    return node.op(x, axis=tuple(b) + tuple(left[j] for j in a))


def along_ones(x: Expr, a: tuple) -> bool:
    """Are all these axes 1 long?"""
    shape = x.type.shape
    for j in a:
        if shape[j] != 1:
            return False
    return True


def one_entry(x: Expr, a: tuple, k: bool) -> Expr:
    return x if k or not a else squeeze(x, axis=a)


def over_moved(node: Expr, x: Expr, a: tuple, b: tuple) -> Expr | None:
    """The sum over the same axes where they were before, if the others stay in order."""
    left = [j for k, j in enumerate(b) if k not in a]
    return node.op(x, axis=tuple(b[k] for k in a)) if left == sorted(left) else None


def over_all(node: Expr, x: Expr) -> Expr | None:
    """The sum of all entries does not depend on how they are arranged."""
    return node.op(x) if not node.ndim else None


def out_of_quotient(node: Expr, x: Expr, y: Expr, a: tuple, k: bool) -> Expr:
    """Σ x/y is (Σ x)/y where y does not vary along the axes."""
    old = tuple(j - node.inputs[0].ndim + y.ndim for j in a)
    gone = tuple(j for j in old if j >= 0)
    if gone and not k:
        put_back = y.op is expand_dims and dict(y.static)["axis"] == gone
        y = y.inputs[0] if put_back else squeeze(y, axis=gone)
    return node.op(x, axis=a, keepdims=k) / y


moved = node_of(transpose, x, axes=b)
repeated = node_of(broadcast_to, x)
IN_GROUPS = "a slope is shared first between groups, and within each of them between what ties"

# fmt: off
RULES = table(
    "ieee",
    *[(f"{NAMES[op]} of one",       over(op, x),               one_entry) for op in NAMES],
    when=along_ones, any_dtype=True,
) + table(
    "ieee",
    *[(f"{NAMES[op]} of transposed", bare(op, moved),          over_moved) for op in EXTREMES],
    *[(f"{NAMES[op]} of reshaped",  bare(op, node_of(reshape, x)), over_all) for op in EXTREMES],
    *[(f"{NAMES[op]} of spread",    over(op, repeated),        unrepeated) for op in EXTREMES],
    any_dtype=True,
) + table(
    "ieee",
    *[(f"{NAMES[op]} of {NAMES[op]}", bare(op, bare(op, x, b)), axes_joined, IN_GROUPS)
      for op in EXTREMES],
    any_dtype=True, final=True,
) + table(
    "ieee",
    *[(f"{NAMES[op]} of minus",     over(op, -x),             -over(op, x)) for op in SUMS],
    ("largest of minus",            over(max, -x),            -over(min, x)),
    ("smallest of minus",           over(min, -x),            -over(max, x)),
    *[(f"minus {NAMES[op]} of minus", -over(op, -x),          over(op, x)) for op in SUMS],
    ("minus largest of minus",      -over(max, -x),           over(min, x)),
    ("minus smallest of minus",     -over(min, -x),           over(max, x)),
    decreases="cost",
) + table(
    "safe",
    *[(f"{NAMES[op]} of transposed", bare(op, moved),          over_moved) for op in SUMS],
    *[(f"{NAMES[op]} of reshaped",  bare(op, node_of(reshape, x)), over_all) for op in SUMS],
) + table(
    "safe",
    ("sum of sum",                  bare(sum, bare(sum, x, b)), axes_joined),
    ("mean of spread",              over(mean, repeated),      unrepeated, "the sum may overflow"),
    decreases="cost",
) + [
    Listed("sum of spread",         over(sum, repeated),       times_count,
         when=of_known_lengths, decreases="cost"),
    Exact("sum of spread over a length", over(sum, repeated),  times_count, "real",
         needs=isfinite(x), caveat="a sum of no numbers is 0, but 0·inf is nan",
         decreases="cost"),
] + table(
    "safe",
    ("mean times how many",         c * over(mean, x),         over(sum, x)),
    when=as_many, decreases="cost",
) + table(
    "safe",
    ("mean times its length",       node_of(length, x, axis=b) * over(mean, x), over(sum, x),
     "the mean of no numbers is nan, their sum is 0"),
    when=along_one, decreases="cost",
) + table(
    "safe",
    *[(f"{NAMES[op]} of scaled",    over(op, c * x),           c * over(op, x),
       "where terms cancel, other digits are left") for op in SUMS],
    when=times_one_or_more, decreases="cost",
) + table(
    "real",
    *[(f"{NAMES[op]} of shrunk",    over(op, c * x),           c * over(op, x),
       "the sum of x may overflow", isfinite(over(op, x))) for op in SUMS],
    when=times_number, decreases="cost",
) + table(
    "real",
    *[(f"scalar out of {NAMES[op]}", over(op, x * y),          x * over(op, y),
       "0·inf is nan; a sum may overflow", isfinite(x), isfinite(over(op, y))) for op in SUMS],
    when=times_scalar, decreases="cost",
) + table(
    "real",
    *[(f"divisor out of {NAMES[op]}", over(op, x / y),         out_of_quotient,
       "a sum may overflow", isfinite(over(op, x))) for op in SUMS],
    when=along_axes, decreases="cost",
) + table(
    "ieee",
    ("largest of scaled",           over(max, c * x),          c * over(max, x)),
    ("smallest of scaled",          over(min, c * x),          c * over(min, x)),
    when=times_positive, decreases="cost",
) + table(
    "ieee",
    ("largest of reversed",         over(max, c * x),          c * over(min, x)),
    ("smallest of reversed",        over(min, c * x),          c * over(max, x)),
    when=times_negative, decreases="cost",
)
# fmt: on
