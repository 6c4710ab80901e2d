"""The first pass over a plan: what is computed together.

A sum of products is a dot product, or one for each row; a slice of an adjoint is computed, or
added, where it belongs. The inner operation has no array of its own then: `swallowed` tells which
one computes it. What the user named keeps its line. What is left may run by regions.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import prod

import numpy as np

from ...core.derivative_rules import Declared
from ...expr import Expr, Graph
from ...ops import add, embed, multiply, square, subtract, sum
from ...ops.in_python import is_ufunc, ours
from ...ops.index import indexed
from ..plan import Fusion, joint
from . import regions

JOINING = (sum, add, subtract)
ONE_THREAD = 8192  # entries: BLAS takes several threads for dot products of 10,000


def fuse(graph: Graph, order: Sequence[Expr]) -> Fusion:
    """The steps of a program, of which some compute several operations."""
    inner = swallowed(order, graph.outputs)
    outer = {n: m for m, n in inner.items()}
    reads = {n: joint(n, m) for n, m in outer.items()}
    nodes = [n for n in order if n not in inner]
    alone = {n for n in outer if n.op is not sum or n.ndim} | {n for n in nodes if not ours(n.op)}
    read = lambda n: reads.get(n, n.inputs)
    joined = regions.regions(nodes, graph.outputs, read, alone)
    steps = regions.arranged(nodes, graph.outputs, read, joined) if joined else nodes
    return Fusion(tuple(steps), joined, inner)


def swallowed(order: Sequence[Expr], outputs: Sequence[Expr]) -> dict[Expr, Expr]:
    """The nodes that have no array of their own, with those that compute them."""
    uses = Counter(chain(outputs, *[n.inputs for n in order]))
    found: dict[Expr, Expr] = {}
    for n in [n for n in order if n.op in JOINING]:
        inner = part_of_dot(n) if n.op is sum else part_of_place(n, uses)
        if inner is not None and uses[inner] == 1 and not inner.name:
            found[inner] = n
    joined = set(found.values())
    for n in [n for n in order if n.op is embed and n not in found]:
        inner = part_of_room(n)
        if inner is not None and uses[inner] == 1 and not inner.name and inner not in joined:
            found[inner] = n
    return found


def part_of_room(n: Expr) -> Expr | None:
    """What n puts among zeros, if it can be computed there; large arrays may be in a region."""
    inner = n.inputs[0]
    if len(n.inputs) > 1 or not n.type.known or not inner.ndim:
        return None
    alike = (
        indexed(n.type, dict(n.static)["key"]) is inner.type
        and prod(map(int, inner.shape)) < regions.LARGE
    )
    return inner if alike and is_ufunc(inner.op) else None


def part_of_dot(n: Expr) -> Expr | None:
    """The product of which n is the sum, over all entries or those of each row, where dot products
    are quicker: if no operand has to be copied to one row, as views of matrices may have to, and
    for short arrays, since BLAS wakes other threads for a long one."""
    (product,) = n.inputs
    if product.op not in (multiply, square) or product.dtype != n.dtype or n.dtype != "float64":
        return None
    if not product.ndim or not product.type.known or not (is_whole(n) or is_of_rows(n, product)):
        return None
    same = all(i.type is product.type for i in product.inputs)
    in_a_row = product.ndim == 1 or not any(i.op and i.op.view for i in product.inputs)
    longest = prod(product.shape) if is_whole(n) else product.shape[-1]
    short = longest <= ONE_THREAD and prod(product.shape) < regions.LARGE
    return product if same and in_a_row and short else None


def is_whole(n: Expr) -> bool:
    """Is it the sum of all entries?"""
    return not n.ndim


def is_of_rows(n: Expr, product: Expr) -> bool:
    """Is it the sum over the last axis alone, for which NumPy 2 has a function?"""
    last = dict(n.static)["axis"] == (product.ndim - 1,)
    return product.ndim > 1 and last and product.shape[-1] > 1 and hasattr(np, "vecdot")


def part_of_place(n: Expr, uses: Counter) -> Expr | None:
    """The embedded slice that n adds to, or subtracts from, a value that nobody else uses."""
    left, right = n.inputs
    if embed not in (left.op, right.op) or not n.ndim:
        return None
    pairs = [(left, right), (right, left)] if n.op is add else [(left, right)]
    for whole, part in pairs:
        alone = part.op is embed and uses[part] == 1 and part is not whole
        if alone and part.type is n.type and is_written_over(whole, n) and uses[whole] == 1:
            return part
    return None


def is_written_over(whole: Expr, n: Expr) -> bool:
    """Is it an array of the program's own, of the type of n?"""
    op = whole.op
    own = isinstance(op, Declared) and not isinstance(op.body, Graph)
    return own and not op.view and whole.type is n.type
