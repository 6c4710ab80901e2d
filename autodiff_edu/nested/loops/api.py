"""`scan`: a recurrence written as a Python function of one step, which is read, not run.

    h_1, h_2, ... = scan(lambda x, h: tanh(w @ h + x), sequences=xs, outputs_info=h_0)

Arguments and order are PyTensor's; what the function takes from outside is found by itself.
"""

import inspect
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from typing import Any

from ...expr import operands
from .checkpointing import segmented
from .step_function import Step
from .taps import number_of_steps, tapped


def scan(
    fn: Callable[..., Any],
    sequences: Any = None,
    outputs_info: Any = None,
    non_sequences: Any = None,
    n_steps: Any = None,
    truncate_gradient: int = -1,
    go_backwards: bool = False,
    strict: bool = False,
    checkpoint_every: int | None = None,
    name: str | None = None,
) -> Any:
    """The outputs of all steps, each stacked along a new first axis: one, or a list of several.

    fn takes the slices of the sequences, then earlier outputs, then the non-sequences, and returns
    the outputs of a step: one or several, then perhaps a dictionary of new values for shared ones,
    then perhaps until(condition). What it takes from outside need not be listed (with strict=True
    it must).
    sequences      arrays, or {"input": array, "taps": [-1, 0]}; unequal lengths are cut
    outputs_info   for each output what it begins with; None where a step does not need it; or
                   {"initial": rows, "taps": [-2, -1]}, with as many rows as the taps reach back;
                   y[-1] of an output that begins with something is that, if no step is made
    n_steps        the number of steps, if no sequence tells, or fewer of them
    truncate_gradient  through how many steps a derivative goes back; -1 through all. It reaches
                   what the loop begins with as far as these steps see it
    checkpoint_every   keep only every n-th state for the derivative, and compute the others again
    Raises ValueError, TypeError, ShapeError, MissingInputError with what to write instead.
    """
    check(fn, truncate_gradient)
    inputs = [tapped(x, "input", (0,)) for x in listed(sequences)]
    begins = [None if x is None else tapped(x, "initial", (-1,)) for x in listed(outputs_info)]
    others = list(operands(tuple(listed(non_sequences)), "scan"))
    steps = number_of_steps([x.length for x in inputs], n_steps)
    words = parameters(fn)
    slices = [pair for x in inputs for pair in x.slices(words, steps, go_backwards)]
    step = Step(fn, steps, slices, begins, others, words)
    loop = step.read(strict, {"truncate": truncate_gradient, "name": name or "scan"})
    found = loop.build() if checkpoint_every is None else segmented(loop, checkpoint_every)
    outputs = step.outputs(found)
    return outputs[0] if len(outputs) == 1 else outputs


def check(fn: Any, truncate_gradient: int) -> None:
    if not callable(fn):
        raise TypeError(f"scan takes the function of a step, not {fn!r}")
    if truncate_gradient < 1 and truncate_gradient != -1:
        raise ValueError("truncate_gradient is a number of steps, or -1 for all of them")


def listed(given: Any) -> list[Any]:
    """One thing or several, as a list."""
    return [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]


def parameters(fn: Callable[..., Any]) -> Iterator[str]:
    """The names of a function's parameters, then x, x, ... for ever."""
    try:
        kinds = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        kinds = []
    return chain([p.name for p in kinds if p.kind is p.POSITIONAL_OR_KEYWORD], repeat("x"))
