"""A proof that a function treats all eigenvalues alike, and its slope by each of them.

Such a function c has entries cᵢ = f(wᵢ, σ), with numbers σ that are the same for all i: sums,
products, constants. Its slope is that of f, with σ held.

Letters: w eigenvalues, a vector for each matrix of a stack; n a node, s a slope.
"""

from enum import Enum, auto
from typing import Any

import numpy as np

from ..core.derivative_rules import broadcast_like, zero
from ..expr import Constant, Expr, computed_by
from ..ops import pushed
from ..ops.radial import ALIKE, computes

NODES = 100  # that are looked at between a function and the eigenvalues
REDUCTIONS = ("logsumexp", "max", "mean", "min", "norm2", "product", "sum")
ALL = (None, None, None)  # a key that takes all of an axis


class Kind(Enum):
    """Of an array that has no slope: it has the same number for all eigenvalues of a matrix, or
    tells on which side of a number each lies."""

    UNIFORM = auto()  # one number
    SIDE = auto()  # an entry for each eigenvalue, which is the same all around it
    HELD = auto()  # one for each matrix of a stack; the axis of the eigenvalues has length 1
    REDUCED = auto()  # one for each matrix, without that axis


def slope_of_each(c: Expr, w: Expr) -> Expr | None:
    """The slope of each c by its own w, with sums over w held; None unless c treats them alike."""
    s = Alike(w).slope(c)
    if s is None or s is Kind.REDUCED:
        return None
    return zero(w) if isinstance(s, Kind) else broadcast_like(s, w)


class Alike:
    """One search for such a proof; it ends after some nodes."""

    def __init__(self, w: Expr):
        self.ndim, self.one = w.ndim, broadcast_like(Constant(1.0, w.dtype), w)
        self.done: dict[Expr, Any] = {w: self.one}
        self.values = computed_by(w)

    def slope(self, n: Expr) -> Any:
        """The slope of each entry, or the kind of an array of equal entries; None without proof."""
        if n not in self.done:
            if len(self.done) > NODES:
                return None
            self.done[n] = None
            s = self.by_op(n)
            self.done[n] = s if self.fits(n, s) else None
        return self.done[n]

    def fits(self, n: Expr, s: Any) -> bool:
        """Does the last axis of n, or none of its axes, belong to the eigenvalues?"""
        return s is Kind.UNIFORM or n.ndim == self.ndim - (s is Kind.REDUCED)

    def by_op(self, n: Expr) -> Any:
        if n.op is None:
            return self.of_leaf(n)
        made, place = computed_by(n)
        if made is not n:  # it may be the same eigenvalues, computed twice
            values, first = self.values
            return self.one if place == first and computes(made, values, ALIKE) else None
        if not getattr(n.op, "is_ours", False):
            return None
        if n.op.elementwise or n.op.name == "matmul":
            slopes = [self.slope(i) for i in n.inputs]
            if any(s is None for s in slopes):
                return None
            return self.of_entries(n, slopes) if n.op.elementwise else self.of_product(n)
        s = self.slope(n.inputs[0])
        return None if s is None else self.of_shape(n, s, **dict(n.static))

    def of_leaf(self, n: Expr) -> Kind | None:
        if n.ndim == 0 or (isinstance(n, Constant) and len(np.unique(n.value)) == 1):
            return Kind.UNIFORM
        if n.ndim == self.ndim:
            return Kind.HELD if n.type.shape[-1] == 1 else None
        return Kind.REDUCED if n.ndim == self.ndim - 1 else None

    def of_entries(self, n: Expr, slopes: list) -> Any:
        """Of an elementwise operation."""
        moving = [s if isinstance(s, Expr) else None for s in slopes]
        kinds = {s for s in slopes if isinstance(s, Kind)} - {Kind.UNIFORM}
        if n.op.nondifferentiable and any(m is not None for m in moving):
            numbers = all(m is not None or i.op is None for m, i in zip(moving, n.inputs))
            return Kind.SIDE if numbers else None  # eigenvalues that are compared have ties
        fixed = all(m is None for m in moving)
        if Kind.REDUCED in kinds and (len(kinds) > 1 or not fixed):
            return None
        if fixed:
            return Kind.SIDE if Kind.SIDE in kinds else kinds.pop() if kinds else Kind.UNIFORM
        return pushed(n.op, n.inputs, [n], moving, dict(n.static))[0]

    def of_product(self, n: Expr) -> Kind | None:
        return Kind.UNIFORM if n.ndim == 0 and self.ndim == 1 else None

    def of_shape(self, n: Expr, s: Any, axis: Any = (), key: Any = (), **_: Any) -> Any:
        """Of an operation that reduces an array, or changes its shape."""
        x, name, last = n.inputs[0], n.op.name, self.ndim - 1
        if name in REDUCTIONS:
            return self.reduced(n, s, axis)
        if name == "product_of_others" and isinstance(s, Expr) and axis == last:
            return -s * n / x  # x·n is the same for all
        if s is Kind.UNIFORM or (name == "broadcast_to" and s is Kind.HELD):
            return s if name in ("broadcast_to", "expand_dims", "squeeze", "reshape") else None
        if name == "index" and key == (*[ALL] * last, None):
            name, axis = "expand_dims", (last,)
        if (name, axis) == ("expand_dims", (last,)) and s is Kind.REDUCED:
            return Kind.HELD
        return Kind.REDUCED if (name, axis) == ("squeeze", (last,)) and s is Kind.HELD else None

    def reduced(self, n: Expr, s: Any, axis: Any) -> Kind | None:
        """Of a sum, a maximum and their like; other axes than that of the eigenvalues mix the
        matrices of a stack."""
        if n.ndim == 0 or s is Kind.UNIFORM:
            return Kind.UNIFORM
        if axis != (self.ndim - 1,) or s is Kind.REDUCED:
            return None
        return Kind.HELD if n.ndim == self.ndim else Kind.REDUCED
