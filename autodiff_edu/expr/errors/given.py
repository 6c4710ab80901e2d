"""Errors about the inputs and expressions that a user gives, with their remedies."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ...core.errors import REMEDIES, MissingInputError
from ...core.node import Disconnected, Expr, Null
from ..as_given import is_function
from ..origins import at


def instead_of(value: Any) -> str:
    """The remedy where something else than an expression was given."""
    if isinstance(value, str) and not value.isidentifier():
        return "write the formula without quotation marks, of inputs such as x = ad.scalar('x')"
    if isinstance(value, str):
        return f"write {value} itself, made by {value} = ad.scalar({value!r})"
    name = getattr(value, "__name__", "")
    if callable(value) and name:
        return f"write {name if name.isidentifier() else 'f'}(x) for it, with x = ad.scalar('x')"
    if hasattr(value, "indptr") and hasattr(value, "function"):
        return ("write .data behind it, for its nonzeros as an expression, .evaluate({x: ...}) for "
                "its numbers, or .function(x) for a program")  # fmt: skip
    if hasattr(value, "outputs"):
        return "write .output behind it, for the expression that the stage made"
    return "build one from ad.scalar('x')"


def no_variable(value: Any) -> str:
    """The remedy where something else than a variable was given."""
    if isinstance(value, str) or is_function(value):
        return instead_of(value)
    return "name the variable, such as x = ad.scalar('x'); its value comes later, in ad.evaluate"


REMEDIES |= {"expression": instead_of, "variable": no_variable}


def check_distinct(inputs: Iterable[Expr]) -> None:
    """Raises ValueError for an input that is listed twice."""
    for i, uses in Counter(inputs).items():
        if uses > 1:
            raise ValueError(f"the input {i}{at(i)} is listed twice")


def check_listed(needed: Iterable[Expr], inputs: Sequence[Expr]) -> None:
    """Raises MissingInputError for what is needed and not among the inputs."""
    known = set(inputs)
    for n in needed:
        if n not in known:
            listed = ", ".join(map(str, inputs))
            added = ", ".join(map(str, [*inputs, n]))
            raise MissingInputError(
                f"the outputs need {n}{at(n)}, which is not among the inputs ({listed}): "
                f"{namesake(n, known) or f'add it to the list, as in [{added}]'}"
            )


def namesake(n: Expr, others: Iterable[Any]) -> str:
    """What to do where another input of the same name stands in the place of n."""
    for other in others:
        if isinstance(other, Expr) and other is not n and n.name and other.name == n.name:
            return (
                f"the {n} that was given is another one{at(other)}, since every call of "
                f"ad.scalar or the like makes a new input: make {n} once, and use it everywhere"
            )
    return ""


def check_has_value(n: Expr) -> None:
    """Raises TypeError for what stands for a derivative that there is not."""
    if isinstance(n, (Null, Disconnected)):
        why = n.why if isinstance(n, Null) else "no path leads to it"
        raise TypeError(
            f"{n} stands for a derivative that does not exist, and has no value: {why}. Leave it "
            "out, or take ad.zeros_like(x) in its place"
        )
