"""What to say of a name of Theano's that is not here."""

import dis
import sys
from collections.abc import Callable, Iterable
from typing import Any

from ...expr import nearest

ROOM = __name__.partition(".core")[0]
PAGE = "the page 'Coming from Theano' of the book (book/coming_from_theano.md)"


def missing(module: str, name: str, known: Iterable[str]) -> AttributeError:
    """The error for a name that a module does not have: it names the nearest, and the page."""
    if name.startswith("__"):  # Python and its tools ask for such names, and often
        return AttributeError(f"{module}.{name} is not there")
    near = nearest(name, sorted(known, key=str.islower))  # functions before classes
    hint = f"the nearest name is {module}.{near}; " if near else ""
    if module.startswith("theano.sparse"):
        hint = "sparse matrices are not there, so write the program with dense ones; "
    elif module.startswith(("theano.sandbox.cuda", "theano.gpuarray")):
        hint = "there is no graphics card here, so write the program with theano.tensor; "
    return AttributeError(f"{module}.{name} is not there: {hint}see {PAGE}")


def getter(module: str, space: dict[str, Any]) -> Callable[[str], Any]:
    """A module's `__getattr__`, for names that it does not have."""
    old = module.replace("autodiff_edu.theano", "theano")

    def __getattr__(name: str) -> Any:
        error = missing(old, name, [k for k in space if not k.startswith("_")])
        frame: Any = sys._getframe(1)
        while frame.f_globals.get("__name__", "").startswith(ROOM):
            frame = frame.f_back
        if not name.startswith("__") and imported_by(frame):
            raise ImportError(str(error))
        raise error

    return __getattr__


def imported_by(frame: Any) -> bool:
    """Is the line that is running `from module import name`? Python drops the words of an
    AttributeError there."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return 0 <= at < len(code) and dis.opname[code[at]] == "IMPORT_FROM"
