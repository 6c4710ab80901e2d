"""A frame as SVG, written at once: boxes, words and curves, in few bytes.

Bars stand over letters and digits below them without a font that has the marks, and what was made
last has a black ring. An overlay shows the right side alone, to be laid over a picture of the left.
"""

import re
from collections.abc import Collection

from ..diagram.theme import BLUE, FAINT, FONT_STACK, INK, PAPER, VERMILLION
from ..html.page import escape
from .boxes import BAR, DOT, Box
from .still import LINE, Still

FRESH = "#fff3b0"  # the ground of what was made last
DOTTED = (  # back over the letter, up, and down again
    '<tspan dx="-.46em" dy="-.42em">·</tspan><tspan dx=".14em" dy=".42em">\u200b</tspan>'
)
SMALL = 11  # the size of digits below the line
PIECES = re.compile(f"([^\\s₀-₉][{BAR}{DOT}])|([₋₀-₉]+)")
DIGITS = str.maketrans("₋₀₁₂₃₄₅₆₇₈₉", "-0123456789")
STYLE = (
    f"text{{fill:{INK}}}rect{{fill:{PAPER};stroke:{BLUE};stroke-width:1.5}}"
    f"path{{fill:none;stroke:{BLUE};stroke-width:1.4}}.n{{fill:{BLUE};font-size:14px;"
    f"text-anchor:end;paint-order:stroke;stroke:{PAPER};stroke-width:4}}"
    f"g>rect,g>path{{stroke:{VERMILLION};stroke-dasharray:5 3}}"
    f"g>.n{{fill:{VERMILLION}}}g>.t{{stroke-dasharray:2 3}}g>.i{{stroke:{FAINT}}}"
    f"g>.f{{stroke:#000;stroke-width:3;stroke-dasharray:none;fill:{FRESH}}}"
)


def svg(
    still: Still, fresh: Collection[str] = (), overlay: bool = False, base: bool = False
) -> str:
    """The frame as text: of an `overlay` the right side alone, of its `base` the left side."""
    scale = still.scale
    left, right, top, bottom = scale.extent
    width, height = right - left, top - bottom
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{left:.0f} {-top:.0f} {width:.0f} {height:.0f}" font-size="16" '
        f'font-family="{FONT_STACK}" text-anchor="middle">'
    )
    sides: tuple[list[str], list[str]] = ([], [])
    for a, p in still.edges():
        sides[still.boxes[p].derivative].append(curve(still, a, p))
    for p, box in still.boxes.items():
        kind = "f" if p in fresh else "i" if p in still.words.idle else ""
        sides[box.derivative].extend(pieces_of(box, kind, still.tall))
    ground = "" if overlay else f'<rect x="{left:.0f}" y="{-top:.0f}" width="100%" height="100%" '
    ground += "" if overlay else f'style="stroke:none;fill:{PAPER}"/>'
    values = "" if overlay else "".join(sides[0])
    derivatives = "" if base else f"<g>{''.join(sides[1])}</g>"
    return f"{head}<style>{STYLE}</style>{ground}{values}{derivatives}</svg>"


def curve(still: Still, a: str, p: str) -> str:
    (x, y), *rest = still.line(a, p)
    points = " ".join(f"{u:.0f} {-v:.0f}" for u, v in rest)
    return f'<path d="M{x:.0f} {-y:.0f}C{points}"/>'


def pieces_of(box: Box, kind: str, tall: float) -> list[str]:
    """A part, its words, and its name at its upper left corner."""
    x, y, width = box.x, -box.y, box.width
    kind = kind or ("t" if box.style == "dotted" else "")
    look = f' class="{kind}"' if kind else ""
    pieces = [
        f'<rect x="{x - width / 2:.0f}" y="{y - tall / 2:.0f}" width="{width:.0f}" '
        f'height="{tall:.0f}" rx="9"{look}/>'
    ]
    first = y + 5.5 - LINE * (len(box.lines) - 1) / 2
    for k, line in enumerate(box.lines):
        pieces.append(f'<text x="{x:.0f}" y="{first + LINE * k:.0f}">{marked(line)}</text>')
    if box.name and box.text != box.name:
        place = f'x="{x - width / 2 + 5:.0f}" y="{y - tall / 2 - 5:.0f}"'
        pieces.append(f'<text {place} class="n">{marked(box.name)}</text>')
    return pieces


def marked(words: str) -> str:
    """Words with bars over letters, and digits below the line, as any font can draw them."""
    pieces, end = [], 0
    for piece in PIECES.finditer(words):
        pieces.append(escape(words[end : piece.start()]))
        letter, digits = piece.groups()
        if digits:
            number = digits.translate(DIGITS).replace("-", "−")
            pieces.append(f'<tspan dy="3" font-size="{SMALL}">{number}</tspan>')
            rest = words[piece.end() :]
            pieces.append('<tspan dy="-3">\u200b</tspan>' if rest else "")
        elif letter.endswith(BAR):
            pieces.append(f'<tspan text-decoration="overline">{escape(letter[:-1])}</tspan>')
        else:
            pieces.append(f"{escape(letter[:-1])}{DOTTED}")
        end = piece.end()
    return "".join([*pieces, escape(words[end:])])
