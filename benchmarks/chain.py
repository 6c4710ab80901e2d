"""A chain of n operations: is the time per node flat, and how much memory does a node take?

    v = 1.01 * sin(1.01 * sin( ... x ...))

is built, differentiated in reverse mode and simplified. Every length runs in a process of its own,
which is warmed by a short chain first. With `--full`, the longest has a million operations.
"""

import json
from statistics import median

from _report import arguments, elsewhere, peak_memory, seconds, show, sizes, spread

import autodiff_edu as ad

PASSES = ("build", "reverse_mode", "simplify")
TARGET_TIME, TARGET_MEMORY, TARGET_FLATNESS = 40, 2.5, 2  # µs and KB a node, longest to shortest

HOW = """Microseconds and kilobytes for each of the n operations of the chain (sin and multiply in
turns). Median of the runs (least to largest), each in a new process. Memory is the growth of the
peak resident set, all stages and their logs kept; it says little for the shortest chain.
All three passes are timed together in "total". Steps are those of both stages' logs."""


def chain(n: int) -> tuple[ad.Expr, ad.Expr]:
    """n operations on x, and x."""
    x = ad.scalar("x")
    v = x
    for _ in range(n // 2):
        v = 1.01 * ad.sin(v)
    return v, x


def measure(n: int) -> dict[str, float]:
    """Seconds for each pass, bytes, and steps."""
    kept: list = []
    before = peak_memory()
    times = {
        "build": seconds(lambda: kept.append(chain(n))),
        "reverse_mode": seconds(lambda: kept.append(ad.reverse_mode(*kept[0]))),
        "simplify": seconds(lambda: kept.append(ad.simplify(kept[1]))),
    }
    memory = peak_memory() - before
    return times | {"memory": memory, "steps": sum(len(stage.steps) for stage in kept[1:])}


def worker(n: int) -> None:
    """One run, told to the process that asked for it."""
    measure(min(n, 1000))
    print(json.dumps(measure(n)))


def rows(found: dict[int, list[dict[str, float]]]) -> list[list[str]]:
    """A row for each pass and a column for each length; then how flat the pass is."""
    per_node = {
        name: [[1e6 * sum(run[p] for p in parts) / n for run in runs] for n, runs in found.items()]
        for name, parts in [("total", PASSES), *((p, (p,)) for p in PASSES)]
    }
    target = {"total": f"at most {TARGET_TIME}, flat within {TARGET_FLATNESS}"}
    table = [
        [f"{name}, µs", flat(cells), *map(spread, cells), target.get(name, "")]
        for name, cells in per_node.items()
    ]
    memory = [f"{median(run['memory'] for run in runs) / n / 1e3:.2f}" for n, runs in found.items()]
    steps = [f"{runs[0]['steps'] / n:.2f}" for n, runs in found.items()]
    table.append(["memory, KB", "", *memory, f"at most {TARGET_MEMORY}"])
    return [*table, ["steps", "", *steps, ""]]


def flat(cells: list[list[float]]) -> str:
    """The last column's median by the first one's."""
    return f"{median(cells[-1]) / median(cells[0]):.2f}"


def main(lengths: tuple[int, ...] = (10_000, 100_000, 1_000_000), repeats: int = 3) -> None:
    """The table of all lengths; the long chains run first and last alike, in turns."""
    rounds = [{n: json.loads(elsewhere(__file__, n)) for n in lengths} for _ in range(repeats)]
    found = {n: [one[n] for one in rounds] for n in lengths}
    head = ["per node", "longest : shortest", *(f"n = {n:,}" for n in lengths), "target"]
    show("A chain of n operations", HOW, head, rows(found))


if __name__ == "__main__":
    lengths = [*map(int, arguments())]
    worker(*lengths) if lengths else main(**sizes(lengths=(10_000, 30_000), repeats=2))
