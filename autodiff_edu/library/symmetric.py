"""Symmetric matrices, of which NumPy reads one triangle: Cholesky's factor, and eigenvectors.

Letters: ct a cotangent, t the tangents, x a matrix or a stack, w its eigenvalues, v the vectors;
T transposes the last two axes.
"""

from collections import namedtuple
from math import prod
from typing import Any

import numpy as np

from ..core.broadcasting import add_up
from ..expr import Expr, LazyModule, register, shown
from ..ops.comparison import where
from ..ops.declare import op
from ..ops.products import column, row
from ..ops.products import matrix_transpose as T
from .diagonals import on_diagonal, tril
from .linalg import solve
from .spectral import matrix_function, slope_of_each

jnp = LazyModule("jax.numpy")

__all__ = ["cholesky", "eigh", "eigvalsh"]

EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")


def half(x: Expr) -> Expr:
    """The lower triangle with half its diagonal; half(x) + half(x)ᵀ is the symmetric matrix of
    which NumPy reads the lower triangle of x."""
    return (tril(x) + tril(x, -1)) / 2


def plus_transpose(x: Expr) -> Expr:
    return x + T(x)


def gaps(w: Expr) -> Expr:
    """1 / (wⱼ − wᵢ), and 0 for i = j."""
    differences = row(w) - column(w)
    same = on_diagonal(differences)
    return where(same, 0, 1 / where(same, 1, differences))


# ---- Cholesky


def sandwich(a: Expr, x: Expr) -> Expr:
    """a⁻¹·xᵀ·a⁻ᵀ."""
    return solve(a, T(solve(a, x)))


def cholesky_pullback(ct: Expr, x: Expr, out: Expr) -> tuple[Expr]:
    inner = half(T(out) @ ct)
    return (half(plus_transpose(sandwich(T(out), inner))),)


@op(
    label="cholesky",
    core="(n,n)->(n,n)",
    pullback=cholesky_pullback,
    pushforward=lambda t, x, out: out @ half(sandwich(out, plus_transpose(half(t[0])))),
    cost=lambda a, out: prod(a) * a[-1] // 3,
    targets={"jax": lambda x: jnp.linalg.cholesky(x, symmetrize_input=False)},
)
def lower_cholesky(x):
    """The lower triangular l with l·lᵀ = x: dl = l·half(l⁻¹·dx·l⁻ᵀ) (Murray 2016)."""
    return np.linalg.cholesky(x)


@register("cholesky")
def cholesky(x: Any, *, upper: bool = False) -> Expr:
    """The lower triangular l with l·lᵀ = x, or lᵀ.

    NumPy reads the triangle of x that it returns, this one the whole of x, which has to be
    symmetric.

    Parameters
    ----------
    x : Expr or array_like, shape (..., n, n)
        Symmetric matrices with positive eigenvalues.
    upper : bool, default: False
        Whether to return lᵀ.

    Returns
    -------
    Expr, shape (..., n, n)
        The factor of each matrix.

    See Also
    --------
    numpy.linalg.cholesky : The same for arrays.

    References
    ----------
    .. [1] I. Murray, "Differentiation of the Cholesky decomposition", 2016.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.cholesky(x), {x: [[4.0, 2.0], [2.0, 5.0]]})
    array([[2., 0.],
           [1., 2.]])
    """
    return T(lower_cholesky(T(x))) if upper else lower_cholesky(x)


# ---- eigenvalues


def eigh_pullback(cts: Any, x: Expr, outs: Any) -> tuple[Expr]:
    (ct_w, ct_v), (w, v) = cts, outs
    slope = slope_of_each(ct_w, w) if ct_v is None and x.ndim == 2 else None
    if slope is not None:
        return (half(plus_transpose(matrix_function(x, w, v, ct_w, slope))),)
    terms = [] if ct_w is None else [v * row(ct_w)]
    if ct_v is not None:
        terms.append(v @ (gaps(w) * (T(v) @ ct_v)))
    return (half(plus_transpose(add_up(terms) @ T(v))),)


def eigh_pushforward(t: Any, x: Expr, outs: Any) -> tuple[Expr, Expr]:
    w, v = outs
    moved = plus_transpose(half(t[0])) @ v
    return (v * moved).sum(axis=-2), v @ (gaps(w) * (T(v) @ moved))


@op(
    label="eigh",
    core="(n,n)->(n),(n,n)",
    pullback=eigh_pullback,
    pushforward=eigh_pushforward,
    targets={"jax": lambda x: tuple(jnp.linalg.eigh(x, symmetrize_input=False))},
)
def symmetric_eigen(x):
    """w and v with x·v = v·w: dwᵢ = vᵢᵀ·dx·vᵢ, dv = v·(gaps ∘ vᵀ·dx·v) (Giles 2008, 3.1)."""
    return np.linalg.eigh(x)


@register("eigh")
def eigh(x: Any, UPLO: str = "L") -> EighResult:
    """The eigenvalues and eigenvectors of a symmetric matrix, of which one triangle is read.

    The eigenvalues increase; derivatives of the eigenvectors exist where all eigenvalues
    differ. Second derivatives of eigenvalues are made of those of the vectors, and are nan
    where eigenvalues coincide. A function that is elementwise in them, or made of sums of such
    ones, as Σ log w, has its second derivatives there, too. Write others of the matrix itself:
    slogdet(x), trace(x @ x), inv(x).

    Parameters
    ----------
    x : Expr or array_like, shape (..., n, n)
        Symmetric matrices.
    UPLO : {'L', 'U'}, default: 'L'
        The triangle that is read, the lower or the upper.

    Returns
    -------
    EighResult
        A tuple (eigenvalues, eigenvectors) of shapes (..., n) and (..., n, n).

    Raises
    ------
    ValueError
        If UPLO is neither.

    See Also
    --------
    numpy.linalg.eigh : The same for arrays.

    References
    ----------
    .. [1] M. Giles, "Collected matrix derivative results for forward and reverse mode
       algorithmic differentiation", 2008.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.eigh(x).eigenvalues, {x: [[2.0, 1.0], [1.0, 2.0]]})
    array([1., 3.])
    """
    if UPLO not in ("L", "U"):
        raise ValueError(f'eigh reads the triangle "L" or "U", not {shown(UPLO)}')
    return EighResult(*symmetric_eigen(x if UPLO == "L" else T(x)))


@register("eigvalsh")
def eigvalsh(x: Any, UPLO: str = "L") -> Expr:
    """The eigenvalues of a symmetric matrix, increasing.

    Parameters
    ----------
    x : Expr or array_like, shape (..., n, n)
        Symmetric matrices.
    UPLO : {'L', 'U'}, default: 'L'
        The triangle that is read, the lower or the upper.

    Returns
    -------
    Expr, shape (..., n)
        The eigenvalues.

    See Also
    --------
    eigh : Eigenvectors too.

    Examples
    --------
    >>> x = ad.matrix("x")
    >>> ad.evaluate(ad.eigvalsh(x), {x: [[2.0, 1.0], [1.0, 2.0]]})
    array([1., 3.])
    """
    return eigh(x, UPLO).eigenvalues
