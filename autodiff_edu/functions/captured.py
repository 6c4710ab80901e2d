"""What a Python function reads besides its arguments, so that a change of it is noticed.

`fingerprint` is equal as long as nothing has changed, arrays compared by their content. Where it
cannot be sure (random draws, files, objects that hide what they hold) it raises Unsure.
"""

import dis
import functools
import types
import zlib
from typing import Any

import numpy as np

from ..chance import RandomStream
from ..expr import Expr

PLAIN = (int, float, complex, str, bytes, bool, type(None), range, np.dtype, np.generic)
TRUSTED = ("numpy", "scipy", "math", "operator", "functools", "itertools", "builtins",
           __name__.partition(".")[0])  # fmt: skip
CHANCE = set("random rand randn default_rng next input open time globals locals vars eval exec "
             "import_module __import__".split())  # fmt: skip
IMPORT = dis.opmap["IMPORT_NAME"]
MANY = 5000  # objects that are looked at


class Unsure(Exception):
    """Nobody can tell whether this value has changed."""


def fingerprint(value: Any) -> Any:
    """A summary of everything that a function, or another value, may read."""
    return Look().at(value)


class Itself:
    """What a program reads whenever it runs, so that only another object would be a change."""

    def __init__(self, value: Any):
        self.value = value  # held, so that its identity stays its own

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.value is self.value


class Look:
    """One look around; each object is summed up once."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}

    def at(self, value: Any) -> Any:
        if isinstance(value, PLAIN):
            return type(value), repr(value)
        if id(value) in self.seen:
            return "seen", self.seen[id(value)]
        self.seen[id(value)] = len(self.seen)
        if len(self.seen) > MANY:
            raise Unsure
        return self.into(value)

    def into(self, value: Any) -> Any:
        kind = type(value)
        if isinstance(value, (Expr, RandomStream)):
            return Itself(value)
        if "random" in kind.__module__:
            raise Unsure
        if kind is np.ndarray:
            return content(value)
        if kind is types.FunctionType:
            return value.__code__, self.all(read_by(value)), self.at(value.__dict__)
        if kind is types.MethodType or kind is functools.partial:
            parts = "__func__ __self__" if kind is types.MethodType else "func args keywords"
            return self.all(getattr(value, name) for name in parts.split())
        if kind is types.BuiltinMethodType and not isinstance(value.__self__, types.ModuleType):
            return value.__name__, self.at(value.__self__)
        if kind in (list, tuple) or (isinstance(value, tuple) and hasattr(value, "_fields")):
            return kind, self.all(value)
        if kind is dict:
            return kind, self.all(value), self.all(value.values())
        if belongs(value):
            return "trusted", id(value)
        return kind, self.classes(kind.__mro__[:-1]), self.at(instance(value))

    def classes(self, family: tuple[type, ...]) -> tuple:
        """What the methods of a user's classes read, and the values that the classes hold."""
        if any(belongs(cls) for cls in family):
            raise Unsure
        held = [v for cls in family for k, v in vars(cls).items() if k not in SILENT]
        return self.all([w for v in held for w in unwrapped(v)])

    def all(self, values: Any) -> tuple:
        return tuple(self.at(v) for v in values)


SILENT = {"__module__", "__doc__", "__dict__", "__weakref__", "__annotations__"}


def unwrapped(value: Any) -> list[Any]:
    """The functions of a property, a class method or a static method; else the value itself."""
    if isinstance(value, property):
        return [value.fget, value.fset, value.fdel]
    return [value.__func__] if isinstance(value, (classmethod, staticmethod)) else [value]


def instance(value: Any) -> dict[str, Any]:
    """The attributes of an object that hides none."""
    if isinstance(value, (types.ModuleType, type)) or not hasattr(value, "__dict__"):
        raise Unsure
    return vars(value)


def content(array: np.ndarray) -> Any:
    """Shape, dtype and checksum; a few bytes stand for themselves."""
    if array.dtype.kind not in "biufc":
        raise Unsure
    entries = (
        array.tobytes() if array.nbytes < 256 else zlib.crc32(np.ascontiguousarray(array).data)
    )
    return array.shape, array.dtype, entries


def belongs(value: Any) -> bool:
    """Is it a function, class or module of a library that does not change?"""
    if isinstance(value, types.ModuleType):
        module = value.__name__
    elif callable(value):
        module = getattr(value, "__module__", None) or type(value).__module__
    else:
        return False
    return module.partition(".")[0] in TRUSTED and "random" not in module


def read_by(f: types.FunctionType) -> list[Any]:
    """The values of the variables that a function takes from outside, and its defaults."""
    names = names_in(f.__code__)
    if names & CHANCE or imports(f.__code__):
        raise Unsure
    try:
        cells = [c.cell_contents for c in f.__closure__ or ()]
    except ValueError as error:  # a cell that is still empty
        raise Unsure from error
    outside = [f.__globals__[n] for n in sorted(names) if n in f.__globals__]
    return [*cells, *outside, f.__defaults__, f.__kwdefaults__]


@functools.cache
def names_in(code: types.CodeType) -> frozenset[str]:
    """The names in a function's code, that of the functions within it included."""
    names = {n for n in code.co_names if n != "random" or not methods(code, n)}
    inner = [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return frozenset(names.union(*map(names_in, inner)))


def methods(code: types.CodeType, name: str) -> bool:
    """Is the name that of a method wherever it stands, as in rng.random()? Then the object whose
    method it is tells whether it can change; np.random tells nothing."""
    loads = [i for i in dis.get_instructions(code) if i.opcode in dis.hasname and i.argval == name]
    return all(i.opname == "LOAD_METHOD" or "NULL|self" in i.argrepr for i in loads)


def imports(code: types.CodeType) -> bool:
    inner = [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return IMPORT in code.co_code[::2] or any(map(imports, inner))
