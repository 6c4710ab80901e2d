"""A function of single numbers: how much slower is ours than the formula written by hand?

One formula of twenty operations, as a graph made into a function and as Python with `math`.
"""

from math import cos, exp, isclose, log, sin, sqrt, tanh
from typing import Any

from _report import interleaved, show, spread

import autodiff_edu as ad

TARGET_RATIO, TARGET_CREATION = 1.5, 20  # times, ms

HOW = """A formula of twenty operations on three numbers: our generated function against the same
formula written by hand, called {calls:,} times each, the two taking turns in each of {repeats}
rounds. The ratio is taken within each round. Creation is simplification, plan and generated
source, a new graph each time."""


def by_hand(x, y, z):
    """The formula in Python, its functions imported by name: the fastest way to write it."""
    return (
        sin(x * y) * exp(-z) + sqrt(x * x + y * z) / (1.0 + z * cos(z)) + log(1.5 + x) * tanh(y - z)
    )


def graph() -> tuple[list[Any], ad.Expr]:
    """The same formula of ours."""
    x, y, z = (ad.scalar(name) for name in "xyz")
    formula = (
        ad.sin(x * y) * ad.exp(-z)
        + ad.sqrt(x * x + y * z) / (1.0 + z * ad.cos(z))
        + ad.log(1.5 + x) * ad.tanh(y - z)
    )
    return [x, y, z], formula


def calls(function, count: int):
    """Work that calls the function so often."""

    def work():
        for _ in range(count):
            function(0.7, 1.3, 0.4)

    return work


def main(count: int = 100_000, repeats: int = 25) -> None:
    """The ratio, the two times a call, the creation."""
    ours = ad.function(*graph())
    assert isclose(ours(0.7, 1.3, 0.4), by_hand(0.7, 1.3, 0.4), rel_tol=1e-14)
    mine, hand = interleaved(repeats, calls(ours, count), calls(by_hand, count))
    created = interleaved(repeats, lambda: ad.function(*graph()))[0]
    rows = [
        ["ours : by hand", spread(a / b for a, b in zip(mine, hand)), f"at most {TARGET_RATIO}"],
        ["the same, best rounds", f"{min(mine) / min(hand):.3g}", ""],
        ["ours, ns a call", spread(1e9 * t / count for t in mine), ""],
        ["by hand, ns a call", spread(1e9 * t / count for t in hand), ""],
        ["creation, ms", spread(1e3 * t for t in created), f"at most {TARGET_CREATION}"],
    ]
    how = HOW.format(calls=count, repeats=repeats)
    operations = len(ad.Graph(graph()[1]).operations)
    show(f"A function of {operations} operations on single numbers", how, HEAD, rows)


HEAD = ("", "median (least to largest)", "target")

if __name__ == "__main__":
    main()
