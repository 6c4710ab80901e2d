"""Matrices as products: Cholesky, eigenvectors, QR and singular values, on the last two axes.

Where eigenvalues or singular values coincide their vectors have no derivative: what depends on
them is nan or inf, what depends on the values alone is finite.
Letters: ct a cotangent, t a tangent, x a matrix or a stack, l q r u s v w its factors.
"""

from collections import namedtuple
from typing import Any

import numpy as np

from ..expr import Expr, ShapeError, TensorType, enters, spell
from .choice import where
from .declare import op
from .diagonals import identity, tril, triu
from .fit import add_up, zero
from .linalg import solve
from .products import column, matrix_transpose, row

EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")
QRResult = namedtuple("QRResult", "Q R")
SVDResult = namedtuple("SVDResult", "U S Vh")


def half(x: Expr) -> Expr:
    """The lower triangle with half its diagonal; half(x) + half(x)ᵀ is the symmetric matrix of
    which NumPy reads the lower triangle of x."""
    return (tril(x) + tril(x, -1)) / 2


def plus_transpose(x: Expr) -> Expr:
    return x + matrix_transpose(x)


def gaps(w: Expr) -> Expr:
    """1 / (wⱼ − wᵢ), and 0 for i = j."""
    differences = row(w) - column(w)
    same = identity(differences) != 0
    return where(same, 0, 1 / where(same, 1, differences))


# ---- Cholesky


def sandwich(a: Expr, x: Expr) -> Expr:
    """a⁻¹·xᵀ·a⁻ᵀ."""
    return solve(a, matrix_transpose(solve(a, x)))


def cholesky_pullback(ct: Expr, x: Expr, out: Expr) -> tuple[Expr]:
    inner = half(matrix_transpose(out) @ ct)
    return (half(plus_transpose(sandwich(matrix_transpose(out), inner))),)


@op(
    label="cholesky",
    core="(n,n)->(n,n)",
    pullback=cholesky_pullback,
    pushforward=lambda t, x, out: out @ half(sandwich(out, plus_transpose(half(t[0])))),
)
def lower_cholesky(x):
    """The lower triangular l with l·lᵀ = x: dl = l·half(l⁻¹·dx·l⁻ᵀ) (Murray 2016)."""
    return np.linalg.cholesky(x)


@enters("cholesky")
def cholesky(x: Expr, *, upper: bool = False) -> Expr:
    """The lower triangular l with l·lᵀ = x, or lᵀ. NumPy reads the triangle of x that it returns,
    so the gradient is 0 in the other one."""
    return matrix_transpose(lower_cholesky(matrix_transpose(x))) if upper else lower_cholesky(x)


# ---- eigenvalues


def eigh_pullback(cts: Any, x: Expr, outs: Any) -> tuple[Expr]:
    (ct_w, ct_v), (w, v) = cts, outs
    terms = [] if ct_w is None else [v * row(ct_w)]
    if ct_v is not None:
        terms.append(v @ (gaps(w) * (matrix_transpose(v) @ ct_v)))
    return (half(plus_transpose(add_up(terms) @ matrix_transpose(v))),)


def eigh_pushforward(t: Any, x: Expr, outs: Any) -> tuple[Expr, Expr]:
    w, v = outs
    moved = plus_transpose(half(t[0])) @ v
    return (v * moved).sum(axis=-2), v @ (gaps(w) * (matrix_transpose(v) @ moved))


@op(
    label="eigh",
    core="(n,n)->(n),(n,n)",
    pullback=eigh_pullback,
    pushforward=eigh_pushforward,
)
def symmetric_eigen(x):
    """w and v with x·v = v·w: dwᵢ = vᵢᵀ·dx·vᵢ, dv = v·(gaps ∘ vᵀ·dx·v) (Giles 2008, 3.1)."""
    return np.linalg.eigh(x)


@enters("eigh")
def eigh(x: Expr, UPLO: str = "L") -> EighResult:
    """(eigenvalues, eigenvectors) of a symmetric matrix, of which one triangle is read, the lower
    or, with UPLO="U", the upper; the gradient is 0 in the other one. Eigenvectors are defined up
    to their sign; where eigenvalues coincide their slope is nan."""
    return EighResult(*symmetric_eigen(x if UPLO.upper() == "L" else matrix_transpose(x)))


