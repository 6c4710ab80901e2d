"""Explanations that are loaded when they are first needed: of errors in a user's function, of a
string that holds a formula, of the module math, and of an expression that is called."""

import ast
import dis
import re
import warnings
from collections.abc import Iterable
from traceback import walk_tb
from types import TracebackType
from typing import Any

import numpy as np

from ...core.errors import MISUSE
from ...core.node import Expr
from ..origins import at, first_place
from ..places import PACKAGE, Place, user_place
from ..tracing import decisions_now
from .refusal import LAST, refuse
from .running import (
    asked_by_the_house,
    is_of_a_library,
    running_line,
    running_syntax,
    users_frame,
)
from .suggestion import again

FOR_PEOPLE = r"\b(print|raise|warn|log|logging|write|display)\b"  # the words of such a line
BY_IDENTITY = (
    "A dictionary finds an expression by identity, not by its number: its keys are numbers, so "
    "write d[int(x)] for whole ones, or ad.where for a choice."
)
WITH_LINES = (*MISUSE, AttributeError, NotImplementedError)
WHOLE_DRAWS = "binomial choice integers permutation poisson random".split()
NUMPYS = {  # names of the module math that differ in NumPy
    "acos": "arccos", "asin": "arcsin", "atan": "arctan", "atan2": "arctan2", "acosh": "arccosh",
    "asinh": "arcsinh", "atanh": "arctanh", "pow": "power", "fsum": "sum", "lgamma": "gammaln",
}  # fmt: skip
WITHOUT_NAME = {"gamma": "np.exp(ad.gammaln(x))", "dist": "np.linalg.norm(x - y)"}


def explained(error: Exception) -> Exception:
    """The error of a user's function, with the line of that function where the error is ours; ours
    where NumPy or SciPy put another before it."""
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], Expr):
        error.add_note(BY_IDENTITY)
    refusal, end = refusal_behind(error), from_users_line(error.__traceback__)
    files = [frame.f_code.co_filename for frame, _ in walk_tb(end)]
    from_here = refusal is not error or any(file.startswith(PACKAGE) for file in files)
    if end is None or not from_here or not isinstance(refusal, WITH_LINES):
        return refusal
    refusal = with_place(refusal, Place(end.tb_frame.f_code, end.tb_lasti))
    return refusal if refusal is error else refusal.with_traceback(error.__traceback__)


def refusal_behind(error: Exception) -> Exception:
    """Our error, before which NumPy or SciPy put one of their own; else the error itself."""
    if LAST.error is not None and denies_what_is_there(error):
        return LAST.error
    if not isinstance(error, (TypeError, ValueError, SystemError)):
        return error
    if str(error).startswith("Iterator operand"):
        return again(error, "np.nditer walks over arrays alone: write `for x_k in x.ravel():`, "
                            "which takes expressions")  # fmt: skip
    if LAST.error is not None and error.__context__ is None and is_of_scipy(error):
        return LAST.error
    cause = error.__cause__
    frames = list(walk_tb(cause.__traceback__ if cause else None))
    if not frames or frames[-1][0].f_code is not refuse.__code__:
        return error
    if isinstance(error, SystemError):  # of a function in C that went on after ours
        return TypeError(str(cause))
    return again(error, str(cause))


def is_of_scipy(error: Exception) -> bool:
    """Did SciPy's code in C raise it?"""
    *_, (frame, _) = walk_tb(error.__traceback__)
    return frame.f_globals.get("__name__", "").startswith("scipy.")


def denies_what_is_there(error: Exception) -> bool:
    """Does it say that an object lacks what it has? After our error SciPy's code in C calls a
    function once more, and looks at errors later: Python may find no __getitem__ meanwhile."""
    if not isinstance(error, AttributeError):
        return False
    name = error.name or str(error)  # which is the name, where an operator looks for its method
    if error.obj is not None:
        return hasattr(error.obj, name)
    return name.startswith("__") and hasattr(Expr, name)


# ---- the line of the user's that an error names


def running_place() -> Place | None:
    """The innermost running line that lies outside this package and all libraries."""
    frame = users_frame()
    return Place(frame.f_code, frame.f_lasti) if frame else None


