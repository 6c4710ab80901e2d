"""Matrices as products: QR and singular values, on the last two axes.

Where singular values coincide their vectors have no derivative; functions of all values, and of
matrices u·diag(c)·vᵀ, have.
Letters: ct a cotangent, t the tangents, x a matrix or a stack, q r u s v its factors; T transposes
the last two axes.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from ..core.derivative_rules import add_up, zero
from ..expr import Expr, ShapeError, TensorType, operands, register, shown, spell
from ..ops.declare import op
from ..ops.products import matrix_transpose as T
from ..ops.products import row
from .diagonals import tril, triu
from .linalg import pinv, solve
from .spectral import is_square, over_gaps_of_squares, singular_function, turned_both
from .symmetric import plus_transpose
from .treated_alike import slope_of_each
from .vector_terms import singular_functions

__all__ = ["lstsq", "qr", "svd", "svdvals"]

QRResult = namedtuple("QRResult", "Q R")
SVDResult = namedtuple("SVDResult", "U S Vh")


# ---- QR


def lengths(t: TensorType) -> tuple:
    """The loops, and the last two lengths. Raises ShapeError."""
    if t.ndim < 2:
        raise ShapeError(f"a matrix is needed, and {spell(t.shape)} has {t.ndim} axes")
    return t.shape[:-2], *t.shape[-2:]


def tall(t: TensorType) -> list:
    """The shapes of q and r."""
    loop, m, n = lengths(t)
    if None not in (m, n) and m < n:
        raise ShapeError(f"{spell(t.shape)} has more columns than rows: factor the first {m} "
                         "columns, x[..., :m], and multiply q.T by the others")  # fmt: skip
    return [(*loop, m, n), (*loop, n, n)]


def divided(x: Expr, r: Expr) -> Expr:
    """x·r⁻¹."""
    return T(solve(T(r), T(x)))


def qr_pullback(cts: Any, x: Expr, outs: Any) -> tuple[Expr]:
    q, r = outs
    ct_q, ct_r = (zero(y) if ct is None else ct for ct, y in zip(cts, outs, strict=True))
    inner = ct_r @ T(r) - T(q) @ ct_q
    symmetric = triu(inner) + T(triu(inner, 1))
    return (divided(ct_q + q @ symmetric, T(r)),)


def qr_pushforward(t: Any, x: Expr, outs: Any) -> tuple[Expr, Expr]:
    q, r = outs
    moved = divided(t[0], r)
    inner = T(q) @ moved
    upper = triu(inner) + T(tril(inner, -1))
    return moved - q @ upper, upper @ r


@op(
    label="qr",
    type=tall,
    pullback=qr_pullback,
    pushforward=qr_pushforward,
    batch=lambda inputs, flags: reduced_qr.apply((inputs[0],)),
)
def reduced_qr(x):
    """Orthonormal columns q and a triangular r with q·r = x (Walter and Lehmann 2010)."""
    return np.linalg.qr(x)


@register("qr")
def qr(x: Any, mode: str = "reduced") -> QRResult | Expr:
    """The orthonormal Q and the triangular R with Q·R = x.

    The matrices have at least as many rows as columns. The diagonal of R has the signs that
    LAPACK gives.

    Parameters
    ----------
    x : Expr or array_like, shape (..., m, n)
        Matrices.
    mode : {'reduced', 'r'}, default: 'reduced'
        Both factors, or R alone.

    Returns
    -------
    QRResult or Expr
        A tuple (Q, R) of shapes (..., m, n) and (..., n, n), or R alone.

    Raises
    ------
    ValueError
        If the mode is neither.

    See Also
    --------
    numpy.linalg.qr : The same for arrays.

    References
    ----------
    .. [1] S. F. Walter and L. Lehmann, "Algorithmic differentiation of linear algebra functions
       with application in optimum experimental design", 2010.

    Examples
    --------
    >>> x = ad.matrix("x", shape=(2, 1))
    >>> ad.evaluate(abs(ad.qr(x).R), {x: [[3.0], [4.0]]})
    array([[5.]])
    """
    if mode not in ("reduced", "r"):
        raise ValueError(f'qr has the modes "reduced" and "r", not {shown(mode)}: write "reduced"')
    both = QRResult(*reduced_qr(x))
    return both.R if mode == "r" else both


# ---- singular values


def thin(t: TensorType) -> list:
    """The shapes of u, s and vᵀ."""
    loop, m, n = lengths(t)
    k = None if None in (m, n) else min(m, n)
    return [(*loop, m, k), (*loop, k), (*loop, k, n)]


def outside(u: Expr, x: Expr, s: Expr) -> list[Expr]:
    """The part of x that the columns of u do not span, over s: [(1 − u·uᵀ)·x·s⁻¹] or none."""
    return [] if is_square(u.type) else [(x - u @ (T(u) @ x)) / row(s)]


def to_u(ct: Expr, u: Expr, s: Expr, vh: Expr) -> Expr:
    """The cotangent of x that comes from that of u."""
    turn = plus_transpose(over_gaps_of_squares(T(u) @ ct, s))
    return add_up([(u @ turn) * row(s), *outside(u, ct, s)]) @ vh


def of_u(moved: Expr, u: Expr, s: Expr) -> Expr:
    """The tangent of u, from dx·v."""
    turn = plus_transpose((T(u) @ moved) * row(s))
    return add_up([u @ over_gaps_of_squares(turn, s), *outside(u, moved, s)])


def svd_pullback(cts: Any, x: Expr, outs: Any) -> tuple[Expr]:
    (ct_u, ct_s, ct_vh), (u, s, vh) = cts, outs
    terms = [] if ct_s is None else [of_values(ct_s, x, u, s, vh)]
    parts = None
    if ct_u is not None and ct_vh is not None:
        parts = singular_functions(ct_u, ct_vh, u, vh, s)
    if parts is not None:
        return (add_up([*terms, *[turned_both(m, u, s, vh, c, slope) for m, c, slope in parts]]),)
    if ct_u is not None:
        terms.append(to_u(ct_u, u, s, vh))
    if ct_vh is not None:
        ct_v, v, uh = map(T, (ct_vh, vh, u))
        terms.append(T(to_u(ct_v, v, s, uh)))
    return (add_up(terms),)


def of_values(ct: Expr, x: Expr, u: Expr, s: Expr, vh: Expr) -> Expr:
    """The cotangent of x that comes from that of s; it has a slope of its own where singular values
    coincide, if they are all treated alike."""
    slope = slope_of_each(ct, s)
    return (u * row(ct)) @ vh if slope is None else singular_function(x, u, s, vh, ct, slope)


def svd_pushforward(t: Any, x: Expr, outs: Any) -> tuple[Expr, Expr, Expr]:
    u, s, vh = outs
    v = T(vh)
    moved = t[0] @ v
    turned = of_u(T(t[0]) @ u, v, s)
    return of_u(moved, u, s), (u * moved).sum(axis=-2), T(turned)


@op(
    label="svd",
    type=thin,
    pullback=svd_pullback,
    pushforward=svd_pushforward,
    batch=lambda inputs, flags: thin_svd.apply((inputs[0],)),
)
def thin_svd(x):
    """u, s and vᵀ with x = u·diag(s)·vᵀ (Townsend, Differentiating the SVD, 2016)."""
    return np.linalg.svd(x, full_matrices=False)


@register("svd")
def svd(x: Any, full_matrices: bool = True, compute_uv: bool = True) -> SVDResult | Expr:
    """The U, S and Vh with x = U·diag(S)·Vh.

    The singular values S decrease.

    Parameters
    ----------
    x : Expr or array_like, shape (..., m, n)
        Matrices.
    full_matrices : bool, default: True
        Whether U and Vh are square; their last vectors have no derivative, so a matrix that
        is not square needs False.
    compute_uv : bool, default: True
        Whether U and Vh are wanted.

    Returns
    -------
    SVDResult or Expr
        A tuple (U, S, Vh), or S alone.

    Raises
    ------
    ShapeError
        If the square factors of a matrix that is not square are asked for.

    See Also
    --------
    numpy.linalg.svd : The same for arrays.

    Notes
    -----
    Derivatives of U and Vh exist where all singular values differ and, beside a square factor, are
    positive; elsewhere they are nan or inf, also where values differ by rounding alone. A function
    that does not depend on the choice of the vectors has derivatives where values coincide:

    - of singular values that are all treated alike, as their sum or product, the first and the
      second;
    - of products U·diag(c)·Vh, where c treats the values S alike, as U·diag(S)·Vh, which is x, and
      U·Vh, the first, in reverse mode.

    Write others of the matrix itself.

    References
    ----------
    .. [1] J. Townsend, "Differentiating the singular value decomposition", 2016.

    Examples
    --------
    >>> x = ad.matrix("x", shape=(2, 2))
    >>> ad.evaluate(ad.svd(x).S, {x: [[3.0, 0.0], [0.0, 4.0]]})
    array([4., 3.])
    """
    (x,) = operands((x,), "svd")
    if compute_uv and full_matrices and x.ndim > 1 and not is_square(x.type):
        raise ShapeError(f"the svd of {x.type!r} has square factors whose last vectors have no "
                         "derivative: write full_matrices=False")  # fmt: skip
    all_three = SVDResult(*thin_svd(x))
    return all_three if compute_uv else all_three.S


@register("svdvals")
def svdvals(x: Any) -> Expr:
    """The singular values, decreasing.

    Parameters
    ----------
    x : Expr or array_like, shape (..., m, n)
        Matrices.

    Returns
    -------
    Expr, shape (..., k)
        The smaller of m and n of them.

    See Also
    --------
    numpy.linalg.svdvals : The same for arrays.

    Examples
    --------
    >>> x = ad.matrix("x", shape=(2, 2))
    >>> ad.evaluate(ad.svdvals(x), {x: [[3.0, 0.0], [0.0, 4.0]]})
    array([4., 3.])
    """
    return thin_svd(x)[1]


@register("lstsq")
def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Expr, Expr, Expr, Expr]:
    """The x that minimises |a·x − b|², by the pseudo-inverse of a.

    Parameters
    ----------
    a : Expr or array_like, shape (m, n)
        The matrix.
    b : Expr or array_like, shape (m,) or (m, k)
        The right side or sides.
    rcond : None
        Nothing: which singular values count as 0 cannot be chosen.

    Returns
    -------
    tuple of Expr
        The solution, the residuals, the rank and the singular values of a.

    Raises
    ------
    TypeError
        If rcond is given.

    See Also
    --------
    numpy.linalg.lstsq : The same for arrays.

    Examples
    --------
    >>> x, *_ = ad.lstsq(np.array([[1.0], [2.0]]), np.array([2.0, 4.0]))
    >>> ad.evaluate(x)
    array([2.])
    """
    if rcond is not None:
        raise TypeError("lstsq takes no rcond for expressions: to choose which singular values "
                        "count as 0, write it by ad.svd")  # fmt: skip
    a, b = operands((a, b), "lstsq")
    x, s = pinv(a) @ b, svdvals(a)
    small = float(np.finfo(s.dtype).eps) * max(int(n or 1) for n in a.type.shape)
    largest = s[0] if s.type.shape != (0,) else 0.0
    return x, ((b - a @ x) ** 2).sum(axis=0), (s > small * largest).sum(), s
