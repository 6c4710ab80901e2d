"""A training step of a small network, written with the old names and with ours.

Old programs are not to be slower: the ratio is that of the fastest turns of each.
"""

from time import perf_counter

import numpy as np
from _report import show

import autodiff_edu as ad
import autodiff_edu.theano as theano
import autodiff_edu.theano.tensor as T

TARGET = 1.1  # times as long
HOW = """An MLP of 64, 100 and 10 units, 20 examples a step, plain gradient descent. The two
programs take turns, {repeats} times {steps} steps."""


def values() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.normal(size=s) * 0.1 for s in ((64, 100), (100,), (100, 10), (10,))]


def old():
    """The step as programs of Theano's years wrote it."""
    x, t = T.matrix("x"), T.ivector("t")
    w = [theano.shared(v) for v in values()]
    p = T.nnet.softmax(T.dot(T.tanh(T.dot(x, w[0]) + w[1]), w[2]) + w[3])
    cost = -T.mean(T.log(p)[T.arange(t.shape[0]), t])
    updates = [(a, a - 0.1 * g) for a, g in zip(w, T.grad(cost, w))]
    return theano.function([x, t], cost, updates=updates)


def new():
    """The same with today's names."""
    x, t = ad.matrix("x"), ad.vector("t", dtype="int32")
    w = [ad.shared(v) for v in values()]
    p = ad.softmax(ad.dot(ad.tanh(ad.dot(x, w[0]) + w[1]), w[2]) + w[3], axis=1)
    cost = -ad.mean(ad.log(p)[ad.arange(t.shape[0]), t])
    updates = [(a, a - 0.1 * g) for a, g in zip(w, ad.grad(cost, w))]
    return ad.function([x, t], cost, updates=updates)


def main(repeats: int = 30, steps: int = 50) -> None:
    rng = np.random.default_rng(1)
    x, t = rng.random((20, 64)), rng.integers(0, 10, 20).astype("int32")
    programs, fastest = (old(), new()), [float("inf")] * 2
    for _ in range(repeats):
        for k, step in enumerate(programs):
            start = perf_counter()
            for _ in range(steps):
                step(x, t)
            fastest[k] = min(fastest[k], (perf_counter() - start) / steps)
    first, second = fastest
    rows = [
        ["old", f"{1e6 * first:.0f}", f"{first / second:.2f}", TARGET],
        ["ours", f"{1e6 * second:.0f}", "1", ""],
    ]
    show(
        "Old names",
        HOW.format(repeats=repeats, steps=steps),
        ["names", "µs a step", "times ours", "target"],
        rows,
    )


if __name__ == "__main__":
    main()
