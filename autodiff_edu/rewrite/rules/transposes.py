"""Transposes that are no work: of columns and rows, of repeated vectors, and below a sum.

A sum over the rows of a transposed matrix is one over the columns of the matrix. So sums of
exponentials are read alike, however they are turned.

Letters: x an expression, a b axes.
"""

from collections.abc import Iterator

from ...expr import Constant, Expr
from ...ops import broadcast_to, exp, expand_dims, mean, sum, transpose
from ..engine.rule_table import table
from ..engine.validate import wild
from .shapes import node_of

x = wild("x")
a, b = wild("a b")
DEPTH = 4  # operations in which an operand is looked for


def vectors_beside(d: Expr) -> Iterator[tuple[Expr, Expr, int]]:
    """The vectors in a matrix product; beside them the other operand, as it is before it is
    transposed, and its axis along which the vector lies."""
    for (t, inner), last in ((d.inputs, 2), (d.inputs[::-1], 1)):
        place = inner.ndim - last if inner.ndim > 1 else 0
        if inner.op is transpose and inner.ndim == 2:
            inner, place = inner.inputs[0], 1 - place
        if t.ndim == 1 and inner.ndim in (1, 2) and t.dtype == inner.dtype:
            yield t, inner, place


def turned_inside(x: Expr, depth: int = DEPTH) -> Expr | None:
    """(f(x, y))ᵀ as f(xᵀ, yᵀ), where all operands are columns, rows and transposed matrices, or
    such functions of them."""
    if x.ndim != 2 or not depth or not getattr(x.op, "elementwise", False):
        return None
    operands = [turned_freely(i, depth - 1) for i in x.inputs]
    if any(i is None for i in operands):
        return None
    moved: Expr = x.op.apply(tuple(operands), x.static)
    return moved


def turned_freely(i: Expr, depth: int) -> Expr | None:
    """The transpose of an operand, where no array is read in another order for it."""
    if i.op is transpose or not i.ndim:
        return i.inputs[0] if i.ndim else i
    if i.ndim == 1:
        return expand_dims(i, axis=1)
    if isinstance(i, Constant):
        return Constant(i.value.T)
    if i.op is not expand_dims or i.inputs[0].ndim != 1:
        return turned_inside(i, depth)
    v = i.inputs[0]
    return v if dict(i.static)["axis"] == (1,) else expand_dims(v, axis=1)


def turns(x: Expr, depth: int = DEPTH) -> bool:
    """Is a matrix transposed in such a function?"""
    if x.op is transpose or not depth or not getattr(x.op, "elementwise", False):
        return x.op is transpose
    return any(turns(i, depth - 1) for i in x.inputs)


def between_columns(x: Expr) -> Expr | None:
    """(x·y)ᵀ of a column and a row is a row beside a column."""
    return None if turns(x) else turned_inside(x)


def over_turned(node: Expr, x: Expr, a: tuple) -> Expr | None:
    """A sum over one axis of a function of a transposed matrix, as one over the other axis."""
    inner = turned_inside(x) if len(a) == 1 and turns(x) else None
    return None if inner is None else node.op(inner, axis=(1 - a[0],))


def repeated_columns(x: Expr, node: Expr) -> Expr | None:
    """A vector that is repeated as rows and turned is repeated as columns."""
    if x.ndim != 1 or node.ndim != 2 or None in node.type.shape:
        return None
    return broadcast_to(expand_dims(x, axis=1), node.shape)


# fmt: off
RULES = table(
    "ieee",
    ("transpose of function of columns", node_of(transpose, x, axes=(1, 0)), between_columns),
    ("transpose of repeated rows", node_of(transpose, node_of(broadcast_to, x, shape=b), axes=a),
     repeated_columns),
    any_dtype=True,
) + table(
    "safe",
    *[(f"{op.name} of function of transposed", node_of(op, x, axis=a, keepdims=False), over_turned)
      for op in (sum, mean)],
    decreases="order",
)
# fmt: on


def examples() -> dict[str, Expr]:
    from .letters import A, v

    product = transpose(exp(A)) * expand_dims(v, axis=1)
    return {
        "transpose of function of columns": transpose(expand_dims(v, axis=1) * v),
        "transpose of repeated rows": transpose(broadcast_to(v, (3, 4))),
        "sum of function of transposed": sum(product, axis=0),
        "mean of function of transposed": mean(product, axis=0),
    }
