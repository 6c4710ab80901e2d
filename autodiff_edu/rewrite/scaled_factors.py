"""Numbers move out of large factors of products, to where fewer entries are scaled.

    (c·m) @ z  →  m @ (c·z)  or  c·(m @ z)

A scaled factor is often used twice, by the adjoints of both factors of a product, and it pays only
if all that use it change. A rule of the rewriter sees one of them, so this is a pass of its own. It
moves powers of two, which rounds nothing, where no derivative is to be taken any more, and in mode
safe only where the law of products allows it.

Letters: p the scaled factor, c the number, m what it scales, t a transpose of p, z the other factor
of a product n.
"""

from collections.abc import Iterator, Mapping, Sequence

from ..expr import Constant, Expr, Graph, Origin, Rewriting, Step, made_by, substitute, users
from ..ops import matmul, multiply, negative, transpose
from .rules.programs import entries, is_power_of_two

RULE = "number out of a factor"
CALL = 1000  # entries that are scaled in the time that a call takes
Users = Mapping[Expr, Sequence[Expr]]


class Product:
    """A product n of which p, or its transpose t, is the factor at a place; `other` is the other
    one, and `fewest` how many entries have to be scaled in the place of p."""

    def __init__(self, n: Expr, t: Expr, place: int):
        self.n, self.t, self.place = n, t, place
        self.other = n.inputs[1 - place]
        self.fewest = min(entries(self.other), entries(n))


def numbers_out_of_factors(graph: Graph, mode: str = "safe") -> Rewriting:
    """The stage in which numbers leave factors, where all uses of such a factor are products."""
    used_by, kept = users(graph.order), set(graph.outputs)
    log: dict[Expr, Expr] = {}
    for p in graph.order:
        c, m = scaled(p) or (None, None)
        uses = [] if c is None or p in kept else list(products(p, used_by, kept))
        found = [q for q in uses if q is not None]
        if m is not None and len(found) == len(uses) and scales_fewer(p, found, log):
            become = {q.n: made_by(Origin("rewrite", RULE, q.n), moved, q, c, m) for q in found}
            from .algebra.law import obeys  # loaded when a number may move first

            if mode == "real" or all(obeys(n, new) for n, new in become.items()):
                log |= become
                for n, new in become.items():
                    new.name = new.name or n.name
    steps = [Step(RULE, n, new, note="a product may overflow before it is scaled")
             for n, new in log.items()]  # fmt: skip
    became = dict(log)
    after = Graph(substitute(graph.outputs, became), graph.inputs, graph.names)
    return Rewriting("scale", graph, after, steps, tuple(became.items()), range(len(steps)))


def scaled(p: Expr) -> tuple[Constant, Expr] | None:
    """c and m, if p is c · m for a power of two."""
    fits = p.ndim == 2 and p.type.known and p.dtype == "float64" and not p.name
    if fits and p.op is negative:
        return Constant(-1.0), p.inputs[0]
    if fits and p.op is multiply:
        for c, m in (p.inputs, p.inputs[::-1]):
            if isinstance(c, Constant) and m.type is p.type and is_power_of_two(c):
                return c, m
    return None


def products(p: Expr, used_by: Users, kept: set[Expr]) -> Iterator[Product | None]:
    """The products of which p is a factor; None for any other use."""
    for n in used_by[p]:
        turned = n.op is transpose and n not in kept
        yield from [product(u, n) for u in used_by[n]] if turned else [product(n, p)]


def product(n: Expr, t: Expr) -> Product | None:
    fits = n.op is matmul and n.type.known and n.inputs[0] is not n.inputs[1]
    return Product(n, t, 0 if n.inputs[0] is t else 1) if fits else None


def scales_fewer(p: Expr, found: Sequence[Product], log: Mapping[Expr, Expr]) -> bool:
    """Are fewer entries scaled? And is each product one that has p once, and has not changed?"""
    places = {q.n: q.fewest + CALL for q in found if q.n not in log}
    return 0 < len(found) == len(places) and sum(places.values()) < entries(p) + CALL


def moved(q: Product, c: Constant, m: Expr) -> Expr:
    """The product of the factor without its number."""
    m = m if q.t.op is not transpose else transpose(m, **dict(q.t.static))
    first = entries(q.other) < entries(q.n)
    other = c * q.other if first else q.other
    n = m @ other if q.place == 0 else other @ m
    return n if first else c * n
