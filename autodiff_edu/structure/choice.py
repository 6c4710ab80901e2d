"""A dense Hessian from its nonzeros, where that takes fewer operations.

The products for the colours add entries that are zero by the pattern: where one is infinite, zero
times infinity would spoil its neighbours. So the program looks whether all nonzeros are finite, and
computes the matrix column by column where one is not.
"""

from typing import Any

from ..differentiate.second import additions
from ..expr import Expr, Graph, ShapeError, hook
from ..library import isfinite
from ..nested import cond
from ..ops import all, reshape
from .compressed import sparse_hessian
from .entries import TooDense
from .sparsity import second_pattern

CALL = 1000  # additions that take as long as one more call of NumPy
FULL = 4  # a pattern with more than one entry in so many is not coloured


@hook("by_colors")
def by_colors(dense: Expr, cost: Expr, x: Expr, between: Any) -> tuple[Expr, str]:
    """The Hessian of the cost by x, and in words how it is computed: `dense` itself, or cheaper."""
    if not dense.type.known or dense.size < CALL:
        return dense, ""
    try:
        pattern = second_pattern(cost, x)
        if FULL * pattern.nnz > x.size**2:
            return dense, ""
        form = sparse_hessian(cost, x, None, between, pattern)
    except (ShapeError, TooDense):
        return dense, ""
    whole = reshape(form.dense, dense.shape)
    before, after = price(dense, between), price(whole, between) + form.nnz
    if whole.type != dense.type or after >= before:
        return dense, ""
    words = f"a Hessian from {form.nnz:,} nonzeros, {form.why}: {after:,} additions for {before:,}"
    return cond(all(isfinite(form.data)), whole, dense), words


def price(y: Expr, between: Any) -> int:
    """The additions of a program, and its calls of NumPy as additions."""
    short = between([y])
    return additions(short) + CALL * len(Graph(short).operations)
