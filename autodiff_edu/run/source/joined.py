"""Lines for two operations at once: dot products, and slices that are written or added in place.

v3 = np.zeros(10)
v3[1:] = v1
v3[:-1] += v2
"""

from typing import Any

from ...expr import Expr, subscripts
from ...ops import add
from ..fused import accumulated
from .blocks import room
from .loops import Lines


def dot(source: Any, n: Expr) -> str:
    """The call that sums all products of two arrays."""
    a, b = (source.operand(i) for i in pair(source.plan.reads(n)))
    return f"np.{'dot' if source.plan.reads(n)[0].ndim == 1 else 'vdot'}({a}, {b})"


def pair(factors: Any) -> tuple[Expr, Expr]:
    """The two factors, of which a square has one."""
    return factors[0], factors[-1]


def key_of(part: Expr) -> str:
    return subscripts(dict(part.static)["key"])


def placed(source: Any, n: Expr) -> Lines:
    """The lines that put a slice among zeros."""
    name = source.names[n]
    return [
        (f"{name} = {room(n, 'zeros')}", n),
        (f"{name}[{key_of(n)}] = {source.operand(n.inputs[0])}", n),
    ]


def added_in_place(source: Any, n: Expr, part: Expr) -> Lines:
    """The lines that add an embedded slice to an array, or subtract it."""
    whole, sign = source.names[accumulated(n, part)], "+=" if n.op is add else "-="
    added = f"{whole}[{key_of(part)}] {sign} {source.operand(part.inputs[0])}"
    return [(added, n), (f"{source.names[n]} = {whole}", n)]
