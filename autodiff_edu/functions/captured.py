"""What a Python function reads besides its arguments, so that a change of it is noticed.

`fingerprint` is equal as long as nothing has changed, arrays compared by their content. Where it
cannot be sure (random draws, files, objects that hide what they hold) it raises Unsure.
"""

import functools
import types
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

PLAIN = (int, float, complex, str, bytes, bool, type(None), range, np.dtype, np.generic)
TRUSTED = ("numpy", "scipy", "math", "operator", "functools", "itertools", "builtins",
           __name__.partition(".")[0])  # fmt: skip
CHANCE = {"random", "rand", "randn", "default_rng", "next", "input", "open", "time"}
MANY = 5000  # objects that are looked at


class Unsure(Exception):
    """Nobody can tell whether this value has changed."""


def fingerprint(value: Any) -> Any:
    """A summary of everything that a function, or another value, may read."""
    return Look().at(value)


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
        if isinstance(value, np.ndarray):
            return content(value)
        if isinstance(value, types.FunctionType):
            return value.__code__, self.all(read_by(value))
        if isinstance(value, types.MethodType):
            return self.at(value.__func__), self.at(value.__self__)
        if isinstance(value, functools.partial):
            return self.all([value.func, value.args, value.keywords])
        if isinstance(value, (list, tuple)):
            return type(value), self.all(value)
        if isinstance(value, dict):
            return type(value), self.all(value), self.all(value.values())
        if belongs(value):
            return "trusted", id(value)
        if hasattr(value, "__dict__") and not isinstance(value, (types.ModuleType, type)):
            return self.at(type(value).__call__) if callable(value) else None, self.at(vars(value))
        raise Unsure

    def all(self, values: Any) -> tuple:
        return tuple(self.at(v) for v in values)


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
    names = set(names_in(f.__code__))
    if names & CHANCE:
        raise Unsure
    try:
        cells = [c.cell_contents for c in f.__closure__ or ()]
    except ValueError as error:  # a cell that is still empty
        raise Unsure from error
    outside = [f.__globals__[n] for n in sorted(names) if n in f.__globals__]
    return [*cells, *outside, f.__defaults__, f.__kwdefaults__]


def names_in(code: types.CodeType) -> Iterator[str]:
    """The names in a function's code, that of the functions within it included."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from names_in(part)
