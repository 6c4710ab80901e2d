"""Text of users is data: what would act in it is made visible, and what is long is cut."""

import re
import unicodedata
from typing import Any

from .methods import hook

LONGEST = 40
JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
FIRST_JOINED = 0x590  # where Hebrew begins
PLACE = re.compile(" at 0x[0-9a-fA-F]+")  # in memory, which differs from run to run


def visible(text: str) -> str:
    """The text with each character that would act instead of show replaced by one that shows."""
    if text.isprintable():
        return text
    sides = zip(" " + text, text, text[1:] + " ", strict=False)
    return "".join(c if c.isprintable() or _joins(a, c, b) else _stand_in(c) for a, c, b in sides)


def _joins(before: str, c: str, after: str) -> bool:
    """Is it a joiner, or a non-joiner, between two letters or emoji of which it is a part?"""
    return c in JOINERS and _joinable(before) and _joinable(after)


def _joinable(c: str) -> bool:
    """Latin, Greek and Cyrillic letters are never joined: between them nobody would see one."""
    kind = unicodedata.category(c)
    return ord(c) >= FIRST_JOINED and (kind[0] in "LM" or kind in ("So", "Sk"))


def _stand_in(c: str) -> str:
    if c.isspace():
        return " "
    if ord(c) < 32:
        return chr(0x2400 + ord(c))  # the pictures of control characters: ␀ ␁ ␂ ...
    return "\N{REPLACEMENT CHARACTER}"


def shorten(text: str, longest: int = LONGEST) -> str:
    """The text, its middle replaced by an ellipsis where it is longer than `longest`."""
    if len(text) <= longest:
        return text
    head, tail = longest - longest // 3, longest // 3 - 1
    return f"{text[:head]}…{text[-tail:]}"


@hook("shown")
def shown(value: Any) -> str:
    """Any value for a message: a function by its name, and nothing by its place in memory."""
    name = getattr(value, "__name__", "")
    if callable(value) and name:
        return f"the function {name}"
    return shorten(visible(PLACE.sub("", repr(value))), 80)
