"""`scan`: a recurrence written as a Python function of one step, which is read, not run.

    h_1, h_2, ... = scan(lambda x, h: tanh(w @ h + x), sequences=xs, outputs_info=h_0)

Arguments and order are PyTensor's; what the function takes from outside is found by itself.
"""

from collections.abc import Callable, Iterator
from itertools import chain, repeat
from typing import Any

from ...expr import is_function, operands, parameters_of, shown
from .checkpointing import segmented
from .recurrence import Recurrence, Results
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
    """A loop yₖ = fn(xₖ, yₖ₋₁, c): the outputs of all steps, each stacked along a new first axis.

    fn takes the slices of the sequences, then earlier outputs, then the non-sequences. It
    returns the outputs of a step: one or several, then perhaps a dictionary of new values
    for shared ones, then perhaps until(condition). What it takes from outside need not be
    listed.

    Parameters
    ----------
    fn : callable
        What happens in a step.
    sequences : Expr, dict or list, optional
        Arrays, or {"input": array, "taps": [-1, 0]}; unequal lengths are cut.
    outputs_info : Expr, dict, None or list, optional
        For each output what it begins with; None where a step does not need it; or
        {"initial": rows, "taps": [-2, -1]}, with as many rows as the taps reach back. Of an
        output that begins with something, y[-1] is that if no step is made.
    non_sequences : Expr or list, optional
        What every step is given.
    n_steps : int or Expr, optional
        The number of steps, if no sequence tells, or fewer of them.
    truncate_gradient : int, default: -1
        Through how many steps a derivative goes back; -1 through all. It reaches what the
        loop begins with as far as these steps see it.
    go_backwards : bool, default: False
        Whether the sequences are read from the end.
    strict : bool, default: False
        Whether what fn takes from outside has to be listed.
    checkpoint_every : int, optional
        Keep only every n-th state for the derivative, and compute the others again.
    name : str, optional
        That of the loop.

    Returns
    -------
    Expr or list of Expr
        One, or a list of several.

    Raises
    ------
    ValueError
        If nothing tells the number of steps.
    ShapeError
        If a step changes the shape of an output.

    See Also
    --------
    unroll : The loop written out.

    Notes
    -----
    A derivative is a loop too, from the last step to the first: backpropagation through time.

    References
    ----------
    .. [1] P. J. Werbos, "Backpropagation through time: what it does and how to do it", Proceedings
       of the IEEE 78, 1990.

    Examples
    --------
    >>> x = ad.vector("x")
    >>> total = ad.scan(lambda x, s: s + x, sequences=x, outputs_info=0.0)
    >>> ad.evaluate(total, {x: [1.0, 2.0, 3.0]})
    array([1., 3., 6.])
    """
    step, loop = read(fn, sequences, outputs_info, non_sequences, n_steps, truncate_gradient,
                      go_backwards, strict, name)  # fmt: skip
    if not step.begins and not loop.rows:
        raise ValueError("a step returns at least one output, and updates travel with it: return "
                         "the next value of the shared one too, (new, {w: new})")  # fmt: skip
    outputs = step.outputs(built(loop, checkpoint_every))
    return outputs[0] if len(outputs) == 1 else outputs


def read(
    fn: Callable[..., Any],
    sequences: Any,
    outputs_info: Any,
    non_sequences: Any,
    n_steps: Any,
    truncate_gradient: int,
    go_backwards: bool,
    strict: bool,
    name: str | None,
) -> tuple[Step, Recurrence]:
    """The step that the arguments of `scan` describe, and the loop."""
    check(fn, truncate_gradient)
    inputs = [tapped(x, "input", (0,)) for x in listed(sequences)]
    begins = [None if x is None else tapped(x, "initial", (-1,)) for x in listed(outputs_info)]
    others = list(operands(tuple(listed(non_sequences)), "scan"))
    steps = number_of_steps([x.length for x in inputs], n_steps)
    words = parameters(fn)
    slices = [pair for x in inputs for pair in x.slices(words, steps, go_backwards)]
    step = Step(fn, steps, slices, begins, others, words)
    return step, step.read(strict, {"truncate": truncate_gradient, "name": name or "scan"})


def built(loop: Recurrence, checkpoint_every: int | None) -> Results:
    """The results of a loop, in segments if that is asked for."""
    return loop.build() if checkpoint_every is None else segmented(loop, checkpoint_every)


def check(fn: Any, truncate_gradient: int) -> None:
    if not is_function(fn):
        raise TypeError(f"scan takes the function of a step, not {shown(fn)}")
    if truncate_gradient < 1 and truncate_gradient != -1:
        raise ValueError("truncate_gradient is a number of steps, or -1 for all of them")


def listed(given: Any) -> list[Any]:
    """One thing or several, as a list."""
    return [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]


def parameters(fn: Callable[..., Any]) -> Iterator[str]:
    """The names of a function's parameters, then x, x, ... for ever."""
    known = parameters_of(fn)
    return chain([p.name for p in known if p.kind is p.POSITIONAL_OR_KEYWORD], repeat("x"))
