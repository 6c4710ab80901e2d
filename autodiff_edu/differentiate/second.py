"""Second derivatives: the Hessian, and products with it."""

from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, Unpack, overload

from ..core.graph import as_wrt
from ..expr import HOOKS, Expr, Graph, Null, is_function, shown
from ..ops import weight
from .arguments import Options, Places, Traced, check_scalar, of_functions, without_wrt
from .grad import grad, like, pullback
from .higher import check_sparse, gated, jacobian, pushforward

P = ParamSpec("P")
X = TypeVar("X", bound=Expr)


def hessian_blocks(
    cost: Expr,
    wrt: Sequence[Expr],
    sparse: bool = False,
    coloring: str | None = None,
    between: Callable[[list[Expr]], Sequence[Expr]] = list,
) -> list[list[Any]]:
    """∂²cost/∂x∂y for all x and y of wrt, forward over reverse mode. What `between` makes of the
    gradient is differentiated again."""
    check_scalar(cost)
    if sparse:
        return [[sparse_block(cost, x, y, coloring, between) for y in wrt] for x in wrt]
    rows = between(grad(cost, list(wrt), disconnected_inputs="ignore"))
    mode = "reverse" if gated(Graph(cost)) else "forward"
    return [jacobian(row, list(wrt), None, "ignore", mode) for row in rows]


def sparse_block(cost: Expr, x: Expr, y: Expr, coloring: str | None, between: Any) -> Any:
    """∂²cost/∂x∂y by its nonzeros."""
    if x is y:
        return HOOKS["sparse_hessian"](cost, x, coloring, between)
    (slope,) = between([grad(cost, x, disconnected_inputs="ignore")])
    return HOOKS["sparse_jacobian"](slope, y)


