"""Memory, measured: how many arrays the gradient of a program keeps."""

import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....differentiate import grad
from ....expr import Input, TensorType
from ....run import function
from ...harness.chart import NEAR, chart_end
from ...harness.check import Draw, call, cases, named
from ...harness.checker import checker
from ...harness.failing_call import chart_call
from ...harness.feedback import complain, differences, expect

Program = Callable[..., Any]


def gradient(program: Program, values: Sequence[Any], value: bool = False) -> Callable[..., Any]:
    """The compiled gradient of a program by all its arguments, after its value if wanted."""
    arrays = [np.asarray(v, dtype=float) for v in values]
    inputs = [Input(f"x{k}", TensorType(v.dtype, v.shape)) for k, v in enumerate(arrays)]
    y = call(program, inputs, by_hand=False)
    return function(inputs, [y] * value + grad(y, inputs), on_unused_input="ignore")


def states(program: Program, values: Sequence[Any]) -> int:
    """The most memory that the gradient of a program has in use at once, in arrays.

    The most memory that the gradient of a program, by all its arguments, has in use at
    once: in arrays as large as the last argument. Arguments are not counted.

    Parameters
    ----------
    program : callable
        A function of expressions.
    values : sequence
        The values of the arguments.

    Returns
    -------
    int
        How many arrays, as large as the last argument; arguments are not counted.
    """
    run = gradient(program, values)
    tracemalloc.start()
    run(*values)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return round(most / np.asarray(values[-1]).nbytes)


def draw_program(program: Program, values: Sequence[Any], note: str, wrong: bool) -> None:
    """Chart the end of a program, with a note below its result."""
    arrays = [np.asarray(v, dtype=float) for v in values]
    names = [name for name, _ in named(program, values)]
    inputs = [Input(n, TensorType(v.dtype, v.shape)) for n, v in zip(names, arrays)]
    title = f"{program.__name__}: the end of your program, and the memory of its gradient"
    chart_end(title, call(program, inputs, by_hand=False), note, wrong)


@checker
def check_states(
    student: Program, values: Sequence[Any], *, least: int = 0, most: float = float("inf")
) -> None:
    """The gradient of student(*values) takes at least and at most so many states.

    Parameters
    ----------
    values : sequence
        The values of the arguments.
    least : int, default: 0
        How many at least.
    most : float, default: inf
        How many at most.
    """
    found = states(student, values)
    draw_program(student, values, f"{found} state{'s' * (found != 1)}", not least <= found <= most)
    if not least <= found <= most:
        limit = f"at most {most:g}" if found > most else f"at least {least}"
        complain(student.__name__, f"{limit} states", found)
    limit = f"at most {most:g}" if most < float("inf") else f"at least {least}"
    print(f"{student.__name__}: its gradient takes {limit} states")


@checker
def check_marked(
    student: Program, plain: Program, inputs: Draw, *, most: int, seed: int | None = None
) -> None:
    """student is the program `plain`, its gradient too, and this takes at most so many states.

    Parameters
    ----------
    plain : callable
        The same program without marks.
    most : int
        How many at most.
    """
    for values, _ in cases(inputs, (), 2, seed):
        wanted, got = [tuple(gradient(p, values, True)(*values)) for p in (plain, student)]
        if any(differences(wanted, got, *NEAR)):
            title = f"{student.__name__}: value, then gradient, of another program"
            chart_call(title, student.__name__, named(student, values), got, wanted)
        expect(wanted, got, "value, then gradient")
    check_states(student, values, most=most)
    print(f"value and gradient are those of {plain.__name__}, which takes {states(plain, values)}")
