"""A user's name in LaTeX: alpha as a Greek letter, x1 with a subscript, anything else as text."""

import re
import unicodedata

from ...differentiate.slope_names import Slope, slope
from ...expr import shorten, visible

GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
).split()
ACCENTS = {"\u0304": (r"\bar", r"\overline"), "\u0307": (r"\dot", r"\dot")}
SUBSCRIPTS = "₋₀₁₂₃₄₅₆₇₈₉"
PLAIN = str.maketrans(SUBSCRIPTS, "-0123456789")
LETTERS = re.compile(r"([A-Za-z]+)_?(-?\d+|[A-Za-z]+(?:_?\d+)?)?$")
DIFFERENTIAL = re.compile(r"d([A-Za-z]|" + "|".join(GREEK) + r")(_?\d+)?$")
ONE = re.compile(r"(.)(?:_?(-?\d+))?$")
ESCAPES = {
    "\\": r"\backslash ", "{": r"\{", "}": r"\}", "$": r"\$", "%": r"\%", "#": r"\#",
    "_": r"\_", "&": r"\&", "^": r"\wedge ", "~": r"\sim ", "<": r"\lt ", ">": r"\gt ",
    "`": r"\text{‘}",
}  # fmt: skip
ACTING = re.compile(f"([{re.escape(''.join(ESCAPES))}])")


def latex_name(name: str) -> str:
    """The name as one atom of a formula; nothing in it can act."""
    if len(name.rstrip(SUBSCRIPTS + "_0123456789")) == 1:
        name = unicodedata.normalize("NFD", name)  # ẋ may be one letter; the ż of życie is no rate
    accent = next((a for a in ACCENTS if a in name), None)
    if accent:
        return accented(name.replace(accent, ""), accent)
    if (parts := slope(name)).variables:
        return quotient(parts)
    return letters(name.translate(PLAIN)) or greek(name.translate(PLAIN)) or quoted(name)


def quotient(parts: Slope) -> str:
    """∂²y/∂x² as a fraction."""
    top = raised(r"\partial", len(parts.variables))
    below = r" \, ".join(raised(rf"\partial {latex_name(x)}", count) for x, count in parts.runs)
    return rf"\frac{{{top} {latex_name(parts.y)}}}{{{below}}}"


def raised(base: str, power: int) -> str:
    return base if power == 1 else f"{base}^{{{power}}}"


def accented(name: str, accent: str) -> str:
    """The accent goes over the letters, not over the subscript."""
    match = LETTERS.match(name.translate(PLAIN))
    if not match or not match[2]:
        inner, subscript = latex_name(name), ""
    else:
        inner, subscript = word(match[1]), f"_{{{index(match[2])}}}"
    narrow, wide = ACCENTS[accent]
    return f"{wide if len(name.rstrip(SUBSCRIPTS)) > 1 else narrow}{{{inner}}}{subscript}"


def letters(name: str) -> str:
    differential = DIFFERENTIAL.match(name)
    if differential:
        return rf"\mathrm{{d}}{letters(name[1:])}"
    match = LETTERS.match(name)
    if not match or ("_" not in name and match[2] and not match[2].lstrip("-").isdigit()):
        return ""
    return word(match[1]) + (f"_{{{index(match[2])}}}" if match[2] else "")


def word(name: str) -> str:
    if name in GREEK:
        return rf"\{name}"
    return name if len(name) == 1 else rf"\mathit{{{shorten(name)}}}"


def index(name: str) -> str:
    name = shorten(name)
    if name.replace("…", "").lstrip("-").isdigit() or len(name) == 1:
        return name
    return rf"\{name}" if name in GREEK else rf"\mathrm{{{name.replace('_', '')}}}"


def greek(name: str) -> str:
    """θ is theta, and ω₀ has an index; other letters of one alphabet or another stay themselves."""
    match = ONE.match(name)
    spelled = unicodedata.name(match[1], "").split() if match else []
    if not match or spelled[:1] != ["GREEK"] or len(spelled) != 4:
        return ""
    word = spelled[3].lower() if spelled[1] == "SMALL" else spelled[3].capitalize()
    return rf"\{word}" + (f"_{{{match[2]}}}" if match[2] else "") if word in GREEK else ""


def quoted(name: str) -> str:
    """Any text: letters in text mode, everything that acts in LaTeX as the sign that shows it."""
    name = unicodedata.normalize("NFC", shorten(visible(name)))
    parts = [ESCAPES.get(p) or rf"\text{{{p}}}" for p in ACTING.split(name) if p]
    return "{" + "".join(parts) + "}"
