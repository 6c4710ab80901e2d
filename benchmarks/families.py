"""Graphs of every kind, from building to the first call: which family is slow, and in which pass?

The gradient of each graph by all its inputs is taken, value and gradient are simplified together,
written as a program, and called once. With `--full`, up to a million operations, and a search for
the worst of two hundred graphs: that takes three quarters of an hour.
"""

import json
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from math import nan
from typing import Any

import numpy as np
from _graphs import FAMILIES, Family, mixed
from _report import arguments, elsewhere, show, sizes

import autodiff_edu as ad

PASSES = ("build", "reverse", "simplify", "generate", "first call")
SMALL = 1000  # nodes of the graphs whose memory is looked at
TARGET_TIME, TARGET_MEMORY, TARGET_WORST = 200, 4, 1000  # µs, KB a node; µs a node of the worst
STAGES = PASSES[:3]  # those that a million operations go through
TARGET_STAGES = 120  # seconds

HOW = """Microseconds of the processor for each of the n operations of the forward graph. Each cell
is from a process of its own, which is warmed by a small graph of the same family. "KB kept" is
what graphs and logs hold after simplification, measured once more for at most {small:,} nodes.
"generate" writes the program and compiles it; of that, CPython's own compile() of the same text
takes what the column "compile" says, measured once more and not part of the total. Targets: at
most {time} µs and {memory} KB. "Left" counts the operations of value and gradient after
simplification, for each operation of the forward graph."""

WORST = """The slowest of {tries} graphs drawn by chance, each in mode safe and in mode real.
Target: at most {worst} µs."""

LARGE = """Seconds of the processor for {n:,} operations from building to the simplified gradient,
each family in a process of its own. Target: at most {target} in all."""


def stages(family: Family, n: int) -> tuple[dict[str, float], ad.Stage, ad.Expr, list[Any]]:
    """Seconds for building, reverse mode and simplification; what they made, of which inputs."""
    times: dict[str, float] = {}
    y, inputs = timed(times, "build", lambda: family.make(n))
    sweep = timed(times, "reverse", lambda: ad.reverse_mode(y, inputs))
    outputs = [y, *sweep.outputs]
    short = timed(times, "simplify", lambda: ad.simplify(outputs, family.mode))
    return times, short, y, inputs


def measure(family: Family, n: int, small: int = 0) -> dict[str, float]:
    """Seconds for each pass, bytes, and the numbers of operations before and after. Memory is that
    of at most so many nodes, since whoever counts bytes takes five times as long."""
    times, short, y, inputs = stages(family, n)
    program = timed(times, "generate", lambda: ad.generate(short, inputs)).after
    chance = np.random.default_rng(1)
    values = [0.5 + 0.1 * chance.random(i.type.shape) for i in inputs]
    timed(times, "first call", lambda: program(*values))
    timed(times, "compile", lambda: compile(program.source, "again", "exec"))
    return times | {
        "memory": kept(family, min(n, small)) if small else nan,
        "forward": len(ad.Graph(y).operations),
        "left": len(short.graph.operations),
    }


def kept(family: Family, n: int) -> float:
    """The bytes that the stages hold, for each operation of the forward graph."""
    tracemalloc.start()
    y, inputs = family.make(n)
    stages = [sweep := ad.reverse_mode(y, inputs)]
    stages.append(ad.simplify([y, *sweep.outputs], family.mode))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(ad.Graph(y).operations)


def timed(times: dict[str, float], name: str, work: Callable[[], Any]) -> Any:
    """What the work gives; how long the processor took is noted."""
    start = time.process_time()
    result = work()
    times[name] = time.process_time() - start
    return result


def row(name: str, n: int, found: dict[str, float]) -> list[str]:
    """One line of the table."""
    passes = [1e6 * found[p] / found["forward"] for p in (*PASSES, "compile")]
    whole = sum(passes[:-1])
    memory, left = found["memory"] / 1e3, found["left"] / found["forward"]
    over = whole > TARGET_TIME or memory > TARGET_MEMORY
    cells = [f"{whole:.0f}", *(f"{t:.0f}" for t in passes), f"{memory:.2f}", f"{left:.1f}"]
    return [name, f"{n:,}", *cells, "over" if over else ""]


def worker(name: str, n: int, small: int = SMALL) -> None:
    """One run, told to the process that asked for it; of the stages alone, if memory is not asked
    for."""
    family = FAMILIES[name]
    measure(family, min(n, 300))
    print(json.dumps(measure(family, n, small) if small else stages(family, n)[0]))


def search(tries: int, n: int) -> None:
    """The slowest of as many graphs, drawn by seeds."""
    found = []
    for seed in range(tries):
        for mode in ("safe", "real"):
            family = Family(partial(mixed, seed=seed), mode)
            found.append((measure(family, n), seed, mode))
    found.sort(key=lambda one: -sum(one[0][p] for p in PASSES) / one[0]["forward"])
    rows = [row(f"seed {seed}, {mode}", n, times)[:8] for times, seed, mode in found[:5]]
    how = WORST.format(tries=tries, worst=TARGET_WORST)
    show("The worst graph of a search", how, ["graph", "n", "µs in all", *PASSES], rows)


def large(n: int) -> None:
    """A row for each kind of graph: chains, a long sum, a tree, and one drawn by chance."""
    rows = []
    for name in ("horner", "sin times x", "kept sum", "tree", "random ring"):
        times = json.loads(elsewhere(__file__, name, n, 0))
        whole = sum(times.values())
        over = "over" if whole > TARGET_STAGES else ""
        rows.append([name, *(f"{t:.0f}" for t in (whole, *times.values())), over])
    how = LARGE.format(n=n, target=TARGET_STAGES)
    show("Many operations", how, ["family", "in all", *STAGES, ""], rows)


def main(
    lengths: tuple[int, ...] = (1000, 10_000, 100_000),
    only: str = "",
    tries: int = 100,
    most: int = 1_000_000,
    small: int = SMALL,
) -> None:
    """A row for each family and each length, the slowest first; then the extremes."""
    found = [
        (name, n, json.loads(elsewhere(__file__, name, n, small)))
        for name in FAMILIES
        if only in name
        for n in lengths
    ]
    rows = [row(*one) for one in found]
    rows.sort(key=lambda cells: -float(cells[2]))
    head = ["family", "n", "µs in all", *PASSES, "compile", "KB kept", "left", ""]
    how = HOW.format(time=TARGET_TIME, memory=TARGET_MEMORY, small=small)
    show("Graphs of every kind", how, head, rows)
    search(tries, min(lengths[0] * 2, 2000))
    large(most)


if __name__ == "__main__":
    name, *numbers = arguments() or [""]
    quick = sizes(lengths=(1000,), tries=1, most=5000, small=200)
    worker(name, *map(int, numbers)) if name else main(**quick)
