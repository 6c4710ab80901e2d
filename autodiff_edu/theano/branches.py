"""`ifelse` as Theano had it: of two values one is computed."""

from typing import Any

from ..expr import Expr
from ..nested import cond
from .core import lift
from .core.variable import TABLES


def ifelse(condition: Any, then_branch: Any, else_branch: Any, name: str | None = None) -> Any:
    """`then_branch` if the condition is not zero, else `else_branch`, of which one is computed; of
    lists, a list."""
    several = isinstance(then_branch, (list, tuple))
    sides = [[TABLES["as_tensor_variable"](v) for v in as_list(side)]
             for side in (then_branch, else_branch)]  # fmt: skip
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            f"The number of values on the `then` branch should have the same number "
            f"of variables as the `else` branch: ({len(sides[0])}, {len(sides[1])})"
        )
    found = lift(choose)(condition, *sides)
    return type(then_branch)(found) if several else found[0]


def as_list(x: Any) -> list[Any]:
    return list(x) if isinstance(x, (list, tuple)) else [x]


def choose(condition: Any, first: list[Expr], second: list[Expr]) -> list[Expr]:
    """One side or the other; lengths that only one side tells are forgotten."""
    pairs = [alike(a, b) for a, b in zip(first, second, strict=True)]
    return cond(condition, [a for a, _ in pairs], [b for _, b in pairs])


def alike(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    if a.ndim != b.ndim:
        raise TypeError(
            f"the two branches should have the same type, not {a.type!r} and {b.type!r}"
        )
    return a, b
