"""The law of products: nothing on the way may overflow, or underflow, where nothing did before.

    (x·y)·x → x²·y       refused: x² may overflow where y is small
    x·x → x²             allowed: nothing new comes on the way
    (x·y)/x → y          allowed, where x is proved not to be 0
    x/b/b → x/b²         refused: at b = cosh 360 it makes a slope 1 that is 0

The logarithm of a product of powers is Σ e·log x: its exponents are a vector. If the vector of a
new intermediate result is a mixture of those of the old ones and of zero, the result is no larger
than the largest of the old ones and 1, and no smaller than the smallest. What is divided by is
compared with what was divided by, and the rest with the rest: a denominator that overflows leaves
0, and a factor inf. A sum is no larger than its largest term, but for their number; so numbers from
1/1024 to 1024 count as 1, too.

Letters: n what is replaced, m a node, x y its operands, b a base, e an exponent.
"""

from collections.abc import Container, Mapping
from fractions import Fraction
from math import isfinite, log, log2
from typing import Any

from ...expr import Constant, Expr
from ...library import sigmoid, sigmoid_slope
from ...ops import (
    abs,
    add,
    broadcast_to,
    cast,
    cos,
    divide,
    exp,
    expand_dims,
    matmul,
    mean,
    multiply,
    negative,
    power,
    reciprocal,
    reshape,
    sin,
    softmax,
    sqrt,
    square,
    subtract,
    sum,
    tanh,
    tanh_slope,
)
from ..engine.memo import answered, remembered
from .hull import is_mixture
from .writing import has_name

Size = dict[Any, Any]  # base → exponent; a base is a node, or (exp, x) for e^x, or NUMBER
Place = tuple[Expr, bool]  # a result, and whether it is divided by
NUMBER = "2"  # the base of constants
ALIKE = frozenset((negative, abs, broadcast_to, expand_dims, reshape, cast))
POWERS = {square: 2, sqrt: Fraction(1, 2), reciprocal: -1}
PRODUCTS = frozenset((*ALIKE, *POWERS, multiply, divide, power))
TERMS = frozenset((add, subtract))
SUMS = TERMS | {sum, mean}
OPENS = PRODUCTS | SUMS | {matmul}
LINEAR = TERMS | {negative, multiply, divide}
BOUNDED = frozenset((sigmoid, softmax, tanh, sigmoid_slope, tanh_slope, sin, cos))
MODERATE = 10  # the power of 2 up to which numbers count as 1
WIDTH = 12  # bases of a product
MOST = 64  # results that are looked at, and terms of one of them


def obeys(n: Expr, new: Expr) -> bool:
    """Is each intermediate result of the new expression one of n, or between those of n and 1?"""
    if not n.type.is_float:
        return True
    between = remembered(n, Between)
    if len(between.bases) > WIDTH:  # too many to be compared
        return True
    sizes = {m: [size(m)] for m in between.results}
    summed, places = summands(new), sides(new, between.places)
    for m in operands_first(new, sizes):
        sizes[m] = sizes_of(m, sizes)
    for m, below in places:
        own = sizes.get(m) or [size(m)]
        if m in summed:
            own = [above(s) for s in own]
        judged = m.op in SUMS or m.op is divide and has_name(*m.inputs)
        if not 0 < len(own) <= MOST or not judged and not all(between(s, below) for s in own):
            return False
    return True


def summands(new: Expr) -> set[Expr]:
    """The terms of a sum. One that is too small does no harm to what is computed last."""
    members, stack = set[Expr](), [new]
    while stack:
        m = stack.pop()
        for i in m.inputs if m.op in TERMS or m.op is negative else ():
            members.add(i)
            stack.append(i)
    return members


def above(s: Size) -> Size:
    """A size that is no smaller: σ(x) is at most 1."""
    return {b: e for b, e in s.items() if not (e > 0 and getattr(b, "op", None) in BOUNDED)}


class Between:
    """Is a size one of those that come on the way to n, or between them and that of 1?"""

    def __init__(self, n: Expr):
        self.places = sides(n)
        self.results = dict.fromkeys([m for m, _ in self.places])
        self.sizes = {
            side: [s for m, below in self.places if below is side for s in (size(m), *products(m))]
            for side in (False, True)
        }
        every = [s for some in self.sizes.values() for s in some]
        self.bases = dict.fromkeys([b for s in every for b in s if b is not NUMBER])
        self.points = dict[bool, frozenset[tuple]]()

    def __call__(self, s: Size, below: bool = False) -> bool:
        if s in self.sizes[below] or self.is_new(s):
            return True
        if any(b not in self.bases for b in s if b is not NUMBER):
            return False
        if below not in self.points:
            self.points[below] = frozenset(map(self.point, [{}, *self.sizes[below]]))
        return is_mixture(self.point(s), self.points[below])

    def is_new(self, s: Size) -> bool:
        """Has a rule made another function of what was there? That is judged by the rule."""
        new = [b for b in s if b not in self.bases and isinstance(b, Expr)]
        return any(b.op is not None and b.op not in OPENS for b in new)

    def point(self, s: Size) -> tuple[Any, ...]:
        number = s.get(NUMBER, 0)
        moderate = 0 if -MODERATE <= number <= MODERATE else round(number)
        return (moderate, *[s.get(b, 0) for b in self.bases])


