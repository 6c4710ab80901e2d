"""Tapes: a program as a list of rows, for exercises in which students write the sweep themselves.

A row is (name, operation, names of operands), operands before their uses, the result last:

    [("x", "input", ()), ("v1", "multiply", ("x", "x")), ("v2", "sin", ("v1",))]
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from math import cos, exp, sin

import numpy as np

from ...differentiate import reverse_mode
from ...expr import Expr
from ...ops import add, multiply, scalar, subtract
from ...ops import exp as exp_of
from ...ops import sin as sin_of
from ..harness.check import call, where
from ..harness.checker import checker
from ..harness.feedback import Wrong, expect, spell

Row = tuple[str, str, tuple[str, ...]]
Tape = Sequence[Row]
Numbers = dict[str, float]

VALUES: dict[str, Callable[..., float]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "sin": sin,
    "exp": exp,
}
FACTORS: dict[str, Callable[..., tuple[float, ...]]] = {  # ∂value/∂operand, for each operand
    "add": lambda a, b: (1.0, 1.0),
    "subtract": lambda a, b: (1.0, -1.0),
    "multiply": lambda a, b: (b, a),
    "sin": lambda a: (cos(a),),
    "exp": lambda a: (exp(a),),
}
NODES = {"add": add, "subtract": subtract, "multiply": multiply, "sin": sin_of, "exp": exp_of}

SQUARE: Tape = [("x", "input", ()), ("y", "multiply", ("x", "x"))]
DIAMOND: Tape = [
    ("x", "input", ()),
    ("left", "sin", ("x",)),
    ("right", "exp", ("x",)),
    ("y", "multiply", ("left", "right")),
]
DOUBLED: Tape = [("a", "input", ()), ("b", "add", ("a", "a")), ("c", "add", ("b", "b"))]


def values_on(tape: Tape, at: Mapping[str, float]) -> Numbers:
    """The primal pass: the value of every row, with the inputs at these values.

    Parameters
    ----------
    tape : sequence of tuple
        (name, operation, names of operands) for each row.
    at : dict
        The value of each input, by name.

    Returns
    -------
    dict
        The values by name.
    """
    values: Numbers = {}
    for name, op, operands in tape:
        values[name] = float(at[name]) if op == "input" else value(op, operands, values)
    return values


def value(op: str, operands: Sequence[str], values: Numbers) -> float:
    return VALUES[op](*[values[o] for o in operands])


def random_tape(rng: np.random.Generator, size: int, inputs: int = 2) -> tuple[Tape, Numbers]:
    """A tape of some random operations, and its values: none is larger than ten.

    Parameters
    ----------
    rng : Generator
        Where the numbers come from.
    size : int
        How many operations, after the inputs.
    inputs : int, default: 2
        How many inputs.

    Returns
    -------
    tuple
        The tape, and its values by name.
    """
    names = [f"x{k}" for k in range(inputs)]
    values = dict(zip(names, rng.uniform(-1.5, 1.5, inputs).round(2).tolist(), strict=True))
    tape: list[Row] = [(name, "input", ()) for name in names]
    for name in (f"v{k}" for k in range(size)):
        op = str(rng.choice(list(FACTORS), p=[0.25, 0.15, 0.35, 0.15, 0.1]))
        operands = tuple(rng.choice(list(values), 1 if op in ("sin", "exp") else 2).tolist())
        if abs(value(op, operands, values)) > 10:
            op, operands = "sin", operands[:1]
        tape.append((name, op, operands))
        values[name] = value(op, operands, values)
    return tape, values


def adjoints(tape: Tape, values: Mapping[str, float]) -> Numbers:
    """The adjoint of every row, by the engine's reverse mode."""
    nodes: dict[str, Expr] = {}
    for name, op, operands in tape:
        nodes[name] = scalar(name) if op == "input" else NODES[op](*[nodes[o] for o in operands])
    stage = reverse_mode(nodes[tape[-1][0]], list(nodes.values()))
    inputs = {nodes[name]: values[name] for name, op, _ in tape if op == "input"}
    return dict(zip(nodes, map(float, stage.graph.evaluate(inputs)), strict=True))


@checker
def check_sweep(
    student: Callable[[Tape, Numbers], Numbers], *, trials: int = 40, seed: int | None = None
) -> None:
    """student(tape, values) is the adjoint of every row of the tape, each time it is called.

    Tried on x·x, a diamond, b = a + a with c = b + b, then on growing random tapes.
    """
    rng = np.random.default_rng(seed)
    starts = rng.uniform(1, 3, 3).round(2).tolist()
    tapes = zip((SQUARE, DIAMOND, DOUBLED), starts, strict=True)
    small = [(tape, values_on(tape, {tape[0][0]: start})) for tape, start in tapes]
    for tape, values in small + [random_tape(rng, 1 + k // 4) for k in range(trials)]:
        at = where(student, (tape, values))
        got = copy(call(student, (list(tape), dict(values))))
        expect(adjoints(tape, values), got, at, rtol=1e-7, atol=1e-9)
        again = call(student, (list(tape), dict(values)))
        if again != got:
            raise Wrong(
                f"{student.__name__}: called again, it gives {spell(again)}\n  at        {at}"
            )
    print(f"{student.__name__}: right on {len(small)} small and {trials} random tapes")
