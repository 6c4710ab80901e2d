"""From Graphviz's SVG to ours: nothing that varies, fonts of everywhere, words for a reader.

Marks that many fonts lack, v̄ and ẋ and v₀, travel with the drawings that write them.
`marks/marks.woff` holds them and the letters below them, cut from DejaVu Sans by

    pyftsubset DejaVuSans.ttf --flavor=woff --no-hinting --layout-features= --notdef-outline
        --unicodes=41-5A,61-7A,304,307,1D40,2080-2089,208B --name-IDs=
        --drop-tables+=GPOS,GSUB,GDEF,MATH,gasp,kern,FFTM

and `marks/v.woff`, less than half as long, holds them and of the letters only v.
"""

import base64
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from math import ceil
from xml.etree import ElementTree as ET

from ...expr.sanitize import visible
from .theme import FONT_STACK, INK, LEGIBLE, LETTERS, PAPER, SHOWN, SIZE

XMLNS = "http://www.w3.org/2000/svg"
XLINK_TITLE = "{http://www.w3.org/1999/xlink}title"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
PLACES = {"cx", "cy", "rx", "ry", "x", "y"}
OUTLINES = {"points", "d"}
LONG_NUMBER = re.compile(r"-?\d+\.\d+")
DOTS = 'dasharray="1,5"', 'dasharray="2,3"'  # a sixth of a line is too faint for a projector
UP, DOWN = 2, 1  # pixels by which two lines of a label part
POINT = re.compile(r"(-?[\d.]+),-?[\d.]+")

FOLDER = files(__package__) / "marks"  # also within a zip file
MARKS = re.compile("[\u0304\u0307\u1d40\u2080-\u2089\u208b]")
MORE_THAN_V = re.compile("[^v][\u0304\u0307]")
STACK = f"{FONT_STACK}, autodiff marks"  # last: the rest of a text keeps its own letters
STACK_OF_MARKED = FONT_STACK.replace("sans-serif", "autodiff marks, sans-serif")  # loaded surely


def finish(raw: str, title: str, description: str) -> str:
    """Graphviz's SVG without its comments, version and ids, with a title and a description."""
    root = tidied(raw)
    _describe(root, title, description)
    return written(root)


def silent(raw: str) -> str:
    """Graphviz's SVG for an `<img>`, which shows neither titles nor names of groups."""
    root = tidied(raw)
    for parent in root.iter():
        if parent.get("class") in TIDY:
            del parent.attrib["class"]
        for title in parent.findall("title"):
            parent.remove(title)
    _ungroup(root)
    return written(root)


def written(root: ET.Element) -> str:
    """The drawing as text."""
    _round(root)
    root.set("xmlns", XMLNS)
    return ET.tostring(root, encoding="unicode") + "\n"


def tidied(raw: str) -> ET.Element:
    """Graphviz's SVG without its comments, version and ids, to be written."""
    root = read(raw.replace(*DOTS))
    for element in root.iter():
        element.attrib.pop("id", None)  # ids of two pictures on one page would clash
        if tidy := TIDY.get(element.get("class", element.tag)):
            tidy(element)
    _raise_plates(root)
    _carry_marks(root)
    _shorten(root)
    return root


def read(svg: str) -> ET.Element:
    """The drawing, whose tags have their plain names."""
    return ET.fromstring(svg.replace(f' xmlns="{XMLNS}"', ""))


# ---- one element at a time


def _page(root: ET.Element) -> None:
    """One point of the layout is one pixel of the page."""
    for side in ("width", "height"):
        root.set(side, root.get(side, "").removesuffix("pt"))


def _untitle(group: ET.Element) -> None:
    """Graphviz titles what it draws with its DOT name: %3, n7, n7->n8."""
    for title in group.findall("title"):
        group.remove(title)


def _node(group: ET.Element) -> None:
    _unlink(group)
    for shape in [e for e in group.iter() if e.tag in ("polygon", "path", "ellipse")][:1]:
        for text in group.iter("text"):
            text.attrib |= {"text-anchor": "middle", "x": f"{_middle(shape):.6g}"}
    _part(list(group.iter("text")))


def _part(lines: Sequence[ET.Element]) -> None:
    """An underscore hangs so low that it would lie on the line below as a bar over a letter."""
    for above, below in zip(lines, lines[1:]):
        if "_" in "".join(above.itertext()):
            above.set("y", f"{float(above.get('y', 0)) - UP:.6g}")
            below.set("y", f"{float(below.get('y', 0)) + DOWN:.6g}")


def _unlink(group: ET.Element) -> None:
    """Graphviz hides a tooltip in a link to nowhere, and draws what is transparent."""
    for link in group.iter("a"):
        link.tag = "g"
        for title in group.findall("title"):
            title.text = link.attrib.pop(XLINK_TITLE, None)
    for parent in list(group.iter()):
        for unseen in [e for e in parent if e.get("fill") == "transparent"]:
            parent.remove(unseen)


