"""`ad.sparsity`: where a derivative can be other than zero, before any number is known."""

from dataclasses import dataclass, replace
from typing import Any, Literal, overload

import numpy as np

from ..core.graph import as_wrt
from ..differentiate import grad
from ..differentiate.arguments import check_scalar, needs_wrt
from ..expr import Expr, Graph, as_graph, cached_property, check_expressions, hooked, shown
from ..ops import GATES
from .carry import Walk, check_known, identity
from .coloring import (
    acyclic_colors,
    column_colors,
    count,
    diagonal_colors,
    fullest,
    row_colors,
    star_colors,
)  # fmt: skip
from .coloring import transposed as turned
from .entries import Pattern, sparse

Kind = Literal["column", "row", "star", "acyclic", "diagonal"]
COLORINGS = {
    "column": column_colors, "row": row_colors, "star": star_colors, "acyclic": acyclic_colors,
    "diagonal": diagonal_colors,
}  # fmt: skip
OF_SYMMETRIC = ("star", "acyclic", "diagonal")


@dataclass(frozen=True, eq=False)
class Coloring:
    """Colours of columns or rows: those of one colour go into one product.

    Parameters
    ----------
    kind : {'column', 'row', 'star', 'acyclic', 'diagonal'}
        What is coloured, and by which rule.
    colors : array of int
        The colour of each column (of a row colouring: of each row), from 0 on.

    Examples
    --------
    >>> x = ad.vector("x", shape=6)
    >>> ad.sparsity(x[1:] - x[:-1], x).coloring("column")
    Coloring(column: 2 colours for 6)
    """

    kind: str
    colors: np.ndarray

    @cached_property
    def count(self) -> int:
        """How many colours there are: so many products give all entries."""
        return count(self.colors)

    @property
    def seeds(self) -> np.ndarray:
        """The seed matrix, a row for each colour: 1 where a column has it."""
        return (self.colors == np.arange(self.count)[:, None]).astype(float)

    def __repr__(self) -> str:
        s = "" if self.count == 1 else "s"
        return f"Coloring({self.kind}: {self.count} colour{s} for {len(self.colors)})"


@dataclass(frozen=True, eq=False)
class Sparsity:
    """A pattern: which entries of a derivative can be other than zero.

    Parameters
    ----------
    matrix : scipy.sparse.csr_array of bool
        A row for each entry of y, a column for each of x.
    symmetric : bool, default: False
        Whether it is that of a Hessian.
    notes : tuple of str, default: ()
        Where it is a union over values, and so may be larger than it is at one point.
    y : Expr, optional
        What is differentiated: of a Hessian, the gradient.
    wrt : Expr, optional
        With respect to what.

    Examples
    --------
    >>> x = ad.vector("x", shape=4)
    >>> ad.sparsity(x[1:] - x[:-1], x)
    Sparsity(3 × 4, 6 nonzeros)
    ■■··
    ·■■·
    ··■■
    """

    matrix: Pattern
    symmetric: bool = False
    notes: tuple[str, ...] = ()
    y: Any = None
    wrt: Any = None
    draw = hooked("draw")
    film = hooked("film")

    @property
    def shape(self) -> tuple[int, int]:
        """The number of entries of y, and of x."""
        return self.matrix.shape

    @property
    def nnz(self) -> int:
        """How many entries can be other than zero."""
        return int(self.matrix.nnz)

    def coloring(self, kind: Kind | None = None) -> Coloring:
        """Colours for its columns or rows.

        Parameters
        ----------
        kind : {'column', 'row', 'star', 'acyclic', 'diagonal'}, optional
            By default 'star' where it is symmetric, else column or row, whichever takes fewer.
            From a diagonal one the diagonal alone can be read off.

        Returns
        -------
        Coloring
            A colour for each.

        Raises
        ------
        ValueError
            If there is no such kind, or it is for symmetric patterns and this one is not.

        Examples
        --------
        >>> x = ad.vector("x", shape=9)
        >>> pattern = ad.sparsity(ad.sum((x[1:] - x[:-1]) ** 4), x, order=2)
        >>> pattern.coloring("star"), pattern.coloring("acyclic")
        (Coloring(star: 3 colours for 9), Coloring(acyclic: 2 colours for 9))
        """
        if kind is not None and kind not in COLORINGS:
            raise ValueError(f"a colouring is {', '.join(COLORINGS)}, not {shown(kind)}")
        if kind in OF_SYMMETRIC and not self.symmetric:
            raise ValueError(f"a {kind} colouring is for a Hessian, which is symmetric: write "
                             "coloring('column') or coloring('row')")  # fmt: skip
        if kind is None:
            return self.coloring("star") if self.symmetric else self.fewest()
        return Coloring(kind, COLORINGS[kind](self.matrix))

    def fewest(self) -> Coloring:
        """By columns or by rows, whichever takes fewer colours, and columns if both are equal.

        Returns
        -------
        Coloring
            A colour for each.

        Examples
        --------
        >>> x = ad.vector("x", shape=5)
        >>> ad.sparsity(ad.concatenate([ad.sum(x)[None], x[1:]]), x).fewest()
        Coloring(row: 2 colours for 5)
        """
        by_columns = fullest(self.matrix) <= fullest(turned(self.matrix))
        first = self.coloring("column" if by_columns else "row")
        bound = fullest(turned(self.matrix) if by_columns else self.matrix)
        if first.count < bound or (by_columns and first.count == bound):
            return first  # the other way cannot take fewer
        second = self.coloring("row" if by_columns else "column")
        return min(first, second, key=lambda c: (c.count, c.kind))

    def __repr__(self) -> str:
        lines = [f"Sparsity({self.shape[0]} × {self.shape[1]}, {self.nnz:,} nonzeros)"]
        if 0 < max(self.shape) <= 40:
            full = self.matrix.toarray()
            lines += ["".join("■" if there else "·" for there in row) for row in full]
        return "\n".join([*lines, *self.notes])


