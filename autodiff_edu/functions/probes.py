"""Probes: the places that a look has read, and the objects that it met there.

As long as each place holds the very same object, nothing has changed. To see that takes a tenth of
the time of another look, which compares values. Arrays alone are compared by their contents.
"""

from abc import get_cache_token
from collections.abc import Callable, Collection, Sequence
from operator import is_
from typing import Any

import numpy as np

from ..expr import key_of

try:  # an object that stays the same as long as nobody sets an option, and no public name has it
    from numpy._core.printoptions import format_options

    words: Callable[[], Any] = format_options.get
except ImportError:
    words = np.get_printoptions

ABSENT = object()
Read = Callable[[Any], Sequence[Any]]


class Probes:
    """The places of one look.

    slots   (table, name, value): variables, and attributes of modules
    cells   (cell, value): variables of enclosing functions
    functions  (function, code, name, defaults by place, by name, attributes, how many these are)
    tables  (table, keys, values): dictionaries with strings for keys, and attributes of objects
    objects  (thing, class, table): the class of an object, and the dictionary of its attributes
    classes  (class, those above it)
    rows    (read, thing, values): what anything else holds, in a row
    arrays  (array, form, key): the contents of an array
    words, registered  how NumPy prints arrays, and which classes are registered at abstract ones
    """

    def __init__(self) -> None:
        self.slots: list[tuple[dict[str, Any], str, Any]] = []
        self.cells: list[tuple[Any, Any]] = []
        self.functions: list[tuple[Any, ...]] = []
        self.tables: list[tuple[Any, Sequence[Any], Sequence[Any]]] = []
        self.objects: list[tuple[Any, type, dict[str, Any]]] = []
        self.classes: list[tuple[type, tuple[type, ...]]] = []
        self.rows: list[tuple[Read, Any, Sequence[Any]]] = []
        self.arrays: list[tuple[np.ndarray, tuple, Any]] = []
        self.words, self.registered = words(), get_cache_token()

    def slot(self, table: dict[str, Any], name: str) -> Any:
        """The value of this name, or ABSENT."""
        value = table.get(name, ABSENT)
        self.slots.append((table, name, value))
        return value

    def cell(self, cell: Any) -> Any:
        """The value of an enclosing variable."""
        self.cells.append((cell, cell.cell_contents))
        return cell.cell_contents

    def function(self, f: Any) -> None:
        """Note the code, the defaults, and how many attributes it has."""
        own = f.__dict__
        row = f, f.__code__, f.__name__, f.__defaults__, f.__kwdefaults__, own, len(own)
        self.functions.append(row)

    def table(self, table: Any) -> None:
        """Note all keys and values. Strings are compared by value, which is quick; any other key by
        identity."""
        if {*map(type, table)} <= {str}:
            self.tables.append((table, tuple(table), tuple(table.values())))
        else:
            self.row(of_table, table)

    def instance(self, thing: Any) -> None:
        """Note its class and its attributes: all of them can be exchanged."""
        self.objects.append((thing, type(thing), vars(thing)))
        self.table(vars(thing))

    def classes_of(self, cls: type) -> None:
        """Note the classes above it, of which each has a table of its own, and its own table."""
        self.classes.append((cls, cls.__mro__))
        self.table(vars(cls))

    def row(self, read: Read, thing: Any) -> None:
        """Note what the thing holds by now."""
        self.rows.append((read, thing, read(thing)))

    def hold(self) -> bool:
        """Does each place hold what it held? If not, values may be equal all the same."""
        try:
            for table, name, value in self.slots:
                if table.get(name, ABSENT) is not value:
                    return False
            for cell, value in self.cells:
                if cell.cell_contents is not value:
                    return False
            for f, code, name, defaults, named, own, size in self.functions:
                if f.__code__ is not code or f.__name__ is not name:
                    return False
                if f.__defaults__ is not defaults:
                    return False
                if f.__kwdefaults__ is not named or f.__dict__ is not own or len(own) != size:
                    return False
            for table, keys, values in self.tables:
                if tuple(table) != keys or not all(map(is_, table.values(), values)):
                    return False
            for thing, kind, own in self.objects:
                if type(thing) is not kind or vars(thing) is not own:
                    return False
            for cls, above in self.classes:
                if cls.__mro__ is not above:
                    return False
            for read, thing, values in self.rows:
                if not same(read(thing), values):
                    return False
            for array, form, key in self.arrays:
                if form_of(array) != form or key_of(array) != key:
                    return False
        except Exception:  # another thread changes it just now
            return False
        return words() is self.words and get_cache_token() == self.registered


def of_table(table: Any) -> tuple:
    """The keys of a dictionary, and its values."""
    return *table, *table.values()


def same(one: Collection[Any], other: Collection[Any]) -> bool:
    """Do both rows have the very same objects?"""
    return len(one) == len(other) and all(map(is_, one, other))


def form_of(array: np.ndarray) -> tuple:
    """How the entries of an array lie in memory."""
    return array.dtype, array.shape, array.strides if array.size else (), array.flags.num