@enters("eigvalsh")
def eigvalsh(x: Expr, UPLO: str = "L") -> Expr:
    """The eigenvalues of a symmetric matrix, increasing, read as in eigh."""
    return eigh(x, UPLO).eigenvalues


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
    return matrix_transpose(solve(matrix_transpose(r), matrix_transpose(x)))


def qr_pullback(cts: Any, x: Expr, outs: Any) -> tuple[Expr]:
    q, r = outs
    ct_q, ct_r = (zero(y) if ct is None else ct for ct, y in zip(cts, outs, strict=True))
    inner = ct_r @ matrix_transpose(r) - matrix_transpose(q) @ ct_q
    symmetric = triu(inner) + matrix_transpose(triu(inner, 1))
    return (divided(ct_q + q @ symmetric, matrix_transpose(r)),)


def qr_pushforward(t: Any, x: Expr, outs: Any) -> tuple[Expr, Expr]:
    q, r = outs
    moved = divided(t[0], r)
    inner = matrix_transpose(q) @ moved
    upper = triu(inner) + matrix_transpose(tril(inner, -1))
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


@enters("qr")
def qr(x: Expr, mode: str = "reduced") -> QRResult | Expr:
    """(Q, R) of matrices with at least as many rows as columns, or R alone with mode="r". The
    slope exists where the columns are independent."""
    if mode not in ("reduced", "r"):
        raise ValueError(f'qr has the modes "reduced" and "r", not {mode!r}: write "reduced"')
    both = QRResult(*reduced_qr(x))
    return both.R if mode == "r" else both


# ---- singular values


def thin(t: TensorType) -> list:
    """The shapes of u, s and vᵀ."""
    loop, m, n = lengths(t)
    k = None if None in (m, n) else min(m, n)
    return [(*loop, m, k), (*loop, k), (*loop, k, n)]


def is_square(t: TensorType) -> bool:
    return t.shape[-1] is not None and t.shape[-1] == t.shape[-2]


def outside(u: Expr, x: Expr, s: Expr) -> list[Expr]:
    """The part of x that the columns of u do not span, over s: [(1 − u·uᵀ)·x·s⁻¹] or none."""
    return [] if is_square(u.type) else [(x - u @ (matrix_transpose(u) @ x)) / row(s)]


def to_u(ct: Expr, u: Expr, s: Expr, vh: Expr) -> Expr:
    """The cotangent of x that comes from that of u."""
    turn = plus_transpose(gaps(s * s) * (matrix_transpose(u) @ ct))
    return add_up([(u @ turn) * row(s), *outside(u, ct, s)]) @ vh


def of_u(moved: Expr, u: Expr, s: Expr) -> Expr:
    """The tangent of u, from dx·v."""
    turn = plus_transpose((matrix_transpose(u) @ moved) * row(s))
    return add_up([u @ (gaps(s * s) * turn), *outside(u, moved, s)])


def svd_pullback(cts: Any, x: Expr, outs: Any) -> tuple[Expr]:
    (ct_u, ct_s, ct_vh), (u, s, vh) = cts, outs
    terms = [] if ct_s is None else [(u * row(ct_s)) @ vh]
    if ct_u is not None:
        terms.append(to_u(ct_u, u, s, vh))
    if ct_vh is not None:
        turned = map(matrix_transpose, (ct_vh, vh, u))
        ct_v, v, uh = turned
        terms.append(matrix_transpose(to_u(ct_v, v, s, uh)))
    return (add_up(terms),)


def svd_pushforward(t: Any, x: Expr, outs: Any) -> tuple[Expr, Expr, Expr]:
    u, s, vh = outs
    v = matrix_transpose(vh)
    moved = t[0] @ v
    turned = of_u(matrix_transpose(t[0]) @ u, v, s)
    return of_u(moved, u, s), (u * moved).sum(axis=-2), matrix_transpose(turned)


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


@enters("svd")
def svd(x: Expr, full_matrices: bool = True, compute_uv: bool = True) -> SVDResult | Expr:
    """(U, S, Vh), or S alone with compute_uv=False. Where singular values coincide or, beside a
    matrix that is not square, vanish, the slope of U and Vh is nan."""
    if compute_uv and full_matrices and not is_square(x.type):
        raise ShapeError(f"the svd of {x.type!r} has square factors whose last vectors have no "
                         "derivative: write full_matrices=False")  # fmt: skip
    all_three = SVDResult(*thin_svd(x))
    return all_three if compute_uv else all_three.S


@enters("svdvals")
def svdvals(x: Expr) -> Expr:
    """The singular values, decreasing."""
    return thin_svd(x)[1]
