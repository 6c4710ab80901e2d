"""`verify_grad`: a gradient against finite differences, along random directions of the result.

With f the function, u a random cotangent and φ = Σ u·f, every entry of ∂φ/∂x is compared with a
central difference, and φ(x + hd) − φ(x) − h·⟨∂φ/∂x, d⟩, which falls like h² where the gradient is
right, along a random direction d.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..expr import Expr, GradientError, Graph, Input, TensorType, constant, evaluate
from .reverse import reverse_mode

TOLERANCE = {"float64": 1e-5, "float32": 1e-2, "float16": 5e-2}
SIDES = 1e-3  # one-sided slopes that differ by this part tell of a kink


class Verified(NamedTuple):
    """What `verify_grad` found: the largest relative error of an entry; the order at which the
    remainder of the linear model falls, 2 for a right gradient (inf where nothing remains); and
    the entries at which the function has a kink, as (argument, place)."""

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
    """Compare reverse mode with central differences of Σ u·f for random u in (0.5, 1.5).

    `function` takes expressions and returns one; `point` holds a value for each. Raises
    GradientError where an entry differs by more than abs_tol and by more than rel_tol. Where the
    slopes from both sides differ the function has a kink: any slope between them passes.
    """
    values = [as_float_array(v) for v in point]
    inputs = [Input(f"x{k}", TensorType(v.dtype, v.shape)) for k, v in enumerate(values)]
    output = function(*inputs)
    shape = np.shape(evaluate(output, dict(zip(inputs, values, strict=True))))
    rng = np.random.default_rng(rng)
    found = []
    for _ in range(n_tests):
        u = rng.uniform(0.5, 1.5, shape).astype(output.dtype)
        found.append(Projection(output, inputs, values, u).verify(rng, eps, abs_tol, rel_tol))
    kinks = dict.fromkeys(k for one in found for k in one.kinks)
    worst = max(one.error for one in found)
    return Verified(worst, min(one.slope for one in found), tuple(kinks))


def as_float_array(value: Any) -> np.ndarray:
    array = np.array(value)
    return array if array.dtype.kind == "f" else array.astype("float64")


class Projection:
    """φ = Σ u·f of an output, as a function of the values of the inputs."""

    def __init__(self, output: Expr, inputs: list[Input], values: list[np.ndarray], u: Any):
        self.output, self.inputs, self.values, self.u = output, inputs, values, u
        self.at = dict(zip(inputs, values, strict=True))
        gradient = Graph(reverse_mode(output, inputs, constant(u)).outputs)
        found = [evaluate(Graph(g), self.at) for g in gradient.outputs]
        self.gradient = [np.asarray(g) for g in found]

    def __call__(self, *values: Any) -> float:
        at = dict(zip(self.inputs, values, strict=True))
        return float(np.sum(np.float64(self.u) * evaluate(self.output, at)))

    def along(self, k: int, value: Any) -> float:
        """φ with another value of the k-th input."""
        return self(*[value if j == k else v for j, v in enumerate(self.values)])

    def verify(self, rng: Any, eps: float | None, *tolerances: float | None) -> Verified:
        worst, kinks = 0.0, []
        for k, v in enumerate(self.values):
            wanted = central_differences(partial(self.along, k), v, eps)
            wrong, relative = compared(self.gradient[k], wanted, *tolerances)
            for place in map(tuple, np.argwhere(wrong).tolist()):
                kinks.append((k, self.kink(k, place, wanted, eps)))
            right = relative[~wrong]
            worst = max(worst, float(right.max())) if right.size else worst
        return Verified(worst, self.taylor_slope(rng), tuple(kinks))

    def kink(self, k: int, place: tuple[int, ...], wanted: Any, eps: float | None) -> tuple:
        """The place, if the function has a kink there that explains the slope; else an error."""
        h = step(self.values[k], place, eps)
        left, right = sorted(self.one_sided(k, place, side * h) for side in (-1, 1))
        found, size = float(self.gradient[k][place]), max(abs(left), abs(right), 1e-300)
        if right - left > SIDES * size and left - SIDES * size <= found <= right + SIDES * size:
            return place
        sides = f", from the two sides {left:.4g} and {right:.4g}: there is a kink"
        raise GradientError(
            f"argument {k} at {place}: the gradient says {found:.8g}, finite differences "
            f"{wanted[place]:.8g}{sides if right - left > SIDES * size else ''}"
        )

    def one_sided(self, k: int, place: tuple[int, ...], h: float) -> float:
        moved = self.values[k].copy()
        moved[place] += h
        return (self.along(k, moved) - self(*self.values)) / h

    def taylor_slope(self, rng: np.random.Generator) -> float:
        """The order in h of φ(x + hd) − φ(x) − h·⟨∂φ/∂x, d⟩ for a random direction d."""
        d = [rng.normal(size=v.shape) for v in self.values]
        slope = sum(float(np.sum(g * t)) for g, t in zip(self.gradient, d, strict=True))
        start = self(*self.values)
        noise = 100 * float(np.finfo(self.output.dtype).eps) * max(1.0, abs(start))
        points = []
        for h in 10.0 ** np.linspace(-1, -4, 13):
            there = self(
                *[(v + h * t).astype(v.dtype) for v, t in zip(self.values, d, strict=True)]
            )
            remainder = abs(there - start - h * slope)
            if np.isfinite(remainder) and remainder > noise:
                points.append((np.log(h), np.log(remainder)))
        logs = np.array(points)
        return float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0]) if len(logs) > 2 else np.inf


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


def compared(
    found: np.ndarray, wanted: np.ndarray, abs_tol: float | None, rel_tol: float | None
) -> tuple[np.ndarray, np.ndarray]:
    """Which entries are wrong, and the relative errors of all."""
    tolerance = TOLERANCE[str(found.dtype)]
    error = np.abs(found - wanted)
    relative = error / np.maximum(np.maximum(np.abs(found), np.abs(wanted)), 1e-300)
    right = (error <= (abs_tol or tolerance)) | (relative <= (rel_tol or tolerance))
    return ~right, np.minimum(relative, error)
