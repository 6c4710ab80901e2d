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
from ..diagram.diagram import Direction
from ..diagram.dot import quoted
from ..diagram.theme import BLUE, FAINT, FONT, INK, OCHRE, PAPER, RUST, Sign
from ..html.picture import Picture
from .boxes import LETTER, Box, Document, Words, frames_of, length
from .columns import Size, in_columns
from .folded import routes
from .sheet import Open, sheet

NARROW, WIDE = 92, 170  # pixels of a column: as many as the widest box needs, between these
ROW, LINE, GAP = 28, 18, 12  # between two rows, of a line, between two columns
INSIDE, ABOVE = 4, 19  # between boxes and the frame around them, and above their names
PLATE = 60  # for the letters of rules beside the last column
CLEAR = 0.52  # of a row of boxes, at least, lies between it and the next: edges bend there

Pixel = tuple[float, float]


class Stills:
    """All frames of a document, in one scale, so that nothing moves from one to the next."""

    def __init__(self, document: Document, numbers: bool = False, direction: Direction = "TB"):
        self.document, self.words = document, list(frames_of(document, numbers))
        self.direction, self.is_turned = direction, direction == "LR"
        boxes = [box for words in self.words for box in words.fresh_boxes()]
        lines = max([len(box.lines) for box in boxes], default=1)
        self.tall = LINE * lines + (8 if lines > 1 else 14)
        widest = max([box.width for box in boxes], default=0.0)
        self.column = min(WIDE, max(NARROW, widest + GAP))
        self.deep = widest if self.is_turned else float(self.tall)
        if self.is_turned:
            self.column = self.tall + ABOVE + GAP
        self.between = max(ROW, CLEAR * self.deep)
        rows = {row["y"] for row in document["parts"].values() if "y" in row}
        rows |= {y for line in document["bends"].values() for _, y, _ in line}
        self.level = {y: -(self.between + self.deep) * k for k, y in enumerate(sorted(rows))}
        self.extent = self.bounds(boxes)

    def bounds(self, boxes: list[Box]) -> tuple[float, float, float, float]:
        """The left, the right, the top and the bottom of all frames."""
        xs = [(self.column * box.x, self.half(box)[0] + GAP + LETTER * length(box.name))
              for box in boxes]  # fmt: skip
        left = min([x - half for x, half in xs], default=0.0)
        right = max([x + half for x, half in xs], default=1.0)
        if self.words[0].is_lone:  # with edges around parts that come or go, and letters of rules
            columns = [x for line in self.document["bends"].values() for x, *_ in line]
            left = min([left, *(self.column * x - GAP for x in columns)])
            right = max([right + PLATE, *(self.column * x + GAP for x in columns)])
        frames = self.document.get("frames", {}).values()
        left = min([left, *(self.column * x - GAP for x, *_ in frames)])
        right = max([right, *(self.column * x + GAP for _, x, *_ in frames)])
        bottom = min(self.level.values(), default=0.0)
        below = 2 * GAP if self.words[0].is_lone else GAP
        return left, right, self.deep / 2 + ROW, bottom - self.deep / 2 - below

    def half(self, box: Box) -> Pixel:
        """Half of a box across the flow, and along it."""
        sides = box.width / 2, self.tall / 2
        return sides[::-1] if self.is_turned else sides

    @property
    def size(self) -> Pixel:
        """The width and the height of each frame."""
        left, right, top, bottom = self.extent
        return right - left, top - bottom

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, k: int) -> "Still":
        return Still(self, self.words[k])


