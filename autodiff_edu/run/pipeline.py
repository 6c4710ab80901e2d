"""`pipeline`: all the stages from a formula to a program, in a row."""

from collections.abc import Callable
from typing import Any

from ..differentiate import forward_mode, reverse_mode, symbolic_derivative
from ..expr import HOOKS, Expr, Pipeline, Stage, is_function, shown
from ..rewrite import simplify
from .program import Program, generate

WAYS: dict[str, Callable[..., Stage]] = {
    "symbolic": symbolic_derivative,
    "forward": forward_mode,
    "reverse": reverse_mode,
}


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
