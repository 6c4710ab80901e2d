"""A program: a graph as the source of a Python function, and the function itself."""

from collections.abc import Callable, Sequence
from typing import Any

from ..expr import Expr, Graph, Stage, as_graph, check_expressions, enters
from .gate import Gate
from .plan import Plan
from .scalar import FUNCTIONS
from .source import Source


class Program:
    """`source` is the text, `run` the function that it defines.

    For single numbers there are two texts: `source` in plain Python, and `careful` by NumPy for
    the values at which `math` raises an error and NumPy answers inf or nan.
    """

    def __init__(
        self,
        graph: Graph,
        inputs: Sequence[Any],
        declared: Graph | None = None,
        name: str = "program",
        listed: bool = False,
    ):
        self.graph, self.plan = graph, Plan(graph)
        text = Source(self.plan, inputs, name, listed)
        arrays, numbers = (Gate(declared or graph, inputs, plain) for plain in (False, True))
        self.careful = text.text()
        self.source = text.scalar_text() if text.scalar else self.careful
        self.run = load(self.careful, text.space | {"accept": arrays}, name)
        if text.scalar:
            space = {**FUNCTIONS, "accept": numbers, "careful": plain(self.run)}
            self.run = load(self.source, space, name)

    def __call__(self, *values: Any) -> Any:
        return self.run(*values)

    def __repr__(self) -> str:
        return self.source


def load(text: str, space: dict[str, Any], name: str) -> Callable[..., Any]:
    """The function that a source text defines. Every name in the text is one that we chose."""
    exec(compile(text, f"<{name}>", "exec"), space)
    return space[name]


def plain(run: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with results that are Python's own numbers."""

    def careful(*values: float) -> Any:
        result = run(*values)
        return [r.item() for r in result] if isinstance(result, list) else result.item()

    return careful


@enters("generate")
def generate(what: Any, inputs: Sequence[Expr] | None = None) -> Stage:
    """Python source for a graph; `stage.after` is a Program, which prints as its source."""
    graph = as_graph(what)
    ins = graph.inputs if inputs is None else check_expressions(inputs)
    return Stage("generate", graph, Program(graph, ins))
