"""How functions in a product, or in a sum, are related, so that they cancel:

σ(x) = eˣ · σ(−x)      σ(x) · σ(−x) = σ′(x)      (1 + eˣ) · σ(−x) = 1      softmax(x) · Σeˣ = eˣ
"""

from collections.abc import Collection
from typing import Any

import numpy as np

from ...expr import Constant, Expr
from ...library import sigmoid, sigmoid_slope
from ...ops import (
    add,
    broadcast_to,
    cos,
    cosh,
    exp,
    expand_dims,
    multiply,
    negative,
    sin,
    sinh,
    softmax,
    sqrt,
    subtract,
)
from ...ops import sum as total
from .monomial import Monomial, Powers, combined, number_of


def related(powers: Powers) -> Powers:
    """The same product with as few of these functions as may be."""
    powers = without_sums(powers)
    for s in [s for s in powers if s.op in (sigmoid, softmax)]:
        x = s.inputs[0]
        e = next((e for e in powers if e.op is exp and same_or_opposite(e.inputs[0], x)), None)
        third = None if e is None else partner(s, e, powers)
        if e is None or third is None:
            continue
        relation = {s: 1, third: -1 if s.op is sigmoid else 1, e: -1 if e.inputs[0] is x else 1}
        powers = fewest(powers, relation)
    for s in [s for s in powers if s.op is sigmoid and powers[s]]:
        if powers[s] % 1 or any(r.op is sqrt and r.inputs[0] is s for r in powers):
            continue  # σ(x) and its root may meet, too
        slope = next((d for d in powers if is_slope(d, s)), None)
        other = mirrored(s.inputs[0], powers)
        if slope is not None or powers.get(other):
            slope = sigmoid_slope(s.inputs[0]) if slope is None else slope
            powers = fewest(powers, {slope: 1, s: -1, other: -1})
    return powers


def fewest(powers: Powers, relation: Powers) -> Powers:
    """The same product where three functions, to the powers of a relation, make 1."""
    k = sorted(powers.get(f, 0) * sign for f, sign in relation.items())[1]
    moved = {f: powers.get(f, 0) - sign * k for f, sign in relation.items()}
    return {f: e for f, e in (powers | moved).items() if e or f in powers}


def is_slope(d: Expr, s: Expr) -> bool:
    """Is d the slope of s, which is that of σ(−x), too?"""
    if d.op is not sigmoid_slope or s.op is not sigmoid:
        return False
    return same_or_opposite(d.inputs[0], s.inputs[0])


def could_relate(factors: Collection[Expr]) -> bool:
    """Are there two exponentials or sigmoids, or a sigmoid or a softmax beside an exponential,
    1 + eˣ or the slope of a sigmoid?"""
    ops = [x.op for x in factors]
    exps, sigmoids = ops.count(exp), ops.count(sigmoid)
    if exps > 1 or not sigmoids and softmax not in ops:
        return exps > 1
    if sigmoids > 1 or sigmoids and sigmoid_slope in ops:
        return True
    return exps > 0 or any(x.op is add and x.inputs[0].op is exp for x in factors)


def partner(s: Expr, e: Expr, powers: Powers) -> Expr | None:
    """σ(−x) for σ(x); for softmax(x) the sum of all e^x along its axes, if it is there."""
    if s.op is sigmoid:
        return mirrored(s.inputs[0], powers)
    axes = dict(s.static)["axis"]
    return next((d for d in powers if is_total(d, e, axes)), None)


def is_total(d: Expr, e: Expr, axes: tuple[int, ...]) -> bool:
    """Is d the sum of e over these axes, and does it stand beside e?"""
    d, put = spread_of(d)
    if d.op is not total or d.inputs[0] is not e:
        return False
    which = dict(d.static)
    return which["axis"] == axes and beside(axes, which["keepdims"], put)


def spread_of(d: Expr) -> tuple[Expr, Any]:
    """What d repeats along axes, and the axes that were put back, None if none were."""
    while d.op is broadcast_to:
        d = d.inputs[0]
    return (d.inputs[0], dict(d.static)["axis"]) if d.op is expand_dims else (d, None)


def beside(axes: tuple[int, ...], keepdims: bool, put: Any) -> bool:
    """Does a reduction over these axes broadcast with the array that it was taken of, where `put`
    are the axes that were put back?"""
    return put == axes if put is not None else keepdims or axes == tuple(range(len(axes)))


def without_sums(powers: Powers) -> Powers:
    """1 + e^x is 1 / σ(−x), where σ(−x) or σ(x) is there."""
    for d in [d for d in powers if d.op is add and d.inputs[0].op is exp]:
        x = d.inputs[0].inputs[0]
        met = any(s.op is sigmoid and same_or_opposite(s.inputs[0], x) for s in powers)
        if met and x.type.is_float and number_of(d.inputs[1]) == 1:
            s = mirrored(x, powers)
            powers = powers | {s: powers.get(s, 0) - powers[d]}
            del powers[d]
    return powers


def mirrored(x: Expr, powers: Powers) -> Expr:
    """σ(−x), the one that stands there or a new one."""
    there = next((s for s in powers if s.op is sigmoid and opposite(s.inputs[0], x)), None)
    made: Expr = sigmoid(x.inputs[0] if x.op is negative else -x) if there is None else there
    return made


def same_or_opposite(x: Expr, y: Expr) -> bool:
    return x is y or opposite(x, y)


def opposite(x: Expr, y: Expr) -> bool:
    """Is y seen to be −x? Numbers and differences take the sign in: −2·x, b − a."""
    if not (x.type.is_float and y.type is x.type):
        return False  # −x wraps
    if x.op is negative or y.op is negative:
        return x.op is negative and x.inputs[0] is y or y.op is negative and y.inputs[0] is x
    if x.op is not y.op or x.op not in (subtract, multiply):
        return False
    (a, b), (c, d) = x.inputs, y.inputs
    if x.op is subtract:
        return a is d and b is c
    numbers = isinstance(a, Constant) and isinstance(c, Constant)
    return b is d and numbers and np.array_equal(a.value, -c.value)


# ---- in a sum

PARTNER = {sin: (cos, 1), cos: (sin, 1), cosh: (sinh, -1), sinh: (cosh, -1)}


def pythagoras(rows: list[Monomial], met: dict[Any, Expr]) -> list[Monomial]:
    """c·sin² + c·cos² is c, and c·cosh² − c·sinh² too."""
    places: dict[Any, int] = {}
    left: dict[int, Monomial] = {}
    for k, t in enumerate(rows := list(rows)):  # which grows on the way
        left[k] = t
        for b, e in t.powers.items():
            if e != 2 or b.op not in PARTNER:
                continue
            partner, sign = PARTNER[b.op]
            one = Monomial(
                -t.coefficient if b.op is sinh else t.coefficient, combined(t.powers, {b: -2})
            )
            angle = b.inputs[0], one.key
            j = places.get((partner, *angle, sign * t.coefficient))
            if j in left:
                rows.append(one)
                met[b] = b.inputs[0]
                del left[j], left[k]
                break
            places[b.op, *angle, t.coefficient] = k
    return list(left.values())
