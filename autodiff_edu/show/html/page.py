"""The HTML that pictures, films and comparisons share, its style inline: an untrusted notebook
strips stylesheets, ids and scripts, and what is left must still read well.
"""

import base64
import html
from collections.abc import Iterable

from ..diagram import glyphs
from ..diagram.escape import visible
from ..diagram.svg import narrowest, size
from ..diagram.theme import FONT_STACK, INK, MARKS, PAPER, PARTS, Look, Mark, Part

# white in dark themes too; what is wider than the page scrolls
CARD = (
    "display:inline-block;box-sizing:border-box;max-width:100%;overflow-x:auto;"
    f"background:{PAPER};color:{INK};border-radius:6px;padding:6px;"
    f"font-family:{FONT_STACK};font-size:14px;line-height:1.5"
)


# paper does not scroll: a picture shrinks to its width, and none is cut between two pages
PRINT = (
    "<style>@media print{.autodiff-card{display:block!important;overflow:visible!important}"
    ".autodiff-card img{min-width:0!important;break-inside:avoid}}</style>"
)


def card(content: str, name: str) -> str:
    """A white sheet around some HTML."""
    style, look = PRINT, CARD
    if glyphs.needed(content):
        style += f"<style>{glyphs.font_face()}</style>"
        look = CARD.replace(FONT_STACK, glyphs.STACK)
    return f'<div class="autodiff-card autodiff-{name}" style="{look}">{style}{content}</div>'


def caption(words: str) -> str:
    """A line above a picture, already HTML."""
    return f'<p style="margin:0 0 6px;color:{INK};break-after:avoid">{words}</p>'


def escape(text: str) -> str:
    """Text that comes from users, as HTML."""
    return html.escape(visible(text))


IMAGE = f"height:auto;padding:0;background:{PAPER}"


def image(svg: str, alt: str, widest: int = 0) -> str:
    """A drawing as `<img>`; beside others, the widest of which is given, it keeps their scale.

    The class asks the book's dark theme to leave its colours alone.
    """
    width, _ = size(svg)
    share = 100 * width / max(width, widest)
    data = base64.b64encode(svg.encode()).decode()
    style = f"max-width:{share:.4g}%;min-width:{narrowest(svg)}px;{IMAGE}"
    return (
        f'<img class="dark-light" alt="{escape(alt)}" width="{width}" style="{style}" '
        f'src="data:image/svg+xml;base64,{data}">'
    )


# ---- the key: what lines and colours mean, drawn with the lines and colours

Word = Mark | Part | tuple[Mark | Part | Look, str]


def key(words: Iterable[Word]) -> str:
    """A line of samples, one for each mark or part that is named, with other words for some."""
    named = [(w, w) if isinstance(w, str) else w for w in words]
    samples = " ".join(_sample(word, meaning) for word, meaning in named)
    return f'<p style="margin:8px 0 0">{samples}</p>' if samples else ""


def _sample(word: Mark | Part | Look, meaning: str) -> str:
    look = (PARTS | MARKS)[word] if isinstance(word, str) else word
    style = (
        f"border:{_line(look)};background:{look['fillcolor']};color:{look.get('fontcolor', INK)};"
        "padding:1px 8px;margin-right:8px;display:inline-block;print-color-adjust:exact"
    )
    return f'<span style="{style}">{escape(meaning)}</span>'


def _line(look: Look) -> str:
    kind = next((k for k in ("dashed", "dotted") if k in look.get("style", "")), "solid")
    return f"{round(float(look.get('penwidth', 1.6)))}px {kind} {look['color']}"
