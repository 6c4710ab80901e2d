"""Run a script of Theano's years as it is."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from ..names import install_as_theano, uninstall
from ..names.finder import AS_THEANO
from .old_libraries import Importer, execute
from .python2 import converted


def run(path: str | Path, show: bool = False, argv: Sequence[str] = ()) -> dict[str, Any]:
    """Run a script; what it defines.

    Inside it `import theano` finds this room. A script in Python 2 is converted in memory; with
    `show` the conversion is printed first. Names that NumPy and the standard library have removed
    since are there for the script alone.

    Parameters
    ----------
    path : str or Path
        The script.
    show : bool, default: False
        Whether to print the text that runs, where it is not the script's own.
    argv : list of str, default: ()
        What the script finds behind its name in sys.argv.

    Returns
    -------
    dict
        The names that the script defines.
    """
    path = Path(path)
    source = converted(path.read_text("utf-8", errors="surrogateescape"), path.name)
    if show and source.was_python_2:
        print(f"# {path.name} in Python 3" + "; / of two whole numbers is whole" * source.classic)
        print(source.text)
    elif show:
        print(f"# {path.name} is Python 3 already")
    module = ModuleType("__main__")
    module.__file__ = str(path)
    importer = Importer(path.resolve().parent, source.was_python_2)
    with surroundings(module, path, argv, importer):
        execute(module, path, importer)
    return {k: v for k, v in vars(module).items() if k != "__builtins__"}


@contextlib.contextmanager
def surroundings(
    module: ModuleType, path: Path, argv: Sequence[str], importer: Importer
) -> Iterator[None]:
    """What a script that is started finds, for as long as it runs."""
    installed = AS_THEANO in sys.meta_path
    before = sys.argv, sys.path[:], sys.modules["__main__"]
    install_as_theano()
    sys.argv, sys.modules["__main__"] = [str(path), *argv], module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        yield
    finally:
        sys.argv, sys.path[:], sys.modules["__main__"] = before
        for name in importer.loaded:
            sys.modules.pop(name, None)
        if not installed:
            uninstall()
