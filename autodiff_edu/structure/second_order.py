"""Second order in use: Newton's step, Gauss-Newton products, the diagonal of a Hessian."""

from collections.abc import Sequence
from typing import Any, overload

from ..core.graph import as_wrt
from ..differentiate import grad, hessian, pullback, pushforward
from ..differentiate.arguments import as_one_wrt, check_scalar, needs_wrt
from ..differentiate.grad import like
from ..expr import Expr, Input, Origin, ShapeError, constant, made_by, put_in
from ..library import diagonal, solve
from ..ops import arange, eye, gather, reshape, zero
from .compressed import hessian_products
from .entries import TooDense
from .sparsity import second_pattern


@needs_wrt
def newton(cost: Expr, wrt: Expr, damping: Any = 0.0) -> Expr:
    """Newton's next point, wrt − (H + damping·I)⁻¹ g, for the gradient g and the Hessian H.

    It is an expression of wrt: put it in a loop, or in the updates of a function.

    Parameters
    ----------
    cost : Expr
        One number.
    wrt : Expr
        With respect to what; arrays count as one vector.
    damping : Expr or float, default: 0.0
        What is added to the diagonal of H, as Levenberg and Marquardt do.

    Returns
    -------
    Expr
        The next point, of the shape of wrt.

    Raises
    ------
    TypeError
        If the cost is not one number.
    LinAlgError
        If the matrix is singular, when the program runs.

    See Also
    --------
    gauss_newton_product : For sums of squares, without second derivatives.

    References
    ----------
    .. [1] J. Nocedal and S. J. Wright, "Numerical Optimization", 2nd edition, 2006, chapter 3.

    Examples
    --------
    >>> x = ad.vector("x", shape=2)
    >>> ad.evaluate(ad.newton(ad.sum(x**2) + x[0] * x[1], x), {x: [3.0, 4.0]})
    array([0., 0.])
    """
    check_scalar(cost)
    x = as_one_wrt(wrt)
    g, H = grad(cost, x), hessian(cost, x)
    if x.ndim == 0:
        return x - g / (H + damping)
    n = x.size
    step = solve(reshape(H, (n, n)) + damping * eye(n, dtype=g.dtype), reshape(g, (n,)))
    return x - reshape(step, x.shape)


@overload
def gauss_newton_product(residuals: Expr, wrt: Expr, p: Any, cost: Expr | None = None) -> Expr: ...
@overload
def gauss_newton_product(
    residuals: Expr, wrt: tuple[Expr, ...], p: Any, cost: Expr | None = None
) -> tuple[Expr, ...]: ...
@overload
def gauss_newton_product(
    residuals: Expr, wrt: list[Expr], p: Any, cost: Expr | None = None
) -> list[Expr]: ...
def gauss_newton_product(
    residuals: Expr, wrt: Expr | Sequence[Expr], p: Any, cost: Expr | None = None
) -> Any:
    """Jᵀ·J·p for the Jacobian J of the residuals, or Jᵀ·C·J·p for the Hessian C of a cost of them.

    It is one pushforward and one pullback, and for a cost a product with C between. The matrix
    is that of the cost's Hessian where the residuals are linear or small, and has no negative
    eigenvalue where C has none.

    Parameters
    ----------
    residuals : Expr
        What the cost is made of, an array of any shape.
    wrt : Expr or list of Expr
        With respect to what.
    p : Expr, array_like or list
        The vector, of the shape of wrt.
    cost : Expr, optional
        One number, computed from the residuals; by default half the sum of their squares.

    Returns
    -------
    Expr or list of Expr
        Of the shape of wrt.

    See Also
    --------
    hessian_vector_product : With the whole Hessian.

    References
    ----------
    .. [1] N. N. Schraudolph, "Fast curvature matrix-vector products for second-order gradient
       descent", Neural Computation 14, 2002.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> product = ad.gauss_newton_product(x**2, x, np.array([1.0, 0.0]))
    >>> ad.evaluate(product, {x: [3.0, 4.0]})
    array([36.,  0.])
    """
    moved = pushforward(residuals, as_wrt(wrt), p)
    if cost is not None:
        check_scalar(cost)
        r = Input("r", zero(residuals).type)
        (inner,) = put_in([cost], {residuals: r})
        curved = pushforward(grad(inner, r), r, moved, disconnected_outputs="ignore")
        (moved,) = put_in([curved], {r: residuals})
    return like(wrt, pullback(residuals, list(as_wrt(wrt)), moved, disconnected_inputs="ignore"))


@needs_wrt
def hessian_diagonal(cost: Expr, wrt: Expr) -> Expr:
    """The entries ∂²cost/∂wrtᵢ² alone.

    Its price is one product with the Hessian for each colour of its pattern, where neighbours
    have different colours: one for a sum of functions of single entries, two for a tridiagonal
    Hessian, and as many as there are entries for a dense one.
    `ad.sparsity(cost, wrt, order=2).coloring("diagonal").count` is the number. Where lengths
    are not known, it is cut from the whole matrix.

    Parameters
    ----------
    cost : Expr
        One number.
    wrt : Expr
        With respect to what.

    Returns
    -------
    Expr
        Of the shape of wrt.

    Raises
    ------
    TypeError
        If the cost is not one number.

    See Also
    --------
    hessian : The whole matrix.

    Examples
    --------
    >>> x = ad.vector("x", shape=3)
    >>> ad.evaluate(ad.hessian_diagonal(ad.sum(x**3) + x[0] * x[1], x), {x: [1.0, 2.0, 3.0]})
    array([ 6., 12., 18.])
    """
    check_scalar(cost)
    x = as_one_wrt(wrt)
    origin = Origin("derivative", "diagonal of the Hessian", cost)
    return made_by(origin, compressed_diagonal, cost, x)


def compressed_diagonal(cost: Expr, x: Expr) -> Expr:
    """Each entry from the product that has its colour; cut from the matrix where there is none."""
    try:
        pattern = second_pattern(cost, x)
    except (ShapeError, TooDense):
        return reshape(diagonal(reshape(hessian(cost, x), (x.size, x.size))), x.shape)
    coloring = pattern.coloring("diagonal" if pattern.symmetric else "column")
    products = hessian_products(cost, x, coloring)
    return reshape(gather(products, constant(coloring.colors), arange(x.size)), x.shape)
