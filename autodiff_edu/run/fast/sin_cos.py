"""Sine and cosine of the same values, by one reduction of the argument.

x is k·π/2 + r with |r| ≤ π/4. There two short polynomials are enough, those of fdlibm (Sun
Microsystems, 1993), and k tells which of them is which. The results are right to two units in the
last place, by additions and products alone, and so equal on every processor. NumPy's functions take
twice as long for both; they are asked where x is large, inf or nan. A gradient of a million sines
takes two thirds of the time so (`elementwise` of benchmarks/programs.py).

Letters: x the values, s and c their sine and cosine; k, r and z rooms for what lies between.
"""

from collections.abc import Sequence

import numpy as np

from ...expr import Expr
from ...ops import cos, sin

LARGEST = 1_000.0
TURN = 2 / np.pi
# π/2 in three parts; products of the first two with k are exact
PARTS = (1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
ROUND = 1.5 * 2.0**52  # added, it leaves a whole number in the last bits
FOR_SINE = (1.58969099521155010221e-10, -2.50507602534068634195e-08, 2.75573137070700676789e-06,
            -1.98412698298579493134e-04, 8.33333333332248946124e-03,
            -1.66666666666666324348e-01)  # fmt: skip
FOR_COSINE = (-1.13596475577881948265e-11, 2.08757232129817482790e-09,
              -2.75573143513906633035e-07, 2.48015872894767294178e-05,
              -1.38888888888741095749e-03, 4.16666666666666019037e-02, -0.5)  # fmt: skip


def sin_cos(x, s, c, k, r, z):
    """Write the sine and the cosine of x into s and c, and give both."""
    if not (x.size and np.max(x) < LARGEST and np.min(x) > -LARGEST):
        return np.sin(x, out=s), np.cos(x, out=c)
    np.multiply(x, TURN, out=k)
    np.add(k, ROUND, out=k)
    np.subtract(k, ROUND, out=c)
    rest = x
    for part in PARTS:
        np.multiply(c, part, out=s)
        rest = np.subtract(rest, s, out=r)
    np.multiply(r, r, out=z)
    polynomial(FOR_SINE, z, s)
    np.multiply(s, r, out=s)
    np.add(s, r, out=s)
    polynomial(FOR_COSINE, z, c)
    np.add(c, 1.0, out=c)
    return turned(k.view("int64"), s, c, z.view("int64"), r.view("int64"))


def polynomial(coefficients, z, out):
    """z · (... + z · (b + z · a)), by Horner's rule."""
    first, *others = coefficients
    np.multiply(z, first, out=out)
    for number in others:
        np.add(out, number, out=out)
        np.multiply(out, z, out=out)


def turned(k, s, c, mask, swap):
    """Sine and cosine, k quarter turns further: they change places where k is odd, and signs."""
    sine, cosine = s.view("int64"), c.view("int64")
    np.bitwise_and(k, 1, out=mask)
    np.negative(mask, out=mask)
    np.bitwise_xor(sine, cosine, out=swap)
    np.bitwise_and(swap, mask, out=swap)
    for bits, ahead in ((sine, 0), (cosine, 1)):
        np.bitwise_xor(bits, swap, out=bits)
        np.add(k, ahead, out=mask)
        np.bitwise_and(mask, 2, out=mask)
        np.left_shift(mask, 62, out=mask)
        np.bitwise_xor(bits, mask, out=bits)
    return s, c


# ---- pairs in a region


def partners(members: Sequence[Expr]) -> dict[Expr, Expr]:
    """For the second of each sine and cosine of the same values, the first."""
    alone: dict[tuple[Expr, object], Expr] = {}
    pairs: dict[Expr, Expr] = {}
    for n in members:
        if n.op in (sin, cos) and n.dtype == "float64" and n.inputs[0].type is n.type:
            (x,) = n.inputs
            first = alone.pop((x, cos if n.op is sin else sin), None)
            if first is None:
                alone[x, n.op] = n
            else:
                pairs[n] = first
    return pairs


def side_by_side(members: Sequence[Expr]) -> tuple[Expr, ...]:
    """The members, the second of each pair next to the first."""
    pairs = partners(members)
    second = {one: two for two, one in pairs.items()}
    rows = [(n, second[n]) if n in second else (n,) for n in members if n not in pairs]
    return tuple([n for row in rows for n in row])
