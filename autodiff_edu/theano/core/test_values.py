"""Test values: with config.compute_test_value each operation is computed when it is written."""

import warnings
from typing import Any

import numpy as np

from ...expr import Constant, Expr, Shared, value_of
from .config import config
from .variable import TABLES


class NoTestValueError(ValueError, AttributeError):
    """Raised where a variable has no value to be tried with: to old versions an AttributeError."""


def test_value_of(v: Any) -> Any:
    """The value that a variable is tried with. Raises AttributeError where it has none."""
    if isinstance(v.expr, Constant):
        return v.expr.value
    if isinstance(v.expr, Shared):
        return v.expr.held
    return np.asarray(v.type.filter(v.tag.test_value))


def with_test_value(v: Any) -> None:
    """Compute the value of a new variable from those of what it was made of.

    Raises AttributeError where one has none and the option says raise, or what the operation
    raises.
    """
    values: dict[Any, Any] = {}
    without = []
    for source in v.sources:
        try:
            values[source.expr] = test_value_of(source)
        except AttributeError:
            without.append(source)
    try:
        v.tag.test_value = computed(v.expr, values)
    except LookupError:  # it rests on what has none, or on what is not its operand
        if without:
            complain(without[0])


def computed(root: Any, values: dict[Any, Any]) -> Any:
    """The value of an expression from those of nodes below it, which stand for all below them."""
    waiting = [root]
    while waiting:
        n = waiting[-1]
        left = [i for i in n.inputs if i not in values]
        if n in values or left:
            waiting += left if n not in values else []
            if n in values:
                waiting.pop()
            continue
        values[n] = of_a_leaf(n) if n.op is None else value_of(n, values)
        waiting.pop()
    return np.asarray(values[root])


def of_a_leaf(n: Expr) -> Any:
    """The value that a leaf is tried with. Raises LookupError where it has none."""
    try:
        return test_value_of(TABLES["wrap"](n))
    except AttributeError:
        raise LookupError(n) from None


def complain(source: Any) -> None:
    said = f"{source} has no test value: set its tag.test_value, or config.compute_test_value='off'"
    if config.compute_test_value in ("raise", "pdb"):
        raise NoTestValueError(said)
    if config.compute_test_value == "warn":
        warnings.warn(said, stacklevel=5)
