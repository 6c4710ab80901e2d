"""Where a node came from: a rule applied at an older node, or a line of the user's program.

The core knows the rule that is at work. Which line is running, `HOOKS["place"]` tells.
"""

from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, NamedTuple, Protocol

from .seams import HOOKS


class Node(Protocol):
    """Any expression, as far as this file knows it."""

    origin: Any


class Origin(NamedTuple):
    """A rule, of a derivative or a rewrite, and the node at which it was applied; or the name of an
    argument, and the node for which a symbol stands while a function is traced."""

    kind: str  # "derivative", "rewrite" or "argument"
    rule: str
    node: Any


HOOKS.setdefault("place", lambda inside: None)  # until a room knows the user's lines
making: ContextVar[Origin | None] = ContextVar("making", default=None)


def origin_now() -> Any:
    """The rule at work or, when there is none, the line of the user's that is running."""
    return making.get() or HOOKS["place"](2)  # this function, and what makes a node


def made_by(origin: Origin, build: Any, *args: Any) -> Any:
    """Call `build(*args)`; the nodes that it makes tell of `origin`."""
    before = making.get()  # a token would be lost where Ctrl-C comes before it is kept
    try:
        making.set(origin)
        return build(*args)
    finally:
        making.set(before)


def origins(node: Node) -> Iterator[Origin]:
    """The rules from which a node descends, the latest first."""
    origin = node.origin
    while isinstance(origin, Origin):
        yield origin
        origin = origin.node.origin


def is_derived(node: Node) -> bool:
    """Did a derivative make the node, or the node that rewrites made it from?"""
    return any(origin.kind == "derivative" for origin in origins(node))


def first_place(node: Node) -> Any:
    """Follow the origins back to the user's line from which the node descends."""
    origin = node.origin
    while isinstance(origin, Origin):
        origin = origin.node.origin
    return origin


def at(node: Any) -> str:
    """The words that end an error message: where the user made this node; nothing of a stage."""
    place = first_place(node) if hasattr(node, "origin") else None
    return f" (made at {place})" if place else ""
