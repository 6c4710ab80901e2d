"""The value of an expression, for tests that name its inputs."""

import autodiff_edu as ad


def value(e, **at):
    """The value of an expression, or of several, with its inputs, by name, at these values."""
    graph = ad.Graph(e)
    return ad.evaluate(graph, {i: at[i.name] for i in graph.inputs})
