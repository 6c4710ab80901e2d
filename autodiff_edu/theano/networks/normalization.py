"""Batch normalisation, for training and for use."""

from typing import Any

from ... import ops
from ...expr import Expr
from ..arrays.leaves import expression
from ..core import lift

Axes = tuple[int, ...]


def axes_of(axes: Any, ndim: int) -> Axes:
    """Over which axes means are taken: "per-activation", "spatial" or a list."""
    if axes == "per-activation":
        return (0,)
    if axes == "spatial":
        return (0, *range(2, ndim))
    given = axes if isinstance(axes, (tuple, list)) else (axes,)
    return tuple(int(k) for k in given)


def lined_up(p: Any, x: Expr, axes: Axes) -> Expr:
    """A parameter with axes of length 1 where means are taken."""
    p = expression(p)
    if p.ndim == x.ndim:
        long = [k for k in axes if p.type.shape[k] != 1]
        return ops.reshape(p, tuple(1 if k in long else n for k, n in enumerate(p.shape))) if (
            long) else p  # fmt: skip
    if p.ndim != x.ndim - len(axes):
        raise ValueError(f"a parameter has {x.ndim} or {x.ndim - len(axes)} axes, not {p.ndim}")
    return ops.expand_dims(p, axis=axes) if axes else p


@lift
def batch_normalization_train(
    inputs: Any,
    gamma: Any,
    beta: Any,
    axes: Any = "per-activation",
    epsilon: float = 1e-4,
    running_average_factor: float = 0.1,
    running_mean: Any = None,
    running_var: Any = None,
) -> Any:
    """The normalised inputs, their mean, and 1 / their deviation; then the new running values."""
    x = expression(inputs)
    along = axes_of(axes, x.ndim)
    scale, shift = lined_up(gamma, x, along), lined_up(beta, x, along)
    centre = ops.mean(x, axis=along, keepdims=True)
    spread = ops.mean(ops.square(x - centre), axis=along, keepdims=True)
    inverse = 1.0 / ops.sqrt(spread + epsilon)
    found = [(x - centre) * (scale * inverse) + shift, centre, inverse]
    rate = running_average_factor
    if running_mean is not None:
        found.append(lined_up(running_mean, x, along) * (1 - rate) + centre * rate)
    if running_var is not None:
        n = ops.size(x, along)
        m = n.astype(x.dtype) if isinstance(n, Expr) else float(n)
        unbiased = m / (m - 1.0) * spread
        found.append(lined_up(running_var, x, along) * (1 - rate) + unbiased * rate)
    return tuple(found)


@lift
def batch_normalization_test(
    inputs: Any,
    gamma: Any,
    beta: Any,
    mean: Any,
    var: Any,
    axes: Any = "per-activation",
    epsilon: float = 1e-4,
) -> Any:
    """The inputs, normalised by a mean and a variance that are given."""
    x = expression(inputs)
    along = axes_of(axes, x.ndim)
    scale, shift, m, v = [lined_up(p, x, along) for p in (gamma, beta, mean, var)]
    return (x - m) * (scale / ops.sqrt(v + epsilon)) + shift


@lift
def batch_normalization(
    inputs: Any, gamma: Any, beta: Any, mean: Any, std: Any, mode: str = "low_mem"
) -> Any:
    """(inputs - mean) * gamma / std + beta."""
    x, g, b, m, s = map(expression, (inputs, gamma, beta, mean, std))
    return (x - m) * (g / s) + b


@lift
def train_grad(
    x: Any, dy: Any, scale: Any, x_mean: Any, x_invstd: Any, epsilon: Any = 1e-4,
    axes: Any = (0,),
) -> Any:  # fmt: skip
    """What comes back to the inputs, to gamma and to beta, of the cotangents dy."""
    x, dy, scale, centre, inverse = map(expression, (x, dy, scale, x_mean, x_invstd))
    along = axes_of(axes, x.ndim)
    scale, centre, inverse = [lined_up(p, x, along) for p in (scale, centre, inverse)]
    normal, pulled = (x - centre) * inverse, dy * scale
    level = ops.mean(pulled, axis=along, keepdims=True)
    lean = ops.mean(pulled * normal, axis=along, keepdims=True)
    return [inverse * (pulled - level - normal * lean),
            ops.sum(dy * normal, axis=along, keepdims=True),
            ops.sum(dy, axis=along, keepdims=True)]  # fmt: skip


MAKERS: dict[str, Any] = {
    "AbstractBatchNormTrain": lambda axes=(0,): lambda x, scale, bias, epsilon=1e-4, rate=0.1,
        mean=None, var=None: list(batch_normalization_train(
            x, scale, bias, axes, epsilon, rate, mean, var)),
    "AbstractBatchNormInference": lambda axes=(0,): lambda x, scale, bias, mean, var, epsilon=1e-4:
        batch_normalization_test(x, scale, bias, mean, var, axes, epsilon),
    "AbstractBatchNormTrainGrad": lambda axes=(0,): lambda *given: train_grad(*given, axes=axes),
}  # fmt: skip
NAMES: dict[str, Any] = {
    f.__name__: f for f in (batch_normalization, batch_normalization_test,
                            batch_normalization_train)
}  # fmt: skip
