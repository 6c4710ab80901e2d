"""Taylor coefficients of the nodes of a graph, each by what its operation states of itself.

    linear          the operation, coefficient by coefficient
    multilinear     a Cauchy product, cₖ = Σ f(uᵢ, vₖ₋ᵢ)
    series=         the recurrence that the record states
    anything else   its pushforward is a differential equation: y' = D f(x, y)·x', so yₖ is the
                    coefficient k − 1 of the right side, over k

The right side is read like any other graph. Equal operations of equal series are one series, and
so sin and cos, of which each stands in the other's derivative, are found together.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core.derivative_rules import add_up
from ..expr import Expr, Input, TupleType, computed_by, postorder, results
from ..ops import broadcast_like, pushed, zero

Coefficient = Expr | None


class Series:
    """Coefficients, each made when it is first asked for; None stands for 0."""

    def __init__(self, *known: Coefficient):
        self.known = list(known)

    def at(self, k: int) -> Coefficient:
        while len(self.known) <= k:
            self.known.append(self.next(len(self.known)))
        return self.known[k]

    def next(self, k: int) -> Coefficient:
        return None

    @property
    def first(self) -> Expr:
        value = self.at(0)
        assert value is not None
        return value

    @property
    def is_still(self) -> bool:
        """Is it a value that does not move?"""
        return type(self) is Series and all(c is None for c in self.known[1:])


class Slope(Series):
    """The coefficients of x', from those of x: (k + 1)·xₖ₊₁."""

    def __init__(self, x: Series):
        super().__init__()
        self.x = x

    @property
    def first(self) -> Expr:
        """Zeros where x begins to move by a higher power of t."""
        value = self.at(0)
        return zero(self.x.first) if value is None else value

    def next(self, k: int) -> Coefficient:
        c = self.x.at(k + 1)
        return c if c is None or k == 0 else (k + 1) * c


class Applied(Series):
    """One result of an operation applied to series."""

    def __init__(self, step: "Application", place: int, value: Expr):
        super().__init__(value)
        self.step, self.place = step, place

    def next(self, k: int) -> Coefficient:
        found = self.step.coefficient(self, k)
        return None if found is None else broadcast_like(found, self.first)


class Application:
    """An operation with the series of its operands."""

    def __init__(self, reader: "Reader", n: Expr, operands: Sequence[Series]):
        self.reader, self.op, self.static, self.operands = reader, n.op, dict(n.static), operands
        self.values = results(n)
        self.series = [Applied(self, k, y) for k, y in enumerate(self.values)]
        self.slopes: list[Series | None] | None = None

    def coefficient(self, own: Applied, k: int) -> Coefficient:
        op, single = self.op, len(self.values) == 1
        if op.linear and single:
            return self.by_pushforward([s.at(k) for s in self.operands])
        if op.multilinear and single:
            return cauchy(self.product, [s.at for s in self.operands], k)
        rule = op.series
        found = rule(k, *[s.at for s in self.operands], own.at) if rule else NotImplemented
        return self.by_slope(own, k) if found is NotImplemented else found

    def product(self, *factors: Expr) -> Expr:
        return self.op.apply(factors, tuple(self.static.items()))

    def by_pushforward(self, changes: Sequence[Coefficient]) -> Coefficient:
        passing = self.op.differentiable(len(changes))
        given = [c if j in passing else None for j, c in enumerate(changes)]
        if all(c is None for c in given):
            return None
        inputs = [s.first for s in self.operands]
        return pushed(self.op, inputs, self.values, given, self.static)[0]

    def by_slope(self, own: Applied, k: int) -> Coefficient:
        if self.slopes is None:
            self.slopes = self.right_side()
        slope = self.slopes[own.place]
        c = None if slope is None else slope.at(k - 1)
        return c if c is None or k == 1 else c / k

    def right_side(self) -> list[Series | None]:
        """The series of the pushforward, in which operands, results and x' are series."""
        inputs = [Input("x", s.first.type) for s in self.operands]
        outputs = [Input("y", y.type) for y in self.values]
        passing = self.op.differentiable(len(inputs))
        moving = [j in passing and not s.is_still for j, s in enumerate(self.operands)]
        if True not in moving:
            return [None] * len(outputs)
        changes = [Input("t", zero(x).type) if m else None for x, m in zip(inputs, moving)]
        found = pushed(self.op, inputs, outputs, changes, self.static)
        given: dict[Expr, Series] = dict(zip(inputs, self.operands, strict=True))
        given |= dict(zip(outputs, self.series, strict=True))
        pairs = zip(changes, self.operands, strict=True)
        given |= {t: self.reader.slope(s) for t, s in pairs if t is not None}
        read = self.reader.read([c for c in found if c is not None], given)
        return [None if c is None else read[c] for c in found]


class Reader:
    """Reads graphs over series; `order` is the highest coefficient that is wanted, `inside` reads
    operations that have a body."""

    def __init__(self, order: int, inside: Callable[..., Sequence[Series] | None]):
        self.order, self.inside = order, inside
        self.table: dict[Any, Any] = {}

    def read(self, roots: Sequence[Expr], given: Mapping[Expr, Series]) -> dict[Expr, Series]:
        """The series of every node, with these for some."""
        found = dict(given)
        for n in postorder(roots):
            if n not in found and not isinstance(n.type, TupleType):
                node, place = computed_by(n)
                found[n] = self.visit(node, found)[place]
        return found

    def visit(self, n: Expr, found: Mapping[Expr, Series]) -> Sequence[Series]:
        """The series of the results of a node."""
        if n.op is None:
            return [Series(n)]
        operands = [found[x] for x in n.inputs]
        key = (n.op, n.static, *map(self.name, operands))
        if key not in self.table:
            self.table[key] = self.applied(n, operands)
        return self.table[key]

    def name(self, s: Series) -> Any:
        """What tells a series from others: a value that does not move is what it is."""
        return s.first if s.is_still else s

    def slope(self, s: Series) -> Series:
        return self.table.setdefault((Slope, s), Slope(s))

    def applied(self, n: Expr, operands: Sequence[Series]) -> Sequence[Series]:
        values = tuple(s.first for s in operands)
        same = all(v is x for v, x in zip(values, n.inputs, strict=True))
        m = n if same else n.op.apply(values, n.static)
        if all(s.is_still for s in operands) or not n.op.differentiable(len(operands)):
            return [Series(y) for y in results(m)]
        body = self.inside(self, m, operands)
        return body or Application(self, m, operands).series


def cauchy(f: Callable[..., Expr], factors: Sequence[Callable], k: int) -> Coefficient:
    """The k-th coefficient of a function that is linear in each operand."""
    terms = [f(*chosen) for chosen in splits(factors, k)]
    return add_up(terms) if terms else None


def splits(factors: Sequence[Callable], k: int) -> list[tuple[Expr, ...]]:
    """A coefficient of each factor, such that their numbers add up to k."""
    if len(factors) == 1:
        last = factors[0](k)
        return [] if last is None else [(last,)]
    found = []
    for j in range(k + 1):
        c = factors[0](j)
        if c is not None:
            found += [(c, *rest) for rest in splits(factors[1:], k - j)]
    return found
