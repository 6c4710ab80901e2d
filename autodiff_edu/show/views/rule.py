"""A rule drawn: both sides side by side, its wildcards in their colours, and its words below; as a
formula; and rules as a table.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...expr import Expr, Graph, Step, postorder, shorten, text, visible
from ...rewrite import Rewrite, Rules
from ..build.builder import Drawing
from ..build.marks import Marking
from ..build.passes import content
from ..build.wildcard_colours import hues
from ..diagram.diagram import Diagram, Tag
from ..diagram.theme import FAINT, INK, Mark
from ..html import page
from ..html.picture import Picture
from ..html.showable import Showable
from ..html.table import Table
from ..tex.formula import Formula, formula, latex
from ..tex.names import quoted
from .draw import drawing
from .equation import Equation, equation, note, says, wildcards
from .replay import pattern
from .tables import table


@dataclass(frozen=True, repr=False)
class RulePicture(Showable):
    """A rule drawn: `left` and `right`, the equation in text, and what else the rule says.

    Parameters
    ----------
    name : str
        That of the rule.
    equation : str
        Both sides as text.
    left : Picture or None
        The left side.
    right : Picture or None
        The right side.
    says : tuple of tuple
        (word, value) for what else the rule says.
    key : iterable, optional
        Words for the marks of an example.

    Examples
    --------
    >>> picture = ad.RULES["times one"].draw()
    >>> picture.equation
    'x * 1 → x'
    """

    kind: ClassVar = "rule"
    name: str
    equation: str
    left: Picture | None
    right: Picture | None
    says: tuple[tuple[str, str], ...]
    key: Sequence[page.Word] = (("matched", "what the rule matches"), ("new", "what it writes"))

    def __repr__(self) -> str:
        words = [f"{word}: {value}" for word, value in self.says]
        sides = [f"{side}:\n{p!r}" for side, p in self.sides]
        return "\n".join([f"{shorten(visible(self.name), 80)}: {self.equation}", *words, *sides])

    @property
    def sides(self) -> list[tuple[str, Picture]]:
        """The two sides with their captions, where there are pictures of them."""
        return [(side, p) for side, p in (("left", self.left), ("right", self.right)) if p]

    @property
    def _parts(self) -> Iterable[Showable]:
        return [p for _, p in self.sides]

    def image(self, widest: int = 0) -> str:
        sides = ARROW.join(p.image() for _, p in self.sides)
        words = "".join(
            f'<span style="{WORD}"><span style="color:{FAINT}">{word}</span> '
            f"{page.escape(value)}</span> "
            for word, value in self.says
        )
        head = page.caption(f"<b>{page.escape(self.name)}</b> {page.escape(self.equation)}")
        return f'{head}<div style="{ROW}">{sides}</div>{page.caption(words)}'


WORD = "display:inline-block;margin-right:12px"
ROW = "display:flex;flex-wrap:wrap;align-items:center;gap:14px;margin:0 0 6px"
ARROW = f'<span style="font-size:28px;line-height:1;color:{INK}">→</span>'


@drawing.register
def rule_picture(rule: Rewrite, options: object = None, highlight: object = ()) -> RulePicture:
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
    marking = Marking(fills={w: colours[w.name or ""] for w in found})
    left, right = (
        None if side is None else bare(Drawing(Graph([side]), types=False, marking=marking))
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
    return bare(Drawing(Graph([root]), marking=Marking(marks, tags=tags)))


def bare(drawing: Drawing) -> Picture:
    """Without a box for the result, and with operands in their order."""
    sides = content(drawing)
    inner = tuple(n for n in sides.nodes if n.kind != "output")
    ids = {n.id for n in inner}
    edges = tuple(e for e in sides.edges if e.head in ids)
    return Picture.of(Diagram(inner, edges, ordered=True))


# ---- as a formula, and many in a table


@latex.register
def rule_formula(rule: Rewrite) -> Formula:
    r"""x / x \to 1 \quad x \ne 0; an example of it where a side of the rule is no expression."""
    said = equation(rule)
    needs = rule.needs if said.step is None else said.step.needs
    sides = [r"\cdots" if e is None else formula(e) for e in (said.left, said.right)]
    if len(set(sides)) == 1:  # mathematics writes x ** 2 and square(x) alike
        sides = [quoted(text(e)) for e in (said.left, said.right) if e is not None]
    conditions = r",\; ".join(map(formula, needs))
    return Formula(r" \;\to\; ".join(sides) + rf" \quad {conditions}" * bool(needs))


@table.register
def rule_table(rules: Rules) -> Table:
    """One row a rule: its equation, or an example of its use, and what else it says."""
    columns = ("mode", "needs", "caveat", "decreases")
    rows = []
    for rule in rules:
        words = dict(says(rule))
        rows.append((rule.name, str(equation(rule)), *[words.get(c, "") for c in columns]))
    return Table(("rule", "equation", *columns), rows, "rules")
