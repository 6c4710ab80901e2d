"""One frame of a scene as a picture without any script: the places of the document are written
into DOT, and Graphviz draws there (`layout=nop2`).

What is at the left is read from the top down, and so is its derivative at the right: the same
picture again. An operand that stands far away, or on the other side, is named in its user.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from graphviz.quoting import quote

from ..diagram.escape import quoted, shorten, visible
from ..diagram.theme import BLUE, FAINT, FONT, INK, PAPER, VERMILLION
from ..html.picture import Picture
from .parts import Held

NARROW, WIDE = 92, 170  # pixels of a column: as many as the widest box needs, between these
ROW, LINE, GAP = 28, 18, 12  # between two boxes, of a line, between columns
LETTER, PADDING = 9.6, 20
FAR = 4  # half rows over which an edge is still drawn
SIGNS = {"add": "+", "subtract": "−", "multiply": "·", "divide": "/", "power": "^"}
BAR, DOT = "\u0304", "\u0307"
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
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

    @property
    def lines(self) -> list[str]:
        return [line for line in (self.text, self.number) if line]

    @property
    def sentence(self) -> str:
        return " = ".join(filter(None, [self.name, *self.lines]))

    @property
    def width(self) -> float:
        return max(44.0, LETTER * max(map(length, self.lines), default=0) + PADDING)


def still(document: Document, k: int = -1) -> Picture:
    """Frame k, by default the last."""
    frame = Still(document, k)
    return Picture(frame.dot, frame.alt, frame.listing)


class Still:
    """One frame, with the words and the places of its parts."""

    def __init__(self, document: Document, k: int = -1):
        self.document, self.parts = document, document["parts"]
        frames = list(frames_of(document))
        self.held, self.idle = frames[k]
        levels = sorted({self.parts[p]["y"] for p in self.parts if "y" in self.parts[p]})
        boxes = {p: self.box(p) for p in self.held if "x" in self.parts[p]}
        self.tall = 2 * LINE + 8 if any(len(box.lines) > 1 for box in boxes.values()) else LINE + 14
        widest = max([box.width for box in boxes.values()], default=0.0) + GAP
        self.column = min(WIDE, max(NARROW, widest))
        self.level = {y: -(ROW + self.tall) * i for i, y in enumerate(levels)}
        self.boxes = {p: box._replace(x=self.column * box.x, y=self.level[int(box.y)])
                      for p, box in boxes.items()}  # fmt: skip

    # ---- words

    def box(self, p: str) -> Box:
        row, held = self.parts[p], self.held[p]
        derivative = row["kind"] != "value"
        style = "dotted" if held[0] in ("tie", "empty") else "dashed" if derivative else "solid"
        return Box(
            self.label(p, held), self.number(p), self.name(p), row["x"], row["y"], derivative, style
        )

    def name(self, p: str) -> str:
        row = self.parts[p]
        if "name" in row:
            return row["name"]
        if "of" not in row:
            return ""
        name, mode = self.parts[row["of"]]["name"], self.document["mode"]
        return f"{name}′" if mode == "symbolic" else name[:1] + (
            BAR if mode == "reverse" else DOT) + name[1:]  # fmt: skip

    def label(self, p: str, held: Held) -> str:
        """What is written in a part: its operation, with the operands that are not drawn."""
        kind, *rest = held
        if kind in ("input", "shared"):
            return self.name(p)
        if kind in ("empty", "const"):
            return ""
        if kind == "tie":
            return "=" if self.is_derivative(rest[0][0]) else f"= {self.name(rest[0][0])}"
        operands, words = rest[0], rest[1] if len(rest) > 1 else {}
        named = [self.inside(p, a) for a in operands]
        if kind == "D":
            return f"D {named[0] or self.name(operands[0])}"
        sign = words.get("label") or SIGNS.get(kind) or self.document["operations"][kind]["symbol"]
        if kind == "square" or kind == "multiply" and named[0] and operands[0] == operands[1]:
            return f"{named[0] or '( )'}²"
        if kind == "power" and isinstance(operands[1], dict):
            return (named[0] or "( )") + raised(operands[1]["c"])
        if kind in SIGNS and len(named) == 2:
            tight = "" if kind in ("multiply", "divide", "power") else " "
            lone = "×" if kind == "multiply" and not any(named) else sign
            return f"{named[0]}{tight}{lone}{tight}{named[1]}".strip()
        inside = ", ".join(filter(None, named))
        return f"{sign}({inside})" if inside and len(operands) > 1 else f"{sign} {inside}".strip()

    def inside(self, p: str, operand: Any) -> str:
        """How an operand is named in its user; nothing where an edge leads to it."""
        if isinstance(operand, dict):
            return operand.get("text") or written(operand["c"])
        if self.is_drawn(operand, p):
            return ""
        row, held = self.parts[operand], self.held.get(operand, ["empty"])
        if row["kind"] == "inline":
            return written(held[1]) if held[0] == "const" else row["text"]
        return self.name(operand) or self.name(row.get("to", operand)) or "…"

    def number(self, p: str) -> str:
        held = self.held[p]
        if held[0] in ("empty", "D"):
            return ""
        if held[0] == "const":
            return written(held[1])
        if held[0] == "tie":
            return self.number(held[1][0])
        value = self.document["python"].get(p)
        return "" if value is None else written(value)

    def is_derivative(self, p: str) -> bool:
        return self.parts[p]["kind"] != "value"

    def is_drawn(self, a: str, p: str) -> bool:
        """Does an edge lead from part a to part p?"""
        near = "y" in self.parts[a] and abs(self.parts[p]["y"] - self.parts[a]["y"]) <= FAR
        alone = self.document["mode"] == "lone"
        return near and (alone or self.is_derivative(a) == self.is_derivative(p))

    # ---- edges

    def edges(self) -> Iterator[tuple[str, str]]:
        for p in self.boxes:
            held = self.held[p]
            operands = held[1] if len(held) > 1 and isinstance(held[1], list) else []
            for a in dict.fromkeys(a for a in operands if isinstance(a, str)):
                if a in self.boxes and self.is_drawn(a, p):
                    yield a, p

    def line(self, a: str, p: str) -> list[tuple[float, float]]:
        """The points of a curve from a's lower or upper side to p's, through the lanes between."""
        begin, end = self.boxes[a], self.boxes[p]
        if begin.y == end.y:
            side = 1 if begin.x < end.x else -1
            ends = ((begin.x + side * begin.width / 2, begin.y),
                    (end.x - side * end.width / 2, end.y))  # fmt: skip
            return [ends[0], between(*ends, 1 / 3), between(*ends, 2 / 3), ends[1]]
        down = 1 if begin.y > end.y else -1
        bends = self.document["bends"]
        lanes = bends.get(f"{a}>{p}") or [*reversed(bends.get(f"{p}>{a}", []))]
        stops = [(begin.x, begin.y - down * self.tall / 2),
                 *[(self.column * x, self.level.get(y, 0)) for x, y in lanes],
                 (end.x, end.y + down * self.tall / 2)]  # fmt: skip
        curve = [stops[0]]
        for (x0, y0), (x1, y1) in pairwise(stops):
            curve += [(x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2), (x1, y1)]
        return curve

    # ---- written down

    @property
    def dot(self) -> str:
        sheet = f"\tgraph [bgcolor={quote(PAPER)} layout=nop2 outputorder=edgesfirst pad=0.2]"
        lines = ["digraph {", sheet]
        look = f"fillcolor={quote(PAPER)} fontname={quote(FONT)} fontsize=16 penwidth=1.5"
        lines.append(f"\tnode [{look} shape=box]")
        lines.append("\tedge [arrowhead=none penwidth=1.4]")
        for p, box in self.boxes.items():
            lines += drawn(p, box, self.tall, p in self.idle)
        for a, p in self.edges():
            colour, style = (VERMILLION, "dashed") if self.boxes[p].derivative else (BLUE, "solid")
            curve = " ".join(f"{x:.1f},{y:.1f}" for x, y in self.line(a, p))
            lines.append(line_of(f"{a} -> {p}", color=colour, pos=curve, style=style))
        return "\n".join([*lines, "}"]) + "\n"

    @property
    def alt(self) -> str:
        return visible(f"Values and derivatives of {shorten(self.document['title'], 200)}")

    @property
    def listing(self) -> str:
        return "\n".join([visible(box.sentence) for box in self.boxes.values()])


def frames_of(document: Document) -> Iterator[tuple[dict[str, Held], list[str]]]:
    """What each part holds in each frame, and the places that nothing needs."""
    held = dict(document["first"])
    yield dict(held), []
    for step in document["steps"]:
        held |= step["set"]
        held = {p: h for p, h in held.items() if p not in step["drop"]}
        yield dict(held), step.get("idle", [])


def drawn(p: str, box: Box, tall: float, idle: bool) -> Iterable[str]:
    """A part, and its name at its upper left corner."""
    colour = FAINT if idle else VERMILLION if box.derivative else BLUE
    words = "\\n".join([quoted(shorten(line)) for line in box.lines])
    yield line_of(
        p, color=colour, fontcolor=FAINT if idle else INK, label=words,
        pos=f"{box.x:.1f},{box.y:.1f}", width=f"{box.width / 72:.3f}", height=f"{tall / 72:.3f}",
        fixedsize="true", style=f"filled,rounded,{box.style}",
    )  # fmt: skip
    if box.name and box.text != box.name:
        x, y = box.x - box.width / 2 - 4, box.y + tall / 2 + 10
        width = (LETTER * length(box.name) + 4) / 72
        yield line_of(
            f"name{p}", fontcolor=colour, fontsize="14", label=quoted(shorten(box.name)),
            pos=f"{x:.1f},{y:.1f}", shape="none", style="filled", width=f"{width:.3f}",
            height="0.2", fixedsize="true",
        )  # fmt: skip


def line_of(what: str, **look: str) -> str:
    """A line of DOT."""
    return f"\t{what} [{' '.join(f'{name}={quote(value)}' for name, value in look.items())}]"


def length(words: str) -> int:
    """The number of letters, without the bars and dots above them."""
    return len(words) - sum(words.count(mark) for mark in (BAR, DOT))


def raised(value: Any) -> str:
    """An exponent: ², ⁻¹, or ^0.5."""
    words = str(value)
    return words.translate(SUPERSCRIPT) if words.lstrip("-").isdigit() else f"^{written(value)}"


def between(a: tuple[float, float], b: tuple[float, float], t: float) -> tuple[float, float]:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])


def written(value: Any) -> str:
    """A number in four digits; an array by its entries, or by its shape."""
    if isinstance(value, dict):
        data = value.get("data", ())
        if len(value["shape"]) == 1 and 0 < len(data) <= 3:
            return f"[{', '.join(map(written, data))}]"
        return f"({', '.join(map(str, value['shape']))}{',' * (len(value['shape']) == 1)})"
    if isinstance(value, str):
        return value.replace("-", "−").replace("inf", "∞")
    return f"{value:.4g}".replace("-", "−")
