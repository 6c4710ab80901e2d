"""`pipeline`: all the stages from a formula to a program, in a row."""

from collections.abc import Callable
from typing import Any

from ..differentiate import forward_mode, reverse_mode, symbolic_derivative
from ..expr import Expr, Pipeline, Stage
from ..simplify import simplify
from .program import generate

WAYS: dict[str, Callable[..., Stage]] = {
    "symbolic": symbolic_derivative,
    "forward": forward_mode,
    "reverse": reverse_mode,
}


def pipeline(of: Any, wrt: Any, derivative: str = "symbolic", mode: str = "safe") -> Pipeline:
    """Differentiate, simplify, generate: three stages that begin with the formula.

    derivative: "symbolic", "forward" or "reverse"; mode is that of `simplify`.
    """
    if derivative not in WAYS:
        raise ValueError(f"derivative is one of {', '.join(WAYS)}, not {derivative!r}")
    first = WAYS[derivative](of, wrt)
    short = simplify(first, mode=mode)
    inputs = [i for i in (wrt if isinstance(wrt, (list, tuple)) else [wrt]) if isinstance(i, Expr)]
    others = [i for i in short.graph.inputs if all(i is not w for w in inputs)]
    return Pipeline([first, short, generate(short, [*inputs, *others])])
