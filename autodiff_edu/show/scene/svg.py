"""A frame as SVG, written at once: boxes, words and curves, in few bytes.

Bars stand over letters and digits below them without a font that has the marks, and what was made
last has a black ring. An overlay shows what changes, to be laid over a picture of what does not:
beside a derivative that is the left side.
"""

import re

from ..diagram.theme import AMBER, BLUE, FAINT, FONT_STACK, INK, MARKS, OCHRE, PAPER, RUST
from ..html.page import escape
from .boxes import BAR, DOT, Box
from .marks import PLAIN, Marks
from .scale import LINE
from .still import Still
from .values import subscripted

FRESH = "#fff3b0"  # the ground of what was made last
DOTTED = (  # back over the letter, up, and down again
    '<tspan dx="-.46em" dy="-.42em">·</tspan><tspan dx=".14em" dy=".42em">\u200b</tspan>'
)
SMALL = 11  # the size of digits below the line
PIECES = re.compile(f"([^\\s₀-₉][{BAR}{DOT}])|([₋₀-₉]+)")
DIGITS = str.maketrans("₋₀₁₂₃₄₅₆₇₈₉", "-0123456789")
VALUES = (
    f"text{{fill:{INK}}}[dy='3']{{font-size:{SMALL}px}}rect{{fill:{PAPER};stroke:{BLUE};stroke-width:1.5}}"
    f"path{{fill:none;stroke:{BLUE};stroke-width:1.4}}.n{{fill:{BLUE};font-size:14px;"
    f"text-anchor:end;paint-order:stroke;stroke:{PAPER};stroke-width:4}}"
)
STYLE = (
    f"{VALUES}g>rect,g>path{{stroke:{OCHRE};stroke-dasharray:5 3}}"
    f"g>.n{{fill:{RUST}}}g>.t{{stroke-dasharray:2 3}}g>.i{{stroke:{FAINT}}}"
    f"g>.f{{stroke:#000;stroke-width:3;stroke-dasharray:none;fill:{FRESH}}}"
)
TAG = 14  # the size of the letters that a rule has for parts
MARKED = "".join(
    f".{kind}{{stroke:{look['color']};stroke-width:3.2;fill:{look['fillcolor']}}}"
    for kind, look in (("f", MARKS["new"]), ("m", MARKS["matched"]))
)
LONE = (
    f"{VALUES}.t{{stroke-dasharray:2 3}}{MARKED}.w{{fill:{PAPER}}}"
    f".g{{fill:{AMBER};stroke:none}}.l{{font-size:{TAG}px}}"
)
RESULT = f".r{{font-size:14px;text-anchor:start;paint-order:stroke;stroke:{PAPER};stroke-width:4}}"


def svg(still: Still, marks: Marks = PLAIN, overlay: bool = False, base: bool = False) -> str:
    """The frame as text: of an `overlay` what changes alone, of its `base` the rest."""
    scale = still.scale
    left, right, top, bottom = scale.page
    width, height = right - left, top - bottom
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{left:.0f} {-top:.0f} {width:.0f} {height:.0f}" font-size="16" '
        f'font-family="{FONT_STACK}" text-anchor="middle">'
    )
    lone = still.words.is_lone
    below: list[str] = []
    above: list[str] = []
    for _, (x, u, y, v) in still.plates:
        below.append(f'<rect x="{x:.0f}" y="{-y:.0f}" width="{u - x:.0f}" height="{y - v:.0f}" '
                     f'rx="9" style="stroke:{FAINT};stroke-width:1"/>')  # fmt: skip
    edges = [*still.edges()]
    for side, is_fixed in (below, True), (above, False):
        lines = [curve(still, a, p) for a, p in edges if still.is_fixed(a, p) == is_fixed]
        side += [f'<path d="{"".join(lines)}"/>'] if lines else []
    for p, box in still.placed.items():
        kind = marks.of(p) or ("i" if still.words.is_idle(p) else "")
        apart = not still.is_fixed(p) or overlay and (kind or p in marks.tags)
        pieces = pieces_of(box, kind, still.tall)
        if tag := marks.tags.get(p):
            pieces += plate(box, still.tall, tag, right)
        (above if apart else below).extend(pieces)
    ground = "" if overlay else f'<rect x="{left:.0f}" y="{-top:.0f}" width="100%" height="100%" '
    ground += "" if overlay else f'style="stroke:none;fill:{PAPER}"/>'
    if lone:
        outs = dict.fromkeys(q for p in still.words.outs for q in still.words.results(p))
        above += [arrow(still, p, marks.results.get(p, "")) for p in outs]
    rest = "" if overlay else "".join(below)
    changes = "".join(above) if lone else f"<g>{''.join(above)}</g>"
    style = (LONE + RESULT if marks.results else LONE) if lone else STYLE
    return f"{head}<style>{style}</style>{ground}{rest}{'' if base else changes}</svg>"


