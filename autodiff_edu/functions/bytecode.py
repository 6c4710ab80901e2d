"""What a function's code loads from outside: paths such as np.linalg.norm, told by its
instructions."""

import dis
import types
from collections.abc import Iterator
from typing import NamedTuple

BY_NAME = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
FROM_CELL = ("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_CLOSURE", "LOAD_FROM_DICT_OR_DEREF")
ATTRIBUTE = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR")
TAKING = (*ATTRIBUTE, "IMPORT_FROM")
NOTHING = ("CACHE", "EXTENDED_ARG", "NOP", "PRECALL", "PUSH_NULL")
KNOWN = set(
    """__init__ __new__ __post_init__ __call__ __name__ __qualname__ __class__ __len__
    __iter__ __getitem__ __next__ __enter__ __exit__ __add__ __mul__ __matmul__ __setattr__
    __delattr__""".split()
)
LEADING_OUT = {"base", "ctypes", "gi_frame", "cr_frame", "f_globals", "f_back", "tb_frame"}

Path = tuple[str, tuple[str, ...]]  # a variable, and the attributes that are taken of it at once


class Loads(NamedTuple):
    """Loads of a function from global and from enclosing variables; the modules that it imports;
    and the names of all attributes that it takes of anything."""

    outside: tuple[Path, ...]
    enclosing: tuple[Path, ...]
    imports: tuple[str, ...]
    names: tuple[str, ...]


_known: dict[int, tuple[types.CodeType, Loads | None]] = {}


def loads_of(code: types.CodeType) -> Loads | None:
    """The loads of a function and of those within it; None, where they do not tell what it
    reaches: it follows attributes that lead to anything."""
    if id(code) not in _known:
        if len(_known) > 10_000:
            _known.clear()
        _known[id(code)] = code, read(code)  # held, so that its identity stays its own
    return _known[id(code)][1]


def read(code: types.CodeType) -> Loads | None:
    outside: dict[Path, None] = {}
    enclosing: dict[Path, None] = {}
    imports: dict[str, None] = {}
    names: dict[str, None] = {}
    for part in parts(code):
        rows = [i for i in dis.get_instructions(part) if i.opname not in NOTHING]
        for k, i in enumerate(rows):
            if i.opname == "IMPORT_NAME":
                if rows[k - 2].argval != 0:  # relative to a package
                    return None
                imports |= dict.fromkeys((i.argval.partition(".")[0], i.argval))
            if i.opname in TAKING:
                if leads_out(i.argval):
                    return None
                names[i.argval] = None
            if i.opname in BY_NAME:
                outside[i.argval, attributes(rows[k + 1 :])] = None
            elif i.opname in FROM_CELL:  # not dis.hasfree: Python 3.14 leaves LOAD_DEREF out of it
                enclosing[i.argval, attributes(rows[k + 1 :])] = None
    return Loads(tuple(outside), tuple(enclosing), tuple(imports), tuple(names))


def parts(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code and all code within it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from parts(part)


def attributes(rows: list[dis.Instruction]) -> tuple[str, ...]:
    """The attributes that these instructions take one of the other, up to any other instruction."""
    found = []
    for i in rows:
        if i.opname not in ATTRIBUTE:
            break
        found.append(i.argval)
    return tuple(found)


def leads_out(name: str) -> bool:
    """May the attribute of something that is understood be something that is not?"""
    return name in LEADING_OUT or (name.startswith("__") and name not in KNOWN)
