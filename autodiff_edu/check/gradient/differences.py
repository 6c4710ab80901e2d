"""Difference quotients: the slopes of φ = Σ u·f, and whether a gradient agrees with them.

Letters: f a function of arrays with one array or a tuple of them as its result, u a number for each
entry of that, k the place of an argument, h a step.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...expr import cached_property

TOLERANCE = {"float64": 1e-5, "float32": 1e-2, "float16": 5e-2}
SIDES = 1e-3  # one-sided slopes that differ by this part may tell of a kink
ROUNDING = 64  # in units of the last digit of Σ|u·f|
PARTS = 256  # of a step, from one point to the next of those that tell the noise
ODD = (-7, -5, -3, -1, 1, 3, 5, 7)  # units in the last place
FLAT = 4  # of sixteen small moves change the value, at most, where few digits are left
WIDER = (2.0, 4.0, 8.0, 16.0, 32.0)  # steps, where the value is the same all over one step
NOISY = 16  # times its median: the largest of thousands of differences stays below

Place = tuple[int, ...]
Values = Sequence[np.ndarray]
Line = Callable[[float], Values]  # the point moved in one direction, so far


class Slopes(NamedTuple):
    """Difference quotients at one entry, and how much of each may be rounding."""

    left: float
    right: float
    central: float
    rounding: float

    @property
    def gap(self) -> float:
        return abs(self.right - self.left)


class Tolerance(NamedTuple):
    """The step of the differences, and how far a gradient may be off; None for the usual."""

    eps: float | None = None
    absolute: float | None = None
    relative: float | None = None


USUAL = Tolerance()


class Entry(NamedTuple):
    """What the gradient and the differences say of an entry of the k-th argument."""

    k: int
    place: Place
    found: float
    slopes: Slopes
    kink: bool
    right: bool
    crossed: tuple[str, ...] = ()  # where a step leaves the path of the point

    @property
    def error(self) -> float:
        """Relative, or absolute where that is smaller; 0 at a kink."""
        error = abs(self.found - self.slopes.central)
        size = max(abs(self.found), abs(self.slopes.central))
        return min(error, error / size) if size and not self.kink else 0.0


class Projection:
    """φ = Σ u·f, as a function of the arguments of f, and what is taken for its gradient."""

    def __init__(
        self,
        f: Callable[[Sequence[Any]], Any],
        values: Values,
        u: Sequence[Any],
        gradient: Sequence[Any],
        how: Tolerance = USUAL,
    ):
        self.f, self.values, self.gradient, self.how = f, values, gradient, how
        self.u = [np.asarray(c, "float64") for c in u]
        terms = self.terms(values)
        self.start = float(sum(np.sum(t) for t in terms))
        self.size = float(sum(np.sum(np.abs(t)) for t in terms))
        self.ulp = rounding(u)

    def terms(self, values: Values) -> list[np.ndarray]:
        found = self.f(values)
        results = found if isinstance(found, tuple) else (found,)
        return [c * y for c, y in zip(self.u, results, strict=True)]

    def __call__(self, values: Values) -> float:
        return float(sum(np.sum(t) for t in self.terms(values)))

    def entry(self, k: int, place: Place) -> Entry:
        """The gradient against the difference at one entry; at a kink, any slope between those from
        both sides is as good as another."""
        h = step(self.values[k], place, self.how.eps)
        found, slopes = float(self.gradient[k][place]), self.slopes(k, place, h)
        if self.kinked(k, place, h, slopes):
            low, high = sorted((slopes.left, slopes.right))
            slack = SIDES * max(abs(low), abs(high))
            return Entry(k, place, found, slopes, True, low - slack <= found <= high + slack)
        return Entry(k, place, found, slopes, False, self.near(found, slopes, k, place, h))

    def near(self, found: float, slopes: Slopes, k: int, place: Place, h: float) -> bool:
        usual = TOLERANCE[str(self.values[k].dtype)]
        part = usual if self.how.relative is None else self.how.relative
        error, size = abs(found - slopes.central), max(abs(found), abs(slopes.central))
        if error <= part * size:
            return True
        absolute = self.how.absolute
        return error <= (self.resolution(k, place, h) if absolute is None else absolute)

    def along(self, line: Line, steps: Sequence[float]) -> "Projection":
        """What to compare with the gradient on a line through the point, in these steps."""
        return self

    @cached_property
    def noise(self) -> float:
        """How far φ(x − h) − 2φ(x) + φ(x + h) may be off, however small h is."""
        rng = np.random.default_rng(0)
        floats = [v for v in self.values if v.dtype.kind == "f"]
        spread = min((few_units(v, self.how.eps) for v in floats), default=2)
        steps = [a_little(v, rng) for v in self.values]
        return noise(
            lambda t: self([(v + t * d).astype(v.dtype) for v, d in zip(self.values, steps)]),
            spread,
        )

    def slopes(self, k: int, place: Place, h: float) -> Slopes:
        """Of φ in one entry of the k-th input, over a step h to both sides."""
        x, ends, heights = float(self.values[k][place]), [], []
        for side in (-h, h):
            moved = self.moved(k, place, side)
            ends.append(float(moved[k][place]))
            heights.append(self(moved))
        (low, high), (down, up) = ends, heights
        return Slopes(
            (self.start - down) / (x - low),
            (up - self.start) / (high - x),
            (up - down) / (high - low),
            ROUNDING * self.ulp * self.size / h,
        )

    def moved(self, k: int, place: Place, by: float) -> list[np.ndarray]:
        """The arguments with one entry moved."""
        found = [v.copy() if j == k else v for j, v in enumerate(self.values)]
        found[k][place] += by
        return found

    def resolution(self, k: int, place: Place, h: float) -> float:
        """How exact the central difference is: its rounding, and what is left of truncation."""
        near, far = self.slopes(k, place, h), self.slopes(k, place, 2 * h)
        noise = max(self.noise, self.coarse_noise(k, place, h))
        return max(near.rounding, noise / h) + abs(far.central - near.central)

    def coarse_noise(self, k: int, place: Place, h: float) -> float:
        """The noise where φ is rounded so coarsely that it shows over a whole step alone."""
        return coarse_noise(lambda t: self(self.moved(k, place, t * h)))

    def kinked(self, k: int, place: Place, h: float, at: Slopes) -> bool:
        """Whether the slopes from both sides differ by more than a curvature explains: what that
        contributes falls with the step."""
        if not at.gap > max(SIDES * max(abs(at.left), abs(at.right)), at.rounding):
            return False
        if not at.gap > self.noise / h:
            return False
        for n in (3, 10):
            narrow = self.slopes(k, place, h / n)
            rounding = max(narrow.rounding, n * self.noise / h)
            if abs(n * narrow.gap - at.gap) > at.gap / 2 + n * rounding:
                rounding = max(rounding, n * self.coarse_noise(k, place, h) / h)
                return abs(n * narrow.gap - at.gap) > at.gap / 2 + n * rounding
        return False


def noise(at: Callable[[int], float], spread: int) -> float:
    """How far second differences of a function may be off because it is rounded on the way.

    `at(t)` is its value t steps away, of which `spread` are still few. So near, a smooth function
    is straight: how far a value is from the line through its neighbours is noise. The median
    counts: a kink or a jump shows in one or two of them. The places are drawn at random, since at
    even ones the roundings may all be the same.

    References: R. W. Hamming, Numerical Methods for Scientists and Engineers, 1973, chapter 10;
    J. J. Moré and S. M. Wild, Estimating computational noise, SIAM J. Sci. Comput. 33, 2011.
    """
    t = np.arange(-4, 5) * spread + np.random.default_rng(0).integers(0, spread // 2, 9)
    y = np.array([at(int(place)) for place in t])
    part = (t[1:-1] - t[:-2]) / (t[2:] - t[:-2])
    found = 2 * np.abs(y[1:-1] - (1 - part) * y[:-2] - part * y[2:])
    found = found[np.isfinite(found)]
    return NOISY * float(np.median(found)) if found.size else 0.0


def coarse_noise(at: Callable[[float], float]) -> float:
    """The same for places up to a step away, from how far a value is from the cubic through four
    neighbours. A smooth function is a cubic there; a kink shows in four of them at most."""
    t = (np.arange(-8, 9) + np.random.default_rng(0).uniform(-0.25, 0.25, 17)) / 8
    y = np.array([at(float(place)) for place in t])
    steps = np.abs(np.diff(y))
    if not steps.any():
        return stair(at)
    if np.count_nonzero(steps) <= FLAT:  # a staircase: what is between its steps is lost
        return float(steps.max())
    found = np.abs([y[k] - cubic(t, y, k) for k in range(2, len(t) - 2)])
    found = found[np.isfinite(found)]
    return NOISY * float(np.median(found)) if found.size else 0.0


def stair(at: Callable[[float], float]) -> float:
    """The height of the nearest step of a staircase that is flat here; 0 where none is near."""
    here = at(0.0)
    for far in WIDER:
        height = max(abs(at(far) - here), abs(at(-far) - here))
        if height:
            return height
    return 0.0


def cubic(t: np.ndarray, y: np.ndarray, k: int) -> float:
    """The value at t[k] of the cubic through the two places on each side, by Lagrange."""
    others = [k - 2, k - 1, k + 1, k + 2]
    weights = [np.prod([(t[k] - t[i]) / (t[j] - t[i]) for i in others if i != j]) for j in others]
    return float(np.dot(weights, y[others]))


def a_little(v: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For each entry an odd number of units in the last place, of either sign: v moves by exactly
    that, and in many such steps all its digits change."""
    if v.dtype.kind != "f":
        return np.zeros(v.shape)
    binade = np.ldexp(1.0, np.frexp(np.maximum(1.0, abs(v)))[1] - 1)
    return rng.choice(ODD, v.shape) * float(np.finfo(v.dtype).eps) * binade


def few_units(v: np.ndarray, eps: float | None) -> int:
    """How many units in the last place are a small part of a step."""
    ulp = float(np.finfo(v.dtype).eps)
    return max(2, int((eps or ulp ** (1 / 3)) / PARTS / ulp / 4))


def rounding(arrays: Sequence[Any]) -> float:
    """A unit in the last digit of the least precise of these floats, as a part."""
    return float(max(np.finfo(v.dtype).eps for v in arrays))


def step(v: np.ndarray, place: Place, eps: float | None) -> float:
    """The width of a difference, near the cube root of the rounding."""
    return (eps or float(np.finfo(v.dtype).eps) ** (1 / 3)) * max(1.0, abs(float(v[place])))


def central_differences(f: Callable[[Any], float], v: np.ndarray, eps: float | None) -> np.ndarray:
    """(f(v + h) − f(v − h)) / 2h for each entry."""
    slope = np.empty(v.shape)
    for place in np.ndindex(v.shape):
        h = step(v, place, eps)
        high, low = v.copy(), v.copy()
        high[place] += h
        low[place] -= h
        slope[place] = (f(high) - f(low)) / (float(high[place]) - float(low[place]))
    return slope
