"""What a Python function reads besides its arguments, so that a change of it is noticed.

A Look is equal to another as long as nothing has changed. It understands plain data, arrays,
functions that are known to be pure, and whatever users make of these: containers, functions,
classes, objects. Where it meets anything else (files, clocks, random draws, iterators, modules that
are passed on) it raises Unsure: nobody can prove then what a call will give.
"""

import abc
import collections
import functools
import sys
import types
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..chance import RandomStream
from ..expr import Bits, Expr, Op, Remembered, key_of, unchanging
from .bytecode import loads_of
from .holdings import (
    OURS,
    ROWS,
    TABLES,
    Itself,
    attributes_of,
    hides,
    is_known,
    is_ours,
    is_special,
    is_trusted,
    of_defaults,
    of_instance,
    of_objects,
    of_table,
    owner,
    parts_of,
    plain_value,
    rows_of,
    rows_of_class,
    slots,
    unwrapped,
)
from .probes import ABSENT, Probes, form_of
from .promise import Pure
from .pure_functions import is_pure
from .pytree import of_a_user
from .unsure import Unsure

EQUAL = (int, str, bytes, bool, type(None), type(...), type(NotImplemented))  # as they are compared
WRITTEN = (float, complex, range, slice)  # compared as they are written: nan, -0.0
MANY = 5000  # objects that are looked at


