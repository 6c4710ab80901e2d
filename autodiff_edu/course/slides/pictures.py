"""What a cell has shown, as blocks for slides: pictures get the size that they have there.

A film becomes one block a frame, all in one scale, so that nothing moves between two slides. Where
letters are too small there, `deck.js` makes slides below, which show parts, enlarged.
"""

import base64
import html as markup
import json
import re
import struct
from collections.abc import Iterator
from typing import Any

from ...show.diagram.svg import size
from .pieces import SMALLEST, Window, letters, of_a_drawing, of_a_plot

WIDTH, HEIGHT = 1200, 500  # pixels that a picture may take
GROWTH = 1.6  # letters of pictures are 13 to 16 pixels high
IMAGE = re.compile(r'<img\b[^>]*?alt="([^"]*)"[^>]*?src="data:image/svg\+xml;base64,([^"]+)">')
FRAME = re.compile(r"<section\b[^>]*>(.*?)</section>", re.DOTALL)
STYLES = re.compile(r"<style>.*?</style>", re.DOTALL)
KEY = re.compile(r'<p class="key".*?</p>', re.DOTALL)
FONTS = re.compile(r"font-size:\s*(\d+)px")
CARD = re.compile(r'\s*<div class="autodiff-card autodiff-(\w+)" style="[^"]*">(.*)</div>\s*', re.S)
NARROW = re.compile(
    r"(min-width:0;|flex:\d+ 1 \d+px;|max-width:\d+px;|width:\d+px;|white-space:nowrap)"
)


def fitting(sizes: list[tuple[int, int]], beside: bool) -> float:
    """The scale at which all pictures fit: each alone, or beside each other.

    Examples
    --------
    >>> from autodiff_edu.course.slides.pictures import fitting
    >>> fitting([(600, 100), (600, 400)], beside=True)
    1.0
    """
    widths, heights = zip(*sizes)
    widest = sum(widths) if beside else max(widths)
    return min(GROWTH, WIDTH / widest, HEIGHT / max(heights))


def drawing(image: re.Match[str]) -> str:
    """The drawing in `<img>`."""
    return base64.b64decode(image[2]).decode()


def resized(html: str, beside: bool) -> str:
    """HTML, its drawings in the scale of the slide."""
    if not (sizes := [size(drawing(image)) for image in IMAGE.finditer(html)]):
        return html
    scale = fitting(sizes, beside)

    def sized(image: re.Match[str]) -> str:
        svg = drawing(image)
        source = f"data:image/svg+xml;base64,{image[2]}"
        return shown(image[1], source, size(svg), scale, letters(svg), *of_a_drawing(svg))

    return IMAGE.sub(sized, html)


def shown(
    alt: str,
    source: str,
    dimensions: tuple[int, int],
    scale: float,
    high: float,
    enlarged: float,
    parts: list[list[Window]],
) -> str:
    """A picture in a scale, with the parts of which `deck.js` makes slides if it is too small."""
    width, height = (round(scale * n) for n in dimensions)
    pixels = [[list(map(round, window)) for window in slide] for slide in parts]
    said = markup.escape(json.dumps(pixels, separators=(",", ":")))
    return (
        f'<img alt="{alt}" width="{width}" height="{height}" data-across="{dimensions[0]}"'
        f' data-letters="{high:g}" data-scale="{enlarged:.4f}" data-parts="{said}" src="{source}">'
    )


def legible(html: str) -> str:
    """HTML, no letters of which are smaller than those of the slide."""
    return FONTS.sub(lambda found: f"font-size:{max(SMALLEST, int(found[1]))}px", html)


def card(html: str) -> Iterator[str]:
    """The blocks of a picture, a table, a comparison, or a film of this package."""
    found = CARD.fullmatch(html)
    kind, content = (found[1], found[2]) if found else ("", html)
    fonts = "".join(style for style in STYLES.findall(content) if "@font-face" in style)
    content = legible(resized(STYLES.sub("", content), beside=kind == "pair"))
    content = NARROW.sub("", content)
    if kind != "film":
        yield f'<div class="card {kind}">{fonts}{content}</div>'
        return
    key = "".join(KEY.findall(FRAME.sub("", content)))
    for frame in FRAME.findall(content):
        yield f'<div class="card frame">{fonts}{frame}{key}</div>'


def plot(data: str) -> str:
    """The block of a plot, as Matplotlib gives it."""
    png = base64.b64decode(data)
    width, height = struct.unpack(">II", png[16:24])
    scale = fitting([(width, height)], beside=False)
    source = "data:image/png;base64," + data.replace("\n", "")
    image = shown("a plot", source, (width, height), scale, *of_a_plot(png))
    return f'<div class="card plot">{image}</div>'


def blocks(output: dict[str, Any], text: Any) -> Iterator[str]:
    """The blocks of one output; `text` makes one of what was printed."""
    shown = {kind: "".join(value) for kind, value in output.get("data", {}).items()}
    if "text/html" in shown:
        yield from card(shown["text/html"])
    elif "image/png" in shown:
        yield plot(shown["image/png"])
    elif "text/latex" in shown:
        yield f'<div class="formula">{shown["text/latex"].strip()}</div>'
    else:
        yield text(
            shown.get("text/plain") or "".join(output.get("text", output.get("traceback", "")))
        )
