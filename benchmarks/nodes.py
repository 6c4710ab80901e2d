"""Building a node: what does one operation cost, written as a user writes it?

Each operation is applied many times to the same operands: this is the way from the call to the
node, its type found again rather than inferred anew. One call may build several nodes, constants
among them (x - 0.5 builds two), so the time is also given for each node.
"""

from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from _report import interleaved, show, spread

import autodiff_edu as ad
from autodiff_edu.expr import Input

TARGET_ELEMENTWISE, TARGET_OTHERS = 5, 15  # µs a node

HOW = """Microseconds for each of {count:,} calls in each of {repeats} rounds: median (least to
largest). Beside it the least time in units of a fixed piece of Python (an object with six slots
made by a function of six arguments, {unit:.2f} µs here), which says more where machines differ.
Targets: {elementwise} µs for an elementwise node, {others} µs for any other."""

x, y = (ad.matrix(name, shape=(4, 4)) for name in "xy")
v, s = ad.vector("v", shape=4), ad.scalar("s")
u = ad.matrix("u")  # of lengths that are not known
k = np.array([0, 2])
ELEMENTWISE: dict[str, Callable[[], Any]] = {
    "x + y": lambda: x + y,
    "x * v": lambda: x * v,
    "2 * x": lambda: 2 * x,
    "x - 0.5": lambda: x - 0.5,
    "x / y": lambda: x / y,
    "-x": lambda: -x,
    "x ** 2": lambda: x**2,
    "x > y": lambda: x > y,
    "s * s": lambda: s * s,
    "u + u": lambda: u + u,
    "ad.exp(x)": lambda: ad.exp(x),
    "np.exp(x)": lambda: np.exp(x),
    "np.maximum(0, x)": lambda: np.maximum(0, x),
    "ad.where(x > 0, x, y)": lambda: ad.where(x > 0, x, y),
    "ad.clip(x, -1, 1)": lambda: ad.clip(x, -1, 1),
    "ad.logaddexp(x, y)": lambda: ad.logaddexp(x, y),
}
OTHERS: dict[str, Callable[[], Any]] = {
    "ad.sum(x)": lambda: ad.sum(x),
    "x.sum(axis=0)": lambda: x.sum(axis=0),
    "np.sum(x, axis=1, keepdims=True)": lambda: np.sum(x, axis=1, keepdims=True),
    "x.mean(axis=-1)": lambda: x.mean(axis=-1),
    "x.max(axis=1)": lambda: x.max(axis=1),
    "np.var(x, axis=0)": lambda: np.var(x, axis=0),
    "ad.softmax(x)": lambda: ad.softmax(x),
    "np.cumsum(x, axis=0)": lambda: np.cumsum(x, axis=0),
    "x @ y": lambda: x @ y,
    "np.einsum('ij,jk->ik', x, y)": lambda: np.einsum("ij,jk->ik", x, y),
    "np.tensordot(x, y, 1)": lambda: np.tensordot(x, y, 1),
    "x.T": lambda: x.T,
    "x.reshape(2, 8)": lambda: x.reshape(2, 8),
    "x.reshape(-1)": lambda: x.reshape(-1),
    "u.reshape(-1)": lambda: u.reshape(-1),
    "np.expand_dims(x, 0)": lambda: np.expand_dims(x, 0),
    "np.broadcast_to(x, (3, 4, 4))": lambda: np.broadcast_to(x, (3, 4, 4)),
    "np.moveaxis(x, 0, -1)": lambda: np.moveaxis(x, 0, -1),
    "np.concatenate([x, y])": lambda: np.concatenate([x, y]),
    "np.stack([x, y])": lambda: np.stack([x, y]),
    "np.flip(x, 0)": lambda: np.flip(x, 0),
    "np.pad(x, 1)": lambda: np.pad(x, 1),
    "x[0]": lambda: x[0],
    "x[1:, ::2]": lambda: x[1:, ::2],
    "x[..., None]": lambda: x[..., None],
    "x[k]": lambda: x[k],
    "x[k, 1]": lambda: x[k, 1],
    "x.at[0].set(v)": lambda: x.at[0].set(v),
    "np.sort(x)": lambda: np.sort(x),
    "np.linalg.solve(x, v)": lambda: np.linalg.solve(x, v),
    "np.linalg.inv(x)": lambda: np.linalg.inv(x),
    "np.linalg.norm(x)": lambda: np.linalg.norm(x),
    "ad.slogdet(x)": lambda: ad.slogdet(x),
}


class Slots:
    """The fixed piece of Python with which times are compared."""

    __slots__ = ("a", "b", "c", "d", "e", "f")

    def __init__(self, a, b, c, d, e, f):
        self.a, self.b, self.c, self.d, self.e, self.f = a, b, c, d, e, f


def calls(work: Callable[[], Any], count: int) -> Callable[[], None]:
    """Work that calls the function so often."""

    def many() -> None:
        for _ in range(count):
            work()

    return many


def nodes(made: Any) -> int:
    """How many nodes one call has built: operations, and constants, which are nodes too."""
    graph = ad.Graph(list(made) if isinstance(made, tuple) else made)
    return sum(not isinstance(n, Input) for n in graph)


def rows(table: dict[str, Callable], target: int, count: int, repeats: int) -> list[list[str]]:
    """A row for each operation, the slowest nodes first."""
    unit, *times = interleaved(
        repeats, *[calls(w, count) for w in (lambda: Slots(1, 2, 3, 4, 5, 6), *table.values())]
    )
    made = [nodes(work()) for work in table.values()]
    order = sorted(range(len(made)), key=lambda j: -median(times[j]) / made[j])
    names = list(table)
    return [
        [
            names[j],
            str(made[j]),
            spread(1e6 * t / count for t in times[j]),
            f"{1e6 * median(times[j]) / count / made[j]:.3g}",
            f"{min(times[j]) / min(unit) / made[j]:.3g}",
            "" if 1e6 * median(times[j]) / count / made[j] <= target else f"over {target}",
        ]
        for j in order
    ]


HEAD = ("written", "nodes", "µs a call", "µs a node", "units a node", "target")


def main(count: int = 1000, repeats: int = 9) -> None:
    """The slowest first, elementwise operations before the others."""
    unit = min(interleaved(repeats, calls(lambda: Slots(1, 2, 3, 4, 5, 6), count))[0])
    how = HOW.format(
        count=count,
        repeats=repeats,
        unit=1e6 * unit / count,
        elementwise=TARGET_ELEMENTWISE,
        others=TARGET_OTHERS,
    )
    found = rows(ELEMENTWISE, TARGET_ELEMENTWISE, count, repeats)
    found += rows(OTHERS, TARGET_OTHERS, count, repeats)
    show("Building a node", how, HEAD, found)


if __name__ == "__main__":
    main()
