"""What a rule is shown on: an expression for each that its own two sides do not show, because they
speak of shapes or truth values, or because a function writes one of them. `letters` are used.

Other examples stand beside their rules. All are made when the first of them is asked for.
"""

# ruff: noqa: I001 - the sorter would put one name on a line
from ...expr import Expr, constant
from ...library import concatenate, det, diag, einsum, inv, matrix_trace, solve
from ...library.norms import norm2
from ...nested.loops.all_states import history
from ...ops import (
    broadcast_to, cosh, exp, expand_dims, length, logical_and, logical_not, logical_or, max, mean,
    min, sin, square, squeeze, sum, transpose, where, zero, zeros,
)  # fmt: skip
from ...ops.index import embed
from .letters import A, B, I, S, c, n, p, q, r, u, v, x, y, z

REVERSED = ((None, None, -1),)

# fmt: off
EXAMPLES: dict[str, Expr] = {
    # ---- zeros
    "product with nothing":  A @ zero(v),
    "product of nothing":    zero(A) @ v,
    "linear in nothing":     sum(zero(n)),
    # ---- choices
    "where of the same":     where(p, y, y),
    "where of a constant":   where(constant(True), x, y),
    "where of not":          where(logical_not(p), x, y),
    "where in where":        where(p, where(p, x, y), z),
    "where in else":         where(p, x, where(p, y, z)),
    "not not":               logical_not(logical_not(p)),
    "and of the same":       logical_and(p, p),
    "or of the same":        logical_or(p, p),
    "either or":             where(p, y, 0) + where(p, 0, z),
    "either or minus":       where(p, y, 0) - where(p, 0, z),
    "or minus either":       where(p, 0, y) - where(p, z, 0),
    "one or zero times":     where(p, 1.0, 0) * y,
    "zero or one times":     where(p, 0, 1.0) * y,
    # ---- polynomials
    "exact division":        (square(x) - 1) / (x - 1),
    # ---- powers
    "power of exp":          exp(x)**0.01,
    "square of norm":        square(norm2(A, axis=0)),
    # ---- means and inverses
    "mean times how many":   4 * mean(v),
    "mean times its length": length(n, axis=0) * mean(n),
    "solve for a vector, not invert": inv(S) @ r,
    "solve for a row, not invert": r @ transpose(inv(S)),
    # ---- shapes
    "reshape of expand":     expand_dims(A, axis=0).reshape(2, 6),
    "reshape of squeeze":    squeeze(A.reshape(1, 3, 4), axis=0).reshape(2, 6),
    "transpose of function of transposed": transpose(A + transpose(B)),
    "spread of leading axes": broadcast_to(expand_dims(v, axis=0), (3, 4)),
    "new axes of spread number": expand_dims(broadcast_to(x, (3,)), axis=1),
    "join of one":           concatenate([v]),
    "cast back":             u.astype("float64").astype("float32"),
    "minus out of transpose":   transpose(-A),
    "minus out of expand_dims": expand_dims(-v, axis=1),
    "minus out of squeeze":     squeeze(-v.reshape(1, 4), axis=0),
    "minus out of reshape":     (-A).reshape(4, 3),
    "number out of transpose":   transpose(c * A),
    "number out of expand_dims": expand_dims(c * v, axis=1),
    "number out of squeeze":     squeeze(c * v.reshape(1, 4), axis=0),
    "number out of reshape":     (c * A).reshape(4, 3),
    "reshape twice":         A.reshape(4, 3).reshape(2, 6),
    "reshape to same":       A.reshape(3, 4),
    "transpose twice":       transpose(transpose(A)),
    "transpose in order":    A.transpose(0, 1),
    "squeeze of expand":     squeeze(expand_dims(v, axis=0), axis=0),
    "expand of squeeze":     expand_dims(squeeze(v.reshape(1, 4), axis=0), axis=0),
    "spread twice":          broadcast_to(broadcast_to(v, (3, 4)), (2, 3, 4)),
    "spread to same":        broadcast_to(v, (4,)),
    "squeezed in front":     squeeze(v.reshape(1, 4), axis=0) * A,
    "spread outward":        broadcast_to(v, (3, 4)) * 2,
    "length elsewhere":      length(exp(n), axis=0),
    # ---- slices
    "slice of all":          A[:, 0:],
    "slice of a slice":      A[1:, ::-1][:, ::-1],
    "after the first":       history(A, A[2]),
    "slice of join":         concatenate([v, r])[5:],
    "slice of transposed":   transpose(A)[1],
    "entry of a new axis":   expand_dims(A, axis=0)[0],
    "slice of spread":       broadcast_to(v, (3, 4))[::-1],
    "nothing around":        embed(v, (4,), key=REVERSED),
    "slice of embedded":     embed(v, (6,), key=((1, 5, None),))[1:5],
    "sum of embedded":       sum(embed(v, (6,), key=((1, 5, None),))),
    # ---- reductions
    "sum of minus":          sum(-A, axis=0),
    "sum of one":            sum(v.reshape(1, 4), axis=0),
    "sum of spread":         sum(broadcast_to(x, (3, 4))),
    "sum of spread over a length": sum(broadcast_to(x, n[9:].shape)),  # which may be 0
    "sum of sum":            sum(sum(A, axis=0)),
    "sum of transposed":     sum(transpose(A)),
    "sum of reshaped":       sum(A.reshape(4, 3)),
    "sum of scaled":         sum(c * A, axis=1),
    # ---- linear algebra
    "largest of one":        max(v.reshape(1, 4), axis=0),
    "smallest of one":       min(v.reshape(1, 4), axis=0),
    "mean of one":           mean(v.reshape(1, 4), axis=0),
    "largest of largest":    max(max(A, axis=0)),
    "smallest of smallest":  min(min(A, axis=0)),
    "largest of transposed": max(transpose(A), axis=0),
    "smallest of transposed": min(transpose(A), axis=0),
    "mean of transposed":    mean(transpose(A), axis=0),
    "largest of reshaped":   max(A.reshape(4, 3)),
    "smallest of reshaped":  min(A.reshape(4, 3)),
    "mean of reshaped":      mean(A.reshape(4, 3)),
    "largest of spread":     max(broadcast_to(v, (3, 4)), axis=0),
    "smallest of spread":    min(broadcast_to(v, (3, 4)), axis=0),
    "mean of spread":        mean(broadcast_to(v, (3, 4)), axis=0),
    "mean of minus":         mean(-A, axis=0),
    "largest of minus":      max(-A, axis=0),
    "smallest of minus":     min(-A, axis=0),
    "mean of scaled":        mean(c * A, axis=1),
    "sum of shrunk":         sum(0.5 * A, axis=1),
    "mean of shrunk":        mean(0.5 * A, axis=1),
    "scalar out of sum":     sum(x * A, axis=1),
    "scalar behind out of sum": sum(A * x, axis=1),
    "scalar out of mean":    mean(x * A, axis=1),
    "scalar behind out of mean": mean(A * x, axis=1),
    "divisor out of sum":    sum(A / expand_dims(r, axis=1), axis=1),
    "divisor out of mean":   mean(A / x, axis=1),
    "largest of scaled":     max(c * A, axis=1),
    "smallest of scaled":    min(c * A, axis=1),
    "largest of reversed":   max(-c * A, axis=1),
    "smallest of reversed":  min(-c * A, axis=1),
    "minus out of @":        -A @ v,
    "minus out of @, on the right": A @ -B,
    "number out of @":       (c * A) @ v,
    "number out of @, on the right": A @ (c * B),
    "small number out of @": (0.5 * A) @ v,
    "small number out of @, on the right": A @ (0.5 * B),
    "inverse twice":         inv(inv(S)),
    "solve undoes @":        solve(S, S @ A),
    "@ undoes solve":        S @ solve(S, A),
    "determinant of transposed": det(transpose(S)),
    "solve, not invert":     inv(S) @ A,
    "solve for rows, not invert": B @ transpose(inv(S)),
    "product with outer":    A @ (expand_dims(v, axis=1) * expand_dims(r, axis=0)),
    "outer times":           (expand_dims(v, axis=1) * expand_dims(r, axis=0)) @ A,
    "transpose of @":        transpose(transpose(A) @ A),
    "transpose of @ transposed": transpose(B @ transpose(S)),
    "from the right":        (A @ B) @ r,
    "from the left":         r @ (A @ B),
    "trace of @":            matrix_trace(A @ B),
    "column times row":      expand_dims(r, axis=1) @ expand_dims(v, axis=0),
    "diagonal times":        diag(r) @ A,
    "times diagonal":        A @ diag(v),
    "einsum of rows and columns": einsum("ij,jk->ik", A, B),
    "einsum of columns and rows": einsum("ij,ki->kj", A, S),
    "einsum of entries":     einsum("ij,ij->ij", A, A),
    "product with zeros":    A @ zeros((4, 3)),
    "zeros times":           zeros((4, 3)) @ A,
    "product with eye":      A @ I,
    "eye times":             I @ v,
    # ---- collecting
    "collect terms":         2 * x * y + 3 * (y * x),
    "collect powers":        x**2 * x**3,
    "cancel in brackets":    (x / exp(y) + y / cosh(z)) * (exp(y) * cosh(z)),
    "open brackets":         2 * (x + y) - 2 * (x - y),
    "common factor":         x * y + x * z,
    "cancel shared factors": sin(q) + q * exp(x),
    "pair in a product":     y / (1 + exp(x)) * z * exp(x),
}
# fmt: on
