"""Linear equations between tensors, and the eigenvalues of a matrix without symmetry."""

from math import prod
from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Expr
from ..core import lift
from ..core.own_op import own
from .leaves import expression


def as_matrix(x: Expr, axes: int) -> Expr:
    """x with its first axes as rows, and all others as columns."""
    return ops.reshape(x, (prod(x.shape[:axes]), prod(x.shape[axes:])))


@lift
def tensorinv(a: Any, ind: int = 2) -> Any:
    """The tensor that undoes `a`, of which the first `ind` axes are those of a result."""
    a = expression(a)
    shape = (*a.shape[ind:], *a.shape[:ind])
    return ops.reshape(library.inv(as_matrix(a, ind)), shape)


@lift
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """The x with tensordot(a, x, x.ndim) = b; `axes` of a are moved to its end before."""
    a, b = expression(a), expression(b)
    moved = [k % a.ndim for k in axes or ()]
    a = ops.transpose(a, [*[k for k in range(a.ndim) if k not in moved], *moved])
    found = library.solve(as_matrix(a, b.ndim), ops.reshape(b, (-1,)))
    return ops.reshape(found, a.shape[b.ndim :])


@own(
    core="(n,n)->(n),(n,n)",
    label="eig",
    nondifferentiable="Theano's eig has no gradient; `eigh` has one, for symmetric matrices",
)
def eigen(x):
    """The real parts of eigenvalues and eigenvectors, as Theano gave them."""
    values, vectors = np.linalg.eig(x)
    return values.real.astype(x.dtype), vectors.real.astype(x.dtype)


@lift
def eig(a: Any) -> Any:
    """Eigenvalues and eigenvectors of a matrix."""
    return list(eigen(expression(a)))


NAMES: dict[str, Any] = {f.__name__: f for f in (eig, tensorinv, tensorsolve)}