def where(node: Any) -> str:
    """The words behind a node that is refused: the line that runs, and the line that made the node
    if it is another. Where an input was made tells nothing."""
    place, origin = running_place(), first_place(node)
    if place is None or str(place) == str(origin):
        return at(node)
    return f" (made at {origin}, used in {place})" if node.op and origin else f" (in {place})"


def from_users_line(traceback: TracebackType | None) -> TracebackType | None:
    """The end of a traceback that begins with the innermost frame of the user's; None without
    one."""
    end = None
    while traceback is not None:
        if not is_of_a_library(traceback.tb_frame.f_code.co_filename):
            end = traceback
        traceback = traceback.tb_next
    return end


def with_place(error: Exception, place: Place | None) -> Exception:
    """The error with this line in its message, once."""
    if place is None or str(place) in str(error):
        return error
    return again(error, f"{error} (in {place})")


def with_running_line(error: Exception) -> Exception:
    """The error with the line in its message that runs; the error itself if it comes from a
    function of the user's, whose line it has by now."""
    within = from_users_line(error.__traceback__)
    return error if within else with_place(error, running_place())


# ---- explanations of other kinds


def tell_of_formula(node: Any) -> None:
    """Warn of a string made while a function is traced, unless it is one for people to read."""
    if decisions_now.get() is None or asked_by_the_house(4):
        return
    if re.search(FOR_PEOPLE, running_line()):
        return
    place = user_place()
    warnings.warn_explicit(
        f"a string holds the formula {node}, and not its number, while a function is traced: a "
        "result does not depend on such a string",
        UserWarning,
        place.code.co_filename if place else "",
        place.line if place else 0,
    )


def names_in_line() -> str:
    """Names and assignments that the instructions of the running line tell, where it has no source:
    `np.random.normal(`, `y] =`."""
    frame, text = users_frame(), ""
    if frame is None:
        return text
    for instruction in dis.get_instructions(frame.f_code):
        line = instruction.positions.lineno if instruction.positions else None
        if line != frame.f_lineno or not isinstance(instruction.argval, str | None):
            continue
        if instruction.opname.startswith(("LOAD_ATTR", "LOAD_METHOD")):
            text = f"{text.removesuffix('( ')}.{instruction.argval}( "
        elif instruction.opname.startswith("LOAD") and instruction.opname != "LOAD_CONST":
            text += f"{instruction.argval}( "
        elif instruction.opname == "STORE_SUBSCR":
            text += "] = "
    return text


def for_draw(name: str) -> str:
    """A draw of a stream for NumPy's, and what its slope is."""
    noise = ""
    if name not in WHOLE_DRAWS:
        noise = "; its slope is that of one draw, whose noise counts as a constant"
    return (f"rs.{name}(...) for NumPy's, with one stream made outside: rs = ad.RandomStream(0)"
            f"{noise}")  # fmt: skip


def for_math(name: str) -> str:
    """NumPy's function for one of the module math, or one of ours."""
    other = NUMPYS.get(name, name)
    room = "np" if hasattr(np, other) else "ad"
    return f"{WITHOUT_NAME.get(name, f'{room}.{other}(x)')} for math.{name}(x)"


def no_function(kind: str, thing: Any, inputs: Iterable[Any], of_expressions: bool) -> TypeError:
    """The error for y(3.0): how y gets its value, in the user's words."""
    syntax = running_syntax()
    call = syntax if isinstance(syntax, ast.Call) else None
    y = ast.unparse(call.func) if call else getattr(thing, "name", "") or "y"
    what = f"{kind} is not a function: {thing}{at(thing)}. Write "
    if of_expressions:
        return TypeError(f"{what}{y} * (...) for a product.")
    names = sorted(n.name for n in inputs)
    given = [ast.unparse(a) for a in call.args] if call else []
    values = given if len(given) == len(names) else ["3.0"] * len(names)
    pairs = ", ".join(f"{n}: {v}" for n, v in zip(names, values, strict=True))
    program = f"ad.function([{', '.join(names)}], {y})({', '.join(values)})"
    return TypeError(f"{what}ad.evaluate({y}, {{{pairs}}}), or {program}.")