class Look:
    """One look around; each object is looked at once. Its probes tell sooner that nothing has
    changed."""

    def __init__(self, value: Any) -> None:
        self.seen: dict[int, tuple[int, Any]] = {}  # held, so that an identity stays its own
        self.contents: list[Bits] = []
        self.probes = Probes()
        self.modules: list[types.ModuleType] = []  # that are handed on, or imported
        self.names: dict[str, None] = {}  # of the attributes that functions take of anything
        self.loads: dict[str, Any] = {}  # by the names by which functions load them: what was seen
        self.told = np.get_printoptions(), self.at(value), self.of_modules()  # arrays, as words
        self.seen = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Look) and self.told == other.told

    def keep(self, equal: "Look | None" = None) -> "Look":
        """Remember the arrays as they are now; an equal look has them already."""
        arrays = [c.array for c in (equal or self).contents]
        for content, array in zip(self.contents, arrays, strict=True):
            content.array = array if equal else unchanging(array)
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
            raise Unsure(f"it leads to more than {MANY:,} objects")
        return self.into(value, kind)

    def all(self, values: Any) -> tuple:
        return tuple([self.at(v) for v in values])

    def into(self, value: Any, kind: type) -> Any:
        if kind is np.ndarray:
            return self.content(value)
        if kind is types.FunctionType:
            return self.function(value)
        if kind is Pure:
            return kind, [*map(Itself, parts_of(value.function))]
        if isinstance(value, np.generic) and is_pure(kind):
            return kind, self.number(value)
        if isinstance(value, (Expr, RandomStream)) and is_ours(kind.__module__):
            return Itself(value)
        if kind is types.MethodType:
            return kind, self.at(value.__func__), self.at(value.__self__)
        if kind is functools.partial:
            return kind, self.all((value.func, value.args, value.keywords, vars(value)))
        if kind is types.BuiltinMethodType:
            return kind, value.__name__, self.at(owner(value))
        if kind in ROWS:
            if kind not in (tuple, frozenset):  # which hold the same for ever
                self.probes.row(list, value)
            return kind, getattr(value, "maxlen", None), self.all(list(value))
        if kind in TABLES:
            self.probes.table(value)
            return kind, self.all(of_table(value))
        if kind is collections.defaultdict:
            self.probes.row(of_defaults, value)
            return kind, self.all(of_defaults(value))
        if kind is types.SimpleNamespace:
            return kind, self.at(vars(value))
        if kind is types.ModuleType:
            self.modules.append(value)
            return Itself(value)
        if hasattr(kind, "__state__") and is_ours(kind.__module__):
            self.probes.row(kind.__state__, value)
            return Itself(value), self.all(value.__state__())
        if kind is object:
            return Itself(value)
        if issubclass(kind, Remembered):
            return Itself(kind)
        return self.of_class(value) if isinstance(value, type) else self.instance(value, kind)

    def number(self, value: np.generic) -> Any:
        """One of NumPy's numbers. One of several parts can be written into."""
        if isinstance(value, np.void):
            self.probes.row(np.void.tobytes, value)
        return self.content(np.asarray(value))

    def content(self, array: np.ndarray) -> Any:
        if array.dtype.kind == "O":
            self.probes.row(of_objects, array)
            return array.shape, self.all(array.ravel().tolist())
        if array.dtype.hasobject:
            raise Unsure("the entries of the array are objects", array)
        key = key_of(array)
        if isinstance(key, Bits):
            self.contents.append(key)
        form = form_of(array)
        self.probes.array(array, form, key)
        return form, key

    # ---- functions

    def function(self, f: types.FunctionType) -> Any:
        """The code, what it loads from outside, and the defaults. Places are noted before they are
        read: another thread may change one in between, and a place that has changed is seen."""
        ours = is_known(f.__globals__.get("__name__"))  # it stays; what it encloses may not
        self.probes.attributes(f)
        if not ours:
            self.probes.function(f)
        extra = self.all((f.__defaults__, f.__kwdefaults__, f.__dict__ or None))
        cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
        if ours:
            return f.__code__, self.all([cell.cell_contents for cell in cells.values()]), extra
        for cell in cells.values():
            self.content_of(cell)
        loads = loads_of(f.__code__)
        if loads is None:
            raise Unsure("the code does not tell all that it reads", f)
        self.names |= dict.fromkeys(loads.names)
        tables = attrgetter("__globals__", "__builtins__")(f)
        rows = [(name, path, self.from_outside(name, *tables)) for name, path in loads.outside]
        rows += [
            (name, path, cells[name].cell_contents)
            for name, path in loads.enclosing
            if name in cells
        ]
        rows += [(name, (), self.from_outside(name, sys.modules, {})) for name in loads.imports]
        return f.__name__, f.__code__, [self.load(f, *row) for row in rows], extra

    def load(self, f: types.FunctionType, name: str, path: Sequence[str], value: Any) -> Any:
        """The value that a function loads by a path."""
        label = name
        try:
            for step in path:  # as far as it leads through modules
                if not isinstance(value, types.ModuleType):
                    break
                label, module = f"{label}.{step}", value
                value = self.attribute(module, step)
                if value is ABSENT:
                    raise Unsure(f"the module {module.__name__} has no {step}", module)
            seen = self.at(value)
        except Unsure as unsure:
            raise unsure.by(label, f.__code__, value) from None
        self.loads.setdefault(label, seen)
        return seen

    def changed_from(self, before: "Look") -> str:
        """The names of all that functions load and that is not what it was."""
        names = [name for name, seen in self.loads.items() if before.loads.get(name) != seen]
        return ", ".join(names) or "an argument"

    def of_modules(self) -> list[Any]:
        """The attributes that functions may take of modules that are handed on or imported: those
        by the names that their code has."""
        values: list[Any] = []
        pairs_before = set[tuple[int, str]]()
        while pairs := [
            (module, name)
            for module in self.modules
            for name in self.names
            if (id(module), name) not in pairs_before
        ]:
            for module, name in pairs:
                pairs_before.add((id(module), name))
                if (value := self.attribute(module, name)) is not ABSENT:
                    values.append((Itself(module), name, self.at(value)))
        return values

    def attribute(self, module: types.ModuleType, name: str) -> Any:
        """The attribute of a module, or ABSENT."""
        if is_ours(module.__name__):
            getattr(module, name, None)  # it may be loaded at its first use
        value = self.probes.slot(vars(module), name)
        if value is ABSENT and "__getattr__" in vars(module):
            if module.__name__.partition(".")[0] not in (OURS, "numpy", "scipy"):
                raise Unsure(f"the module {module.__name__} computes its attributes", module)
        return value

    def content_of(self, cell: Any) -> Any:
        """The value of an enclosing variable, which may have none yet."""
        try:
            return self.probes.cell(cell)
        except ValueError as error:
            raise Unsure("a variable has no value yet") from error

    def from_outside(self, name: str, own: dict, builtin: dict) -> Any:
        """A global variable or a builtin; one that there is not may come to be."""
        value = self.probes.slot(own, name)
        if value is ABSENT:
            value = self.probes.slot(builtin, name)
        return "MISSING" if value is ABSENT else value

    # ---- classes and objects

    def of_class(self, cls: type) -> Any:
        """The class and those above it: their functions and the values that they hold."""
        return Itself(cls), [self.own(c) for c in cls.__mro__ if not is_trusted(c)]

    def own(self, cls: type) -> Any:
        if type(cls) not in (type, abc.ABCMeta):
            raise Unsure(f"the class {cls.__name__} has a class of its own", cls)
        self.probes.class_of(cls, dict(rows_of_class(cls)))
        others = abc.get_cache_token() if type(cls) is abc.ABCMeta else 0  # what is registered
        return others, [(k, self.all(unwrapped(v))) for k, v in rows_of_class(cls)]

    def instance(self, value: Any, kind: type) -> Any:
        """What an object of a user's class holds, in whatever form."""
        if not of_a_user(kind) or hides(kind):  # a class written in C hides what its objects hold
            raise Unsure(f"an object of the class {kind.__name__} hides what it holds", value)
        if is_special(kind):
            self.probes.row(of_instance, value)
        else:
            self.probes.instance(value)
        held = attributes_of(value)
        below = [rows_of(value, base) for base in kind.__mro__ if base in (*ROWS, *TABLES)]
        if isinstance(value, Op) and is_trusted(kind):
            functions = [v for v in held.values() if isinstance(v, types.FunctionType)]
            return Itself(value), self.all(functions)
        below.append(plain_value(value))
        return self.at(kind), self.all([*slots(value, kind), *held, *held.values(), *below])
