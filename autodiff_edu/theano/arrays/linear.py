"""Products of vectors, matrices and tensors, and linear algebra."""

from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Expr, TensorType, operands
from ...library import kron as kron_of
from ..core import lift
from ..core.own_op import own
from .leaves import expression


@lift
def dot(a: Any, b: Any) -> Any:
    """The sum over the last axis of a and the last but one of b."""
    return ops.dot(expression(a), expression(b))


@lift
def matmul(a: Any, b: Any) -> Any:
    """a @ b, the same for two matrices."""
    return ops.dot(expression(a), expression(b))


@lift
def outer(x: Any, y: Any) -> Any:
    """Every entry of x times every entry of y."""
    return ops.outer(expression(x), expression(y))


@lift
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """The sum over several axes of each."""
    pairs = axes if isinstance(axes, (list, tuple)) else ()
    if pairs and len(pairs) != 2:
        raise ValueError(f"Axes should be an integer or a list or tuple of len 2, not {axes!r}")
    return library.tensordot(expression(a), expression(b), axes)


@lift
def batched_dot(a: Any, b: Any) -> Any:
    """The dot of a[k] and b[k], for each k."""
    a, b = operands((expression(a), expression(b)), "batched_dot")
    if not a.ndim or not b.ndim:
        raise TypeError("batched_dot takes arrays with a first axis, and a scalar has none")
    return batched_tensordot.plain(a, b, [[a.ndim - 1], [max(b.ndim - 2, 1)]]) if (
        a.ndim > 1 and b.ndim > 1) else a * b if a.ndim == b.ndim else longer(a, b)  # fmt: skip


def longer(a: Expr, b: Expr) -> Expr:
    """A number for each k times an array for each k."""
    few, many = sorted((a, b), key=lambda x: x.ndim)
    return many * ops.expand_dims(few, axis=tuple(range(1, many.ndim)))


@lift
def batched_tensordot(x: Any, y: Any, axes: Any = 2) -> Any:
    """The tensordot of x[k] and y[k], for each k; axes are those of x and y."""
    x, y = operands((expression(x), expression(y)), "batched_tensordot")
    if isinstance(axes, int):
        axes = [list(range(x.ndim - axes, x.ndim)), list(range(1, axes + 1))]
    mine, others = [[axes[k]] if isinstance(axes[k], int) else list(axes[k]) for k in (0, 1)]
    mine = [k % x.ndim for k in mine]
    others = [k % y.ndim for k in others]
    letters = iter("bcdefghijklmnopqrstuvwxyz")
    left = ["a"] + [next(letters) for _ in range(x.ndim - 1)]
    right = ["a"] + [next(letters) for _ in range(y.ndim - 1)]
    for i, j in zip(mine, others, strict=True):
        right[j] = left[i]
    summed = {left[k] for k in mine}
    out = [c for c in left if c not in summed] + [c for c in right[1:] if c not in summed]
    return library.einsum(f"{''.join(left)},{''.join(right)}->{''.join(out)}", x, y)


@lift
def diag(v: Any, k: int = 0) -> Any:
    """The diagonal of a matrix, or a matrix with this diagonal."""
    return library.diag(expression(v), k)


@lift
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The entries of a diagonal."""
    return library.diagonal(expression(a), offset, axis1, axis2)


@lift
def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The sum of the diagonal."""
    return library.matrix_trace(expression(a), offset, axis1, axis2)


@lift
def extract_diag(x: Any) -> Any:
    """The diagonal."""
    return library.diagonal(expression(x))


@lift
def det(x: Any) -> Any:
    """The determinant."""
    return library.det(expression(x))


@lift
def matrix_inverse(x: Any) -> Any:
    """The inverse."""
    return library.inv(expression(x))


@lift
def pinv(x: Any) -> Any:
    """The pseudo-inverse."""
    return library.pinv(expression(x))


def matrix_dot(*args: Any) -> Any:
    """The product of several matrices."""
    found = args[0]
    for a in args[1:]:
        found = dot(found, a)
    return found


@lift
def matrix_power(M: Any, n: int) -> Any:
    """A matrix multiplied by itself."""
    return library.matrix_power(expression(M), int(n))


@lift
def eigh(a: Any, UPLO: str = "L") -> Any:
    """Eigenvalues and eigenvectors of a symmetric matrix."""
    return list(library.eigh(expression(a), UPLO))


@lift
def solve_lower_triangular(a: Any, b: Any) -> Any:
    """The same for the entries on and below the diagonal."""
    return library.solve(library.tril(expression(a)), expression(b))


@lift
def solve_upper_triangular(a: Any, b: Any) -> Any:
    """The same for the entries on and above the diagonal."""
    return library.solve(library.triu(expression(a)), expression(b))


@lift
def kron(a: Any, b: Any) -> Any:
    """The Kronecker product."""
    return kron_of(expression(a), expression(b))


def frechet(x: Any, direction: Any) -> np.ndarray:
    """The derivative of the matrix exponential at x in a direction."""
    import scipy.linalg

    return scipy.linalg.expm_frechet(x, direction, compute_expm=False)


def square(t: TensorType, *_: TensorType) -> TensorType:
    return t


@own(
    type=square,
    pullback=lambda ct, x, out: (expm_slope(ops.transpose(x), ct),),
    pushforward=lambda ts, x, out: expm_slope(x, ts[0]),
)
def expm(x):
    """The exponential of a matrix."""
    import scipy.linalg

    return scipy.linalg.expm(x)


@own(
    type=square,
    linear=(1,),
    pullback=lambda ct, x, d, out: (None, expm_slope(ops.transpose(x), ct)),
)
def expm_slope(x, d):
    """The derivative of the matrix exponential."""
    return frechet(x, d)


@lift
def cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None) -> Any:
    """The covariance of rows."""
    m = expression(m)
    m = library.concatenate([m, expression(y)], axis=0) if y is not None else m
    m = m if rowvar or m.ndim == 1 else ops.transpose(m)
    m = ops.expand_dims(m, axis=0) if m.ndim == 1 else m
    ddof = (0 if bias else 1) if ddof is None else ddof
    centred = m - ops.mean(m, axis=1, keepdims=True)
    return ops.dot(centred, ops.transpose(centred)) / (m.shape[1] - ddof)


PLAIN: dict[str, Any] = {
    f.__name__: f for f in (batched_dot, batched_tensordot, cov, diag, diagonal, dot, outer,
                            tensordot)
}  # fmt: skip
ALGEBRA: dict[str, Any] = {
    f.__name__: f
    for f in (
        det,
        diag,
        eigh,
        extract_diag,
        kron,
        matrix_dot,
        matrix_inverse,
        matrix_power,
        pinv,
        solve_lower_triangular,
        solve_upper_triangular,
        trace,
    )
} | {"expm": lift(lambda x: expm(expression(x))), "inv": matrix_inverse}
