"""Where `math` raises an error, a program of numbers calls `careful` with itself and its arguments:
NumPy computes node after node, and answers inf or nan."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...expr import evaluate_all
from .numbers import is_root
from .text import Names


def evaluated(source: Names, values: Sequence[Any], strict: bool) -> Any:
    """The results of a program for these values: Python's own numbers, or NumPy's where it is
    strict. Of powers that are square roots the root counts: older NumPy's power of -inf is inf, not
    nan."""
    own: Callable[[Any], Any] = (lambda v: v) if strict else of_python
    outputs, answers = source.plan.graph.outputs, source.guards.answers if source.guards else ()
    computed: dict[Any, Any] = dict(zip(source.inputs, values, strict=True))
    for n in filter(is_root, source.plan.order):
        computed = evaluate_all([n.inputs[0]], computed)
        with np.errstate(all="ignore"):
            computed[n] = np.sqrt(computed[n.inputs[0]])
    for k, answer in enumerate(answers):
        computed = evaluate_all([outputs[k]], computed)
        value = own(computed[outputs[k]])
        if (bool(value) if isinstance(answer, bool) else value) != answer:
            return k, value
    computed = evaluate_all(outputs, computed)
    results = [own(computed[n]) for n in outputs[len(answers) :]]
    return results if source.listed else results[0]


def performed(op: Any, own: Callable[[Any], Any] = lambda v: v) -> Callable[..., Any]:
    """The same for the body of an operation: the operation itself, by NumPy."""

    def careful(function: Any, *values: Any) -> Any:
        with np.errstate(all="ignore"):
            result = op.perform(*[np.float64(v) if type(v) is float else v for v in values])
        return tuple(map(own, result)) if isinstance(result, tuple) else own(result)

    return careful


def of_python(result: Any) -> Any:
    """Python's own number, whoever made it."""
    return result.item() if isinstance(result, (np.generic, np.ndarray)) else result
