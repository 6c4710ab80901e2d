"""The parts of a drawing whose letters are too small on a slide: windows upon it, which cover it.

A cut goes between the letters. Where it cannot, the next window begins before what was cut.
"""

import math
import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from ...show.diagram.svg import size

WIDTH, HEIGHT = 1200, 540  # pixels that parts may take on a slide
SMALLEST = 20  # pixels: the height of letters
GAP = 30  # pixels between two parts that stand side by side
ROOM = 12  # pixels around a line of letters, where its node has its outline
LETTER = 0.65  # the width of a letter, as a part of its height

FONT = re.compile(r'font-size[=:]\s*"?([\d.]+)')
LINE = re.compile(r'<text\b([^>]*?) x="(-?[\d.]+)" y="(-?[\d.]+)"([^>]*)>([^<]*)<')
MOVED = re.compile(r"translate\((-?[\d.]+)[ ,](-?[\d.]+)\)")
Span = tuple[float, float]


class Window(NamedTuple):
    """A part of a drawing, in its own pixels."""

    left: float
    top: float
    width: float
    height: float


def letters(svg: str) -> float:
    """The height of the smallest letters of a drawing, or that of a slide's if it has none."""
    return min(map(float, FONT.findall(svg)), default=SMALLEST)


def windows(svg: str) -> Iterator[list[Window]]:
    """What each slide for the parts of a drawing shows side by side, its letters large enough."""
    width, height = size(svg)
    scale = SMALLEST / letters(svg)
    columns, rows = lines(svg)
    across = cuts(width, WIDTH / scale, columns)
    down = cuts(height, HEIGHT / scale, rows)
    gap, beside = GAP / scale, list[Window]()
    for (top, bottom), (left, right) in product(down, across):
        window = Window(left, top, right - left, bottom - top)
        if sum(part.width + gap for part in beside) + window.width > WIDTH / scale:
            yield beside
            beside = []
        beside.append(window)
    yield beside


def lines(svg: str) -> tuple[list[Span], list[Span]]:
    """Where letters stand: from left to right, and from top to bottom."""
    columns, rows = list[Span](), list[Span]()
    moved = MOVED.search(svg)
    right, down = map(float, moved.groups()) if moved else (0.0, 0.0)
    for before, x, y, after, said in LINE.findall(svg):
        found = FONT.search(before + after)
        high = float(found[1]) if found else letters(svg)
        half = LETTER * high * len(said) / 2 + ROOM
        columns.append((right + float(x) - half, right + float(x) + half))
        rows.append((down + float(y) - high - ROOM, down + float(y) + ROOM))
    return columns, rows


def cuts(length: float, most: float, taken: list[Span]) -> list[Span]:
    """Parts of a length that are equally long, or nearly, so that none cuts what is taken.

    Examples
    --------
    >>> from autodiff_edu.course.slides.pieces import cuts
    >>> cuts(100, 60, [(40, 52)])
    [(0.0, 53.0), (53.0, 100)]
    """
    found, start = list[Span](), 0.0
    while length - start > most:
        aim = start + (length - start) / math.ceil((length - start) / most)
        tried = sorted(range(math.ceil(start + most / 3), int(start + most) + 1),
                       key=lambda end: abs(end - aim))  # fmt: skip
        free = (end for end in tried if not crossed(end, taken))
        end = float(next(free, int(start + most)))
        found.append((start, end))
        begins = min((first for first, _ in crossed(end, taken)), default=end)
        start = begins if begins > start + most / 3 else end
    return [*found, (start, length)]


def crossed(end: float, taken: list[Span]) -> list[Span]:
    """What a cut would go through."""
    return [(first, last) for first, last in taken if first < end < last]
