"""Text of users is data: what would act in it is made visible, and what is long is cut."""

import re
import unicodedata
from typing import Any

LONGEST = 40
PLACE = re.compile(" at 0x[0-9a-fA-F]+")  # in memory, which differs from run to run


def visible(text: str) -> str:
    """The text with each character that would act instead of show replaced by one that shows."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _stand_in(c) for c in text)


def _stand_in(c: str) -> str:
    if c.isspace():
        return " "
    if ord(c) < 32:
        return chr(0x2400 + ord(c))  # the pictures of control characters: ␀ ␁ ␂ ...
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) != "Mn" else c


def shorten(text: str, longest: int = LONGEST) -> str:
    """The text, its middle replaced by an ellipsis where it is longer than `longest`."""
    if len(text) <= longest:
        return text
    head, tail = longest - longest // 3, longest // 3 - 1
    return f"{text[:head]}…{text[-tail:]}"


def shown(value: Any) -> str:
    """Any value for a message: a function by its name, and nothing by its place in memory."""
    name = getattr(value, "__name__", "")
    if callable(value) and name:
        return f"the function {name}"
    return shorten(visible(PLACE.sub("", repr(value))), 80)
