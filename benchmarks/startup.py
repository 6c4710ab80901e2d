"""The first minute: how long `import autodiff_edu` takes, and the first of each thing one does.

A process of its own each time, bytecode written before; what is counted is time beyond NumPy's.
"""

from _report import elsewhere, show, spread

TARGETS = {  # seconds
    "import numpy": None,
    "import autodiff_edu": 0.15,
    "first derivative": 0.1,
    "first simplification": 0.15,
    "first drawing": 0.4,
    "first call of a two-layer network": 0.025,
    "simplification of its gradient": 0.01,
}
HOW = """In each of {repeats} processes NumPy is imported, then `autodiff_edu`; then x * x + (x - 2)
is differentiated, and the stage is simplified and drawn. Each line is what this step took beyond
those before it, in seconds. The last two lines are of as many other processes: `value_and_grad` of
the network in the README, written in NumPy, traced, compiled and called; and after it the graph of
its gradient, simplified alone. First processes, which write bytecode, do not count."""

ONCE = """
import sys
import time

sys.dont_write_bytecode = False  # whatever the environment says
times = [time.perf_counter()]
note = lambda: times.append(time.perf_counter())
import numpy; note()
import autodiff_edu as ad; note()
x = ad.scalar("x")
stage = ad.symbolic_derivative(x * x + (x - 2), x); note()
stage = ad.simplify(stage); note()
ad.draw(stage)._repr_mimebundle_(); note()
print(*[after - before for before, after in zip(times, times[1:])])
"""

NETWORK = """
import sys
import time

sys.dont_write_bytecode = False
import numpy as np
import autodiff_edu as ad

def loss(p, X, labels):
    z = np.maximum(0, X @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"]
    q = np.exp(z) / np.sum(np.exp(z), axis=1, keepdims=True)
    return -np.mean(np.log(q[np.arange(len(labels)), labels]))

rng = np.random.default_rng(0)
X, labels = rng.normal(size=(6, 4)), np.array([0, 1, 2, 0, 1, 2])
parameters = {"W1": rng.normal(size=(4, 5)), "b1": np.zeros(5),
              "W2": rng.normal(size=(5, 3)), "b2": np.zeros(3)}
start = time.perf_counter()
ad.value_and_grad(loss)(parameters, X, labels)
called = time.perf_counter()
symbols = {name: ad.tensor(name, shape=value.shape) for name, value in parameters.items()}
y = loss(symbols, X, labels)
sweep = ad.reverse_mode(y, list(symbols.values()))
differentiated = time.perf_counter()
ad.simplify([y, *sweep.outputs])
print(called - start, time.perf_counter() - differentiated)
"""


def once() -> list[float]:
    """The seconds of each step in two new processes."""
    return [float(seconds) for code in (ONCE, NETWORK) for seconds in elsewhere("-c", code).split()]


def main(repeats: int = 10) -> None:
    """A row a step."""
    once()
    columns = zip(*[once() for _ in range(repeats)])
    rows = [
        [what, spread(seconds), f"at most {target}" if target else ""]
        for (what, target), seconds in zip(TARGETS.items(), columns)
    ]
    how = HOW.format(repeats=repeats)
    show("The first minute", how, ("", "median (least to largest)", "target"), rows)


if __name__ == "__main__":
    main()
