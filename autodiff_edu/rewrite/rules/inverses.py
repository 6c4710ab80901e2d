"""Inverses and determinants: equations are solved where a product with an inverse stands.

Letters: x a square matrix, y what stands beside its inverse.
"""

from collections.abc import Iterator
from typing import Any

from ...core.pattern import Bindings
from ...expr import Expr
from ...ops import OPS, expand_dims, squeeze, transpose
from ..engine.match_context import MatchContext
from ..engine.rule_table import table
from ..engine.validate import wild
from .linear_algebra import COST, Asking, T, matrices

x, y = wild("x y")
inv, det, solve = OPS["inv"], OPS["det"], OPS["solve_columns"]
SINGULAR = "no error where x is singular"


def with_vector(x: Expr, y: Expr) -> bool:
    return x.ndim == 2 and y.ndim == 1


# ---- equations


class Solved(Asking):
    """A product with an inverse as the solution of equations, where nothing else needs the
    inverse."""

    exempt = "chains of matrices"

    def __init__(self, name: str, left: Expr, right: Any, when: Any):
        super().__init__(name, left, right, when=when, phase="stabilise")

    def matches(self, node: Expr, context: MatchContext) -> Iterator[Bindings]:
        turned = [i for i in node.inputs if i.op is transpose and i.inputs[0].op is inv]
        inverses = [i for i in (*node.inputs, *[i.inputs[0] for i in turned]) if i.op is inv]
        if all(map(context.uses.once, turned + inverses)):
            yield from super().matches(node, context)


def solved(x: Expr, y: Expr) -> Expr:
    return squeeze(solve(x, expand_dims(y, axis=1)), axis=1)


# fmt: off
RULES = table(
    "real",
    ("inverse twice",           inv(inv(x)),                  x, SINGULAR),
    ("solve undoes @",          solve(x, x @ y),              y, SINGULAR),
    ("@ undoes solve",          x @ solve(x, y),              y, SINGULAR),
    **COST,
) + table(
    "real",
    ("determinant of transposed", det(T(x)),                  det(x), "nan in another order"),
) + [
    Solved("solve, not invert",              inv(x) @ y,     solve(x, y), matrices),
    Solved("solve for rows, not invert",     y @ T(inv(x)),  T(solve(x, T(y))), matrices),
    Solved("solve for a vector, not invert", inv(x) @ y,     solved, with_vector),
    Solved("solve for a row, not invert",    y @ T(inv(x)),  solved, with_vector),
]
# fmt: on
