"""Columns that share no row may take one tangent together: a colour for each group of them.

Greedy: every column takes the first colour that none of its neighbours has. Which colours those
are is kept as bits, one whole number for each row, so the time grows with the nonzeros.

References: A. H. Gebremedhin, F. Manne, A. Pothen, "What color is your Jacobian? Graph coloring for
computing derivatives", SIAM Review 47, 2005.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from .entries import Pattern, sparse

Lists = Sequence[Sequence[int]]


def lists(pattern: Pattern) -> list[list[int]]:
    """The columns of the ones in each row."""
    flat, ends = pattern.indices.tolist(), pattern.indptr.tolist()
    return [flat[a:b] for a, b in zip(ends, ends[1:])]


def fullest(pattern: Pattern) -> int:
    """The most ones in a row: so many columns, or more, need colours of their own."""
    return int(np.diff(pattern.indptr).max(initial=0))


def transposed(pattern: Pattern) -> Pattern:
    return sparse.csr_array(pattern.T)


def column_colors(pattern: Pattern) -> np.ndarray:
    """A colour for each column, such that columns of one colour share no row."""
    least = fullest(pattern)
    if least == pattern.shape[1]:
        return np.arange(least)
    columns = lists(transposed(pattern))
    found = apart(columns, pattern.shape[0], range(len(columns)))
    if count(found) > least:
        full = np.argsort([-len(rows) for rows in columns], kind="stable").tolist()
        found = min(found, apart(columns, pattern.shape[0], full), key=count)
    return found


def row_colors(pattern: Pattern) -> np.ndarray:
    """A colour for each row, such that rows of one colour share no column."""
    return column_colors(transposed(pattern))


def count(colors: np.ndarray) -> int:
    """How many colours there are."""
    return int(colors.max(initial=-1)) + 1


def apart(columns: Lists, height: int, order: Iterable[int]) -> np.ndarray:
    """Colours by the first that is free, for columns in this order."""
    taken, colors = [0] * height, [0] * len(columns)
    for j in order:
        forbidden = 0
        for i in columns[j]:
            forbidden |= taken[i]
        bit = first_free(forbidden)
        colors[j] = bit.bit_length() - 1
        for i in columns[j]:
            taken[i] |= bit
    return np.array(colors, int)


def first_free(bits: int) -> int:
    """The lowest bit that is not set."""
    return ~bits & (bits + 1)


# ---- symmetric matrices: neighbours are i and j where the entry i, j is not zero


def neighbours(pattern: Pattern) -> list[list[int]]:
    return [[j for j in row if j != i] for i, row in enumerate(lists(pattern))]


def diagonal_colors(pattern: Pattern) -> np.ndarray:
    """Colours such that neighbours differ: what is left of a row's sum is its diagonal entry."""
    near = neighbours(pattern)
    colors = [0] * len(near)
    for v, others in enumerate(near):
        forbidden = 0
        for w in others:
            forbidden |= colors[w]
        colors[v] = first_free(forbidden)
    return np.array([bit.bit_length() - 1 for bit in colors], int)


def star_colors(pattern: Pattern) -> np.ndarray:
    """Colours such that neighbours differ and every path of four has three colours.

    Each entry of a symmetric matrix can then be read off, at i, j or at j, i.
    """
    near = neighbours(pattern)
    colors, once, twice = [0] * len(near), [0] * len(near), [0] * len(near)  # bits; 0: none yet
    for v, others in enumerate(near):
        forbidden, doubled = once[v], twice[v]
        for w in others:
            c = colors[w]
            if c & doubled:
                forbidden |= once[w]
            elif c:
                for x in near[w]:
                    if twice[x] & c:
                        forbidden |= colors[x]
        colors[v] = bit = first_free(forbidden)
        for w in others:
            twice[w] |= once[w] & bit
            once[w] |= bit
    return np.array([bit.bit_length() - 1 for bit in colors], int)


def acyclic_colors(pattern: Pattern) -> np.ndarray:
    """Colours such that neighbours differ and every circle has three colours.

    The entries between two colours are then those of trees, found by substitution from the leaves.
    """
    near = neighbours(pattern)
    colors, trees = [-1] * len(near), Trees()
    for v, others in enumerate(near):
        by_color: dict[int, list[int]] = {}
        for w in others:
            if colors[w] >= 0:
                by_color.setdefault(colors[w], []).append(w)
        several = [ws for ws in by_color.values() if len(ws) > 1]
        c = 0
        while c in by_color or any(trees.meet(ws, c) for ws in several):
            c += 1
        colors[v] = c
        for a, ws in by_color.items():
            for w in ws:
                trees.join(v, a, w, c)
    return np.array(colors, int)


class Trees:
    """The trees of two colours. A vertex and another colour stand for the vertex in the trees of
    its own colour and of that one."""

    def __init__(self) -> None:
        self.above: dict[int, int] = {}

    def root(self, v: int, c: int) -> int:
        place, above = v << 32 | c, self.above
        while place in above:
            up = above[place]
            above[place] = place = above.get(up, up)  # halves the way for the next time
        return place

    def join(self, v: int, a: int, w: int, c: int) -> None:
        one, other = self.root(v, a), self.root(w, c)
        if one != other:
            self.above[one] = other

    def meet(self, ws: Sequence[int], c: int) -> bool:
        """Are two of these in one tree of their colour and c? A vertex between would close it."""
        roots = {self.root(w, c) for w in ws}
        return len(roots) < len(ws)
