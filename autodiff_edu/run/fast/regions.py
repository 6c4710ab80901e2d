"""Regions: elementwise operations that run block by block over large arrays, so that what lies
between them stays in the processor's cache.

A region is a group of operations on arrays of one shape. A block is some of their rows, the
entries along the first axis. Sums at the end of a region are added up block by block. An
operation is at a *level*: that of its operands, and one more where a whole array of an operand
that can run by blocks is needed. So what is joined within a level depends on nothing outside that
depends on it.

Letters: n a node, i an operand of it, g a group.
"""

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum, inf, prod
from typing import Any

from ...expr import Expr, Graph
from ...ops import max, mean, min, sum
from ..plan import Region, nodes_of
from .sin_cos import side_by_side

BLOCK = 16384  # entries: 128 kB of float64, of which a second cache holds several
LARGE = 4 * BLOCK  # smaller arrays are in the second cache anyway
Shape = tuple[int | None, ...]
Reads = Callable[[Expr], Sequence[Expr]]


class Search:
    """Looks for the regions of a program."""

    def __init__(self, order: Sequence[Expr], outputs: Sequence[Expr], reads: Reads, alone: set):
        self.order, self.reads, self.alone = order, reads, alone
        self.level: dict[Expr, int] = {}
        self.shape: dict[Expr, Shape] = {}  # of the region to which a node may belong
        self.ends: set[Expr] = set()
        self.users: dict[Expr, list[Expr]] = {}
        self.outputs = set(outputs)
        for n in order:
            self.place(n)
            for i in reads(n):
                self.users.setdefault(i, []).append(n)
        self.latest = {
            n: builtins.max([self.level[m] for m in users]) for n, users in self.users.items()
        }
        for n in reversed(order):
            self.sink(n)

    # ---- where a node may belong

    def place(self, n: Expr) -> None:
        """Give a node its level and, if it can run by blocks, the shape of its region."""
        shape = None if n in self.alone else self.region_shape(n)
        if shape is not None:
            self.shape[n] = shape
            if is_end(n):
                self.ends.add(n)
        self.level[n] = 0
        for i in self.reads(n):
            if i in self.level:
                least = self.level[i] + (i in self.shape and not self.flows(i, n))
                self.level[n] = least if least > self.level[n] else self.level[n]

    def region_shape(self, n: Expr) -> Shape | None:
        """The shape whose rows n goes through, or None where it needs whole arrays."""
        whole = [self.shape[i] for i in self.reads(n) if i in self.shape and i not in self.ends]
        if n.op in (sum, mean, max, min):
            rows, i = whole[0] if whole else None, self.reads(n)[0]
            adds_up = (
                n.op in (sum, mean) and n.dtype == i.dtype == "float64" and i.type.shape == rows
            )
            return rows if adds_up or not is_end(n) else None
        if not (is_plain(n) and n.ndim):
            return None
        above = [s for s in whole if len(s) == n.ndim and spreads(n.type.shape, s)]
        shape = next((s for s in above if s != n.type.shape), n.type.shape)
        return shape if all(fits(i, shape) for i in self.reads(n)) else None

    def flows(self, i: Expr, n: Expr) -> bool:
        """Can n read the rows of i in the same block?"""
        same = i in self.shape and self.shape.get(n) == self.shape[i]
        return same and i not in self.ends and (i.ndim == len(self.shape[i]))

    def sink(self, n: Expr) -> None:
        """Compute later what is only used later, if nothing has to be kept longer for that."""
        users = [m for m in self.users.get(n, ()) if self.shape.get(m) == self.shape.get(n)]
        if n not in self.shape or n in self.ends or n in self.outputs or not users:
            return
        if len(users) < len(self.users[n]) or not all(self.flows(n, m) for m in users):
            return
        later = builtins.min([self.level[m] for m in users])
        longer = [i for i in self.reads(n) if not self.stays(i, later)]
        if later > self.level[n] and add_up([n]) >= add_up(longer):
            self.level[n] = later
            for i in self.reads(n):
                self.latest[i] = builtins.max([self.latest[i], later])

    def stays(self, i: Expr, level: int) -> bool:
        """Is there an array of i at that level anyway?"""
        return i.op is None or not i.ndim or self.latest[i] >= level

    # ---- groups

    def joined(self, i: Expr, n: Expr) -> bool:
        return self.flows(i, n) and self.level[i] == self.level[n]

    def groups(self) -> Iterable[list[Expr]]:
        """The nodes of one shape and level that read each other."""
        first: dict[Expr, Expr] = {n: n for n in self.shape}

        def root(n: Expr) -> Expr:
            while first[n] is not n:
                first[n] = n = first[first[n]]
            return n

        for n in self.order:
            for i in self.reads(n):
                if n in first and i in first and self.joined(i, n):
                    first[root(i)] = root(n)
        found: dict[Expr, list[Expr]] = {}
        for n in self.order:
            if n in first:
                found.setdefault(root(n), []).append(n)
        return found.values()

    def region(self, members: list[Expr]) -> Region | None:
        """The region of a group, if it is worth one."""
        length, *rest = shape = self.shape[members[0]]
        width = prod([n for n in rest if n is not None])
        rows = BLOCK // width if 0 < width < BLOCK else 1
        large = length is not None and length * width >= LARGE and length > rows
        if None in rest or len(members) < 2 or not large:
            return None
        inside = set(members)
        ends = tuple([n for n in members if n in self.ends])
        kept = [n for n in members if n not in self.ends and self.escapes(n, inside)]
        read = dict.fromkeys([i for n in members for i in self.reads(n) if i not in inside])
        sliced = [i for i in read if i.ndim == len(shape) and i.type.shape[0] == length]
        return Region(side_by_side(members), ends, tuple(kept), tuple(sliced), length, rows)

    def escapes(self, n: Expr, inside: set[Expr]) -> bool:
        return n in self.outputs or any(m not in inside for m in self.users.get(n, ()))


