"""Every operation has a label, is drawn and is written in LaTeX."""

import pytest

from autodiff_edu.expr import Expr, ShapeError
from autodiff_edu.ops import OPS, matrix, scalar, tensor
from autodiff_edu.show import draw, latex

STATIC = {
    "length": {"axis": 0},
    "reshape": {"shape": (9,)},
    "broadcast_to": {"shape": (2, 3, 3)},
    "expand_dims": {"axis": 0},
    "squeeze": {"axis": 0},
    "cast": {"dtype": "float32"},
    "truncate": {"dtype": "int64"},
    "index": {"key": (slice(1, None), 0)},
    "embed": {"key": ((1, None, None), 0), "shape": (3, 3)},
    "product": {"axis": 0},
}
OPERANDS = {
    "squeeze": [tensor("x", shape=(1, 3))],
    "embed": [tensor("x", shape=(2,))],
    "arange": [scalar("n", dtype="int64")],
}


def node(op):
    """The operation applied to 3-by-3 matrices, or to what it needs."""
    x = matrix("x", shape=(3, 3))
    operands = OPERANDS.get(op.name, [x] * (op.arity or 1))
    static = STATIC.get(op.name, {})
    if op.name == "index":
        return op(operands[0], static["key"])
    try:
        return op(*operands, **static)
    except (ShapeError, TypeError):
        shape = tuple(static.get("shape", ()))
        return op(*operands, *shape, **{k: v for k, v in static.items() if k != "shape"})


@pytest.mark.parametrize("op", OPS.values(), ids=str)
def test_it_is_drawn_and_written(op):
    e = node(op)
    assert isinstance(e, Expr) and op.label
    picture = draw(e)
    assert "operation" in picture.listing or "shape[0]" in picture.listing
    assert "<svg" in picture.svg
    written = latex(e)
    assert "x" in written or "n" in written
    assert written.count("{") == written.count("}")
