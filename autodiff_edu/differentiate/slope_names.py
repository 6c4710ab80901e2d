"""The names of derivatives: a slope where y or x is more than a word, ∂²y/∂z∂x, ∂(a/b)/∂ω₀; and the
signs of adjoints and tangents, x̄ and ẏ."""

import re
from itertools import groupby
from typing import NamedTuple

from ..expr import hook

DIGITS, RAISED = "0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"
TO_POWER, FROM_POWER = str.maketrans(DIGITS, RAISED), str.maketrans(RAISED, DIGITS)
PART = rf"[^∂/()\s{RAISED}]+"  # of a name that needs no brackets
NAMED = re.compile(rf"∂[{RAISED}]*({PART})/((?:∂{PART}[{RAISED}]*)+)")
BY_GRAD = re.compile(rf"\(d({PART})/d({PART})\)")
VARIABLE = re.compile(rf"∂({PART})([{RAISED}]*)")


class Slope(NamedTuple):
    """∂³y/∂z∂x² by its parts: y, and z, x and x."""

    y: str
    variables: tuple[str, ...] = ()

    @property
    def runs(self) -> list[tuple[str, int]]:
        """The variables, and how often each follows itself: (z, 1) and (x, 2)."""
        return [(x, len([*run])) for x, run in groupby(self.variables)]

    def __str__(self) -> str:
        below = "".join(f"∂{bracketed(x)}{power(count)}" for x, count in self.runs)
        return f"∂{power(len(self.variables))}{bracketed(self.y)}/{below}"


def slope(name: str) -> Slope:
    """The parts of such a name; any other is a y without variables."""
    if match := BY_GRAD.fullmatch(name):
        return Slope(match[1], (match[2],))
    match = NAMED.fullmatch(name)
    if match is None:
        return Slope(name)
    powers = VARIABLE.findall(match[2])
    counts = [(x, int(p.translate(FROM_POWER) or 1)) for x, p in powers]
    return Slope(match[1], tuple(x for x, count in counts for _ in range(count)))


@hook("slope_name")
def slope_name(y: str, x: str) -> str:
    """∂y/∂x, one order higher than y where that is a slope itself."""
    whole = slope(y)
    return str(Slope(whole.y, (x, *whole.variables)))


def power(count: int) -> str:
    return str(count).translate(TO_POWER) if count > 1 else ""


def bracketed(name: str) -> str:
    return name if re.fullmatch(PART, name) else f"({name})"


BAR, DOT = "\u0304", "\u0307"  # Unicode puts them above the letter before


@hook("marked")
def marked(name: str | None, mark: str) -> str:
    """A name with a bar or a dot: v₁ becomes v̄₁; over a word the bar is as long as the word. A
    mark that is no accent stands behind it: v₁[:]."""
    if not name:
        return ""
    if mark not in (DOT, BAR):
        return name + mark
    letters = name.rstrip("₋₀₁₂₃₄₅₆₇₈₉0123456789_")
    if mark == BAR and len(letters) > 1:
        return "".join(c + mark for c in letters) + name[len(letters) :]
    return name[:1] + mark + name[1:]
