"""Random formulas with operations of one student's own, on which functions of a page are tried."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...expr import Constant, Expr
from ...ops import cos, exp, op, scalar, sin

FORMULAS = 12
SIZE = 9  # operations of a formula


def own_operations(rng: np.random.Generator, seed: int) -> list[Any]:
    """Two operations that nobody else has: a function of one operand, and one of two."""
    a, b, c = rng.integers(2, 9, 3) / 4

    def bend(x):
        return np.sin(a * x) + b * x

    def mix(x, y):
        return x * y + c * x

    for body in (bend, mix):  # which are the student's, and none of the house's
        body.__name__, body.__module__ = f"{body.__name__}_{seed}", "student"
    return [
        op(partials=lambda x, out: (a * cos(a * x) + b,))(bend),
        op(partials=lambda x, y, out: (y + c, x))(mix),
    ]


def pick(rng: np.random.Generator, things: Sequence[Any]) -> Any:
    return things[int(rng.integers(len(things)))]


def formula(rng: np.random.Generator, operations: Sequence[Any]) -> tuple[list[Any], Expr]:
    """Two inputs, and an expression in which some node is used more than once."""
    inputs = [scalar("x"), scalar("y")]
    nodes: list[Expr] = [*inputs]
    for _ in range(SIZE):
        each = pick(rng, operations)
        first = nodes[-1]
        rest = [pick(rng, nodes) for _ in range((each.arity or 1) - 1)]
        operands = [first, *rest]
        if rng.random() < 0.2 and rest:
            operands[1] = Constant(float(rng.integers(-3, 4)) or 2.0)
        rng.shuffle(operands)
        nodes.append(sin(each(*operands)) if each is exp else each(*operands))
    return inputs, nodes[-1] + nodes[2] * inputs[1] + inputs[0]


def formulas(rng: np.random.Generator, operations: Sequence[Any]) -> Iterator[tuple]:
    """Random formulas with their inputs, and a point for each."""
    for _ in range(FORMULAS):
        inputs, y = formula(rng, operations)
        yield inputs, y, dict(zip(inputs, rng.uniform(0.2, 1.5, 2), strict=True))


def close(a: Any, b: Any) -> bool:
    return bool(np.allclose(a, b, rtol=1e-8, atol=1e-10, equal_nan=True))


def spell(at: Any) -> str:
    return ", ".join(f"{n} = {value:.3g}" for n, value in at.items())
