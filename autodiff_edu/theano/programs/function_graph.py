"""The simplified graph of a function as old nodes, and linkers, which made functions of graphs."""

from collections.abc import Sequence
from typing import Any

from ..core import wrap
from ..core.variable import TABLES


class FunctionGraph:
    """The simplified graph, as lists of old nodes and variables."""

    def __init__(self, inputs: Sequence[Any], outputs: Sequence[Any], **ignored: Any):
        self.inputs, self.outputs = list(inputs), list(outputs)

    @classmethod
    def of(cls, graph: Any) -> "FunctionGraph":
        return cls([wrap(i) for i in graph.inputs], [wrap(y) for y in graph.outputs])

    def toposort(self) -> list[Any]:
        """The operations in an order in which they can be computed."""
        return TABLES["toposort"](self.outputs)

    @property
    def apply_nodes(self) -> list[Any]:
        return self.toposort()

    @property
    def variables(self) -> set[Any]:
        return {v for n in self.toposort() for v in (*n.inputs, *n.outputs)} | set(self.inputs)


class Linker:
    """What made a function of a graph: PerformLinker().accept(graph).make_function()."""

    fgraph: FunctionGraph

    def __init__(self, *_: Any, **__: Any):
        """Options told Theano how to compile, and are ignored."""

    def accept(self, fgraph: FunctionGraph, *_: Any, **__: Any) -> "Linker":
        self.fgraph = fgraph
        return self

    def make_function(self, unpack_single: bool = True, **_: Any) -> Any:
        """The function of the graph; one output comes by itself."""
        outputs = self.fgraph.outputs
        single = unpack_single and len(outputs) == 1
        return TABLES["function"](self.fgraph.inputs, outputs[0] if single else outputs,
                                  on_unused_input="ignore")  # fmt: skip


__all__ = ["FunctionGraph", "Linker"]
