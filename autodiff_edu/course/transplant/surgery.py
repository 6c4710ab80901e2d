"""The operation itself: the functions of a page take the places of the engine's, in this process.

Each hole has an adapter of a few lines. What the engine does around a hole, such as types, errors
and operations with several results, stays with the engine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any

from ... import core
from ...core import pattern as patterns
from ...core import reverse
from ...core import rule as rules
from ...core.graph import dependents, rebuild
from ...core.node import Origin, Wild, making
from ...core.op import item
from ...core.rewriter import MERGE, Rewriter
from ...core.stage import Growing, Rewriting, Step
from ...expr import Built, Constant, Expr, Graph, postorder, shown
from ...run.source import numbers
from .page import Page

evaluation = import_module("autodiff_edu.expr.evaluate")  # the name in `expr` is the function
NAME = "your reverse mode"


@contextmanager
def transplanted(page: Page) -> Iterator[None]:
    """Within it the engine works with the functions of the page."""
    before = []
    for hole in page.functions:
        for place, name, new in ADAPTERS[hole](page):
            before.append((place, name, getattr(place, name)))
            setattr(place, name, new)
    try:
        yield
    finally:
        for place, name, old in reversed(before):
            setattr(place, name, old)


Replacement = tuple[Any, str, Any]


def evaluate(page: Page) -> Iterator[Replacement]:
    value_of = evaluation.value_of
    accepted, snapshot = evaluation.accepted, evaluation.snapshot

    def evaluate_all(roots: Any, at: Any) -> dict[Expr, Any]:
        values = accepted(at)
        order = postorder(roots)
        shared = [n for n in order if isinstance(n, evaluation.Shared) and n not in values]
        values.update(zip(shared, snapshot(*shared), strict=True))
        compute = computing(page, value_of)
        with evaluation.np.errstate(all="ignore"):
            for n, value in page.each("evaluate", order, dict(values), compute):
                values[n] = value
        if absent := [n for n in order if n not in values]:
            raise page.wrong("evaluate", f"{absent[0]} has no value at the end")
        return values

    yield evaluation, "evaluate_all", evaluate_all


def computing(page: Page, value_of: Any) -> Any:
    """What computes one node from the values of its operands, for the page."""

    def compute(n: Expr, operands: Any) -> Any:
        if n.op is None and not isinstance(n, Constant):
            raise page.wrong("evaluate", f"compute is called for the input {n}, which has a value")
        return value_of(n, dict(zip(n.inputs, operands)))

    return compute


def sweep(page: Page) -> Iterator[Replacement]:
    of_engine, stage_of = reverse.Backward.run, reverse.Backward.stage

    def run(self: Any, stop_at: set[Expr]) -> None:
        if self.fixed or any(n.op is item for n in self.graph.nodes):
            of_engine(self, stop_at)
            return
        between = dependents(self.graph.nodes, self.wrt)

        def terms(n: Expr, adjoint: Expr) -> list[tuple[Expr, Expr]]:
            check_call(page, n, adjoint)
            if n.op is None or n not in between or n in stop_at:
                return []
            if n.op.nondifferentiable:
                self.cut += [(n, k) for k in range(len(n.inputs))]
                return []
            making.set(Origin("derivative", reverse.pullback_of(n.op.name), n))
            self.adjoint[n] = adjoint
            pairs = list(zip(n.inputs, self.terms(n)))
            self.cut += [(n, k) for k, (x, t) in enumerate(pairs) if t is None and x in between]
            return [(x, t) for x, t in pairs if t is not None and x in between]

        before = making.get()
        try:
            for n, x, term, total in page.each("sweep", self.graph.nodes, {**self.adjoint}, terms):
                check_operand(page, n, x)
                self.adjoint[x] = total
                rule = reverse.pullback_of(n.op.name)
                self.steps.append(Step(rule, n, total, Built(x, term)))
        finally:
            making.set(before)

    def stage(self: Any) -> Growing:
        growing = stage_of(self)
        growing.name = NAME
        return growing

    yield reverse.Backward, "run", run
    yield reverse.Backward, "stage", stage


def check_call(page: Page, n: Any, adjoint: Any) -> None:
    """Raise Wrong unless `terms` is called with a node and an expression."""
    if not isinstance(n, Expr) or not isinstance(adjoint, Expr):
        says = f"terms is called with {shown(n)} and {shown(adjoint)}: "
        raise page.wrong("sweep", f"{says}it needs a node and its adjoint")


def check_operand(page: Page, n: Expr, x: Expr) -> None:
    """Raise Wrong unless x is an operand of n."""
    if n.op is None or not any(x is i for i in n.inputs):
        says = f"it yields {n} and {x}, which is no operand of it"
        raise page.wrong("sweep", says, page.lines["sweep"])


def match(page: Page) -> Iterator[Replacement]:
    of_engine = patterns.matcher

    def matcher(p: Expr) -> Any:
        if not is_plain(p):
            return of_engine(p)

        def matches(n: Expr, bindings: dict) -> bool:
            trial = dict(bindings)
            answer = bool(page.call("match", p, n, trial))
            if answer:
                bindings.update(trial)
            return answer

        return matches

    yield patterns, "matcher", matcher
    yield rules, "matcher", matcher


def is_plain(p: Expr) -> bool:
    """Has the pattern wildcards and operations alone, without numbers and parameters?"""
    plain = isinstance(p, Wild) and not p.constant
    return plain or p.op is not None and not p.static and all(map(is_plain, p.inputs))


def one_round(page: Page) -> Iterator[Replacement]:
    def round(self: Rewriter, with_late: bool) -> None:
        self.due = set()
        self.with_late, self.waiting = with_late, set()
        self.final, self.became = {}, {}
        order = self.order
        acts = partial(rebuild_node, self), partial(rewrite_node, self)
        for n, new in page.each("one_round", order, *acts):
            self.final[n] = self.final[new] = new
        if absent := [n for n in order if n not in self.final]:
            raise page.wrong("one_round", f"nothing was yielded for {absent[0]}")
        self.late = set()
        self.roots = [self.final[root] for root in self.roots]
        self.order = postorder(self.roots)
        if self.became or not with_late:
            self.due = set(self.order)  # every node is looked at again
        self.uses.name_users(self.order, self.roots)

    yield Rewriter, "round", round


def rebuild_node(self: Rewriter, n: Expr, operands: Any) -> Expr:
    """n with these operands in the graph, and in the log."""
    if n.op is None:
        equal = self.leaf(n)
        if equal is not n:
            self.became[n] = equal
            self.uses.hold(equal, self.uses.count.pop(n), None)
        return equal
    if all(i is j for i, j in zip(n.inputs, operands, strict=True)):
        return n
    new = rebuild(n, tuple(operands))
    self.became[n] = new
    self.log.append((n, new))
    self.uses.move(n, new)
    self.progress.move(n, new)
    return new


def rewrite_node(self: Rewriter, n: Expr) -> Expr | None:
    """Give the node that takes the place of n: an equal one, or one made by a rule."""
    if n.op is None:
        return None
    equal = self.equal(n)
    if equal is not None:
        self.record(MERGE, n, equal)
        return equal
    self.rewrite(n)
    new = self.became.get(n)
    for m in postorder([new]) if new is not None else ():
        self.final.setdefault(m, m)  # what is new is looked at in the next round
    return new


def frame(page: Page) -> Iterator[Replacement]:
    def of_stage(self: Rewriting, k: int) -> Graph:
        if core.stage.frame_number(self, k) == len(self.steps):
            return self.after
        became = dict(self.log[: self.marks[k]])
        outputs = page.call("frame", list(self.before.outputs), became, renewed)
        count = len(self.before.outputs)
        nodes = isinstance(outputs, list) and all(isinstance(y, Expr) for y in outputs)
        if not nodes or len(outputs) != count:
            says = f"it returns {shown(outputs)}, and a list of nodes is needed, one an output"
            raise page.wrong("frame", says, page.lines["frame"])
        return Graph(outputs, self.before.inputs, self.before.names)

    yield Rewriting, "frame", of_stage


def renewed(n: Expr, operands: Any) -> Expr:
    """n with these operands; n itself where they are its own."""
    same = all(i is j for i, j in zip(n.inputs, operands, strict=True))
    return n if same else rebuild(n, tuple(operands))


def line(page: Page) -> Iterator[Replacement]:
    of_engine = numbers.operations

    def operations(source: Any) -> Any:
        order = source.plan.order
        if source.guards or any(n.op is item or not source.forms[n] for n in order):
            return of_engine(source)
        return [(page.call("line", *parts(source, n)), n) for n in order]

    yield numbers, "operations", operations
    yield numbers, "inlined", lambda *args: {}


def parts(source: Any, n: Expr) -> tuple[str, str, list[str]]:
    """The name of a node, its formula, and its operands as texts; negative numbers are bare."""
    texts = [repr(float(i.value)) if isinstance(i, Constant) else source.names[i] for i in n.inputs]
    return source.names[n], source.forms[n], texts


ADAPTERS = {
    "evaluate": evaluate,
    "sweep": sweep,
    "match": match,
    "one_round": one_round,
    "frame": frame,
    "line": line,
}
