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
1/32 to 1024 count as 1, too; a smaller one may be what keeps a product in range.

Letters: n what is replaced, m a node, x y its operands, b a base, e an exponent.
"""

from collections.abc import Container, Iterable
from itertools import repeat
from typing import Any

from ...expr import Expr, cached_property
from ...library import sigmoid, sigmoid_slope
from ...ops import cos, divide, negative, power, reciprocal, sin, softmax, tanh, tanh_slope
from ..engine.memo import remembered
from .hull import is_mixture
from .named_quotients import has_name
from .sizes import NUMBER, OPENS, SUMS, TERMS, Size, exponents, is_long, products, size, sizes_of

Place = tuple[Expr, bool]  # a result, and whether it is divided by
JOINED = TERMS | {negative}
BOUNDED = frozenset((sigmoid, softmax, tanh, sigmoid_slope, tanh_slope, sin, cos))
TURNING, STAY = frozenset((divide, reciprocal, power)), repeat(False)
SMALL, MODERATE = -5, 10  # powers of 2 from which, and up to which, numbers count as 1
MOST = 128  # results that are looked at, and terms of one of them


def obeys(n: Expr, new: Expr, brackets: bool = False) -> bool:
    """Is each intermediate result of the new expression, which has the value of n, one of n, or
    between those of n and 1? If brackets are opened, a factor that is a sum counts as each of its
    terms, too."""
    return breach(n, new, brackets) is None


def breach(n: Expr, new: Expr, brackets: bool = False) -> Expr | None:
    """The first intermediate result that is not so."""
    if not n.type.is_float:
        return None
    between = remembered(n, Opened if brackets else Between)
    if len(between.places) >= MOST:  # too many to be compared: brackets stay as they are
        return new if brackets else None
    places = sides(new, between.places)
    if len(places) == 1:  # nothing new comes on the way
        return None
    sizes, summed = dict(between.results), summands(new)
    for m in operands_first(new, sizes):
        sizes[m] = sizes_of(m, sizes) if m is not new else [size(n)]
    for m, below in places:
        if m is new:
            continue
        own = sizes.get(m) or [size(m)]
        if m in summed:
            own = [above(s) for s in own]
        judged = m.op in SUMS or m.op is divide and has_name(*m.inputs)
        if not 0 < len(own) <= MOST or not judged and not all(between(s, below) for s in own):
            return m
    return None


def summands(new: Expr) -> set[Expr]:
    """The terms of a sum. One that is too small does no harm to what is computed last."""
    members, stack = set[Expr](), [new]
    while stack:
        m = stack.pop()
        more = [i for i in m.inputs if i not in members] if m.op in JOINED else []
        members.update(more)
        stack += more
    return members


def above(s: Size) -> Size:
    """A size that is no smaller: σ(x) is at most 1."""
    return {b: e for b, e in s.items() if not (e > 0 and getattr(b, "op", None) in BOUNDED)}


class Between:
    """Is a size one of those that come on the way to n, or between them and that of 1?"""

    def __init__(self, n: Expr):
        self.places = sides(n)
        self.points = dict[bool, frozenset[tuple]]()

    @cached_property
    def results(self) -> dict[Expr, list[Size]]:
        return {m: [size(m)] for m in dict.fromkeys([m for m, _ in self.places])}

    @cached_property
    def sizes(self) -> dict[bool, list[Size]]:
        """Those of factors, and those of what is divided by."""
        sizes: dict[bool, list[Size]] = {False: [], True: []}
        for m, below in self.places:
            sizes[below] += self.sizes_at(m)
        sizes[False] += [s for s in map(size, shares(self.places)) if all_exponential(s)]
        return sizes

    @cached_property
    def bases(self) -> dict[Any, int]:
        """Each base, and its place in a point."""
        every = [s for some in self.sizes.values() for s in some]
        bases = dict.fromkeys([b for s in every for b in s if b is not NUMBER])
        return {b: k for k, b in enumerate(bases, 1)}

    def __call__(self, s: Size, below: bool = False) -> bool:
        if s in self.sizes[below] or self.is_new(s) or any(map(is_long, s)):
            return True
        if any(b not in self.bases for b in s if b is not NUMBER):
            return False
        if below not in self.points:
            self.points[below] = frozenset(map(self.point, [{}, *self.sizes[below]]))
        return is_mixture(self.point(s), self.points[below])

    def sizes_at(self, m: Expr) -> list[Size]:
        return [*self.results[m], *products(m)]

    def is_new(self, s: Size) -> bool:
        """Has a rule made another function of what was there? That is judged by the rule."""
        new = [b for b in s if b not in self.bases and isinstance(b, Expr)]
        return any(b.op is not None and b.op not in OPENS for b in new)

    def point(self, s: Size) -> tuple[Any, ...]:
        number, point = s.get(NUMBER, 0), [0] * (1 + len(self.bases))  # the number comes first
        for b, e in s.items():
            point[self.bases.get(b, 0)] = e
        point[0] = 0 if SMALL <= number <= MODERATE else round(number)
        return tuple(point)


class Opened(Between):
    """Between, for a product in which brackets are opened."""

    @cached_property
    def terms(self) -> dict[Expr, list[Size]]:
        """The sizes of each result with brackets opened above the line."""
        terms = dict[Expr, list[Size]]()
        root, _ = next(iter(self.places))
        for m in operands_first(root, terms):
            own = {i: terms.get(i, [size(i)]) for i in m.inputs}
            if m.op is divide:
                own[m.inputs[1]] = [size(m.inputs[1])]
            both = [*sizes_of(m, own), *([size(m)] if m.op in SUMS else [])]
            terms[m] = both if 0 < len(both) <= MOST else [size(m)]
        return terms

    def sizes_at(self, m: Expr) -> list[Size]:
        return [*super().sizes_at(m), *self.terms.get(m, ())]


def sides(n: Expr, there: Container[Place] = frozenset()) -> dict[Place, None]:
    """The places on the way to n, its factors and terms, and theirs, as far as they are not there
    already."""
    own = {(n, False): None}
    order = [*own] if n.op in OPENS else []
    for m, below in order:  # which grows on the way
        if len(own) >= MOST:
            break
        for i, turned in zip(m.inputs, turns(m) if m.op in TURNING else STAY, strict=False):
            place = i, below is not turned
            if place not in own and place not in there:
                own[place] = None
                if i.op in OPENS:
                    order.append(place)
    return own


def turns(m: Expr) -> tuple[bool, ...]:
    """Does an operand of m go to the other side of the line?"""
    if m.op is power:
        return (min(exponents(m), default=1) < 0, False)
    return (False, True) if m.op is divide else (True,)


def shares(places: Iterable[Place]) -> list[Expr]:
    """The terms of sums that are divided by: over their sum, they become a softmax or a sigmoid."""
    return [i for m, below in places if below and m.op in SUMS for i in m.inputs]


def all_exponential(s: Size) -> bool:
    return all(isinstance(b, tuple) for b in s)


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
