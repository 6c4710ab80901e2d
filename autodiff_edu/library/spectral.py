"""Gradients of functions that are symmetric in eigenvalues, such as Σ log w: v·diag(c)·vᵀ.

Their own derivative needs no derivative of eigenvectors, which has none where eigenvalues coincide:

    d(v·diag(c)·vᵀ) = v·(Δ ∘ vᵀ·dx·v + diag(dc))·vᵀ      Δᵢⱼ = (cⱼ − cᵢ) / (wⱼ − wᵢ) for i ≠ j

Where two eigenvalues coincide the quotient is the slope of c, if c treats all eigenvalues alike.

Letters: x a symmetric matrix, w its eigenvalues, v the vectors, c a function of each of w, ct a
cotangent, t the tangents; T transposes the last two axes.
"""

from math import prod
from typing import Any

import numpy as np

from ..core.broadcasting import broadcast_like
from ..expr import Constant, Expr, computed_by
from ..ops import pushed
from ..ops.comparison import abs, where
from ..ops.declare import op
from ..ops.products import column, row
from ..ops.products import matrix_transpose as T
from ..ops.radial import ALIKE, computes
from .diagonals import on_diagonal

__all__ = ["matrix_function"]

NODES = 100  # that are looked at between a function and the eigenvalues
REDUCTIONS = ("logsumexp", "max", "mean", "min", "norm2", "prod", "sum")
ELSEWHERE = "its derivative is taken by x and c"


def differences(w: Expr, c: Expr, slope: Expr) -> Expr:
    """Δ, with 0 on the diagonal. Eigenvalues that agree in half of their digits coincide: a
    quotient has no better digits."""
    gap = row(w) - column(w)
    near = abs(gap) <= np.sqrt(np.finfo(w.dtype).eps) * (abs(row(w)) + abs(column(w)))
    quotient = (row(c) - column(c)) / where(near, 1, gap)
    found = where(near, (row(slope) + column(slope)) / 2, quotient)
    return where(on_diagonal(gap), 0, found)


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
    found = (v * c[..., None, :]) @ np.swapaxes(v, -1, -2)
    stacks = (found.shape, x.shape, *[(*e.shape, 1) for e in (w[..., :1], slope[..., :1])])
    return np.broadcast_to(found, np.broadcast_shapes(*stacks)) + 0.0


def slope_of_each(c: Expr, w: Expr) -> Expr | None:
    """The slope of each c by its own w, with sums over w held; None unless c treats them alike."""
    found = Alike(w).slope(c)
    return broadcast_like(found, w) if isinstance(found, Expr) else None


class Alike:
    """One search for a proof that a function treats all entries of w alike."""

    def __init__(self, w: Expr):
        self.one = broadcast_like(Constant(1.0, w.dtype), w)
        self.done: dict[Expr, Any] = {w: self.one}
        self.values = computed_by(w)

    def slope(self, n: Expr) -> Any:
        """The slope of each entry; 0 of one number that is the same for all; None without proof."""
        if n not in self.done:
            if len(self.done) > NODES:
                return None
            self.done[n] = None
            self.done[n] = self.by_op(n)
        return self.done[n]

    def by_op(self, n: Expr) -> Any:
        if n.op is None:
            same = n.ndim == 0 or (isinstance(n, Constant) and len(np.unique(n.value)) == 1)
            return 0 if same else None
        made, place = computed_by(n)
        if made is not n:  # it may be the same eigenvalues, computed twice
            values, first = self.values
            return self.one if place == first and computes(made, values, ALIKE) else None
        if n.ndim > 1 or not getattr(n.op, "is_ours", False):
            return None
        slopes = [self.slope(i) for i in n.inputs]
        if any(s is None for s in slopes):
            return None
        if n.op.name in REDUCTIONS and n.ndim == 0:
            return 0
        moving = [s if isinstance(s, Expr) else None for s in slopes]
        if n.op.elementwise and any(t is not None for t in moving):
            if n.op.nondifferentiable:
                return None  # eigenvalues that are compared have ties
            return pushed(n.op, n.inputs, [n], moving, dict(n.static))[0]
        alone = n.op.name == "broadcast_to" and moving[0] is None
        return 0 if n.op.elementwise or alone else None
