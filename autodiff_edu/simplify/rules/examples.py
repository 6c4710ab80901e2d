"""What a rule is shown on: an expression for each that its own two sides do not show, because they
speak of shapes or truth values, or because a function writes one of them.

Letters: x y z numbers, v n vectors (n of unknown length), A a matrix, c I constants, p a condition,
q a quotient.
"""

# ruff: noqa: I001 - the sorter would put one name on a line
from ...expr import Expr, constant
from ...nested.history import history
from ...ops import (
    broadcast_to, cosh, exp, expand_dims, eye, length, logical_not, matrix, scalar, sin, squeeze,
    sum, transpose, vector, where, zero,
)  # fmt: skip
from ...ops.index import embed

x, y, z = scalar("x"), scalar("y"), scalar("z")
v, n = vector("v", shape=4), vector("n")
A = matrix("A", shape=(3, 4))
c, I = constant(2.5), eye(4)
p, q = x > 0, y / exp(x)
REVERSED = ((None, None, -1),)

# fmt: off
EXAMPLES: dict[str, Expr] = {
    # ---- zeros
    "product with nothing":  A @ zero(v),
    "product of nothing":    zero(A) @ v,
    "linear in nothing":     sum(zero(A)),
    # ---- choices
    "where of the same":     where(p, y, y),
    "where of a constant":   where(constant(True), x, y),
    "where of not":          where(logical_not(p), x, y),
    "where in where":        where(p, where(p, x, y), z),
    "where in else":         where(p, x, where(p, y, z)),
    # ---- shapes
    "reshape twice":         A.reshape(4, 3).reshape(2, 6),
    "reshape to same":       A.reshape(3, 4),
    "transpose twice":       transpose(transpose(A)),
    "transpose in order":    A.transpose(0, 1),
    "squeeze of expand":     squeeze(expand_dims(v, axis=0), axis=0),
    "expand of squeeze":     expand_dims(squeeze(v.reshape(1, 4), axis=0), axis=0),
    "spread twice":          broadcast_to(broadcast_to(v, (3, 4)), (2, 3, 4)),
    "spread to same":        broadcast_to(v, (4,)),
    "length elsewhere":      length(exp(n), axis=0),
    # ---- slices
    "slice of all":          A[:, 0:],
    "slice of a slice":      A[1:, ::-1][:, ::-1],
    "after the first":       history(A, A[2]),
    "slice of spread":       broadcast_to(v, (3, 4))[::-1],
    "nothing around":        embed(v, (4,), key=REVERSED),
    "slice of embedded":     embed(v, (6,), key=((1, 5, None),))[1:5],
    # ---- reductions
    "sum of minus":          sum(-A, axis=0),
    "sum of one":            sum(v.reshape(1, 4), axis=0),
    "sum of spread":         sum(broadcast_to(x, (3, 4))),
    "sum of sum":            sum(sum(A, axis=0)),
    "sum of transposed":     sum(transpose(A)),
    "sum of reshaped":       sum(A.reshape(4, 3)),
    "sum of scaled":         sum(c * A, axis=1),
    # ---- linear algebra
    "minus out of @":        -A @ v,
    "number out of @":       (c * A) @ v,
    "transpose of @":        transpose(transpose(A) @ A),
    "product with eye":      A @ I,
    "eye times":             I @ v,
    # ---- collecting
    "collect terms":         2 * x * y + 3 * (y * x),
    "collect powers":        x**2 * x**3,
    "cancel in brackets":    (x / exp(y) + y / cosh(z)) * (exp(y) * cosh(z)),
    "open brackets":         2 * (x + y) - 2 * (x - y),
    "common factor":         x * y + x * z,
    "cancel shared factors": sin(q) + q * exp(x),
}
# fmt: on
