"""Graphs of every kind, for benchmarks: each function makes about n operations on few inputs.

It returns one number, the cost, and the inputs by which it is differentiated.
"""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np

import autodiff_edu as ad
from autodiff_edu.expr import Input


class Family(NamedTuple):
    """How a kind of graph is made of about n operations, and the mode in which it is simplified."""

    make: Callable[[int], tuple[ad.Expr, list[Any]]]
    mode: str = "safe"


def names(count: int) -> list[Input]:
    """Inputs that are numbers."""
    return [ad.scalar(f"x{k}") for k in range(count)]


def total(terms: list[ad.Expr]) -> ad.Expr:
    """The sum from left to right."""
    result = terms[0]
    for term in terms[1:]:
        result = result + term
    return result


# ---- chains and trees


def horner(n: int) -> tuple:
    """A polynomial, one multiplication and one addition a step."""
    (x,) = (v,) = names(1)
    for k in range(n // 2):
        v = v * x + (1 + k % 7)
    return v, [x]


def sin_times_x(n: int) -> tuple:
    """v = sin(v) · x, whose derivative by x is a long sum."""
    (x,) = (v,) = names(1)
    for _ in range(n // 2):
        v = ad.sin(v) * x
    return v, [x]


def kept_sum(n: int) -> tuple:
    """v + v·x/2 and sin(v)·x by turns: the derivative by x is a long sum that stays as it is."""
    (x,) = (v,) = names(1)
    for k in range(2 * n // 5):
        v = ad.sin(v) * x if k % 2 else v + 0.5 * v * x
    return v, [x]


def tree(n: int) -> tuple:
    """A balanced tree, by turns of sums and products, over numbers times ten inputs."""
    inputs = names(10)
    level = [(1 + k / n) * inputs[k % 10] for k in range(n // 2)]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2])
        join = ad.add if len(level) % 4 < 2 else ad.multiply
        level = [join(x, y) for x, y in pairs] + level[len(level) // 2 * 2 :]
    return level[0], inputs


# ---- graphs drawn by chance

RING: list[Callable[..., Any]] = [ad.add, ad.multiply]
TWENTY: list[Callable[..., Any]] = [
    ad.add, ad.subtract, ad.multiply, ad.divide, ad.maximum, ad.minimum,
    *(lambda x, y, f=f: f(x) for f in (
        ad.sin, ad.cos, ad.exp, ad.log, ad.tanh, ad.sqrt, ad.square, ad.abs, ad.negative,
        ad.sigmoid, ad.arctan)),
    lambda x, y: x**3, lambda x, y: 1 - x, lambda x, y: ad.where(x > y, x, y),
]  # fmt: skip

JOINED: list[Callable[..., Any]] = [
    lambda x, y: x * (1 - ad.exp(3 * y)), lambda x, y: ad.log(1 + ad.exp(x)), lambda x, y: x * x,
    lambda x, y: ad.exp(x) / (ad.exp(x) + ad.exp(y)), lambda x, y: (x + y) * (x - y),
    lambda x, y: x / (1 + ad.exp(-y)), lambda x, y: ad.sin(x) * y, lambda x, y: ad.tanh(x) * y + y,
    lambda x, y: 2 * x * y + 3 * y * x, lambda x, y: x * y / (x * x), lambda x, y: ad.sqrt(x) * y,
]  # fmt: skip


def drawn(n: int, operations: list, chance: Random, reach: int = 20) -> tuple:
    """Operations drawn by chance, each on two of the latest values."""
    inputs = names(4)
    made: list[ad.Expr] = [*inputs]
    while len(made) < n:
        x, y = (chance.choice(made[-reach:]) for _ in range(2))
        made.append(chance.choice(operations)(x, y))
    return total(made[-20:]), inputs


def mixed(n: int, seed: int) -> tuple:
    """Some of all operations, as many inputs back as the seed says: for a search for the worst."""
    chance = Random(seed)
    several = chance.sample(TWENTY + JOINED, chance.randint(1, 8))
    return drawn(n, several, chance, chance.choice([2, 3, 8, 20, 100]))


def random_ring(n: int) -> tuple:
    """Random sums and products."""
    return drawn(n, RING, Random(1))


def random_twenty(n: int) -> tuple:
    """Random graphs of twenty operations."""
    return drawn(n, TWENTY, Random(1))


# ---- much of one thing


def much_used(n: int) -> tuple:
    """A variable that is used n/3 times: its adjoint is a sum of as many terms."""
    (x,) = names(1)
    return total([ad.sin((1 + k) * x) for k in range(n // 3)]), [x]


def thousands(n: int) -> tuple:
    """Sums and products of a thousand terms each, in a hundred inputs."""
    inputs, rows = names(100), []
    for j in range(max(1, n // 2000)):
        row = [inputs[(j + k * (k + 1) // 2) % 100] for k in range(min(1000, n // 2))]
        power = row[0]
        for x in row[1:]:
            power = power * x
        rows.append(total(row) * ad.tanh(power))
    return total(rows), inputs


def long_join(n: int) -> tuple:
    """A vector joined of n/3 pieces, and cut again."""
    x = ad.vector("x", shape=8)
    pieces = [ad.sin(x[k % 8 : k % 8 + 1]) for k in range(n // 3)]
    joined = np.concatenate(pieces)
    return ad.sum(joined[1:] * joined[:-1]), [x]


def logs_and_exps(n: int) -> tuple:
    """Logarithms and exponentials within each other."""
    (x,) = (v,) = names(1)
    for k in range(n // 8):
        v = ad.log(1 + ad.exp(v)) - ad.log(ad.exp(v) + ad.exp(x * (k % 3 - 1)))
    return v, [x]


# ---- networks as one writes them with NumPy


def weights(count: int, *shape: int) -> list[Input]:
    """Inputs that are arrays."""
    return [ad.tensor(f"w{k}", shape=shape) for k in range(count)]


def perceptron(n: int) -> tuple:
    """tanh(W·h + b), layer on layer, and a squared error."""
    matrices, (h, *biases) = weights(6, 4, 4), [ad.vector(f"b{k}", shape=4) for k in range(6)]
    inputs = [*matrices, h, *biases]
    for k in range(n // 3):
        h = np.tanh(matrices[k % 6] @ h + biases[k % 5])
    return np.mean((h - 1) ** 2), inputs


def convolution(n: int) -> tuple:
    """Convolutions written with slices, each with a ramp behind it."""
    kernel, x = ad.vector("kernel", shape=3), ad.vector("x", shape=16)
    h = x
    for _ in range(n // 13):
        padded = np.pad(h, 1)
        h = np.maximum(total([padded[k : k + 16] * kernel[k] for k in range(3)]) + 0.1, 0)
    return np.sum(h * h), [kernel, x]


def attention(n: int) -> tuple:
    """Attention as in transformers, block on block, with residual connections."""
    queries, keys, values = weights(3, 4, 4)
    x = ad.matrix("x", shape=(3, 4))
    h = x
    for _ in range(n // 17):
        scores = (h @ queries) @ (h @ keys).T / np.sqrt(4)
        e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
        h = h + (e / np.sum(e, axis=1, keepdims=True)) @ (h @ values)
        h = h / np.sqrt(1 + np.mean(h * h))
    return np.sum(h), [queries, keys, values, x]


# ---- the worst that were found


def nested_differences(n: int) -> tuple:
    """e·(1 − exp(k·x)) within each other."""
    (x,) = (e,) = names(1)
    for k in range(n // 4):
        e = e * (1 - ad.exp((k % 5 + 1) * (e if k % 2 else x)))
    return e, [x]


def long_quotient(n: int) -> tuple:
    """A quotient of quotients, none of whose denominators can be 0: it is one long fraction."""
    (x,) = (v,) = names(1)
    for k in range(n // 4):
        v = v / (2 + ad.exp((k + 1) / n * x))
    return v, [x]


def fifty_names(n: int) -> tuple:
    """Differences of products of fifty names, in which much might meet."""
    inputs, rows = names(50), []
    for j in range(max(1, n // 200)):
        left = total([x * inputs[(j + 7 * k) % 50] for k, x in enumerate(inputs)])
        right = total([x * inputs[(j + 3 * k) % 50] for k, x in enumerate(inputs)])
        rows.append(left - right)
    return total([row * row for row in rows]), inputs


def factors(n: int) -> tuple:
    """v·x + v·y + x·y, which can be factored in many ways."""
    x, y = names(2)
    v = x
    for _ in range(n // 5):
        v = v * x + v * y + x * y
    return v, [x, y]


FAMILIES = {
    make.__name__.replace("_", " "): Family(make)
    for make in (
        horner, sin_times_x, kept_sum, tree, random_ring, random_twenty, much_used,
        thousands, long_join, logs_and_exps, perceptron, convolution, attention,
        nested_differences, long_quotient, fifty_names)
} | {"factors, real": Family(factors, "real")}  # fmt: skip
