"""A student's files become modules, in the worker: they are texts here, and no file is read."""

import ast
import linecache
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

from ..harness.feedback import Wrong
from .doing import doing
from .files import OTHERS, Files

OURS = f"{__package__}.reference"


class Texts:
    """Finds and runs the modules of a student's package: PEP 451's finder and loader."""

    def __init__(self, files: Files):
        self.files = files

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name.startswith(OURS):
            raise Wrong("refused: our own files are imported. course.reference_file copies one")
        package, _, last = name.partition(".")
        if package != self.files.folder or last and last not in self.files.texts:
            return None
        return spec_from_loader(name, self, is_package=not last)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """As Python usually does."""

    def exec_module(self, module: ModuleType) -> None:
        package, _, last = module.__name__.partition(".")
        text = self.files.texts.get(last or "__init__", "")
        file = f"{package}/{last or '__init__'}.py"
        linecache.cache[file] = len(text), None, text.splitlines(True), file
        exec(code_of(text, file, package), vars(module))


def code_of(text: str, file: str, package: str) -> Any:
    """The compiled file. Raises Wrong if it is no Python, or rests on another engine."""
    try:
        tree = ast.parse(text, file)
    except (SyntaxError, ValueError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise Wrong(f"{file}{line}: this is not Python: {error.args[0]}") from None
    for name in imported(tree):
        if name.partition(".")[0] not in OTHERS | {package}:
            raise Wrong(
                f"refused: {file} imports {name}. An engine of your own rests on Python, on NumPy, "
                "and on your own files (from .node import Node)"
            )
    return compile(tree, file, "exec")


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules that a file imports, those of its own package aside."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module)


class Engine:
    """The student's modules, each loaded when it is first asked for: engine.node, engine.graph."""

    def __init__(self, files: Files):
        self.files = files

    def __getattr__(self, name: str) -> Any:
        return self.load(name)

    def load(self, name: str, seconds: float | None = None) -> Any:
        """The module. Raises Wrong if its file is not there, or cannot be imported in time."""
        if name not in self.files.texts:
            folder = self.files.folder
            hint = f"course.start_engine({folder!r}) writes it"
            raise Wrong(f"there is no file {folder}/{name}.py: {hint}")
        module = f"{self.files.folder}.{name}"
        if module not in sys.modules:
            with doing(f"import {module}", seconds=seconds):
                import_module(module)
        return sys.modules[module]


@contextmanager
def loaded(files: Files) -> Iterator[Engine]:
    """The engine. Afterwards all is as before, and modules of this name are what they were."""
    finder, before = Texts(files), taken(files.folder)
    sys.meta_path.insert(0, finder)
    try:
        yield Engine(files)
    finally:
        sys.meta_path.remove(finder)
        taken(files.folder)
        sys.modules.update(before)


def taken(package: str) -> dict[str, ModuleType]:
    """The modules of a package, which are loaded no more."""
    names = [name for name in sys.modules if name.partition(".")[0] == package]
    return {name: sys.modules.pop(name) for name in names}
