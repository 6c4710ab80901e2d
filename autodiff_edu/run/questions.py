"""The simplification of a function that asks conditions: what decides stays exact."""

from ..expr import Graph, Stage
from ..rewrite import simplify as simplified


def with_exact_questions(graph: Graph, mode: str, asked: int) -> Stage:
    """Simplified, but for the first outputs: what decides is computed as it was written, to the
    last digit, since a rounding error may be what is asked for."""
    exact = simplified(Graph(graph.outputs[:asked]), "ieee", final=True)
    rest = simplified(Graph(graph.outputs[asked:]), mode, final=True)
    both = Graph([*exact.outputs, *rest.outputs], graph.inputs, graph.names)
    merged = simplified(both, "ieee", rules=[])
    after = graph.with_outputs(merged.outputs)
    return Stage("simplify", graph, after, [*exact.steps, *rest.steps, *merged.steps])
