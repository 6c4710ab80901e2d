"""What a Python function reads besides its arguments, so that a change of it is noticed.

A Look is equal to another as long as nothing has changed. It understands plain data, arrays,
functions that are known to be pure, and whatever users make of these: containers, functions,
classes, objects. Where it meets anything else (files, clocks, random draws, iterators, modules that
are passed on) it raises Unsure: nobody can prove then what a call will give.
"""

import abc
import collections
import functools
import types
from collections.abc import Iterator, Sequence
from inspect import FullArgSpec
from operator import attrgetter
from typing import Any

import numpy as np

from ..chance import RandomStream
from ..expr import Bits, Expr, Op, key_of, unchanging
from .bytecode import loads_of
from .pure import is_pure
from .pytree import of_a_user

EQUAL = (int, str, bytes, bool, type(None), type(...), type(NotImplemented))  # as they are compared
WRITTEN = (float, complex, range, slice)  # compared as they are written: nan, -0.0
ROWS = (list, tuple, set, frozenset, collections.deque)
TABLES = (dict, collections.OrderedDict, types.MappingProxyType)
BASES = (object, int, float, str, list, tuple, set, frozenset, dict, BaseException, Exception)
SILENT = set("__module__ __doc__ __dict__ __weakref__ __annotations__ __annotate_func__ "
             "__annotations_cache__ __firstlineno__ __static_attributes__ __orig_bases__ __slots__ "
             "__parameters__ __match_args__ __dataclass_fields__ __dataclass_params__ "
             "__abstractmethods__ _abc_impl __classdictcell__".split())  # fmt: skip
OF_TUPLES = set(vars(FullArgSpec)) - {"_fields", *FullArgSpec._fields}  # which is a named tuple
OURS = __name__.partition(".")[0]
MANY = 5000  # objects that are looked at
KEPT = 64  # values that are remembered


class Unsure(Exception):
    """Nobody can tell whether this value has changed."""


class Remembered:
    """What a function remembers of its calls; it changes no result, and so it is not compared."""


class Kept(Remembered, dict):
    """What is remembered to be quick: the latest few."""

    def keep(self, key: Any, value: Any) -> None:
        """Put it in as the latest; threads may do so at once."""
        self.pop(key, None)
        self[key] = value
        for old in list(self)[:-KEPT]:
            self.pop(old, None)

    def __reduce__(self) -> Any:
        return Kept, ()  # programs are code: another process makes them anew

    def __deepcopy__(self, memo: dict) -> "Kept":
        return self


class Itself:
    """What a program reads whenever it runs, so that only another object would be a change."""

    def __init__(self, value: Any):
        self.value = value  # held, so that its identity stays its own

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.value is self.value


