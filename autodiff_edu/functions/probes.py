"""Probes: the places that a look has read, and the objects that it met there.

As long as each place holds the very same object, nothing has changed. To see that takes a tenth of
the time of another look, which compares values. Arrays alone are compared by their contents.
"""

from abc import get_cache_token
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import count
from operator import is_
from typing import Any

import numpy as np

from ..expr import key_of
from .kept import Kept
from .pytree import LEAF, NOTHING
from .thin_calls import function_of

try:  # an object that stays the same as long as nobody sets an option, and no public name has it
    from numpy._core.printoptions import format_options

    words: Callable[[], Any] = format_options.get
except ImportError:
    words = np.get_printoptions

ABSENT = object()
SMALL = 50  # entries of a dictionary that are compared one by one
Read = Callable[[Any], Sequence[Any]]
Condition = tuple[str, tuple]  # a text in Python, and the objects in its braces
NO_ARGUMENTS = (tuple, ())  # as a structure


READ = """
def read(args):
    try:
        if not ({}):
            return None
        v = {}
        return v if {} else None
    except Exception:  # another thread changes it just now
        return None"""
OF_ARRAY = "type(v[{0}]) is ndarray and v[{0}].dtype is {{}} and v[{0}].shape == {{}}"


class Probes:
    """The places of one look, as conditions in Python. Together they are one function, since each
    call asks them all."""

    def __init__(self) -> None:
        self.conditions: list[Condition] = []
        self.readers = Kept()
        self.ask("words() is {} and get_cache_token() == {}", words(), get_cache_token())

    def ask(self, text: str, *objects: Any) -> None:
        """Note a condition."""
        self.conditions.append((text, objects))

    def slot(self, table: Mapping[str, Any], name: str) -> Any:
        """The value of this name, a variable or an attribute of a module, or ABSENT."""
        value = table.get(name, ABSENT)
        if value is ABSENT:
            self.ask("{1} not in {0}", table, name)
        else:
            self.ask("{0}[{1}] is {2}", table, name, value)
        return value

    def cell(self, cell: Any) -> Any:
        """The value of a variable of an enclosing function."""
        self.ask("{}.cell_contents is {}", cell, cell.cell_contents)
        return cell.cell_contents

    def function(self, f: Any) -> None:
        """Note the code, the name, and the defaults."""
        self.ask("{0}.__code__ is {1} and {0}.__name__ is {2}", f, f.__code__, f.__name__)
        self.ask("{}.__defaults__ is {}", f, f.__defaults__)
        if f.__code__.co_kwonlyargcount:
            self.ask("{}.__kwdefaults__ is {}", f, f.__kwdefaults__)

    def attributes(self, f: Any) -> None:
        """Note the dictionary of a function's attributes; its entries are seen by themselves."""
        if f.__dict__:
            self.ask("{}.__dict__ is {}", f, f.__dict__)
        else:
            self.ask("not {}.__dict__", f)

    def table(self, table: Any) -> None:
        """Note all keys and values. Strings are compared by value, which is quick; any other key by
        identity."""
        if len(table) > SMALL or not {*map(type, table)} <= {str}:
            self.row(of_table, table)
        elif table:
            self.ask("[*{}] == {}", table, [*table])
            for name in [*table]:
                self.slot(table, name)
        else:
            self.ask("not {}", table)

    def instance(self, thing: Any) -> None:
        """Note its class and its attributes: all of them can be exchanged."""
        self.ask("type({0}) is {1} and vars({0}) is {2}", thing, type(thing), vars(thing))
        self.table(vars(thing))

    def class_of(self, cls: type, names: Iterable[str]) -> None:
        """Note the classes above it, of which each has a table of its own; the names in its own
        table, and the values of those that count."""
        self.ask("{0}.__mro__ is {1} and [*{2}] == {3}", cls, cls.__mro__, vars(cls), [*vars(cls)])
        for name in names:
            self.slot(vars(cls), name)

    def row(self, read: Read, thing: Any) -> None:
        """Note what the thing holds by now, in a row."""
        self.ask("same({0}({1}), {2})", read, thing, read(thing))

    def array(self, array: np.ndarray, form: tuple, key: Any) -> None:
        """Note the contents of an array."""
        self.ask("form_of({0}) == {1} and key_of({0}) == {2}", array, form, key)

    def hold(self) -> bool:
        """Does each place hold what it held? If not, values may be equal all the same."""
        return self.reader((), NO_ARGUMENTS)(()) is not None

    def reader(self, types: tuple, structure: Any) -> Callable[[Sequence[Any]], Sequence | None]:
        """The function that gives the leaves of arguments, if they stand in these containers and
        have these types, as `plain_types` gives them, and each place holds what it held."""
        read: Any = self.readers.get((types, structure))
        if read is None:
            read = reader_of(types, structure, self.conditions)
            self.readers.keep((types, structure), read)
        return read


