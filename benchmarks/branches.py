"""Functions that branch: what does a guard cost, and what does a path?

The same gradient with no question, with one, with ten; of a number and of an array. Then a loop of
many turns whose condition is asked at each, and more paths than are kept.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from _report import interleaved, seconds, show, spread

import autodiff_edu as ad
from autodiff_edu.functions.traced import formula_at

MORE = 20, 10  # microseconds for a path that is known, and for every ten guards
TRACE = 0.5  # seconds for a loop of a thousand turns

HOW = """Gradients of y = x·1.1·1.1···(ten factors) and of Σ x³; before the k-th factor nothing is
asked, or whether y + k > 0. Calls of a known path, {calls:,} in each of {repeats} rounds, in turns;
what counts is the difference from the program that asks nothing. The loop has {turns:,} turns of
`while n < turns and y < 1e9`. The paths are those of ten signs: {paths:,} calls at random
points."""


def number(questions: int) -> Callable[[Any], Any]:
    """Ten factors, and as many questions about a number."""

    def f(x: Any) -> Any:
        y = x
        for k in range(10):
            if k < questions and y + k < 0:
                y = -y
            y = y * 1.1
        return y

    return f


def entries(questions: int) -> Callable[[Any], Any]:
    """A sum of cubes, and as many questions about entries."""

    def f(x: Any) -> Any:
        for k in range(questions):
            if x[k] < 0:
                x = -x
        return np.sum(x * x * x)

    return f


def loop(turns: int) -> Callable[[Any], Any]:
    """A loop that asks for its condition at each turn."""

    def f(x: Any) -> Any:
        y, n = x, 0
        while n < turns and y < 1e9:
            y, n = y + 0.5 * np.sin(y), n + 1
        return y

    return f


def signs(x: Any) -> Any:
    """One of 2¹⁰ paths."""
    y = 0.0 * x[0]
    for k in range(10):
        y = y + (x[k] * k if x[k] > 0 else x[k])
    return y


def calls(function: Callable[[Any], Any], x: Any, count: int) -> Callable[[], None]:
    def work() -> None:
        for _ in range(count):
            function(x)

    work()
    return work


def asked(kind: Callable[[int], Any], x: Any, count: int, repeats: int) -> list[list[float]]:
    """Microseconds a call with 0, 1 and 10 questions."""
    works = [calls(ad.grad(kind(k)), x, count) for k in (0, 1, 10)]
    return [[1e6 * t / count for t in times] for times in interleaved(repeats, *works)]


def rows_of(word: str, times: list[list[float]]) -> list[list[str]]:
    none, one, ten = times
    more = [[b - a for a, b in zip(none, other)] for other in (one, ten)]
    return [
        [f"{word}, nothing asked, µs", spread(none), ""],
        [f"{word}, one question more, µs", spread(more[0]), f"at most {MORE[0]}"],
        [f"{word}, ten questions more, µs", spread(more[1]), f"at most {sum(MORE)}"],
    ]


def main(count: int = 2000, repeats: int = 15, turns: int = 1000, paths: int = 1000) -> None:
    """Rows of a number, of an array, of a loop, of many paths."""
    rows = rows_of("a number", asked(number, 2.0, count, repeats))
    rows += rows_of("an array", asked(entries, np.arange(1.0, 12.0), count, repeats))
    traced = seconds(lambda: formula_at(loop(turns), (1.0,)))
    slope = ad.grad(loop(turns))
    rows.append(["a loop, traced, s", f"{traced:.3g}", f"at most {TRACE}"])
    rows.append(["its first call, program included, s", f"{seconds(lambda: slope(1.0)):.3g}", ""])
    slope, rng = ad.grad(signs), np.random.default_rng(0)
    points = rng.normal(size=(paths, 10))
    first = seconds(lambda: [slope(x) for x in points])
    rows.append(["a call that may need a new path, ms", f"{1e3 * first / paths:.3g}", ""])
    again = [1e6 * t / count for t in interleaved(repeats, calls(slope, points[-1], count))[0]]
    rows.append([f"a known one among {len(slope.paths)}, µs", spread(again), ""])
    how = HOW.format(calls=count, repeats=repeats, turns=turns, paths=paths)
    show("Functions that branch", how, ("", "median (least to largest)", "target"), rows)


if __name__ == "__main__":
    main()
