"""Tapes: a program as a list of rows, for exercises in which students write the sweep themselves.

A row is (name, operation, names of operands), operands before their uses, the result last:

    [("x", "input", ()), ("v1", "multiply", ("x", "x")), ("v2", "sin", ("v1",))]
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from math import cos, exp, sin
from typing import Any

import numpy as np

from ...differentiate import reverse_mode
from ...expr import Expr
from ...ops import add, multiply, scalar, subtract
from ...ops import exp as exp_of
from ...ops import sin as sin_of
from ..harness.chart import OPERATORS, chart_answers
from ..harness.check import call, where
from ..harness.checker import checker
from ..harness.counterexample import Row, rounded, shorter, smallest
from ..harness.feedback import Wrong, differences, expect, spell

Tape = Sequence[Row]
Numbers = dict[str, float]
Sweep = Callable[[Tape, Numbers], Numbers]

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
def check_sweep(student: Sweep, *, trials: int = 40, seed: int | None = None) -> None:
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
        if is_wrong(tape, values, got):
            object_to(student, tape, values)
        again = call(student, (list(tape), dict(values)))
        if again != got:
            raise Wrong(
                f"{student.__name__}: called again, it gives {spell(again)}\n  at        {at}"
            )
    draw(student, "your sweep of exp(x)·sin(x) at x = 1", DIAMOND, values_on(DIAMOND, {"x": 1.0}))
    print(f"{student.__name__}: right on {len(small)} small and {trials} random tapes")


# ---- where a sweep is wrong

NEAR = 1e-7, 1e-9  # rtol and atol


def is_wrong(tape: Tape, values: Numbers, got: Any) -> bool:
    return any(differences(adjoints(tape, values), got, *NEAR))


def object_to(student: Sweep, tape: Tape, values: Numbers) -> None:
    """Raise Wrong, with the smallest tape on which the sweep is wrong, drawn."""

    def fails(case: Case) -> bool:
        tape, at = case
        numbers = values_on(tape, at)
        try:
            return is_wrong(tape, numbers, call(student, (list(tape), dict(numbers))))
        except (Wrong, OverflowError):  # another fault than the one that is to be shown
            return False

    at = {name: values[name] for name, op, _ in tape if op == "input"}
    tape, at = smallest((tape, at), smaller, fails)
    values = values_on(tape, at)
    got = call(student, (list(tape), dict(values)))
    draw(student, "the smallest graph on which the sweep is wrong", tape, values)
    place, right = where(student, (tape, values)), adjoints(tape, values)
    if isinstance(got, dict) and any(differences(rounded(right), rounded(got), 1e-5, 1e-9)):
        expect(rounded(right), rounded(got), place, rtol=1e-5, atol=1e-9)
    expect(right, got, place, rtol=1e-7, atol=1e-9)


Case = tuple[Tape, Numbers]  # a program, and the values of its inputs
SIMPLE = (1.0, 2.0, 3.0)


def smaller(case: Case) -> Iterator[Case]:
    """A row less, an input in place of an operation, or a simple number."""
    tape, at = case
    for rest in shorter(tape):
        names = {row[0] for row in rest}
        yield rest, {n: v for n, v in at.items() if n in names}
    for k, (name, op, _) in enumerate(tape[:-1]):
        if op != "input":
            yield [(name, "input", ()), *tape[:k], *tape[k + 1 :]], {**at, name: SIMPLE[-1]}
    for name, number in at.items():
        if number not in SIMPLE:
            yield from ((tape, {**at, name: simple}) for simple in reversed(SIMPLE))


def draw(student: Sweep, title: str, tape: Tape, values: Numbers) -> None:
    """Chart a tape, with the student's adjoint at each row, and the right one where it differs."""
    got, right = call(student, (list(tape), dict(values))), adjoints(tape, values)
    own = {name: got.get(name) for name, _, _ in tape} if isinstance(got, dict) else {}
    links = {name: list(operands) for name, _, operands in tape}
    texts = {name: OPERATORS.get(op, op) for name, op, _ in tape if op != "input"}
    title = f"{student.__name__}: {title}"
    chart_answers(
        title, links, texts, own, right, brief, lambda a, b: any(differences(a, b, *NEAR))
    )


def brief(number: Any) -> str:
    return f"{number:.4g}" if isinstance(number, (int, float)) else "nothing"
