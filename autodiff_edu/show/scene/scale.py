"""The scale of a document: how many pixels lie between its columns and rows, and where it ends.

Places are across and along the flow, and are turned when they are written: what flows to the right
has its columns below each other.
"""

from typing import NamedTuple

from ..diagram.diagram import Direction
from .boxes import LETTER, Box, Document, frames_of, length

NARROW, WIDE = 92, 170  # pixels of a column: as many as the widest box needs, between these
ROW, LINE, GAP = 28, 18, 12  # between two rows, of a line, between two columns
INSIDE, ABOVE = 4, 19  # between boxes and the frame around them, and above their names
NAME = 8.2  # of a letter of a name
PLATE = 60  # for the letters of rules beside the last column
CLEAR = 0.52  # of a row of boxes, at least, lies between it and the next: edges bend there

Pixel = tuple[float, float]


class Sides(NamedTuple):
    """The ends of what lies on a page; upwards numbers grow."""

    left: float
    right: float
    top: float
    bottom: float


class Scale:
    """The columns, the rows and the ends of all frames of a document."""

    def __init__(self, document: Document, numbers: bool = False, direction: Direction = "TB"):
        self.document, self.words = document, list(frames_of(document, numbers))
        self.direction, self.is_turned = direction, direction == "LR"
        boxes = [box for words in self.words for box in words.fresh_boxes()]
        lines = max([len(box.lines) for box in boxes], default=1)
        self.tall = LINE * lines + (8 if lines > 1 else 14)
        widest = max([box.width for box in boxes], default=0.0)
        results = [NAME * length(b.name) + GAP for b in boxes if " = " in b.name]
        self.column = min(WIDE, max([NARROW, widest + GAP, *results]))
        self.deep = widest if self.is_turned else float(self.tall)
        if self.is_turned:
            self.column = self.tall + ABOVE + GAP
        self.between = max(ROW, CLEAR * self.deep)
        rows = {row["y"] for row in document["parts"].values() if "y" in row}
        rows |= {y for line in document["bends"].values() for _, y, _ in line}
        self.level = {y: -(self.between + self.deep) * k for k, y in enumerate(sorted(rows))}
        self.extent = self.bounds(boxes)

    def bounds(self, boxes: list[Box]) -> Sides:
        """The ends of all frames across the flow, and along it."""
        xs = [(self.column * box.x, self.half(box)[0] + self.room(box)) for box in boxes]
        left = min([x - half for x, half in xs], default=0.0)
        right = max([x + half for x, half in xs], default=1.0)
        if self.words[0].is_lone or self.words[0].has_groups:  # edges go around what is there
            columns = [x for line in self.document["bends"].values() for x, *_ in line]
            left = min([left, *(self.column * x - GAP for x in columns)])
            right = max([right, *(self.column * x + GAP for x in columns)])
        frames = self.document.get("frames", {}).values()
        left = min([left, *(self.column * x - GAP for x, *_ in frames)])
        right = max([right, *(self.column * x + GAP for _, x, *_ in frames)])
        lone, above = self.words[0].is_lone, self.deep / 2 + ROW  # with names
        below = self.deep / 2 + (PLATE if lone and self.is_turned else 2 * GAP if lone else GAP)
        above, below = (below, above) if self.direction == "BT" else (above, below)
        if self.is_turned:  # names stand before their boxes
            ends = [
                self.level[b.y] + b.width / 2 + LETTER * length(b.name) for b in boxes if b.name
            ]
            above = max([above, *ends])
        right += PLATE if lone and not self.is_turned else 0
        return Sides(left, right, above, min(self.level.values(), default=0.0) - below)

    def room(self, box: Box) -> float:
        """The pixels that a box needs beside it across the flow, for the name at its corner."""
        name = box.name.rpartition(" = ")[2]  # that of a result stands where nothing else does
        return ABOVE if self.is_turned else GAP + LETTER * length(name)

    def turned(self, x: float, y: float) -> Pixel:
        """The point of the page that lies so far across the flow, and along it."""
        if self.is_turned:
            return -y, -x
        return x, -y if self.direction == "BT" else y

    @property
    def page(self) -> Sides:
        """The ends of the page on which all frames lie."""
        left, right, top, bottom = self.extent
        if self.is_turned:
            return Sides(-top, -bottom, -left, -right)
        return Sides(left, right, -bottom, -top) if self.direction == "BT" else self.extent

    def half(self, box: Box) -> Pixel:
        """Half of a box across the flow, and along it."""
        sides = box.width / 2, self.tall / 2
        return sides[::-1] if self.is_turned else sides

    @property
    def size(self) -> Pixel:
        """The width and the height of each frame."""
        left, right, top, bottom = self.extent
        return right - left, top - bottom
