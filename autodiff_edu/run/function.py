"""`function`: from inputs and outputs to a Python function, the generated one itself."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..expr import (
    Expr,
    Graph,
    Input,
    Pipeline,
    Stage,
    as_graph,
    at,
    check_distinct,
    check_expressions,
    check_listed,
    postorder,
)
from ..nested import release
from ..rewrite import simplify as simplified
from .program import Program
from .source.writer import TAKEN
from .updates import names_of, pairs, stated

Pairs = Mapping[Any, Any] | Iterable[tuple[Any, Any]]


def function(
    inputs: Expr | Sequence[Expr],
    outputs: Any = (),
    *,
    updates: Pairs = (),
    givens: Pairs = (),
    simplify: str | None = "safe",
    on_unused_input: str = "raise",
    name: str = "program",
    target: str = "numpy",
) -> "Compiled":
    """A function that computes the outputs from values for the inputs.

    Values are given by position or by name. Results are fresh arrays; a function of single
    numbers gives Python's own floats, like the formula written by hand. Floating point
    warnings are silent.

    Parameters
    ----------
    inputs : Expr or list of Expr
        The leaves that the caller gives.
    outputs : Expr, list of Expr or Graph, default: ()
        One output gives one value, a list gives a list.
    updates : dict or list of tuple, default: ()
        (shared, expression) pairs: after each call every shared value becomes what its
        expression came to. Streams and loops move theirs unless an update or a given does.
    givens : dict or list of tuple, default: ()
        (node, expression) pairs: the expression stands where the node stood.
    simplify : {'ieee', 'safe', 'real', None}, default: 'safe'
        How to simplify the graph first; None runs it as it is.
    on_unused_input : {'raise', 'ignore'}, default: 'raise'
        What to do about an input on which no output depends.
    name : str, default: 'program'
        That of the function, in its source.
    target : str, default: 'numpy'
        For what the program is written; `run/source` has a module for each target.

    Returns
    -------
    callable
        It carries `source`, its own text; `stages`, the passes that led to it; and `graph`.

    Raises
    ------
    MissingInputError
        If an input is not listed.
    ValueError
        If an input is listed twice or not used, the name is no identifier, or there is no such
        target.

    See Also
    --------
    evaluate : One value, without a program.
    pipeline : The stages, from formula to program.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> f = ad.function(x, x * x + 1)
    >>> f(3.0)
    10.0
    >>> print(f.source)
    def program(x):
        if x.__class__ is not float:
            x, = accept(x)
        try:
            v1 = x * x
            v2 = v1 + 1.0
            return v2
        except (ValueError, OverflowError, ZeroDivisionError):
            return careful(x)
    """
    ins = check_inputs(inputs)
    roots = as_graph(outputs)
    results, changes = stated(roots, pairs(updates), pairs(givens))
    declared = Graph([*results, *changes.values()], ins, names_of(roots, changes))
    check_complete(declared, ins)
    check_used(declared, ins, on_unused_input)
    if not name.isidentifier() or name in TAKEN:
        raise ValueError(f"the name of a function is a free identifier, which {name!r} is not")
    listed = isinstance(outputs, (list, tuple))
    return Compiled(declared, tuple(changes), listed, simplify, name, target)


class Compiled(functools.partial):
    """The function of a program, as quick as that. It is pickled as the graph from which it was
    made and the options, and compiled anew where it is loaded."""

    source: str
    graph: Graph
    stages: Pipeline
    stated: tuple[Graph, tuple, tuple]  # as it was before simplification; what it changes; how

    def __new__(
        cls, declared: Graph, changes: Any, listed: bool, mode: Any, name: str, target: str
    ) -> Any:
        first = prepared(declared, mode)
        graph = first[-1].after if first else declared
        program = Program(graph, declared.inputs, declared, name, listed, changes, target=target)
        self = super().__new__(cls, program.run)
        functools.update_wrapper(self, program.run)
        self.source, self.graph = program.source, graph
        self.stages = Pipeline([*first, Stage("generate", graph, program)])
        self.stated = declared, changes, (listed, mode, name, target)
        return self

    def __reduce__(self) -> tuple:
        declared, changes, options = self.stated
        whole = Graph([*declared.outputs, *changes], declared.inputs)  # what is shared stays so
        return restored, (whole, declared.names, len(declared.outputs), options)

    def __repr__(self) -> str:
        return repr(self.func)


def restored(whole: Graph, names: Sequence[str], count: int, options: tuple) -> Compiled:
    """The function of a stored graph, whose last outputs are the shared values that it changes."""
    declared = Graph(whole.outputs[:count], whole.inputs, names)
    return Compiled(declared, whole.outputs[count:], *options)


def prepared(graph: Graph, mode: str | None) -> list[Stage]:
    """The stages before the program is written: no more derivatives will be taken."""
    first = release(graph)
    stages: list[Stage] = [first] if first.steps else []
    return stages if mode is None else [*stages, simplified(first.after, mode, final=True)]


def check_inputs(inputs: Any) -> tuple[Input, ...]:
    given = check_expressions(inputs)
    for i in given:
        if not isinstance(i, Input):
            raise TypeError(f"inputs are leaves such as ad.scalar('x'), not {i}{at(i)}")
    check_distinct(given)
    return given  # type: ignore[return-value]


def check_complete(graph: Graph, inputs: Sequence[Input]) -> None:
    check_listed([n for n in postorder(graph.outputs) if isinstance(n, Input)], inputs)


def check_used(graph: Graph, inputs: Sequence[Input], what: str) -> None:
    if what not in ("raise", "ignore"):
        raise ValueError(f"on_unused_input is raise or ignore, not {what!r}")
    needed = set(postorder(graph.outputs))
    unused = [str(i) for i in inputs if i not in needed]
    if unused and what == "raise":
        raise ValueError(
            f"the outputs do not depend on {', '.join(unused)}: drop it from the inputs, or pass "
            'on_unused_input="ignore"'
        )
