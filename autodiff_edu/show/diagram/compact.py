"""A drawing as short as an `<img>` needs it. A film has many, and notebooks keep them all.

What an `<img>` does not show goes: titles and descriptions. What many elements look like is said
once, in a style sheet. Points are told by steps from the one before, in exact tenths of a pixel.
"""

import re
from collections import Counter

WORDS = re.compile("<(title|desc)>.*?</\\1>", re.DOTALL)
KIND = re.compile(' class="(graph|cluster|node|edge)"')
TAG = re.compile("<([a-z]+)([^<>]*)")
LOOK = re.compile(' (fill|stroke|stroke-width|stroke-dasharray|paint-order)="([^"]*)"')
OUTLINE = re.compile(r'<(polygon|path)([^<>]*?) (?:points|d)="M?((?:-?[\d.]+,-?[\d.]+[ C]?)+)"')


def compact(svg: str) -> str:
    """The drawing, which looks the same."""
    bare = KIND.sub("", WORDS.sub("", svg))
    if bare.count("<g ") == 1:
        bare = re.sub("<g>|</g>", "", bare).replace("</svg>", "</g></svg>")
    return OUTLINE.sub(_stepwise, _styled(bare))


# ---- looks


def _styled(svg: str) -> str:
    """The looks of more than two elements become classes."""
    looks = Counter(_look(tag) for tag in TAG.finditer(svg))
    shorter = [look for look, times in looks.items() if times > 2 and len(look) > 20]
    classes = {look: f"c{k}" for k, look in enumerate(shorter)}
    sheet = ""
    for look, name in classes.items():
        rules = LOOK.sub(r"\1:\2;", look).strip()
        sheet += f".{name}{{{rules}}}"

    def named(tag: re.Match[str]) -> str:
        name = classes.get(_look(tag))
        return f'<{tag[1]} class="{name}"{LOOK.sub("", tag[2])}' if name else tag[0]

    style = f"<style>{sheet}</style>" if sheet else ""
    return TAG.sub(named, svg).replace(">", f">{style}", 1)


def _look(tag: re.Match[str]) -> str:
    """What an element looks like, if a class may say so."""
    free = tag[1] != "svg" and " class=" not in tag[2]
    return "".join([look[0] for look in LOOK.finditer(tag[2])]) if free else ""


# ---- outlines


def _stepwise(outline: re.Match[str]) -> str:
    """A polygon, or a curve, each of whose parts has three points that start at its first."""
    kind, look, points = outline.groups()
    x, y, *rest = [round(10 * float(n)) for n in re.split("[ ,C]", points)]
    letter, end, part = ("l", "z", 1) if kind == "polygon" else ("c", "", 3)
    start, steps = [x, y], list[int]()
    for k, (u, v) in enumerate(zip(rest[::2], rest[1::2]), 1):
        steps += [u - x, v - y]
        x, y = (x, y) if k % part else (u, v)
    return f'<path{look} d="M{_tenths(start)}{letter}{_tenths(steps)}{end}"'


def _tenths(numbers: list[int]) -> str:
    """Tenths as decimal numbers; before a minus no space is needed, nor a 0 before a point."""
    said = " ".join([f"{n / 10:g}" for n in numbers])
    return re.sub(r"(?<!\d)0\.", ".", said).replace(" -", "-")
