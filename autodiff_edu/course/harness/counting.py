"""Numbers that count: what a program costs is found by running it, not by reading it."""

import operator
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .check import call, pulled
from .checker import checker
from .feedback import complain, expect, spell

BINARY = ("add", "sub", "mul", "truediv", "pow")


def counted(values: Sequence[float]) -> tuple[list[float], Counter[str]]:
    """The values as floats that tally every operation on them: `tally["mul"]`, `tally["add"]`, ...

    What is computed from them counts as well. NumPy's arrays turn them into ordinary
    floats.

    Parameters
    ----------
    values : sequence
        The numbers.

    Returns
    -------
    tuple
        The numbers, and the tally of their operations.
    """
    tally: Counter[str] = Counter()
    Number = type("Number", (float,), {"__neg__": lambda a: Number(-float(a))})
    for name in BINARY:
        method = binary(name, tally, Number)
        setattr(Number, f"__{name}__", method)
        setattr(Number, f"__r{name}__", lambda a, b, method=method: method(Number(b), a))
    return [Number(v) for v in values], tally


def binary(name: str, tally: Counter[str], number: type) -> Callable[[Any, Any], Any]:
    apply = getattr(operator, name)

    def method(a: float, b: float) -> float:
        tally[name] += 1
        return number(apply(float(a), float(b)))

    return method


@checker
def check_multiplications(
    student: Callable[..., Any],
    of: Callable[..., Any],
    allowed: Callable[[int], int],
    *,
    sizes: Sequence[int] = range(2, 21),
    seed: int | None = None,
) -> None:
    """student(x) = (value, gradient) of `of`, in allowed(n) multiplications and no division.

    x is a list of n counted numbers; `of` takes them as separate arguments.

    Parameters
    ----------
    allowed : callable
        How many operations are allowed, by the size.
    sizes : sequence of int, default: range(2, 21)
        The sizes that are tried.
    """
    rng = np.random.default_rng(seed)
    for n in sizes:
        values = rng.uniform(0.5, 2.0, n).round(3).tolist()
        numbers, tally = counted(values)
        got, at = call(student, (numbers,)), f"{student.__name__}(x={spell(values)})"
        wanted = (of(*values), np.array(pulled(of, values, 1.0)))
        expect(wanted, got, at)
        judge(student.__name__, tally, allowed(n), at)
    print(f"{student.__name__}: right, at the promised cost, for n = {sizes[0]} to {sizes[-1]}")


def judge(name: str, tally: Counter[str], allowed: int, at: str) -> None:
    found = tally["mul"]
    if tally["truediv"] or tally["pow"]:
        problem, wanted, got = "divides or takes powers", "products alone", str(dict(tally))
    elif found != allowed:
        hint = " (arrays do not count: use lists)" if found < allowed else ""
        wanted = "1 multiplication" if allowed == 1 else f"{allowed} multiplications"
        problem, got = "costs too much", f"{found}{hint}"
        problem = problem if found > allowed else "lost count of its multiplications"
    else:
        return
    complain(f"{name} {problem}", wanted, got, at)
