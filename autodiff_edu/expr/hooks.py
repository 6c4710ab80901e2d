"""The two tables through which a lower floor reaches what is defined above it.

`x * y` needs the operation multiply: operators and methods of expressions find it in `OPERATIONS`.
`stage.draw()` needs the pictures: what shows, checks and runs is found in `HOOKS`. An upper room
registers its functions when it is imported; they are looked up when they are called.
"""

from collections.abc import Callable
from typing import Any, TypeVar

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)
OPERATIONS: dict[str, Function] = {}  # operations of the house, by NumPy's name
HOOKS: dict[str, Function] = {}  # what upper rooms do with expressions, graphs, stages and rules


def register(name: str, table: dict[str, Function] = OPERATIONS) -> Callable[[Function], Function]:
    """A decorator that enters a function among the operations, by its name."""

    def enter(function: Function) -> Function:
        table[name] = function
        return function

    return enter


def hook(name: str) -> Callable[[F], F]:
    """A decorator that enters a function among the hooks; its type stays what it is."""
    return register(name, HOOKS)  # type: ignore[return-value]


def method(name: str) -> Function:
    """A method that hands its object and arguments to the operation of this name."""
    return calling(OPERATIONS, name)


def hooked(name: str) -> Function:
    """A method that hands its object and arguments to the hook of this name."""
    return calling(HOOKS, name)


def calling(table: dict[str, Function], name: str) -> Function:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return table[name](self, *args, **kwargs)

    call.__name__ = name
    call.__doc__ = f"The function `{name}` with this object as its first argument."
    return call


def reflected(name: str) -> Function:
    """The same for the right operand: `2 - x` calls `subtract(2, x)`."""

    def call(self: Any, other: Any) -> Any:
        return OPERATIONS[name](other, self)

    call.__name__ = f"r{name}"
    return call
