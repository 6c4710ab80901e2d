"""The two tables through which a lower floor reaches what is defined above it.

`x * y` needs the operation multiply: operators and methods of expressions find it in `OPERATIONS`.
`stage.draw()` needs the pictures: what shows, checks and runs is found in `HOOKS`. Functions are
registered when their room is imported, or placed there by name, and loaded when first called.
"""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from types import MethodType
from typing import Any, TypeVar, cast

from .lazy import Later, Written

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)
OPERATIONS: dict[str, Function] = {}  # operations of the house, by NumPy's name
HOOKS = Later()  # what upper rooms do with expressions, graphs, stages and rules


def register(name: str, table: dict[str, Function] = OPERATIONS) -> Callable[[F], F]:
    """A decorator that enters a function among the operations, by its name; its type stays."""

    def enter(function: F) -> F:
        table[name] = of_operand(function, name) if table is OPERATIONS else function
        return cast(F, table[name])

    return enter


def of_operand(function: F, name: str) -> F:
    """The function, for arrays and numbers too where it says that it takes an expression first."""
    parameters = getattr(getattr(function, "__code__", None), "co_varnames", ())
    kind = function.__annotations__.get(parameters[0]) if parameters else None
    if getattr(kind, "__name__", "") != "Expr":
        return function

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if args and not isinstance(args[0], kind):  # type: ignore[arg-type]
            args = (HOOKS["operand"](args[0], name), *args[1:])
        return function(*args, **kwargs)

    return cast(F, call)


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
    """The same for the right operand: `2 - x` calls `subtract(2, x)`."""

    def call(self: Any, other: Any) -> Any:
        return OPERATIONS[name](other, self)

    call.__name__ = f"r{name}"
    return call