def still(
    document: Document,
    k: int = -1,
    open: Open = False,
    numbers: bool = False,
    direction: Direction = "TB",
) -> Picture:
    """Frame k, by default the last, as a picture, with these groups open."""
    scale = Stills(sheet(document, open, k), numbers, direction)
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
        signs: tuple[Sign, ...] = () if self.words.is_lone else ("forward", "derivative")
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
        """The left, the right, the top and the bottom of what is in each open group."""
        column, level, half = self.scale.column, self.scale.level, self.scale.deep / 2
        above = GAP if self.scale.is_turned else ABOVE
        frames = self.scale.document.get("frames", {})
        return {g: (column * left, column * right, level[top] + half + above,
                    level[bottom] - half - INSIDE)
                for g, (left, right, top, bottom) in frames.items()}  # fmt: skip

    def bends(self, a: str, p: str) -> Iterable[Sequence[float]]:
        """The gaps through which an edge goes: around all parts that there ever are or, of an edge
        that comes or goes, around those that are there."""
        if self.words.is_lone and not self.is_fixed(a, p):
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

    def turned(self, x: float, y: float) -> Pixel:
        """The point of the page that lies so far across the flow, and along it."""
        if self.scale.is_turned:
            return -y, -x
        return x, -y if self.scale.direction == "BT" else y

    def position(self, x: float, y: float) -> str:
        """The point of the page, in DOT."""
        x, y = self.turned(x, y)
        return f"{x:.1f},{y:.1f}"

    @property
    def dot(self) -> str:
        sheet = f"\tgraph [bgcolor={quote(PAPER)} layout=nop2 outputorder=edgesfirst pad=0.2]"
        lines = ["digraph {", sheet]
        look = f"fillcolor={quote(PAPER)} fontname={quote(FONT)} fontsize=16 penwidth=1.5"
        lines.append(f"\tnode [{look} shape=box]")
        lines.append("\tedge [arrowhead=none penwidth=1.4]")
        for g, (x, u, y, v) in self.frames.items():
            sides = (y - v, u - x) if self.scale.is_turned else (u - x, y - v)
            lines.append(line_of(
                f"frame{g}", color=FAINT, label="", pos=self.position((x + u) / 2, (y + v) / 2),
                width=f"{sides[0] / 72:.3f}", height=f"{sides[1] / 72:.3f}", fixedsize="true",
                style="rounded",
            ))  # fmt: skip
        for p, box in self.boxes.items():
            x, y = self.turned(box.x, box.y)
            lines += lines_of(p, box._replace(x=x, y=y), self.tall, p in self.words.idle)
        for a, p in self.edges():
            colour, style = (OCHRE, "dashed") if self.boxes[p].derivative else (BLUE, "solid")
            curve = " ".join(self.position(x, y) for x, y in self.line(a, p))
            lines.append(line_of(f"{a} -> {p}", color=colour, pos=curve, style=style))
        return "\n".join([*lines, "}"]) + "\n"

    @property
    def alt(self) -> str:
        subject = "Graph" if self.words.is_lone else "Values and derivatives"
        return visible(f"{subject} of {shorten(self.scale.document['title'], 200)}")

    @property
    def listing(self) -> str:
        return "\n".join([visible(box.sentence) for box in self.boxes.values()])


def lines_of(p: str, box: Box, tall: float, idle: bool) -> Iterable[str]:
    """A part, and its name at its upper left corner."""
    line, letters = (OCHRE, RUST) if box.derivative else (BLUE, BLUE)
    line, letters = (FAINT, FAINT) if idle else (line, letters)
    words = "\\n".join([quoted(shorten(line)) for line in box.lines])
    yield line_of(
        p, color=line, fontcolor=FAINT if idle else INK, label=words,
        pos=f"{box.x:.1f},{box.y:.1f}", width=f"{box.width / 72:.3f}", height=f"{tall / 72:.3f}",
        fixedsize="true", style=f"filled,rounded,{box.style}",
    )  # fmt: skip
    if box.name and box.text != box.name:
        x, y = box.x - box.width / 2 - 4, box.y + tall / 2 + 10
        width = (LETTER * length(box.name) + 4) / 72
        yield line_of(
            f"name{p}", fontcolor=letters, fontsize="14", label=quoted(shorten(box.name)),
            pos=f"{x:.1f},{y:.1f}", shape="none", style="filled", width=f"{width:.3f}",
            height="0.2", fixedsize="true",
        )  # fmt: skip


def line_of(subject: str, **look: str) -> str:
    """A line of DOT."""
    return f"\t{subject} [{' '.join(f'{name}={quote(value)}' for name, value in look.items())}]"


def between(a: Pixel, b: Pixel, t: float) -> Pixel:
    return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])
