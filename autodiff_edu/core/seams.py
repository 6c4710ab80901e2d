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
from typing import TYPE_CHECKING, Any

Function = Callable[..., Any]


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


if TYPE_CHECKING:
    from functools import cached_property

    from .protocols import OfExpr, OfGraph, OfOp, OfRule, OfRules, OfStage, OfType
else:
    # what rooms give to classes of the core
    OfExpr = OfGraph = OfOp = OfRule = OfRules = OfStage = OfType = object

    class cached_property(functools.cached_property):
        """A property that is computed when it is first asked for. Threads may compute it at once:
        on Python 3.11, all objects would wait for each other."""

        def __init__(self, write):
            super().__init__(write)
            self.lock = nullcontext()


OPERATIONS: dict[str, Function] = {}  # operations of the house, by NumPy's name
HOOKS = Later()  # what upper rooms do with expressions, graphs, stages and rules
watch: ContextVar[Function | None] = ContextVar("watch", default=None)  # told of each new node


def shown(value: Any) -> str:
    """Any value, for a message."""
    text: str = HOOKS["shown"](value)
    return text
