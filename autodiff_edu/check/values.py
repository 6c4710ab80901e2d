"""Does `perform` compute what `infer_type` promises, and nothing else?"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..expr import TensorType
from .report import Report, lengths
from .trial import Trial, far

KINDS = (np.ndarray, np.generic, bool, int, float)


def check_values(trials: Sequence[Trial], report: Report) -> bool:
    """Everything that can be said of values and their types; are the types right, at least?"""
    right = check_promises(trials, report)
    if right:
        check_single_precision(trials, report)
        check_unknown(trials, report)
    check_habits(trials, report)
    check_code(trials, report)
    return right


# ---- types


def check_promises(trials: Sequence[Trial], report: Report) -> bool:
    """The result has the dtype and the shape that were inferred, whatever the lengths are."""
    for t in trials:
        broken = mismatch(t)
        if broken:
            report.findings.append(f"{broken}{remedy(trials)}")
            return False
    report.passed.append(f"perform gives what infer_type says{lengths(trials)}")
    return True


def mismatch(t: Trial) -> str:
    """Words for the first result that is not of its inferred type."""
    found = t.perform()
    if len(found) != len(t.outputs):
        return f"perform gives {len(found)} results, infer_type says {len(t.outputs)}"
    for k, (v, y) in enumerate(zip(found, t.outputs, strict=True)):
        which = f" as result {k}" if len(found) > 1 else ""
        if not isinstance(v, KINDS):
            return f"perform gives a {type(v).__name__}{which}, and not an array: write np.asarray"
        given = TensorType(np.asarray(v).dtype, np.shape(v))
        if given.dtype != y.dtype or not y.type.fits(given.shape):
            return f"for {t} infer_type says {y.type!r}{which}, and perform gives {given!r}"
    return ""


def remedy(trials: Sequence[Trial]) -> str:
    """The type that would have been right everywhere, if the values tell it."""
    rows = [t.perform() for t in trials]
    if {len(row) for row in rows} != {len(trials[0].outputs)}:
        return ""
    said = [guess(trials, [np.asarray(v) for v in column]) for column in zip(*rows, strict=True)]
    if not all(said):
        return ""
    whole = said[0] if len(said) == 1 else f"ad.TupleType([{', '.join(said)}])"
    return f". What would do:\n    def infer_type(self, {', '.join(trials[0].names)}):\n" \
           f"        return {whole}"  # fmt: skip


def guess(trials: Sequence[Trial], values: Sequence[np.ndarray]) -> str:
    """ad.TensorType(x.dtype, (x.shape[0], w.shape[0])), from the lengths that always agree."""
    if len({v.ndim for v in values}) > 1:
        return ""
    lengths = [length(trials, [v.shape[axis] for v in values]) for axis in range(values[0].ndim)]
    shape = f"({', '.join(lengths)}{',' * (len(lengths) == 1)})"
    alike = [k for k, v in enumerate(trials[0].values) if v.dtype == values[0].dtype]
    dtype = f"{trials[0].names[alike[0]]}.dtype" if alike else repr(str(values[0].dtype))
    return f"ad.TensorType({dtype}, {shape})"


def length(trials: Sequence[Trial], found: Sequence[int]) -> str:
    """The operand's length that was the same in all trials; a number, or None for neither."""
    for k, v in enumerate(trials[0].values):
        for axis in range(v.ndim):
            if [t.values[k].shape[axis] for t in trials] == list(found):
                return f"{trials[0].names[k]}.shape[{axis}]"
    return str(found[0]) if len(set(found)) == 1 else "None"


def check_single_precision(trials: Sequence[Trial], report: Report) -> None:
    """float32 operands, and one among others."""
    t = trials[0]
    if not t.moving:
        return
    broken = mismatch_in(t, t.moving)
    if broken:
        report.findings.append(
            f"in float32, {broken}. Write .astype({t.names[t.moving[0]]}.dtype) in perform, or say "
            "the dtype that it gives in infer_type"
        )
        return
    report.passed.append("it keeps its promise in float32, too")
    mixed = [mismatch_in(t, [k]) for k in t.moving[: -1 if len(t.moving) == 1 else None]]
    if any(mixed):
        first = next(filter(None, mixed))
        pair = ", ".join(f"{t.names[k]}.dtype" for k in t.moving)
        report.notes.append(f"of float32 with float64, {first}: np.result_type({pair}) knows both")


def mismatch_in(t: Trial, places: Sequence[int]) -> str:
    """The mismatch with the operands in these places in float32; none where they are refused."""
    values = [v.astype("float32") if k in places else v for k, v in enumerate(t.values)]
    try:
        return mismatch(t.at(values))
    except Exception:
        return ""


def check_unknown(trials: Sequence[Trial], report: Report) -> None:
    """Lengths that are not known while the graph is built."""
    first = trials[0]
    advice = "ad.matrix('x') has them. A length that infer_type cannot tell is None"
    try:
        blank = Trial(first.op, first.static, first.names, first.values, known=False)
    except Exception as error:
        report.findings.append(
            f"infer_type fails where lengths are None, not known yet, as {advice}: {error}"
        )
        return
    for t in trials:
        for y, v in zip(blank.outputs, t.perform()):
            if not y.type.fits(np.shape(v)):
                report.findings.append(
                    f"where lengths are None, not known yet, infer_type says {y.type!r}, and for "
                    f"{t} perform gives the shape {np.shape(v)}. As {advice}, too"
                )
                return


# ---- what perform does besides


def check_habits(trials: Sequence[Trial], report: Report) -> None:
    """The same result twice, in an array of its own, from operands that stay as they are."""
    t, faults = trials[0], []
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
                f"the result of perform shares memory with {name}, and a program may overwrite it: "
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


def check_code(trials: Sequence[Trial], report: Report) -> None:
    """Other code for NumPy computes the same."""
    t = trials[0]
    code = t.op.targets.get("numpy")
    if code is None or code is t.op.body:
        return
    found = code(*[v.copy() for v in t.values], **dict(t.static))
    results = found if len(t.outputs) > 1 else (found,)
    off = [far(a, b) for a, b in zip(results, t.perform(), strict=True)]
    if max(off) > 1e-6:
        report.findings.append(f"targets['numpy'] differs from perform by up to {max(off):.3g}")


def equal(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
