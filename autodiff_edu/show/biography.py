"""`biography`: the life of one node, from the user's line to the line of the program.

It is read off the logs of the stages and the origins of nodes, and nothing is computed anew. It is
loaded when one is first asked for.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..expr import (
    Expr,
    Growing,
    Pipeline,
    Rewriting,
    Stage,
    Step,
    as_graph,
    first_place,
    origins,
    shown,
    text,
    users,
)
from ..rewrite.why_not.moments import History
from ..run.program import Program
from .build.labels import kind
from .html.table import Table
from .tex.step_text import cost, local
from .views.provenance import ACTS

COLUMNS = ("stage", "step", "of", "event", "formula", "reason")
MARKS = {"\u0304": "adjoint", "\u0307": "tangent"}


class Event(NamedTuple):
    """One row: in which stage and step, of the value or of a derivative, and the formula since."""

    stage: str
    step: str
    of: str
    event: str
    node: Expr
    reason: str


class Biography(Table):
    """The life of a node: a row for each event.

    Its `columns` are stage, step, of, event, formula and reason.

    Parameters
    ----------
    node : Expr
        Whose life it is.
    events : list of Event
        In their order.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> y = ad.sin(x)
    >>> life = ad.biography(y, ad.pipeline(y * y, x))
    >>> [event.event for event in life.events if event.stage == "generate"]
    ['line 8 of the program']
    """

    kind = "biography"

    def __init__(self, node: Expr, events: Iterable[Event]):
        self.node, self.events = node, tuple(events)
        super().__init__(COLUMNS, self.events, f"biography of {text(node)}", cells)


def cells(event: Event) -> tuple[str, ...]:
    return (*event[:4], text(event.node), event.reason)


def biography(node: Expr, pipeline: Pipeline | Stage) -> Biography:
    """The life of a node as a table: line, value, derivative, each rewrite, line of the program.

    Parameters
    ----------
    node : Expr
        A node of the formula, or of any later graph of the pipeline, such as
        `program.lines[8]`.
    pipeline : Pipeline or Stage
        The stages, as of `pipeline` or of a function.

    Returns
    -------
    Biography
        A table with a row for each event.

    Raises
    ------
    TypeError
        If these are no expression and no stages.
    ValueError
        If no graph of the pipeline has the node.

    See Also
    --------
    why : Where a node came from.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> y = ad.sin(x)
    >>> life = ad.biography(y, ad.pipeline(y * y, x, derivative="reverse"))
    >>> for row in life.rows[1:]:
    ...     print(" | ".join(row[:5]))
    reverse mode | 2 | adjoint | pullback of multiply | 1 * sin(x)
    reverse mode | 3 | adjoint | pullback of multiply | (1 * sin(x)) + (sin(x) * 1)
    simplify | 3 | adjoint | collect terms | 2 * sin(x)
    generate |  | value | line 8 of the program | sin(x)
    generate |  | adjoint | line 8 of the program | 2 * sin(x)
    """
    if not isinstance(node, Expr):
        raise TypeError(f"a biography is that of an expression, not of {shown(node)}")
    if not isinstance(pipeline, (Pipeline, Stage)):
        raise TypeError(f"a biography is told by a pipeline or a stage, not by {shown(pipeline)}")
    stages = [pipeline] if isinstance(pipeline, Stage) else [*pipeline]
    return Biography(node, [*birth(node), *Life(node, stages)])


def birth(node: Expr) -> Iterator[Event]:
    """The user's line, and the rules that led from it to the node."""
    rules = [*origins(node)][::-1]
    eldest, *younger = [*[origin.node for origin in rules], node]
    yield Event("", "", "value", "written", eldest, str(first_place(node) or ""))
    for origin, n in zip(rules, younger, strict=True):
        yield Event("", "", "value", ACTS[origin.kind], n, origin.rule)


class Life:
    """A node and its derivative, stage by stage.

    roles   the nodes that are followed now, by "value", "derivative", "adjoint" or "tangent"
    """

    def __init__(self, node: Expr, stages: list[Stage]):
        self.stages, self.roles = stages, {"value": node}
        graphs = [stages[0].before, *map(as_graph, stages)]
        has = [k for k, graph in enumerate(graphs) if node in {*graph.order}]
        if not has:
            raise ValueError(f"no graph of {Pipeline(stages)} has {text(node)}")
        self.first = has[0]

    def __iter__(self) -> Iterator[Event]:
        for stage in self.stages[self.first :]:
            if isinstance(stage, Rewriting):
                yield from self.rewriting(stage)
            elif isinstance(stage, Growing):
                yield from self.growing(stage)
            elif isinstance(stage.after, Program):
                yield from self.program(stage)
            yield from self.leave(stage)

    def rewriting(self, stage: Rewriting) -> Iterator[Event]:
        """The rewrites of all that is followed, and the D(·) of the value, if it has one here."""
        history, value = History(stage), self.roles.get("value")
        opens = [old for old, _ in stage.log if kind(old) == "open derivative"]
        own = next((n for n in opens if n.inputs[0] is value), None)
        if own is not None:
            self.roles["derivative"] = own
        for role, n in self.roles.items():
            *before, self.roles[role] = history.lives(n)
            places = [history.steps.get(history.became[m][0]) for m in before]
            for k in places:
                if k is not None:
                    step = stage.steps[k]
                    yield Event(stage.name, str(k + 1), role, step.rule, step.after, reason(step))

    def growing(self, stage: Growing) -> Iterator[Event]:
        """The tangent of the value, or its adjoint, which grows with each use."""
        role = MARKS.get(stage.mark, "derivative")
        for k, step in enumerate(stage.steps):
            if step.bindings.get("of") is self.roles.get("value"):
                self.roles[role] = step.after
                yield Event(stage.name, str(k + 1), role, step.rule, step.after, reason(step))

    def program(self, stage: Stage) -> Iterator[Event]:
        """The line that computes each of them, or something with it."""
        lines = stage.after.source.splitlines()
        for role, n in self.roles.items():
            k = line(stage.after, n)
            if k is not None and n.op is not None:
                said = f"line {k} of the program"
                yield Event(stage.name, "", role, said, n, lines[k - 1].strip())

    def leave(self, stage: Stage) -> Iterator[Event]:
        """The end of those that the graph does not need any more."""
        nodes = {*as_graph(stage).order}
        for role, n in [*self.roles.items()]:
            if n not in nodes:
                del self.roles[role]
                yield Event(stage.name, "", role, "no longer needed", n, "")


def line(program: Program, n: Expr) -> int | None:
    """The line that computes a node, or else the first that computes with it."""
    uses, level = users(program.graph.order), [n]
    while level:
        lines = [k for m in level for k in lines_of(program, m)]
        if lines:
            return min(lines)
        level = [*dict.fromkeys(m for one in level for m in uses.get(one, ()))]
    return None


def lines_of(program: Program, n: Expr) -> list[int]:
    try:
        return [program.line_of(n)]
    except KeyError:
        return []


def reason(step: Step) -> str:
    """The conditions of the rule, its caveat, and the cost of the graph before and after."""
    needs = [f"needs {condition}" for condition in local(step).needs]
    words = (*needs, step.note, f"cost {cost(step)}" if step.cost else "")
    return "; ".join(word for word in words if word)
