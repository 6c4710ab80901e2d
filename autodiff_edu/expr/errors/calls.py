"""Errors in the call of an operation: its operands, its parameters, and their names."""

import inspect
from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any

import numpy as np

from ...core.errors import REMEDIES, refusal
from ...core.node import Expr
from ..methods import hook
from ..text import shown
from .context import misfit, refuse_options, word_of
from .given import instead_of
from .suggestion import again

SECOND = {  # what a second operand is to say where none is taken
    "max": "ad.maximum(x, y) for the larger of two", "sum": "x + y for the sum of two",
    "min": "ad.minimum(x, y) for the smaller of two", "mean": "(x + y) / 2 for that of two",
    "product": "x * y for the product of two",
    "log": "ad.log(x) / ad.log(base)",
}  # fmt: skip
FOR_NUMBERS = SECOND | {"concatenate": "ad.array([x, y])"}  # which have no axes


def parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a function; none where Python does not know them, as of some in C."""
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


@hook("no_parameter")
def no_parameter(op: Any, static: dict[str, Any]) -> Exception:
    """The error of a static parameter that there is not."""
    refuse_options(op.name, static)
    unknown = ", ".join(sorted(static.keys() - op.parameters.keys()))
    return TypeError(f"{op.name} has no parameter {unknown}")


@hook("wrong_parameter")
def wrong_parameter(op: Any, static: dict[str, Any]) -> Exception:
    """The error of a static parameter that is an expression, or has no value."""
    for name, value in static.items():
        if isinstance(value, Expr):
            sentence = f"{op.name} needs {name} to be known now, not as the expression {value}"
            return refusal(TypeError, sentence, "parameter", op=op)
    needs = [name for name, value in static.items() if value is inspect.Parameter.empty]
    return TypeError(f"{op.name} needs a value for {', '.join(needs)}")


@hook("body_error")
def body_error(op: Any, error: Exception) -> Exception:
    """The error of a body that was given ones, to see of which dtype its result is."""
    if "read-only" not in str(error):
        return error
    return again(error, f"the body of {op.name} writes into an operand, which others read, too: "
                        "work on a copy, as in x = x.copy()")  # fmt: skip


@hook("read")
def read_arguments(op: Any, args: tuple, static: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """The operands and parameters that `reads` of an operation makes of arguments. Raises TypeError
    for unknown ones."""
    try:
        return op.reads(*args, **static)
    except TypeError:
        names = inspect.signature(op.reads).parameters
        unknown = sorted(static.keys() - names.keys())
        if unknown and not any(p.kind is p.VAR_KEYWORD for p in names.values()):
            raise TypeError(f"{op.name} has no parameter {', '.join(unknown)}; what it takes is "
                            f"{', '.join(names)}") from None  # fmt: skip
        raise


@hook("misfit")
def misfit_of(op: Any, inputs: Sequence[Expr], error: Any, of_parameters: bool = False) -> Any:
    """The error for operands, or parameters, that do not fit an operation."""
    numbers = of_parameters and not any(i.ndim for i in inputs) and FOR_NUMBERS.get(op.name)
    if numbers:
        error = again(error, f"{error}: write {numbers}")
    return misfit(word_of(op), inputs, error)


# ---- remedies


def for_operands(op: Any, count: int) -> str:
    try:
        instead = f"{op.name}{inspect.signature(op)}"
    except (TypeError, ValueError):
        instead = f"{op.name}(...)"
    return f"write {SECOND.get(op.name, instead) if count > (op.arity or 0) else instead}"


def for_parameter(op: Any) -> str:
    return f"write {SECOND[op.name]}" if op.name in SECOND else ""


def for_operand(value: Any) -> str:
    """The remedy for a value that is no operand; nothing where the error says it."""
    if value is None:
        return "write `is None` to ask for identity"
    if hasattr(value, "toarray"):
        return "write .toarray() behind it, since all expressions are dense"
    if isinstance(value, Number) and not isinstance(value, (complex, np.generic)):
        return f"write float({shown(value)})"
    of_class = hasattr(value, "__dict__") and not isinstance(value, np.ndarray)
    return instead_of(value) if isinstance(value, str) or of_class else ""


REMEDIES |= {"operands": for_operands, "parameter": for_parameter, "operand": for_operand}