def _middle(shape: ET.Element) -> float:
    """Two lines of a label would each start where our measure, not the viewer's, puts them."""
    if shape.tag == "ellipse":
        return float(shape.get("cx", 0))
    xs = [float(x) for x in POINT.findall(shape.get("points", shape.get("d", "")))]
    return (min(xs) + max(xs)) / 2


def _edge(group: ET.Element) -> None:
    """What is written beside a line has its colour, and a halo where it touches another."""
    _untitle(group)
    colours = [path.get("stroke", INK) for path in group.iter("path")]
    for text in group.iter("text"):
        text.attrib |= {"stroke": PAPER, "stroke-width": "4", "paint-order": "stroke"}
        text.set("fill", LETTERS.get(colours[0], colours[0]))


def _text(text: ET.Element) -> None:
    text.set("font-family", FONT_STACK)
    text.set("font-size", f"{float(text.get('font-size', SIZE)) * SHOWN:.3g}")


TIDY = {"svg": _page, "graph": _untitle, "cluster": _unlink, "node": _node, "edge": _edge,
        "text": _text}  # fmt: skip


def _raise_plates(root: ET.Element) -> None:
    """Frames lie under everything; the plates with their names go on top, so that no edge strikes
    them out. A frame that is not drawn goes."""
    for graph in root.findall("g[@class='graph']"):
        for frame in graph.findall("g[@class='cluster']"):
            if frame.find(".//path") is None:
                graph.remove(frame)
                continue
            top = ET.SubElement(graph, "g")
            top.extend(frame.findall("title"))
            for parent in list(frame.iter()):
                for plate in [e for e in parent if e.tag in ("polygon", "text")]:
                    parent.remove(plate)
                    top.append(plate)


def _shorten(root: ET.Element) -> None:
    """No groups around one element, no space between two; and what most texts or lines have in
    common is said once."""
    lines = [e for e in root.iter() if e.tag in ("path", "polygon", "ellipse", "polyline")]
    _say_once(root, [*root.iter("text")], ("font-family", "font-size", "text-anchor", "fill"))
    _say_once(root, lines, ("stroke-width",))
    for element in root.iter():
        element.attrib.pop(SPACE, None)
        element.tail = None
        if element.tag in ("svg", "g", "a"):
            element.text = None
    _ungroup(root)


def _ungroup(root: ET.Element) -> None:
    for element in root.iter():
        for k, child in enumerate(element):
            while child.tag == "g" and not child.attrib and len(child) == 1:
                element[k] = child = child[0]


def _say_once(root: ET.Element, elements: Sequence[ET.Element], names: Iterable[str]) -> None:
    """What is said of each of the elements is said of the whole, where most say the same."""
    for name in names:
        values = Counter(e.get(name, "") for e in elements)
        if values and "" not in values:
            ((usual, _),) = values.most_common(1)
            root.set(name, usual)
            for e in elements:
                if e.get(name) == usual:
                    del e.attrib[name]


def _round(root: ET.Element) -> None:
    """Tenths of a pixel."""
    for element in root.iter():
        for name in PLACES.intersection(element.keys()):
            element.set(name, tenths(element.get(name, "")))
        for name in OUTLINES.intersection(element.keys()):
            found = LONG_NUMBER.sub(lambda number: tenths(number[0]), element.get(name, ""))
            element.set(name, found)
        if element.tag == "polygon":  # it closes itself
            first, *rest = element.get("points", "").split()
            element.set("points", " ".join([first, *(rest[:-1] if rest[-1:] == [first] else rest)]))


def tenths(number: str) -> str:
    """The number, rounded."""
    return f"{float(number):.1f}".removesuffix(".0")


def _describe(root: ET.Element, title: str, description: str) -> None:
    root.attrib |= {"role": "img", "aria-label": visible(title)}
    lines = "\n".join(visible(line) for line in description.split("\n"))
    for at, (tag, words) in enumerate((("title", visible(title)), ("desc", lines))):
        element = ET.Element(tag)
        element.text = words
        root.insert(at, element)


# ---- marks that a viewer's fonts may lack


def _carry_marks(root: ET.Element) -> None:
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


# ---- sizes, read off a finished picture


def size(svg: str) -> tuple[int, int]:
    """Width and height in pixels."""
    width, height = re.findall(r' (?:width|height)="([\d.]+)"', svg)[:2]
    return round(float(width)), round(float(height))


def narrowest(svg: str) -> int:
    """The width at which the smallest letters are still legible."""
    letters = [float(n) for n in re.findall(r'font-size="([\d.]+)"', svg)]
    return ceil(size(svg)[0] * min(1, LEGIBLE / min(letters, default=LEGIBLE)))
