"""From compressed rows back to the entries: directly, or by substitution along trees."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import Bits, Expr, LazyModule, Op, TensorType, cached_property, constant
from ..ops import gather, ravel
from .entries import Pattern, sparse

solvers = LazyModule("scipy.sparse.linalg")


def coordinates(pattern: Pattern) -> tuple[np.ndarray, np.ndarray]:
    """The row and the column of each one, row by row."""
    rows = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr))
    return rows, pattern.indices.astype(np.int64)


def read_off(compressed: Expr, kind: str, colors: np.ndarray, pattern: Pattern) -> Expr:
    """The entries of the pattern, row by row, from the products with the seeds."""
    i, j = coordinates(pattern)
    if kind == "acyclic":
        return substituted(compressed, colors, i, j)
    if kind == "column":
        return entries(compressed, colors[j], i)
    if kind == "row":
        return entries(compressed, colors[i], j)
    alone = is_alone(colors, i, j)
    return entries(compressed, np.where(alone, colors[j], colors[i]), np.where(alone, i, j))


def entries(compressed: Expr, color: np.ndarray, place: np.ndarray) -> Expr:
    """The entries at these places of the products of these colours; one index is quicker than
    two."""
    return gather(ravel(compressed), constant(color * compressed.shape[1] + place))


def is_alone(colors: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Is the entry i, j the only one of its row in a column of its colour?"""
    sums = i * (colors.max(initial=0) + 1) + colors[j]
    return np.bincount(sums)[sums] == 1


# ---- by substitution


class Substitution(Op):
    """Solve a triangular system of ones: each sum of entries, without those known already."""

    label = "substitute"
    linear = True
    props = ("key", "turned")

    def __init__(self, system: Any, turned: bool = False):
        self.system, self.turned = system, turned
        self.key = (Bits(system.indptr), Bits(system.indices))

    @cached_property
    def factors(self) -> Any:
        """The system as it is, since it is triangular already."""
        how = {"permc_spec": "NATURAL", "diag_pivot_thresh": 0.0}
        return solvers.splu(sparse.csc_array(self.system), **how)

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k != "factors"}

    def infer_type(self, sums: TensorType) -> TensorType:
        return sums

    def perform(self, sums: np.ndarray) -> np.ndarray:
        if not sums.size:
            return sums
        found = self.factors.solve(sums.astype(float), "T" if self.turned else "N")
        return found.astype(sums.dtype)

    def pullback(self, inputs: Any, outputs: Any, cotangents: Sequence[Expr]) -> list[Expr]:
        return [Substitution(self.system, not self.turned)(cotangents[0])]


def substituted(compressed: Expr, colors: np.ndarray, i: np.ndarray, j: np.ndarray) -> Expr:
    """Entries by way of the sums in which they stand: a leaf of a tree first, then its parent."""
    p = int(colors.max(initial=0)) + 1
    sums, edges = i * p + colors[j], edge_numbers(i, j)
    order, equations = peeled(sums, edges)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    row = np.full(int(sums.max(initial=0)) + 1, -1)
    row[equations] = np.arange(len(order))
    used = row[sums] >= 0
    ones = np.ones(int(used.sum()))
    system = sparse.coo_array((ones, (row[sums[used]], place[edges[used]])), (len(order),) * 2)
    given = entries(compressed, equations % p, equations // p)
    return gather(Substitution(sparse.csr_array(system))(given), constant(place[edges]))


def edge_numbers(i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """A number for each entry, the same for i, j and j, i."""
    pairs = np.minimum(i, j) * (max(i.max(initial=0), j.max(initial=0)) + 1) + np.maximum(i, j)
    return np.unique(pairs, return_inverse=True)[1].ravel()


def peeled(sums: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The entries in an order in which each is the only unknown of a sum, and that sum.

    For each sum the number of its unknowns is kept, and their exclusive or, which is the unknown
    itself where there is one; of each entry likewise its two sums, numbered from 1 on.
    """
    count = np.bincount(sums, minlength=1).tolist()
    unknown, within = [0] * len(count), [0] * (int(edges.max(initial=0)) + 1)
    for s, e in zip(sums.tolist(), edges.tolist(), strict=True):
        unknown[s] ^= e
        within[e] ^= s + 1
    ready = [s for s, n in enumerate(count) if n == 1]
    order, equations = [], []
    while ready:
        s = ready.pop()
        if count[s] != 1:
            continue
        e = unknown[s]
        order.append(e)
        equations.append(s)
        other = within[e] ^ (s + 1)  # 0 on the diagonal, which stands in one sum alone
        for t in (s, other - 1) if other else (s,):
            count[t] -= 1
            unknown[t] ^= e
            if count[t] == 1:
                ready.append(t)
    return np.array(order, np.int64), np.array(equations, np.int64)
