"""What a cell has shown, as blocks for slides: pictures get the size that they have there.

A film is one block: its frames lie on each other, all in one scale, and take turns at a key. A
picture whose letters are too small there gets a slide of its own from `deck.js`, and is never cut.
"""

import base64
import re
import struct
from collections.abc import Iterator
from typing import Any

from ...show.html.page import size

WIDTH, HEIGHT = 1200, 500  # pixels that a picture may take
SMALLEST = 20  # pixels: the height of letters
GROWTH = 1.6  # letters of pictures are 13 to 16 pixels high
IMAGE = re.compile(r'<img\b[^>]*?alt="([^"]*)"[^>]*?src="data:image/svg\+xml;base64,([^"]+)">')
FRAME = re.compile(r"<section\b[^>]*>(.*?)</section>", re.DOTALL)
KEPT = re.compile(r"@font-face|\.scene-\w+\{")  # a film's base, which its frames are laid over
STYLES = re.compile(r"<style>.*?</style>", re.DOTALL)
LOOK = re.compile(r'<img class="([^"]*)"')
FONT = re.compile(r'font-size[=:]\s*"?([\d.]+)')
POINTS = 10 / 72  # inches: the height of the smallest letters of a plot
DENSITY = 100  # pixels an inch of a plot that does not tell
DOTS = 39.37  # of an inch in a metre, in which PNG counts
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
        svg, look = drawing(image), LOOK.match(image[0])
        source = f"data:image/svg+xml;base64,{image[2]}"
        return shown(image[1], source, size(svg), scale, letters(svg), look[1] if look else "")

    return IMAGE.sub(sized, html)


def letters(svg: str) -> float:
    """The height of the smallest letters of a drawing, or that of a slide's if it has none."""
    return min(map(float, FONT.findall(svg)), default=SMALLEST)


def shown(
    alt: str, source: str, dimensions: tuple[int, int], scale: float, high: float, look: str = ""
) -> str:
    """A picture in a scale. It tells how high its letters are, so that `deck.js` can enlarge it."""
    width, height = (round(scale * n) for n in dimensions)
    return (
        f'<img class="{look}" alt="{alt}" width="{width}" height="{height}"'
        f' data-letters="{scale * high:.2f}" src="{source}">'
    )


def legible(html: str) -> str:
    """HTML, no letters of which are smaller than those of the slide."""
    return FONTS.sub(lambda found: f"font-size:{max(SMALLEST, int(found[1]))}px", html)


def card(html: str) -> Iterator[str]:
    """The blocks of a picture, a table, a comparison, or a film of this package."""
    found = CARD.fullmatch(html)
    kind, content = (found[1], found[2]) if found else ("", html)
    styles = "".join(style for style in STYLES.findall(content) if KEPT.search(style))
    content = legible(resized(STYLES.sub("", content), beside=kind == "pair"))
    content = NARROW.sub("", content)
    if kind == "film":
        key = "".join(KEY.findall(FRAME.sub("", content)))
        frames = "".join(f'<div class="frame">{frame}</div>' for frame in FRAME.findall(content))
        content = f'<div class="frames">{frames}</div>{key}'
    last = content.rfind("<img")
    table = content.find("<table", last) if kind == "pair" and last > 0 else -1
    pictures, counts = (content[:table], content[table:]) if table > 0 else (content, "")
    yield f'<div class="card {kind}">{styles}{pictures}</div>'
    if counts:  # of a comparison: they may stand on the next slide
        yield f'<div class="card">{counts}</div>'


def plot(data: str) -> str:
    """The block of a plot, as Matplotlib gives it."""
    png = base64.b64decode(data)
    width, height = struct.unpack(">II", png[16:24])
    scale = fitting([(width, height)], beside=False)
    source = "data:image/png;base64," + data.replace("\n", "")
    image = shown("a plot", source, (width, height), scale, POINTS * density(png))
    return f'<div class="card plot">{image}</div>'


def density(png: bytes) -> float:
    """The pixels in an inch of a plot, as its file tells them."""
    place = png.find(b"pHYs")
    return struct.unpack(">I", png[place + 4 : place + 8])[0] / DOTS if place > 0 else DENSITY


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
