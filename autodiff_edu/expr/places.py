"""The lines of the user's program at which nodes are made, and the groups that are open there."""

import linecache
import os
import sys
from collections.abc import Callable
from functools import wraps
from itertools import islice
from types import CodeType
from typing import ParamSpec, TypeVar

from ..core.errors import MISUSE
from ..core.seams import cached_property
from .lazy import LazyModule
from .methods import hook
from .tracing import open_groups

P = ParamSpec("P")
R = TypeVar("R")
Explain = Callable[..., Exception]

explanations = LazyModule(f"{__package__}.errors.explanations")

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class Place:
    """A line of the user's program, and the groups that were open there; a notebook cell is named
    by its text, never by a path."""

    def __init__(self, code: CodeType, instruction: int, groups: tuple[str, ...] = ()):
        self.code, self.instruction, self.groups = code, instruction, groups

    def __eq__(self, other: object) -> bool:
        """Two conditions of one line have one place, and so has a loop's, which Python compiles
        twice."""
        return isinstance(other, Place) and self.code is other.code and self.line == other.line

    def __hash__(self) -> int:
        return hash((id(self.code), self.line))

    @cached_property
    def line(self) -> int:
        positions = islice(self.code.co_positions(), self.instruction // 2, None)  # one for 2 bytes
        return next(positions, (None,))[0] or self.code.co_firstlineno

    @property
    def text(self) -> str:
        return linecache.getline(self.code.co_filename, self.line).strip()

    @property
    def where(self) -> str:
        """The file and the line; empty for a cell of a notebook."""
        name = self.code.co_filename
        is_file = os.path.exists(name) and "ipykernel" not in name
        return f"{os.path.basename(name)}:{self.line}" if is_file else ""

    def __str__(self) -> str:
        return " ".join(filter(None, [self.where, self.text and f"`{self.text}`"])) or "<input>"

    def __reduce__(self):
        return str, (str(self),)


_places: dict[tuple[int, int, tuple[str, ...]], Place] = {}
REMEMBERED = 10_000  # places


@hook("location")
def user_place(inside: int = 0) -> Place | None:
    """The innermost running line that lies outside this package; of so many calls it is known that
    they lie inside."""
    frame = sys._getframe(1 + inside)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return None
    groups = open_groups.get()
    key = (id(frame.f_code), frame.f_lasti, groups)  # a Place keeps its code, and so the id
    place = _places.get(key)
    if place is None:
        if len(_places) >= REMEMBERED:  # code that a notebook or a test made and dropped may go
            _places.clear()
        place = _places[key] = Place(frame.f_code, frame.f_lasti, groups)
    return place


def renew_places() -> list[Place]:
    """The places that were met since the last time. From now on new objects stand for them, and so
    a place tells when a node was made."""
    met = list(_places.values())
    _places.clear()
    return met


def located(function: Callable[P, R], explain: Explain | None = None) -> Callable[P, R]:
    """The function, with the user's line in the errors that it raises for wrong arguments; or with
    the error that `explain` makes of such an error and the arguments."""

    @wraps(function)
    def careful(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except MISUSE as error:
            own = explain and explain(error, args, kwargs)
            raise own or explanations.with_running_line(error) from error.__cause__

    return careful
