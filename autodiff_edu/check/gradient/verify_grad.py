"""`verify_grad`: a gradient against finite differences, along random directions of the result.

With f the function, u a random cotangent and φ = Σ u·f, every entry of ∂φ/∂x is compared with a
central difference, and φ(x + hd) − φ(x) − h·⟨∂φ/∂x, d⟩, which falls like h² where the gradient is
right, along a random direction d.
"""

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from ...differentiate import reverse_mode
from ...expr import Expr, GradientError, constant, evaluate, is_function, shown
from .crossing import Branching, PiecewiseProjection
from .differences import TOLERANCE, Entry, Place, Projection, Tolerance, Values


class Findings(NamedTuple):
    """What `verify_grad` always tells, in this order."""

    error: float
    slope: float
    kinks: tuple[tuple[int, Place], ...]


class Verified(Findings):
    """What `verify_grad` found; it unpacks as (error, slope, kinks).

    Parameters
    ----------
    error : float
        The largest error of an entry, relative, or absolute where that is smaller.
    slope : float
        The order at which the remainder of the linear model falls, 2 for a right gradient
        (inf where nothing remains).
    kinks : tuple of tuple
        The entries within a step of a kink, as (argument, place).
    crossed : tuple of str, default: ()
        Where a step crosses a condition of the function, in words: the argument, the line,
        and whether the value jumps there.

    Examples
    --------
    >>> ad.verify_grad(ad.sin, [1.0]).error < 1e-6
    True
    """

    crossed: tuple[str, ...]

    def __new__(
        cls,
        error: float,
        slope: float,
        kinks: tuple[tuple[int, Place], ...],
        crossed: tuple[str, ...] = (),
    ) -> "Verified":
        self = super().__new__(cls, error, slope, kinks)
        self.crossed = crossed
        return self

    def __repr__(self) -> str:
        more = f", crossed={self.crossed!r}" * bool(self.crossed)
        return f"{super().__repr__()[:-1]}{more})"


@np.errstate(all="ignore")
def verify_grad(
    function: Callable[..., Expr],
    point: Sequence[Any],
    n_tests: int = 2,
    rng: np.random.Generator | int | None = 0,
    eps: float | None = None,
    abs_tol: float | None = None,
    rel_tol: float | None = None,
) -> Verified:
    """Compare reverse mode with central differences of Σ u·f, for random u of either sign.

    Without an abs_tol, what counts is how exact the difference itself is: its rounding, and
    what changes with twice the step. Where the function has a kink, any slope between those
    from both sides passes. A function may branch: each point has its own path. Where a step
    crosses a condition at which the value jumps, the slope is that of the path of the point.

    Parameters
    ----------
    function : callable
        It takes expressions and returns one.
    point : list of array_like
        A value for each argument.
    n_tests : int, default: 2
        How many u.
    rng : Generator or int, default: 0
        Where u comes from.
    eps : float, optional
        The step, times max(1, |x|); by default the cube root of the rounding.
    abs_tol : float, optional
        What may differ at least.
    rel_tol : float, optional
        What may differ, as a part; by default 1e-5, in float32 1e-2.

    Returns
    -------
    Verified
        The largest error that was met, the slope of the Taylor test, the entries at a kink,
        and the conditions that a step crosses.

    Raises
    ------
    GradientError
        If an entry differs by more than abs_tol and by more than rel_tol.

    Examples
    --------
    >>> ad.verify_grad(lambda x: ad.sum(ad.sin(x)), [np.array([0.5, 1.0])]).kinks
    ()
    """
    check_arguments(function, point)
    values = [as_float_array(v) for v in point]
    f = Branching(function, values)
    output, inputs, _ = f.formula
    rng, shape = np.random.default_rng(rng), f.shape
    how, found = Tolerance(eps, abs_tol, rel_tol), []
    for _ in range(n_tests):
        u = constant(rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape), output.dtype)
        adjoints = reverse_mode(output, inputs, u).outputs
        gradient = [np.asarray(evaluate(g, f.formula.given(values))) for g in adjoints]
        found.append(verify(PiecewiseProjection(f, values, [u.value], gradient, how), rng))
    kinks = dict.fromkeys(k for one in found for k in one.kinks)
    crossed = dict.fromkeys(words for one in found for words in one.crossed)
    worst = max(one.error for one in found)
    return Verified(worst, min(one.slope for one in found), tuple(kinks), tuple(crossed))


