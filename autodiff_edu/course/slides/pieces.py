"""The parts of a picture whose letters are too small on a slide: windows upon it, which cover it.

A cut goes between the letters of a drawing, and where a plot is blank. Where it cannot, the next
window begins before what was cut.
"""

import io
import math
import re
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ...show.diagram.svg import size

WIDTH, HEIGHT = 1200, 625  # pixels that parts may take on a slide
SMALLEST = 20  # pixels: the height of letters
GAP = 30  # pixels between two parts that stand side by side
ROOM = 12  # pixels around a line of letters, where its node has its outline
LETTER = 0.65  # the width of a letter, as a part of its height
POINTS = 10 / 72  # inches: the height of the smallest letters of a plot
DENSITY = 100  # pixels an inch of a plot that does not tell
PAPER = 230  # what is darker is ink

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


def of_a_drawing(svg: str) -> tuple[float, list[list[Window]]]:
    """The scale of the parts of a drawing, in which its letters are large, and what each slide
    shows of them side by side.
    """
    scale = SMALLEST / letters(svg)
    (width, height), (columns, rows) = size(svg), lines(svg)
    across, down = cuts(width, WIDTH / scale, columns), cuts(height, HEIGHT / scale, rows)
    return scale, list(rowed(across, down, scale))


def of_a_plot(png: bytes) -> tuple[float, float, list[list[Window]]]:
    """The height of the smallest letters of a plot, and the same of its panels, which are whole."""
    from PIL import Image  # which comes with Matplotlib

    with Image.open(io.BytesIO(png)) as image:
        high = POINTS * image.info.get("dpi", (DENSITY,))[0]
        ink = np.asarray(image.convert("L")) < PAPER
    height, width = ink.shape
    scale = SMALLEST / high
    across = panels(0, width, WIDTH / scale, gaps(np.any(ink, 0)))
    down = panels(0, height, HEIGHT / scale, gaps(np.any(ink, 1)))
    scale = min(scale, WIDTH / longest(across), HEIGHT / longest(down))
    return high, scale, list(rowed(across, down, scale))


def longest(spans: list[Span]) -> float:
    return max(last - first for first, last in spans)


def gaps(inked: Any) -> list[Span]:
    """From where to where there is no ink."""
    ends = np.flatnonzero(np.diff(inked, prepend=True, append=True))
    return [(float(first), float(last)) for first, last in ends.reshape(-1, 2)]


def panels(first: float, last: float, most: float, blank: list[Span]) -> list[Span]:
    """Parts that end in the widest gaps: what stands at an edge, such as a title, is no part.

    Examples
    --------
    >>> from autodiff_edu.course.slides.pieces import panels
    >>> panels(0, 100, 60, [(8, 20), (50, 56), (90, 99)])
    [(0, 53.0), (53.0, 100)]
    """
    margin = (last - first) / 4
    inner = [(b - a, (a + b) / 2) for a, b in blank if first + margin < (a + b) / 2 < last - margin]
    if last - first <= most or not inner:
        return [(first, last)]
    _, end = max(inner)
    return panels(first, end, most, blank) + panels(end, last, most, blank)


def rowed(across: list[Span], down: list[Span], scale: float) -> Iterator[list[Window]]:
    """Parts, as many side by side as there is room for."""
    gap, beside = GAP / scale, list[Window]()
    for (top, bottom), (left, right) in product(down, across):
        window = Window(left, top, right - left, bottom - top)
        if sum(part.width + gap for part in beside) + window.width > WIDTH / scale + 1e-6:
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
