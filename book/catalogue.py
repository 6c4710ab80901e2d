"""The catalogue of rules: one page, each rule as an equation, a picture and what it promises."""

import re
import unicodedata
from pathlib import Path

import api

import autodiff_edu as ad
from autodiff_edu.check.rule.check_rule import counterexample
from autodiff_edu.check.rule.equivalence import number
from autodiff_edu.expr import visible
from autodiff_edu.rewrite import MEASURE, MODES, RULES
from autodiff_edu.rewrite.catalogue import SUBJECTS, subject
from autodiff_edu.show.diagram.theme import FONT_STACK
from autodiff_edu.show.html.page import size

INTRO = r"""# The rules of simplification

Every rule by which a graph is made shorter or safer, in the order in which they are tried; the page
is made from the rules themselves. Such a rule is an equation, $x / x \to 1$, with what it needs to
be true, $x \ne 0$. A rectangle in its colour stands for any expression, a hexagon for any constant.
Where a rule is a function you see an example of its use instead, with what it matched and what it
made; the arrows tell where its parts go.

**Mode** is the first in which the rule is used. In `ieee` nothing changes but the sign of a zero.
In `safe`, where nothing on the way overflows or underflows, a value changes by rounding only; where
something does, it may only become truer. In `real` all numbers are taken to be finite and all
arguments to lie in their domains. The condition behind an equation is proved in `safe` and taken
for granted in `real`. *Breaks* names the simplest point at which the promise of the stricter mode
would be broken. That is why the rule is not in it. *Law* is the reason why a rule may be used in
its mode. The law of products: a product is multiplied in another order only if nothing on the way
may overflow, or underflow, that did not before. A rule *decreases* {measure}. These are: places
where something may overflow or cancel, the cost of all operations, their number, and how many
operands are not in standard order. It raises none that comes before in this list, so rewriting
ends.
[Lecture 7](../lectures/07_simplification.ipynb) has the reasons.

{modes}

"""


def write_pages(folder: Path):
    """The page, and a picture for each rule."""
    pages = {f"{slug(rule.name)}.svg": drawing(ad.draw(rule)) for rule in RULES}
    pages["index.md"] = page()
    api.write_files(folder, pages)


# ---- in words ----


def page():
    modes = [f"{len(RULES.select(mode=m))} begin in `{m}`" for m in MODES]
    counted = f"{len(RULES)} rules: {', '.join(modes)}."
    intro = INTRO.replace("{measure}", "one of " + ", ".join(f"*{m}*" for m in MEASURE))
    return intro.replace("{modes}", counted) + "\n".join(map(section, map(subject, SUBJECTS)))


def section(subject):
    """A subject: its module's words, but for the letters that its code uses."""
    first, *more = re.split(r"\n\s*\n", subject.__doc__.strip())
    title, rest = re.fullmatch(r"(.*?)(?:[:.] (.*)|\.)", " ".join(first.split())).groups("")
    words = [rest[:1].upper() + rest[1:], *more]
    told = "\n".join(line for p in words for line in [*prose(p), ""])
    entries = "\n".join(map(entry, subject.RULES))
    return f"## {title}\n\n{told}\n::::{{div}} rules\n\n{entries}\n::::\n"


def prose(paragraph):
    """A paragraph without its list of letters; formulas that stand by themselves as they stand."""
    if paragraph.startswith(" "):
        return ["```text", *(line[4:] for line in paragraph.split("\n")), "```"]
    lines = paragraph.split("\n")
    end = next((k for k, line in enumerate(lines) if line.startswith("Letters:")), len(lines))
    return [api.escaped(" ".join(lines[:end]))]


def entry(rule):
    """A rule: its name and mode; its equation and its words; its picture."""
    drawn = ad.draw(rule)
    said = {"breaks": broken(rule), "law": law(rule)} | dict(drawn.says)
    words = [f"{{bdg-{COLOURS[rule.mode]}-line}}`{rule.mode}`"]
    words += [f"*{word}* {markdown(said[word])}" for word in WORDS if said.get(word)]
    left, right = ad.latex(rule).split(r" \;\to\; ")
    return "\n".join([
        f"(rule-{slug(rule.name)})=",
        markdown(rule.name),
        f": ${left}$ $\\;\\to\\; {right}$",
        "",
        f"  {' · '.join(words)}",
        "",
        f": ```{{image}} {slug(rule.name)}.svg",
        f"  :alt: {visible(drawn.equation)}",
        "  :class: dark-light",
        "  :loading: lazy",
        "  ```",
        "",
    ])  # fmt: skip


