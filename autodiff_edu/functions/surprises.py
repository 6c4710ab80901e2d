"""What a traced function does otherwise than with numbers, told where the user wrote it.

A set and the keys of a dictionary compare expressions by identity, a string holds their formula,
and what a function keeps outside itself at one call is no number at the next.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any
from weakref import WeakValueDictionary

from ..expr import Expr, Input, as_graph, parameters_of
from .bytecode import compared_by_identity
from .pytree import tree_unflatten
from .symbols import name_of

ended: WeakValueDictionary[int, Input] = WeakValueDictionary()  # symbols of traces that are over


def tell_of_sets(f: Callable[..., Any], inputs: Sequence[Any], structure: Any) -> None:
    """Warn where a set in the code of f compares an argument that is an expression."""
    if not isinstance(f, FunctionType):
        return
    args, named = tree_unflatten(structure, inputs)
    given = {p.name: a for p, a in zip(parameters_of(f), args)} | named
    names = {name for name, value in given.items() if isinstance(value, Expr)}
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