@overload
def sparsity(y: Expr, wrt: Expr, order: Literal[1, 2] = 1) -> Sparsity: ...
@overload
def sparsity(
    y: Expr, wrt: list[Expr] | tuple[Expr, ...], order: Literal[1, 2] = 1
) -> list[Sparsity]: ...
@needs_wrt
def sparsity(y: Any, wrt: Any, order: int = 1) -> Any:
    """Where ∂y/∂wrt can be other than zero, found from the graph before any number is known.

    The pattern is never too small. Index sets are carried forward through the graph, by what
    each operation states of itself; of an operation that states nothing every entry may depend
    on every other. Where values choose entries, as in `where` or x[k] for an expression k, the
    pattern is the union, and its notes say so.

    Parameters
    ----------
    y : Expr
        An array of any shape, whose lengths are known; with order=2, one number.
    wrt : Expr or list of Expr
        With respect to what, likewise.
    order : {1, 2}, default: 1
        Whether the pattern is that of the Jacobian or of the Hessian.

    Returns
    -------
    Sparsity or list of Sparsity
        A row for each entry of y and a column for each of wrt.

    Raises
    ------
    ShapeError
        If a length is not known.
    ValueError
        If the order is neither.

    See Also
    --------
    jacobian : With sparse=True it takes as many products as the pattern has colours.

    Examples
    --------
    >>> x = ad.vector("x", shape=5)
    >>> ad.sparsity(x[1:] * x[:-1], x)
    Sparsity(4 × 5, 8 nonzeros)
    ■■···
    ·■■··
    ··■■·
    ···■■
    """
    if order not in (1, 2):
        raise ValueError(f"the order is 1 for a Jacobian or 2 for a Hessian, not {shown(order)}")
    (expression,) = check_expressions([y])
    find = pattern_of if order == 1 else second_pattern
    found = [find(expression, x) for x in as_wrt(wrt)]
    return found if isinstance(wrt, (list, tuple)) else found[0]


def pattern_of(y: Expr, x: Expr) -> Sparsity:
    """The pattern of a Jacobian."""
    check_known(x)
    check_known(y)
    walk = Walk()
    found = walk.run([y], identity([x])).get(y)
    if found is None:
        found = sparse.csr_array((y.size, x.size), dtype=bool)
    found.sort_indices()
    return Sparsity(found, notes=tuple(walk.notes), y=y, wrt=x)


def second_pattern(cost: Expr, x: Expr) -> Sparsity:
    """The pattern of a Hessian, that of the gradient's Jacobian: i, j and j, i are equal, so where
    the pattern lacks one of the two, both are 0."""
    check_scalar(cost)
    found = pattern_of(grad(cost, x, disconnected_inputs="ignore"), x)
    if not is_symmetric(cost):
        return found
    both = sparse.csr_array(found.matrix.multiply(turned(found.matrix)))
    both.sort_indices()
    return replace(found, matrix=both, symmetric=True)


def is_symmetric(cost: Expr | Graph) -> bool:
    """Are second derivatives those of the value? Not where a rule is another one on purpose."""
    return all(is_own_derivative(n.op) for n in as_graph(cost).operations)


def is_own_derivative(op: Any) -> bool:
    """Is the derivative that of the value, also in a body?"""
    if op.overrides or op.gate or GATES.get(op.name) is op or any(getattr(op, "rules", ())):
        return False
    return not isinstance(op.body, Graph) or is_symmetric(op.body)
