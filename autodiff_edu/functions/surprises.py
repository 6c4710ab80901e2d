"""Warnings and errors where a traced function does otherwise than with numbers.

A set and the keys of a dictionary compare expressions by identity, a string holds their formula,
and what a function keeps outside itself at one call is no number at the next.
"""

import dis
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ..core.derivative_rules import Declared
from ..expr import Expr, Input, as_graph, parameters_of
from .bytecode import ATTRIBUTE, BY_NAME, NOTHING, Path, attributes, parts
from .pytree import tree_unflatten
from .symbols import name_of

LOADS = ("LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE")
STORES = ("STORE_FAST", "STORE_DEREF")
ENDS = ("STORE_", "POP_", "RETURN_", "JUMP_", "FOR_ITER")
STORE_AND_LOAD = "STORE_FAST_LOAD_FAST"  # of one statement and of the next, since Python 3.13
ANSWERS = ("IS_OP", "CONTAINS_OP")  # of which the result is True or False
ended: WeakValueDictionary[int, Input] = WeakValueDictionary()  # symbols of traces that are over


def tell_of_sets(f: Callable[..., Any], inputs: Sequence[Any], structure: Any) -> None:
    """Warn where a set in the code of f compares an argument that is an expression."""
    if not isinstance(f, FunctionType):
        return
    args, named = tree_unflatten(structure, inputs)
    values = {p.name: a for p, a in zip(parameters_of(f), args)} | named
    names = {name for name, value in values.items() if isinstance(value, Expr)}
    for line in compared_by_identity(f, names):
        warnings.warn_explicit(
            f"{name_of(f)} is traced, and a set compares expressions by identity, not by their "
            "numbers: write a list, as in `x in [1.0, 2.0]`, which asks for equal numbers",
            UserWarning,
            f.__code__.co_filename,
            line,
        )


def end(symbols: Iterable[Any]) -> None:
    """Remember that the trace of these symbols is over."""
    ended.update({id(i): i for i in symbols})


def check_own(outputs: Sequence[Expr], f: Callable[..., Any]) -> None:
    """Raises TypeError for a result that needs a symbol of an earlier call, which f kept."""
    for i in as_graph(list(outputs)).inputs if outputs else ():
        if ended.get(id(i)) is i:
            raise TypeError(
                f"{name_of(f)} kept an expression of an earlier call, whose {i.name} has no number "
                "any more: a function that is differentiated changes nothing outside itself, so "
                "return what is to be kept, with has_aux=True beside the loss"
            )


# ---- sets in code


def compared_by_identity(f: FunctionType, arguments: set[str]) -> Iterator[int]:
    """Where sets compare what these arguments hold, or what is computed of them: `x in {1.0, 2.0}`,
    `{x, 2 * x}`."""
    for part in parts(f.__code__):
        rows = [i for i in dis.get_instructions(part) if i.opname not in NOTHING]
        names = arguments - (set() if part is f.__code__ else set(part.co_varnames))
        begin = 0  # of the statement, in rows
        for k, i in enumerate(rows):
            if compares(i, rows[k - 1]):
                within = [row for row in rows if is_within(row.positions, i.positions)]
                if is_expression(within, names, f.__globals__):
                    yield (i.positions and i.positions.lineno) or part.co_firstlineno
            if i.opname.startswith(STORES):
                answer = any(row.opname in ANSWERS for row in rows[begin:k])
                new = not answer and is_expression(rows[begin:k], names, f.__globals__)
                (names.add if new else names.discard)(variables(i)[0])
            if i.opname.startswith(ENDS):
                begin = k if i.opname == STORE_AND_LOAD else k + 1


def compares(i: dis.Instruction, before: dis.Instruction) -> bool:
    """Does an instruction make a set, or look into the set of constants before it?"""
    constants = i.opname == "CONTAINS_OP" and isinstance(before.argval, frozenset)
    return constants or (i.opname == "BUILD_SET" and bool(i.arg))


def is_expression(rows: list[dis.Instruction], names: set[str], outside: Mapping) -> bool:
    """Do these instructions compute an expression of variables that hold some? What anything but an
    operation is called with, or what is taken of a variable, may be something else."""
    loads = {n for row in rows if row.opname.startswith(LOADS) for n in variables(row)}
    loads |= {row.argval[1] for row in rows[:1] if row.opname == STORE_AND_LOAD}
    paths = [
        (row.argval, attributes(rows[k + 1 :])) for k, row in enumerate(rows)
        if row.opname in BY_NAME
    ]  # fmt: skip
    operations = [path for path in paths if is_operation(path, outside)]
    calls = [row for row in rows if row.opname.startswith("CALL")]
    count = sum(row.opname in ATTRIBUTE for row in rows)
    plain = len(calls) == len(operations) and count == sum(len(path[1]) for path in operations)
    return bool(loads & names) and plain


def is_operation(path: Path, outside: Mapping) -> bool:
    """Does a path such as np.sin lead to a universal function, or to an operation of ours?"""
    thing = outside.get(path[0])
    for name in path[1]:
        thing = getattr(thing, name, None)
    return isinstance(thing, (np.ufunc, Declared))


def variables(row: dis.Instruction) -> tuple[str, ...]:
    """The variables of an instruction: one, or since Python 3.13 two."""
    return row.argval if isinstance(row.argval, tuple) else (row.argval,)


def is_within(inner: Any, outer: Any) -> bool:
    """Is the one part of the text a part of the other?"""
    if None in (*(inner or (None,)), *(outer or (None,))):
        return False
    begins = (outer.lineno, outer.col_offset) <= (inner.lineno, inner.col_offset)
    return begins and (inner.end_lineno, inner.end_col_offset) <= (
        outer.end_lineno,
        outer.end_col_offset,
    )
