"""`ad.jet`: the Taylor coefficients of an expression along a direction."""

from typing import Any

from ..core.forward import seeds
from ..core.graph import as_wrt
from ..differentiate.arguments import needs_wrt
from ..expr import Expr, Graph, Origin, check_expressions, made_by, shown, uncollected
from ..ops import zero
from .series import Reader, Series
from .series_in_bodies import inside


@needs_wrt
def jet(y: Expr, wrt: Expr, order: int, tangent: Any = None) -> list[Expr]:
    """The coefficients c₀, …, c_order of y(wrt + t·tangent) = Σ cₖ tᵏ.

    They are carried forward through the graph, all at once. So the k-th derivative, k! · cₖ,
    costs about k² times y, also through loops, where k sweeps of forward mode grow by a factor
    each.

    Parameters
    ----------
    y : Expr
        An array of any shape.
    wrt : Expr or list of Expr
        With respect to what.
    order : int
        The number of the last coefficient.
    tangent : Expr, array_like or list, optional
        The direction, one for each of wrt; by default ones.

    Returns
    -------
    list of Expr
        Coefficients, order + 1 of them, each of the shape of y.

    Raises
    ------
    ValueError
        If the order is not a whole number from 0 on.

    See Also
    --------
    pushforward : The first coefficient alone.

    References
    ----------
    .. [1] A. Griewank and A. Walther, "Evaluating Derivatives", 2nd edition, 2008, chapter 13.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> [float(c) for c in ad.evaluate(ad.jet(ad.exp(x), x, 4), {x: 0.0})]
    [1.0, 1.0, 0.5, 0.16666666666666666, 0.041666666666666664]
    """
    if not isinstance(order, int) or order < 0:
        raise ValueError(f"the order is a whole number from 0 on, not {shown(order)}")
    (root,) = check_expressions([y])
    inputs = as_wrt(wrt)
    start = {x: Series(x, t) for x, t in zip(inputs, seeds(inputs, tangent), strict=True)}
    return made_by(
        Origin("derivative", "Taylor coefficient", root), coefficients, root, start, order
    )


def coefficients(y: Expr, start: dict[Expr, Series], order: int) -> list[Expr]:
    """In the order of the nodes, so that no node waits for one far below it."""
    with uncollected():
        found = Reader(order, inside).read([y], start)
        for n in Graph(y).nodes:
            if n in found:
                found[n].at(order)
    known = [found[y].at(k) for k in range(order + 1)]
    return [zero(y) if c is None else c for c in known]
