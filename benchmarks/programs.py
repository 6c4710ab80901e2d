"""Value and gradient, ours and the peers' against programs written by hand (hand.py).

`python programs.py --write` writes them for the book, too.
"""

import json
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from _one_core import one_core

if __name__ == "__main__":
    one_core()

import numpy as np
from _engines import installed, versions
from _report import interleaved, machine, seconds, show
from _workloads import WORKLOADS, Workload, repeated
from hand import HAND

HOW = """Value and gradient in float64 on one core: the processor time of each engine as a ratio to
program by hand, the median of {repeats} rounds in which all take turns. Results were compared with
each other first. Ours is called in three ways: all lengths are declared; none is; and as a user
calls it, `ad.value_and_grad` of a function of arrays. `-` is what an engine does not do.{peers}"""

PAGE = Path(__file__).parent.parent / "book/performance.json"
Programs = dict[str, Callable[..., Any]]


def made(name: str, values: list) -> Programs:
    """The program by hand and those of all engines that can do the workload."""
    programs: Programs = {"by hand": HAND[name]}
    for engine, make in installed().items():
        try:
            programs[engine] = make(WORKLOADS[name], values)
        except NotImplementedError:
            continue
    return programs


def flat(results: Any) -> list:
    """The value and the gradients, whether nested or not."""
    if isinstance(results, (list, tuple)):
        return [leaf for part in results for leaf in flat(part)]
    return [np.asarray(results)]


def agree(name: str, programs: Programs, values: list) -> None:
    """Raise AssertionError where an engine's results are not those of the program by hand."""
    expected = flat(programs["by hand"](*values))
    for engine, run in programs.items():
        for found, wanted in zip(flat(run(*values)), expected, strict=True):
            scale = np.max(np.abs(wanted))
            np.testing.assert_allclose(
                found.reshape(wanted.shape), wanted, rtol=1e-7, atol=1e-9 * scale,
                err_msg=f"{name}, {engine}")  # fmt: skip


def measured(name: str, size: float, repeats: int) -> dict[str, float]:
    """The ratio of each engine to the program by hand, and the milliseconds of that one."""
    workload: Workload = WORKLOADS[name]
    values = workload.values(size)
    programs = made(name, values)
    for _ in range(3):  # the lengths come again
        agree(name, programs, values)
    counts = [sensible(run, values, workload.calls) for run in programs.values()]
    works = [repeated(run, values, n) for run, n in zip(programs.values(), counts)]
    rounds = interleaved(repeats, *works, clock=process_time)
    times = {e: [t / n for t in ts] for e, n, ts in zip(programs, counts, rounds)}
    hand = times["by hand"]
    ratios = {e: median(a / b for a, b in zip(ts, hand)) for e, ts in times.items()}
    return ratios | {"by hand": 1e3 * median(hand)}


def sensible(run: Callable[..., Any], values: list, most: int) -> int:
    """So many calls as a fiftieth of a second holds, for an engine of which a call takes long."""
    return max(1, min(most, int(0.02 / seconds(lambda: run(*values), process_time))))


def written(path: Path, found: dict[str, dict[str, float]], engines: list[str]) -> dict[str, Any]:
    """Write what was found for the book, and give it."""
    workloads = {
        name: {
            "by hand": float(f"{row['by hand']:.3g}"),
            "target": WORKLOADS[name].limit,
            "ratios": {e: round(row[e], 3) for e in engines if e in row},
        }
        for name, row in found.items()
    }
    told = {
        "date": date.today().isoformat(),
        "machine": f"{machine()}, one core",
        "engines": engines,
        "workloads": workloads,
    }
    path.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    return told


def main(size: float = 1.0, repeats: int = 15, path: str = "", only: str = "") -> None:
    """The table; with a path, the numbers are written there for the book."""
    names = [name for name in WORKLOADS if only in name]
    found = {name: measured(name, size, repeats) for name in names}
    engines = list(installed())
    rows = [
        [name, f"{row['by hand']:.3g}", *(f"{row[e]:.2f}" if e in row else "-" for e in engines),
         f"{WORKLOADS[name].limit}"]
        for name, row in found.items()
    ]  # fmt: skip
    peers = f" Peers: {versions(engines)}." if len(engines) > 1 else ""
    head = ("workload", "by hand, ms", *engines, "ours, at most")
    show("Programs against programs by hand", HOW.format(repeats=repeats, peers=peers), head, rows)
    if path:
        written(Path(path), found, engines)


if __name__ == "__main__":
    main(path=str(PAGE) if "--write" in sys.argv else "")
