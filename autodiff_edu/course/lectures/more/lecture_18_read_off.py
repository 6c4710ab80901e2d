"""Second order and sparsity, second part: a matrix read off from products, and Newton uphill."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from ....differentiate import grad
from ....expr import Expr, Input, TensorType, evaluate
from ....structure import newton
from ....structure.coloring import column_colors
from ....structure.entries import sparse
from ...harness.check import call
from ...harness.checker import checker
from ...harness.feedback import complain, expect, numbers, spell
from ..lecture_08 import Sweep
from ..lecture_18 import arrow, random_pattern, tridiagonal

FLAT = 1e-6  # a gradient shorter than this has no direction


@checker
def check_compressed(
    student: Callable[..., Any], *, trials: int = 30, seed: int | None = None
) -> None:
    """student(push, pattern, colors) is the matrix, from one call of push for each colour.

    push(t) is J·t for one array t. The pattern is 1 where J can be other than zero.

    Parameters
    ----------
    trials : int, default: 30
        How many random matrices are tried, after a tridiagonal one and two arrows.
    seed : int, optional
        Of the random matrices; by default a fresh one each time.
    """
    rng = np.random.default_rng(seed)
    patterns = [tridiagonal(7), arrow(4), arrow(6).T, *(random_pattern(rng) for _ in range(trials))]
    for pattern in patterns:
        J = np.where(pattern, rng.uniform(1, 9, pattern.shape).round(2), 0)
        given = pattern.astype(int), column_colors(sparse.csr_array(pattern))
        push = Sweep("push", J)
        got = call(student, (push, *given))
        at = f"pattern={spell(given[0])}, colors={spell(given[1])}"
        expect(J, got, at)
        most = int(given[1].max()) + 1
        if push.calls > most:
            complain(
                f"{student.__name__}: too many products",
                f"{most} calls of push",
                f"{push.calls} calls",
                at,
            )
    print(f"{student.__name__}: right, with a product for each colour, {len(patterns)} times")


@checker
def check_uphill(student: Callable[[], Any], cost: Callable[[Expr], Expr]) -> None:
    """student() is a point from which the step of Newton's method leads uphill.

    Parameters
    ----------
    cost : callable
        What Newton's method should make small: a function of an array of two numbers.

    Raises
    ------
    Wrong
        If it is not so.
    """
    got, name = call(student, ()), student.__name__
    point = numbers(got)
    if point is None or point.shape != (2,) or not np.isfinite(point).all():
        complain(f"{name} returns a point", "two finite numbers", spell(got))
    x = Input("x", TensorType("float64", (2,)))
    try:
        slope, after = evaluate([grad(cost(x), x), newton(cost(x), x)], {x: point})
    except LinAlgError:
        complain(f"{name}: there is no step", "a Hessian with an inverse", "one without", name)
    if np.abs(slope).max() < FLAT:
        complain(f"{name}: there is no direction", "a gradient that is not zero", "zero", name)
    if slope @ (after - point) <= 0:
        complain(f"{name}: the step leads down", "gradient @ step > 0", "a negative number")
    print(f"{name}: the step leads uphill")
