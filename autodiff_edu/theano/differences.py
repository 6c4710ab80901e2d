"""A gradient compared with differences: verify_grad, numeric_grad."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .core.variable import TABLES
from .derivatives import grad


class GradientError(Exception):
    """Raised where a gradient is not what differences say."""


class numeric_grad:
    """The gradient of a Python function of arrays, by differences; `gf` is it."""

    type_eps = {"float64": 1e-7, "float32": 3e-4, "float16": 1e-1}

    def __init__(
        self, f: Callable[..., Any], pt: Any, eps: float | None = None, out_type: Any = None
    ):
        points = [np.array(p) for p in (pt if isinstance(pt, (list, tuple)) else [pt])]
        eps = eps or max(self.type_eps[str(p.dtype)] for p in points)
        start = float(f(*points))
        found = []
        for p in points:
            slope = np.zeros_like(p)
            for k in np.ndindex(*p.shape):
                before = p[k]
                p[k] += eps
                slope[k] = (float(f(*points)) - start) / eps
                p[k] = before
            found.append(slope)
        self.gf = found if isinstance(pt, (list, tuple)) else found[0]

    @staticmethod
    def abs_rel_err(a: Any, b: Any) -> tuple[Any, Any]:
        """How far apart two arrays are, and how far for their size."""
        apart = np.abs(a - b)
        return apart, apart / np.maximum(np.abs(a) + np.abs(b), 1e-8)


TOLERANCES = {"float16": 5e-2, "float32": 1e-2, "float64": 1e-4}


def verify_grad(
    fun: Callable[..., Any],
    pt: Any,
    n_tests: int = 2,
    rng: Any = None,
    eps: float | None = None,
    out_type: Any = None,
    abs_tol: float | None = None,
    rel_tol: float | None = None,
    mode: Any = None,
    cast_to_output_type: bool = False,
    no_debug_ref: bool = True,
) -> None:
    """Compare the gradient of a random projection of fun with differences. Raises GradientError."""
    points = [np.array(p) for p in pt]
    if any(p.dtype.kind != "f" for p in points):
        raise TypeError(f"verify_grad takes points of floats, not {[p.dtype for p in points]}")
    if rng is None:
        raise TypeError("rng should be a valid instance of numpy.random.RandomState. You may "
                        "want to use theano.tests.unittest_tools.verify_grad instead")  # fmt: skip
    coarse = max((str(p.dtype) for p in points), key=lambda d: TOLERANCES[d])
    abs_tol, rel_tol = [TOLERANCES[coarse] if t is None else t for t in (abs_tol, rel_tol)]
    leaves = [TABLES["leaf"](p) for p in points]
    output = fun(*leaves)
    if isinstance(output, (list, tuple)):
        raise NotImplementedError("can't (yet) autotest gradient of fun with multiple outputs")
    compile_ = TABLES["function"]
    value = compile_(leaves, output, on_unused_input="ignore", allow_input_downcast=True)
    for _ in range(n_tests):
        weights = rng.random_sample(np.shape(value(*points))) + 0.5
        cost = (output * weights.astype(str(output.dtype))).sum()
        slopes = compile_(leaves, grad(cost, leaves, disconnected_inputs="ignore"),
                          on_unused_input="ignore", allow_input_downcast=True)(*points)  # fmt: skip
        total = lambda *values: np.sum(value(*values) * weights)  # noqa: B023
        numbers = numeric_grad(total, points, eps).gf
        for k, (a, b) in enumerate(zip(slopes, numbers, strict=True)):
            compare(k, a, b, abs_tol, rel_tol)


def compare(k: int, slope: Any, number: Any, abs_tol: float, rel_tol: float) -> None:
    """Raises GradientError where a gradient is not what differences say."""
    apart, relative = numeric_grad.abs_rel_err(slope, number)
    wrong = ~((apart <= abs_tol) | (relative <= rel_tol))
    if np.any(wrong):
        at = np.unravel_index(np.argmax(wrong), np.shape(wrong)) if np.ndim(wrong) else ()
        raise GradientError(f"argument {k} at {tuple(map(int, at))}: differences say "
                            f"{number[at]}, the gradient says {slope[at]}")  # fmt: skip


NAMES: dict[str, Any] = {
    f.__name__: f for f in (GradientError, numeric_grad, verify_grad)
}  # fmt: skip
