"""A trace: every value that a graph computes at a point, one row an operation, as a table.

Inputs are v₋₁, v₀ and operations v₁, v₂, … in the order in which they are computed; a tangent is
v̇, an adjoint v̄ (the tables of Baydin et al. 2018). A row's formula is an expression in the names
of earlier rows, read off the steps of the stage itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...differentiate.slope_names import BAR, DOT, free_name, marked
from ...expr import (
    Constant,
    Expr,
    Graph,
    Growing,
    Input,
    Step,
    as_graph,
    computed_by,
    evaluate_all,
    hooked,
    rebuild,
    substitute,
    text,
)
from ..html.showable import Showable
from ..html.table import Table
from ..tex.formula import Formula, aligned, formula, latex
from ..tex.names import latex_name
from .tables import results_of_steps, table

SUBSCRIPT = str.maketrans("-0123456789", "₋₀₁₂₃₄₅₆₇₈₉")

if TYPE_CHECKING:
    from ...core.protocols import Formulas, Tables


class Row(NamedTuple):
    """`name` = `formula`, which has this value; `node` is what is computed, and `result` is what
    the graph calls it, if it is a result: ∂L/∂γ."""

    name: str
    formula: Expr
    value: Any
    node: Expr
    rule: str = ""
    result: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Its names, first that of the result: ∂L/∂γ and v̄₋₁."""
        return (self.result, self.name) if self.result else (self.name,)

    @property
    def text(self) -> str:
        """The formula on one line: v₋₁ * v₀."""
        return text(self.formula)

    @property
    def latex(self) -> str:
        """The formula in LaTeX."""
        return latex(self.formula)


