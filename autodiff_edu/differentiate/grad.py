"""`grad`: the gradient of a cost, by reverse mode, and what to say where there is none."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar, Unpack, overload

from ..core.derivative_rules import seed
from ..core.graph import as_wrt
from ..core.reverse import Backward, backward, starts
from ..expr import (
    Disconnected,
    DisconnectedInputError,
    Expr,
    Graph,
    Input,
    Null,
    NullTypeGradError,
    Origin,
    as_graph,
    at,
    changes_like,
    check_expressions,
    dependents,
    exchanged,
    item,
    namesake,
    numbered,
    postorder,
    shown,
)
from ..ops import zero
from .arguments import Exprs, Options, Places, Traced, check_scalar, of_functions
from .slope_names import slope_name
from .vanished import Vanished

P = ParamSpec("P")
A = TypeVar("A")
X = TypeVar("X", bound=Expr)
Cost = Expr | None
CHOICES = {
    "disconnected_inputs": ("raise", "warn", "ignore"),
    "return_disconnected": ("zero", "none", "disconnected"),
    "null_gradients": ("raise", "return"),
}


@overload
def grad(cost: Cost, wrt: Expr, *args: Any, **options: Unpack[Options]) -> Expr: ...
@overload
def grad(
    cost: Cost, wrt: tuple[Expr, ...], *args: Any, **options: Unpack[Options]
) -> tuple[Expr, ...]: ...
@overload
def grad(cost: Cost, wrt: list[X], *args: Any, **options: Unpack[Options]) -> list[Expr]: ...
@overload
def grad(
    cost: Callable[P, tuple[Any, A]], argnums: Places = 0, *, has_aux: Literal[True]
) -> Traced[P, tuple[Any, A]]: ...
@overload
def grad(
    cost: Callable[P, Any], argnums: Places = 0, **options: Unpack[Options]
) -> Traced[P, Any]: ...
@of_functions
def grad(
    cost: Expr | None,
    wrt: Expr | Sequence[Expr],
    consider_constant: Iterable[Expr] | None = None,
    disconnected_inputs: str = "raise",
    add_names: bool = True,
    known_grads: Mapping[Any, Any] | None = None,
    return_disconnected: str = "zero",
    null_gradients: str = "raise",
) -> Any:
    """The gradient ∂cost/∂wrt, by reverse mode.

    Of a Python function, `grad(f, argnums=0, has_aux=False)` is the function that computes
    it. With has_aux, f returns (cost, anything), and that function (gradient, anything).

    Parameters
    ----------
    cost : Expr or callable
        One number, of any graph; or a Python function that returns one.
    wrt : Expr, list or tuple of Expr
        With respect to what; of a function, the numbers of its arguments.
    consider_constant : list of Expr, optional
        Nodes below which no derivative goes.
    disconnected_inputs : {'raise', 'warn', 'ignore'}, default: 'raise'
        What to do where no derivative reaches an input. Of a function it is 'ignore', so that
        the derivative is 0 there.
    add_names : bool, default: True
        Whether results are called ∂cost/∂x, where both have names.
    known_grads : dict, optional
        Adjoints to use at these nodes, in place of what would arrive there.
    return_disconnected : {'zero', 'none', 'disconnected'}, default: 'zero'
        What stands for a derivative where nothing is connected.
    null_gradients : {'raise', 'return'}, default: 'raise'
        What to do where a derivative does not exist.

    Returns
    -------
    Expr, list or tuple of Expr
        Of the shape of wrt: one for one, a list for a list, a tuple for a tuple.

    Raises
    ------
    TypeError
        If the cost is not one number.
    ValueError
        If there is neither a cost nor known_grads, or a word means nothing.
    DisconnectedInputError
        If no derivative reaches an input.
    NullTypeGradError
        If a derivative does not exist.

    See Also
    --------
    value_and_grad : The value too.
    reverse_mode : The same, with every step.
    jacobian : Of an array.

    Notes
    -----
    A derivative that is identically zero is zero: the third derivative of x*x is 0, no
    error.

    References
    ----------
    .. [1] A. Griewank and A. Walther, "Evaluating Derivatives", 2nd edition, 2008, chapter 3.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.grad(ad.sin(x) * x, x)
    (sin(x) * 1) + ((1 * x) * cos(x))
    >>> ad.grad(lambda x: x * x)(3.0)
    6.0
    """
    if cost is None and not known_grads:
        raise ValueError("grad needs a cost, or known_grads to start from")
    if cost is not None:
        check_scalar(cost)
    known = known_grads or {}
    given = changes_like(tuple(known.values()), tuple(known), "known gradient")
    start = {} if cost is None else {cost: seed(cost)}
    fixed = dict(zip(known, given, strict=True))
    sweep = backward(Graph((*start, *fixed)), as_wrt(wrt), start, fixed, stops(consider_constant))
    how = Choices(disconnected_inputs, return_disconnected, null_gradients)
    found = collect(sweep, as_wrt(wrt), how)
    if add_names:
        for x, g in zip(as_wrt(wrt), found, strict=True):
            put_name(g, cost, x)
    return like(wrt, found)


Outputs = Expr | Exprs


@overload
def pullback(f: Outputs, wrt: Expr, cotangents: Any, *args: Any, **options: Any) -> Expr: ...
@overload
def pullback(
    f: Outputs, wrt: tuple[Expr, ...], cotangents: Any, *args: Any, **options: Any
) -> tuple[Expr, ...]: ...
@overload
def pullback(
    f: Outputs, wrt: list[X], cotangents: Any, *args: Any, **options: Any
) -> list[Expr]: ...
@overload
def pullback(f: Callable[..., Any], *point_and_cotangent: Any, **options: Any) -> Any: ...
@of_functions
def pullback(
    f: Expr | Sequence[Expr],
    wrt: Expr | Sequence[Expr],
    cotangents: Any,
    consider_constant: Iterable[Expr] | None = None,
    disconnected_inputs: str = "raise",
    return_disconnected: str = "zero",
) -> Any:
    """Σ cotangentᵀ · ∂f/∂wrt (vector times Jacobian), without the Jacobian.

    Of a Python function, `pullback(f)` is the function of a point and a cotangent that
    computes it, and `pullback(f, point, cotangent)` a call of it. A tuple is a point of a
    function of several arguments.

    Parameters
    ----------
    f : Expr, list of Expr or callable
        The outputs, or a Python function that returns them.
    wrt : Expr, list or tuple of Expr
        With respect to what; of a function, where.
    cotangents : Expr, array_like or list
        One for each output, of its type.
    consider_constant : list of Expr, optional
        Nodes below which no derivative goes.
    disconnected_inputs : {'raise', 'warn', 'ignore'}, default: 'raise'
        What to do where no derivative reaches an input.
    return_disconnected : {'zero', 'none', 'disconnected'}, default: 'zero'
        What stands for a derivative where nothing is connected.

    Returns
    -------
    Expr, list or tuple of Expr
        Of the shape of wrt.

    Raises
    ------
    DisconnectedInputError
        If no derivative reaches an input.

    See Also
    --------
    grad : Of one number.
    pushforward : Jacobian times vector.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> ad.pullback(ad.exp(x), x, ad.vector("ct"))
    ct * exp(x)
    >>> ad.pullback(lambda a, b: a * b)((2.0, 5.0), 1.0)
    (5.0, 2.0)
    """
    graph = as_graph(f)
    start = starts(graph.outputs, cotangents)
    sweep = backward(graph, as_wrt(wrt), start, {}, stops(consider_constant))
    how = Choices(disconnected_inputs, return_disconnected, "raise")
    return like(wrt, collect(sweep, as_wrt(wrt), how))


class Choices(NamedTuple):
    """What to do where there is no derivative. Raises ValueError for words that mean nothing."""

    disconnected_inputs: str
    return_disconnected: str
    null_gradients: str = "raise"

    def checked(self) -> "Choices":
        for name, given in self._asdict().items():
            if given not in CHOICES[name]:
                raise ValueError(f"{name} is one of {', '.join(CHOICES[name])}, not {shown(given)}")
        return self


def collect(sweep: Backward, wrt: Sequence[Expr], how: Choices) -> list[Any]:
    """The adjoints of wrt, or what stands for those that there are not."""
    how.checked()
    found: list[Any] = []
    vanished = Vanished(sweep.graph)
    for x in wrt:
        adjoint = sweep.adjoint.get(x)
        if adjoint is None and vanished.source(x) is None:
            complain(sweep, x, how.disconnected_inputs)
        if isinstance(adjoint, Null) and how.null_gradients == "raise":
            raise NullTypeGradError(why_null(sweep.graph, adjoint, x))
        if adjoint is None and how.return_disconnected == "zero":
            adjoint = vanished.zero_adjoint(x)
        if adjoint is None and how.return_disconnected == "disconnected":
            adjoint = Disconnected()
        found.append(adjoint)
    return found


def like(wrt: Any, found: Sequence[Any]) -> Any:
    """One for one, a list for a list, a tuple for a tuple."""
    return type(wrt)(found) if isinstance(wrt, (list, tuple)) else found[0]


def stops(given: Any) -> tuple[Expr, ...]:
    """The nodes of consider_constant. Raises TypeError for anything but several expressions."""
    if isinstance(given, Expr) or not isinstance(given, Iterable | None):
        value = (
            ""
            if isinstance(given, Expr)
            else (f". For the value at a point, write ad.evaluate(ad.grad(y, x), {{x: {given!r}}})")
        )
        raise TypeError(f"consider_constant takes a list of expressions, not {shown(given)}{value}")
    return check_expressions(list(given)) if given is not None else ()


def put_name(result: Expr | None, cost: Expr | None, x: Expr) -> None:
    """Call the result ∂cost/∂x, unless it is a node that the user made or named."""
    if result is not None and result.name is None and isinstance(result.origin, Origin):
        if cost is not None and cost.name and x.name:
            result.name = slope_name(cost.name, x.name)


def complain(sweep: Backward, x: Expr, how: str) -> None:
    if how == "ignore":
        return
    outputs = ", ".join(map(str, sweep.graph.outputs))
    what = f"no derivative of {outputs} with respect to {x}{at(x)}: "
    reasons = (f"every path ends at {n.op.name}{at(n)}, and {why}" for n, why in ends(sweep, x))
    message = what + next(reasons, f"the cost does not depend on {x}")
    message += remedy(sweep.graph, x)
    if how == "raise":
        raise DisconnectedInputError(message)
    warnings.warn(message, stacklevel=5)


def ends(sweep: Backward, x: Expr) -> Iterator[tuple[Expr, str]]:
    """The nodes at which paths to x end, first those within bodies, and why they do."""
    above = dependents(sweep.graph.nodes, [x])
    cut = [(n, k) for n, k in sweep.cut if n.inputs[k] in above]
    for n, k in cut:
        if isinstance(n.op.body, Graph) and n.op.inside[k] is not None:
            body = n.op.body
            inner = body.inputs[n.op.inside[k]]
            start = {y: zero(y) for y in body.outputs}
            yield from ends(backward(body, [inner], start), inner)
    for n, k in cut:
        why = n.op.nondifferentiable or n.op.reasons.get(k)
        yield n, why or "its pullback hands none on"


def remedy(graph: Graph, x: Expr) -> str:
    """What to write, if something else may be meant than a derivative that is zero."""
    if other := namesake(x, graph.inputs):
        return f": {other}."
    if (twin := equal_to(graph, x)) is not None:
        return (
            f": the {x} in it is another one{at(twin)}, equal but made anew. Make it once, as in "
            f"z = {x}, use z in the cost, and write {exchanged('ad.grad(y, z)')}."
        )
    if not isinstance(x, Input) and set(graph.outputs) & set(postorder([x])):
        return f". It is {x} that depends on the cost: write {exchanged('ad.grad(y, x)')}."
    return '. For a zero instead, pass disconnected_inputs="ignore".'


def equal_to(graph: Graph, x: Expr) -> Expr | None:
    """A node of the graph that computes the same as x, which is none of it."""
    number = numbered([*graph.outputs, x], {})
    return next((n for n in graph.nodes if n is not x and number[n] == number[x]), None)


def why_null(graph: Graph, null: Null, x: Expr) -> str:
    """The path from the cost to where the derivative does not exist, and why it does not."""
    path, where = trail(graph, null, x)
    return (
        f"the gradient with respect to {x}{at(x)} is undefined along {' ← '.join(path)}"
        f"{at(where)}: {null.why}. If that path is to add nothing to the gradient, put "
        f"ad.disconnected_grad around {path[-1]}."
    )


def trail(graph: Graph, null: Null, x: Expr) -> tuple[list[str], Expr]:
    """The words for the nodes from the cost to where the derivative does not exist, through the
    bodies of operations, and the last of these nodes."""
    where = null.origin.node if isinstance(null.origin, Origin) else x
    nodes = [n for n in path_to(graph, where) if n.op is not item]
    words = [n.name or (n.op.name if n.op else str(n)) for n in nodes]
    if null.within is None:
        return words, where
    body, inner_null = null.within
    inner, where = trail(body, inner_null, x)
    return words + inner, where


def path_to(graph: Graph, where: Expr) -> list[Expr]:
    """The nodes from an output down to one of its ancestors, by one of the paths."""
    below = dependents(graph.nodes, [where])
    path = [next((o for o in graph.outputs if o in below), where)]
    while path[-1] is not where:
        path.append(next(i for i in path[-1].inputs if i in below))
    return path
