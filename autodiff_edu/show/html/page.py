"""The HTML that pictures, films and comparisons share, its style inline: an untrusted notebook
strips stylesheets, ids and scripts, and what is left must still read well.
"""

import base64
import html
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil

from ...expr import visible
from ..diagram.layout import laid_out
from ..diagram.letters import STACK, font_face, has_marks
from ..diagram.svg import TIDY, tidied, ungroup, written
from ..diagram.theme import DARK, FONT_STACK, INK, LEGIBLE, PAPER, SIGNS, Look, Sign

# what is wider than the page scrolls
CARD = (
    "display:inline-block;box-sizing:border-box;max-width:100%;overflow-x:auto;"
    f"background:{PAPER};color:{INK};border-radius:6px;padding:6px;"
    f"font-family:{FONT_STACK};font-size:14px;line-height:1.5"
)


# paper does not scroll: a picture shrinks to its width, and none is cut between two pages
PRINT = (
    "@media print{.autodiff-card{display:block!important;overflow:visible!important}"
    ".autodiff-card img{min-width:0!important;break-inside:avoid}}"
)

# on a dark page the sheet turns dark and every colour keeps its hue: JupyterLab, the book; and in
# JupyterLab the plots beside it, as in the book, whose own styles see to them
SHEETS = ":is([data-jp-theme-light=false],[data-theme=dark]) .autodiff-card"
PLOTS = "[data-jp-theme-light=false] .jp-Notebook:has(.autodiff-card) .jp-RenderedImage img"
PNG = "[src^='data:image/png']"
ON_DARK = f"@media screen{{{SHEETS},{PLOTS}{PNG}{{filter:{DARK}}}}}"
STYLE = f"<style>{PRINT}{ON_DARK}</style>"


def card(content: str, name: str) -> str:
    """A sheet around some HTML: white, or dark where the page is."""
    style, look = STYLE, CARD
    if has_marks(content):
        style += f"<style>{font_face(content)}</style>"
        look = CARD.replace(FONT_STACK, STACK)
    return f'<div class="autodiff-card autodiff-{name}" style="{look}">{style}{content}</div>'


def caption(words: str) -> str:
    """A line above a picture, already HTML."""
    return f'<p style="margin:0 0 6px;color:{INK};break-after:avoid">{words}</p>'


def escape(text: str) -> str:
    """Text that comes from users, as HTML."""
    return html.escape(visible(text))


TYPESET = "tex2jax_process"  # the book typesets formulas where an element has this class
IMAGE = f"height:auto;padding:0;background:{PAPER}"
TALLEST = 70  # hundredths of the window's height: the rest is for buttons, a caption and the key


def together(heights: Iterable[int]) -> str:
    """A style for what is around pictures that are seen together: the tallest of them must fit."""
    return f"--tallest:{max(heights, default=0) or 1}"


def image(svg: str, alt: str, widest: int = 0) -> str:
    """A drawing as `<img>`; beside others, the widest of which is given, it keeps their scale.

    It shrinks until it fits into the window, as long as its letters are legible. The class asks the
    book's dark theme to leave its colours alone.
    """
    width, height = size(svg)
    share = 100 * width / max(width, widest)
    data = base64.b64encode(svg.encode()).decode()
    fit = f"min({width}px,calc({TALLEST}vh*{width}/var(--tallest,{height})))"
    style = f"width:{fit};max-width:{share:.4g}%;min-width:{narrowest(svg)}px;{IMAGE}"
    return (
        f'<img class="dark-light" alt="{escape(alt)}" width="{width}" style="{style}" '
        f'src="data:image/svg+xml;base64,{data}">'
    )


@lru_cache(maxsize=512)
def short(dot: str) -> str:
    """The drawing as an `<img>` needs it, which shows neither titles nor names of groups: the same
    bytes on every machine, too."""
    root = tidied(laid_out(dot))
    for parent in root.iter():
        if parent.get("class") in TIDY:
            del parent.attrib["class"]
        for title in parent.findall("title"):
            parent.remove(title)
    ungroup(root)
    return written(root)


def size(svg: str) -> tuple[int, int]:
    """Width and height in pixels."""
    width, height = re.findall(r' (?:width|height)="([\d.]+)"', svg)[:2]
    return round(float(width)), round(float(height))


def narrowest(svg: str) -> int:
    """The width at which the smallest letters are still legible."""
    letters = [float(n) for n in re.findall(r'font-size="([\d.]+)"', svg)]
    return ceil(size(svg)[0] * min(1, LEGIBLE / min(letters, default=LEGIBLE)))


def letters(x: int, y: int, text: str, anchor: str, colour: str = INK) -> str:
    """Words in a drawing; they start, stand in the middle or end at x."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


# ---- the key: what lines and colours mean, drawn with the lines and colours

Word = Sign | tuple[Sign, str]


def key(words: Iterable[Word], signs: Iterable[Sign] | None) -> str:
    """A line of samples, one for each sign that is used, with other words for some.

    Where it is not known which signs are used, the words tell. Values alone need no key.
    """
    said: dict[Sign, str] = {}
    for word in words:
        said |= {word: SIGNS[word][1]} if isinstance(word, str) else {word[0]: word[1]}
    used = set(said if signs is None else signs)
    if used <= {"forward", "plain"}:
        return ""
    samples = [_sample(SIGNS[s][0], said.get(s, SIGNS[s][1])) for s in SIGNS if s in used]
    return f'<p class="key" style="margin:8px 0 0">{" ".join(samples)}</p>'


def signs(each: Iterable[Sequence[Sign] | None]) -> tuple[Sign, ...] | None:
    """What several pictures use together; None where one does not tell."""
    found: set[Sign] = set()
    for used in each:
        if used is None:
            return None
        found |= set(used)
    return tuple(sign for sign in SIGNS if sign in found)


def _sample(look: Look, meaning: str) -> str:
    style = (
        f"border:{_line(look)};background:{look['fillcolor']};color:{look.get('fontcolor', INK)};"
        "padding:1px 8px;margin-right:8px;display:inline-block;print-color-adjust:exact"
    )
    return f'<span style="{style}">{escape(meaning)}</span>'


def _line(look: Look) -> str:
    kind = next((k for k in ("dashed", "dotted") if k in look.get("style", "")), "solid")
    return f"{round(float(look.get('penwidth', 1.6)))}px {kind} {look['color']}"
