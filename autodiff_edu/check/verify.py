"""`verify_grad`: a gradient against finite differences, along random directions of the result.

With f the function, u a random cotangent and φ = Σ u·f, every entry of ∂φ/∂x is compared with a
central difference, and φ(x + hd) − φ(x) − h·⟨∂φ/∂x, d⟩, which falls like h² where the gradient is
right, along a random direction d.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..differentiate import reverse_mode
from ..expr import Expr, GradientError, Graph, Input, TensorType, constant, evaluate

TOLERANCE = {"float64": 1e-5, "float32": 1e-2, "float16": 5e-2}
SIDES = 1e-3  # one-sided slopes that differ by this part may tell of a kink
ROUNDING = 64  # in units of the last digit of Σ|u·f|


class Verified(NamedTuple):
    """What `verify_grad` found: the largest error of an entry, relative, or absolute where that is
    smaller; the order at which the remainder of the linear model falls, 2 for a right gradient
    (inf where nothing remains); and the entries within a step of a kink, as (argument, place)."""

    error: float
    slope: float
    kinks: tuple[tuple[int, tuple[int, ...]], ...]


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

    `function` takes expressions and returns one; `point` holds a value for each. Raises
    GradientError where an entry differs by more than abs_tol and by more than rel_tol (1e-5, in
    float32 1e-2). Without an abs_tol, what counts is how exact the difference itself is: its
    rounding, and what changes with twice the step. The step is eps, by default the cube root of
    the rounding, times max(1, |x|). Where the function has a kink, any slope between those from
    both sides passes.
    """
    values = [as_float_array(v) for v in point]
    inputs = [Input(f"x{k}", TensorType(v.dtype, v.shape)) for k, v in enumerate(values)]
    output = function(*inputs)
    shape = np.shape(evaluate(output, dict(zip(inputs, values, strict=True))))
    rng = np.random.default_rng(rng)
    found = []
    for _ in range(n_tests):
        u = rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)
        one = Projection(output, inputs, values, np.asarray(u, output.dtype))
        found.append(one.verify(rng, eps, abs_tol, rel_tol))
    kinks = dict.fromkeys(k for one in found for k in one.kinks)
    worst = max(one.error for one in found)
    return Verified(worst, min(one.slope for one in found), tuple(kinks))


def as_float_array(value: Any) -> np.ndarray:
    array = np.array(value)
    return array if array.dtype.kind == "f" else array.astype("float64")


class Slopes(NamedTuple):
    """Difference quotients at one entry, and how much of each may be rounding."""

    left: float
    right: float
    central: float
    rounding: float

    @property
    def gap(self) -> float:
        return abs(self.right - self.left)


class Projection:
    """φ = Σ u·f of an output, as a function of the values of the inputs."""

    def __init__(self, output: Expr, inputs: list[Input], values: list[np.ndarray], u: Any):
        self.output, self.inputs, self.values, self.u = output, inputs, values, np.float64(u)
        at = dict(zip(inputs, values, strict=True))
        gradient = Graph(reverse_mode(output, inputs, constant(u)).outputs)
        self.gradient = [np.asarray(evaluate(Graph(g), at)) for g in gradient.outputs]
        terms = self.u * evaluate(output, at)
        self.start, self.size = float(np.sum(terms)), float(np.sum(np.abs(terms)))
        self.ulp = float(np.finfo(output.dtype).eps)

    def __call__(self, values: Sequence[np.ndarray]) -> float:
        at = dict(zip(self.inputs, values, strict=True))
        return float(np.sum(self.u * evaluate(self.output, at)))

    def verify(
        self, rng: Any, eps: float | None, abs_tol: float | None, rel_tol: float | None
    ) -> Verified:
        worst, kinks = 0.0, []
        for k, v in enumerate(self.values):
            part = TOLERANCE[str(v.dtype)] if rel_tol is None else rel_tol
            for place in np.ndindex(v.shape):
                h = step(v, place, eps)
                slopes, found = self.slopes(k, place, h), float(self.gradient[k][place])
                if self.kinked(k, place, h, slopes):
                    between(found, slopes, k, place)
                    kinks.append((k, place))
                    continue
                error, size = abs(found - slopes.central), max(abs(found), abs(slopes.central))
                if not error <= part * size:
                    allowed = self.resolution(k, place, h) if abs_tol is None else abs_tol
                    if not error <= allowed:
                        raise wrong(found, slopes, k, place)
                worst = max(worst, min(error, error / size) if size else 0.0)
        return Verified(worst, self.taylor_slope(rng, eps), tuple(kinks))

    def slopes(self, k: int, place: tuple[int, ...], h: float) -> Slopes:
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

    def resolution(self, k: int, place: tuple[int, ...], h: float) -> float:
        """How exact the central difference is: its rounding, and what is left of truncation."""
        near, far = self.slopes(k, place, h), self.slopes(k, place, 2 * h)
        return near.rounding + abs(far.central - near.central)

    def kinked(self, k: int, place: tuple[int, ...], h: float, at: Slopes) -> bool:
        """Whether the slopes from both sides differ by more than a curvature explains: what that
        contributes falls with the step."""
        if not at.gap > max(SIDES * max(abs(at.left), abs(at.right)), at.rounding):
            return False
        for n in (3, 10):
            narrow = self.slopes(k, place, h / n)
            if abs(n * narrow.gap - at.gap) > at.gap / 2 + n * narrow.rounding:
                return True
        return False

    def taylor_slope(self, rng: np.random.Generator, eps: float | None) -> float:
        """The order in h of φ(x + hd) − φ(x) − h·⟨∂φ/∂x, d⟩ for a random direction d, from the
        five smallest h at which that is no rounding."""
        wide = 1.0 if eps is None else eps / self.ulp ** (1 / 3)
        d = [wide * rng.normal(size=v.shape) for v in self.values]
        points = []
        for h in 10.0 ** np.linspace(-1, -4, 13):
            there = [(v + h * t).astype(v.dtype) for v, t in zip(self.values, d, strict=True)]
            linear = [
                np.sum(g * np.float64(to - v))
                for g, to, v in zip(self.gradient, there, self.values, strict=True)
            ]
            remainder = abs(self(there) - self.start - sum(linear))
            noise = 100 * self.ulp * (self.size + np.sum(np.abs(linear)))
            if np.isfinite(remainder) and remainder > noise:
                points.append((np.log(h), np.log(remainder)))
        if len(points) < 3:
            return np.inf
        steps, remainders = np.array(points[-5:]).T
        return float(np.polyfit(steps, remainders, 1)[0])


def between(found: float, slopes: Slopes, k: int, place: tuple[int, ...]) -> None:
    """At a kink, any slope between those from both sides is as good as another."""
    low, high = sorted((slopes.left, slopes.right))
    slack = SIDES * max(abs(low), abs(high))
    if not low - slack <= found <= high + slack:
        sides = f", from the two sides {low:.4g} and {high:.4g}: there is a kink"
        raise wrong(found, slopes, k, place, sides)


def wrong(
    found: float, slopes: Slopes, k: int, place: tuple[int, ...], hint: str = ""
) -> GradientError:
    entry = f"argument {k} at {place}" if place else f"argument {k}"
    if not np.isfinite(slopes.central):
        hint = ": the step may leave the domain, give a smaller eps"
    said = f"the gradient says {found:.8g}, finite differences {slopes.central:.8g}"
    return GradientError(f"{entry} of Σ u·f: {said}{hint}")


def step(v: np.ndarray, place: tuple[int, ...], eps: float | None) -> float:
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
