"""Functions of matrices, v·diag(c)·vᵀ and u·diag(c)·vᵀ, which need no derivative of the vectors.

Vectors have none where values coincide, but with Δᵢⱼ = (cⱼ − cᵢ) / (wⱼ − wᵢ) for i ≠ j

    d(v·diag(c)·vᵀ) = v·(Δ ∘ vᵀ·dx·v + diag(dc))·vᵀ

Where two eigenvalues coincide the quotient is the slope of c, if c treats all eigenvalues alike.
Singular values s are eigenvalues of [[0, x], [xᵀ, 0]], and −s are the others, where c is −c. So

    d(u·diag(c)·vᵀ) = u·(Δ ∘ (p + pᵀ)/2 + Σ ∘ (p − pᵀ)/2 + diag(dc))·vᵀ + parts outside of u and v

for p = uᵀ·dx·v and Σᵢⱼ = (cⱼ + cᵢ) / (sⱼ + sᵢ).

Letters: x a matrix, w its eigenvalues, u s v its vectors and singular values, c a function of each
w or s, ct a cotangent, t the tangents; T transposes the last two axes.
"""

from math import prod
from typing import Any

import numpy as np

from ..expr import Expr, TensorType
from ..ops.comparison import abs, where
from ..ops.declare import op
from ..ops.products import column, row
from ..ops.products import matrix_transpose as T
from .diagonals import on_diagonal

__all__ = ["matrix_function", "singular_function"]

SAME = 16  # roundings of Σ|w|: two eigenvalues that are no further apart may be equal
ROUNDINGS = 4  # of c, in a difference of two
ELSEWHERE = "its derivative is taken by x and c"


# ---- quotients by gaps


def gaps(w: Expr) -> Expr:
    return row(w) - column(w)


def may_coincide(w: Expr) -> Expr:
    """True for the pairs of eigenvalues that agree but for rounding."""
    total = abs(w).sum(axis=-1, keepdims=True)
    return abs(gaps(w)) <= SAME * np.finfo(w.dtype).eps * column(total)


def over_gaps(k: Expr, w: Expr) -> Expr:
    """kᵢⱼ / (wⱼ − wᵢ), and 0 for i = j; nan where rounding alone tells two eigenvalues apart, of
    which one has a column in k."""
    return divided(k, gaps(w), w)


def over_gaps_of_squares(k: Expr, s: Expr) -> Expr:
    """kᵢⱼ / (sⱼ² − sᵢ²), likewise."""
    return divided(k, gaps(s) * (row(s) + column(s)), s)


def divided(k: Expr, gap: Expr, w: Expr) -> Expr:
    same, counts = on_diagonal(gap), (k != 0).any(axis=-2)
    undefined = may_coincide(w) & (row(counts) | column(counts))
    return where(same, 0, where(undefined, np.nan, k / where(same, 1, gap)))


def quotient(rise: Expr, gap: Expr, slope: Expr, near: Expr) -> Expr:
    """rise / gap, but the slope where they are near."""
    return where(near, slope, rise / where(near, 1, gap))


def agrees(rise: Expr, gap: Expr, slope: Expr, size: Expr) -> Expr:
    """Is the rise what the slope tells, but for rounding? Then the slope has the better digits."""
    return abs(rise - gap * slope) <= ROUNDINGS * np.finfo(rise.dtype).eps * size


def differences(w: Expr, c: Expr, slope: Expr) -> Expr:
    """Δ, with 0 on the diagonal. Of eigenvalues that agree in half of their digits, or but for
    rounding, a quotient has no better digits than the slope."""
    gap, rise, middle = gaps(w), gaps(c), (row(slope) + column(slope)) / 2
    half = np.sqrt(np.finfo(w.dtype).eps) * (abs(row(w)) + abs(column(w)))
    near = (abs(gap) <= half) | may_coincide(w)
    near = near | agrees(rise, gap, middle, abs(row(c)) + abs(column(c)))
    return where(on_diagonal(gap), 0, quotient(rise, gap, middle, near))


def sums(s: Expr, c: Expr, slope: Expr) -> Expr:
    """Σ: the difference quotient between s and −s."""
    gap, rise, middle = row(s) + column(s), row(c) + column(c), (row(slope) + column(slope)) / 2
    return quotient(rise, gap, middle, agrees(rise, gap, middle, abs(row(c)) + abs(column(c))))


# ---- functions of symmetric matrices


