"""What is loaded when it is first used, so that `import autodiff_edu` is quick."""

from importlib import import_module
from typing import Any


class Later(dict[str, Any]):
    """Things by name. Some are only placed: their module is imported when they are first wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, str] = {}  # modules, by the names of what stands in them

    def place(self, module: str, *names: str) -> None:
        """What bears these names stands in this module."""
        self.places |= dict.fromkeys(names, module)

    def __missing__(self, name: str) -> Any:
        return self.setdefault(name, getattr(import_module(self.places[name]), name))


class LazyModule:
    """In the place of a module, which is imported when something of it is first used.

    What was used stays here as an attribute, and so is found as quickly as in the module.
    """

    def __init__(self, name: str):
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        found = getattr(import_module(self.__name__), name)
        setattr(self, name, found)
        return found
