"""Optimisers: each is a few lines that say what becomes of a parameter in one step.

    step = ad.function([x], cost, updates=adam(cost, [W, b]))

Letters: w a parameter, g its gradient, v m s what is remembered of earlier gradients.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .differentiate import grad
from .expr import DTypeError, Expr, Shared, at, shown
from .ops import shared, sqrt
from .ops.docs import complete

Updates = list[tuple[Shared, Expr]]


def sgd(cost: Any, parameters: Sequence[Shared], learning_rate: Any = 0.01) -> Updates:
    """Gradient descent, w ← w − η g.

    References
    ----------
    .. [1] H. Robbins and S. Monro, "A stochastic approximation method", 1951.

    Examples
    --------
    >>> w = ad.shared(1.0, "w")
    >>> step = ad.function([], w * w, updates=ad.optimisers.sgd(w * w, [w], 0.25))
    >>> step(), step()
    (np.float64(1.0), np.float64(0.25))
    """
    return [(w, (w - learning_rate * g).astype(w.dtype)) for w, g in gradients(cost, parameters)]


def momentum(
    cost: Any, parameters: Sequence[Shared], learning_rate: Any = 0.01, momentum: Any = 0.9
) -> Updates:
    """Gradient descent with momentum, v ← μ v − η g, w ← w + v.

    Parameters
    ----------
    momentum : Expr or float, default: 0.9
        How much of v stays, μ.

    References
    ----------
    .. [1] B. T. Polyak, "Some methods of speeding up the convergence of iteration methods",
       1964.

    Examples
    --------
    >>> w = ad.shared(1.0, "w")
    >>> step = ad.function([], w * w, updates=ad.optimisers.momentum(w * w, [w], 0.25))
    >>> step(), step()
    (np.float64(1.0), np.float64(0.25))
    """
    updates = []
    for w, g in gradients(cost, parameters):
        v = remembered(w, "v")
        new = (momentum * v - learning_rate * g).astype(w.dtype)
        updates += [(v, new), (w, w + new)]
    return updates


def adam(
    cost: Any,
    parameters: Sequence[Shared],
    learning_rate: Any = 0.001,
    beta1: Any = 0.9,
    beta2: Any = 0.999,
    epsilon: Any = 1e-8,
) -> Updates:
    """Adam, m ← β₁ m + (1−β₁) g, s ← β₂ s + (1−β₂) g², w ← w − η m̂ / (√ŝ + ε).

    After t steps, m̂ = m / (1−β₁ᵗ) and ŝ = s / (1−β₂ᵗ).

    Parameters
    ----------
    learning_rate : Expr or float, default: 0.001
        The step η.
    beta1 : Expr or float, default: 0.9
        How much of m stays.
    beta2 : Expr or float, default: 0.999
        How much of s stays.
    epsilon : Expr or float, default: 1e-08
        What keeps the quotient finite.

    References
    ----------
    .. [1] D. P. Kingma and J. Ba, "Adam: a method for stochastic optimization", 2015, algorithm
       1.

    Examples
    --------
    >>> w = ad.shared(1.0, "w")
    >>> step = ad.function([], w * w, updates=ad.optimisers.adam(w * w, [w], 0.25))
    >>> step(), step()
    (np.float64(1.0), np.float64(0.562500001875))
    """
    t = shared(0.0, "t")
    updates: Updates = [(t, t + 1)]
    for w, g in gradients(cost, parameters):
        m, s = remembered(w, "m"), remembered(w, "s")
        mean = beta1 * m + (1 - beta1) * g
        square = beta2 * s + (1 - beta2) * g**2
        rate = (learning_rate * sqrt(1 - beta2 ** (t + 1)) / (1 - beta1 ** (t + 1))).astype(w.dtype)
        scale = sqrt(square) + (epsilon * sqrt(1 - beta2 ** (t + 1))).astype(w.dtype)
        updates += [(m, mean), (s, square), (w, w - rate * mean / scale)]
    return updates


WORDS = {
    "cost": ("Expr or list of Expr",
             "One number, or a gradient for each parameter, changed already."),
    "parameters": ("list of Shared", "What is learned."),
    "learning_rate": ("Expr or float, default: 0.01", "The step η."),
}  # fmt: skip
complete((sgd, momentum, adam), WORDS, Returns="list of tuple\n    The `updates` of `ad.function`.")


# ---- what all of them need


def gradients(cost: Any, parameters: Iterable[Shared]) -> list[tuple[Shared, Expr]]:
    """Each parameter with its gradient. Raises TypeError for what is none of both, ValueError where
    there are more of one."""
    if isinstance(parameters, Expr):
        raise TypeError(f"parameters are a list, also of one: write [{parameters}]")
    learned = list(parameters)
    for w in learned:
        check_parameter(w)
    if not isinstance(cost, Iterable):
        raise TypeError(f"a cost is an expression, or a list of gradients, not {shown(cost)}")
    given = grad(cost, learned) if isinstance(cost, Expr) else list(cost)
    if len(given) != len(learned):
        raise ValueError(f"{len(given)} gradients are given for {len(learned)} parameters: give "
                         "one for each, or the cost itself")  # fmt: skip
    return list(zip(learned, given, strict=True))


def check_parameter(w: Any) -> None:
    """Raise TypeError for what is not shared, DTypeError for what moves in no small steps."""
    if not isinstance(w, Shared):
        raise TypeError(f"parameters are made by ad.shared(value, name), which {w!r} is not")
    if not w.type.is_float:
        raise DTypeError(f"{w} is {w.dtype}{at(w)}, and steps down a slope are small: "
                         "write its value as floats, as in ad.shared(1.0)")  # fmt: skip


def remembered(w: Shared, mark: str) -> Shared:
    """A shared value like w, zero at first."""
    return shared(np.zeros_like(w.get_value()), f"{mark}_{w.name or 'w'}", shape=w.type.shape)
