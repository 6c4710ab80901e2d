"""Programs whose derivative must be right as they stand: the engine differentiates them."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ....differentiate import reverse_mode
from ....expr import Constant, Expr, Graph, Input, TensorType, constant
from ....nested import Nested
from ....ops import GATES
from ...harness.chart import NEAR, brief, chart, contrast, linked
from ...harness.check import Arrays, Draw, call, cases, copies, where
from ...harness.checker import checker
from ...harness.failing_call import smallest_call
from ...harness.feedback import Wrong, complain, differences, expect


@checker
def check_program(
    student: Callable[..., Any],
    value: Callable[..., Any],
    derivative: Callable[..., Any],
    inputs: Draw,
    *,
    examples: Iterable[Arrays] = (),
    trials: int = 30,
    seed: int | None = None,
    **tolerance: float,
) -> None:
    """student(x, ...) has this value at the array x, and the engine finds this derivative.

    student(x, ...), in NumPy's words, has this value at the array x, and the derivative
    that the engine finds for it, entry by entry, is this one. Gates and overrides are
    refused.

    Parameters
    ----------
    value : callable
        What is right, of arrays.
    derivative : callable
        The derivative that is right.
    examples : iterable, default: ()
        Arguments that are tried first.
    **tolerance : float
        What may differ.
    """
    each = [*cases(inputs, examples, trials, seed)]

    def problem(args: Arrays, tell: bool = True) -> Wrong | None:
        own, at = differentiated(student, args), where(student, args)
        right = value(*copies(args)), derivative(*copies(args))
        try:
            for part, r, o in zip(("value", "derivative"), right, own, strict=True):
                expect(r, o, f"{at}, the {part}", tell=tell, **tolerance)
        except Wrong as wrong:
            return wrong
        return None

    for args, fresh in each:
        wrong = problem(args, fresh)
        if wrong is not None:
            fails = lambda args: problem(args) is not None
            args, fresh = smallest_call(each, fails)
            args, _ = smallest_call([(args, True)], fails)
            right = value(*copies(args)), derivative(*copies(args))
            draw_program(
                f"{student.__name__}: your program is wrong here", student, args, right, fresh
            )
            raise problem(args, fresh) or wrong
    if not each[0][1]:  # an example, which is the same each time
        title = f"{student.__name__}: your program, with values and derivatives"
        draw_program(title, student, first_entry(each[0][0]))
    print(f"{student.__name__}: value and derivative are right at {len(each)} inputs")


def first_entry(args: Arrays) -> Arrays:
    return [a[:1] if isinstance(a, np.ndarray) and a.ndim else a for a in args]


def built(student: Callable[..., Any], args: Arrays) -> tuple[Input, Expr]:
    """The input x, and the student's expression of it."""
    x = np.asarray(args[0], float)
    symbol = Input("x", TensorType(x.dtype, x.shape))
    y = call(student, (symbol, *args[1:]), by_hand=False)
    if not isinstance(y, Expr) or y.type.shape != x.shape:
        at = where(student, args)
        complain(student.__name__, "an expression, of the shape of x", repr(y), at)
    if any(n.op.name in GATES or isinstance(n.op, Nested) for n in Graph(y).operations):
        raise Wrong(f"refused: no gates and no overrides, let the engine differentiate: {y}")
    return symbol, y


def differentiated(student: Callable[..., Any], args: Arrays) -> list[Any]:
    """The value, and the derivative that the engine finds."""
    x, y = built(student, args)
    (slope,) = reverse_mode(y, [x], constant(np.ones(x.type.shape))).outputs
    return Graph([y, slope]).evaluate({x: np.asarray(args[0], float)})


def draw_program(
    title: str,
    student: Callable[..., Any],
    args: Arrays,
    right: tuple[Any, Any] | None = None,
    tell: bool = True,
) -> None:
    """Chart a program with the value and the adjoint of each node, and what is right."""
    x, y = built(student, args)
    nodes = [n for n in Graph(y).nodes if n.type.dtype.kind == "f" and not isinstance(n, Constant)]
    adjoints = reverse_mode(y, nodes, constant(np.ones(x.type.shape))).outputs
    with np.errstate(all="ignore"):
        numbers = Graph([*nodes, *adjoints]).evaluate({x: np.asarray(args[0], float)})
    pairs = dict(zip(nodes, zip(numbers, numbers[len(nodes) :]), strict=False))
    links, texts = linked(Graph(y).nodes)
    ids = dict(zip(Graph(y).nodes, links, strict=True))
    notes = {ids[n]: f"{brief(v)}, adjoint {brief(a)}" for n, (v, a) in pairs.items()}
    wrong = set()
    value, derivative = right or (pairs[y][0], pairs[x][1])
    for n, own, other, word in (
        (y, pairs[y][0], value, "value"),
        (x, pairs[x][1], derivative, "derivative"),
    ):
        if any(differences(other, own, *NEAR)):
            wrong.add(ids[n])
            notes[ids[n]] = f"{word}: {contrast(own, other) if tell else brief(own)}"
    chart(title, links, texts, notes, wrong)
