"""Products with matrices of which only some blocks count."""

from typing import Any

from ... import library, ops
from ...expr import Expr
from ..arrays.leaves import as_tensor_variable, expression
from ..core import lift


def pairs(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """The blocks of each example: its inputs with its outputs."""
    return ops.expand_dims(left, axis=2), ops.expand_dims(right, axis=1)


@lift
def sparse_block_gemv(o: Any, W: Any, h: Any, inputIdx: Any, outputIdx: Any) -> Any:
    """o[b, j] + Σ h[b, i]·W[inputIdx[b, i], outputIdx[b, j]] over i."""
    o, W, h, left, right = map(expression, (o, W, h, inputIdx, outputIdx))
    return o + library.einsum("bik,bijkl->bjl", h, W[pairs(left, right)])


@lift
def sparse_block_outer(o: Any, x: Any, y: Any, xIdx: Any, yIdx: Any, alpha: Any = None) -> Any:
    """o, with alpha·x[b, i]·y[b, j]ᵀ added to the block xIdx[b, i], yIdx[b, j]."""
    o, x, y, left, right = map(expression, (o, x, y, xIdx, yIdx))
    products = library.einsum("bik,bjl->bijkl", x, y)
    products = products if alpha is None else products * expression(alpha)
    return o.at[pairs(left, right)].add(products)


def sparse_block_dot(W: Any, h: Any, inputIdx: Any, b: Any, outputIdx: Any) -> Any:
    """b[outputIdx[b, j]] + Σ h[b, i]·W[inputIdx[b, i], outputIdx[b, j]] over i. Without the axis of
    examples in h, there is one."""
    W, h, inputIdx, b, outputIdx = map(as_tensor_variable, (W, h, inputIdx, b, outputIdx))
    if h.ndim == 2:
        h = h.dimshuffle("x", 0, 1)
        inputIdx, outputIdx = inputIdx.dimshuffle("x", 0), outputIdx.dimshuffle("x", 0)
    return sparse_block_gemv(b[outputIdx], W, h, inputIdx, outputIdx)


class SparseBlockGemv:
    """SparseBlockGemv()(o, W, h, inputIdx, outputIdx)."""

    def __init__(self, inplace: bool = False):
        self.inplace = inplace

    def __call__(self, *operands: Any) -> Any:
        return sparse_block_gemv(*operands)


class SparseBlockOuter(SparseBlockGemv):
    """SparseBlockOuter()(o, x, y, xIdx, yIdx, alpha)."""

    def __call__(self, *operands: Any) -> Any:
        return sparse_block_outer(*operands)


NAMES: dict[str, Any] = {
    "SparseBlockGemv": SparseBlockGemv, "SparseBlockOuter": SparseBlockOuter,
    "sparse_block_dot": sparse_block_dot, "sparse_block_gemv": SparseBlockGemv(),
    "sparse_block_outer": SparseBlockOuter(),
}  # fmt: skip
