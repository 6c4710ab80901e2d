"""A loss that reads its settings from somewhere: what does a call pay for seeing each change?

The gradient of Rosenbrock's function, with its factor written into it or read at each call.
"""

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from _report import interleaved, show, spread

import autodiff_edu as ad

TARGET, ANEW = 1.3, 8.0  # times the loss that reads nothing

HOW = """Value and gradient of Rosenbrock's function of {size:,} numbers, {calls:,} calls, the loss
as a user writes it. The ratio is to the same with its factor written into it, in processor time,
within each of {repeats} rounds in which all take turns. In the last row the gradient function is
made anew for each call."""


def rosenbrock(x: Any, factor: Any) -> Any:
    low = x[:-1]
    return np.sum(factor * (x[1:] - low**2) ** 2 + (1 - low) ** 2)


def plain(x: Any) -> Any:
    low = x[:-1]
    return np.sum(100.0 * (x[1:] - low**2) ** 2 + (1 - low) ** 2)


@dataclass
class Settings:
    factor: float = 100.0
    name: str = "Rosenbrock"


class Model:
    def __init__(self) -> None:
        self.factor = 100.0

    def loss(self, x: Any) -> Any:
        return rosenbrock(x, self.factor)


def losses() -> dict[str, Callable[..., Any]]:
    """The loss, by where it finds its factor."""
    namespace, settings = SimpleNamespace(factor=100.0), Settings()
    table, array = {"factor": 100.0, "name": "Rosenbrock"}, np.array(100.0)
    return {
        "nothing": plain,
        "a namespace": lambda x: rosenbrock(x, namespace.factor),
        "self": Model().loss,
        "a dict": lambda x: rosenbrock(x, table["factor"]),
        "a dataclass": lambda x: rosenbrock(x, settings.factor),
        "an inner function": lambda x: (lambda factor: rosenbrock(x, factor))(100.0),
        "functools.partial": functools.partial(lambda factor, x: rosenbrock(x, factor), 100.0),
        "an array": lambda x: rosenbrock(x, array),
        "a module": lambda x: (lambda xp: xp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2))(np),
    }


def repeated(run: Callable[[Any], Any], x: np.ndarray, calls: int) -> Callable[[], None]:
    def work() -> None:
        for _ in range(calls):
            run(x)

    return work


def main(size: int = 1000, calls: int = 1000, repeats: int = 15) -> None:
    """A row for each way, and its ratio."""
    x = np.linspace(-1.5, 2.0, size)
    runs = {name: ad.value_and_grad(f) for name, f in losses().items()}
    runs["nothing, made anew"] = lambda x: ad.value_and_grad(plain)(x)
    for run in runs.values():
        run(x), run(x)
    works = [repeated(run, x, calls) for run in runs.values()]
    times = interleaved(repeats, *works, clock=time.process_time)
    first = times[0]
    rows = []
    for name, own in zip(runs, times):
        most = ANEW if "anew" in name else TARGET
        rows.append([name, spread(a / b for a, b in zip(own, first)), f"at most {most}"])
    how = HOW.format(size=size, calls=calls, repeats=repeats)
    show("A loss that reads its settings", how, ("it reads", "ratio", "target"), rows)


if __name__ == "__main__":
    main()
