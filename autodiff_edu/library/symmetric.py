"""Symmetric matrices, of which NumPy reads one triangle: Cholesky's factor, and eigenvectors.

Letters: ct a cotangent, t the tangents, x a matrix or a stack, w its eigenvalues, v the vectors;
T transposes the last two axes.
"""

from collections import namedtuple
from math import prod
from typing import Any

import numpy as np

from ..core.derivative_rules import add_up, zero
from ..expr import Expr, LazyModule, register, shown
from ..ops.declare import op
from ..ops.products import matrix_transpose as T
from ..ops.products import row
from .diagonals import tril
from .linalg import solve
from .spectral import matrix_function, over_gaps, turned
from .treated_alike import slope_of_each
from .vector_terms import symmetric_functions

jnp = LazyModule("jax.numpy")

__all__ = ["cholesky", "eigh", "eigvalsh"]

EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")


def half(x: Expr) -> Expr:
    """The lower triangle with half its diagonal; half(x) + half(x)ᵀ is the symmetric matrix of
    which NumPy reads the lower triangle of x."""
    return (tril(x) + tril(x, -1)) / 2


def plus_transpose(x: Expr) -> Expr:
    return x + T(x)


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
    terms = [] if ct_w is None else [of_values(ct_w, x, w, v)]
    if ct_v is not None:
        terms += of_vectors(ct_v, w, v)
    return (half(plus_transpose(add_up(terms or [zero(x)]))),)


def of_values(ct: Expr, x: Expr, w: Expr, v: Expr) -> Expr:
    """The cotangent of x that comes from that of w; it has a slope of its own where eigenvalues
    coincide, if they are all treated alike."""
    slope = slope_of_each(ct, w)
    return (v * row(ct)) @ T(v) if slope is None else matrix_function(x, w, v, ct, slope)


def of_vectors(ct: Expr, w: Expr, v: Expr) -> list[Expr]:
    """The cotangents of x that come from that of v."""
    parts = symmetric_functions(ct, v, w)
    if parts is None:
        return [v @ over_gaps(T(v) @ ct, w) @ T(v)]
    return [turned(m, w, v, c, slope) for m, c, slope in parts]


def eigh_pushforward(t: Any, x: Expr, outs: Any) -> tuple[Expr, Expr]:
    w, v = outs
    moved = plus_transpose(half(t[0])) @ v
    return (v * moved).sum(axis=-2), v @ over_gaps(T(v) @ moved, w)


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

    The eigenvalues increase.

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

    Notes
    -----
    Where eigenvalues coincide, or differ by rounding alone, an eigenvector has no derivative, and
    an eigenvalue no second one: they are nan. A function that does not depend on the choice of
    the vectors has them:

    - of eigenvalues that are all treated alike, as Σ log w or Π w, the first and the second;
    - of products V·diag(c)·Vᵀ, where c treats the eigenvalues w alike, the first, in reverse mode.

    Write others of the matrix itself: slogdet(x), trace(x @ x), inv(x). A gap of 1e-8 between
    eigenvalues, relative to the largest, takes about 8 digits from derivatives of their vectors.

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
