"""Derivatives built from the two modes: pushforward, Jacobian, the value with the gradient."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, Unpack, overload

from ..core.forward import seeds, sweep, zero_derivative
from ..core.graph import as_wrt
from ..expr import (
    HOOKS,
    DisconnectedInputError,
    Expr,
    Graph,
    Input,
    Origin,
    as_graph,
    at,
    check_expressions,
    made_by,
    shown,
    substitute,
)
from ..ops import GATES, all_batched, diagonal_matrix, moveaxis, ones, reshape, zero
from .arguments import Exprs, Options, Places, Traced, of_functions
from .grad import grad, like, pullback
from .vanished import differentiated_before

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")
X = TypeVar("X", bound=Expr)


@overload
def pushforward(f: Expr, wrt: Expr | Exprs, tangents: Any, *args: Any, **options: Any) -> Expr: ...
@overload
def pushforward(
    f: tuple[Expr, ...], wrt: Expr | Exprs, tangents: Any, *args: Any, **options: Any
) -> tuple[Expr, ...]: ...
@overload
def pushforward(
    f: list[X] | Graph, wrt: Expr | Exprs, tangents: Any, *args: Any, **options: Any
) -> list[Expr]: ...
@overload
def pushforward(f: Callable[..., Any], *point_and_tangent: Any, **options: Any) -> Any: ...
@of_functions
def pushforward(
    f: Expr | Sequence[Expr] | Graph,
    wrt: Expr | Sequence[Expr],
    tangents: Any,
    disconnected_outputs: str = "raise",
    return_disconnected: str = "zero",
    use_op_pushforward: bool = True,
) -> Any:
    """∂f/∂wrt · tangents (Jacobian times vector), without the Jacobian.

    Of a Python function, `pushforward(f)` is the function of a point and a tangent that
    computes it, and `pushforward(f, point, tangent)` a call of it. A tuple is a point of a
    function of several arguments.

    Parameters
    ----------
    f : Expr, list of Expr or callable
        The outputs, or a Python function that returns them.
    wrt : Expr or list of Expr
        With respect to what; of a function, where.
    tangents : Expr, array_like or list
        One for each of wrt, of its type.
    disconnected_outputs : {'raise', 'ignore'}, default: 'raise'
        What to do where an output does not depend on wrt.
    return_disconnected : {'zero', 'none'}, default: 'zero'
        What stands for the tangent of such an output.
    use_op_pushforward : bool, default: True
        One sweep of forward mode or, if False, two pullbacks: the pullback of f is linear
        in its cotangent, and the pullback of that is the pushforward.

    Returns
    -------
    Expr or list of Expr
        Of the shape of f.

    Raises
    ------
    DisconnectedInputError
        If an output does not depend on wrt.

    See Also
    --------
    pullback : Vector times Jacobian.
    forward_mode : The same, with every step.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.pushforward(ad.exp(x), x, ad.vector("t"))
    t * exp(x)
    >>> ad.pushforward(lambda a: a * a, 3.0, 1.0)
    6.0
    """
    graph, inputs = as_graph(f), as_wrt(wrt)
    given = seeds(inputs, tangents)
    build = in_one_sweep if use_op_pushforward else by_two_pullbacks
    found: list[Any] = build(graph, inputs, given)
    for k, (y, t) in enumerate(zip(graph.outputs, found, strict=True)):
        if disconnected_outputs == "raise" and is_apart(y, inputs, t):
            raise DisconnectedInputError(
                f"the output {y}{at(y)} does not depend on {', '.join(map(str, inputs))}: leave it "
                'out, or pass disconnected_outputs="ignore"'
            )
        if t is None and return_disconnected == "zero":
            found[k] = zero_derivative(y, y)
    return like(f if isinstance(f, (Expr, list, tuple)) else list(graph.outputs), found)


def is_apart(y: Expr, inputs: Sequence[Expr], tangent: Expr | None) -> bool:
    """Has y no tangent, and was it not built from derivatives of what has one either?"""
    return tangent is None and differentiated_before(Graph(y).nodes).isdisjoint(inputs)


def in_one_sweep(graph: Graph, wrt: Sequence[Expr], tangents: Sequence[Expr]) -> list[Any]:
    tangent, _ = sweep(graph, wrt, tangents)
    return [tangent.get(y) for y in graph.outputs]


def by_two_pullbacks(graph: Graph, wrt: Sequence[Expr], tangents: Sequence[Expr]) -> list[Any]:
    """u ↦ uᵀJ is linear, so its pullback of t is J·t; u itself is gone, but for its shape."""
    cotangents = [Input("u", zero(y).type) for y in graph.outputs]
    rows = pullback(list(graph.outputs), list(wrt), cotangents, disconnected_inputs="ignore")
    found = pullback(rows, cotangents, list(tangents), None, "ignore", "none")
    there = [t for t in found if t is not None]
    anything: dict[Expr, Expr] = dict(zip(cotangents, map(zero, graph.outputs), strict=True))
    done = iter(substitute(there, anything))
    return [None if t is None else next(done) for t in found]


# ---- Jacobians, all rows or all columns at once


@overload
def jacobian(expression: Expr, wrt: Expr, *args: Any, **options: Any) -> Expr: ...
@overload
def jacobian(
    expression: Expr, wrt: tuple[Expr, ...], *args: Any, **options: Any
) -> tuple[Expr, ...]: ...
@overload
def jacobian(expression: Expr, wrt: list[X], *args: Any, **options: Any) -> list[Expr]: ...
@overload
def jacobian(
    expression: Callable[P, tuple[Any, A]], argnums: Places = 0, *, has_aux: Literal[True]
) -> Traced[P, tuple[Any, A]]: ...
@overload
def jacobian(
    expression: Callable[P, Any],
    argnums: Places = 0,
    *,
    mode: Literal["forward", "reverse"] | None = None,
    sparse: bool = False,
    **options: Any,
) -> Traced[P, Any]: ...
@of_functions
def jacobian(
    expression: Expr,
    wrt: Expr | Sequence[Expr],
    consider_constant: Iterable[Expr] | None = None,
    disconnected_inputs: str = "raise",
    mode: str | None = None,
    sparse: bool = False,
    coloring: str | None = None,
) -> Any:
    """The Jacobian ∂expression/∂wrt, of the shape expression.shape + wrt.shape.

    Of a Python function, `jacobian(f, argnums=0, has_aux=False)` is the function that
    computes it. With has_aux, f returns (array, anything), and that function (Jacobian,
    anything).

    Parameters
    ----------
    expression : Expr or callable
        An array of any shape, or a Python function.
    wrt : Expr or list of Expr
        With respect to what.
    consider_constant : list of Expr, optional
        Nodes below which no derivative goes.
    disconnected_inputs : {'raise', 'warn', 'ignore'}, default: 'raise'
        What to do where no derivative reaches an input. Of a function it is 'ignore', so that
        the derivative is 0 there.
    mode : {'reverse', 'forward'}, optional
        A batch of pullbacks, one for each entry of the expression, or of pushforwards, one
        for each entry of wrt; by default whichever are fewer.
    sparse : bool, default: False
        Whether only the nonzeros are computed: one product for each colour of the pattern.
        The matrix is that of flat arrays, of the shape (expression.size, wrt.size).
    coloring : {'column', 'row'}, optional
        With sparse, what is coloured; by default whichever takes fewer colours.

    Returns
    -------
    Expr or list of Expr
        One for one, a list for a list. With sparse, a SparseDerivative, whose nonzeros are
        the expression `data`; of a function, a scipy.sparse.csr_array.

    Raises
    ------
    ValueError
        If the mode is neither, or a colouring is given without sparse.

    See Also
    --------
    grad : Of one number.
    hessian : Of a gradient.
    sparsity : The pattern alone.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.evaluate(ad.jacobian(x * x, x), {x: [1.0, 2.0]})
    array([[2., 0.],
           [0., 4.]])
    >>> ad.jacobian(lambda x: x * x, sparse=True)(np.array([1.0, 2.0])).data
    array([2., 4.])
    """
    check_sparse(sparse, coloring)
    if sparse:
        how: dict[str, Any] = {"consider_constant": consider_constant, "mode": mode}
        how |= {"disconnected_inputs": disconnected_inputs, "coloring": coloring}
        return like(wrt, [HOOKS["sparse_jacobian"](expression, x, **how) for x in as_wrt(wrt)])
    if mode not in (None, "forward", "reverse"):
        raise ValueError(f"mode is forward or reverse, not {shown(mode)}")
    check_expressions([expression])
    found = []
    for x in as_wrt(wrt):
        u = symbol(expression, "u")
        # also for forward mode: it tells of inputs that are not connected
        row = pullback(expression, x, u, consider_constant, disconnected_inputs)
        origin = Origin("derivative", "Jacobian", expression)
        if (mode or cheaper(expression, x, consider_constant)) == "reverse":
            found.append(made_by(origin, all_rows, row, u, expression, x))
        else:
            found.append(made_by(origin, all_columns, expression, x))
    return like(wrt, found)


def check_sparse(sparse: bool, coloring: str | None) -> None:
    if coloring is not None and not sparse:
        raise ValueError(f"coloring={coloring!r} is for sparse derivatives: add sparse=True")


def symbol(y: Expr, name: str) -> Input:
    """A symbol for a change of y."""
    return Input(name, zero(y).type)


def cheaper(y: Expr, x: Expr, stopped: Any) -> str:
    known = x.type.known and y.type.known and not stopped and not gated(Graph(y))
    return "forward" if known and x.size < y.size else "reverse"


def gated(graph: Graph) -> bool:
    """Does the graph change cotangents, which forward mode does not have?"""
    return any(n.op.gate or GATES.get(n.op.name) is n.op for n in graph.operations)


def all_rows(row: Expr, u: Expr, y: Expr, x: Expr) -> Expr:
    """The pullbacks of every unit cotangent."""
    return reshape(each(row, u, y), (*y.shape, *x.shape))


def all_columns(y: Expr, x: Expr) -> Expr:
    """The pushforwards of every unit tangent."""
    t = symbol(x, "t")
    column = pushforward(y, x, t, disconnected_outputs="ignore")
    return reshape(moveaxis(each(column, t, x), 0, -1), (*y.shape, *x.shape))


def each(result: Expr, change: Expr, of: Expr) -> Expr:
    """The result for every change of a single entry, in a batch."""
    basis = diagonal_matrix(ones(of.shape, dtype=change.dtype))
    return all_batched([result], {change: basis}, of.size)[0]


# ---- the value with it, and parts of a graph


@overload
def value_and_grad(cost: Expr, wrt: Expr, **options: Unpack[Options]) -> tuple[Expr, Expr]: ...
@overload
def value_and_grad(
    cost: Expr, wrt: tuple[Expr, ...], **options: Unpack[Options]
) -> tuple[Expr, tuple[Expr, ...]]: ...
@overload
def value_and_grad(
    cost: Expr, wrt: list[X], **options: Unpack[Options]
) -> tuple[Expr, list[Expr]]: ...
@overload
def value_and_grad(
    cost: Callable[P, tuple[R, A]], argnums: Places = 0, *, has_aux: Literal[True]
) -> Traced[P, tuple[tuple[R, A], Any]]: ...
@overload
def value_and_grad(
    cost: Callable[P, R], argnums: Places = 0, **options: Unpack[Options]
) -> Traced[P, tuple[R, Any]]: ...
@of_functions
def value_and_grad(cost: Expr, wrt: Expr | Sequence[Expr], **options: Any) -> tuple[Expr, Any]:
    """The pair (cost, ∂cost/∂wrt).

    Of a Python function, `value_and_grad(f, argnums=0, has_aux=False)` is the function that
    computes both at once. With has_aux, f returns (loss, anything), and that function
    ((loss, anything), gradient), as in JAX.

    Parameters
    ----------
    cost : Expr or callable
        One number, or a Python function that returns one.
    wrt : Expr, list or tuple of Expr
        With respect to what.
    **options : object
        Those of `grad`.

    Returns
    -------
    tuple
        The cost, and what `grad` gives.

    Raises
    ------
    TypeError
        If the cost is not one number.
    DisconnectedInputError
        If no derivative reaches an input.

    See Also
    --------
    grad : The gradient alone.
    flatten : Parameters as one vector, for an optimiser.

    Notes
    -----
    Arguments are arrays and floats, in lists, tuples, named tuples, dictionaries and
    dataclasses, in any nesting; the gradient comes in the same.

    Examples
    --------
    >>> ad.value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    >>> def loss(p, x):
    ...     error = x - p["mean"]
    ...     return np.mean(error**2), {"error": error, "name": "mean square"}
    >>> loss_and_slope = ad.value_and_grad(loss, has_aux=True)
    >>> (value, aux), slope = loss_and_slope({"mean": 1.0}, np.array([1.0, 2.0]))
    >>> value, aux, slope
    (np.float64(0.5), {'error': array([0., 1.]), 'name': 'mean square'}, {'mean': np.float64(-1.0)})
    """
    return cost, grad(cost, wrt, **options)  # type: ignore[arg-type]


def subgraph_grad(
    wrt: Sequence[Expr],
    end: Sequence[Expr],
    start: Mapping[Any, Any] | None = None,
    cost: Expr | None = None,
    details: bool = False,
) -> tuple[list[Expr], ...]:
    """Reverse mode through one part of a graph: the gradients of wrt, and those of `end`.

    It does not go below `end`. It begins with the gradients `start`, by node, and with the
    cost.

    Parameters
    ----------
    wrt : list of Expr
        With respect to what.
    end : list of Expr
        Nodes below which it does not go.
    start : dict, optional
        Gradients by node, to begin with.
    cost : Expr, optional
        One number, to begin with.
    details : bool, default: False
        Whether the parts that come from start and from the cost alone are wanted too.

    Returns
    -------
    tuple of list of Expr
        The gradients of wrt and those of end; with details, also their parts.

    Raises
    ------
    ValueError
        If there is neither a start nor a cost.

    See Also
    --------
    grad : Through the whole graph.

    Examples
    --------
    >>> x, w, v = ad.scalar("x"), ad.scalar("w"), ad.scalar("v")
    >>> h = w * x
    >>> ad.subgraph_grad([v], [h], cost=v * h)
    ([1 * (w * x)], [v * 1])
    """
    wrt, end = check_expressions(wrt), check_expressions(end)
    both = [*wrt, *end]
    how: dict[str, Any] = {"consider_constant": end, "disconnected_inputs": "ignore"}
    parts = []
    if start:
        parts.append(grad(None, both, known_grads=start, **how))
    if cost is not None:
        parts.append(grad(cost, both, **how))
    if not parts:
        raise ValueError("subgraph_grad needs a start, a cost, or both")
    total = parts[0] if len(parts) == 1 else [a + b for a, b in zip(*parts, strict=True)]
    found = total[: len(wrt)], total[len(wrt) :]
    return (*found, *parts) if details else found
