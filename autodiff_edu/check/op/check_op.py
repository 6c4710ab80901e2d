"""`op.check(*example)`: whether an operation does what it claims, in words."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...expr import Input, TensorType, computed_by
from ..report import Report
from .derivative_rules import check_rules
from .diagnosis import call
from .points import drawn, other_lengths
from .side_effects import check_habits
from .stated import check_stated
from .trial import Trial, names_of
from .types import check_types

SEED = 0


def check_op(op: Any, *example: Any, **static: Any) -> Report:
    """Compare what an operation states with numbers, at values like those of the example.

    Types are compared at other lengths, in float32, and where lengths are not known, and
    `perform` must have no side effects. The pullback is compared with central differences,
    by random cotangents, and must be linear in them. The pushforward is compared with
    differences and with the pullback. Second derivatives follow, and points at which entries
    coincide. An operation that overrides its derivative may differ from the differences.

    Parameters
    ----------
    op : Op
        The operation.
    *example : array_like
        Values for its operands.
    **static : object
        Its parameters.

    Returns
    -------
    Report
        What does not agree; it is true if all does.

    Examples
    --------
    >>> bool(ad.sin.check([1.0, 2.0]))
    True
    """
    try:
        first = at_example(op, example, static)
        first.perform()
    except Exception as error:
        return Report(op.name, [f"the example does not work: {error}"])
    return check_trial(first)


def check_trial(first: Trial) -> Report:
    """The report on an operation, from one trial of it."""
    report, rng = Report(call(first)), np.random.default_rng(SEED)
    trials = [first, *elsewhere(first, rng, report)]
    if check_types(trials, report):
        check_habits(first, report)
        check_stated(first, report)
        check_rules(trials, rng, report)
    else:
        report.notes.append("nothing else was looked at: mend this first")
    return report


def at_example(op: Any, example: Sequence[Any], static: dict[str, Any]) -> Trial:
    if op.arity is not None and len(example) != op.arity:
        example, static = op.bind(example, static)
    arrays = [np.asarray(v) for v in example]
    values = [v.astype("float64") if v.dtype.kind == "f" else v for v in arrays]
    names = names_of(op, len(values))
    inputs = [Input(name, TensorType(v.dtype, v.shape)) for name, v in zip(names, values)]
    made = op(*inputs, **static)
    n, _ = computed_by(made[0] if isinstance(made, tuple) else made)
    return Trial(n.op, n.static, names, values)


def elsewhere(first: Trial, rng: np.random.Generator, report: Report) -> Iterator[Trial]:
    """The operation at other lengths, wherever infer_type accepts them."""
    refused = []
    for shapes in other_lengths(tuple(v.shape for v in first.values)):
        values = [drawn(v, s, rng) for v, s in zip(first.values, shapes, strict=True)]
        try:
            t = first.at(values)
        except Exception:
            continue  # infer_type refuses these lengths, as it may
        try:
            t.perform()
        except Exception as error:
            refused.append(f"{t} ({error})")
        else:
            yield t
    if refused:
        report.notes.append(
            f"infer_type accepts what perform refuses: {refused[0]}. If no such values would do, "
            "raise ad.ShapeError in infer_type: the error then comes when the expression is written"
        )
