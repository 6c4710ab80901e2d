"""What `perform` does besides computing."""

from typing import Any

import numpy as np

from ..report import Report
from .trial import Trial


def check_habits(t: Trial, report: Report) -> None:
    """The same result twice, in an array of its own, from operands that stay as they are."""
    faults = []
    given = [v.copy()[()] for v in t.values]
    with np.errstate(all="ignore"):
        found = t.op.perform(*given, **dict(t.static))
    results = found if len(t.outputs) > 1 else (found,)
    for k, name in enumerate(t.names):
        if not equal(given[k], t.values[k]):
            faults.append(
                f"perform changes {name}, which other operations read, too: work on {name}.copy()"
            )
        if not (t.op.view and k == 0) and any(np.shares_memory(given[k], v) for v in results):
            faults.append(
                f"the result of perform shares memory with {name}, so to change one changes both: "
                "return a copy" + ", or say view = True" * (k == 0)
            )
    if not all(map(equal, t.perform(), t.perform())):
        faults.append(
            "perform gives different results for equal operands, and equal nodes are merged: make "
            "what varies an operand"
        )
    report.findings.extend(faults)
    if not faults:
        report.passed.append("perform repeats itself, and leaves its operands alone")


def equal(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
