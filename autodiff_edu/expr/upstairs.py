"""The one table through which the ground floor reaches what upper floors know.

`x * y` needs the operation multiply, `stage.draw()` needs the pictures: both live above. Each
upper room enters its functions here when it is imported, and the ground floor looks them up
when it is called.
"""

from collections.abc import Callable
from typing import Any

upstairs: dict[str, Callable[..., Any]] = {}


def enters(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that enters a function in the table under `name`."""

    def enter(function: Callable[..., Any]) -> Callable[..., Any]:
        upstairs[name] = function
        return function

    return enter


def method(name: str) -> Callable[..., Any]:
    """A method that hands its object and arguments to the function entered as `name`."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return upstairs[name](self, *args, **kwargs)

    call.__name__ = name
    call.__doc__ = f"The function `{name}` with this object as its first argument."
    return call


def reflected(name: str) -> Callable[..., Any]:
    """The same for the right operand: `2 - x` calls `subtract(2, x)`."""

    def call(self: Any, other: Any) -> Any:
        return upstairs[name](other, self)

    call.__name__ = f"r{name}"
    return call
