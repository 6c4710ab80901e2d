"""A compiled function as old programs know it: called by position or by name, with defaults."""

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ...expr import Expr
from ..core import unwrap
from ..core.variable import TABLES
from .function_graph import FunctionGraph


class Slot(NamedTuple):
    """What the caller gives for an input."""

    expr: Expr
    type: Any
    name: str | None
    value: Any
    strict: bool
    downcast: bool | None


class Function:
    """A compiled function; f["w"] is the value of the shared variable w."""

    remake: tuple[Any, Any, dict[str, Any]]
    variables: tuple[list[Any], list[Any]]
    trust_input = False
    moving: Sequence[int] = ()  # the inputs that have updates
    outward: Mapping[int, Callable[..., Any]] = {}  # how outputs that are no arrays are handed out
    profile = None

    def __init__(
        self,
        program: Any,
        slots: Sequence[Slot],
        keys: Sequence[str] | None,
        listed: bool,
        name: str | None,
        shared: Sequence[Any],
    ):
        self.program, self.slots, self.keys, self.listed = program, slots, keys, listed
        self.name, self.shared = name, shared
        self.defaults: dict[int, Any] = {}  # of inputs whose default has changed
        self.filters = [
            (s.type.numpy_dtype, s.type.ndim, any(s.type.broadcastable), s) for s in slots
        ]

    def __call__(self, *args: Any, **named: Any) -> Any:
        output_subset = named.pop("output_subset", None)
        if named or len(args) != len(self.slots):
            args = self.bound(args, named)
        values = [
            v if v.__class__ is np.ndarray and v.dtype is d and v.ndim == n and not b
            else self.filtered(k, s, v)
            for k, (v, (d, n, b, s)) in enumerate(zip(args, self.filters, strict=True))
        ]  # fmt: skip
        found = self.program(*values)
        rows = [np.asarray(v) for v in found]
        if self.moving:  # the next values of inputs that have updates
            count = len(rows) - len(self.moving)
            self.defaults.update(zip(self.moving, rows[count:], strict=True))
            rows = rows[:count]
        for k, kind in self.outward.items():
            rows[k] = kind(rows[k])
        if not self.listed:
            return rows[0]
        if self.keys is not None:
            pairs = dict(zip(self.keys, rows, strict=True))
            return {k: pairs[k] for k in output_subset} if output_subset else pairs
        return [rows[k] for k in output_subset] if output_subset is not None else rows

    def filtered(self, k: int, s: Slot, value: Any) -> Any:
        """A value as an array of the input's type. Raises TypeError with the input's name."""
        try:
            return s.type.filter(value, s.strict, s.downcast)
        except TypeError as error:
            raise TypeError(f"Bad input argument to theano function{self.label} at index {k} "
                            f"(0-based), {s.name or 'which has no name'}: "
                            f"{' '.join(map(str, error.args))}") from None  # fmt: skip

    @property
    def label(self) -> str:
        return f" with name {self.name!r}" if self.name else ""

    def bound(self, args: tuple, named: dict[str, Any]) -> tuple:
        """Values by position, those by name and the defaults put in their places."""
        if len(args) > len(self.slots):
            raise TypeError(f"Too many parameter passed to theano function{self.label}: "
                            f"{len(args)} for {len(self.slots)} inputs")  # fmt: skip
        found = list(args)
        for s in self.slots[len(args) :]:
            if s.name is not None and s.name in named:
                found.append(named.pop(s.name))
            elif s.value is not None:
                value = self.defaults.get(len(found), s.value)
                found.append(value.data if hasattr(value, "storage") else value)
            else:
                raise TypeError(f"Missing required input: {s.name or s.type}")
        for name in named:
            given = any(s.name == name for s in self.slots)
            raise TypeError(f"Tried to provide value for {'twice-given' if given else 'unknown'} "
                            f"input: {name}")  # fmt: skip
        return tuple(found)

    # ---- what is inside

    def __getitem__(self, key: Any) -> Any:
        place = self.place(key)
        if place is not None:
            return self.defaults.get(place, self.slots[place].value)
        return self.found(key).get_value()

    def __setitem__(self, key: Any, value: Any) -> None:
        place = self.place(key)
        if place is not None:
            self.defaults[place] = value
        else:
            self.found(key).set_value(value)

    def place(self, key: Any) -> int | None:
        """Which input with a default value has this name."""
        for k, (s, v) in enumerate(zip(self.slots, self.variables[0], strict=True)):
            if s.value is not None and (v is key or (isinstance(key, str) and s.name == key)):
                return k
        return None

    def found(self, key: Any) -> Any:
        """The shared variable of a name."""
        for w in self.every_shared():
            if w is key or (isinstance(key, str) and w.name == key):
                return w
        raise KeyError(f"the function has no shared variable {key!r}")

    def every_shared(self) -> list[Any]:
        return TABLES["shared_inputs"]([*map(unwrap, self.variables[1])]) + list(self.shared)

    def get_shared(self) -> list[Any]:
        """The shared variables that it reads."""
        return self.every_shared()

    @property
    def value(self) -> "Function":
        """f.value[key] is the value of an input or of a shared variable, as f[key] is."""
        return self

    @property
    def container(self) -> "Containers":
        """f.container[key].value is that value, too."""
        return Containers(self)

    @property
    def maker(self) -> Any:
        """f.maker.fgraph.toposort() lists the operations of the simplified graph."""
        ins = [SimpleNamespace(variable=v, name=v.name) for v in self.variables[0]]
        outs = [SimpleNamespace(variable=v) for v in self.variables[1]]
        made = SimpleNamespace(
            fgraph=FunctionGraph.of(self.program.graph), inputs=ins, outputs=outs
        )
        made.mode = TABLES["default_mode"]()
        return made

    @property
    def fn(self) -> Callable[..., Any]:
        return self.program

    @property
    def source(self) -> str:
        """The program, as text."""
        return self.program.program.source

    @property
    def stages(self) -> Any:
        """The passes that led to it."""
        return self.program.stages

    def copy(
        self,
        share_memory: bool = False,
        swap: dict[Any, Any] | None = None,
        delete_updates: bool = False,
        name: str | None = None,
        profile: Any = None,
    ) -> "Function":
        """The same function; with other shared variables, or without updates."""
        inputs, outputs, how = self.remake
        how = dict(how)
        if delete_updates:
            how |= {"updates": None, "no_default_updates": True, "on_unused_input": "ignore"}
        if swap:
            old = how["givens"]
            pairs = list(old.items()) if isinstance(old, dict) else list(old or [])
            how["givens"] = [*pairs, *swap.items()]
            rows = how["updates"].items() if isinstance(how["updates"], dict) else how["updates"]
            how["updates"] = [(swap.get(w, w), e) for w, e in rows or []]
        return TABLES["function"](inputs, outputs, **how | {"name": name or self.name})

    __copy__ = copy

    def __reduce__(self) -> Any:
        return remade, self.remake

    def __repr__(self) -> str:
        return f"<theano function{self.label} of {len(self.slots)} inputs>"

    def sync_shared(self) -> None:
        """Nothing: values are where they are."""

    def free(self) -> None:
        """Nothing: Python frees memory."""


def remade(inputs: Any, outputs: Any, how: dict[str, Any]) -> "Function":
    """A function from what was copied or stored of one, updates and givens included."""
    return TABLES["function"](inputs, outputs, **how)


class Containers:
    """The places of the values of a function."""

    def __init__(self, function: Function):
        self.function = function

    def __getitem__(self, key: Any) -> "Container":
        return Container(self.function, key)


class Container:
    """The place of one value, which it reads and sets."""

    def __init__(self, function: Function, key: Any):
        self.function, self.key = function, key

    @property
    def value(self) -> Any:
        return self.function[self.key]

    @value.setter
    def value(self, new: Any) -> None:
        self.function[self.key] = new

    @property
    def storage(self) -> list[Any]:
        return [self.value]


__all__ = ["Function", "Slot"]