def arrow(still: Still, p: str, name: str) -> str:
    """The sign of a result: an arrow that leaves it, up where values flow up and else down, with
    its name if it has one."""
    box = still.placed[p]
    down = -1 if still.scale.direction == "BT" else 1
    x, y = box.x + box.width / 4, -box.y + down * still.tall / 2
    name = subscripted(name)
    words = f'<text x="{x + 8:.0f}" y="{y + (13 if down > 0 else -4):.0f}" class="r">'
    words = f"{words}{marked(name)}</text>" if name not in ("", box.name) else ""
    line = f"M{x:.0f} {y:.0f}v{11 * down}m-4 {-4 * down}l4 {4 * down}l4 {-4 * down}"
    return f'<path d="{line}"/>{words}'


def curve(still: Still, a: str, p: str) -> str:
    (x, y), *rest = still.curve(a, p)
    points = " ".join(f"{u:.0f} {-v:.0f}" for u, v in rest)
    return f"M{x:.0f} {-y:.0f}C{points}"


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
        place = f'x="{x:.0f}" y="{first + LINE * k:.0f}"' + ' class="w"' * (kind == "m")
        pieces.append(f"<text {place}>{marked(line)}</text>")
    if box.name and box.text != box.name:
        place = f'x="{x - width / 2 + 5:.0f}" y="{y - tall / 2 - 5:.0f}"'
        pieces.append(f'<text {place} class="n">{marked(box.name)}</text>')
    return pieces


def plate(box: Box, tall: float, tag: str, right: float) -> list[str]:
    """The letter that a rule has for a part, at its upper right corner, within the picture."""
    wide = 8 + TAG * 0.66 * len(tag)
    x, y = min(box.x + box.width / 2 - 6, right - wide), -box.y - tall / 2 + 3
    return [
        f'<rect x="{x:.0f}" y="{y - TAG - 1:.0f}" width="{wide:.0f}" height="{TAG + 5}" rx="3" '
        f'class="g"/>',
        f'<text x="{x + wide / 2:.0f}" y="{y:.0f}" class="l">{escape(tag)}</text>',
    ]


def marked(words: str) -> str:
    """Words with bars over letters, and digits below the line, as any font can draw them."""
    pieces, end = [], 0
    for piece in PIECES.finditer(words):
        pieces.append(escape(words[end : piece.start()]))
        letter, digits = piece.groups()
        if digits:
            number = digits.translate(DIGITS).replace("-", "−")
            pieces.append(f'<tspan dy="3">{number}</tspan>')
            rest = words[piece.end() :]
            pieces.append('<tspan dy="-3">\u200b</tspan>' if rest else "")
        elif letter.endswith(BAR):
            pieces.append(f'<tspan text-decoration="overline">{escape(letter[:-1])}</tspan>')
        else:
            pieces.append(f"{escape(letter[:-1])}{DOTTED}")
        end = piece.end()
    return "".join([*pieces, escape(words[end:])])
