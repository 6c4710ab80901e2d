"""The reason why a function is traced anew at each call, told once: name, line and remedy."""

import dis
import functools
import io
import linecache
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

PROMISE = "if nothing but the arguments matters, promise it by ad.pure({f})"
RANDOM = "random"  # how modules of chance are called
REMEDIES = (
    (lambda v: RANDOM in module_of(v), "draw by ad.RandomStream"),
    (lambda v: isinstance(v, io.IOBase), "read the file before, and hand over its contents"),
    (lambda v: isinstance(v, Iterator), "make a list of it"),
    (lambda v: isinstance(v, np.ndarray), "hand over an array of numbers"),
)  # fmt: skip


class Unsure(Exception):
    """Nobody can tell whether a value has changed.

    things  the value, and those that led to it, the inner ones first
    names   by which it was reached, those of inner functions first
    code    of the outermost function, which is the user's
    """

    def __init__(self, reason: str, thing: Any = None):
        super().__init__(reason)
        self.reason, self.things = reason, [thing]
        self.names: list[str] = []
        self.code: types.CodeType | None = None

    def by(self, name: str, code: types.CodeType, value: Any = None) -> "Unsure":
        """The same, by this name, of this value, in this code."""
        self.names.append(name)
        self.things.append(value)
        self.code = code
        return self

    def message(self, f: Any) -> str:
        """The sentence for the user."""
        name = name_in_words(f)
        place = f" at {where}" if (where := place_of(self.code, self.names)) else ""
        within = f"`{self.names[0]}`" if len(self.names) > 1 else ""
        reads = f"it reads `{self.names[-1]}`{place}, " if self.names else ""
        reads += f"there {within}, and " if within else "and " if reads else ""
        remedy = "; ".join([*self.remedies(), PROMISE.format(f=name)])
        return f"{name} is traced anew at each call: {reads}{self.reason}: {remedy}"

    def remedies(self) -> list[str]:
        return [words for fits, words in REMEDIES if any(map(fits, self.things))][:1]


class TracedAnew(UserWarning):
    """A function is traced at each call, which takes a thousand times as long as its program."""


def name_in_words(f: Any) -> str:
    """The name of a function, f if it has none."""
    name = getattr(f, "__name__", "f")
    return name if name.isidentifier() else "f"


def module_of(value: Any) -> str:
    """The modules of an object: its own, that of its class, and that of the object whose method it
    is."""
    owner = getattr(value, "__self__", None)
    places = (getattr(v, "__module__", None) for v in (value, type(value), owner, type(owner)))
    return " ".join(map(str, [*places, getattr(owner, "__name__", "")]))


@functools.lru_cache(maxsize=256)
def line_of(code: types.CodeType, name: str) -> int:
    """The line at which a function loads a name, 0 if it does not."""
    for i in dis.get_instructions(code):
        if i.argval == name and i.positions is not None and i.positions.lineno:
            return i.positions.lineno
    return 0


def place_of(code: types.CodeType | None, names: list[str]) -> str:
    """The user's line: its text, or its number where there is no text."""
    if code is None or not names:
        return ""
    line = line_of(code, names[-1].partition(".")[0])
    text = linecache.getline(code.co_filename, line).strip()
    return f"`{text}`" if text else f"line {line}" if line else ""
