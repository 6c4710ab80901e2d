"""Warnings and errors where a traced function does otherwise than with numbers.

A set and the keys of a dictionary compare expressions by identity, a string holds their formula,
and what a function keeps outside itself at one call is no number at the next.
"""

import dis
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakValueDictionary

from ..expr import Expr, Input, as_graph, parameters_of
from .bytecode import ATTRIBUTE, NOTHING, parts
from .pytree import tree_unflatten
from .symbols import name_of

ended: WeakValueDictionary[int, Input] = WeakValueDictionary()  # symbols of traces that are over


def tell_of_sets(f: Callable[..., Any], inputs: Sequence[Any], structure: Any) -> None:
    """Warn where a set in the code of f compares an argument that is an expression."""
    if not isinstance(f, FunctionType):
        return
    args, named = tree_unflatten(structure, inputs)
    values = {p.name: a for p, a in zip(parameters_of(f), args)} | named
    names = {name for name, value in values.items() if isinstance(value, Expr)}
    for line in compared_by_identity(f.__code__, names):
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


def compared_by_identity(code: CodeType, names: set[str]) -> Iterator[int]:
    """Where sets compare what these variables hold: `x in {1.0, 2.0}`, `{x, 2 * x}`. What is called
    or taken of a variable may be something else, and is left out."""
    for part in parts(code):
        rows = [i for i in dis.get_instructions(part) if i.opname not in NOTHING]
        for before, i in pairwise(rows):
            of_constants = i.opname == "CONTAINS_OP" and isinstance(before.argval, frozenset)
            if not (of_constants or (i.opname == "BUILD_SET" and i.arg)):
                continue
            within = [row for row in rows if is_within(row.positions, i.positions)]
            loads = {
                n for row in within if row.opname.startswith("LOAD_FAST") for n in variables(row)
            }
            calls = ("CALL", *ATTRIBUTE)
            if loads & names and not any(row.opname.startswith(calls) for row in within):
                yield (i.positions and i.positions.lineno) or part.co_firstlineno


def variables(row: dis.Instruction) -> tuple[str, ...]:
    """The variables that an instruction loads: one, or since Python 3.13 two."""
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