@overload
def hessian(
    cost: Expr, wrt: Expr, *, sparse: bool = False, coloring: str | None = None
) -> Expr: ...
@overload
def hessian(
    cost: Expr, wrt: tuple[Expr, ...], *, sparse: bool = False, coloring: str | None = None
) -> tuple[Expr, ...]: ...
@overload
def hessian(
    cost: Expr, wrt: list[X], *, sparse: bool = False, coloring: str | None = None
) -> list[Expr]: ...
@overload
def hessian(
    cost: Callable[P, Any],
    wrt: Places | None = None,
    argnums: Places = 0,
    sparse: bool = False,
    coloring: str | None = None,
) -> Traced[P, Any]: ...
def hessian(
    cost: Any, wrt: Any = None, argnums: Any = 0, sparse: bool = False, coloring: str | None = None
) -> Any:
    """The Hessian ∂²cost/∂wrt², of the shape wrt.shape + wrt.shape.

    It is taken forward over reverse mode. Of a Python function, `hessian(f, argnums=0)` is
    the function that computes it, for containers of arrays with all mixed derivatives. There
    the gradient is simplified before it is differentiated again. Of an expression this is a
    step of your own: `ad.jacobian(ad.simplify(ad.grad(cost, wrt)).output, wrt)`.

    Many matrices have many zeros. There the program of a function computes one product for each
    colour of the pattern, if that takes fewer operations. It goes column by column at points where
    an entry is not finite. `hessian(f).paths` tells the choice after a call.

    Parameters
    ----------
    cost : Expr or callable
        One number, or a Python function that returns one.
    wrt : Expr or list of Expr, optional
        With respect to what.
    argnums : int or tuple of int, default: 0
        Of a function, the numbers of the arguments.
    sparse : bool, default: False
        Whether only the nonzeros are computed: one product for each colour of the pattern.
        The matrix is that of flat arrays, of the shape (wrt.size, wrt.size).
    coloring : {'star', 'acyclic', 'column'}, optional
        With sparse, by default 'star', from which each entry is read off. An acyclic
        colouring has fewer colours, and entries are found by substitution, in which errors
        grow with the distance from the leaves of its trees.

    Returns
    -------
    Expr or list of Expr
        One for one; for a list the Hessian with respect to each. With sparse, a
        SparseDerivative, whose nonzeros are the expression `data`; of a function, a
        scipy.sparse.csr_array.

    Raises
    ------
    TypeError
        If an expression is given without a variable.
    ValueError
        If a colouring is given without sparse, or there is no such colouring.

    See Also
    --------
    hessian_vector_product : Without the matrix.
    sparsity : The pattern alone.

    References
    ----------
    .. [1] A. H. Gebremedhin, F. Manne and A. Pothen, "What color is your Jacobian? Graph coloring
       for computing derivatives", SIAM Review 47, 2005.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.hessian(ad.sum(x**3), x), {x: [1.0, 2.0]})
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    check_sparse(sparse, coloring)
    how: dict[str, Any] = {"sparse": True, "coloring": coloring} if sparse else {}
    if is_function(cost):
        return HOOKS["derivative_of"](cost, hessian_blocks, argnums if wrt is None else wrt, **how)
    if wrt is None:
        raise TypeError(without_wrt("hessian", cost))
    return like(wrt, [hessian_blocks(cost, [x], **how)[0][0] for x in as_wrt(wrt)])


@overload
def hessian_vector_product(
    cost: Expr, wrt: Expr, p: Any, mode: str | None = None, **grad_options: Unpack[Options]
) -> Expr: ...
@overload
def hessian_vector_product(
    cost: Expr,
    wrt: tuple[Expr, ...],
    p: Any,
    mode: str | None = None,
    **grad_options: Unpack[Options],
) -> tuple[Expr, ...]: ...
@overload
def hessian_vector_product(
    cost: Expr, wrt: list[X], p: Any, mode: str | None = None, **grad_options: Unpack[Options]
) -> list[Expr]: ...
@overload
def hessian_vector_product(
    cost: Callable[..., Any], *point_and_vector: Any, **options: Any
) -> Any: ...
@of_functions
def hessian_vector_product(
    cost: Expr, wrt: Expr | Sequence[Expr], p: Any, mode: str | None = None, **grad_options: Any
) -> Any:
    """∂²cost/∂wrt² · p (Hessian times vector), without the Hessian: a derivative of the gradient.

    By forward mode it is the tangent of the gradient along p, by reverse mode the gradient of
    Σ p·∂cost/∂wrt. Forward mode is chosen where its graph takes fewer additions. `ad.cost`
    counts what a choice takes. Of a Python function, `hessian_vector_product(f)` is the
    function of a point and a vector that computes it.

    Parameters
    ----------
    cost : Expr or callable
        One number, or a Python function that returns one.
    wrt : Expr or list of Expr
        With respect to what; of a function, where.
    p : Expr, array_like or list
        The vector, of the shape of wrt.
    mode : {'forward', 'reverse'}, optional
        How to differentiate the gradient; by default as is cheaper. Where the graph changes
        cotangents by a gate, only reverse mode is right.
    **grad_options : object
        Those of `grad`.

    Returns
    -------
    Expr or list of Expr
        Of the shape of wrt.

    Raises
    ------
    TypeError
        If the cost is not one number.
    ValueError
        If the mode is neither.

    See Also
    --------
    hessian : The whole matrix.
    gauss_newton_product : Without second derivatives of the residuals.

    References
    ----------
    .. [1] B. A. Pearlmutter, "Fast exact multiplication by the Hessian", Neural Computation 6,
       1994.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> product = ad.hessian_vector_product(ad.sum(x**3), x, np.array([1.0, 0.0]))
    >>> ad.evaluate(product, {x: [1.0, 2.0]})
    array([6., 0.])
    >>> ad.hessian_vector_product(lambda a: a**3)(2.0, 1.0)
    12.0
    """
    if mode not in (None, "forward", "reverse"):
        raise ValueError("a product with the Hessian is in forward or reverse mode, not "
                         f"{shown(mode)}")  # fmt: skip
    inputs = list(as_wrt(wrt))
    slopes = grad(cost, inputs, **{"disconnected_inputs": "ignore"} | grad_options)
    found = []
    if mode != "forward":
        found.append(pullback(slopes, inputs, p, disconnected_inputs="ignore"))
    if mode == "forward" or (mode is None and not only_backward(slopes)):
        found.append(pushforward(slopes, inputs, p, disconnected_outputs="ignore"))
    return like(wrt, min(found, key=additions))


def only_backward(slopes: Sequence[Expr]) -> bool:
    """Do cotangents pass a gate, or does a derivative not exist?"""
    return any(isinstance(s, Null) for s in slopes) or gated(Graph(slopes))


def additions(products: Sequence[Expr]) -> int:
    """What a graph costs, by the measure of rewriting."""
    return sum(weight(n) for n in Graph(products).operations)
