"""Compressed derivatives: one product for each colour, and from these every nonzero.

J·S has a column for each colour, the sum of the columns of J that have it. Since these share no
row, each nonzero of J stands alone in its sum.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..differentiate import grad, pullback, pushforward
from ..differentiate.arguments import as_one_wrt
from ..differentiate.higher import gated
from ..expr import (
    HOOKS,
    Expr,
    Graph,
    Input,
    Origin,
    at,
    cached_property,
    check_expressions,
    constant,
    hook,
    hooked,
    made_by,
    shown,
)
from ..ops import all_batched, reshape, scatter, zero
from .entries import MOST, TooDense, sparse
from .recovery import coordinates, read_off
from .sparsity import Coloring, Sparsity, pattern_of, second_pattern


@dataclass(frozen=True, eq=False)
class SparseDerivative:
    """A Jacobian or Hessian by its nonzeros, in the form of SciPy's csr_array.

    Parameters
    ----------
    data : Expr
        The nonzeros, row by row.
    sparsity : Sparsity
        Where they stand.
    coloring : Coloring
        Which columns or rows go into one product.
    compressed : Expr
        The products, a row for each colour: what is computed.
    mode : {'forward', 'reverse'}
        Whether they are pushforwards or pullbacks.
    why : str
        That choice in words, with the number of products.

    Examples
    --------
    >>> x = ad.vector("x", shape=5)
    >>> J = ad.jacobian(x[1:] * x[:-1], x, sparse=True)
    >>> J
    SparseDerivative(4 × 5, 8 nonzeros, 2 pushforwards)
    >>> J.evaluate({x: np.arange(5.0)}).toarray()
    array([[1., 0., 0., 0., 0.],
           [0., 2., 1., 0., 0.],
           [0., 0., 3., 2., 0.],
           [0., 0., 0., 4., 3.]])
    """

    data: Expr
    sparsity: Sparsity
    coloring: Coloring
    compressed: Expr
    mode: str
    why: str
    draw = hooked("draw")
    film = hooked("film")
    __leaf__ = "data"  # what stands in a tree for it

    @property
    def shape(self) -> tuple[int, int]:
        """The number of entries of the expression, and of wrt."""
        return self.sparsity.shape

    @property
    def nnz(self) -> int:
        """How many entries are kept."""
        return self.sparsity.nnz

    @cached_property
    def indices(self) -> np.ndarray:
        """The column of each nonzero, as in csr_array."""
        return self.sparsity.matrix.indices

    @cached_property
    def indptr(self) -> np.ndarray:
        """Where each row begins and ends, as in csr_array."""
        return self.sparsity.matrix.indptr

    @cached_property
    def empty(self) -> Any:
        """The matrix with zeros for its nonzeros."""
        shape = self.shape
        return sparse.csr_array((np.zeros(self.nnz), self.indices, self.indptr), shape=shape)

    @property
    def dense(self) -> Expr:
        """The matrix with its zeros, as an expression."""
        (m, n), (rows, columns) = self.shape, coordinates(self.sparsity.matrix)
        return reshape(scatter(self.data, constant(rows * n + columns), shape=(m * n,)), (m, n))

    def assembled(self, data: Any) -> Any:
        """The matrix with these numbers for its nonzeros.

        Parameters
        ----------
        data : array or Expr
            The nonzeros, row by row.

        Returns
        -------
        scipy.sparse.csr_array or SparseDerivative
            A matrix of numbers; of an expression, this derivative with it.

        Examples
        --------
        >>> x = ad.vector("x", shape=2)
        >>> J = ad.jacobian(x * x, x, sparse=True)
        >>> J.assembled(np.array([5.0, 6.0])).toarray()
        array([[5., 0.],
               [0., 6.]])
        """
        if isinstance(data, Expr):
            return SparseDerivative(
                data, self.sparsity, self.coloring, self.compressed, self.mode, self.why
            )
        data = data.astype("float32") if data.dtype == "float16" else data  # SciPy has no float16
        found = copy(self.empty)  # csr_array's own __init__ checks at length what is right here
        found.data, found.indices = data, found.indices.copy()
        found.indptr = found.indptr.copy()
        return found

    def evaluate(self, at: Mapping[Any, Any] = {}) -> Any:
        """The matrix with the inputs at these values.

        Parameters
        ----------
        at : dict, default: {}
            The inputs' values: {x: [1.0, 2.0]}.

        Returns
        -------
        scipy.sparse.csr_array
            The numbers.

        Examples
        --------
        >>> x = ad.vector("x", shape=2)
        >>> ad.jacobian(x * x, x, sparse=True).evaluate({x: [1.0, 2.0]}).data
        array([2., 4.])
        """
        return self.assembled(HOOKS["evaluate"](self.data, at))

    def function(self, inputs: Expr | Sequence[Expr], **options: Any) -> Any:
        """A function from values of the inputs to the matrix: pattern and colours are kept.

        Parameters
        ----------
        inputs : Expr or list of Expr
            The leaves that the caller gives.
        **options : object
            Those of `ad.function`.

        Returns
        -------
        callable
            Its results are scipy.sparse.csr_array.

        Examples
        --------
        >>> x = ad.vector("x", shape=2)
        >>> f = ad.jacobian(x * x, x, sparse=True).function(x)
        >>> f([1.0, 2.0]).toarray()
        array([[2., 0.],
               [0., 4.]])
        """
        program = HOOKS["function"](inputs, self.data, **options)

        def matrix(*values: Any, **named: Any) -> Any:
            return self.assembled(program(*values, **named))

        return matrix

    def __repr__(self) -> str:
        m, n = self.shape
        word = "pushforward" if self.mode == "forward" else "pullback"
        s = "" if self.coloring.count == 1 else "s"
        products = f"{self.coloring.count} {word}{s}"
        return f"SparseDerivative({m} × {n}, {self.nnz:,} nonzeros, {products})"


# ---- the choice, and the products


@hook("sparse_jacobian")
def sparse_jacobian(
    y: Expr,
    x: Expr,
    mode: str | None = None,
    coloring: str | None = None,
    disconnected_inputs: str = "ignore",
    **how: Any,
) -> SparseDerivative:
    """∂y/∂x by its nonzeros, with one product for each colour."""
    check_expressions([y])
    x = as_one_wrt(x)
    check_coloring(coloring, mode, ("column", "row"))
    pattern = pattern_of(y, x)
    if not pattern.nnz:  # the usual pullback knows what to say of it
        pullback(y, x, Input("u", zero(y).type), None, disconnected_inputs)
    mode = mode or {"column": "forward", "row": "reverse"}.get(coloring or "")
    if mode == "forward" and how.get("consider_constant"):
        raise ValueError("consider_constant is for reverse mode: leave out mode and coloring")
    if mode is None and (gated(Graph(y)) or how.get("consider_constant")):
        mode = "reverse"
    kind = {"forward": "column", "reverse": "row", None: None}[mode]
    return derivative(y, x, pattern, pattern.coloring(kind), how)  # type: ignore[arg-type]


@hook("sparse_hessian")
def sparse_hessian(
    cost: Expr, x: Expr, coloring: str | None = None, between: Any = list, pattern: Any = None
) -> SparseDerivative:
    """∂²cost/∂x² by its nonzeros: products with the Hessian, forward over reverse mode. What
    `between` makes of the gradient is differentiated again. The pattern may be known."""
    check_coloring(coloring, None, ("column", "row", "star", "acyclic"))
    pattern = pattern or second_pattern(cost, x)
    (slope,) = between([grad(cost, x, disconnected_inputs="ignore")])
    if coloring is None and not pattern.symmetric:
        coloring = "row" if gated(Graph(slope)) else None
    return derivative(slope, x, pattern, pattern.coloring(coloring), {})


def hessian_products(cost: Expr, x: Expr, coloring: Coloring) -> Expr:
    """A row for each colour: the product of the Hessian with its seed."""
    slope = grad(cost, x, disconnected_inputs="ignore")
    check_seeds(slope, x, coloring)
    build = all_rows if gated(Graph(slope)) else all_columns
    return build(slope, x, coloring.seeds)


def check_coloring(coloring: str | None, mode: str | None, kinds: Sequence[str]) -> None:
    if coloring is not None and coloring not in kinds:
        raise ValueError(f"coloring is {', '.join(kinds)} or None, not {shown(coloring)}")
    if mode not in (None, "forward", "reverse"):
        raise ValueError(f"sparse=True takes mode='forward' or 'reverse', not {shown(mode)}")
    if coloring is not None and mode not in (None, {"row": "reverse"}.get(coloring, "forward")):
        raise ValueError(
            f"{mode} mode gives {'rows' if mode == 'reverse' else 'columns'}, and a "
            f"{coloring} colouring needs the other: leave one of the two out"
        )


def derivative(
    y: Expr, x: Expr, pattern: Sparsity, coloring: Coloring, how: Mapping[str, Any]
) -> SparseDerivative:
    check_seeds(y, x, coloring)
    mode = (
        "reverse"
        if coloring.kind == "row" or (pattern.symmetric and gated(Graph(y)))
        else "forward"
    )
    origin = Origin("derivative", "compressed", y)
    build = partial(all_rows, **how) if mode == "reverse" else all_columns
    compressed = made_by(origin, build, y, x, coloring.seeds)
    data = made_by(origin, read_off, compressed, coloring.kind, coloring.colors, pattern.matrix)
    return SparseDerivative(
        data, pattern, coloring, compressed, mode, reason(pattern, coloring, mode)
    )


def check_seeds(y: Expr, x: Expr, coloring: Coloring) -> None:
    numbers = coloring.count * max(y.size, x.size)
    if numbers > MOST:
        raise TooDense(f"the pattern of {y}{at(y)} takes {coloring.count:,} products of "
                       f"{max(y.size, x.size):,} numbers each: it is not sparse")  # fmt: skip


def reason(pattern: Sparsity, coloring: Coloring, mode: str) -> str:
    """Why this mode, in words."""
    m, n = pattern.shape
    words = {"forward": "pushforwards", "reverse": "pullbacks"}[mode]
    full = f"{coloring.count} {words} instead of {n if mode == 'forward' else m}"
    if pattern.symmetric:
        return f"{coloring.kind} colouring of a symmetric pattern: {full}"
    return f"{coloring.kind} colouring: {full}"


def all_columns(y: Expr, x: Expr, seeds: np.ndarray) -> Expr:
    """A row for each colour: the pushforward of its tangent."""
    t = Input("t", zero(x).type)
    found = pushforward(y, x, t, disconnected_outputs="ignore")
    return reshape(each(found, t, seeds, x), (len(seeds), y.size))


def all_rows(y: Expr, x: Expr, seeds: np.ndarray, **how: Any) -> Expr:
    """A row for each colour: the pullback of its cotangent."""
    u = Input("u", zero(y).type)
    found = pullback(y, x, u, disconnected_inputs="ignore", **how)
    return reshape(each(found, u, seeds, y), (len(seeds), x.size))


def each(result: Expr, change: Expr, seeds: np.ndarray, of: Expr) -> Expr:
    """The result for every seed, in a batch."""
    given = constant(seeds.reshape(len(seeds), *of.shape).astype(change.dtype))
    return all_batched([result], {change: given}, len(seeds))[0]
