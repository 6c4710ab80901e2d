"""What programs.py measures: formulas in NumPy's words, for any engine that speaks them.

A formula is given the engine's own module in place of `np`, and what that calls otherwise.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

COEFFICIENTS = (0.3, -1.2, 0.7, 2.1, -0.4, 1.3, 0.9, -0.6, 0.25, 1.1, -0.8)


class Workload(NamedTuple):
    """A cost, the values of its arguments, and what is asked of it."""

    cost: Callable[..., Any]  # (np, *arguments)
    values: Callable[[float], list]  # by size: 1 is that of the table
    wrt: tuple[int, ...]
    limit: float  # ours, at most so many times the program by hand
    calls: int = 1  # in one measurement
    product: bool = False  # the Hessian times the last argument, instead of value and gradient


def repeated(run: Callable[..., Any], values: list, calls: int) -> Callable[[], None]:
    """Work that calls a function so often."""

    def work() -> None:
        for _ in range(calls):
            run(*values)

    return work


# ---- formulas


def polynomial(np, x):
    p = COEFFICIENTS[0]
    for c in COEFFICIENTS[1:]:
        p = p * x + c
    return p


def trigonometry(np, x, y, z):
    return (
        np.sin(x * y) * np.exp(-z)
        + np.sqrt(x * x + y * z) / (1.0 + z * np.cos(z))
        + np.log(1.5 + x) * np.tanh(y - z)
    )


def rosenbrock(np, x):
    low = x[:-1]
    return np.sum(100 * (x[1:] - low**2) ** 2 + (1 - low) ** 2)


def logistic(np, w, X, t):
    z = X @ w
    return np.mean(np.softplus(z) - t * z)


def perceptron(np, W1, b1, W2, b2, W3, b3, X, T):
    h = np.maximum(X @ W1 + b1, 0.0)
    h = np.maximum(h @ W2 + b2, 0.0)
    e = np.exp(h @ W3 + b3)
    return -np.sum(T * np.log(e / np.sum(e, axis=1, keepdims=True))) / X.shape[0]


def elementwise(np, x):
    decay = np.exp(-0.5 * x)
    y = np.sin(x) * decay + np.log(1 + x * x) / (2 + np.cos(x)) - np.tanh(x * decay)
    return np.sum(y * y)


def recurrent(np, U, W, xs, h):
    hs = np.scan(lambda x, h: np.tanh(x @ U + h @ W), xs, h)
    return np.sum(hs * hs)


def distances(np, x, y):
    rows, columns = np.sum(x * x, axis=1), np.sum(y * y, axis=1)
    return np.sum(np.sqrt(rows[:, None] + columns - 2 * (x @ y.T) + 1e-6))


# ---- values


def drawn(*shapes: tuple[int, ...]) -> list:
    """Normal numbers, small enough that nothing saturates."""
    draw = np.random.default_rng(0)
    return [draw.normal(size=shape) / np.sqrt(shape[0]) for shape in shapes]


def scaled(size: float, *lengths: int) -> list[int]:
    return [max(2, int(size * n)) for n in lengths]


def for_logistic(size: float) -> list:
    m, n = scaled(size, 1000, 100)
    w, X = drawn((n,), (m, n))
    return [w, X * np.sqrt(m), np.arange(m) % 2 * 1.0]


def for_perceptron(size: float) -> list:
    m, a, b, c = scaled(size, 128, 784, 256, 128)
    weights = drawn((a, b), (b,), (b, c), (c,), (c, 10), (10,))
    return [*weights, *drawn((m, a)), np.eye(10)[np.arange(m) % 10]]


def for_recurrent(size: float) -> list:
    steps, batch, hidden = scaled(size, 100, 32, 64)
    return drawn((hidden, hidden), (hidden, hidden), (steps, batch, hidden), (batch, hidden))


def for_distances(size: float) -> list:
    m, n, d = scaled(size, 500, 500, 50)
    x, y = drawn((m, d), (n, d))
    return [x, 1 + y]


def line(n: int) -> Callable[[float], list]:
    return lambda size: [np.linspace(-1.5, 2.0, max(3, int(size * n)))]


WORKLOADS = {
    "polynomial": Workload(polynomial, lambda size: [0.7], (0,), 1.2, 10_000),
    "trigonometry": Workload(trigonometry, lambda size: [0.7, 1.3, 0.4], (0, 1, 2), 1.1, 10_000),
    "Rosenbrock": Workload(rosenbrock, line(1000), (0,), 0.85, 300),
    "logistic regression": Workload(logistic, for_logistic, (0,), 1.0, 100),
    "MLP": Workload(perceptron, for_perceptron, (0, 1, 2, 3, 4, 5), 0.95, 3),
    "elementwise": Workload(elementwise, line(1_000_000), (0,), 0.5),
    "RNN": Workload(recurrent, for_recurrent, (0, 1), 0.95, 2),
    "pairwise distances": Workload(distances, for_distances, (0, 1), 0.95, 5),
    "Hessian-vector product": Workload(
        logistic, lambda size: [*for_logistic(size), drawn((max(2, int(size * 100)),))[0]],
        (0,), 1.0, 100, True),
}  # fmt: skip
