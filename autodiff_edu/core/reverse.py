"""Reverse mode: the adjoint of every node, from the outputs back to the inputs.

    v̄ᵢ = Σⱼ v̄ⱼ · ∂vⱼ/∂vᵢ      over the nodes j that use vᵢ   (Baydin et al. 2018, section 3.2)

Each term of the sum is a step of its own, so that accumulation at a shared node can be seen.
Only nodes that lie between wrt and the outputs take part: nothing is multiplied by zero.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from .derivative_rules import pulled, seed
from .graph import Graph, as_graph, as_wrt, dependents, quiet_collector
from .node import Disconnected, Expr, Null, Origin, made_by
from .op import computed_by, item, results
from .seams import HOOKS
from .stage import Built, Growing, Step


def reverse_mode(outputs: Any, wrt: Expr | Sequence[Expr], cotangents: Any = None) -> Growing:
    """Reverse mode: the adjoints of wrt for given adjoints of the outputs.

    Parameters
    ----------
    outputs : Expr, list of Expr or Graph
        What is differentiated.
    wrt : Expr or list of Expr
        With respect to what.
    cotangents : Expr, array_like or list, optional
        The adjoints of the outputs; by default ones.

    Returns
    -------
    Stage
        One Step for each contribution to an adjoint; `stage.outputs` are the adjoints of
        wrt, an exact zero where wrt does not reach the outputs.

    See Also
    --------
    forward_mode : From the inputs on.
    grad : The same without the steps.

    References
    ----------
    .. [1] A. Griewank and A. Walther, "Evaluating Derivatives", 2nd edition, 2008, chapter 3.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> stage = ad.reverse_mode(ad.sin(x) * x, x)
    >>> stage
    Stage(reverse mode: 4 steps)
    >>> stage.evaluate({x: 0.5})
    np.float64(0.9182168195493894)
    """
    graph = as_graph(outputs)
    wrt = as_wrt(wrt)
    return backward(graph, wrt, starts(graph.outputs, cotangents)).stage()


def starts(outputs: Sequence[Expr], cotangents: Any) -> dict[Expr, Expr]:
    """The adjoints with which reverse mode begins, by output; by default ones."""
    if cotangents is None:
        adjoints = [seed(y) for y in outputs]
    else:
        adjoints = HOOKS["changes"](cotangents, outputs, "cotangent")
    start: dict[Expr, Expr] = {}
    for y, ct in zip(outputs, adjoints, strict=True):
        start[y] = start[y] + ct if y in start else ct
    return start


@cache
def pullback_of(name: str) -> str:
    """The name of the rule; one string for all its uses."""
    return f"pullback of {name}"


def backward(
    graph: Graph,
    wrt: Sequence[Expr],
    start: Mapping[Expr, Expr],
    fixed: Mapping[Expr, Expr] | None = None,
    stop_at: Iterable[Expr] = (),
) -> "Backward":
    """Run the sweep. `fixed` adjoints replace what would accumulate; no adjoint goes below the
    nodes in `stop_at`."""
    with quiet_collector(graph):
        sweep = Backward(graph, wrt, start, fixed or {})
        sweep.run(set(stop_at))
        return sweep


class Backward:
    """One sweep: the adjoint of each node so far, and the steps that led to it."""

    def __init__(self, graph: Graph, wrt: Sequence[Expr], start: Any, fixed: Mapping[Expr, Expr]):
        self.graph, self.wrt, self.fixed = graph, wrt, fixed
        self.start = start = {**start, **fixed}
        self.adjoint = {y: ct for y, ct in start.items() if not isinstance(ct, Disconnected)}
        self.steps = [Step("seed", y, ct, Built(y, ct)) for y, ct in self.adjoint.items()]
        self.cut: list[tuple[Expr, int]] = []  # operands to which an adjoint is not handed on
        self.items: dict[Expr, dict[int, Expr]] = {}  # the results of a node that have an adjoint

    def run(self, stop_at: set[Expr]) -> None:
        between = dependents(self.graph.nodes, self.wrt)
        for n in reversed(self.graph.nodes):
            arrived = n in self.adjoint or n in self.items
            if arrived and n.op is not None and n in between and n not in stop_at:
                if n.op.nondifferentiable:
                    self.cut += [(n, k) for k in range(len(n.inputs))]
                elif n.op is item:
                    self.gather(*computed_by(n), n)
                else:
                    origin = Origin("derivative", pullback_of(n.op.name), n)
                    made_by(origin, self.hand_on, n, between, origin.rule)

    def gather(self, n: Expr, place: int, result: Expr) -> None:
        """Keep a result's adjoint for the turn of the node that computes all of them."""
        first = self.items.setdefault(n, {}).setdefault(place, result)
        if first is not result:
            self.adjoint[first] = total(self.adjoint[first], self.adjoint[result])

    def hand_on(self, n: Expr, between: set[Expr], rule: str) -> None:
        """Hand the adjoint of n on to its inputs by a rule, one step an input."""
        for k, (x, term) in enumerate(zip(n.inputs, self.terms(n))):
            if x not in between or x in self.fixed:
                continue
            if term is None:
                self.cut.append((n, k))
                continue
            new = total(self.adjoint[x], term) if x in self.adjoint else term
            self.adjoint[x] = new
            self.steps.append(Step(rule, n, new, Built(x, term)))

    def terms(self, n: Expr) -> Sequence[Expr | None]:
        """The adjoints that n hands to its inputs, None where it hands on none."""
        outputs: tuple[Expr, ...] = (n,)
        cotangents: tuple[Expr | None, ...] = (self.adjoint.get(n),)
        if n in self.items:
            outputs = tuple(self.items[n].get(k, y) for k, y in enumerate(results(n)))
            cotangents = tuple(self.adjoint.get(y) for y in outputs)
        for ct in cotangents:
            if type(ct) is Null:
                passing = n.op.differentiable(len(n.inputs))
                return [ct if k in passing else None for k in range(len(n.inputs))]
        return pulled(n.op, n.inputs, outputs, cotangents, dict(n.static))

    def stage(self) -> Growing:
        """The sweep as a stage; where no adjoint arrived there is an exact zero."""
        absent = [x for x in self.wrt if x not in self.adjoint]
        adjoint = HOOKS["zero adjoints"](self.graph, absent) if absent else {}
        adjoints = [adjoint[x] if x in adjoint else self.adjoint[x] for x in self.wrt]
        after = Graph(adjoints, names=self.names)
        return Growing("reverse mode", self.graph, after, self.steps, "\u0304", self.wrt)

    def names(self) -> Sequence[str]:
        graph, begun, own = self.graph, self.start.values(), [x.name for x in self.wrt]
        return HOOKS["result_names"](graph, self.wrt, graph.outputs, begun, own, "\u0304")


def total(old: Expr, term: Expr) -> Expr:
    """The sum, or the derivative that does not exist, if one of the two does not."""
    if isinstance(old, Null) or isinstance(term, Null):
        return old if isinstance(old, Null) else term
    return HOOKS["joined"](old, term)
