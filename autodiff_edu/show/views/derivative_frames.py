"""A derivative stage as a film: the graph stands still, and its derivative grows beside it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ...differentiate.slope_names import BAR, marked
from ...expr import Expr, Graph, Growing, Step, cached_property, evaluate_all, postorder, text
from ..build.builder import Drawing
from ..build.marks import Marking
from ..build.passes import diagram
from ..build.summary import summary
from ..diagram.diagram import FEW
from ..diagram.theme import Mark
from ..html.picture import Picture
from .frames import shots
from .legible import opened, picture, too_large
from .trace import forward_formulas, named, names, reverse_formulas


@shots.register
def growing(
    stage: Growing, places: Sequence[int], options: dict[str, Any]
) -> Iterator[tuple[str, Picture]]:
    """One frame a step; what comes later takes its room from the start, so nothing moves."""
    growth = Growth(stage, options)
    yield (
        f"before {stage.name}: the values, named in the order of their computation",
        growth.shot(0),
    )
    for k, words in enumerate(growth.captions(), 1):
        yield words, growth.shot(k)


def both(before: Graph, after: Graph) -> Graph:
    """Two graphs as one, the results of the first one first."""
    return Graph(before.outputs + after.outputs, before.inputs, before.names + after.names)


class Growth:
    def __init__(self, stage: Growing, options: dict[str, Any]):
        self.stage, self.options = stage, dict(options)
        self.at = self.options.pop("values", None)
        grown = [step.after for step in stage.steps]
        self.graph = both(named(stage.before), stage.after)
        self.primal = set(stage.before.nodes)
        self.all = set(postorder([*self.graph.outputs, *grown]))
        self.values = evaluate_all(self.all, self.at) if self.at else {}
        self.options["opening"] = opened(self.graph, self.options.pop("open", False))

    def captions(self) -> Iterator[str]:
        stage = self.stage
        formulas = reverse_formulas(stage) if stage.mark == BAR else forward_formulas(stage)
        for step, (name, formula) in zip(stage.steps, formulas):
            yield f"{step.rule}: {name} = {text(formula)}"

    def shot(self, k: int) -> Picture:
        if too_large(self.graph, self.options):
            graph, direction = self.grown(k), self.options.get("direction")
            few = len(graph) <= FEW
            return picture(graph, direction=direction) if few else summary(graph, direction)
        now, later = self.called(k)
        drawing = Drawing(
            self.graph,
            called=now,
            values=self.values,
            derived=self.all - self.primal,
            once=[step.after for step in self.stage.steps],
            marking=Marking(
                self.marks(self.stage.steps[:k]),
                room=later,
                hidden=self.all - self.seen(k),
                hidden_outputs=self.hidden_outputs(k),
            ),
            **self.options,
        )
        return Picture.of(diagram(drawing))

    def grown(self, k: int) -> Graph:
        """The values, and what the last of k steps made, under its name."""
        before, last = self.stage.before, self.stage.steps[:k][-1:]
        of = [self.numbered.get(step.bindings["of"], "v") for step in last]
        called = [*before.names, *[marked(name, self.stage.mark) for name in of]]
        return Graph([*before.outputs, *[step.after for step in last]], before.inputs, called)

    @cached_property
    def numbered(self) -> dict[Expr, str]:
        """v₁ and so on for what was given."""
        return names(self.stage.before)

    def hidden_outputs(self, k: int) -> range:
        """The results get their boxes with the last step."""
        first = len(self.stage.before.outputs)
        done = k == len(self.stage.steps)
        return range(0) if done else range(first, len(self.graph.outputs))

    @cached_property
    def words(self) -> dict[Expr, list[tuple[int, str]]]:
        """What is written on each node, and from which step on: v₁ on what was given, v̄₁ on its
        adjoint, and on the sum so far v̄₁ (1 of 2)."""
        called = self.numbered
        words = {n: [(0, name)] for n, name in called.items()}
        last = {step.bindings["of"]: k for k, step in enumerate(self.stage.steps, 1)}
        total = Counter(step.bindings["of"] for step in self.stage.steps)
        sofar: Counter[Expr] = Counter()
        for k, step in enumerate(self.stage.steps, 1):
            n = step.bindings["of"]
            sofar[n] += 1
            name = marked(called[n], self.stage.mark)
            partial = f" ({sofar[n]} of {total[n]})" if k < last[n] else ""
            words.setdefault(step.after, []).append((k, name + partial))
        return words

    def called(self, k: int) -> tuple[dict[Expr, str], dict[Expr, str]]:
        """The words on each node after k steps, and those that are to come."""
        now, later, seen = {}, {}, self.seen(k)
        for n, words in self.words.items():
            whole = " = ".join(word for _, word in words)
            now[n] = " = ".join(word for since, word in words if since <= k)
            if n not in seen:
                now[n] = whole
            later[n] = whole[len(now[n]) :]
        return now, later

    def seen(self, k: int) -> set[Expr]:
        return self.primal | set(postorder([step.after for step in self.stage.steps[:k]]))

    def marks(self, steps: tuple[Step, ...]) -> dict[Expr, Mark]:
        """What the last step added; where it added nothing, the adjoint that it handed on."""
        if not steps:
            return {}
        old = self.primal | set(postorder([step.after for step in steps[:-1]]))
        made = [n for n in postorder([steps[-1].after]) if n not in old]
        marks: dict[Expr, Mark] = dict.fromkeys(made or [steps[-1].after], "new")
        return marks | {steps[-1].before: "matched"}
