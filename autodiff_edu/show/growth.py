"""A derivative stage as a film: the graph stands still, and its derivative grows beside it."""

from collections.abc import Iterator
from typing import Any

from ..expr import Expr, Graph, Growing, Step, evaluate_all, postorder, text
from ..run.trace import BAR, forward_formulas, marked, names, reverse_formulas
from .drawing import Drawing
from .picture import Picture
from .style import Mark


def growing(stage: Growing, options: dict[str, Any]) -> Iterator[tuple[str, Picture]]:
    """One frame a step; what comes later takes its room from the start, so nothing moves."""
    growth = Growth(stage, options)
    yield (
        f"before {stage.name}: the values, named in the order of their computation",
        growth.shot(0),
    )
    for k, words in enumerate(growth.captions(), 1):
        yield words, growth.shot(k)


class Growth:
    def __init__(self, stage: Growing, options: dict[str, Any]):
        self.stage, self.options = stage, dict(options)
        self.at = self.options.pop("at", {})
        grown = [step.after for step in stage.steps]
        self.graph = Graph(
            stage.before.outputs + stage.after.outputs,
            stage.before.inputs,
            stage.before.names + self.output_names(),
        )
        self.primal = set(stage.before.nodes)
        self.all = set(postorder([*self.graph.outputs, *grown]))
        self.values = evaluate_all(self.all, self.at) if self.at else {}

    def output_names(self) -> tuple[str, ...]:
        """x̄ for the adjoint of x, ẏ for the tangent of y."""
        of = {id(step.after): step.bindings["of"] for step in self.stage.steps}
        found = [of.get(id(o)) for o in self.stage.after.outputs]
        return tuple(
            marked(n.name, self.stage.mark) if n is not None and n.name else "" for n in found
        )

    def captions(self) -> Iterator[str]:
        stage = self.stage
        formulas = reverse_formulas(stage) if stage.mark == BAR else forward_formulas(stage)
        for step, (name, formula) in zip(stage.steps, formulas):
            yield f"{step.rule}: {name} = {text(formula)}"

    def shot(self, k: int) -> Picture:
        steps = self.stage.steps[:k]
        seen = self.primal | set(postorder([step.after for step in steps]))
        hidden = self.all - seen
        drawing = Drawing(
            self.graph,
            called=self.called(k),
            marks=self.marks(steps),
            values={n: v for n, v in self.values.items() if n in seen},
            derived=self.all - self.primal,
            once=[step.after for step in self.stage.steps],
            hidden=hidden,
            hidden_outputs=self.hidden_outputs(k),
            **self.options,
        )
        return drawing.sketch().picture()

    def hidden_outputs(self, k: int) -> range:
        """The results get their boxes with the last step."""
        first = len(self.stage.before.outputs)
        done = k == len(self.stage.steps)
        return range(0) if done else range(first, len(self.graph.outputs))

    def called(self, k: int) -> dict[Expr, str]:
        """v₁ for what was given, v̄₁ for what is its adjoint by now."""
        called = names(self.stage.before)
        words = dict(called)
        for n, adjoint in self.stage.built(k).items():
            name = marked(called[n], self.stage.mark)
            words[adjoint] = f"{words[adjoint]} = {name}" if adjoint in words else name
        return words

    def marks(self, steps: tuple[Step, ...]) -> dict[Expr, Mark]:
        """What the last step added; where it added nothing, the adjoint that it handed on."""
        if not steps:
            return {}
        old = self.primal | set(postorder([step.after for step in steps[:-1]]))
        made = [n for n in postorder([steps[-1].after]) if n not in old]
        marks: dict[Expr, Mark] = dict.fromkeys(made or [steps[-1].after], "new")
        return marks | {steps[-1].before: "matched"}
