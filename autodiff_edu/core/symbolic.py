"""Symbolic differentiation: the chain rule as the rewriting of visible D(·) nodes.

    D(x) → 1      D(c) → 0      D(u·v) → D(u)·v + u·D(v)      D(f(u)) → D(u)·f'(u)

One step rewrites one D(·); the work is linear because every node has one D(·) of its own. For an
array x the result is the differential, with dx standing for D(x).
"""

from collections.abc import Iterable, Sequence
from typing import Any

from .derivative_rules import float_type, pushed, zero
from .graph import Graph, as_graph, as_wrt, dependents, quiet_collector, substitute
from .node import Constant, Expr, Input, Origin, made_by
from .op import Op, computed_by, results
from .seams import HOOKS
from .stage import Rewriting, Step
from .types import TensorType


class Derivative(Op):
    """D(u), the derivative of u that has not been taken yet."""

    name, label = "D", "D(·)"

    def infer_type(self, u: TensorType) -> TensorType:
        return TensorType(float_type(u.dtype), u.shape)

    def perform(self, u: Any) -> Any:
        raise TypeError("D(·) is a derivative that is not taken yet: evaluate a later frame")


D = Derivative()
NAME = "symbolic derivative"


def symbolic_derivative(of: Any, wrt: Expr) -> Rewriting:
    """The derivative d(of)/d(wrt) by the rules of calculus, one Step a rule.

    For an array `wrt` the result is the differential of `of`, linear in the new input
    d<name>.

    Parameters
    ----------
    of : Expr
        A formula.
    wrt : Expr
        An input.

    Returns
    -------
    Stage
        With the result as `stage.output`, which has the shape of `of` if wrt is one number.

    See Also
    --------
    grad : By reverse mode.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.symbolic_derivative(x * x + (x - 2), x).output
    ((1 * x) + (x * 1)) + (1 - 0)
    """
    graph = as_graph(of)
    (wrt,) = as_wrt(wrt)
    with quiet_collector(graph):
        return Differentiation(graph, wrt).run()


class Differentiation:
    """One run: which nodes depend on wrt, and what each D(·) became."""

    def __init__(self, graph: Graph, wrt: Expr):
        self.graph, self.wrt = graph, wrt
        self.depends = dependents(graph.nodes, [wrt])
        self.varies = reached(graph.nodes, wrt)
        self.derivative: dict[Expr, Expr] = {}  # the D(·) node of each node
        self.pushed: dict[Expr, Sequence[Expr]] = {}  # the differentials of a node's results
        self.seed = made_by(Origin("derivative", "the variable itself", wrt), change_of, wrt)

    def run(self) -> Rewriting:
        start = [self.d(y) for y in self.graph.outputs]
        before = Graph(start, self.graph.inputs, self.names)
        steps = self.steps()
        log = {step.before: step.after for step in steps}
        after = Graph(substitute(start, log), names=lambda: before.names)
        return Rewriting(NAME, before, after, steps, tuple(log.items()), range(len(steps)))

    def names(self) -> Sequence[str]:
        return HOOKS["differential_names"](self.graph, self.wrt)

    def d(self, u: Expr) -> Expr:
        if u not in self.derivative:
            self.derivative[u] = made_by(Origin("derivative", "D", u), D, u)
        return self.derivative[u]

    def steps(self) -> list[Step]:
        """Rewrite each D(·) once, from the outputs down, left before right: a node's D(·) has its
        turn when all that use it have had theirs, so one step replaces it everywhere."""
        steps: list[Step] = []
        depth = self.graph.depth()
        for u in sorted(self.graph.nodes, key=depth.__getitem__, reverse=True):
            if u in self.derivative:
                rule, after = self.rewrite(u)
                steps.append(Step(rule, self.derivative[u], after, {"u": u}))
        return steps

    def rewrite(self, u: Expr) -> tuple[str, Expr]:
        if u is self.wrt:
            return "the variable itself", self.seed
        if u not in self.depends or not u.inputs:
            return "a constant", made_by(Origin("derivative", "constant", u), zero, u)
        rule = f"rule of {computed_by(u)[0].op.name}"
        return rule, made_by(Origin("derivative", rule, u), self.push, u)

    def push(self, u: Expr) -> Expr:
        """The operation's own differential, with D(·) of its operands for their changes."""
        n, place = computed_by(u)
        op = n.op
        places = [k for k in op.differentiable(len(n.inputs)) if self.takes_part(op, n.inputs[k])]
        if not places:
            return zero(u)
        if n not in self.pushed:
            changes = [self.d(v) if k in places else None for k, v in enumerate(n.inputs)]
            self.pushed[n] = pushed(op, n.inputs, results(n), changes, dict(n.static))
        moved = self.pushed[n][place]
        return zero(u) if moved is None else moved

    def takes_part(self, op: Any, v: Expr) -> bool:
        """Products and sums differentiate every operand; chain rules only those that vary, so
        that the power x**3 needs no logarithm of x, and sqrt(x > 1) at 0 no 0 / 0."""
        return bool(op.linear or op.multilinear) or v in self.varies


def reached(order: Iterable[Expr], x: Expr) -> set[Expr]:
    """The nodes of a topological order to which x leads by operands that derivatives pass."""
    varying = {x}
    for n in order:
        places = n.op.differentiable(len(n.inputs)) if n.op else ()
        if any(n.inputs[k] in varying for k in places):
            varying.add(n)
    return varying


def change_of(x: Expr) -> Expr:
    """D(x): 1 for a number, and dx, the symbol for a small change, for an array."""
    if not x.ndim:
        return Constant(1.0, float_type(x.dtype))
    return Input(f"d{x.name or 'x'}", TensorType(float_type(x.dtype), x.type.shape))
