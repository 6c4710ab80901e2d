"""Shorter or quicker ways to write some operations in NumPy, with the same values.

A form takes the source and a node, and gives a text, or none where it does not fit.
"""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ...expr import Constant, Expr
from ...ops import expand_dims, matmul, max, mean, min, reshape, sum, transpose, where
from ...ops.cost import entries
from ...ops.in_python import ours
from .joined_lines import dot, dotted

MANY = 4096  # entries of a result for which two views are worth it
SMALL = 4096  # entries of a result for which `dot` is the shortest way
REDUCTIONS = {sum: "add", mean: "add", max: "maximum", min: "minimum"}


def reduced(source: Any, n: Expr) -> str:
    """A reduction by NumPy's own loop, without the calls that lead to it."""
    (x,) = n.inputs
    how, lengths = dict(n.static), x.type.shape
    axis, ufunc = how["axis"], REDUCTIONS[n.op]
    if not x.ndim or not axis or x.dtype != "float64" or (n.op is mean and None in lengths):
        return ""
    settings = [] if x.ndim == 1 else [f"axis={axis[0] if len(axis) == 1 else axis}"]
    settings += ["keepdims=True"] if how["keepdims"] else []
    text = f"np.{ufunc}.reduce({', '.join([source.operand(x), *settings])})"
    return text if n.op is not mean else f"{text} / {prod([lengths[a] for a in axis])}"


def turned(source: Any, n: Expr) -> str:
    """A matrix, transposed: a view that products of matrices take as it is."""
    (x,) = n.inputs
    return f"{source.operand(x)}.T" if dict(n.static)["axes"] == (1, 0) else ""


def widened(source: Any, n: Expr) -> str:
    """An array with axes of length 1 between its own."""
    axis = dict(n.static)["axis"]
    items = ["None" if k in axis else ":" for k in range(n.ndim)]
    return f"{source.operand(n.inputs[0])}[{', '.join(items)}]" if n.inputs[0].ndim else ""


def reshaped(source: Any, n: Expr) -> str:
    """An array of known lengths with others."""
    shape = dict(n.static)["shape"]
    known = len(n.inputs) == 1 and None not in shape and n.inputs[0].ndim
    return f"{source.operand(n.inputs[0])}.reshape({shape})" if known else ""


def masked(x: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """x where the mask is true and 0 elsewhere: by bits, since a choice for each entry is slow
    where the processor cannot guess it."""
    bits = np.negative(mask, dtype="int64")
    return np.bitwise_and(bits, x.view("int64"), out=bits).view("float64")


def chosen(source: Any, n: Expr) -> str:
    """Values where a condition holds, and 0 elsewhere."""
    mask, x, other = n.inputs
    zero = isinstance(other, Constant) and not other.ndim and str(other.value) == "0.0"
    same = x.type.dtype == "float64" and mask.dtype == "bool" and x.type.shape == mask.type.shape
    if not (zero and same and x.ndim):
        return ""
    return f"{source.bind('masked', masked)}({source.operand(x)}, {source.operand(mask)})"


def flattened(source: Any, n: Expr, out: str) -> str:
    """A product of a stack of matrices and one matrix, by one call of BLAS: the rows of all of them
    are rows of one matrix. Nothing where a view might have to be copied for that."""
    x, y = n.inputs
    if x.ndim < 3 or y.ndim != 2:
        return ""
    known = n.type.known and x.type.known and y.type.known and x.dtype == y.dtype == n.dtype
    if not known or n.dtype.kind != "f" or prod(n.shape) < MANY:
        return ""
    if x.op is not None and (x.op.view or not ours(x.op)):
        return ""
    rows = prod(x.shape[:-1])
    left, right = f"{source.operand(x)}.reshape({(rows, x.shape[-1])})", source.operand(y)
    text = f"({left} @ {right})"
    if out:
        into = f"{out}.reshape({(rows, y.shape[1])})"
        text = f"{source.namespace}.matmul({left}, {right}, out={into})"
    return f"{text}.reshape({n.shape})"


FORMS: dict[Any, Callable[[Any, Expr], str]] = {
    **dict.fromkeys(REDUCTIONS, reduced),
    transpose: turned,
    expand_dims: widened,
    reshape: reshaped,
    where: chosen,
}


def form(source: Any, n: Expr, out: str) -> str:
    """A shorter or quicker way to write it than a call of its function, if there is one."""
    plan = source.plan
    if n in plan.fused and n.op is sum:
        return dot(source, n)
    if n.op is matmul:
        text = flattened(source, n, out) if plan.in_place else ""
        return text or (by_dot(source, n, out) if is_dot(n) else "")
    return FORMS[n.op](source, n) if plan.in_place and n.op in FORMS else ""


def by_dot(source: Any, n: Expr, out: str) -> str:
    """A product as a call of `dot`."""
    factors = [source.names.get(i) or source.operand(i, source.weak(n)) for i in n.inputs]
    return dotted(source, n, factors, [f"out={out}"] if out else [])


def is_dot(n: Expr) -> bool:
    """Is a product one by BLAS with a small result? To that, `dot` is the shortest way; large
    results it would fill with zeros first, and with one entry it makes 0 of 0 · inf."""
    if not n.type.known or entries(n.type) > SMALL:
        return False
    for i in n.inputs:
        if i.ndim not in (1, 2) or not i.type.known or i.type.dtype != n.type.dtype:
            return False
    return n.type.is_float and all(entries(i.type) != 1 for i in n.inputs)