class Trace(Showable):
    """The rows of the forward pass, and those of the tangents or of the adjoints.

    Of a forward stage there are tangents; of a reverse stage one row for every contribution
    to an adjoint. A result that has a name is written with it: ∂L/∂γ = v̄₋₁.

    Parameters
    ----------
    values : iterable of Row
        The forward pass.
    tangents : iterable of Row, default: ()
        Those of a forward stage.
    adjoints : iterable of Row, default: ()
        Those of a reverse stage.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> trace = ad.trace(x * x, at={x: 3.0})
    >>> [(row.name, row.text, float(row.value)) for row in trace]
    [('v₀', 'x', 3.0), ('v₁', 'v₀ * v₀', 9.0)]
    """

    kind = "table"

    def __init__(self, values: Any, tangents: Any = (), adjoints: Any = ()):
        self.values: tuple[Row, ...] = tuple(values)
        self.tangents: tuple[Row, ...] = tuple(tangents)
        self.adjoints: tuple[Row, ...] = tuple(adjoints)

    table: "Tables" = hooked("table")
    latex: "Formulas" = hooked("latex")

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows, in the order in which they are computed."""
        return self.values + self.tangents + self.adjoints

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return repr(self.table())

    def image(self, widest: int = 0) -> str:
        return self.table().image(widest)


def trace(what: Any, at: Mapping[Any, Any]) -> Trace:
    """The values of a graph at a point, one row an operation.

    Parameters
    ----------
    what : Graph, Stage, Expr or list of Expr
        Of a forward or reverse stage also its tangents or adjoints.
    at : dict
        The inputs' values: {x: 3.0}.

    Returns
    -------
    Trace
        A table, which a notebook shows.

    Raises
    ------
    MissingInputError
        If an input has no value.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> ad.trace(x * x + 1, at={x: 3.0})
    name  =        value
    ----  -------  -----
    v₀    x        3
    v₁    v₀ * v₀  9
    v₂    v₁ + 1   10
    """
    growing = isinstance(what, Growing)
    graph = what.before if growing else as_graph(what)
    steps = what.steps if growing else ()
    values = evaluate_all([*graph.outputs, *[s.after for s in steps]], at)
    rows = forward_rows(named(graph) if growing else graph, values)
    if not growing:
        return Trace(rows)
    formulas = reverse_formulas(what) if what.mark == BAR else forward_formulas(what)
    results = results_of_steps(what)
    grown = [Row(*f, values[s.after], s.after, s.rule, results.get(k, ""))
             for k, (f, s) in enumerate(zip(formulas, steps))]  # fmt: skip
    return Trace(rows, adjoints=grown) if what.mark == BAR else Trace(rows, tangents=grown)


# ---- names


def names(graph: Graph) -> dict[Expr, str]:
    """v₋₁, v₀ for the inputs, v₁, v₂, … for the operations, in their order."""
    inputs = {i: k - len(graph.inputs) + 1 for k, i in enumerate(graph.inputs)}
    number = inputs | {n: k for k, n in enumerate(graph.operations, 1)}
    return {n: f"v{k}".translate(SUBSCRIPT) for n, k in number.items()}


def named(graph: Graph) -> Graph:
    """The graph, whose only result has the name that its slopes say."""
    alone = free_name(graph) if len(graph.outputs) == 1 else ""
    return Graph(graph.outputs, graph.inputs, [name or alone for name in graph.names])


def results(graph: Graph) -> dict[Expr, str]:
    """The names of the results; one that is called several times has all its names."""
    names: dict[Expr, str] = {}
    for y, name in zip(graph.outputs, graph.names):
        if name and (y.op is not None or name != y.name):
            names[y] = f"{names[y]} = {name}" if y in names else name
    return names


def symbol(name: str, like: Expr) -> Input:
    return Input(name, like.type)


# ---- rows


def forward_rows(graph: Graph, values: Mapping[Expr, Any]) -> Iterator[Row]:
    called, result = names(graph), results(graph)
    symbols = {n: symbol(name, n) for n, name in called.items()}
    for n, name in called.items():
        inputs = tuple(symbols.get(i, i) for i in n.inputs)
        yield Row(name, rebuild(n, inputs), values[n], n, n.op.name if n.op else "input",
                  result.get(n, ""))  # fmt: skip


def forward_formulas(stage: Growing) -> Iterator[tuple[str, Expr]]:
    """(v̇, its formula) for each step."""
    called = names(stage.before)
    tangent: dict[Expr, Expr] = {}
    for step in stage.steps:
        n = step.bindings["of"]
        local = {
            tangent[i]: symbol(marked(called[i], stage.mark), i) for i in n.inputs if i in tangent
        }
        yield marked(called[n], stage.mark), locally(step.after, n, called, local if n.op else {})
        tangent[n] = step.after


def reverse_formulas(stage: Growing) -> Iterator[tuple[str, Expr]]:
    """(v̄, its formula) for each contribution; later ones are added to what is there."""
    called = names(stage.before)
    adjoint: dict[Expr, Expr] = {}
    results: dict[Expr, dict[Expr, None]] = {}  # those of each node that have an adjoint
    for step in stage.steps:
        yield contribution(step, called, adjoint, results.get(step.before, ()))
        x = step.bindings["of"]
        adjoint[x] = step.after
        results.setdefault(computed_by(x)[0], {})[x] = None


def contribution(
    step: Step, called: dict[Expr, str], adjoint: dict[Expr, Expr], results: Iterable[Expr]
) -> tuple[str, Expr]:
    n, x, term = step.before, step.bindings["of"], step.bindings["term"]
    name = marked(called.get(x, "v"), BAR)
    if step.rule == "seed":
        return name, term
    bars = {adjoint[y]: symbol(marked(called[y], BAR), y) for y in results}
    formula = locally(term, n, called, bars)
    if x in adjoint:
        formula = rebuild(step.after, (symbol(name, x), formula))
    return name, formula


def locally(term: Expr, n: Expr, called: Mapping[Expr, str], also: dict[Expr, Input]) -> Expr:
    """A term of n's rule, written in the names of n, of its operands and of `also`."""
    known = [i for i in (*n.inputs, n) if i in called and not isinstance(i, Constant)]
    became: dict[Expr, Expr] = {i: symbol(called[i], i) for i in known}
    return substitute([term], {**became, **also})[0]


# ---- as a table


@table.register
def trace_table(trace: Trace) -> Table:
    """Values and, beside them, tangents; or below them the adjoints, one row a contribution."""
    if trace.tangents:
        return forward_table(trace)
    if not trace.adjoints:
        return Table(("name", "=", "value"), [cells(r) for r in trace.values], "values")
    rows = [(r.rule, *cells(r)) for r in trace]
    return Table(("rule", "name", "=", "value"), rows, "reverse mode")


def forward_table(trace: Trace) -> Table:
    beside = {row.name.replace(DOT, ""): cells(row) for row in trace.tangents}
    rows = [(*cells(r), *beside.get(r.name, ("", "", ""))) for r in trace.values]
    return Table(("name", "=", "value", "tangent", "=", "value"), rows, "forward mode")


def cells(row: Row) -> tuple[str, str, str]:
    return " = ".join(row.names), row.text, number(row.value)


def number(value: Any) -> str:
    if isinstance(value, tuple):
        return f"{len(value)} results"
    array = np.asarray(value)
    if not array.ndim:
        return f"{array[()]:.6g}" if array.dtype.kind == "f" else str(array[()])
    return np.array2string(array, precision=4, threshold=6, edgeitems=2).replace("\n", "")


# ---- as formulas


@latex.register
def trace_latex(trace: Trace) -> Formula:
    """A line for each row."""
    rows = ((" = ".join(map(latex_name, r.names)), formula(r.formula)) for r in trace.rows)
    return Formula(aligned(rows))
