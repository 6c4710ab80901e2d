"""An import hook: the modules of Theano's, made from a table when they are first imported."""

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ..core.missing import getter
from .modules import MODULES

HERE = __name__.partition(".names")[0]  # autodiff_edu.theano


class OldModule(ModuleType):
    """A module of Theano's; one that is named like a function in it can be called as that."""

    def __setattr__(self, name: str, value: Any) -> None:
        """A submodule does not take the name of a function."""
        taken = name in vars(self) and not isinstance(vars(self)[name], ModuleType)
        if not (taken and isinstance(value, OldModule)):
            super().__setattr__(name, value)

    def __call__(self, *args: Any, **how: Any) -> Any:
        return vars(self)[self.__name__.rpartition(".")[2]](*args, **how)


class Finder(MetaPathFinder, Loader):
    """Finds autodiff_edu.theano.X for each module X of Theano's."""

    def __init__(self, contents: Callable[[str], dict[str, Any]]):
        self.contents = contents

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: Any = None
    ) -> ModuleSpec | None:
        old = old_name(fullname)
        if old is None or old == "theano":
            return None
        package = any(m.startswith(f"{old}.") for m in MODULES)
        return ModuleSpec(fullname, self, is_package=package)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return OldModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        old = old_name(module.__name__) or ""
        space = vars(module)
        space |= {k: v for k, v in self.contents(old).items() if k not in space}
        space["__getattr__"] = submodules(module.__name__, getter(module.__name__, space))


def old_name(fullname: str) -> str | None:
    """Theano's name of a module of ours; None for what Theano did not have."""
    if not fullname.startswith(f"{HERE}."):
        return None
    old = f"theano{fullname.removeprefix(HERE)}"
    return old if old in MODULES else None


def submodules(package: str, missing: Callable[[str], Any]) -> Callable[[str], Any]:
    """A module's `__getattr__`: a submodule is imported when it is first asked for."""

    def __getattr__(name: str) -> Any:
        if old_name(f"{package}.{name}") is not None:
            return importlib.import_module(f"{package}.{name}")
        return missing(name)

    return __getattr__


class AsTheano(MetaPathFinder, Loader):
    """Finds `theano.X`, which is the module autodiff_edu.theano.X."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: Any = None
    ) -> ModuleSpec | None:
        if fullname != "theano" and fullname not in MODULES:
            return None
        package = fullname == "theano" or any(m.startswith(f"{fullname}.") for m in MODULES)
        return ModuleSpec(fullname, self, is_package=package)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(HERE + spec.name.removeprefix("theano"))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is left to do but to let the module keep its own spec."""
        module.__spec__ = importlib.util.find_spec(HERE) if module.__name__ == HERE else ModuleSpec(
            module.__name__, FINDERS[0], is_package=hasattr(module, "__path__"))  # fmt: skip


FINDERS: list[Finder] = []
AS_THEANO = AsTheano()


def install(contents: Callable[[str], dict[str, Any]]) -> None:
    """Let Theano's modules be found below this room."""
    if not FINDERS:
        FINDERS.append(Finder(contents))
        sys.meta_path.insert(0, FINDERS[0])


def install_as_theano() -> None:
    """Let `import theano` find this room, and `import theano.tensor` its modules.

    Nothing else changes; `uninstall` takes it back. Where Theano itself is imported already, that
    is an error.
    """
    present = sys.modules.get("theano")
    if present is not None and present.__name__ != HERE:
        raise ImportError("theano is imported already, and it is not ours: call "
                          "install_as_theano() before `import theano`")  # fmt: skip
    if AS_THEANO not in sys.meta_path:
        sys.meta_path.insert(0, AS_THEANO)


def uninstall() -> None:
    """Let `import theano` find what it found before."""
    if AS_THEANO in sys.meta_path:
        sys.meta_path.remove(AS_THEANO)
    for name in [n for n in sys.modules if n == "theano" or n.startswith("theano.")]:
        del sys.modules[name]