# ---- arguments


def plain_types(args: Sequence[Any]) -> tuple | None:
    """The types of arrays and floats; None where anything else is among them."""
    types: list[Any] = []
    for a in args:
        kind = type(a)
        if kind is np.ndarray:
            types.append((a.dtype, a.shape))
        elif kind is float or kind is np.float64:
            types.append(kind)
        else:
            return None
    return tuple(types)


def is_plain(structure: Any) -> bool:
    """Are all containers tuples, lists, and dictionaries whose keys are strings?"""
    if structure in (LEAF, NOTHING):
        return True
    kind, keys, *below = structure
    plain = kind in (tuple, list) or kind is dict and all(type(k.value) is str for k in keys)
    return plain and all(map(is_plain, below))


def reader_of(types: tuple, structure: Any, conditions: Sequence[Condition]) -> Callable[..., Any]:
    """The function that reads arguments in plain containers."""
    objects, leaves, containers = dict(MEANINGS), list[str](), list[Condition]()
    walk(structure, "args", leaves, containers)
    direct = structure[2:] == (LEAF,) * len(types)
    values = "args" if direct else f"[{', '.join(leaves)}]"
    before = written(containers, objects)
    after = written([*map(of_type, count(), types), *conditions], objects)
    return function_of(READ.format(before, values, after), objects)


def walk(structure: Any, text: str, leaves: list[str], conditions: list[Condition]) -> None:
    """Note the leaves of what is called so, in Python, and the conditions for its containers."""
    if structure == LEAF:
        leaves.append(text)
    elif structure == NOTHING:
        conditions.append((f"{text} is None", ()))
    else:
        kind, keys, *below = structure
        if kind is dict:
            keys = tuple([key.value for key in keys])
            conditions.append((f"type({text}) is {{}} and same({text}, {{}})", (kind, keys)))
        else:
            conditions.append((f"type({text}) is {{}} and len({text}) == {len(keys)}", (kind,)))
        for key, part in zip(keys, below, strict=True):
            literal = repr(key).replace("{", r"\x7b").replace("}", r"\x7d")
            walk(part, f"{text}[{literal}]", leaves, conditions)


def of_type(k: int, own: Any) -> Condition:
    """The condition that a leaf has this type."""
    number = isinstance(own, type)
    return (f"type(v[{k}]) is {{}}", (own,)) if number else (OF_ARRAY.format(k), own)


def written(conditions: Iterable[Condition], objects: dict[str, Any]) -> str:
    """All conditions as one, after their objects have got names."""
    parts = []
    for text, values in conditions:
        names = {f"v{k}": value for k, value in enumerate(values, len(objects))}
        objects |= names
        parts.append(text.format(*names))
    return " and ".join(parts)


# ---- what is read


def of_table(table: Any) -> tuple:
    """The keys of a dictionary, and its values."""
    return *table, *table.values()


def same(one: Collection[Any], other: Collection[Any]) -> bool:
    """Do both rows have the very same objects?"""
    return len(one) == len(other) and all(map(is_, one, other))


def form_of(array: np.ndarray) -> tuple:
    """How the entries of an array lie in memory."""
    return array.dtype, array.shape, array.strides if array.size else (), array.flags.num


MEANINGS = {
    "words": words, "get_cache_token": get_cache_token, "same": same, "form_of": form_of,
    "key_of": key_of, "ndarray": np.ndarray,
}  # fmt: skip
