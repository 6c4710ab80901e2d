"""Does `perform` compute what `infer_type` promises?"""

from collections.abc import Sequence

import numpy as np

from ...expr import TensorType
from ..report import Report, lengths
from .trial import Trial

KINDS = (np.ndarray, np.generic, bool, int, float)


def check_types(trials: Sequence[Trial], report: Report) -> bool:
    """Everything that can be said of types; are they right for float64, at least?"""
    right = check_promises(trials, report)
    if right:
        check_single_precision(trials, report)
        check_unknown(trials, report)
    return right


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
        if v is None:
            return f"perform gives None{which}: does it end in `return`?"
        if not isinstance(v, KINDS):
            return f"perform gives a {type(v).__name__}{which}, and not an array: write np.asarray"
        given = TensorType(np.asarray(v).dtype, np.shape(v))
        if given.dtype != y.dtype or not y.type.fits(given.shape):
            return f"for {t} infer_type says {y.type!r}{which}, and perform gives {given!r}"
    return ""


def remedy(trials: Sequence[Trial]) -> str:
    """The type that would have been right everywhere, if the values tell it."""
    rows = [t.perform() for t in trials]
    arrays = all(isinstance(v, KINDS) for row in rows for v in row)
    if not arrays or {len(row) for row in rows} != {len(trials[0].outputs)}:
        return ""
    if len(trials[0].values) > 1 and all(map(stretched, trials, rows)):
        operands = " and ".join(trials[0].names)
        return (
            f". Lengths of 1 are stretched, as NumPy does it: let infer_type refuse {operands} of "
            "different shapes, by ad.ShapeError, or declare the operation by @ad.op(partials=...), "
            "which infers its type and sums the cotangents of what was stretched"
        )
    said = [guess(trials, [np.asarray(v) for v in column]) for column in zip(*rows, strict=True)]
    if not all(said):
        return ""
    whole = said[0] if len(said) == 1 else f"ad.TupleType([{', '.join(said)}])"
    return f". What would do:\n    def infer_type(self, {', '.join(trials[0].names)}):\n" \
           f"        return {whole}"  # fmt: skip


def stretched(t: Trial, row: tuple) -> bool:
    """Is it the shape of operands that were stretched to meet each other?"""
    try:
        return np.shape(row[0]) == np.broadcast_shapes(*[v.shape for v in t.values])
    except ValueError:
        return False


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


# ---- other dtypes, and lengths that are not known


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