class Look:
    """One look around; each object is looked at once."""

    def __init__(self, value: Any) -> None:
        self.seen: dict[int, tuple[int, Any]] = {}  # held, so that an identity stays its own
        self.contents: list[Bits] = []
        self.told = np.get_printoptions(), self.at(value)  # the words for an array depend on them
        self.seen = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Look) and self.told == other.told

    def keep(self) -> "Look":
        """Remember the arrays as they are now."""
        for content in self.contents:
            content.array = unchanging(content.array)
        return self

    def at(self, value: Any) -> Any:
        kind = type(value)
        if kind in EQUAL:
            return kind, value
        if kind in WRITTEN or isinstance(value, np.dtype):
            return kind, repr(value)
        if kind is not np.ndarray and is_pure(value):
            return Itself(value)
        if id(value) in self.seen:
            return "seen", self.seen[id(value)][0]
        self.seen[id(value)] = len(self.seen), value
        if len(self.seen) > MANY:
            raise Unsure
        return self.into(value, kind)

    def all(self, values: Any) -> tuple:
        return tuple([self.at(v) for v in values])

    def into(self, value: Any, kind: type) -> Any:
        if kind is np.ndarray:
            return self.content(value)
        if kind is types.FunctionType:
            return self.function(value)
        if isinstance(value, np.generic) and is_pure(kind):
            return kind, self.content(np.asarray(value))
        if isinstance(value, (Expr, RandomStream)) and is_ours(kind.__module__):
            return Itself(value)
        if kind is types.MethodType:
            return kind, self.at(value.__func__), self.at(value.__self__)
        if kind is functools.partial:
            return kind, self.all((value.func, value.args, value.keywords, vars(value)))
        if kind is types.BuiltinMethodType:
            return kind, value.__name__, self.at(owner(value))
        if kind in ROWS:
            return kind, self.all(value)
        if kind in TABLES:
            return kind, self.all(value), self.all(value.values())
        if kind is object:
            return Itself(value)
        if issubclass(kind, Remembered):
            return Itself(kind)
        return self.of_class(value) if isinstance(value, type) else self.instance(value, kind)

    def content(self, array: np.ndarray) -> Any:
        if array.dtype.kind == "O":
            return array.shape, self.all(array.ravel().tolist())
        if array.dtype.hasobject:
            raise Unsure
        key = key_of(array)
        if isinstance(key, Bits):
            self.contents.append(key)
        form = array.dtype, array.shape, array.strides if array.size else (), array.flags.num
        return form, key

    # ---- functions

    def function(self, f: types.FunctionType) -> Any:
        """The code, what it loads from outside, and the defaults."""
        extra = self.all((f.__defaults__, f.__kwdefaults__, f.__dict__ or None))
        cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
        if is_known(f.__globals__.get("__name__")):  # the code is pure; what it encloses may not be
            return f.__code__, self.all(map(content_of, cells.values())), extra
        loads = loads_of(f.__code__)
        if loads is None:
            raise Unsure
        outside, enclosing = loads
        tables = attrgetter("__globals__", "__builtins__")(f)
        found = [at_the_end(from_outside(name, *tables), path) for name, path in outside]
        found += [
            at_the_end(content_of(cells[name]), path) for name, path in enclosing if name in cells
        ]
        return f.__code__, self.all(found), extra

    # ---- classes and objects

    def of_class(self, cls: type) -> Any:
        """The class and those above it: their functions and the values that they hold."""
        return Itself(cls), [self.own(c) for c in cls.__mro__ if not is_trusted(c)]

    def own(self, cls: type) -> Any:
        if type(cls) not in (type, abc.ABCMeta):
            raise Unsure
        others = abc.get_cache_token() if type(cls) is abc.ABCMeta else 0  # what is registered
        silent = SILENT | OF_TUPLES if "_fields" in vars(cls) else SILENT
        rows = [(k, v) for k, v in vars(cls).items() if k not in silent and not is_known_row(k, v)]
        return others, [(k, self.all(unwrapped(v))) for k, v in rows]

    def instance(self, value: Any, kind: type) -> Any:
        """What an object of a user's class holds, in whatever form."""
        if not of_a_user(kind):  # a class written in C hides what its objects hold
            raise Unsure
        held = {k: v for k, v in getattr(value, "__dict__", {}).items() if k != "_types"}
        below = [rows_of(value, base) for base in kind.__mro__ if base in (*ROWS, *TABLES)]
        if isinstance(value, Op) and is_trusted(kind):
            functions = [v for v in held.values() if isinstance(v, types.FunctionType)]
            return Itself(value), self.all(functions)
        if isinstance(value, (int, float, str, BaseException)):
            below.append([repr(value)])
        return self.at(kind), self.all([*slots(value, kind), *held, *held.values(), *below])


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
        raise Unsure
    return method.__self__


# ---- variables


def content_of(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError as error:  # it is still empty
        raise Unsure from error


def from_outside(name: str, own: dict, builtin: dict) -> Any:
    """A global variable or a builtin; one that there is not may come to be."""
    return own[name] if name in own else builtin.get(name, "MISSING")


def at_the_end(value: Any, path: Sequence[str]) -> Any:
    """What stands at the end of a path, as far as it leads through modules."""
    for name in path:
        if not isinstance(value, types.ModuleType):
            break
        if is_ours(value.__name__):
            getattr(value, name, None)  # it may be loaded at its first use
        if name not in vars(value):
            raise Unsure
        value = vars(value)[name]
    return value
