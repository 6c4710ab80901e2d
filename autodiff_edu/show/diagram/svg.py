"""From Graphviz's SVG to ours: nothing that varies, fonts of everywhere, words for a reader."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from ...expr import visible
from .frames import raised
from .layout import laid_out
from .letters import MARKS, carry_marks
from .theme import FONT_STACK, INK, LETTERS, PAPER, SHOWN, SIZE

XMLNS = "http://www.w3.org/2000/svg"
XLINK_TITLE = "{http://www.w3.org/1999/xlink}title"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
PLACES = {"cx", "cy", "rx", "ry", "x", "y"}
OUTLINES = {"points", "d"}
LONG_NUMBER = re.compile(r"-?\d+\.\d+")
DOTS = 'dasharray="1,5"', 'dasharray="2,3"'  # a sixth of a line is too faint for a projector
UP, DOWN = 2, 1  # pixels by which two lines of a label part
POINT = re.compile(r"(-?[\d.]+),-?[\d.]+")


def svg(dot: str, title: str = "", description: str = "") -> str:
    """The drawing as SVG text, with a title and a description: the same bytes for the same text on
    every machine."""
    root = tidied(laid_out(dot))
    described(root, title, description)
    return written(root)


def written(root: ET.Element) -> str:
    """The drawing as text."""
    round(root)
    root.set("xmlns", XMLNS)
    return ET.tostring(root, encoding="unicode") + "\n"


def tidied(raw: str) -> ET.Element:
    """Graphviz's SVG without its comments, version and ids, to be written."""
    root = read(raw.replace(*DOTS))
    for element in root.iter():
        element.attrib.pop("id", None)  # ids of two pictures on one page would clash
        if tidy := TIDY.get(element.get("class", element.tag)):
            tidy(element)
    for graph in root.findall("g[@class='graph']"):
        if frames := graph.findall("g[@class='cluster']"):
            raised(graph, frames)
    if MARKS.search(raw):
        carry_marks(root)
    shorten(root)
    return root


def read(svg: str) -> ET.Element:
    """The drawing, whose tags have their plain names."""
    return ET.fromstring(svg.replace(f' xmlns="{XMLNS}"', ""))


# ---- one element at a time


def page(root: ET.Element) -> None:
    """One point of the layout is one pixel of the page."""
    for side in ("width", "height"):
        root.set(side, root.get(side, "").removesuffix("pt"))


def untitle(group: ET.Element) -> None:
    """Graphviz titles what it draws with its DOT name: %3, n7, n7->n8."""
    for title in group.findall("title"):
        group.remove(title)


def node(group: ET.Element) -> None:
    unlink(group)
    for shape in [e for e in group.iter() if e.tag in ("polygon", "path", "ellipse")][:1]:
        for text in group.iter("text"):
            text.attrib |= {"text-anchor": "middle", "x": f"{middle(shape):.6g}"}
    part(list(group.iter("text")))


def part(lines: Sequence[ET.Element]) -> None:
    """An underscore hangs so low that it would lie on the line below as a bar over a letter."""
    for above, below in zip(lines, lines[1:]):
        if "_" in "".join(above.itertext()):
            above.set("y", f"{float(above.get('y', 0)) - UP:.6g}")
            below.set("y", f"{float(below.get('y', 0)) + DOWN:.6g}")


def unlink(group: ET.Element) -> None:
    """Graphviz hides a tooltip in a link to nowhere, and draws what is transparent."""
    for link in group.iter("a"):
        link.tag = "g"
        for title in group.findall("title"):
            title.text = link.attrib.pop(XLINK_TITLE, None)
    for parent in list(group.iter()):
        for unseen in [e for e in parent if e.get("fill") == "transparent"]:
            parent.remove(unseen)


def middle(shape: ET.Element) -> float:
    """Two lines of a label would each start where our measure, not the viewer's, puts them."""
    if shape.tag == "ellipse":
        return float(shape.get("cx", 0))
    xs = [float(x) for x in POINT.findall(shape.get("points", shape.get("d", "")))]
    return (min(xs) + max(xs)) / 2


def edge(group: ET.Element) -> None:
    """What is written beside a line has its colour, and a halo where it touches another."""
    untitle(group)
    colours = [path.get("stroke", INK) for path in group.iter("path")]
    for text in group.iter("text"):
        text.attrib |= {"stroke": PAPER, "stroke-width": "4", "paint-order": "stroke"}
        text.set("fill", LETTERS.get(colours[0], colours[0]))


def text(text: ET.Element) -> None:
    text.set("font-family", FONT_STACK)
    text.set("font-size", f"{float(text.get('font-size', SIZE)) * SHOWN:.3g}")


TIDY = {"svg": page, "graph": untitle, "cluster": unlink, "node": node, "edge": edge,
        "text": text}  # fmt: skip


def shorten(root: ET.Element) -> None:
    """No groups around one element, no space between two; and what most texts or lines have in
    common is said once."""
    lines = [e for e in root.iter() if e.tag in ("path", "polygon", "ellipse", "polyline")]
    say_once(root, [*root.iter("text")], ("font-family", "font-size", "text-anchor", "fill"))
    say_once(root, lines, ("stroke-width",))
    for element in root.iter():
        element.attrib.pop(SPACE, None)
        element.tail = None
        if element.tag in ("svg", "g", "a"):
            element.text = None
    ungroup(root)


def ungroup(root: ET.Element) -> None:
    for element in root.iter():
        for k, child in enumerate(element):
            while child.tag == "g" and not child.attrib and len(child) == 1:
                element[k] = child = child[0]


def say_once(root: ET.Element, elements: Sequence[ET.Element], names: Iterable[str]) -> None:
    """What is said of each of the elements is said of the whole, where most say the same."""
    for name in names:
        values = Counter(e.get(name, "") for e in elements)
        if values and "" not in values:
            ((usual, _),) = values.most_common(1)
            root.set(name, usual)
            for e in elements:
                if e.get(name) == usual:
                    del e.attrib[name]


def round(root: ET.Element) -> None:
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


def described(root: ET.Element, title: str, description: str) -> None:
    root.attrib |= {"role": "img", "aria-label": visible(title)}
    lines = "\n".join(visible(line) for line in description.split("\n"))
    for at, (tag, words) in enumerate((("title", visible(title)), ("desc", lines))):
        element = ET.Element(tag)
        element.text = words
        root.insert(at, element)
