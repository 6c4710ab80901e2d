"""A program: a graph as the source of a Python function, and the function itself."""

import inspect
from collections.abc import Callable, Sequence
from functools import partial, wraps
from traceback import walk_tb
from typing import Any

from ..expr import Expr, Graph, Shared, Stage, as_graph, check_expressions, explained
from ..ops import power
from .input_guard import InputGuard
from .plan import Plan, ours
from .source.python_scalars import fits, scalar_text
from .source.scalar_functions import FUNCTIONS
from .source.target import target_of
from .source.writer import Source


class Program:
    """A program in Python: `source` is the text, `run` the function that it defines.

    For single numbers there are two texts: `source` in plain Python, and `careful` by NumPy
    for the values at which `math` raises an error and NumPy answers inf or nan. The bodies
    of operations become programs of their own, which check nothing: they are called
    `within` others.

    Parameters
    ----------
    graph : Graph
        What is computed.
    inputs : list of Expr
        The arguments.
    declared : Graph, optional
        The graph as it was before simplification.
    name : str, default: 'program'
        That of the function.
    listed : bool, default: False
        Whether the result is a list, even of one.
    updated : list of Shared, default: ()
        What changes after each call.
    within : bool, default: False
        Whether it is called by another program.
    loop : object, optional
        The loop whose body it is.
    target : str, default: 'numpy'
        For what it is written.
    """

    def __init__(
        self,
        graph: Graph,
        inputs: Sequence[Any],
        declared: Graph | None = None,
        name: str = "program",
        listed: bool = False,
        updated: Sequence[Shared] = (),
        within: bool = False,
        loop: Any = None,
        target: str = "numpy",
    ):
        written = target_of(target)
        self.graph, self.plan = graph, Plan(graph, written.in_place)
        inner = partial(body_program, target=target)
        text = written(self.plan, inputs, name, listed, updated, inner, within, loop)
        scalar = target == "numpy" and fits(text)
        arrays, numbers = (InputGuard(declared or graph, inputs, plain) for plain in (False, True))
        self.careful = text.text()
        self.source = "\n\n".join([*text.before, scalar_text(text) if scalar else self.careful])
        self.run = load(self.careful, text.space | {"accept": arrays}, name)
        self.run = self.run if all(map(is_safe, self.plan.order)) else explaining(self.run, text)
        if scalar:
            space = {
                **text.space,
                **FUNCTIONS,
                "accept": numbers,
                "careful": self.run if loop else plain(self.run),
            }
            self.run = load(scalar_text(text), space, name)

    def __call__(self, *values: Any) -> Any:
        return self.run(*values)

    def __repr__(self) -> str:
        return self.source


def body_program(body: Graph, name: str, loop: Any, target: str) -> Program:
    """The program of an operation's body, or the loop around it."""
    return Program(body, body.inputs, name=name, within=True, loop=loop, target=target)


def load(text: str, space: dict[str, Any], name: str) -> Callable[..., Any]:
    """The function that a source text defines. Every name in the text is one that we chose."""
    exec(compile(text, f"<{name}>", "exec"), space)
    return space[name]


def is_safe(n: Expr) -> bool:
    """Can the operation not fail, whatever the values are?"""
    return n.op.elementwise and ours(n) and (n.op is not power or n.type.is_float)


def explaining(run: Callable[..., Any], source: Source) -> Callable[..., Any]:
    """The function of a source; an error in one of its lines tells of the user's line."""
    code = inspect.unwrap(run).__code__

    @wraps(run)
    def explained_run(*values: Any, **named: Any) -> Any:
        try:
            return run(*values, **named)
        except Exception as error:
            for frame, line in walk_tb(error.__traceback__):
                n = source.lines.get(line)
                if frame.f_code is code and n is not None:
                    raise explained(error, n, source.shapes(n, frame.f_locals)) from error
            raise

    return explained_run


def plain(run: Callable[..., Any]) -> Callable[..., Any]:
    """The same function with results that are Python's own numbers."""

    def careful(*values: float) -> Any:
        result = run(*values)
        return [r.item() for r in result] if isinstance(result, list) else result.item()

    return careful


def generate(what: Any, inputs: Sequence[Expr] | None = None, *, target: str = "numpy") -> Stage:
    """Python source for a graph.

    Parameters
    ----------
    what : Graph, Stage, Expr or list of Expr
        What is computed.
    inputs : list of Expr, optional
        In the order of the arguments; by default as they appear.
    target : str, default: 'numpy'
        For what the program is written; `run/source` has a module for each target.

    Returns
    -------
    Stage
        `stage.after` is a Program, which prints as its source.

    Raises
    ------
    ValueError
        If there is no such target.

    See Also
    --------
    function : A function at once.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> print(ad.generate(x * x).after)
    def program(x):
        if x.__class__ is not float:
            x, = accept(x)
        try:
            v1 = x * x
            return v1
        except (ValueError, OverflowError, ZeroDivisionError):
            return careful(x)
    """
    graph = as_graph(what)
    ins = graph.inputs if inputs is None else check_expressions(inputs)
    return Stage("generate", graph, Program(graph, ins, target=target))
