"""`vectorize`: a graph or a function of one example, for all examples along a leading axis."""

from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, overload

from ..expr import (
    HOOKS,
    Built,
    Expr,
    Graph,
    Growing,
    Input,
    Step,
    TensorType,
    as_graph,
    is_function,
    shown,
)
from ..ops import batched, repeated
from .arguments import Traced

P = ParamSpec("P")


@overload
def vectorize(what: Callable[P, Any], *, in_axes: Any = 0) -> Traced[P, Any]: ...
@overload
def vectorize(
    what: Expr | Graph | Sequence[Expr],
    over: Expr | Sequence[Expr] | None = None,
    size: int | None = None,
) -> Growing: ...
def vectorize(
    what: Any, over: Expr | Sequence[Expr] | None = None, size: int | None = None, in_axes: Any = 0
) -> Any:
    """A graph of many examples: a new leading axis on the inputs `over` and on the outputs.

    Of a Python function f of one example it is the function of many, with a leading axis on
    every array argument and on every result.

    Parameters
    ----------
    what : Expr, Graph or callable
        What is computed of one example.
    over : Expr or list of Expr, optional
        The inputs that get the axis; by default all.
    size : int, optional
        The axis's length, where it is known.
    in_axes : int, None or tuple, default: 0
        Of a function, None for an argument that all examples share.

    Returns
    -------
    Stage or callable
        With one Step for each node; or the function of many.

    Raises
    ------
    TypeError
        If nothing gets a leading axis.

    Examples
    --------
    >>> x, w = ad.vector("x"), ad.vector("w")
    >>> many = ad.vectorize(x @ w, over=x)
    >>> many.graph.inputs[0].type
    float64(?, ?)
    """
    if is_function(what) and over is not None:
        raise TypeError(f"ad.vectorize(f) makes a function, and takes no {shown(over)}: call that "
                        "function with the values of f, as in ad.vectorize(f)(x)")  # fmt: skip
    if is_function(what):
        return HOOKS["of_examples"](what, in_axes)
    graph = as_graph(what)
    chosen = graph.inputs if over is None else as_graph(over).outputs
    longer = {i: Input(i.name or "x", TensorType(i.dtype, (size, *i.type.shape))) for i in chosen}
    if not longer:
        raise TypeError(f"vectorize gives inputs a leading axis, and {graph} has none: name the "
                        "expressions that are to have one by over=")  # fmt: skip
    made = batched(graph.outputs, longer)
    steps = [Step(rule(n), n, b, Built(n, b)) for n, b in made.items()]
    n = next(iter(longer.values())).shape[0]
    outputs = [made[y] if y in made else repeated(y, n) for y in graph.outputs]
    after = Graph(outputs, names=graph.names)
    return Growing("vectorize", graph, after, steps, "[:]", graph.outputs)


def rule(n: Expr) -> str:
    return "a new leading axis" if n.op is None else f"{n.op.name} of every slice"
