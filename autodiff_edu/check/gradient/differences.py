"""Difference quotients: the slopes of φ = Σ u·f, and whether a gradient agrees with them.

Letters: f a function of arrays with one array or a tuple of them as its result, u a number for each
entry of that, k the place of an argument, h a step.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

TOLERANCE = {"float64": 1e-5, "float32": 1e-2, "float16": 5e-2}
SIDES = 1e-3  # one-sided slopes that differ by this part may tell of a kink
ROUNDING = 64  # in units of the last digit of Σ|u·f|
PARTS = 256  # of a step, from one point to the next of those that tell the noise
NOISY = 16  # times its median: the largest of thousands of differences stays below

Place = tuple[int, ...]


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
        values: Sequence[np.ndarray],
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

    def terms(self, values: Sequence[np.ndarray]) -> list[np.ndarray]:
        found = self.f(values)
        results = found if isinstance(found, tuple) else (found,)
        return [c * y for c, y in zip(self.u, results, strict=True)]

    def __call__(self, values: Sequence[np.ndarray]) -> float:
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

    @cached_property
    def noise(self) -> float:
        """How far φ(x − h) − 2φ(x) + φ(x + h) may be off, however small h is."""
        rng = np.random.default_rng(0)
        steps = [a_little(v, self.how.eps, rng) for v in self.values]
        return noise(
            lambda t: self([(v + t * d).astype(v.dtype) for v, d in zip(self.values, steps)])
        )

    def slopes(self, k: int, place: Place, h: float) -> Slopes:
        """Of φ in one entry of the k-th input, over a step h to both sides."""
        x, ends, heights = float(self.values[k][place]), [], []
        for side in (-h, h):
            moved = [v.copy() if j == k else v for j, v in enumerate(self.values)]
            moved[k][place] += side
            ends.append(float(moved[k][place]))
            heights.append(self(moved))
        (low, high), (down, up) = ends, heights
        return Slopes(
            (self.start - down) / (x - low),
            (up - self.start) / (high - x),
            (up - down) / (high - low),
            ROUNDING * self.ulp * self.size / h,
        )

    def resolution(self, k: int, place: Place, h: float) -> float:
        """How exact the central difference is: its rounding, and what is left of truncation."""
        near, far = self.slopes(k, place, h), self.slopes(k, place, 2 * h)
        return max(near.rounding, self.noise / h) + abs(far.central - near.central)

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
                return True
        return False


def noise(at: Callable[[int], float]) -> float:
    """How far second differences of a function may be off because it is rounded on the way.

    `at(t)` is its value t small steps away. So near, a smooth function is straight, and what second
    differences show is noise. The median counts: a kink or a jump shows in one or two of them.

    References: R. W. Hamming, Numerical Methods for Scientists and Engineers, 1973, chapter 10;
    J. J. Moré and S. M. Wild, Estimating computational noise, SIAM J. Sci. Comput. 33, 2011.
    """
    found = np.abs(np.diff([at(t) for t in range(-4, 5)], 2))
    found = found[np.isfinite(found)]
    return NOISY * float(np.median(found)) if found.size else 0.0


def a_little(v: np.ndarray, eps: float | None, rng: np.random.Generator) -> np.ndarray:
    """For each entry a small part of `step`, of either sign: many units in the last place, a random
    whole number of them, so that v moves by exactly that and all its digits change."""
    if v.dtype.kind != "f":
        return np.zeros(v.shape)
    ulp = float(np.finfo(v.dtype).eps)
    n = max(4, int((eps or ulp ** (1 / 3)) / PARTS / ulp))
    binade = np.ldexp(1.0, np.frexp(np.maximum(1.0, abs(v)))[1] - 1)
    return rng.integers(n, 2 * n, v.shape) * rng.choice([-1.0, 1.0], v.shape) * ulp * binade


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
