"""Functions written for one use: a loop over what is the same at each call, such as the places that
were read or the containers of a result, would take several times as long."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from types import CodeType, FunctionType
from typing import Any

from .pytree import LEAF, NOTHING, together, within

GROW = """
def grow(v):{}
    return {}"""


def function_of(text: str, objects: dict[str, Any]) -> Callable[..., Any]:
    """The function of a text in which these objects have names. Each has code of its own, in which
    Python notes where it found them."""
    return FunctionType(code_of(text).replace(), objects)


@lru_cache(maxsize=64)
def code_of(text: str) -> CodeType:
    """The code of the one function of a text: what is alike has the same text."""
    (code,) = [c for c in compile(text, "<call>", "exec").co_consts if isinstance(c, CodeType)]
    return code


def grower(structure: Any) -> Callable[[list], Any]:
    """`tree_unflatten` of one structure: a line for each container, the inner ones first.

    def grow(v):
        v0 = (v[1], v[2], )
        v1 = (v[0], v0, )
        return v1
    """
    lines: list[str] = []
    objects: dict[str, Any] = {"together": together}
    result = name_of(structure, count(), lines, objects)
    return function_of(GROW.format("".join(lines), result), objects)


def name_of(structure: Any, places: Iterator[int], lines: list[str], objects: dict) -> str:
    """The name of a part of the result, after the line that makes it."""
    if structure == LEAF:
        return f"v[{next(places)}]"
    if structure == NOTHING:
        return "None"
    kind, keys, below = within(structure)
    parts = "".join([f"{name_of(s, places, lines, objects)}, " for s in below])
    k = len(lines)
    if kind is tuple:
        text = f"({parts})"
    else:
        text = f"together(kind{k}, keys{k}, [{parts}])"
        objects |= {f"kind{k}": kind, f"keys{k}": keys}
    lines.append(f"\n    v{k} = {text}")
    return f"v{k}"
