"""What is loaded, or written, when it is first used, so that `import autodiff_edu` is quick."""

from collections.abc import Callable, Mapping
from importlib import import_module
from sys import modules
from types import ModuleType
from typing import Any

from ..core.seams import Later


def later(
    package: str, names: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package that hands on names of its modules: a module is
    imported when the first of its names is asked for."""
    table = Later()
    for module, words in names.items():
        table.place(f"{package}.{module}", *words.split())

    def attribute(name: str) -> Any:
        if name not in table.places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return table[name]

    def listed() -> list[str]:
        return sorted({*vars(modules[package]), *table.places})

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
