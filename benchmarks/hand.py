"""Values and gradients written by hand in NumPy, as one writes them well: what is used twice is
computed once, products of matrices do the heavy work, and no line says `out=`.

Run by itself, it compares each gradient with central differences, and prints the times.
"""

from collections.abc import Callable
from math import cos, exp, log, sin, sqrt, tanh
from statistics import median
from typing import Any

import numpy as np
from _report import interleaved, show
from _workloads import COEFFICIENTS, WORKLOADS, repeated

# ---- Python floats


def polynomial(x):
    p, slope = COEFFICIENTS[0], 0.0
    for c in COEFFICIENTS[1:]:
        p, slope = p * x + c, slope * x + p
    return p, slope


def polynomial_in_full(x):
    """The same without a loop, which is faster."""
    a, b, c, d, e, f, g, h, i, j, k = COEFFICIENTS
    p1 = a * x + b
    p2 = p1 * x + c
    p3 = p2 * x + d
    p4 = p3 * x + e
    p5 = p4 * x + f
    p6 = p5 * x + g
    p7 = p6 * x + h
    p8 = p7 * x + i
    p9 = p8 * x + j
    q = a * x + p1
    q = q * x + p2
    q = q * x + p3
    q = q * x + p4
    q = q * x + p5
    q = q * x + p6
    q = q * x + p7
    q = q * x + p8
    q = q * x + p9
    return p9 * x + k, q


def trigonometry(x, y, z):
    product, decay, root = x * y, exp(-z), sqrt(x * x + y * z)
    wave, turn, logarithm, bent = sin(product), cos(z), log(1.5 + x), tanh(y - z)
    below = 1.0 + z * turn
    ratio = root / below
    half = 0.5 / (root * below)
    slope, tilt = cos(product) * decay, logarithm * (1.0 - bent * bent)
    return (
        wave * decay + ratio + logarithm * bent,
        slope * y + 2.0 * x * half + bent / (1.5 + x),
        slope * x + z * half + tilt,
        y * half - wave * decay - ratio * (turn - z * sin(z)) / below - tilt,
    )


# ---- arrays


def rosenbrock(x):
    low = x[:-1]
    bend, rest = x[1:] - low * low, 1 - low
    slope = np.zeros_like(x)
    slope[1:] = 200 * bend
    slope[:-1] -= 400 * bend * low + 2 * rest
    return 100 * (bend @ bend) + rest @ rest, slope


def logistic(w, X, t):
    z = X @ w
    e = np.exp(-np.abs(z))
    value = np.mean(np.maximum(z, 0) + np.log1p(e) - t * z)
    p = np.where(z >= 0, 1, e) / (1 + e)
    return value, X.T @ ((p - t) / len(t))


def logistic_product(w, X, t, v):
    z = X @ w
    e = np.exp(-np.abs(z))
    return (X.T @ ((X @ v) * (e / (1 + e) ** 2 / len(t))),)


def perceptron(W1, b1, W2, b2, W3, b3, X, T):
    h1 = np.maximum(X @ W1 + b1, 0)
    h2 = np.maximum(h1 @ W2 + b2, 0)
    z = h2 @ W3 + b3
    z = z - z.max(axis=1, keepdims=True)
    e = np.exp(z)
    total = e.sum(axis=1, keepdims=True)
    value = np.sum(T * (np.log(total) - z)) / len(X)
    g3 = (e / total - T) / len(X)
    g2 = (g3 @ W3.T) * (h2 > 0)
    g1 = (g2 @ W2.T) * (h1 > 0)
    slopes = X.T @ g1, g1.sum(axis=0), h1.T @ g2, g2.sum(axis=0), h2.T @ g3, g3.sum(axis=0)
    return value, *slopes


