"""The tables through which the core reaches what is defined above it.

`x * y` needs the operation multiply: operators and methods of expressions find it in `OPERATIONS`.
`stage.draw()` needs the pictures: what shows, checks and runs is found in `HOOKS`. Functions are
registered when their room is imported, or placed there by name, and loaded when first called.
"""

import functools
from collections.abc import Callable
from contextlib import nullcontext
from contextvars import ContextVar
from importlib import import_module
from inspect import signature
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeVar

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)


class Later(dict[str, Any]):
    """Things by name. Some are only placed: their module is imported when they are first wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, str] = {}  # modules, by the names of what stands in them

    def place(self, module: str, *names: str) -> None:
        """Say that what bears these names stands in this module, instead of a plain entry."""
        for name in names:
            self.places[name] = module
            self.pop(name, None)

    def __missing__(self, name: str) -> Any:
        with HOOKS["uncollected"]():
            module = import_module(self.places[name])  # which may enter it, under this name
            return self[name] if name in self else self.setdefault(name, getattr(module, name))


class Written:
    """An attribute that `write` makes from its object when it is first read; the class has one of
    its own."""

    def __init__(self, write: Callable[[Any], Any], of_the_class: Any = None):
        self.write, self.of_the_class = write, of_the_class

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, thing: Any, owner: type) -> Any:
        if thing is None:
            return self.of_the_class
        return vars(thing).setdefault(self.name, self.write(thing))


if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property(functools.cached_property):
        """A property that is computed when it is first asked for. Threads may compute it at once:
        on Python 3.11, all objects would wait for each other."""

        def __init__(self, write):
            super().__init__(write)
            self.lock = nullcontext()


OPERATIONS: dict[str, Function] = {}  # operations of the house, by NumPy's name
HOOKS = Later()  # what upper rooms do with expressions, graphs, stages and rules
HOOKS["uncollected"] = nullcontext  # until the room is there that lets the collector wait
watch: ContextVar[Function | None] = ContextVar("watch", default=None)  # told of each new node


def register(name: str, table: dict[str, Function] = OPERATIONS) -> Callable[[F], F]:
    """A decorator that enters a function among the operations, by its name; its type stays."""

    def enter(function: F) -> F:
        table[name] = function
        return function

    return enter


def hook(name: str) -> Callable[[F], F]:
    """A decorator that enters a function among the hooks."""
    return register(name, HOOKS)


class Method:
    """A method that hands its object and arguments to a function of a table.

    It is described as that function is: `x.sum?` shows what `ad.sum?` shows.
    """

    def __init__(self, table: dict[str, Function], name: str):
        self.table, self.__name__ = table, name

    def __get__(self, thing: Any, owner: type | None = None) -> Any:
        return self if thing is None else MethodType(self, thing)

    def __call__(self, thing: Any, *args: Any, **kwargs: Any) -> Any:
        return self.table[self.__name__](thing, *args, **kwargs)

    @property
    def function(self) -> Function:
        return self.table[self.__name__]

    __doc__ = Written(lambda self: self.function.__doc__, __doc__)
    __signature__ = Written(lambda self: signature(self.function))


def method(name: str) -> Any:
    """A method that is an operation: `x.sum()`."""
    return Method(OPERATIONS, name)


def hooked(name: str) -> Any:
    """A method that is a hook: `stage.draw()`."""
    return Method(HOOKS, name)


def operator(name: str) -> Function:
    """An operator of Python: `-x` calls `negative(x)`."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return OPERATIONS[name](self, *args, **kwargs)

    call.__name__ = name
    return call


def binary(name: str) -> Function:
    """An operator between two operands, as quick as can be: `x + y` calls `add(x, y)`."""

    def call(self: Any, other: Any) -> Any:
        return OPERATIONS[name](self, other)

    call.__name__ = name
    return call


def reflected(name: str) -> Function:
    """An operator whose right operand is an expression: `2 - x` calls `subtract(2, x)`."""

    def call(self: Any, other: Any) -> Any:
        return OPERATIONS[name](other, self)

    call.__name__ = f"r{name}"
    return call
