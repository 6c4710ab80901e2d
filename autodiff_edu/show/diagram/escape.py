"""Text of users is data: quoted for Graphviz, with room where its font has no measure."""

import html
import re

from ...expr.sanitize import LONGEST, shorten, visible

__all__ = ["LONGEST", "quoted", "shorten", "spaced", "unspaced", "visible"]

WIDE = re.compile(
    "([\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60"
    "\uffe0-\uffe6\U0001f000-\U0001faff\U00020000-\U0003fffd])"
)
SPACER = "\u2005"  # a quarter of an em: DejaVu's stand-in for a Chinese character is 0.84 em wide


def quoted(text: str, readings: int = 1) -> str:
    """The text so that Graphviz shows it as it stands, in a plain or an HTML-like label.

    An angle bracket would start HTML, an ampersand an entity, and a backslash an escape (`\\N` is
    the node's name). Graphviz reads a label once for escapes, and a tooltip twice.
    """
    return html.escape(visible(text)).replace("\\", "\\" * 2**readings)


def spaced(dot: str) -> str:
    """DOT text with room after each wide character, for which DejaVu Sans has no measure."""
    return WIDE.sub(rf"\1{SPACER}", dot)


def unspaced(svg: str) -> str:
    """What `spaced` was given, wherever it ended up."""
    return svg.replace(SPACER, "")
