"""A plan as a timeline: a row for each array, a bar from the step that makes it to the last that
reads it.

Where a bar changes its shade, another value is written over the one before. Regions, which run
block by block, are single steps. Inputs are not shown, since they are there all the time. A long
expression is told by its last operation: #4 there is the result of step 4.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from ...expr import Expr, Input, rebuild, shorten, visible
from ...run import Plan
from ...run.plan import nodes_of
from ..diagram.theme import BLUE, FAINT, FONT_STACK, PAPER, TINT
from ..html import page
from ..html.showable import Showable
from .draw import drawing

ROW, STEP, MARGIN, LETTERS = 26, 22, 12, 28  # pixels; letters of a label
LARGEST = 120  # rows or steps that are drawn


class Bar(NamedTuple):
    """The array of some values: from which step to which, and at which a value is written."""

    label: str
    first: int
    last: int
    written: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Timeline(Showable):
    """The life of each array of a plan."""

    kind: ClassVar = "timeline"
    bars: tuple[Bar, ...]
    steps: tuple[str, ...]

    @property
    def left(self) -> int:
        return MARGIN + 9 * max([len(bar.label) for bar in self.bars], default=0)

    @property
    def widths(self) -> tuple[int, int]:
        width = self.left + STEP * (len(self.steps) + 1) + MARGIN
        return width, width

    @property
    def height(self) -> int:
        return ROW * (len(self.bars) + 1) + 2 * MARGIN

    @property
    def alt(self) -> str:
        """A sentence, for those who do not see it."""
        return f"Timeline: {len(self.steps)} steps, {len(self.bars)} arrays, at most {self.most}."

    @property
    def most(self) -> int:
        """The largest number of arrays at one step."""
        moments = range(len(self.steps))
        return max([sum(b.first <= k <= b.last for b in self.bars) for k in moments], default=0)

    @property
    def svg(self) -> str:
        """The drawing."""
        width, _ = self.widths
        ticks = "".join(page.letters(self.x(k) + STEP // 2, MARGIN + 12, str(k), "middle", FAINT)
                        for k in range(len(self.steps)))  # fmt: skip
        rows = "".join(self.row(k, bar) for k, bar in enumerate(self.bars))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{self.height}" '
            f'viewBox="0 0 {width} {self.height}"><g font-family="{FONT_STACK}" font-size="13">'
            f'<rect width="{width}" height="{self.height}" fill="{PAPER}"/>{ticks}{rows}</g></svg>'
        )

    def x(self, step: int) -> int:
        return self.left + STEP * step + STEP // 2

    def row(self, k: int, bar: Bar) -> str:
        """A label, and a piece of the bar for each value."""
        y = MARGIN + ROW * (k + 1)
        ends = [*bar.written[1:], bar.last + 1]
        pieces = [
            f'<rect x="{self.x(start)}" y="{y}" width="{STEP * (end - start)}" height="{ROW - 8}" '
            f'fill="{TINT if j % 2 else BLUE}" stroke="{BLUE}"/>'
            for j, (start, end) in enumerate(zip(bar.written, ends, strict=True))
        ]
        label = page.letters(self.left, y + 13, bar.label, "end")
        return label + "".join(pieces)

    def image(self, widest: int = 0) -> str:
        return page.image(self.svg, self.alt, widest)

    def __repr__(self) -> str:
        lines = [f"{k}: {visible(step)}" for k, step in enumerate(self.steps)]
        for bar in self.bars:
            written = ", ".join(map(str, bar.written))
            lines.append(f"{bar.label}  from {bar.first} to {bar.last}, written at {written}")
        return "\n".join([*lines, self.alt])


def timeline(plan: Plan) -> Timeline:
    """The timeline of a plan."""
    step_of = {n: k for k, step in enumerate(plan.steps) for n in nodes_of(step)}
    written: dict[Expr, list[int]] = {}
    names: dict[Expr, str] = {}
    for n in plan.order:
        home = plan.home(n)
        if n not in plan.local and home.op is not None and not n.op.view:
            places = written.setdefault(home, [])
            places += [step_of[n]] if step_of[n] not in places[-1:] else []
            names.setdefault(home, told(n, step_of))
    last = len(plan.steps) - 1
    at = {k: step_of[n] for k, n in enumerate(plan.order)}
    bars = [Bar(names[home], places[0], max(at.get(plan.dies.get(home, 0), last), places[-1]),
                tuple(places)) for home, places in written.items()]  # fmt: skip
    return Timeline(tuple(bars), tuple([label(step, step_of) for step in plan.steps]))


def label(step: Any, step_of: Mapping[Expr, int]) -> str:
    """A step in words."""
    nodes = nodes_of(step)
    return told(step, step_of) if len(nodes) == 1 else f"{len(nodes)} operations block by block"


def told(n: Expr, step_of: Mapping[Expr, int]) -> str:
    """A value in few letters: its name, the whole expression or its last operation."""
    whole = n.name or str(n)
    if len(whole) <= LETTERS:
        return whole
    last = rebuild(n, tuple([referred(i, step_of, step_of.get(n)) for i in n.inputs]))
    return shorten(str(last), 2 * LETTERS)


def referred(i: Expr, step_of: Mapping[Expr, int], here: int | None) -> Expr:
    """A leaf that stands for an operand: its name, the step that makes it, or a dot within that
    step. A view of such a value is shown as a view."""
    if i.op is None:
        return i
    if i.name or step_of.get(i) == here:
        return Input(i.name or "·", i.type)
    if i not in step_of or i.op.view:
        return rebuild(i, tuple([referred(j, step_of, here) for j in i.inputs]))
    return Input(f"#{step_of[i]}", i.type)


@drawing.register
def draw_plan(plan: Plan, options: dict[str, Any], highlight: Sequence[Expr] = ()) -> Showable:
    if len(plan.steps) > LARGEST:
        return drawing(plan.graph, options, highlight)
    return timeline(plan)