def turned(d: Expr, w: Expr, v: Expr, c: Expr, slope: Expr) -> Expr:
    """v·(Δ ∘ vᵀ·d·v)·vᵀ."""
    return v @ (differences(w, c, slope) * (T(v) @ d @ v)) @ T(v)


def function_pullback(ct: Expr, x: Expr, w: Expr, v: Expr, c: Expr, slope: Expr, out: Expr) -> Any:
    return turned(ct, w, v, c, slope), None, None, (v * (ct @ v)).sum(axis=-2), None


@op(
    label="v·diag(c)·vᵀ",
    core="(n,n),(n),(n,n),(n),(n)->(n,n)",
    overrides=True,
    merges=True,
    cost=lambda x, w, v, c, slope, out: 2 * prod(out) * x[-1],
    reasons=dict.fromkeys((1, 2, 4), ELSEWHERE),
    pullback=function_pullback,
    pushforward=lambda t, x, w, v, c, slope, out: (
        turned(t[0], w, v, c, slope) + (v * row(t[3])) @ T(v)
    ),
)
def matrix_function(x, w, v, c, slope):
    """v·diag(c)·vᵀ, a function of a symmetric x that has the values c at its eigenvalues w.

    Parameters
    ----------
    slope : Expr
        The slope of c by each of w.

    Returns
    -------
    Expr
        A matrix of the shape of x.

    Examples
    --------
    >>> w, v = np.array([1.0, 4.0]), np.eye(2)
    >>> ad.evaluate(ad.matrix_function(np.diag(w), w, v, np.sqrt(w), 0.5 / np.sqrt(w)))
    array([[1., 0.],
           [0., 2.]])
    """
    y = (v * c[..., None, :]) @ np.swapaxes(v, -1, -2)
    stacks = (y.shape, x.shape, *[(*e.shape, 1) for e in (w[..., :1], slope[..., :1])])
    return np.broadcast_to(y, np.broadcast_shapes(*stacks)) + 0.0


# ---- functions of singular values


def turned_both(d: Expr, u: Expr, s: Expr, vh: Expr, c: Expr, slope: Expr) -> Expr:
    """d(u·diag(c)·vᵀ) for dx = d, but for diag(dc)."""
    v, uh = T(vh), T(u)
    p = uh @ d @ v
    even, odd = (p + T(p)) / 2, (p - T(p)) / 2
    inside = u @ (differences(s, c, slope) * even + sums(s, c, slope) * odd) @ vh
    if is_square(d.type):
        return inside
    share = quotient(c, s, slope, agrees(c, s, slope, abs(c)))
    return inside + ((d @ v - u @ p) * row(share)) @ vh + u @ (column(share) * (uh @ d - p @ vh))


def is_square(t: TensorType) -> bool:
    return None is not t.shape[-2] == t.shape[-1]


def singular_pullback(
    ct: Expr, x: Expr, u: Expr, s: Expr, vh: Expr, c: Expr, slope: Expr, out: Expr
) -> Any:
    of_c = (u * (ct @ T(vh))).sum(axis=-2)
    return turned_both(ct, u, s, vh, c, slope), None, None, None, of_c, None


@op(
    label="u·diag(c)·vᵀ",
    core="(m,n),(m,k),(k),(k,n),(k),(k)->(m,n)",
    overrides=True,
    merges=True,
    cost=lambda x, u, s, vh, c, slope, out: 2 * prod(out) * s[-1],
    reasons=dict.fromkeys((1, 2, 3, 5), ELSEWHERE),
    pullback=singular_pullback,
    pushforward=lambda t, x, u, s, vh, c, slope, out: (
        turned_both(t[0], u, s, vh, c, slope) + (u * row(t[4])) @ vh
    ),
)
def singular_function(x, u, s, vh, c, slope):
    """u·diag(c)·vᵀ, a function of a matrix x that has the values c at its singular values s.

    Parameters
    ----------
    slope : Expr
        The slope of c by each of s.

    Returns
    -------
    Expr
        A matrix of the shape of x.

    Examples
    --------
    >>> s, one = np.array([4.0, 1.0]), np.eye(2)
    >>> ad.evaluate(ad.singular_function(np.diag(s), one, s, one, np.sqrt(s), 0.5 / np.sqrt(s)))
    array([[2., 0.],
           [0., 1.]])
    """
    y = (u * c[..., None, :]) @ vh
    stacks = (y.shape, x.shape, *[(*e.shape, 1) for e in (s[..., :1], slope[..., :1])])
    return np.broadcast_to(y, np.broadcast_shapes(*stacks)) + 0.0