LONG = 40  # characters of a value; longer arrays say nothing to a reader
LAWS = {"ieee": "nothing changes", "safe": "rounding alone", "real": "real numbers"}
WORDS = ("when", "caveat", "breaks", "by", "law", "decreases")  # what it needs is in the equation
COLOURS = {"ieee": "success", "safe": "info", "real": "danger"}


def law(rule):
    """Which law lets the rule be used."""
    if rule.exempt:
        return f"none is asked of {rule.exempt}"
    if rule.phase == "stabilise" and rule.mode == "safe":
        return "a stable form"
    if rule.reorders and rule.mode == "safe":
        return "products"
    return "a proof, or real numbers" if rule.provable and rule.mode == "real" else LAWS[rule.mode]


def broken(rule):
    """The simplest point at which the rule breaks the promise of the next stricter mode."""
    stricter = dict(zip(MODES[1:], MODES)).get(rule.mode)
    found = counterexample(rule, stricter) if stricter else None
    if found is None:
        return ""
    left, right = number(found.left), number(found.right)
    at = ", ".join(f"{name} = {number(v)}" for name, v in found.where.items())
    if len(max(left, right, at, key=len)) > LONG:
        return f"{stricter} at some {', '.join(found.where)}"
    how = "the last digits differ" if left == right else f"{left} becomes {right}"
    return f"{stricter}: {how} at {at}" if at else f"{stricter}: {how}"


def markdown(text):
    """Text in which nothing is markup."""
    return re.sub(r"([\\`*_{}\[\]<>()#+\-.!|$~^&])", r"\\\1", visible(text))


def slug(name):
    """A name for a file and an anchor: `sin² + cos²` is sin2-cos2."""
    plain = unicodedata.normalize("NFKD", name.replace("−", "-")).replace("@", "matmul")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


# ---- in pictures ----

GAP, ARROW = 44, 22
PAPER = '<rect width="100%" height="100%" fill="#ffffff"/>'
SHOWN = 0.85  # of the size at which pictures stand alone


def drawing(drawn):
    """Both sides in one drawing, without what is only for pictures that stand alone."""
    svgs = [picture.svg for _, picture in drawn.sides]
    sizes = [size(svg) for svg in svgs]
    height = max(h for _, h in sizes)
    parts, x = [], 0
    for svg, (w, h) in zip(svgs, sizes):
        if parts:
            parts.append(f'<text x="{x + GAP / 2}" y="{height / 2 + 8}" '
                         f'font-size="{ARROW}" stroke-width="0">→</text>')  # fmt: skip
            x += GAP
        parts.append(f'<svg x="{x}" y="{(height - h) / 2:g}" width="{w}" height="{h}"{inner(svg)}')
        x += w
    shown = f'width="{x * SHOWN:.4g}" height="{height * SHOWN:.4g}" viewBox="0 0 {x} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {shown}{"".join(COMMON)}>'
    return "\n".join([head, PAPER, *parts, "</svg>", ""])


def inner(svg):
    """From its view box on, in few bytes: no titles, fonts, or groups that only held those."""
    for unseen in UNSEEN:
        svg = re.sub(unseen, "", svg, flags=re.DOTALL)
    svg = re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.4g}", svg)
    return re.sub(r"^<svg.*?( viewBox=\"[^\"]*\").*?>(.*)</svg>", r"\1>\2</g></svg>", svg)


COMMON = f' font-family="{FONT_STACK}"', ' text-anchor="middle"', ' stroke-width="1.3"'
UNSEEN = (
    r"<(title|desc)>.*?</\1>|<(title|desc) ?/>", r"\n\s*", r' class="\w+"', r"<g>|</g>",
    r' xml:space="preserve"', r"scale\(1 1\) rotate\(0\) ", *COMMON,
    r'<polygon fill="#ffffff" stroke="none"[^>]*/>',
)  # fmt: skip
