"""Linear algebra on the last two axes: inverses, determinants, powers.

Formulas: M. B. Giles, Collected matrix derivative results (2008), unless stated.
Letters: ct a cotangent, t the tangents, x a b matrices or stacks of them, out the result;
T transposes the last two axes.
"""

from collections import namedtuple
from collections.abc import Sequence
from functools import cache, reduce
from math import prod
from typing import Any

import numpy as np

from ..core.derivative_rules import zero
from ..expr import Expr, ShapeError, operands, register
from ..ops.declare import op
from ..ops.gufunc import core
from ..ops.products import column, matmul
from ..ops.products import matrix_transpose as T
from ..ops.shape import moveaxis, squeeze
from .diagonals import identity

__all__ = ["cross", "det", "inv", "matrix_power", "multi_dot", "pinv", "slogdet", "solve"]

SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")
SQUARE = core("(n,n)->(n,n)")
LAST_TWO = (-2, -1)


# ---- inverses and equations


@op(
    label="·⁻¹",
    core="(n,n)->(n,n)",
    pullback=lambda ct, x, out: (-(T(out) @ ct @ T(out)),),
    pushforward=lambda t, x, out: -(out @ t[0] @ out),
    cost=lambda a, out: 2 * prod(a) * a[-1],
    latex="#1^{-1}",
)
def inv(x):
    """The inverse of each matrix: d(x⁻¹) = −x⁻¹·dx·x⁻¹.

    Raises
    ------
    LinAlgError
        If a matrix is singular, when the program runs.

    Examples
    --------
    >>> ad.evaluate(ad.inv([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return np.linalg.inv(x)


def solve_pullback(ct: Expr, a: Expr, b: Expr, out: Expr) -> tuple[Expr, Expr]:
    ct_b = solve(T(a), ct)
    return -(ct_b @ T(out)), ct_b


@op(
    label="solve",
    core="(n,n),(n,k)->(n,k)",
    pullback=solve_pullback,
    pushforward=lambda t, a, b, out: solve(a, t[1] - t[0] @ out),
    cost=lambda a, b, out: 2 * prod(a) * a[-1] // 3 + 2 * a[-1] * prod(out),
)
def solve_columns(a, b):
    """The x with a·x = b, column by column: dx = a⁻¹·(db − da·x)."""
    return np.linalg.solve(a, b)


@register("solve")
def solve(a: Any, b: Any) -> Expr:
    """The x with a·x = b for a vector b, or for each column of matrices b.

    Parameters
    ----------
    a : Expr or array_like, shape (..., n, n)
        Square matrices.
    b : Expr or array_like, shape (n,) or (..., n, k)
        The right side or sides.

    Returns
    -------
    Expr
        The solutions, of the shape of b.

    See Also
    --------
    numpy.linalg.solve : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0]))
    array([1. , 0.5])
    """
    a, b = operands((a, b), "solve")
    return squeeze(solve_columns(a, column(b)), axis=-1) if b.ndim == 1 else solve_columns(a, b)


def pinv_change(t: Expr, x: Expr, out: Expr) -> Expr:
    """−x⁺·t·x⁺ + x⁺x⁺ᵀ·tᵀ·(1 − x·x⁺) + (1 − x⁺x)·tᵀ·x⁺ᵀx⁺."""
    turned = T(out)
    left, right = out @ turned @ T(t), T(t) @ turned @ out
    return left - left @ x @ out + right - out @ x @ right - out @ t @ out


@op(
    label="·⁺",
    core="(m,n)->(n,m)",
    pullback=lambda ct, x, out: (T(pinv_change(T(ct), x, out)),),
    pushforward=lambda t, x, out: pinv_change(t[0], x, out),
    cost=lambda a, out: 26 * prod(a) * min(a[-2:]),
    latex="#1^{+}",
)
def pinv(x):
    """The pseudo-inverse x⁺; its derivative is that at constant rank.

    References
    ----------
    .. [1] G. H. Golub and V. Pereyra, "The differentiation of pseudo-inverses and nonlinear
       least squares problems whose variables separate", 1973.

    Examples
    --------
    >>> ad.evaluate(ad.pinv([[1.0], [2.0]]))
    array([[0.2, 0.4]])
    """
    found = np.linalg.pinv(x)
    return found if found.size else found / 1  # of no entries NumPy keeps the dtype


# ---- determinants


def svd(x: Any, library: Any) -> tuple[Any, Any, Any]:
    """NumPy's svd, or JAX's, which runs bodies with jax.numpy for np; nan for a matrix with an inf
    or a nan, on which LAPACK may go on for ever."""
    finite = library.isfinite(x).all(axis=LAST_TWO)
    u, s, vh = library.linalg.svd(library.where(finite[..., None, None], x, 0))
    return u, library.where(finite[..., None], s, library.nan), vh


def third_change(t: Expr, x: Expr, ct: Expr) -> Expr:
    """The slope of ⟨ct, cofactor_change(t, x)⟩ at a regular x: symmetric in t and ct."""
    turned = T(inv(x))
    right = T(ct) @ turned
    along = (turned * ct).sum(axis=LAST_TWO, keepdims=True)
    first, mixed = cofactor_change(t, x), column(column(det(x))) * (turned @ T(t) @ turned)
    inner = (first * ct).sum(axis=LAST_TWO, keepdims=True)
    return inner * turned - first @ right - along * mixed + turned @ T(ct) @ mixed


@op(
    core="(n,n),(n,n)->(n,n)",
    pullback=lambda ct, t, x, out: (cofactor_change(ct, x), third_change(t, x, ct)),
    pushforward=lambda ts, t, x, out: cofactor_change(ts[0], x) + third_change(t, x, ts[1]),
    cost=lambda t, x, out: 30 * prod(x) * x[-1],
)
def cofactor_change(t, x):
    """⟨c, t⟩·x⁻ᵀ − c·tᵀ·x⁻ᵀ for the cofactors c, singular or not; this map of t is its own adjoint.
    Differentiated where x is regular."""
    u, s, vh = svd(x, np)
    sign = np.round(np.linalg.det(u) * np.linalg.det(vh))[..., None, None]
    n = s.shape[-1]
    apart = ~(np.eye(n, dtype=bool)[:, None] | np.eye(n, dtype=bool))  # [i, j, k]: k is neither
    others = np.where(apart, s[..., None, None, :], 1).prod(axis=-1) * ~np.eye(n, dtype=bool)
    inner = np.swapaxes(u, -1, -2) @ t @ np.swapaxes(vh, -1, -2)
    lengths = np.diagonal(inner, axis1=-2, axis2=-1)[..., None, :]
    found = np.eye(n) * (others * lengths).sum(axis=-1)[..., None]
    return sign * (u @ (found - others * np.swapaxes(inner, -1, -2)) @ vh)


@op(
    core="(n,n)->(n,n)",
    pullback=lambda ct, x, out: (cofactor_change(ct, x),),
    pushforward=lambda t, x, out: cofactor_change(t[0], x),
    cost=lambda a, out: 24 * prod(a) * a[-1],
)
def cofactor(x):
    """The slope of det at x, singular or not."""
    u, s, vh = svd(x, np)
    sign = np.round(np.linalg.det(u) * np.linalg.det(vh))[..., None]
    others = np.where(np.eye(s.shape[-1], dtype=bool), 1, s[..., None, :]).prod(axis=-1)
    return (u * (sign * others)[..., None, :]) @ vh


@op(
    core="(n,n)->()",
    pullback=lambda ct, x, out: (column(column(ct)) * cofactor(x),),
    pushforward=lambda t, x, out: (cofactor(x) * t[0]).sum(axis=LAST_TWO),
    cost=lambda a, out: 2 * prod(a) * a[-1] // 3,
    latex=r"\det",
)
def det(x):
    """The determinant of each matrix; its slope is finite where it is 0.

    >>> ad.evaluate(ad.det([[1.0, 2.0], [3.0, 4.0]]))
    np.float64(-2.0000000000000004)
    """
    return np.linalg.det(x)


def slogdet_pullback(cts: Any, x: Expr, outs: Any) -> tuple[Expr | None]:
    if cts[1] is None:
        return (None,)
    return (column(column(cts[1])) * T(inv(x)),)


def slogdet_pushforward(t: Any, x: Expr, outs: Any) -> tuple[Expr, Expr]:
    return zero(outs[0]), (T(inv(x)) * t[0]).sum(axis=LAST_TWO)


@op(
    label="slogdet",
    core="(n,n)->(),()",
    pullback=slogdet_pullback,
    pushforward=slogdet_pushforward,
    cost=lambda a, out: 2 * prod(a) * a[-1] // 3,
)
def sign_and_log_det(x):
    """The sign of the determinant and log |det x|: d log |det x| = ⟨x⁻ᵀ, dx⟩."""
    return np.linalg.slogdet(x)


@register("slogdet")
def slogdet(x: Any) -> SlogdetResult:
    """The sign and the logarithm of the size of the determinant, without overflow.

    Parameters
    ----------
    x : Expr or array_like, shape (..., n, n)
        Square matrices.

    Returns
    -------
    SlogdetResult
        A tuple (sign, logabsdet) of shape (...); the slope of the sign is 0.

    See Also
    --------
    numpy.linalg.slogdet : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.slogdet([[0.0, 1.0], [1.0, 0.0]]).sign)
    np.float64(-1.0)
    """
    return SlogdetResult(*sign_and_log_det(x))


# ---- products of several


@register("matrix_power")
def matrix_power(x: Any, n: int) -> Expr:
    """x·x·…·x, n factors, by repeated squaring; of the inverse for a negative n.

    Parameters
    ----------
    x : Expr or array_like, shape (..., n, n)
        Square matrices.
    n : int
        How many factors; of the inverse, if it is negative.

    Returns
    -------
    Expr, shape (..., n, n)
        The powers.

    See Also
    --------
    numpy.linalg.matrix_power : The same for arrays.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.matrix_power(x, 3), {x: [[1.0, 1.0], [0.0, 1.0]]})
    array([[1., 3.],
           [0., 1.]])
    """
    (x,) = operands((x,), "matrix_power")
    SQUARE(x.type)
    if n < 0:
        return matrix_power(inv(x), -n)
    if n < 2:
        return x if n else identity(x)
    half = matrix_power(x, n // 2)
    return half @ half @ x if n % 2 else half @ half


@register("multi_dot")
def multi_dot(arrays: Sequence[Any]) -> Expr:
    """The product of matrices in the cheapest order; the first and the last may be vectors.

    Parameters
    ----------
    arrays : list of Expr or array_like
        Matrices; the first and the last may be vectors.

    Returns
    -------
    Expr
        The product.

    Raises
    ------
    ShapeError
        If there is no array, or one of them has no axes.

    See Also
    --------
    numpy.linalg.multi_dot : The same for arrays.

    Examples
    --------
    >>> ad.evaluate(ad.multi_dot([np.ones((1, 3)), np.ones((3, 2)), np.ones(2)]))
    array([6.])
    """
    xs = operands(tuple(arrays), "multi_dot")
    if not xs or any(not x.ndim for x in xs):
        raise ShapeError("multi_dot takes a list of matrices, and vectors at its ends")
    lengths = [xs[0].type.shape[0] if xs[0].ndim == 2 else 1, *[x.type.shape[-1] for x in xs]]
    if xs[-1].ndim == 1:
        lengths[-2:] = [xs[-1].type.shape[0], 1]
    return reduce(matmul, xs) if None in lengths else cheapest(xs, lengths)


def cheapest(xs: Sequence[Expr], lengths: Sequence[Any]) -> Expr:
    """The product in the order with the fewest multiplications (Cormen et al., section 14.2)."""

    @cache
    def best(i: int, j: int) -> tuple[int, int]:
        """How many for the factors i to j, and the last factor of the left part."""
        cost = lengths[i] * lengths[j + 1]
        splits = [(best(i, k)[0] + best(k + 1, j)[0] + cost * lengths[k + 1], k)
                  for k in range(i, j)]  # fmt: skip
        return min(splits, default=(0, i))

    def product(i: int, j: int) -> Expr:
        k = best(i, j)[1]
        return xs[i] if i == j else product(i, k) @ product(k + 1, j)

    return product(0, len(xs) - 1)


@register("cross")
def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Expr:
    """(a₁b₂ − a₂b₁, a₂b₀ − a₀b₂, a₀b₁ − a₁b₀), the vectors perpendicular to a and to b.

    Parameters
    ----------
    a : Expr or array_like
        Vectors of length 3.
    b : Expr or array_like
        Likewise.
    axisa : int, default: -1
        The axis of a that holds the vectors.
    axisb : int, default: -1
        That of b.
    axisc : int, default: -1
        That of the result.
    axis : int, optional
        The same axis for all three.

    Returns
    -------
    Expr
        The vector products.

    Raises
    ------
    ShapeError
        If the vectors are not known to have length 3.

    Examples
    --------
    >>> ad.evaluate(ad.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
    array([0., 0., 1.])
    """
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis,) * 3
    a, b = operands((a, b), "cross")
    a, b = moveaxis(a, axisa, -1), moveaxis(b, axisb, -1)
    if a.type.shape[-1] != 3 or b.type.shape[-1] != 3:
        raise ShapeError(f"cross takes vectors of length 3, not {a.type!r} and {b.type!r}: declare "
                         "that length, and put a 0 behind two coordinates")  # fmt: skip
    after, before = [1, 2, 0], [2, 0, 1]
    c = a[..., after] * b[..., before] - a[..., before] * b[..., after]
    return moveaxis(c, -1, axisc)
