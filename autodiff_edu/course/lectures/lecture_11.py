"""Learning rules and what they are given: gradients, and nothing else.

A rule of a student's is compared with one of the engine's, step by step, for gradients drawn at
random. What trains is given a function for gradients alone, of data that it never sees.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ops import matrix, shared
from ...run import function
from ..harness.check import call, where
from ..harness.checker import checker
from ..harness.feedback import Wrong, complain, expect, numbers, spell

SAMPLES, PIXELS, CLASSES = 20, 64, 10
SIZES = 1.0, 1e-4, 1e-7  # of gradients: next to small ones one sees where a small number is added


@checker
def check_learning_rule(
    student: Callable[..., Any],
    rule: Callable[..., Any],
    memories: int,
    *,
    steps: int = 5,
    trials: int = 10,
    seed: int | None = None,
    rtol: float = 1e-7,
    **limits: Any,
) -> None:
    """student(w, g, t, *memories) gives the next w and memories: in each step w is that of `rule`.

    The memories are zeros at first, and t counts the steps from 1. The gradients are of the size
    of 1 from the first start, and much smaller from others.

    Parameters
    ----------
    rule : callable
        One of `ad.optimisers`.
    memories : int
        How many arrays the rule remembers.
    steps : int, default: 5
        How many gradients it is given, one after the other.
    trials : int, default: 10
        From how many random starts.
    rtol : float, default: 1e-07
        What may differ, as a part.
    **limits : object
        Those of `watched`.
    """
    rng = np.random.default_rng(seed)
    for trial in range(trials):
        w, given = rng.normal(size=(2, 3)).round(2), matrix("g", shape=(2, 3))
        kept = shared(w, "w")
        engine = function([given], kept, updates=rule([given], [kept]))
        memory: list[Any] = [np.zeros_like(w)] * memories
        for t in range(1, steps + 1):
            g = rng.normal(size=w.shape).round(2) * SIZES[trial % len(SIZES)]
            engine(g)
            args = (w, g, t, *memory)
            found, at = call(student, args, **limits), where(student, args)
            w, *memory = parts(found, memories, at)
            expect(kept.get_value(), w, f"{at}, step {t}", rtol)
    print(f"{student.__name__}: the weights of the engine's {rule.__name__} in {steps} steps")


def parts(found: Any, memories: int, at: str) -> list[Any]:
    """The weights and the memories, as arrays."""
    several = [numbers(part) for part in found] if isinstance(found, (tuple, list)) else []
    if len(several) != 1 + memories or any(part is None for part in several):
        needed = f"a tuple of {1 + memories} arrays: the weights, then what is remembered"
        complain("a rule returns all that it needs in the next step", needed, spell(found), at)
    return several


# ---- samples that are to be memorised


class Slopes:
    """The gradient of the mean cross entropy of softmax(X @ W); it counts how often it is asked."""

    def __init__(self, X: np.ndarray, labels: np.ndarray, most: int):
        self.X, self.labels, self.most, self.asked = X, labels, most, 0

    def __call__(self, W: Any) -> np.ndarray:
        self.asked += 1
        if self.asked > self.most:
            raise Wrong(f"more than {self.most} gradients: a larger step may need fewer")
        weights = weights_of(W)
        if weights is None:
            complain("slopes takes the weights", f"shape {(PIXELS, CLASSES)}", spell(np.shape(W)))
        z = self.X @ weights
        e = np.exp(z - z.max(axis=1, keepdims=True))
        return self.X.T @ (e / e.sum(axis=1, keepdims=True) - np.eye(CLASSES)[self.labels]) / len(z)

    def __repr__(self) -> str:
        return "slopes"


def weights_of(found: Any) -> np.ndarray | None:
    """An array of weights, if it is one."""
    W = numbers(found)
    return W if W is not None and W.shape == (PIXELS, CLASSES) else None


@checker
def check_overfit(
    student: Callable[..., Any],
    *,
    most: int = 1000,
    trials: int = 3,
    seed: int | None = None,
    **limits: Any,
) -> None:
    """student(slopes, W) gives weights with which 20 random samples all get their random labels.

    Parameters
    ----------
    most : int, default: 1000
        How many gradients it may ask for.
    trials : int, default: 3
        For how many sets of samples.
    seed : int, optional
        Of the samples; by default a fresh one each time.
    **limits : object
        Those of `watched`.

    Raises
    ------
    Wrong
        If it is not so, with how many are right.
    """
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        X = rng.integers(0, 17, (SAMPLES, PIXELS)) / 16
        slopes = Slopes(X, rng.integers(0, CLASSES, SAMPLES), most)
        found = call(student, (slopes, np.zeros((PIXELS, CLASSES))), **limits)
        judge(student.__name__, found, slopes)
    print(f"{student.__name__}: all {SAMPLES} samples right, {trials} times, "
          f"with at most {most} gradients")  # fmt: skip


def judge(name: str, found: Any, slopes: Slopes) -> None:
    W = weights_of(found)
    if W is None:
        shape = spell(np.shape(found)) if numbers(found) is not None else type(found).__name__
        complain(f"{name} returns the weights", f"shape {(PIXELS, CLASSES)}", shape)
    z = slopes.X @ W
    right = int(np.sum(z.argmax(axis=1) == slopes.labels)) if np.isfinite(z).all() else 0
    if right < SAMPLES:
        asked = f"{right} of {SAMPLES}, after {slopes.asked} gradients"
        complain(f"{name}: not all samples get their labels", f"{SAMPLES} of {SAMPLES}", asked)
