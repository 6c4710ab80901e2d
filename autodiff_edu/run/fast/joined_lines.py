"""Lines for two operations at once: dot products, and slices that are written or added in place.

v3 = np.zeros(10)
np.multiply(v1, v2, out=v3[1:])
v3_part = v3[:-1]
v3_part += v2
"""

from collections.abc import Sequence
from typing import Any

from ...expr import Expr, subscripts
from ...ops import add, embed, negative, subtract
from ...ops.in_python import ours
from ..source.text import Lines
from .blocks import room
from .joining import is_whole
from .reuse import accumulated


def dot(source: Any, n: Expr) -> str:
    """The call that sums all products of two arrays, or those of each row."""
    factors = pair(source.plan.reads(n))
    texts = [source.operand(i) for i in factors]
    if factors[0].ndim == 1:
        return dotted(source, n, texts)
    if is_whole(n):
        return f"np.vdot({', '.join(texts)})"
    kept = "[..., None]" if dict(n.static)["keepdims"] else ""
    return f"np.vecdot({', '.join(texts)}){kept}"


def dotted(source: Any, n: Expr, factors: Sequence[str], settings: Sequence[str] = ()) -> str:
    """The product of two arrays by the method `dot`: NumPy's function asks first whether somebody
    overrides it. What a user's operation gives may be no array."""
    first = source.plan.reads(n)[0]
    if first.op is None or ours(first.op):
        return f"{factors[0]}.dot({', '.join([*factors[1:], *settings])})"
    return f"{source.namespace}.dot({', '.join([*factors, *settings])})"


def pair(factors: Any) -> tuple[Expr, Expr]:
    """The two factors, of which a square has one."""
    return factors[0], factors[-1]


def key_of(part: Expr) -> str:
    return subscripts(dict(part.static)["key"])


def lines(source: Any, n: Expr) -> Lines | None:
    """The lines of a node that puts or adds a slice where it belongs."""
    if n.op is embed and n.type.known:
        return placed(source, n)
    if n in source.plan.fused and n.op in (add, subtract):
        return added_in_place(source, n, source.plan.fused[n])
    return None


def placed(source: Any, n: Expr) -> Lines:
    """The lines that put a slice among zeros, or compute it there.

    Not so np.negative: NumPy 2.4 negates other entries where a row of what is read has 64 bytes,
    and what is written is no row either.
    """
    name, inner = source.names[n], source.plan.fused.get(n)
    there = f"{name}[{key_of(n)}]"
    if inner is None:
        filled = f"{there} = {source.operand(n.inputs[0])}"
    elif inner.op is negative:
        filled = f"{there} = {source.call(inner)}"
    else:
        filled = source.call(inner, out=there)
    return [(f"{name} = {room(n, 'zeros')}", n), (filled, n)]


def added_in_place(source: Any, n: Expr, part: Expr) -> Lines:
    """The lines that add an embedded slice to an array, or subtract it. The array keeps its name,
    unless the sum has one of the user's."""
    whole, sign = source.names[accumulated(n, part)], "+=" if n.op is add else "-="
    there, added = f"{whole}[{key_of(part)}]", f"{sign} {source.operand(part.inputs[0])}"
    lines: Lines = [(f"{there} {added}", n)]
    if part.inputs[0].ndim:  # without a name, the sum would be written twice
        view = source.new_name(f"{whole}_part")
        lines = [(f"{view} = {there}", None), (f"{view} {added}", n)]
    if n.name:
        return [*lines, (f"{source.names[n]} = {whole}", None)]
    source.names[n] = whole
    return lines
