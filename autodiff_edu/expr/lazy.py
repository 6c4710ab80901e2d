"""What is loaded, or written, when it is first used, so that `import autodiff_edu` is quick."""

import functools
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from sys import modules
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .collector import uncollected


class Later(dict[str, Any]):
    """Things by name. Some are only placed: their module is imported when they are first wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, str] = {}  # modules, by the names of what stands in them

    def place(self, module: str, *names: str) -> None:
        """What bears these names stands in this module."""
        self.places |= dict.fromkeys(names, module)

    def __missing__(self, name: str) -> Any:
        with uncollected():
            return self.setdefault(name, getattr(import_module(self.places[name]), name))


def later(module: str, *names: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package that hands on these names of one of its modules:
    it is imported when the first of them is asked for."""
    table, package = Later(), module.rpartition(".")[0]
    table.place(module, *names)

    def attribute(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return table[name]

    def listed() -> list[str]:
        return sorted({*vars(modules[package]), *names})

    return attribute, listed


class LazyModule(ModuleType):
    """In the place of a module: when something of it is first used, it is imported, and this
    becomes a copy of it, in which things are found as quickly."""

    def __getattr__(self, name: str) -> Any:
        if name == "__isabstractmethod__":  # a class asks that of all that stands in it
            raise AttributeError(name)
        vars(self).update(vars(import_module(self.__name__)))
        self.__class__ = ModuleType  # type: ignore[assignment]
        return getattr(self, name)


if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property(functools.cached_property):
        """A property that is computed when it is first asked for. Threads may compute it at once:
        on Python 3.11, all objects would wait for each other."""

        def __init__(self, write):
            super().__init__(write)
            self.lock = nullcontext()


class Written:
    """What `write` makes of an object, when it is first asked for; of its class, something else."""

    def __init__(self, write: Callable[[Any], Any], of_the_class: Any = None):
        self.write, self.of_the_class = write, of_the_class

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, thing: Any, owner: type) -> Any:
        if thing is None:
            return self.of_the_class
        return vars(thing).setdefault(self.name, self.write(thing))
