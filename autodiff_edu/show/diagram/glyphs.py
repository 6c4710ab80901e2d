"""Marks that many fonts lack, v̄ and ẋ and v₀, carried by the pictures that write them.

`marks/marks.woff` holds them and the letters below them, cut from DejaVu Sans by

    pyftsubset DejaVuSans.ttf --flavor=woff --no-hinting --layout-features= --notdef-outline
        --unicodes=41-5A,61-7A,304,307,1D40,2080-2089,208B --name-IDs=
        --drop-tables+=GPOS,GSUB,GDEF,MATH,gasp,kern,FFTM
"""

import base64
import re
from functools import lru_cache
from pathlib import Path

from .theme import FONT_STACK

FONT = Path(__file__).with_name("marks") / "marks.woff"
MARKS = re.compile("[\u0304\u0307\u1d40\u2080-\u2089\u208b]")
STACK = f"{FONT_STACK}, autodiff marks"  # last: the rest of a text keeps its own letters
STACK_OF_MARKED = FONT_STACK.replace("sans-serif", "autodiff marks, sans-serif")  # loaded surely


def needed(text: str) -> bool:
    """Is one of the marks written here?"""
    return bool(MARKS.search(text))


@lru_cache(maxsize=1)
def font_face() -> str:
    """The font as a rule of a stylesheet."""
    data = base64.b64encode(FONT.read_bytes()).decode()
    return f"@font-face{{font-family:autodiff marks;src:url(data:font/woff;base64,{data})}}"