def check_arguments(function: Any, point: Any) -> None:
    """Raises TypeError unless they are a function and a list of values."""
    if not is_function(function):
        raise TypeError(f"verify_grad checks a Python function, such as lambda x: x**2, not "
                        f"{shown(function)}: the point is its second argument")  # fmt: skip
    if not isinstance(point, (list, tuple)) or any(isinstance(v, Expr) for v in point):
        raise TypeError("the point of verify_grad is a list with the value of each argument: "
                        "ad.verify_grad(f, [3.0]) or ad.verify_grad(f, [x_value, y_value]), not "
                        f"{shown(point)}")  # fmt: skip


def as_float_array(value: Any) -> np.ndarray:
    """A value of the point. Raises TypeError for what is no array of real numbers."""
    array = np.array(value)
    if array.dtype != object or not all(isinstance(v, Real) for v in array.flat):
        array = np.array(constant(value).value)
    return array if str(array.dtype) in TOLERANCE else array.astype("float64")


def verify(f: Projection, rng: np.random.Generator) -> Verified:
    """Every entry and a random direction. Raises GradientError."""
    worst, kinks = 0.0, []
    crossed: list[str] = []
    for k, v in enumerate(f.values):
        for place in np.ndindex(v.shape):
            entry = f.entry(k, place)
            if not entry.right:
                raise wrong(entry)
            worst = max(worst, entry.error)
            kinks += [(k, place)] * entry.kink
            crossed += entry.crossed
    return Verified(worst, taylor_slope(f, rng), tuple(kinks), tuple(crossed))


def taylor_slope(f: Projection, rng: np.random.Generator) -> float:
    """The order in h of φ(x + hd) − φ(x) − h·⟨∂φ/∂x, d⟩ for a random direction d, from the
    five smallest h at which that is no rounding."""
    wide = 1.0 if f.how.eps is None else f.how.eps / f.ulp ** (1 / 3)
    d = [wide * rng.normal(size=v.shape) for v in f.values]
    points, steps = [], list(10.0 ** np.linspace(-1, -4, 13))

    def line(h: float) -> Values:
        return [(v + h * t).astype(v.dtype) for v, t in zip(f.values, d, strict=True)]

    f = f.along(line, steps)
    for h in steps:
        there = line(h)
        linear = [
            np.sum(g * (to - v).astype("float64"))
            for g, to, v in zip(f.gradient, there, f.values, strict=True)
        ]
        remainder = abs(f(there) - f.start - sum(linear))
        noise = max(f.noise, 100 * f.ulp * (f.size + np.sum(np.abs(linear))))
        if np.isfinite(remainder) and remainder > noise:
            points.append((np.log(h), np.log(remainder)))
    if len(points) < 3:
        return np.inf
    widths, remainders = np.array(points[-5:]).T
    return float(np.polyfit(widths, remainders, 1)[0])


def wrong(entry: Entry) -> GradientError:
    k, place, found, slopes, kink, _, crossed = entry
    where = f"argument {k} at {place}" if place else f"argument {k}"
    hint = ""
    if kink:
        low, high = sorted((slopes.left, slopes.right))
        hint = f", from the two sides {low:.4g} and {high:.4g}: there is a kink"
    if not np.isfinite(slopes.central):
        hint = ": the step may leave the domain, give a smaller eps"
    said = f"the gradient says {found:.8g}, finite differences {slopes.central:.8g}"
    return GradientError("; ".join([f"{where} of Σ u·f: {said}{hint}", *crossed]))
