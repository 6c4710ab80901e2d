"""`generate`: the stage that writes a program. `pipeline`: all stages from a formula to one."""

from collections.abc import Callable, Sequence
from typing import Any

from ..differentiate import forward_mode, reverse_mode, symbolic_derivative
from ..expr import (
    HOOKS,
    Expr,
    Input,
    Pipeline,
    Stage,
    as_graph,
    check_expressions,
    check_listed,
    is_function,
    shown,
)
from ..rewrite import simplify
from .program import Program

WAYS: dict[str, Callable[..., Stage]] = {
    "symbolic": symbolic_derivative,
    "forward": forward_mode,
    "reverse": reverse_mode,
}


class Generated(Stage):
    """A stage whose result is a program."""

    after: Program


def generate(
    what: Any, inputs: Sequence[Expr] | None = None, *, target: str = "numpy"
) -> Generated:
    """Python source for a graph.

    Parameters
    ----------
    what : Graph, Stage, Expr or list of Expr
        What is computed.
    inputs : list of Expr, optional
        In the order of the arguments; by default as they appear.
    target : {'numpy', 'jax'}, default: 'numpy'
        For what the program is written.

    Returns
    -------
    Stage
        `stage.after` is a Program, which prints as its source.

    Raises
    ------
    ValueError
        If there is no such target.
    MissingInputError
        If an input is not listed.

    See Also
    --------
    function : A function at once.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> print(ad.generate(x * x).after)
    def program(x):
        if type(x) is not float:
            x, = accept(x)
        try:
            v1 = x * x
            return v1
        except (ValueError, OverflowError, ZeroDivisionError):
            return careful(program, x)
    <BLANKLINE>
    """
    graph = as_graph(what)
    ins = graph.inputs if inputs is None else check_expressions(inputs)
    check_listed([n for n in graph.leaves if isinstance(n, Input)], ins)
    return Generated("generate", graph, Program(graph, ins, target=target))


class ToProgram(Pipeline):
    """Stages of which the last makes a program."""

    @property
    def after(self) -> Program:
        """The program."""
        return self.stages[-1].after


def pipeline(of: Any, *wrt: Any, derivative: str | None = None, mode: str = "safe") -> ToProgram:
    """Differentiate, simplify, generate: three stages that begin with the formula.

    `pipeline(y, x)` of an expression, or `pipeline(f, *example)` of a Python function with
    respect to all its arrays and floats, for arguments of the example's types. Where the
    function branches, it is the path of the example.

    Parameters
    ----------
    of : Expr or callable
        A formula, or a Python function.
    *wrt : Expr, list of Expr or array_like
        With respect to what; or the arguments of an example.
    derivative : {'symbolic', 'forward', 'reverse'}, optional
        How; by default symbolic for a single number and reverse for anything else.
    mode : {'ieee', 'safe', 'real'}, default: 'safe'
        That of `simplify`.

    Returns
    -------
    Pipeline
        The stages.

    Raises
    ------
    ValueError
        If derivative is none of these.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> p = ad.pipeline(x * x + (x - 2), x)
    >>> p
    Pipeline(symbolic derivative → simplify → generate)
    >>> print(p["generate"].after)
    def program(x):
        if type(x) is not float:
            x, = accept(x)
        try:
            v1 = 2.0 * x + 1.0
            return v1  # ∂y/∂x
        except (ValueError, OverflowError, ZeroDivisionError):
            return careful(program, x)
    <BLANKLINE>
    """
    if is_function(of):
        of, given, _ = HOOKS["formula_at"](of, wrt)
    else:
        given = [x for w in wrt for x in (w if isinstance(w, (list, tuple)) else [w])]
    single = len(given) == 1 and isinstance(given[0], Expr) and not given[0].ndim
    derivative = derivative or ("symbolic" if single else "reverse")
    if derivative not in WAYS:
        raise ValueError(f"derivative is one of {', '.join(WAYS)}, not {shown(derivative)}")
    first = WAYS[derivative](of, given[0] if derivative == "symbolic" else given)
    short = simplify(first, mode=mode)
    inputs = [i for i in given if isinstance(i, Expr)]
    others = [i for i in short.graph.inputs if all(i is not w for w in inputs)]
    return ToProgram([first, short, generate(short, [*inputs, *others])])
