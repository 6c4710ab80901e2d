"""Numbers: a differential equation solved by SciPy, for several states at once.

Letters: z all states as one vector.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from ...expr import ConvergenceError, LazyModule
from .numbers import Function
from .solvers import attainable

integration = LazyModule("scipy.integrate")
METHODS = "DOP853", "RK45", "RK23", "LSODA", "Radau", "BDF"
MOST = 1_000_000  # calls of the rate


class Tolerances(NamedTuple):
    """By which method an equation is solved, and how far a step may be off."""

    method: str
    rtol: float
    atol: float


class Packing:
    """Arrays as one vector, and back."""

    def __init__(self, arrays: Sequence[np.ndarray]):
        self.shapes = [a.shape for a in arrays]
        self.dtypes = [a.dtype for a in arrays]
        self.ends = list(accumulate([a.size for a in arrays], initial=0))

    def pack(self, arrays: Sequence[Any]) -> np.ndarray:
        return np.concatenate([np.ravel(a) for a in arrays], dtype=float)

    def unpack(self, z: np.ndarray) -> list[Any]:
        """The arrays; axes that stand before the last one of z stay."""
        parts = [z[..., a:b] for a, b in pairwise(self.ends)]
        rows = zip(parts, self.shapes, self.dtypes, strict=True)
        return [p.reshape((*z.shape[:-1], *shape)).astype(dtype)[()] for p, shape, dtype in rows]


class Slope:
    """The rate as a function of a number and a vector, which knows where it was asked last."""

    def __init__(self, rate: Function, packing: Packing, clock: np.dtype, others: Sequence[Any]):
        self.rate, self.packing, self.clock, self.others = rate, packing, clock, others
        self.calls, self.last = 0, 0.0

    def __call__(self, t: float, z: np.ndarray) -> np.ndarray:
        self.calls, self.last = self.calls + 1, float(t)
        if self.calls > MOST:
            raise stopped(self.last, f"after {MOST:,} calls of the rate")
        rates = self.rate(*self.packing.unpack(z), self.clock.type(t), *self.others)
        found = self.packing.pack(rates if isinstance(rates, list) else [rates])
        if self.calls == 1:
            check_finite(found, self.last)
        return found


def trajectory(how: Tolerances, states: int, rate: Function, *values: Any) -> list[Any]:
    """The states at all times, where `rate` gives one array, or a list of several. Raises
    ConvergenceError, and ValueError for times out of order."""
    starts = [np.asarray(v) for v in values[:states]]
    times, packing = np.asarray(values[states]), Packing(starts)
    begin, (distinct, places) = packing.pack(starts), in_order(times)
    if len(distinct) < 2 or not begin.size:
        return packing.unpack(np.tile(begin, (len(times), 1)))
    slope = Slope(rate, packing, times.dtype, values[states + 1 :])
    return packing.unpack(solved(how, slope, distinct, begin, starts[0].dtype)[places])


def in_order(times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The times that differ, from the first to the last, and the place of each among them."""
    steps = np.diff(times)
    one_way = (steps >= 0).all() or (steps <= 0).all()
    if not (len(times) and one_way and np.isfinite(times).all()):
        raise ValueError("the times are one or more, finite, and go one way, forward or back, "
                         "beginning with that of y0: sort them")  # fmt: skip
    distinct, places = np.unique(times, return_inverse=True)
    if (steps < 0).any():
        return distinct[::-1].astype(float), len(distinct) - 1 - places
    return distinct.astype(float), places


def solved(
    how: Tolerances, slope: Slope, times: np.ndarray, begin: np.ndarray, dtype: np.dtype
) -> np.ndarray:
    """A row for each of the times. Where only the end is asked for, nothing is interpolated."""
    check_finite(begin, times[0])
    rtol, asked = attainable(how.rtol, dtype), times[1:] if len(times) > 2 else None
    found = integration.solve_ivp(
        slope, (times[0], times[-1]), begin, how.method, t_eval=asked, rtol=rtol, atol=how.atol
    )
    if not (found.success and np.isfinite(found.y).all()):
        raise stopped(slope.last, "near which no step is small enough")
    return np.array([begin, *found.y.T[1 - len(times) :]])


def check_finite(found: np.ndarray, t: float) -> None:
    """Raises ConvergenceError where an equation cannot begin."""
    if not np.isfinite(found).all():
        raise stopped(t, "where the rate is not a finite number")


def stopped(t: float, why: str) -> ConvergenceError:
    return ConvergenceError(
        f"the solver stopped at t = {t:.4g}, {why}. The solution may grow without bound, or the "
        'equation may be stiff: write method="Radau", or larger tolerances'
    )