def add_up(arrays: Iterable[Expr]) -> float:
    """How many entries they have together, infinitely many where that is not known."""
    shapes = [getattr(a.type, "shape", (None,)) for a in arrays]  # of several results: unknown
    return fsum([inf if None in shape else prod(shape) for shape in shapes])


def is_large(kind: Any) -> bool:
    """Is an array of this type worth a region?"""
    shape: Shape = getattr(kind, "shape", ())  # of several results: none
    lengths = [n for n in shape if n is not None]
    return 0 < len(lengths) == len(shape) and prod(lengths) >= LARGE


def is_plain(n: Expr) -> bool:
    """Is it elementwise, computed by one call?"""
    elementwise = getattr(n.op, "elementwise", False)
    return elementwise and not isinstance(n.op.body, Graph)


def is_end(n: Expr) -> bool:
    """Is it a reduction over the rows?"""
    return n.op in (sum, mean, max, min) and 0 in dict(n.static)["axis"]


def spreads(shape: Shape, whole: Shape) -> bool:
    """Has an array of this shape the same rows, stretched along other axes or not?"""
    pairs = zip(shape[1:], whole[1:], strict=True)
    return shape[0] == whole[0] and all(a in (1, b) for a, b in pairs)


def fits(i: Expr, shape: Shape) -> bool:
    """Can an operand be read by rows, or as a whole by all of them?"""
    lengths = i.type.shape
    whole = i.ndim < len(shape) or lengths[0] == 1 != shape[0]
    return whole or spreads(lengths, shape)


def regions(
    order: Sequence[Expr], outputs: Sequence[Expr], reads: Reads, alone: set[Expr]
) -> list[Region]:
    """The regions of a program; those `alone` take no part."""
    if not any(is_large(t) for t in {n.type for n in order}):
        return []
    search = Search(order, outputs, reads, alone)
    found = [search.region(g) for g in search.groups()]
    return [r for r in found if r is not None]


def arranged(
    order: Sequence[Expr], outputs: Sequence[Expr], reads: Reads, found: Sequence[Region]
) -> list[Expr | Region]:
    """The steps of a program, depth first: each operation after what it reads, a region as one.
    Of what it reads the deepest comes first, which needs most arrays on its way, and gives up some
    (Sethi and Ullman 1970, The generation of optimal code for arithmetic expressions)."""
    of: Mapping[Expr, Region] = {n: r for r in found for n in r.members}
    known, done, depth = set(order), set[Expr](), dict[Expr, int]()
    for n in order:
        depth[n] = 1 + builtins.max([depth.get(i, 0) for i in reads(n)], default=0)
    steps: list[Expr | Region] = []
    stack = [o for o in outputs if o in known][::-1]
    while stack:
        n = stack[-1]
        if n in done:
            stack.pop()
            continue
        step: Expr | Region = of.get(n, n)
        members = nodes_of(step)
        inside = set(members)
        missing = [i for m in members for i in reads(m)
                   if i in known and i not in done and i not in inside]  # fmt: skip
        if missing:
            stack.extend(sorted(missing, key=lambda i: -depth[i])[::-1])
        else:
            stack.pop()
            done.update(members)
            steps.append(step)
    return steps
