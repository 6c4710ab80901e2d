"""The part of the user's program that is running: errors read off it what was meant."""

import ast
import linecache
import os
import sys
from types import FrameType
from typing import Any

from ..places import PACKAGE

_PYTHON = os.path.dirname(os.__file__) + os.sep  # its libraries, those of others included


def users_frame() -> FrameType | None:
    """The innermost frame that is neither of this package nor of any library."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_of_a_library(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def is_of_a_library(path: str) -> bool:
    # a .pyx was compiled by Cython, as numpy.random is: its path leads nowhere
    return path.startswith((PACKAGE, _PYTHON)) or "site-packages" in path or path.endswith(".pyx")


def asked_by_the_house(inside: int = 3) -> bool:
    """Does a line of this package call the method that asks this, so many calls inside? It wants
    words, no decision."""
    return sys._getframe(inside).f_code.co_filename.startswith(PACKAGE)


def running() -> str:
    """The text of the expression or statement that is being computed; empty if it is not known."""
    frame = users_frame()
    if frame is None:
        return ""
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    first, last, start, end = positions
    if first is None or last is None or start is None or end is None:
        return linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
    lines = [linecache.getline(frame.f_code.co_filename, k) for k in range(first, last + 1)]
    coded = [line.encode() for line in lines]  # places are counted in bytes
    coded[-1] = coded[-1][:end]
    coded[0] = coded[0][start:]
    return b"".join(coded).decode().strip()


def running_line() -> str:
    """The whole line of it."""
    frame = users_frame()
    return linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip() if frame else ""


def running_syntax() -> ast.expr | None:
    """The expression that is being computed; None if it is not known, or within a library."""
    frame, user = sys._getframe(1), users_frame()
    while frame is not user and frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return users_syntax() if frame is user else None


def users_syntax() -> ast.expr | None:
    """The expression of the user's that is being computed, by a library or by this package."""
    try:
        return ast.parse(running(), mode="eval").body
    except SyntaxError:
        return None


def running_function() -> Any:
    """The function that the user's program is calling, if it stands there by its name."""
    frame, syntax = users_frame(), running_syntax()
    if frame is None or not isinstance(syntax, ast.Call):
        return None
    name, _, attribute = ast.unparse(syntax.func).partition(".")
    found = {**frame.f_builtins, **frame.f_globals, **frame.f_locals}.get(name)
    return getattr(found, attribute, None) if attribute else found


def argument_text(k: int, otherwise: str) -> str:
    """How the user wrote the argument with this number in the call that is running."""
    syntax = running_syntax()
    if not isinstance(syntax, ast.Call) or len(syntax.args) <= k:
        return otherwise
    return ast.unparse(syntax.args[k])


def argument_call(k: int, function: str, values: str) -> tuple[str, str]:
    """Of an argument f(3.0), how the user wrote f and 3.0."""
    syntax = running_syntax()
    given = syntax.args[k] if isinstance(syntax, ast.Call) and len(syntax.args) > k else None
    if not isinstance(given, ast.Call):
        return function, values
    return ast.unparse(given.func), ", ".join(map(ast.unparse, given.args))


def exchanged(otherwise: str) -> str:
    """The call that is running, with its first two arguments exchanged."""
    syntax = running_syntax()
    if not isinstance(syntax, ast.Call) or len(syntax.args) < 2:
        return otherwise
    first, second, *rest = map(ast.unparse, syntax.args)
    return f"{ast.unparse(syntax.func)}({', '.join([second, first, *rest])})"
