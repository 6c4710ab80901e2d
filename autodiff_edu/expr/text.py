"""An expression on one line: `x * x + (x - 2)`. Long ones are cut short, deep ones too.

Text of users is data: what would act in it is made visible.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..core.node import Constant, Disconnected, Expr, Literal, Null
from ..core.op import computed_by, item
from ..core.seams import OPERATIONS
from .methods import hook

LONGEST = 160
DEEPEST = 8
SHORT = 40
JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
FIRST_JOINED = 0x590  # where Hebrew begins
PLACE = re.compile(" at 0x[0-9a-fA-F]+")  # in memory, which differs from run to run


@hook("text")
def text(n: Expr, called: Mapping[Expr, str] = {}) -> str:
    """The formula as Python reads it, with dots where it would run on; parts that are `called`
    something are written so."""
    written = write(n, DEEPEST, called, {})
    return written if len(written) <= LONGEST else written[: LONGEST - 1] + "…"


def in_sight(roots: Iterable[Expr]) -> set[Expr]:
    """The nodes that are near enough to the roots to be written."""
    level, found = set(roots), set(roots)
    for _ in range(DEEPEST):
        level = {i for n in level for i in n.inputs} - found
        found |= level
    return found


def write(n: Expr, depth: int, called: Mapping[Expr, str], done: dict[Any, str]) -> str:
    """The node, so many levels deep; what is `done` at this depth is not written again."""
    if n in called:
        return called[n]
    if n.op is None:
        return leaf(n)
    if not depth:
        return "…"
    if (n, depth) not in done:
        parts = [write(i, depth - 1, called, done) for i in n.inputs]
        done[n, depth] = applied(n, parts, called)
    return done[n, depth]


def applied(n: Expr, parts: list[str], called: Mapping[Expr, str]) -> str:
    """The operation, with its operands as they are written."""
    for k, (i, least) in enumerate(zip(n.inputs, asked(n), strict=False)):
        if i not in called and strength(i) < least:
            parts[k] = f"({parts[k]})"
    sign = symbol(n)
    if sign:
        return f" {sign} ".join(parts) if len(parts) == 2 else sign + parts[0]
    if n.op is item:
        return f"{parts[0]}{result(n)}"
    op = n.op
    written = op.write(parts) if hasattr(op, "write") else op.written.format(*parts)
    if written:
        return written
    if is_subscript(n):
        return f"{parts[0]}[{subscripts(dict(n.static)['key'])}]"
    settings = [f"{k}={v!r}" for k, v in n.static if v is not None and v is not False]
    return f"{name_of(n.op.name)}({', '.join(parts + settings)})"


OPERATION, SIGNED, ATOM = range(3)  # a + b, -2, and all that holds together beside any sign
BESIDE = {"**": (ATOM, SIGNED)}  # -2 ** x is -(2 ** x) as Python reads it, and x ** -2 is clear


def asked(n: Expr) -> tuple[int, ...]:
    """How strongly each operand has to hold together."""
    if symbol(n):
        return BESIDE.get(symbol(n), (SIGNED, SIGNED))
    followed = n.op is item or is_subscript(n) or n.op.written.startswith("{0}[")
    return (ATOM,) if followed else ()


def strength(n: Expr) -> int:
    """How strongly the text of a node holds together. To each other, operations with a sign are
    equal, so that brackets tell their order."""
    if n.op is not None:
        return OPERATION if symbol(n) else ATOM
    return SIGNED if leaf(n).startswith("-") else ATOM


def is_subscript(n: Expr) -> bool:
    """Are brackets behind the operand the operation? In a pattern the key is a wildcard."""
    return n.op is OPERATIONS["index"] and isinstance(dict(n.static).get("key"), tuple)


def name_of(word: str) -> str:
    """A name before brackets: pullback of f(x) would be the pullback of a value."""
    return shorten(visible(word)).replace(" ", "_")


def result(n: Expr) -> str:
    """Which of several results it is, by name or by number."""
    owner, place = computed_by(n)
    words = getattr(owner.op, "result_words", None)
    return f".{name_of(words[place])}" if words else f"[{place}]"


def subscript(item: object) -> str:
    """A number, a slice or None of a stored key, as Python writes it between brackets."""
    if not isinstance(item, tuple):
        return str(item)
    start, stop, step = ["" if k is None else str(k) for k in item]
    return f"{start}:{stop}" + f":{step}" * bool(step)


def subscripts(key: Iterable[object]) -> str:
    """A stored key between brackets, where nothing at all would be no Python."""
    return ", ".join(map(subscript, key)) or "()"


def symbol(n: Expr) -> str:
    """The sign between or before the operands, if the operation is written with one."""
    return getattr(n.op, "symbol", "")


def leaf(n: Expr) -> str:
    if isinstance(n, (Constant, Literal)):
        written = number(n.value, exact=False)
        return written if written != "-0" else "-0.0"  # as -0 is 0 to Python
    return visible(n.name or "") or STANDINS.get(type(n), "?")


STANDINS: dict[type, str] = {Null: "undefined", Disconnected: "disconnected"}


def number(value: object, exact: bool = True) -> str:
    """2.0 as 2, an array of one repeated number as that number, a longer one as its shape. Not
    exact: to the digits that are the same on every processor, as the number may be computed."""
    array = np.asarray(value)
    if array.ndim:
        uniform = array.size and (array == array.flat[0]).all()
        return number(array.flat[0], exact) if uniform else f"array{array.shape}"
    known: Any = array[()]
    if array.dtype.kind != "f":
        return str(known)
    if known.is_integer() and abs(float(known)) < 1e15:
        return f"{known:.0f}"
    return str(known) if exact else f"{known:.{min(12, np.finfo(array.dtype).precision)}g}"


# ---- text of users


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


def shorten(text: str, longest: int = SHORT) -> str:
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
