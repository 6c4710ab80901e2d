"""Letters with marks that many fonts lack, v̄ and ẋ and v₀: the marks travel with the drawings.

`marks/marks.woff` holds them and the letters below them, cut from DejaVu Sans by

    pyftsubset DejaVuSans.ttf --flavor=woff --no-hinting --layout-features= --notdef-outline
        --unicodes=41-5A,61-7A,304,307,1D40,2080-2089,208B --name-IDs=
        --drop-tables+=GPOS,GSUB,GDEF,MATH,gasp,kern,FFTM

and `marks/v.woff`, less than half as long, holds them and of the letters only v.
"""

import base64
import re
from functools import cache
from importlib.resources import files
from xml.etree import ElementTree as ET

from .theme import FONT_STACK

FOLDER = files(__package__) / "marks"  # also within a zip file
MARKS = re.compile("[\u0304\u0307\u1d40\u2080-\u2089\u208b]")
MORE_THAN_V = re.compile("[^v][\u0304\u0307]")
STACK = f"{FONT_STACK}, autodiff marks"  # last: the rest of a text keeps its own letters
STACK_OF_MARKED = FONT_STACK.replace("sans-serif", "autodiff marks, sans-serif")  # loaded surely


def carry_marks(root: ET.Element) -> None:
    """A font for the texts with marks. All others keep their own letters."""
    texts = {text: "".join(text.itertext()) for text in root.iter("text")}
    marked = {text: words for text, words in texts.items() if has_marks(words)}
    for text in marked:
        text.set("class", "marked")
    if marked:
        style = ET.Element("style")
        face = font_face(" ".join(marked.values()))
        style.text = f"{face}.marked{{font-family:{STACK_OF_MARKED}}}"
        root.insert(0, style)


def has_marks(text: str) -> bool:
    """Is one of the marks written here?"""
    return bool(MARKS.search(text))


def font_face(text: str) -> str:
    """The font of the marks in a text, as a rule of a stylesheet."""
    return face("marks" if MORE_THAN_V.search(text) else "v")


@cache
def face(name: str) -> str:
    data = base64.b64encode((FOLDER / f"{name}.woff").read_bytes()).decode()
    return f"@font-face{{font-family:autodiff marks;src:url(data:font/woff;base64,{data})}}"
