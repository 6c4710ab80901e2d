"""The values that things hold: functions, cells, tables, objects, each in a row."""

import collections
import functools
import types
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from ..expr import Op
from .pure_functions import is_pure
from .unsure import Unsure

ROWS = (list, tuple, set, frozenset, collections.deque)
TABLES = (dict, collections.OrderedDict, types.MappingProxyType)
OURS = __name__.partition(".")[0]
BASES = (object, int, float, str, list, tuple, set, frozenset, dict, BaseException, Exception)


class Itself:
    """What a program reads whenever it runs, so that only another object would be a change."""

    def __init__(self, value: Any):
        self.value = value  # held, so that its identity stays its own

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.value is self.value


def of_table(table: Any) -> Sequence[Any]:
    return [*table, *table.values()]


def of_class(cls: type) -> Sequence[Any]:
    """The classes above it, of which each has a table of its own."""
    return [cls.__mro__]


def is_ours(module: Any) -> bool:
    return isinstance(module, str) and module.partition(".")[0] == OURS


def is_known(module: Any) -> bool:
    """May what a function of this module loads from outside be taken for granted?"""
    return is_ours(module) or module in ("dataclasses", "reprlib")


def is_trusted(cls: type) -> bool:
    return cls in BASES or is_ours(cls.__module__) or is_pure(cls)


def is_known_row(name: str, value: Any) -> bool:
    """Is it where a class keeps an attribute of its objects, or the hash that @dataclass wrote?"""
    if isinstance(value, types.FunctionType):
        return name == "__hash__" and value.__code__.co_filename == "<string>"
    return isinstance(value, types.MemberDescriptorType) or type(value).__name__ == "_tuplegetter"


def slots(value: Any, kind: type) -> Iterator[Any]:
    """The values in the slots of an object."""
    for cls in kind.__mro__:
        for place in vars(cls).values():
            if isinstance(place, types.MemberDescriptorType):
                try:
                    yield place.__get__(value)
                except AttributeError:
                    yield None


def of_instance(value: Any) -> list[Any]:
    """All that an object holds by now, in a row."""
    kind = type(value)
    below = [rows_of(value, base) for base in kind.__mro__ if base in (*ROWS, *TABLES)]
    held = of_table({k: v for k, v in getattr(value, "__dict__", {}).items() if k != "_types"})
    return [kind, *slots(value, kind), *held, *chain.from_iterable(below)]


def of_defaults(table: Any) -> list[Any]:
    """The entries of a dictionary, and what makes those that there are not."""
    return [table.default_factory, *of_table(table)]


def is_special(kind: type) -> bool:
    """Do the objects of this class hold anything beside their attributes, or a memory of ours?"""
    rows = chain.from_iterable(vars(cls).values() for cls in kind.__mro__ if cls not in BASES)
    if not kind.__dictoffset__ or any(isinstance(r, types.MemberDescriptorType) for r in rows):
        return True
    return issubclass(kind, (Op, *ROWS, *TABLES))


def of_attributes(value: Any) -> list[Any]:
    """The class of an object, and the dictionary of its attributes: both can be exchanged."""
    return [type(value), vars(value)]


def of_objects(array: np.ndarray) -> list[Any]:
    return [*array.shape, *array.ravel().tolist()]


def rows_of(value: Any, base: Any) -> list[Any]:
    """What an object holds as a list, a tuple, a dictionary..."""
    if issubclass(base, dict):
        return [*dict.keys(value), *dict.values(value)]
    return list(base.__iter__(value))


def unwrapped(value: Any) -> Sequence[Any]:
    """The functions of a property, a class method or a static method; else the value itself."""
    if isinstance(value, property):
        return value.fget, value.fset, value.fdel
    if isinstance(value, functools.cached_property):
        return (value.func,)
    return (value.__func__,) if isinstance(value, (classmethod, staticmethod)) else (value,)


def owner(method: Any) -> Any:
    """The object whose method it is; a function of a module written in C has none."""
    if method.__self__ is None or isinstance(method.__self__, types.ModuleType):
        raise Unsure("its results may depend on more than its arguments", method)
    return method.__self__