def sides(n: Expr, there: Container[Place] = frozenset()) -> dict[Place, None]:
    """The places on the way to n, its factors and terms, and theirs, as far as they are not there
    already."""
    order = [(n, False)]
    own = dict.fromkeys(order)
    for m, below in order:  # which grows on the way
        turned = m.op is reciprocal or m.op is power and (exponent(m) or 1) < 0
        for k, i in enumerate(m.inputs if m.op in OPENS and len(order) < MOST else ()):
            place = i, below is not (turned or m.op is divide and k == 1)
            if place not in own and place not in there:
                own[place] = None
                order.append(place)
    return own


def operands_first(new: Expr, there: Container[Expr]) -> list[Expr]:
    """Return what is computed on the way to the new expression, and is not there."""
    order, stack = dict[Expr, None](), [new]
    while stack:
        m = stack.pop()
        if m in there or m in order:
            continue
        below = [i for i in m.inputs if i not in there and i not in order] if m.op in OPENS else []
        if below:
            stack += [m, *below]
        else:
            order[m] = None
    return [*order]


def products(m: Expr) -> list[Size]:
    """Sizes that a product of matrices adds up."""
    return [times(*map(size, m.inputs))] if m.op is matmul else []


def sizes_of(m: Expr, sizes: Mapping[Expr, list[Size]]) -> list[Size]:
    """The sizes of the terms of m, from those of its operands; none where m is divided by a sum
    that is new, since that may cancel."""
    if m.op not in OPENS:
        return [size(m)]
    x, *rest = [sizes[i] for i in m.inputs]
    if m.op in SUMS or m.op in ALIKE:
        return [*x, *[s for one in rest for s in one]]
    if m.op is multiply or m.op is matmul:
        return [times(s, t) for s in x for t in rest[0]]
    if m.op is divide:
        return [times(s, t, -1) for s in x for t in rest[0]] if len(rest[0]) == 1 else []
    e = exponent(m)
    if e is None:
        return [size(m)]
    return [times({}, s, e) for s in x] if e > 0 or len(x) == 1 else []


# ---- the size of a result


def size(m: Expr) -> Size:
    """The node m as a product of powers; a sum is one base."""
    own: Size = answered(m, factors, size_of)
    return own


def factors(m: Expr) -> tuple[Expr, ...]:
    if m.op not in PRODUCTS or m.op is power and exponent(m) is None:
        return ()
    return m.inputs[:1] if m.op is power else m.inputs


def size_of(m: Expr, sizes: Mapping[Expr, Size]) -> Size:
    below = [sizes[i] for i in factors(m)]
    if m.op in ALIKE:
        return below[0]
    if m.op is exp:
        own = answered(m.inputs[0], terms, linear)
    elif not below:
        own = number(m)
    elif len(below) == 2:
        own = times(below[0], below[1], 1 if m.op is multiply else -1)
    else:
        own = times({}, below[0], exponent(m))
    return own if len(own) <= WIDTH else {m: 1}


def number(m: Expr) -> Size:
    """The size of one number, or of what is no product."""
    value = value_of(m)
    return {m: 1} if value is None else {NUMBER: log2(max(value, -value))} if value else {}


def value_of(m: Expr) -> float | None:
    if not isinstance(m, Constant) or m.ndim or m.dtype.kind not in "fiu":
        return None
    value = float(m.value)
    return value if isfinite(value) else None


def exponent(m: Expr) -> Any:
    """The exponent of a power, if it is a number."""
    if m.op is not power:
        return POWERS[m.op]
    e = value_of(m.inputs[1])
    return None if e is None else Fraction(e)


def times(one: Size, other: Size, e: Any = 1) -> Size:
    """one · other^e"""
    total = dict(one)
    for b, k in other.items():
        total[b] = total.get(b, 0) + e * k
    return {b: k for b, k in total.items() if k}


def terms(x: Expr) -> tuple[Expr, ...]:
    """The operands of a sum; of a number times something that alone."""
    if x.op in TERMS or x.op is negative:
        return x.inputs
    if x.op is divide:
        return x.inputs[:1] if value_of(x.inputs[1]) else ()
    if x.op is multiply and any(map(value_of, x.inputs)):
        return tuple([i for i in x.inputs if not value_of(i)][:1])
    return ()


def linear(x: Expr, sizes: Mapping[Expr, Size]) -> Size:
    """The size of e^x."""
    below, value = [sizes[i] for i in terms(x)], value_of(x)
    if value is not None:
        own: Size = {NUMBER: value / log(2)} if value else {}
    elif len(below) == 2:
        own = times(below[0], below[1], 1 if x.op is add else -1)
    elif below:
        own = times({}, below[0], scale(x))
    else:
        own = {(exp, x): 1}
    return own if len(own) <= WIDTH else {(exp, x): 1}


def scale(x: Expr) -> Any:
    """The number by which a term is scaled."""
    if x.op is negative:
        return -1
    c = next(Fraction(v) for v in map(value_of, x.inputs[::-1]) if v)
    return 1 / c if x.op is divide else c
