"""Bordered products: what is added to all rows, or to all columns, of a matrix product is computed
by the product itself.

    x @ y + u + v  =  [x u 1] @ [y; 1; v]      for a column u and a row v

That takes the place of a walk through a large result for each term. It is quicker where the result
has many more entries than the factors, which are copied: measured for lengths of 5 to 400, by 5 to
30 per cent. Numbers are added afterwards: a BLAS may add up in any order, and a small number would
be lost between large terms that cancel each other.

Letters: n the sum, m a node within it, x and y the factors.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

from ..expr import Expr
from ..ops import add, matmul, negative, subtract
from . import regions

QUICKER = 4  # so many more entries are added than are copied
MOST = 16  # operations that one product takes the place of
SUMS = (add, subtract, negative)


class Bordered(NamedTuple):
    """A product and what is added to it.

    Parameters
    ----------
    product : Expr
        The product.
    minus : bool
        Whether it is subtracted.
    terms : tuple of tuple
        (term, sign): columns, rows and numbers.
    inner : tuple of Expr
        The operations that have no array then.

    Examples
    --------
    >>> x, y, b = ad.matrix("x", shape=(900, 2)), ad.matrix("y", shape=(2, 900)), ad.scalar("b")
    >>> n = b - x @ y
    >>> ad.plan(n).after.bordered[n].minus
    True
    """

    product: Expr
    minus: bool
    terms: tuple[tuple[Expr, int], ...]
    inner: tuple[Expr, ...]

    @property
    def reads(self) -> tuple[Expr, ...]:
        """The factors, and the terms."""
        return (*self.product.inputs, *[m for m, _ in self.terms])


def bordered(
    order: Sequence[Expr], outputs: Sequence[Expr], taken: Iterable[Expr]
) -> dict[Expr, Bordered]:
    """The sums that are bordered products; nodes that are taken are computed elsewhere."""
    found: dict[Expr, Bordered] = {}
    if not any(map(regions.is_large, {n.type for n in order if n.op is matmul})):
        return found
    uses = Counter([*outputs, *[i for n in order for i in n.inputs]])
    inside = set(taken)
    for n in reversed(order):
        one = None if n in inside else read(n, uses, inside)
        if one is not None and is_quicker(n, one):
            found[n] = one
            inside.update(one.inner)
    return found


def read(n: Expr, uses: Mapping[Expr, int], taken: set[Expr]) -> Bordered | None:
    """The sum at n as one product, and terms that are the same for all rows or all columns."""
    if n.op not in SUMS or n.ndim != 2 or n.dtype != "float64" or not regions.is_large(n.type):
        return None
    products: list[tuple[Expr, int]] = []
    terms: list[tuple[Expr, int]] = []
    inner: list[Expr] = []
    stack = [(n, 1)]
    while stack and len(inner) < MOST:
        m, sign = stack.pop()
        alone = m.type is n.type and uses[m] == 1 and not m.name and m not in taken
        if m is n or (alone and m.op in SUMS):
            signs = (-sign,) if m.op is negative else (sign, -sign if m.op is subtract else sign)
            stack += [*zip(m.inputs, signs, strict=True)][::-1]
            inner += [m] if m is not n else []
        elif alone and is_product(m):
            products.append((m, sign))
            inner.append(m)
        elif is_border(m):
            terms.append((m, sign))
        else:
            return None
    if stack or len(products) != 1:
        return None
    ((product, sign),) = products
    return Bordered(product, sign < 0, tuple(terms), tuple(inner))


def is_product(m: Expr) -> bool:
    """Is it a product of two matrices?"""
    return m.op is matmul and all(
        i.ndim == 2 and i.type.known and i.dtype == "float64" for i in m.inputs
    )


def is_border(m: Expr) -> bool:
    """Is it a column, a row or a number?"""
    return m.dtype == "float64" and m.type.known and (m.ndim < 2 or (m.ndim == 2 and 1 in m.shape))


def is_quicker(n: Expr, one: Bordered) -> bool:
    """Are many more entries added than copied?"""
    x, y = one.product.inputs
    borders = sum([prod(m.shape) > 1 for m, _ in one.terms])
    copied = (x.shape[0] + y.shape[1]) * (x.shape[1] + borders)
    return borders > 0 and bool(borders * prod(n.shape) >= QUICKER * copied)
