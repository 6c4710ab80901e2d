"""Which entries depend on which, as boolean matrices: a row for each entry, in SciPy's CSR form.

Most operations are described by labels: an entry of the result depends on all entries of the
operand that have its label.
"""

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..expr import LazyModule

sparse = LazyModule("scipy.sparse")
MOST = 50_000_000  # ones in a pattern: half a gigabyte
Pattern = Any  # scipy.sparse.csr_array of truth values


class TooDense(ValueError):
    """A pattern would have nearly as many ones as the matrix has entries."""


class Labels(NamedTuple):
    """The labels of the result's entries and of the operand's, from 0 to among − 1; −1 is none."""

    result: np.ndarray
    operand: np.ndarray
    among: int


def chosen(places: np.ndarray, n: int) -> Pattern:
    """The matrix whose row i is row places[i] of the identity of n rows, or empty where that is
    −1."""
    there = places >= 0
    starts = np.concatenate(([0], np.cumsum(there)))
    ones = np.ones(starts[-1], bool)
    return sparse.csr_array((ones, places[there], starts), shape=(len(places), n))


def by_labels(labels: Labels, pattern: Pattern) -> Pattern:
    """The pattern of the result: rows of the operand are joined by label, then handed out."""
    result, operand, count = labels
    if not is_range(operand, count):
        pattern = product(sparse.csr_array(chosen(operand, count).T), pattern)
    return pattern if is_range(result, count) else product(chosen(result, count), pattern)


def is_range(labels: np.ndarray, count: int) -> bool:
    return len(labels) == count and bool((labels == np.arange(count)).all())


def product(local: Pattern, pattern: Pattern) -> Pattern:
    """What depends on what, over two steps. Raises TooDense."""
    rows = np.diff(pattern.indptr)
    most = int(rows[local.indices].sum(dtype=np.int64))
    if most > MOST:
        raise TooDense(f"{most:,} entries")
    return local @ pattern


def joined(patterns: Sequence[Pattern | None]) -> Pattern | None:
    """What depends on an entry in one way or another."""
    there = [p for p in patterns if p is not None]
    total = there[0] if there else None
    for p in there[1:]:
        total = total + p
    return total


def numbered(shape: Sequence[int], over: Sequence[int]) -> np.ndarray:
    """The entries of an array of this shape, numbered alike along the axes that are not in
    `over`."""
    kept = [n if k in over else 1 for k, n in enumerate(shape)]
    return np.broadcast_to(np.arange(prod(kept)).reshape(kept), shape)
