"""`vectorize`: a graph or a function of one example, for all examples along a leading axis."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..expr import Built, Expr, Graph, Growing, Input, ShapeError, Step, TensorType, as_graph, spell
from ..ops import batched, repeated
from .python import as_expression, traced
from .tree import flatten, mapped


def vectorize(
    what: Any, over: Expr | Sequence[Expr] | None = None, size: int | None = None, in_axes: Any = 0
) -> Any:
    """A graph with a new leading axis on the inputs `over` (by default all), as a Stage with one
    Step for each node; size is that axis's length, where it is known.

    Of a Python function f of one example: the function of many, with a leading axis on every array
    argument, or on those for which `in_axes` is not None, and on every result.
    """
    if callable(what):
        return of_examples(what, in_axes)
    graph = as_graph(what)
    chosen = graph.inputs if over is None else as_graph(over).outputs
    longer = {i: Input(i.name or "x", TensorType(i.dtype, (size, *i.type.shape))) for i in chosen}
    made = batched(graph.outputs, longer)
    steps = [Step(rule(n), n, b, Built(n, b)) for n, b in made.items()]
    n = next(iter(longer.values())).shape[0]
    outputs = [made[y] if y in made else repeated(y, n) for y in graph.outputs]
    return Growing("vectorize", graph, Graph(outputs, names=graph.names), steps, "[:]")


def rule(n: Expr) -> str:
    return "a new leading axis" if n.op is None else f"{n.op.name} of every slice"


def of_examples(f: Callable[..., Any], in_axes: Any) -> Callable[..., Any]:
    def build(*args: Any, **named: Any) -> Any:
        axes = in_axes if isinstance(in_axes, (list, tuple)) else (in_axes,) * len(args)
        slices: dict[Expr, Expr] = {}

        def one(x: Any) -> Any:
            if not isinstance(x, Expr):
                return x
            if not x.ndim:
                raise TypeError(f"{x} is a single number: vectorize maps over a leading axis; name "
                                "the arguments without one by in_axes=None")  # fmt: skip
            slice_of = Input(x.name or "x", TensorType(x.dtype, x.type.shape[1:]))
            slices[slice_of] = x
            return slice_of

        given = [a if k is None else mapped(one, a) for a, k in zip(args, axes, strict=True)]
        by_name = {k: mapped(one, a) for k, a in named.items()}
        n = batch_length(slices.values())
        result = mapped(as_expression, f(*given, **by_name))
        made = batched(flatten(result)[0], slices)
        return mapped(lambda y: made[y] if y in made else repeated(y, n), result)

    return traced(build, f)


def batch_length(arrays: Iterable[Expr]) -> Any:
    """The length of the leading axis, which all arrays share."""
    lengths = {x.type.shape[0]: x for x in arrays}
    if len(lengths.keys() - {None}) > 1:
        shapes = " and ".join(f"{x} of shape {spell(x.type.shape)}" for x in lengths.values())
        raise ShapeError(f"vectorize maps over leading axes of one length, not over {shapes}")
    if not lengths:
        raise TypeError("vectorize maps over an axis of array arguments, and there are none")
    return next(iter(lengths.values())).shape[0]
