"""A rule drawn: both sides side by side, its wildcards in their colours, and its words below."""

from collections.abc import Mapping
from typing import NamedTuple

from ...expr import Expr, Graph, Step, postorder
from ...rewrite import Rewrite
from ..build.annotations import hues
from ..build.builder import Drawing
from ..diagram.diagram import Diagram, Tag
from ..diagram.escape import shorten, visible
from ..diagram.theme import FAINT, INK, Mark
from ..html import page
from ..html.picture import Picture
from .equation import Equation, equation, note, says, wildcards
from .replay import pattern


class RulePicture(NamedTuple):
    """A rule drawn: `left` and `right`, the equation in text, and what else the rule says."""

    name: str
    equation: str
    left: Picture | None
    right: Picture | None
    says: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        words = [f"{word}: {value}" for word, value in self.says]
        sides = [f"{side}:\n{p!r}" for side, p in self.sides]
        return "\n".join([f"{shorten(visible(self.name), 80)}: {self.equation}", *words, *sides])

    @property
    def sides(self) -> list[tuple[str, Picture]]:
        return [(side, p) for side, p in (("left", self.left), ("right", self.right)) if p]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        sides = ARROW.join(p.image() for _, p in self.sides)
        words = "".join(
            f'<span style="{WORD}"><span style="color:{FAINT}">{word}</span> '
            f"{page.escape(value)}</span> "
            for word, value in self.says
        )
        head = page.caption(f"<b>{page.escape(self.name)}</b> {page.escape(self.equation)}")
        content = f'{head}<div style="{ROW}">{sides}</div>{page.caption(words)}'
        return {"text/plain": repr(self), "text/html": page.card(content, "rule")}


WORD = "display:inline-block;margin-right:12px"
ROW = "display:flex;flex-wrap:wrap;align-items:center;gap:14px;margin:0 0 6px"
ARROW = f'<span style="font-size:28px;line-height:1;color:{INK}">→</span>'


def rule_picture(rule: Rewrite) -> RulePicture:
    """Both sides as patterns; of a rule whose right side is no expression an example of its use,
    before and after; without one the left side, and what is written of the rule."""
    said = equation(rule)
    sides = step_pictures(said.step) if said.step else pattern_pictures(said)
    told = [("by", note(rule))] if said.right is None and note(rule) else []
    return RulePicture(rule.name, str(said), *sides, (*says(rule), *told))


Sides = tuple[Picture | None, Picture | None]


def pattern_pictures(said: Equation) -> Sides:
    found = wildcards(said.left, said.right)
    colours = hues([w.name or "" for w in found])
    fills: dict[Expr, str] = {w: colours[w.name or ""] for w in found}
    left, right = (
        None if side is None else bare(Drawing(Graph([side]), types=False, fills=fills))
        for side in (said.left, said.right)
    )
    return left, right


def step_pictures(step: Step) -> Sides:
    """What a step matched, and what it put there."""
    old, made = set(postorder([step.before])), postorder([step.after])
    new = [n for n in made if n not in old] or [step.after]
    return (
        tagged(step, step.before, dict.fromkeys(pattern(step), "matched"), "{} →"),
        tagged(step, step.after, dict.fromkeys(new, "new"), "→ {}"),
    )


def tagged(step: Step, root: Expr, marks: Mapping[Expr, Mark], form: str) -> Picture:
    colours = hues(step.bindings)
    tags = {n: (Tag(form.format(name), colours[name]),) for name, n in step.bindings.items()}
    return bare(Drawing(Graph([root]), marks=marks, tags=tags))


def bare(drawing: Drawing) -> Picture:
    """Without a box for the result, and with operands in their order."""
    nodes, edges = drawing.content()
    inner = tuple(n for n in nodes if n.kind != "output")
    ids = {n.id for n in inner}
    return Picture.of(Diagram(inner, tuple(e for e in edges if e.head in ids), ordered=True))
