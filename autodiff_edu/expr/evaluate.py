"""The interpreter: the value of every node, one after the other, by NumPy.

It is the reference for everything faster. Values are checked against the types of the inputs;
floating point warnings are silent here as in generated programs.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import wraps
from numbers import Number
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ..core.errors import DTypeError, MissingInputError, ShapeError
from ..core.graph import Graph, as_graph, expression_of, postorder
from ..core.node import Constant, Expr, Input
from ..core.types import spell
from .arrays import require_unmasked
from .errors.calls import for_operand as remedy
from .errors.context import explained
from .errors.given import check_has_value, namesake
from .errors.running import argument_text
from .methods import hook
from .origins import at as made_at
from .shape_check import check_shapes, deciding
from .shared import Shared, snapshot
from .text import shown

P = ParamSpec("P")
R = TypeVar("R")


def evaluate_all(roots: Iterable[Expr], at: Mapping[Any, Any]) -> dict[Expr, Any]:
    """The value of every node that the roots need, by node."""
    values = accepted(at)
    order = postorder(roots)
    read = [n for n in order if isinstance(n, Shared) and n not in values]
    values.update(zip(read, snapshot(*read), strict=True))
    with np.errstate(all="ignore"):
        for n in order:
            if n not in values:
                values[n] = value_of(n, values)
    return values


def values_in_a_dictionary(evaluate: Callable[P, R]) -> Callable[P, R]:
    """The function, with an error that says so where the values are given by keywords."""

    @wraps(evaluate)
    def careful(*args: P.args, **named: P.kwargs) -> R:
        if named.keys() - {"graph", "at"}:
            values = ", ".join(f"{name}: {shown(value)}" for name, value in named.items())
            y = argument_text(0, "y")
            raise TypeError(f"the values are given by input: write ad.evaluate({y}, {{{values}}})")
        return evaluate(*args, **named)

    return careful


@hook("evaluate")
@values_in_a_dictionary
def evaluate(graph: Graph | Expr | Any, at: Mapping[Any, Any] = {}) -> Any:
    """The outputs' values with the inputs at these values.

    It is the reference for everything faster: NumPy computes node after node.

    Parameters
    ----------
    graph : Graph, Stage, Expr or list of Expr
        What is computed.
    at : dict, default: {}
        The inputs' values: {x: 3.0}.

    Returns
    -------
    array or list of array
        One output gives its value, several give a list.

    Raises
    ------
    MissingInputError
        If an input has no value.
    TypeError
        If the values are not given by input.

    See Also
    --------
    function : The same as a program.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.evaluate(x * x, {x: 3.0})
    np.float64(9.0)
    """
    known = as_graph(graph)
    outputs = known.outputs
    given = accepted(at)
    if all(n.op is None for n in given):  # else not all is computed of what the lengths follow
        check_lengths(known, given)
    values = evaluate_all(outputs, given)
    found = [fresh(o, values[o]) for o in outputs]
    return found[0] if len(outputs) == 1 else found


def check_lengths(graph: Graph, given: Mapping[Any, Any]) -> None:
    """Do the lengths of all values agree, also those that whole numbers say?"""
    met = {**{n: n.held for n in graph.leaves if isinstance(n, Shared)}, **given}
    unknown = [n for n in met if isinstance(n, (Input, Shared)) and not n.type.known]
    numbers = {n: int(met[n]) for n in deciding(graph, met)}
    if unknown or numbers:
        check_shapes(graph, unknown, [np.shape(met[n]) for n in unknown], numbers)


def accepted(at: Mapping[Any, Any]) -> dict[Any, Any]:
    """The values by node, those of inputs as arrays of their types."""
    at = {expression_of(n): v for n, v in at.items()} if isinstance(at, Mapping) else at
    wrong = [n for n in at if not isinstance(n, Expr)] if isinstance(at, Mapping) else [at]
    for n in wrong:
        word = n if isinstance(n, str) and n.isidentifier() else "x"
        raise TypeError(f"the values are given by input, as in {{{word}: 3.0}} with "
                        f"{word} = ad.scalar({word!r}), not by {shown(n)}")  # fmt: skip
    return {n: accept(n, v) if isinstance(n, (Input, Shared)) else v for n, v in at.items()}


def fresh(n: Expr, value: Any) -> Any:
    """A value that nobody else holds: views and what the user gave are copied."""
    shared = isinstance(value, np.ndarray) and (value.base is not None or n.op is None)
    return np.array(value) if shared else value


def value_of(n: Expr, values: Mapping[Expr, Any]) -> Any:
    if isinstance(n, Constant):
        return n.value
    if n.op is None:
        check_has_value(n)
        instead = namesake(n, values) or f"write {{{n}: 3.0}}, or another value"
        raise MissingInputError(
            f"no value was given for the input {str(n)!r}{made_at(n)}: {instead}"
        )
    operands = [values[i] for i in n.inputs]
    try:
        return n.op.perform(*operands, **dict(n.static))
    except Exception as error:
        raise explained(error, n, [getattr(v, "shape", ()) for v in operands]) from error


@hook("accept")
def accept(n: Input | Shared, value: Any) -> Any:
    """A user's value as an array of the input's type.

    Integers become floats where floats are declared, and Python's own numbers are rounded to the
    declared dtype. Refused are arrays of a wider dtype, and what would be wrapped or made real.
    """
    if isinstance(value, Expr):
        raise TypeError(
            f"{n} takes a number or an array, not the expression {value}: to use a formula within "
            "another, write it as a Python function, or as ad.OpFromGraph(inputs, outputs)"
        )
    require_unmasked(value)
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ShapeError(f"{n} takes an array, not {shown(value)}: {error}") from None
    if array.dtype != n.type.dtype:
        array = convert(n, value, array)
    if not n.type.fits(array.shape):
        raise ShapeError(f"{n} is declared {n.type!r}; a value of shape {spell(array.shape)} "
                         "was given: reshape it, or declare other lengths")  # fmt: skip
    return array[()]


def convert(n: Input | Shared, value: Any, array: np.ndarray) -> np.ndarray:
    """The array in the input's dtype. Plain Python values, lists of them too, are weak."""
    weak = not hasattr(value, "dtype")
    if weak and array.dtype == object and {type(v) for v in array.flat} == {int}:
        with suppress(OverflowError):  # integers beyond 64 bits
            array = array.astype(float) if n.type.is_float else array
    if array.dtype.kind not in "biuf":
        hint = remedy(value) if isinstance(value, Number) or hasattr(value, "toarray") else ""
        raise DTypeError(f"{n} takes real numbers, not {shown(value)}{hint and f': {hint}'}")
    python = {"b": bool, "i": int, "u": int, "f": float}[array.dtype.kind]
    source = python(1) if weak else array.dtype
    if np.result_type(n.type.dtype, source) != n.type.dtype:
        raise DTypeError(
            f"{n} is declared {n.type.dtype} and cannot hold {array.dtype} without loss: "
            f"convert it, or declare dtype={str(array.dtype)!r}"
        )
    found = array.astype(n.type.dtype)
    if found.dtype.kind in "iu" and not np.array_equal(found, array):
        raise DTypeError(f"{n} is declared {n.type.dtype}, which ends before {value!r}: declare a "
                         "wider one")  # fmt: skip
    return found
