"""One frame of a scene as a picture without any script: the places of the document are written
into DOT, and Graphviz draws there (`layout=nop2`).

What is at the left is read from the top down, and so is its derivative at the right: the same
picture again. An operand that stands far away, or on the other side, is named in its user.

Places are computed as if all flowed down, across and along the flow, and turned when they are
written: what flows to the right has its columns below each other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from graphviz.quoting import quote

from ...expr import cached_property, shorten, visible
from ..diagram.diagram import Direction, quoted
from ..diagram.theme import BLUE, FAINT, FONT, INK, MARKS, OCHRE, PAPER, RUST, Sign
from ..html.picture import Picture
from .boxes import LETTER, Box, Document, Words, length
from .columns import Size, in_columns
from .folded import routes
from .scale import ABOVE, GAP, INSIDE, Pixel, Scale, Sides
from .sheet import Open, last_frame, sheet

MATCHED = MARKS["matched"]


class Stills(Scale):
    """All frames of a document, in one scale, so that nothing moves from one to the next."""

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, k: int) -> "Still":
        return Still(self, self.words[k])


def still(
    document: Document, open: Open = False, numbers: bool = False, direction: Direction = "TB"
) -> Picture:
    """The last frame as a picture, with these groups open."""
    scale = Stills(sheet(last_frame(document), open), numbers, direction)
    page = in_columns(scale.words[0], Size(*scale.size), scale.is_turned)
    return (scale if page is scale.document else Stills(page, numbers, direction))[0].picture


class Still:
    """One frame: its parts in pixels, and the curves between them."""

    def __init__(self, scale: Stills, words: Words):
        self.scale, self.words, self.tall = scale, words, scale.tall
        self.boxes = {p: box._replace(x=scale.column * box.x, y=scale.level[box.y])
                      for p, box in words.boxes().items()}  # fmt: skip

    @property
    def picture(self) -> Picture:
        signs: tuple[Sign, ...] = () if self.words.is_lone else ("solid", "dashed")
        if any(box.is_highlighted for box in self.boxes.values()):
            signs = (*signs, "matched")
        return Picture(self.dot, self.alt, self.listing, signs)

    def is_fixed(self, *parts: str) -> bool:
        """Are these in the picture that lies below all frames? Without a derivative, what no step
        changes; else the values."""
        if self.words.is_lone:
            return not any(p in self.words.changes for p in parts)
        return not self.boxes[parts[-1]].derivative

    # ---- edges

    def edges(self) -> Iterator[tuple[str, str]]:
        for p in self.boxes:
            for a in self.words.operands(p):
                if a in self.boxes and self.words.is_drawn(a, p):
                    yield a, p

    def line(self, a: str, p: str) -> list[Pixel]:
        """The points of a curve from a's lower or upper side to p's, through the gaps between."""
        begin, end = self.boxes[a], self.boxes[p]
        if begin.y == end.y:
            return self.beside(begin, end)
        down = 1 if begin.y > end.y else -1
        stops = [*(self.foot(a) if down > 0 else self.head(a))]
        for x, y, narrow in self.bends(a, p):
            x, y = self.scale.column * x, self.scale.level[y]
            half = down * self.scale.deep / 2 if narrow else 0
            stops += [(x, y + half), (x, y - half)] if narrow else [(x, y)]
        stops += reversed([*(self.head(p) if down > 0 else self.foot(p))])
        curve = [stops[0]]
        for (x0, y0), (x1, y1) in pairwise(stops):
            curve += [(x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2), (x1, y1)]
        return curve

    def head(self, p: str) -> Iterable[Pixel]:
        """Where edges end at the upper end of a part, and of its row."""
        box, half = self.boxes[p], self.scale.half(self.boxes[p])[1]
        yield box.x, box.y + half
        if half < self.scale.deep / 2:
            yield box.x, box.y + self.scale.deep / 2

    def foot(self, p: str) -> Iterable[Pixel]:
        """Where edges end at the lower end of a part, or of the frame of an open group; and below
        what is open beside it, or of its row."""
        box, feet = self.boxes[p], self.scale.document.get("feet", {})
        half, deep = self.scale.half(box)[1], self.scale.deep / 2
        yield box.x, self.frames[p][3] if p in self.frames else box.y - half
        if p in feet:
            yield box.x, self.scale.level[feet[p]] - deep - INSIDE
        elif half < deep and p not in self.frames:
            yield box.x, box.y - deep

    @cached_property
    def frames(self) -> Mapping[str, tuple[float, float, float, float]]:
        """The left, the right, the top and the bottom of what is in each open group
        that the frame has."""
        column, level, half = self.scale.column, self.scale.level, self.scale.deep / 2
        above = GAP if self.scale.is_turned else ABOVE
        frames = self.scale.document.get("frames", {})
        return {g: (column * left, column * right, level[top] + half + above,
                    level[bottom] - half - INSIDE)
                for g, (left, right, top, bottom) in frames.items()
                if self.words.contents.get(g, [""])[0] == "group"}  # fmt: skip

    def bends(self, a: str, p: str) -> Iterable[Sequence[float]]:
        """The gaps through which an edge goes: around all parts and frames that there ever are or,
        of an edge that comes or goes among parts without frames, around those that are there."""
        if self.words.is_lone and not self.words.has_groups and not self.is_fixed(a, p):
            return self.own_bends.get((a, p), ())
        return self.scale.document["bends"].get(f"{a}>{p}", ())

    @cached_property
    def own_bends(self) -> Mapping[tuple[str, str], Sequence[Sequence[float]]]:
        rows = self.words.parts
        at = {p: (rows[p]["x"], rows[p]["y"]) for p in self.boxes}
        return routes(at, [edge for edge in self.edges() if not self.is_fixed(*edge)])

    def beside(self, begin: Box, end: Box) -> list[Pixel]:
        """The curve between two parts of one row: straight, or below what stands between."""
        side = 1 if begin.x < end.x else -1
        low, high = sorted((begin.x, end.x))
        if any(box.y == begin.y and low < box.x < high for box in self.boxes.values()):
            out, back = (box.y - self.scale.half(box)[1] for box in (begin, end))
            below = begin.y - self.scale.deep / 2 - self.scale.between
            return [(begin.x, out), (begin.x, below), (end.x, below), (end.x, back)]
        ends = ((begin.x + side * self.scale.half(begin)[0], begin.y),
                (end.x - side * self.scale.half(end)[0], end.y))  # fmt: skip
        return [ends[0], between(*ends, 1 / 3), between(*ends, 2 / 3), ends[1]]

    # ---- written down

    @cached_property
    def placed(self) -> Mapping[str, Box]:
        """The parts at their places on the page."""
        boxes: dict[str, Box] = {}
        for p, box in self.boxes.items():
            x, y = self.scale.turned(box.x, box.y)
            boxes[p] = box._replace(x=x, y=y)
        return boxes

    @property
    def plates(self) -> Iterator[tuple[str, Sides]]:
        """The frames of open groups on the page."""
        for g, (x, u, y, v) in self.frames.items():
            (left, top), (right, bottom) = self.scale.turned(x, y), self.scale.turned(u, v)
            yield g, Sides(left, right, max(top, bottom), min(top, bottom))

    def curve(self, a: str, p: str) -> list[Pixel]:
        """The points of an edge on the page."""
        return [self.scale.turned(x, y) for x, y in self.line(a, p)]

    @property
    def dot(self) -> str:
        sheet = f"\tgraph [bgcolor={quote(PAPER)} layout=nop2 outputorder=edgesfirst pad=0.2]"
        lines = ["digraph {", sheet]
        look = f"fillcolor={quote(PAPER)} fontname={quote(FONT)} fontsize=16 penwidth=1.5"
        lines.append(f"\tnode [{look} shape=box]")
        lines.append("\tedge [arrowhead=none penwidth=1.4]")
        for g, (left, right, top, bottom) in self.plates:
            lines.append(line_of(
                quote(f"frame{g}"), color=FAINT, label="",
                pos=position((left + right) / 2, (top + bottom) / 2),
                width=f"{(right - left) / 72:.3f}", height=f"{(top - bottom) / 72:.3f}",
                fixedsize="true", style="rounded",
            ))  # fmt: skip
        for p, box in self.placed.items():
            lines += lines_of(p, box, self.tall, self.words.is_idle(p))
        for a, p in self.edges():
            colour, style = (OCHRE, "dashed") if self.boxes[p].derivative else (BLUE, "solid")
            curve = " ".join(position(x, y) for x, y in self.curve(a, p))
            lines.append(line_of(f"{quote(a)} -> {quote(p)}", color=colour, pos=curve, style=style))
        return "\n".join([*lines, "}"]) + "\n"

    @property
    def alt(self) -> str:
        subject = "Graph" if self.words.is_lone else "Values and derivatives"
        return visible(f"{subject} of {shorten(self.scale.document['title'], 200)}")

    @property
    def listing(self) -> str:
        return "\n".join([visible(box.sentence) for box in self.boxes.values()])


def position(x: float, y: float) -> str:
    """A point of the page, in DOT."""
    return f"{x:.1f},{y:.1f}"


def lines_of(p: str, box: Box, tall: float, idle: bool) -> Iterable[str]:
    """A part, and its name at its upper left corner."""
    line, letters = (OCHRE, RUST) if box.derivative else (BLUE, BLUE)
    line, letters = (FAINT, FAINT) if idle else (line, letters)
    words = "\\n".join([quoted(shorten(line)) for line in box.lines])
    look = {"color": line, "fontcolor": FAINT if idle else INK}
    look = MATCHED if box.is_highlighted else look
    yield line_of(
        quote(p), **look, label=words,
        pos=position(box.x, box.y), width=f"{box.width / 72:.3f}", height=f"{tall / 72:.3f}",
        fixedsize="true", style=f"filled,rounded,{box.style}",
    )  # fmt: skip
    if box.name and box.text != box.name:
        x, y = box.x - box.width / 2 - 4, box.y + tall / 2 + 10
        width = (LETTER * length(box.name) + 4) / 72
        yield line_of(
            quote(f"name{p}"), fontcolor=letters, fontsize="14", label=quoted(shorten(box.name)),
            pos=position(x, y), shape="none", style="filled", width=f"{width:.3f}",
            height="0.2", fixedsize="true",
        )  # fmt: skip


def line_of(subject: str, **look: str) -> str:
    """A line of DOT."""
    return f"\t{subject} [{' '.join(f'{name}={quote(value)}' for name, value in look.items())}]"


def between(a: Pixel, b: Pixel, t: float) -> Pixel:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])
