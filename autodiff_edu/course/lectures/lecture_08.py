"""Checkers that price a derivative: how counts grow, calls of sweeps, operations for a gradient."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..harness.check import call, pulled, where
from ..harness.checker import checker
from ..harness.counting import counted
from ..harness.feedback import Wrong, complain, expect, numbers, spell

Count = Callable[[int], int]


@checker
def check_growth(
    student: Callable[[], Mapping[str, float]],
    counts: Mapping[str, Count],
    sizes: tuple[int, int] = (200, 400),
) -> None:
    """student() says for each name how the count grows: like n**slope.

    Parameters
    ----------
    counts : dict
        The number of operations for a size n, by name.
    sizes : tuple of int, default: (200, 400)
        The two sizes between which the slopes are measured.
    """
    said = call(student, ())
    if not isinstance(said, Mapping) or said.keys() != counts.keys():
        complain(student.__name__, f"a dict with the keys {', '.join(counts)}", spell(said))
    for name, count in counts.items():
        low, high = (count(n) for n in sizes)
        slope = np.log(high / low) / np.log(sizes[1] / sizes[0])
        found = numbers(said[name])
        if found is None or found.shape or not abs(found - slope) < 0.2:
            complain(student.__name__, "the slope that the counts have", spell(said[name]), name)
    print(f"{student.__name__}: right for all {len(counts)}")


@checker
def check_calls(
    student: Callable[..., Any], *, trials: int = 30, largest: int = 9, seed: int | None = None
) -> None:
    """student(n, m, push, pull) is the m×n Jacobian, from as few calls of the two as possible.

    push(r) is J·r for one array of length n, pull(u) is u·J for one of length m.

    Parameters
    ----------
    largest : int, default: 9
        The largest n and m.
    """
    rng = np.random.default_rng(seed)
    shapes = [(1, largest), (largest, 1), *rng.integers(1, largest + 1, (trials, 2)).tolist()]
    for n, m in shapes:
        J = rng.normal(size=(m, n)).round(2)
        push, pull = Sweep("push", J), Sweep("pull", J.T)
        got, at = call(student, (n, m, push, pull)), f"n = {n} inputs, m = {m} results"
        expect(J, got, at)
        calls = push.calls + pull.calls
        if calls < min(n, m):
            complain(student.__name__, "what push and pull show, one vector a call", calls, at)
        if calls > min(n, m):
            complain(
                student.__name__,
                f"{min(n, m)} calls",
                f"{push.calls} of push, {pull.calls} of pull",
                at,
            )
    print(f"{student.__name__}: right, with the fewest sweeps, for {len(shapes)} shapes")


class Sweep:
    """A product with a matrix that nobody may see, one vector at a time; it counts its calls."""

    def __init__(self, name: str, matrix: np.ndarray):
        self.__name__, self.calls = name, 0
        self.product = lambda v: matrix @ v
        self.length = matrix.shape[1]

    def __call__(self, vector: Any) -> np.ndarray:
        self.calls += 1
        v = np.asarray(vector, dtype=float)
        if v.shape != (self.length,):
            raise Wrong(f"{self.__name__} takes one array of length {self.length}, not {v.shape}")
        return self.product(v)


@checker
def check_ratio(
    student: Callable[..., Any],
    of: Callable[..., Any],
    inputs: Callable[[np.random.Generator, int], Sequence[Any]],
    *,
    below: float = 6,
    sizes: Sequence[int] = range(1, 13),
    seed: int | None = None,
) -> None:
    """student(x, ...) = (value, gradient by x) of `of`, in less than `below` times its operations.

    inputs(rng, n): the arguments as lists, or lists of lists, of n numbers. `of` is written
    for such lists. All operations on their numbers are counted, those on NumPy's arrays are
    not.

    Parameters
    ----------
    below : float, default: 6
        How many times the operations of `of` are too many.
    sizes : sequence of int, default: range(1, 13)
        The sizes that are tried.
    """
    rng = np.random.default_rng(seed)
    for n in sizes:
        args = inputs(rng, n)
        used, alone, at = priced(student, of, args)
        ratio = used / alone
        if ratio < 0.5:
            complain(
                student.__name__, "work on the numbers given", f"{used} (arrays do not count)", at
            )
        if ratio >= below:
            wanted = f"less than {below} times the {alone} operations of the value"
            complain(
                student.__name__, wanted, f"{used}, {ratio:.2f} times as many, for n = {n}", at
            )
    print(f"{student.__name__}: right; for n = {n}, {ratio:.2f} times the operations of the value")


def priced(student: Callable[..., Any], of: Callable[..., Any], args: Any) -> tuple[int, int, str]:
    """The operations of the student's value and gradient, which must be right, and of the value."""
    numbers, alone = tallied(args)
    value, at = of(*numbers), where(student, args)
    numbers, used = tallied(args)
    got = call(student, tuple(numbers))
    gradient = pulled(of, [np.array(a) for a in args], 1.0)
    expect((value, gradient[0] if len(args) > 1 else gradient), got, at)
    return used.total(), alone.total(), at


def tallied(args: Sequence[Any]) -> tuple[list[Any], Any]:
    """The same nested lists, of numbers that tally every operation on them."""
    arrays = [np.asarray(a, dtype=float) for a in args]
    numbers, tally = counted([float(v) for a in arrays for v in a.ravel()])
    rest = iter(numbers)
    return [nested(a.shape, rest) for a in arrays], tally


def nested(shape: tuple[int, ...], numbers: Any) -> Any:
    if not shape:
        return next(numbers)
    return [nested(shape[1:], numbers) for _ in range(shape[0])]
