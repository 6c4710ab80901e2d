"""What an operation states beside its type and derivative: other code, an order, facts.

Programs and rules believe these without a look. So what is wrong there makes wrong numbers.
"""

from typing import Any

import numpy as np

from ...expr import Input, TensorType
from ...rewrite.facts.prover import HOLDS
from ...run import function
from ..report import Report
from .points import near
from .trial import Trial, far

CLOSE = 1e-6  # how far two values of one thing may differ
MOST = 20  # entries that are computed one by one


def check_stated(t: Trial, report: Report) -> None:
    """Code for other programs, operands that change places, facts of the value."""
    check_code(t, report)
    if t.op.elementwise and t.op.scalar and all(v.dtype.kind == "f" for v in t.values):
        check_scalar(t, report)
    if getattr(t.op, "commutative", False) and len(t.values) == 2:
        check_order(t, report)
    check_facts(t, report)


def check_code(t: Trial, report: Report) -> None:
    """Other code for NumPy computes the same."""
    code = t.op.targets.get("numpy")
    if code is None or code is t.op.body:
        return
    try:
        found = code(*[v.copy()[()] for v in t.values], **dict(t.static))
        results = found if len(t.outputs) > 1 else (found,)
        off = max(far(a, b) for a, b in zip(results, t.perform(), strict=True))
        if off > CLOSE:
            report.findings.append(f"targets['numpy'] differs from perform by up to {off:.3g}")
    except Exception as error:
        report.findings.append(f"targets['numpy'] fails where perform does not: {error}")


def check_scalar(t: Trial, report: Report) -> None:
    """A program of single numbers computes the same, at the entries of the example."""
    form = t.op.scalar
    numbers = [Input(name, TensorType("float64", ())) for name in t.names]
    try:
        program = function(numbers, t.op.apply(tuple(numbers), t.static))
        for row in rows(t):
            (wanted,), found = t.at(list(row)).perform(), program(*row)
            if far(found, wanted) > CLOSE * max(1, abs(float(wanted))):
                at = ", ".join(f"{n} = {v:.6g}" for n, v in zip(t.names, row, strict=True))
                report.findings.append(f"scalar={form!r} gives {float(found):.6g} at {at}, and "
                                       f"perform {float(wanted):.6g}")  # fmt: skip
                return
    except Exception as error:
        report.findings.append(
            f"scalar={form!r} fails in a program of single numbers: {error}. It is one expression "
            "of Python, with {0} for the first operand; functions of math stand there without "
            "their module: exp({0})"
        )


def rows(t: Trial) -> Any:
    """The operands at some entries, each as an array of one number."""
    spread = [v.ravel()[:MOST] for v in np.broadcast_arrays(*t.values)]
    return [[np.asarray(v) for v in row] for row in zip(*spread, strict=True)]


def check_order(t: Trial, report: Report) -> None:
    """The operands may change places."""
    rng = np.random.default_rng(0)
    first, second = (near(v, rng) for v in t.values)  # an example may have equal operands
    try:
        as_given, turned = t.at([first, second]).perform(), t.at([second, first]).perform()
    except Exception as error:
        report.findings.append("commutative=True, and with its operands in the other order it "
                               f"fails: {error}")  # fmt: skip
        return
    pairs = list(zip(turned, as_given, strict=True))
    if any(np.shape(a) != np.shape(b) or far(a, b) > CLOSE for a, b in pairs):
        report.findings.append("commutative=True, and with its operands in the other order it has "
                               "another value")  # fmt: skip


def check_facts(t: Trial, report: Report) -> None:
    """What is said to hold always holds of the value at the example."""
    exact = t.op.exact_facts if isinstance(t.op.exact_facts, dict) else {}
    said = {"facts": t.op.facts, "exact_facts": exact}
    given = all(np.isfinite(v).all() for v in t.values if v.dtype.kind == "f")
    for field, table in said.items() if given else ():
        for fact in [fact for fact, when in table.items() if when == "always"]:
            if not all(np.all(HOLDS[fact](np.asarray(v))) for v in t.perform()):
                report.findings.append(f"{field} says that its value is always {fact}, and at the "
                                       "example it is not")  # fmt: skip
