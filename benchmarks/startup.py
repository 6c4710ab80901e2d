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
}
HOW = """In each of {repeats} processes NumPy is imported, then `autodiff_edu`; then x * x + (x - 2)
is differentiated, and the stage is simplified and drawn. Each line is what this step took beyond
those before it, in seconds. A first process, which writes bytecode, does not count."""

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


def once() -> list[float]:
    """The seconds of each step in a new process."""
    return [float(seconds) for seconds in elsewhere("-c", ONCE).split()]


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
