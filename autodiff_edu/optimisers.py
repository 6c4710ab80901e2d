"""Optimisers: each is a few lines that say what becomes of a parameter in one step.

    step = ad.function([x], cost, updates=adam(cost, [W, b]))

Letters: w a parameter, g its gradient, v m s what is remembered of earlier gradients.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .differentiate import grad
from .expr import Expr, Shared
from .ops import shared, sqrt

Updates = list[tuple[Shared, Expr]]


def sgd(cost: Any, parameters: Sequence[Shared], learning_rate: Any = 0.01) -> Updates:
    """w ← w − η g   (Robbins and Monro 1951).

    cost: a 0-d expression, or a gradient for each parameter, changed already.
    """
    return [(w, w - learning_rate * g) for w, g in gradients(cost, parameters)]


def momentum(
    cost: Any, parameters: Sequence[Shared], learning_rate: Any = 0.01, momentum: Any = 0.9
) -> Updates:
    """v ← μ v − η g,   w ← w + v   (Polyak 1964)."""
    updates = []
    for w, g in gradients(cost, parameters):
        v = remembered(w, "v")
        new = momentum * v - learning_rate * g
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
    """m ← β₁ m + (1−β₁) g,   s ← β₂ s + (1−β₂) g²,   w ← w − η m̂ / (√ŝ + ε), where after t steps
    m̂ = m / (1−β₁ᵗ) and ŝ = s / (1−β₂ᵗ)   (Kingma and Ba 2015, algorithm 1)."""
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


# ---- what all of them need


def gradients(cost: Any, parameters: Sequence[Shared]) -> list[tuple[Shared, Expr]]:
    """Each parameter with its gradient. Raises TypeError for one that is not shared."""
    for w in parameters:
        if not isinstance(w, Shared):
            raise TypeError(f"parameters are made by ad.shared(value, name), which {w!r} is not")
    given = grad(cost, list(parameters)) if isinstance(cost, Expr) else list(cost)
    return list(zip(parameters, given, strict=True))


def remembered(w: Shared, mark: str) -> Shared:
    """A shared value like w, zero at first."""
    return shared(np.zeros_like(w.get_value()), f"{mark}_{w.name or 'w'}", shape=w.type.shape)
