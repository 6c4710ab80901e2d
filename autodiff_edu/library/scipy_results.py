"""SciPy's universal functions with several results: one operation for each result, and its slopes.

A row has the operands, the results, and for each result the factors of small changes in the
operands, written with the results themselves. Numbers in comments are equations of the DLMF.
"""

from collections.abc import Callable
from math import pi
from typing import NamedTuple

from ..ops.arithmetic import sqrt
from ..ops.comparison import where
from ..ops.elementary import cos, cosh, sin
from .scipy_formulas import F, first_kind
from .scipy_slopes import DEGREE, Row


class Results(NamedTuple):
    """The operands of a function, its results, and the slopes of each result."""

    names: str
    results: str
    slopes: Callable[..., tuple[tuple, ...]]


def ellipj(u, m, sn, cn, dn, ph):
    """22.13.1; by m from F(ph, m) = u, whose small change is zero."""
    turn = -dn * first_kind(ph, m, u)
    by_m = (cn * turn, -sn * turn, -(0.5 * sn * sn + m * sn * cn * turn) / dn, turn)
    return tuple(zip((cn * dn, -sn * dn, -m * sn * cn, dn), by_m, strict=True))


def airye(x, ai, aip, bi, bip):
    """9.2.1 with the factors exp(2/3 x√x) and exp(−|Re 2/3 x√x|), which is 1 below 0."""
    up, down = sqrt(x), sqrt(where(x > 0, x, 0))
    return (aip + up * ai,), (x * ai + up * aip,), (bip - down * bi,), (x * bi - down * bip,)


def mathieu(value: str) -> Callable[..., tuple]:
    """28.2.1 in degrees, with the characteristic value of this name."""

    def slopes(n, q, x, y, yp):
        bend = 2 * q * cos(2 * DEGREE * x) - getattr(F, value)(n, q)
        return (None, None, DEGREE * yp), (None, None, DEGREE * bend * y)

    return slopes


def modified(value: str) -> Callable[..., tuple]:
    """28.20.1."""

    def slopes(n, q, x, y, yp):
        bend = getattr(F, value)(n, q) - 2 * q * cosh(2 * x)
        return (None, None, yp), (None, None, bend * y)

    return slopes


EVEN, ODD = modified("mathieu_a"), modified("mathieu_b")
RESULTS: dict[str, Results] = {
    "airy": Results("x", "ai aip bi bip", lambda x, ai, aip, bi, bip: (
        (aip,), (x * ai,), (bip,), (x * bi,))),  # 9.2.1
    "airye": Results("x", "ai aip bi bip", airye),
    "itairy": Results("x", "apt bpt ant bnt", lambda x, *_: (
        (F.airy_ai(x),), (F.airy_bi(x),), (F.airy_ai(-x),), (F.airy_bi(-x),))),
    "ellipj": Results("u m", "sn cn dn ph", ellipj),
    "sici": Results("x", "si ci", lambda x, si, ci: ((F.sinc(x / pi),), (cos(x) / x,))),  # 6.2.9
    "shichi": Results("x", "shi chi", lambda x, shi, chi: (
        (0.5 * (F.exprel(x) + F.exprel(-x)),), (cosh(x) / x,))),  # 6.2.15
    "fresnel": Results("x", "s c", lambda x, s, c: (
        (sin(0.5 * pi * x * x),), (cos(0.5 * pi * x * x),))),  # 7.2.7
    "itj0y0": Results("x", "j y", lambda x, j, y: ((F.j0(x),), (F.y0(x),))),
    "iti0k0": Results("x", "i k", lambda x, i, k: ((F.i0(x),), (F.k0(x),))),
    "it2j0y0": Results("x", "j y", lambda x, j, y: (((1 - F.j0(x)) / x,), (-F.y0(x) / x,))),
    "it2i0k0": Results("x", "i k", lambda x, i, k: (((F.i0(x) - 1) / x,), (-F.k0(x) / x,))),
    "pbdv": Results("v x", "d dp", lambda v, x, d, dp: (
        (None, dp), (None, (0.25 * x * x - v - 0.5) * d))),  # 12.2.4
    "pbvv": Results("v x", "v vp", lambda v, x, f, fp: (
        (None, fp), (None, (0.25 * x * x - v - 0.5) * f))),
    "pbwa": Results("a x", "w wp", lambda a, x, w, wp: (
        (None, wp), (None, (a - 0.25 * x * x) * w))),  # 12.2.3
    "mathieu_cem": Results("n q x", "y yp", mathieu("mathieu_a")),
    "mathieu_sem": Results("n q x", "y yp", mathieu("mathieu_b")),
    "mathieu_modcem1": Results("n q x", "y yp", EVEN),
    "mathieu_modcem2": Results("n q x", "y yp", EVEN),
    "mathieu_modsem1": Results("n q x", "y yp", ODD),
    "mathieu_modsem2": Results("n q x", "y yp", ODD),
}  # fmt: skip


def parts(name: str) -> list[str]:
    """The names of the operations of a function, one for each result."""
    return [f"{name}_{result}" for result in RESULTS[name].results.split()]


PARTS = {part: (name, k) for name in RESULTS for k, part in enumerate(parts(name))}


def row_of(part: str) -> Row:
    """The row of one result, whose slopes may need its siblings."""
    name, k = PARTS[part]
    table = RESULTS[name]

    def slopes(*nodes):
        *xs, _ = nodes
        return table.slopes(*xs, *[getattr(F, p)(*xs) for p in parts(name)])[k]

    return Row(table.names, slopes)
