"""Where a node came from: a line of the user's, or a rule applied at an older node."""

import linecache
import os
import sys
from contextvars import ContextVar
from types import CodeType
from typing import Any, NamedTuple, Protocol

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class Place:
    """A line of the user's program; a notebook cell is named by its text, never by a path."""

    __slots__ = ("code", "instruction")

    def __init__(self, code: CodeType, instruction: int):
        self.code, self.instruction = code, instruction

    @property
    def line(self) -> int:
        # co_positions has one entry for every two bytes of code
        for k, (line, *_) in enumerate(self.code.co_positions()):
            if 2 * k == self.instruction:
                return line or self.code.co_firstlineno
        return self.code.co_firstlineno

    @property
    def text(self) -> str:
        return linecache.getline(self.code.co_filename, self.line).strip()

    def __str__(self) -> str:
        name = self.code.co_filename
        is_file = os.path.exists(name) and "ipykernel" not in name
        where = f"{os.path.basename(name)}:{self.line}" if is_file else ""
        return " ".join(filter(None, [where, f"`{self.text}`" if self.text else ""])) or "<input>"

    def __reduce__(self):
        return str, (str(self),)


class Node(Protocol):
    """Any expression, as far as this file knows it."""

    origin: Any


class Origin(NamedTuple):
    """A rule, of a derivative or a rewrite, and the node at which it was applied; or the name of an
    argument, and the node for which a symbol stands while a function is traced."""

    kind: str  # "derivative", "rewrite" or "argument"
    rule: str
    node: Any


making: ContextVar[Origin | None] = ContextVar("making", default=None)
_places: dict[tuple[int, int], Place] = {}
REMEMBERED = 10_000  # places


def origin_now() -> Origin | Place | None:
    """The rule at work or, when there is none, the line of the user's that is running."""
    return making.get() or user_place()


def user_place() -> Place | None:
    """The innermost running line that lies outside this package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return None
    key = (id(frame.f_code), frame.f_lasti)  # a Place keeps its code alive, so the id stays its own
    place = _places.get(key)
    if place is None:
        if len(_places) >= REMEMBERED:  # code that a notebook or a test made and dropped may go
            _places.clear()
        place = _places[key] = Place(frame.f_code, frame.f_lasti)
    return place


def made_by(origin: Origin, build: Any, *args: Any) -> Any:
    """Call `build(*args)`; the nodes that it makes tell of `origin`."""
    token = making.set(origin)
    try:
        return build(*args)
    finally:
        making.reset(token)


def first_place(node: Node) -> Place | str | None:
    """Follow the origins back to the user's line from which the node descends."""
    origin = node.origin
    while isinstance(origin, Origin):
        origin = origin.node.origin
    return origin


def at(node: Node) -> str:
    """The words that end an error message: where the user made this node."""
    place = first_place(node)
    return f" (made at {place})" if place else ""
