"""From a node back, by the rules that made it, to the line of the user's program."""

from collections.abc import Iterator
from typing import Any

from ..core.node import Expr, Origin


def origins(node: Expr) -> Iterator[Origin]:
    """The rules from which a node descends, the latest first."""
    origin = node.origin
    while isinstance(origin, Origin):
        yield origin
        origin = origin.node.origin


def is_derived(node: Expr) -> bool:
    """Did a derivative make the node, or the node that rewrites made it from?"""
    return any(origin.kind == "derivative" for origin in origins(node))


def first_place(node: Expr) -> Any:
    """Follow the origins back to the user's line from which the node descends."""
    origin = node.origin
    while isinstance(origin, Origin):
        origin = origin.node.origin
    return origin


def at(node: Any) -> str:
    """The words that end an error message: where the user made this node; nothing of a stage."""
    place = first_place(node) if hasattr(node, "origin") else None
    return f" (made at {place})" if place else ""
