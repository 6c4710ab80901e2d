"""A rewriting stage replayed: where each node of a step stands in the frame before and after it."""

from collections.abc import Iterable

from ...expr import Expr, Graph, Rewriting, Step, postorder, substitute
from ..build.labels import drawn_operands


class Frame:
    """The graph after k steps, and what became of older nodes up to here."""

    def __init__(self, stage: Rewriting, k: int):
        end = stage.marks[k] if k < len(stage.steps) else len(stage.log)
        self.became = dict(stage.log[:end])
        outputs = substitute(stage.before.outputs, self.became)
        self.graph = Graph(outputs, stage.before.inputs, stage.before.names)
        self.nodes = set(self.graph.nodes)

    def place(self, n: Expr) -> Expr:
        """The node that n is by now."""
        while n in self.became and self.became[n] is not n:
            n = self.became[n]
        return n

    def places(self, nodes: Iterable[Expr]) -> list[Expr]:
        """Those of the nodes that are in the picture, as they are by now."""
        return [p for p in map(self.place, nodes) if p in self.nodes]


class Change:
    """What one step takes out of the frame before it and puts into the frame after it."""

    def __init__(self, step: Step, before: Frame, after: Frame):
        self.step, self.before, self.after = step, before, after

    def matched(self) -> list[Expr]:
        """Nodes of the frame before: those that the rule's left side took in."""
        return self.before.places(pattern(self.step))

    def new_edges(self) -> set[tuple[Expr, Expr]]:
        """From what now stands there to those that used what stood there before."""
        old = self.before.place(self.step.before)
        now = self.after.place(self.step.after)
        back = {copy: n for n, copy in self.before.became.items()}
        users = [n for n in self.before.graph.nodes if any(i is old for i in n.inputs)]
        return {(now, self.after.place(back.get(n, n))) for n in users}

    def new(self) -> list[Expr]:
        """Nodes of the frame after: those that the step made, or else what it left standing."""
        old = set(postorder([self.step.before])) | self.before.nodes
        made = [n for n in postorder([self.step.after]) if n not in old]
        placed = [n for n in self.after.places(made) if n not in old]
        return placed or self.after.places([self.step.after])


def pattern(step: Step) -> list[Expr]:
    """What was matched: the node and what lies between it and the wildcards' bindings."""
    ends = {e for e in step.bindings.values() if isinstance(e, Expr)}
    if not ends:  # a rule without wildcards tells by what it made: all that is not kept
        ends = set(postorder([step.after]))
    found = [step.before]
    for n in found:
        found += [i for i in drawn_operands(n) if i not in ends and not any(i is f for f in found)]
    return found
