"""The words on the parts of a frame, and beside them."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...differentiate.slope_names import BAR, DOT, marked
from ...expr import cached_property, shorten
from .layout import FAR
from .parts import Content, around, lift, part_of
from .shortening import operands_of
from .steps import contents_of

LETTER, PADDING, LONG = 9.6, 20, 15  # pixels of a letter and around a line, letters of a line
SIGNS = {"add": "+", "subtract": "−", "multiply": "·", "divide": "/", "power": "^", "matmul": "@"}
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
TEN_THOUSAND = 10_000  # operations: from here on their number alone fits into a box
Document = Mapping[str, Any]


class Box(NamedTuple):
    """A part in the picture: what is written in it and beside it, and where it stands."""

    text: str
    number: str
    name: str
    x: float
    y: float
    derivative: bool
    style: str
    type: str = ""
    is_highlighted: bool = False

    @property
    def lines(self) -> list[str]:
        return [short(line) for line in (self.text, self.type, self.number) if line]

    @property
    def sentence(self) -> str:
        name = self.name if self.name != self.text else ""
        mark = "  [matched]" * self.is_highlighted
        return " = ".join(filter(None, [name, *self.lines])) + mark

    @property
    def width(self) -> float:
        return max(44.0, LETTER * max(map(length, self.lines), default=0) + PADDING)


class Setting(NamedTuple):
    """All frames have this: the document, whether parts show their numbers, and the parts that some
    step changes."""

    document: Document
    numbers: bool
    changes: Collection[str]


class Instant(NamedTuple):
    """One frame: the content of each part, the parts that are `fresh`, the places that nothing
    needs, the results, values and types, and the places to which more is added: "1 of 2"."""

    contents: dict[str, Content]
    fresh: Collection[str]
    idle: Collection[str]
    outs: Collection[str]
    values: Mapping[str, Any]
    types: Mapping[str, str]
    partial: Mapping[str, str]


class Words:
    """The words of one frame."""

    def __init__(self, setting: Setting, instant: Instant):
        self.document, self.numbers, self.changes = setting
        self.contents, self.fresh, self.idle, self.outs, *words = instant
        self.values, self.types, self.partial = words
        self.parts, self.is_lone = self.document["parts"], self.document["mode"] == "lone"
        self.has_groups = "frames" in self.document

    def boxes(self) -> dict[str, Box]:
        """The parts that are seen, at their columns and rows."""
        return {p: self.box(p) for p in self.contents if "x" in self.parts[p]}

    def fresh_boxes(self) -> list[Box]:
        """Those that this frame changed."""
        return [self.box(p) for p in self.fresh if "x" in self.parts[p]]

    def box(self, p: str) -> Box:
        row, content = self.parts[p], self.contents[p]
        derivative = self.is_derivative(p) and not self.is_lone
        style = "dotted" if content[0] in ("tie", "empty") else "dashed" if derivative else "solid"
        own = part_of(p)
        name = f"{self.name(p)} {self.partial.get(own, '')}".strip()
        result = self.document.get("results", {}).get(own, name)
        name = name if result == name else " = ".join(filter(None, [result, name]))
        if self.numbers and own.isdigit() and "group" not in row:
            name = f"#{own} {name}".strip()
        number, kind = self.number(p), self.types.get(own, "")
        return Box(
            self.label(p, content), number if number not in kind else "", name, row["x"], row["y"],
            derivative, style, kind, p in self.highlighted,
        )  # fmt: skip

    @cached_property
    def boxes_of(self) -> Mapping[str, Sequence[str]]:
        """The boxes of each part that has some: one or, in a tree, several copies."""
        boxes: dict[str, list[str]] = {}
        for p in (p for p in self.contents if "x" in self.parts[p]):
            boxes.setdefault(part_of(p), []).append(p)
        return boxes

    def shown(self, parts: Iterable[str]) -> list[str]:
        """The boxes of these parts, or of the closed groups in which they are."""
        chains = [[part_of(p), *around(self.parts, p)] for p in parts]
        boxes = [next((self.boxes_of[q] for q in chain if q in self.boxes_of), ())
                 for chain in chains]  # fmt: skip
        return [*dict.fromkeys(p for own in boxes for p in own)]

    def results(self, p: str) -> Sequence[str]:
        """The box of a result."""
        return [p] if p in self.boxes_of.get(part_of(p), ()) else self.shown([p])[:1]

    @cached_property
    def highlighted(self) -> list[str]:
        """The boxes that are highlighted."""
        return self.shown(self.document.get("highlighted", ()))

    def is_idle(self, p: str) -> bool:
        """Does no result need this place?"""
        return part_of(p) in self.idle

    def name(self, p: str) -> str:
        row = self.parts[p]
        if "name" in row:
            return row["name"]
        if "of" not in row:
            return ""
        name, mode = self.parts[row["of"]]["name"], self.document["mode"]
        return marked(name, {"symbolic": "′", "reverse": BAR}.get(mode, DOT))

    def symbol(self, p: str) -> str:
        """The name of an input, or of another part."""
        return self.parts[p].get("symbol") or self.name(p)

    def label(self, p: str, content: Content) -> str:
        """Return the words in a part: its operation, with the operands that are not drawn."""
        kind, *rest = content
        if kind == "input":
            return self.symbol(p)
        if kind in ("empty", "const"):
            return ""
        if kind == "group":
            return self.parts[p]["group"]
        if kind == "tie":
            return f"= {self.inside(p, rest[0][0])}".strip()
        operands, words = rest[0], rest[1] if len(rest) > 1 else {}
        named = [self.inside(p, a) for a in operands]
        if kind == "D":
            return f"D {named[0] or self.name(operands[0])}"
        sign = words.get("label") or SIGNS.get(kind) or self.document["operations"][kind]["symbol"]
        twice = [type(a) for a in operands] == [str, str] and operands[0] == operands[1]
        if (twice or kind in ("square", "power")) and named[0].startswith("−"):
            named[0] = f"({named[0]})"
        if kind == "square" or kind == "multiply" and named[0] and twice:
            return f"{named[0] or '( )'}²"
        if kind == "power" and isinstance(operands[1], dict):
            return (named[0] or "( )") + raised(operands[1]["c"])
        stands_between = kind in SIGNS or not any(c.isalpha() or c == "_" for c in sign)
        if stands_between and len(named) == 2:
            tight = "" if kind in ("multiply", "divide", "power") else " "
            lone = "×" if kind == "multiply" and not any(named) else sign
            return f"{named[0]}{tight}{lone}{tight}{named[1]}".strip()
        if sign[:1] == "·" and len(sign) > 1 and named[0]:  # ·ᵀ, ·[1:]: around the operand
            return named[0] + sign[1:]
        inside = ", ".join(word for word in named if word and word != "…")
        return f"{sign}({inside})" if inside and len(operands) > 1 else f"{sign} {inside}".strip()

    def inside(self, p: str, operand: Any) -> str:
        """How an operand is named in its user; nothing where an edge leads to it."""
        if isinstance(operand, dict):
            return operand.get("text") or written(operand["c"])
        if self.is_drawn(operand, p):
            return ""
        row, content = self.parts[operand], self.contents.get(operand, ["empty"])
        if row["kind"] == "inline":
            return written(content[1]) if content[0] == "const" else row["text"]
        to = row.get("to", operand)  # but no part of a sum bears the name of the sum
        return self.symbol(operand) or (self.name(to) if to != p else "") or "…"

    def number(self, p: str) -> str:
        content = self.contents[p]
        if content[0] == "group":
            count = content[2]["count"]
            words = f"{count} operation{'s' * (count != 1)}" if count else ""
            return words if count < TEN_THOUSAND else f"{count / 1000:.3g} thousand"
        if content[0] in ("empty", "D"):
            return ""
        if content[0] == "const":
            return written(content[1])
        if content[0] == "tie":
            (a,) = content[1]
            return "" if "group" in self.parts[a] else self.number(a)
        value = self.values.get(part_of(p))
        return "" if value is None else written(value)

    def operands(self, p: str) -> list[str]:
        """The parts and groups beside a part from which edges may lead to it: to none from the
        column before."""
        if p in self.document.get("continued", ()):
            return []
        lifted = (lift(self.parts, a, p) for a in operands_of(self.contents[p]))
        return [*dict.fromkeys(a for a in lifted if a is not None)]

    def is_derivative(self, p: str) -> bool:
        return self.parts[p]["kind"] != "value"

    def is_drawn(self, a: str, p: str) -> bool:
        """Does an edge lead from part a to part p?"""
        row, user = self.parts[a], self.parts[p]
        if "y" not in row or row.get("in") != user.get("in"):
            return False
        ends = [end.get("own", end["y"]) for end in (row, user)]  # those in their group
        near = abs(ends[0] - ends[1]) <= FAR or row["kind"] == "helper"
        near = near or "tree" in self.document or "box" in self.parts.get(user.get("in", ""), ())
        if self.is_lone and not self.has_groups:
            return near or (a in self.changes or p in self.changes) and self.is_beside(a, p)
        return near and (self.is_lone or self.is_derivative(a) == self.is_derivative(p))

    @cached_property
    def heights(self) -> list[float]:
        """The rows in which something stands."""
        return sorted({self.parts[p]["y"] for p in self.contents if "y" in self.parts[p]})

    def is_beside(self, a: str, p: str) -> bool:
        """Is there one row at most between the two, in this frame?"""
        ends = [self.parts[q].get("y") for q in (a, p)]
        if None in ends:
            return False
        low, high = (bisect_left(self.heights, y) for y in sorted(ends))
        return high - low <= FAR / 2


def frames_of(document: Document, numbers: bool = False) -> Iterator[Words]:
    """The words of each frame, with the numbers of the parts if they are asked for."""
    changes = frozenset(p for step in document["steps"] for p in (*step["set"], *step["drop"]))
    setting = Setting(document, numbers, changes)
    words = [dict(document.get(name, ())) for name in ("python", "types")]
    begin = {"set": document["first"], "idle": document.get("idle", ()), "outs": document["outs"]}
    partial, outs = dict[str, str](), document["outs"]
    for k, (contents, step) in enumerate(zip(contents_of(document), [begin, *document["steps"]])):
        for now, other in zip(words, ("other", "other types")):
            now |= {p: word for at, p, word in document.get(other, ()) if at == k}
        count, total = step.get("seen", (1, 1))
        partial[step.get("part", "")] = f"({count} of {total})" if count < total else ""
        idle, outs = {*step.get("idle", ())}, step.get("outs", outs)
        values, types = map(dict, words)
        yield Words(setting, Instant(contents, step["set"], idle, outs, values, types, {**partial}))


def short(line: str) -> str:
    """A line of a box. A call that is too long loses its operands first."""
    name = line.partition("(")[0]
    return name if length(name) <= LONG < length(line) and name else shorten(line, LONG)


def length(words: str) -> int:
    """The number of letters, without the bars and dots above them."""
    return len(words) - sum(words.count(mark) for mark in (BAR, DOT))


def raised(value: Any) -> str:
    """An exponent: ², ⁻¹, or ^0.5."""
    words = str(value)
    return words.translate(SUPERSCRIPT) if words.lstrip("-").isdigit() else f"^{written(value)}"


def written(value: Any) -> str:
    """A number in four digits; an array by its entries, or by its shape."""
    if isinstance(value, dict):
        data = value.get("data", ())
        if len(value["shape"]) == 1 and 0 < len(data) <= 2:
            return f"[{', '.join(map(written, data))}]"
        return f"({', '.join(map(str, value['shape']))}{',' * (len(value['shape']) == 1)})"
    if isinstance(value, str):
        return value.replace("-", "−").replace("inf", "∞")
    return f"{value:.4g}".replace("-", "−")
