"""Loops: `scan` and its gradient against the same loops written by hand in NumPy, and the memory of
the way back with checkpoints.

A recurrent network h ← tanh(x U + h W) over a batch, with its gradient by back-propagation through
time; and h ← tanh(w h + ½) for single numbers, in plain Python.
"""

import math
import tracemalloc

import numpy as np
from _report import interleaved, show, spread

import autodiff_edu as ad

BATCH, DATA, HIDDEN = 16, 16, 32


def by_hand(U, W, h, xs):
    """The network forward and back: Σ h² and its gradients by U and W."""
    hs = np.empty((len(xs) + 1, *h.shape))
    hs[0] = h
    into = xs @ U
    for t in range(len(xs)):
        hs[t + 1] = np.tanh(into[t] + hs[t] @ W)
    back, rows, slope = np.zeros_like(h), np.empty_like(hs[1:]), 1 - hs[1:] ** 2
    for t in reversed(range(len(xs))):
        rows[t] = (back + 2 * hs[t + 1]) * slope[t]
        back = rows[t] @ W.T
    flat = rows.reshape(-1, h.shape[1])
    gU = xs.reshape(-1, xs.shape[2]).T @ flat
    return (hs[1:] ** 2).sum(), gU, hs[:-1].reshape(-1, h.shape[1]).T @ flat


def forward_by_hand(U, W, h, xs):
    total, into = 0.0, xs @ U
    for t in range(len(xs)):
        h = np.tanh(into[t] + h @ W)
        total += (h**2).sum()
    return total


def network(steps):
    """(values, the program of the cost, the program of the cost and its gradients)."""
    draw = np.random.default_rng(0)
    shapes = {"U": (DATA, HIDDEN), "W": (HIDDEN, HIDDEN), "h": (BATCH, HIDDEN)}
    shapes["xs"] = (steps, BATCH, DATA)
    leaves = {k: ad.tensor(k, shape=s) for k, s in shapes.items()}
    U, W, h, xs = leaves.values()
    hs = ad.scan(lambda x, h: ad.tanh(x @ U + h @ W), sequences=xs, outputs_info=h)
    cost = (hs**2).sum()
    values = [0.3 * draw.normal(size=s) for s in shapes.values()]
    inputs = list(leaves.values())
    return values, ad.function(inputs, cost), ad.function(inputs, [cost, *ad.grad(cost, [U, W])])


def numbers(n):
    """(program, the same loop in Python) for single numbers."""
    w = ad.scalar("w")
    last = ad.scan(lambda h: ad.tanh(w * h + 0.5), outputs_info=0.1, n_steps=n)[-1]

    def loop(w):
        h = 0.1
        for _ in range(n):
            h = math.tanh(w * h + 0.5)
        return h

    return ad.function([w], last), loop


def peak(run, *values):
    """The most bytes that a call holds at once."""
    run(*values)
    tracemalloc.start()
    run(*values)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def memory(steps=100, size=50_000):
    """For each distance of checkpoints, the peak of a gradient, in states."""
    w, h0 = ad.scalar("w"), ad.vector("h0", shape=size)
    for every in (None, 1, 2, 5, 10, 20, 50):
        how = {"n_steps": steps, "checkpoint_every": every}
        h = ad.scan(lambda h: ad.tanh(w * h + 0.5), outputs_info=h0, **how)[-1]
        run = ad.function([w, h0], ad.grad(h.sum(), w))
        yield every, f"{peak(run, 0.7, np.full(size, 0.1)) / (8 * size):.0f}"


def main(steps=200, repeats=15):
    values, cost, gradients = network(steps)
    program, loop = numbers(50 * steps)
    for a, b in zip(gradients(*values), by_hand(*values), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)
    pairs = [
        ("network, forward", lambda: cost(*values), lambda: forward_by_hand(*values)),
        ("network, with gradients", lambda: gradients(*values), lambda: by_hand(*values)),
        ("single numbers, forward", lambda: program(0.7), lambda: loop(0.7)),
    ]
    rows = []
    for name, ours, theirs in pairs:
        a, b = interleaved(repeats, ours, theirs)
        ratios = [x / y for x, y in zip(a, b)]
        rows.append(
            (name, spread([1e3 * t for t in a]), spread([1e3 * t for t in b]), spread(ratios))
        )
    head = ("loop", "scan, ms", "by hand, ms", "ratio")
    how = f"{steps} steps of {BATCH} x {HIDDEN}; {50 * steps} steps of single numbers."
    show("Loops against loops by hand", how, head, rows)
    how = "The most arrays of the size of a state that a gradient of 100 steps holds at once."
    show("Memory of the way back", how, ("checkpoint_every", "states"), memory())


if __name__ == "__main__":
    main()
