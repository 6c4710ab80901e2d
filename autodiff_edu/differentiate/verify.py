"""`verify_grad`: a gradient against finite differences, along random directions of the result."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..expr import Expr, GradientError, Graph, Input, TensorType, constant, evaluate
from .reverse import reverse_mode

TOLERANCE = {"float64": 1e-5, "float32": 1e-2, "float16": 5e-2}


def verify_grad(
    function: Callable[..., Expr],
    point: Sequence[Any],
    n_tests: int = 2,
    rng: np.random.Generator | int | None = 0,
    eps: float | None = None,
    abs_tol: float | None = None,
    rel_tol: float | None = None,
) -> None:
    """Compare reverse mode with central differences of Σ u·f for random u in (0.5, 1.5).

    `function` takes expressions and returns one; `point` holds a value for each. Raises
    GradientError where an entry differs by more than abs_tol and by more than rel_tol.
    """
    values = [as_float_array(v) for v in point]
    inputs = [Input(f"x{k}", TensorType(v.dtype, v.shape)) for k, v in enumerate(values)]
    output = function(*inputs)
    shape = np.shape(evaluate(output, dict(zip(inputs, values, strict=True))))
    rng = np.random.default_rng(rng)
    for _ in range(n_tests):
        u = rng.uniform(0.5, 1.5, shape).astype(output.dtype)
        check(output, inputs, values, u, eps, abs_tol, rel_tol)


def as_float_array(value: Any) -> np.ndarray:
    array = np.array(value)
    return array if array.dtype.kind == "f" else array.astype("float64")


def check(output: Expr, inputs: list[Input], values: list, u: Any, eps: Any, *tols: Any) -> None:
    gradient = Graph(reverse_mode(output, inputs, constant(u)).outputs)
    at = dict(zip(inputs, values, strict=True))
    for k, x in enumerate(inputs):
        found = np.asarray(evaluate(Graph(gradient.outputs[k]), at))
        wanted = central_differences(partial(shifted, output, at, x, u), values[k], eps)
        compare(k, found, wanted, *tols)


def shifted(output: Expr, at: dict, x: Input, u: Any, value: Any) -> float:
    return project(output, {**at, x: value}, u)


def project(output: Expr, at: dict, u: Any) -> float:
    return float(np.sum(np.float64(u) * evaluate(output, at)))


def central_differences(f: Callable[[Any], float], v: np.ndarray, eps: float | None) -> np.ndarray:
    """(f(v + h) − f(v − h)) / 2h for each entry, with h near the cube root of the rounding."""
    slope = np.empty(v.shape)
    for place in np.ndindex(v.shape):
        h = (eps or float(np.finfo(v.dtype).eps) ** (1 / 3)) * max(1.0, abs(float(v[place])))
        high, low = v.copy(), v.copy()
        high[place] += h
        low[place] -= h
        slope[place] = (f(high) - f(low)) / (float(high[place]) - float(low[place]))
    return slope


def compare(k: int, found: Any, wanted: Any, abs_tol: Any = None, rel_tol: Any = None) -> None:
    tolerance = TOLERANCE[str(found.dtype)]
    error = np.abs(found - wanted)
    relative = error / np.maximum(np.maximum(np.abs(found), np.abs(wanted)), 1e-300)
    wrong = ~((error <= (abs_tol or tolerance)) | (relative <= (rel_tol or tolerance)))
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise GradientError(
            f"argument {k} at {place}: the gradient says {found[place]:.8g}, "
            f"finite differences {wanted[place]:.8g}"
        )