def elementwise(x):
    wave, turn, decay = np.sin(x), np.cos(x), np.exp(-0.5 * x)
    squared, bent = 1 + x * x, np.tanh(x * decay)
    below, logarithm = 2 + turn, np.log(squared)
    y = wave * decay + logarithm / below - bent
    inner = (
        (turn - 0.5 * wave) * decay
        + (2 * x / squared + logarithm * wave / below) / below
        - (1 - bent * bent) * decay * (1 - 0.5 * x)
    )
    return np.sum(y * y), 2 * y * inner


def recurrent(U, W, xs, h):
    hs = np.empty((len(xs) + 1, *h.shape))
    hs[0] = h
    into = xs @ U
    for k in range(len(xs)):
        hs[k + 1] = np.tanh(into[k] + hs[k] @ W)
    later = hs[1:]
    back, rows, slope = np.zeros_like(h), np.empty_like(later), 1 - later * later
    for k in reversed(range(len(xs))):
        rows[k] = (back + 2 * later[k]) * slope[k]
        back = rows[k] @ W.T
    flat = rows.reshape(-1, W.shape[0])
    into_U = xs.reshape(-1, U.shape[0]).T @ flat
    return np.sum(later * later), into_U, hs[:-1].reshape(-1, W.shape[0]).T @ flat


def distances(x, y):
    square = np.sum(x * x, axis=1)[:, None] + np.sum(y * y, axis=1) - 2 * (x @ y.T)
    far = np.sqrt(square + 1e-6)
    weight = 1 / far
    rows, columns = weight.sum(axis=1)[:, None], weight.sum(axis=0)[:, None]
    return np.sum(far), rows * x - weight @ y, columns * y - weight.T @ x


HAND: dict[str, Callable[..., tuple]] = {
    "polynomial": polynomial_in_full,
    "trigonometry": trigonometry,
    "Rosenbrock": rosenbrock,
    "logistic regression": logistic,
    "MLP": perceptron,
    "elementwise": elementwise,
    "RNN": recurrent,
    "pairwise distances": distances,
    "Hessian-vector product": logistic_product,
}


# ---- are they right?


def by_differences(value: Callable[..., Any], values: list, place: int, along: Any) -> float:
    """The slope of the value when one argument moves along a direction."""
    step = 1e-6
    ends = [[*values[:place], values[place] + s * along, *values[place + 1 :]]
            for s in (step, -step)]  # fmt: skip
    return float(value(*ends[0]) - value(*ends[1])) / (2 * step)


def gap(name: str, size: float) -> float:
    """The largest relative distance of a hand-written slope from the differences."""
    workload = WORKLOADS[name]
    values, draw = workload.values(size), np.random.default_rng(1)
    found, worst = HAND[name](*values), 0.0
    if workload.product:  # the slope, along v, of the gradient, along a direction
        along = draw.normal(size=values[0].shape)

        def slope(w, *rest):
            return HAND["logistic regression"](w, *rest[:-1])[1] @ along

        expected = by_differences(slope, values, 0, values[-1])
        return abs(found[0] @ along - expected) / abs(expected)
    for place, gradient in zip(workload.wrt, found[1:], strict=True):
        along = draw.normal(size=np.shape(values[place]))
        expected = by_differences(lambda *v: HAND[name](*v)[0], values, place, along)
        missed = abs(np.sum(gradient * along) - expected)
        worst = max(worst, missed / max(abs(expected), 1e-6))
    return worst


HOW = "Programs by hand. The distance is that of a slope from central differences, relative."


def main(size: float = 1.0, repeats: int = 7) -> None:
    """The time of each, and how far it is from differences."""
    rows = []
    for name, run in HAND.items():
        values = WORKLOADS[name].values(size)
        times = interleaved(repeats, repeated(run, values, WORKLOADS[name].calls))[0]
        each = 1e6 * median(times) / WORKLOADS[name].calls
        rows.append([name, f"{each:.4g}", f"{gap(name, size):.0e}"])
    show("Value and gradient by hand", HOW, ("workload", "microseconds", "distance"), rows)


if __name__ == "__main__":
    main()
