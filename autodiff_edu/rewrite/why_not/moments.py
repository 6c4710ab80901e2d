"""When a node could have been rewritten: just before a step that took it or a part of it, and at
the end.
"""

from collections.abc import Collection
from typing import NamedTuple

from ...core.rewriter import FOLD, MERGE
from ...expr import Expr, Graph, Rewriting, numbered, postorder, shown, text


class Moment(NamedTuple):
    """A node in the frame before step k, which took it, or a part of it; or in the last frame that
    has it, if no step took it."""

    frame: int
    node: Expr
    step: int | None


class History:
    """The nodes of a stage, each with the node that it became, and its frames."""

    def __init__(self, stage: Rewriting):
        self.stage = stage
        self.became = {old: (k, new) for k, (old, new) in enumerate(stage.log)}
        self.steps = {mark: k for k, mark in enumerate(stage.marks)}
        self.frames: dict[int, tuple[Graph, Collection[Expr]]] = {}

    def frame(self, k: int) -> tuple[Graph, Collection[Expr]]:
        """Frame k, and the set of its nodes."""
        if k not in self.frames:
            graph = self.stage.frame(k)
            self.frames[k] = graph, {*graph.order}
        return self.frames[k]

    def lives(self, node: Expr) -> list[Expr]:
        """The node and what it became, in order."""
        row = {node: None}
        while node in self.became and self.became[node][1] not in row:
            row[node := self.became[node][1]] = None
        return [*row]

    def moments(self, node: Expr) -> list[Moment]:
        """Those of the node and of what it became, as long as it is an operation."""
        *before, end = self.lives(node)
        places = [(self.taker(n), n) for n in before if n.op is not None]
        row = [Moment(k, n, k) for k, n in places if k is not None and n in self.frame(k)[1]]
        frames = range(len(self.stage.steps), -1, -1)
        last = next((k for k in frames if end in self.frame(k)[1]), None)
        if last is not None and end.op is not None:
            row.append(Moment(last, end, None))
        return row

    def taker(self, n: Expr) -> int | None:
        """The step that took the node; or the first that took a part of it, if there was nothing to
        compute or to merge, which comes before all rules."""
        own = self.steps.get(self.became[n][0])
        if own is not None:
            return own
        number = numbered([n], {})
        steps = enumerate(self.stage.steps)
        first = next((k for k, step in steps if step.before in number), None)
        merges = len({*number.values()}) < len(number)
        if first is None or merges or self.stage.steps[first].rule in (FOLD, MERGE):
            return None
        return first

    def uses(self, rule: str, node: Expr) -> list[int]:
        """The steps by which the rule rewrote the node, or what it became."""
        lives = {*self.lives(node)}
        steps = enumerate(self.stage.steps)
        return [k for k, step in steps if step.rule == rule and step.before in lives]

    @property
    def operations(self) -> list[Expr]:
        """Those of the last frame, those that a step took, and those of the first frame."""
        stage = self.stage
        before = [step.before for step in stage.steps]
        nodes = dict.fromkeys([*stage.after.order, *before, *stage.before.order])
        return [n for n in nodes if n.op is not None]

    def place(self, node: Expr) -> Expr:
        """The node of a frame that this is, or that equals it. Raise TypeError for anything but an
        operation, and ValueError if no frame has it."""
        if not isinstance(node, Expr):
            raise TypeError(f"why_not asks about an expression of the graph, not {shown(node)}")
        if node.op is None:
            raise TypeError(f"{text(node)} is no operation, and rules rewrite operations alone")
        inner = postorder([n for pair in self.stage.log for n in pair])
        nodes = dict.fromkeys([*self.stage.before.order, *inner, *self.stage.after.order])
        if node in nodes:
            return node
        number = numbered([*nodes, node], {})
        equal = next((n for n in nodes if number[n] == number[node]), None)
        if equal is None:
            raise ValueError(f"{text(node)} is in no frame of {self.stage}: ask about a node of "
                             "stage.before, stage.after or stage.frame(k)")  # fmt: skip
        return equal
