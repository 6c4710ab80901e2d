"""The values that things hold: functions, cells, tables, objects, each in a row."""

import collections
import functools
import types
from collections.abc import Iterator, Sequence
from inspect import FullArgSpec
from itertools import chain
from typing import Any

import numpy as np

from ..expr import Op
from .probes import ABSENT
from .pure_functions import is_pure
from .unsure import Unsure

ROWS = (list, tuple, set, frozenset, collections.deque)
TABLES = (dict, collections.OrderedDict, types.MappingProxyType)
OURS = __name__.partition(".")[0]
BASES = (object, int, float, str, list, tuple, set, frozenset, dict, BaseException, Exception)

SILENT = set("__module__ __doc__ __dict__ __weakref__ __annotations__ __annotate_func__ "
             "__annotations_cache__ __firstlineno__ __static_attributes__ __orig_bases__ __slots__ "
             "__parameters__ __match_args__ __dataclass_fields__ __dataclass_params__ "
             "__abstractmethods__ _abc_impl __classdictcell__".split())  # fmt: skip
OF_TUPLES = set(vars(FullArgSpec)) - {"_fields", *FullArgSpec._fields}  # which is a named tuple


class Itself:
    """What a program reads whenever it runs, so that only another object would be a change."""

    def __init__(self, value: Any):
        self.value = value  # held, so that its identity stays its own

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.value is self.value


def of_table(table: Any) -> Sequence[Any]:
    return [*table, *table.values()]


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


def rows_of_class(cls: type) -> list[tuple[str, Any]]:
    """The functions and values of a class by name, but for those that Python keeps there."""
    silent = SILENT | OF_TUPLES if "_fields" in vars(cls) else SILENT
    rows = list(vars(cls).items())
    return [(k, v) for k, v in rows if k not in silent and not is_known_row(k, v)]


def slots(value: Any, kind: type) -> Iterator[Any]:
    """The values in the slots of an object."""
    for cls in kind.__mro__:
        for place in vars(cls).values():
            if isinstance(place, types.MemberDescriptorType):
                try:
                    yield place.__get__(value)
                except AttributeError:
                    yield ABSENT


def of_instance(value: Any) -> list[Any]:
    """All that an object holds by now, in a row."""
    kind = type(value)
    below = [rows_of(value, base) for base in kind.__mro__ if base in (*ROWS, *TABLES)]
    held, args = of_table(attributes_of(value)), getattr(value, "args", ())
    args = args if isinstance(value, BaseException) else ()
    return [kind, *slots(value, kind), *held, *args, *chain.from_iterable(below)]


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes in the dictionary of an object, but for the memory of an operation."""
    held = list(getattr(value, "__dict__", {}).items())
    return {k: v for k, v in held if k != "_types" or not isinstance(value, Op)}


def plain_value(value: Any) -> list[Any]:
    """The number, text or error that an object is beside its attributes; its own words for it do
    not count."""
    if isinstance(value, BaseException):
        return [type(value).__name__, *value.args]
    kinds = [base for base in (int, float, str) if isinstance(value, base)]
    return [base.__repr__(value) for base in kinds]


def hides(kind: type) -> bool:
    """Does one of the classes above it, written in C, hold what nobody sees?"""
    seen = (*BASES, *ROWS, *TABLES)
    bases = [base for base in kind.__mro__ if base not in seen and is_pure(base)]
    return any(not issubclass(base, BaseException) for base in bases)


def parts_of(function: Any) -> list[Any]:
    """The function itself; of a method, which is new each time, the function and the object."""
    return [getattr(function, "__func__", function), getattr(function, "__self__", None)]


def of_defaults(table: Any) -> list[Any]:
    """The entries of a dictionary, and what makes those that there are not."""
    return [table.default_factory, *of_table(table)]


def is_special(kind: type) -> bool:
    """Do the objects of this class hold anything beside their attributes, or a memory of ours?"""
    rows = chain.from_iterable(vars(cls).values() for cls in kind.__mro__ if cls not in BASES)
    if not kind.__dictoffset__ or any(isinstance(r, types.MemberDescriptorType) for r in rows):
        return True
    return issubclass(kind, (Op, BaseException, *ROWS, *TABLES))


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
