"""What is false of an expression's value, whatever its inputs are.

    refuted(0 != 0)              True       a number decides
    refuted(-exp(x) > 0)         True       exp(x) ≥ 0 is proved
    refuted(x > 0)               False      it may hold

Mode real takes arguments to lie in their domains. Where they cannot lie there, nothing is
rewritten: the user keeps the nan that the formula gives. As proofs are, this is a few operations
deep.
"""

from typing import Any

import numpy as np

from ...expr import Constant, Expr
from ...ops import abs, add, divide, multiply, negative, square, subtract
from .prover import DEEP, HOLDS, is_provable, parse_fact

OPPOSED = {"positive": "nonnegative", "nonnegative": "positive"}  # −x ≥ 0 says that x > 0 is false
SPREADING = {  # the operations of which the fact is false where it is false of an operand
    "nonzero": {abs, multiply, negative, square},
    "finite": {abs, add, multiply, negative, square, subtract},
}


def refuted(condition: Expr) -> bool:
    """Is the condition false, whatever the inputs are?"""
    answer = number(condition, DEEP)
    if answer is not None:
        return not np.all(answer)
    says = parse_fact(condition)
    return says is not None and fails(*says)


def fails(fact: str, x: Expr, depth: int = DEEP) -> bool:
    """Is the fact false of x: of its number, or because the opposite is proved?"""
    value = number(x, depth)
    if value is not None:
        return not np.all(HOLDS[fact](value))
    if fact in OPPOSED:
        minus = opposite(x, depth)
        return minus is not None and is_provable(OPPOSED[fact], minus)
    if depth and fact == "finite" and x.op is divide:
        above, below = x.inputs
        return fails(fact, above, depth - 1) or fails("nonzero", below, depth - 1)
    if not depth or x.op not in SPREADING.get(fact, ()):
        return False
    return any(fails(fact, i, depth - 1) for i in x.inputs)


def number(x: Expr, depth: int) -> Any:
    """The value of an expression of constants, and None of any other."""
    if isinstance(x, Constant):
        return x.value
    if not x.inputs or not depth or not x.op.elementwise:
        return None
    values = [number(i, depth - 1) for i in x.inputs]
    if any(v is None for v in values):
        return None
    return x.op.perform(*values, **dict(x.static))


def opposite(x: Expr, depth: int) -> Expr | None:
    """−x, written without a minus; None where x has none to give."""
    if isinstance(x, Constant):
        return Constant(-x.value) if x.type.is_float and np.all(x.value < 0) else None
    if x.op is negative:
        return x.inputs[0]
    if x.op not in (add, subtract, multiply, divide) or not depth:
        return None
    a, b = x.inputs
    minus_a, minus_b = opposite(a, depth - 1), opposite(b, depth - 1)
    if x.op in (multiply, divide):
        pair = (minus_a, b) if minus_a is not None else (a, minus_b)
        return None if pair[1] is None else x.op(*pair)
    rest = minus_b if x.op is add else b
    return None if minus_a is None or rest is None else minus_a + rest
