"""A drawing as short as an `<img>` needs it. A film has many, and notebooks keep them all.

What an `<img>` does not show goes: titles, descriptions and roles. Looks are said once, in a style
sheet: what most elements of a tag look like of the tag, and other looks of classes. Points are told
by steps from the one before, in exact tenths of a pixel.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from itertools import chain
from operator import sub
from xml.etree import ElementTree as ET

from .svg import PLACES, XMLNS, tenths

WORDS = {"title", "desc"}
UNSEEN = {"role", "aria-label"}
KINDS = {("class", kind) for kind in ("graph", "cluster", "node", "edge")}
LOOK = ("fill", "stroke", "stroke-width", "stroke-dasharray", "paint-order")
OUTLINES = {"polygon": "points", "polyline": "points", "path": "d"}  # all are written as paths
CURVE = re.compile(r"M[-\d., ]+C[-\d., ]+")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
KEPT = 1 << 15  # numbers: the frames of a film have many in common


def compact(root: ET.Element) -> str:
    """The drawing as text, which looks the same."""
    sheet = Sheet({e: _look(e) for e in root.iter() if e is not root and e.tag not in WORDS})
    said = [f' {name}="{escape(value)}"' for name, value in root.items() if name not in UNSEEN]
    inside = "".join([_written(e, sheet) for e in root])
    return f'<svg xmlns="{XMLNS}"{"".join(said)}>{sheet.text}{inside}</svg>'


def _written(e: ET.Element, sheet: "Sheet") -> str:
    """An element; of a group that says nothing what is in it."""
    if e.tag in WORDS:
        return ""
    inside = escape(e.text, quote=False) if e.text else ""
    if len(e):
        inside += "".join([_written(child, sheet) for child in e])
    tag, said = _tag(e), sheet.said(e)
    if tag == "g" and not said:
        return inside
    return f"<{tag}{said}>{inside}</{tag}>" if inside else f"<{tag}{said}/>"


def _tag(e: ET.Element) -> str:
    return "path" if e.tag in OUTLINES else e.tag


# ---- looks


class Sheet:
    """A style sheet for elements with looks: a rule for what is usual of a tag, and for each other
    look that of a class, which takes back what the tag says besides."""

    def __init__(self, looks: dict[ET.Element, str]):
        self.looks = looks
        found = Counter((_tag(e), look) for e, look in looks.items())
        self.usual = {tag: look for (tag, look), _ in reversed(found.most_common())}
        self.usual |= {tag: "" for tag, look in found if not look}  # the tag's would be theirs, too
        self.others: dict[str, dict[str, str]] = {}
        for tag, look in found:
            if look != self.usual[tag]:
                taken_back = dict.fromkeys(_rule(self.usual[tag]), "inherit")
                self.others[look] = taken_back | self.others.get(look, {}) | _rule(look)
        self.classes = {look: _name(k) for k, look in enumerate(self.others)}

    @property
    def text(self) -> str:
        rules = {tag: _rule(look) for tag, look in self.usual.items() if look}
        rules |= {f".{self.classes[look]}": rule for look, rule in self.others.items()}
        said = [f"{of}{{{';'.join(map(':'.join, rule.items()))}}}" for of, rule in rules.items()]
        return f"<style>{''.join(said)}</style>" if said else ""

    def said(self, e: ET.Element) -> str:
        """The attributes of an element."""
        look = self.looks[e]
        plain = not look or look == self.usual[_tag(e)]
        said = "" if plain else f' class="{self.classes[look]}"'
        outline = OUTLINES.get(e.tag)
        for name, value in e.items():
            if name in PLACES:
                said += f' {name}="{tenths(value)}"'
            elif name == outline:
                said += f' d="{_outline(value, e.tag)}"'
            elif not (look and name in LOOK) and (name, value) not in KINDS:
                said += f' {name}="{escape(value)}"'
        return said


def _look(e: ET.Element) -> str:
    """What an element looks like, in CSS; nothing where a class says it already."""
    if ("class", e.get("class", "node")) not in KINDS:
        return ""
    return ";".join([f"{name}:{e.attrib[name]}" for name in LOOK if name in e.attrib])


def _rule(look: str) -> dict[str, str]:
    return dict(rule.split(":") for rule in look.split(";") if rule)


def _name(k: int) -> str:
    """a, b, …, z, a1, b1, …"""
    turn, letter = divmod(k, len(LETTERS))
    return f"{LETTERS[letter]}{turn or ''}"


# ---- outlines


def _outline(points: str, tag: str) -> str:
    """Straight lines, or a curve, each of whose parts has three points that start at its first."""
    if tag == "path" and not CURVE.fullmatch(points):
        return points
    numbers = _tenths(points.removeprefix("M").replace("C", " ").replace(",", " ").split())
    first, rest = numbers[:2], numbers[2:]
    if tag == "path":
        starts = chain.from_iterable([numbers[k : k + 2] * 3 for k in range(0, len(numbers), 6)])
        return f"M{_told(first)}c{_told(map(sub, rest, starts))}"
    if tag == "polygon" and rest[-2:] == first:  # it closes itself
        del rest[-2:]
    return f"M{_told(first)}l{_told(map(sub, rest, numbers))}{'z' * (tag == 'polygon')}"


def _told(numbers: Iterable[int]) -> str:
    """Before a minus no space is needed."""
    return " ".join(map(_decimal, numbers)).replace(" -", "-")


def _tenths(numbers: list[str]) -> list[int]:
    """How many tenths each is, rounded as Python writes it: 3 for 0.35, which is a little less."""
    said = "%.1f " * len(numbers) % tuple(map(float, numbers))
    return [*map(int, said.replace(".", "").split())]


@lru_cache(KEPT)
def _decimal(tenths: int) -> str:
    """Without a 0 before the point."""
    said = str(tenths / 10).removesuffix(".0")
    return said.replace("0.", ".") if abs(tenths) < 10 else said
