"""Whether the slopes of both sides of a rule exist at the same points.

Equal formulas may differ in that: the slope of e^−x² / erfc x exists everywhere, that of
1 / erfcx x is inf/inf where x < −26. So would a derivative of what a rule leaves be.
"""

from collections.abc import Sequence

import numpy as np

from ...differentiate import grad
from ...expr import Expr, Input, postorder, text
from ...rewrite import simplify
from .equivalence import Compared, number, places
from .points import point
from .values import moderate


def lost_slope(sides: Sequence[Compared], mode: str) -> str | None:
    """In words, the first point at which the left side has a slope and the right side has none."""
    for values in sides:
        nodes = postorder([values.before])
        if not of_number(values.before) or len({n.dtype for n in nodes if n.type.is_float}) > 1:
            continue  # where dtypes are mixed, fewer rules speak of what is left
        for x in filter(of_number, inputs_of(values.before)):
            problem = first_lost(values, x, mode)
            if problem is not None:
                return problem
    return None


def first_lost(values: Compared, x: Expr, mode: str) -> str | None:
    """The same for one use and one input."""
    use = values.use
    sides = [grad(y, x, disconnected_inputs="ignore", null_gradients="return") for y in use[:2]]
    if not all(isinstance(y, Expr) and y.type.is_float for y in sides):
        return None  # a derivative that is not defined has no number
    at = {i: values.draws[i] for i in inputs_of(use.before)}
    slopes = Compared(use._replace(before=sides[0], after=sides[1]), draws=dict(at))
    lost = slopes.inside & np.isfinite(slopes.L) & np.isnan(slopes.R) & np.isfinite(values.R)
    if lost.any():  # for good, or until all rules are used before and after?
        last = grad(simplify(use.after, mode=mode).output, x, disconnected_inputs="ignore")
        lost &= np.isnan(slopes.column(simplify(last, mode=mode).output))
    for k in places(lost):
        here = point(at, k)
        fair = moderate if mode == "real" else lambda v: np.isfinite(v).all()
        if all(map(fair, here.values())):
            where = ", ".join(f"{i.name} = {number(v)}" for i, v in here.items())
            return (
                f"{text(use.before)} → {text(use.after)} loses its slope at {where}: by {x.name} "
                f"it is {number(slopes.L[k])} on the left, and nan on the right"
            )
    return None


def inputs_of(node: Expr) -> list[Expr]:
    return [n for n in postorder([node]) if isinstance(n, Input)]


def of_number(x: Expr) -> bool:
    return x.type.is_float and not x.ndim
