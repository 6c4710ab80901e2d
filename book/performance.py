"""The page on speed: its table and its plot, from what a benchmark run has written.

`python3 dev.py bench --write` measures, and writes `performance.json`.
"""

import json
from pathlib import Path
from typing import Any

BOOK = Path(__file__).parent
OURS = "autodiff_edu"


def measured() -> dict[str, Any]:
    """What the last run has found."""
    found: dict[str, Any] = json.loads((BOOK / "performance.json").read_text("utf-8"))
    return found


def write_parts(folder: Path) -> None:
    """The parts of the page that are made of numbers."""
    found = measured()
    (folder / "performance_table.md").write_text(table(found), "utf-8")
    plot(found, folder / "performance.svg")


def table(found: dict[str, Any]) -> str:
    """The date, the machine, the ratios, and the targets that are not reached."""
    peers = [name for name in found["engines"] if name != OURS]
    head = ["workload", "by hand, ms", "ours", "target", "reached", *peers]
    rows = [head, ["---"] * len(head)]
    for name, row in found["workloads"].items():
        ratios = row["ratios"]
        others = [f"{ratios[peer]:.2f}" if peer in ratios else "" for peer in peers]
        reached = "yes" if is_reached(row) else "no"
        mine = [f"{row['by hand']:.3g}", f"{ratios[OURS]:.2f}", f"{row['target']}", reached]
        rows.append([name, *mine, *others])
    lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"Measured on {found['date']}: {found['machine']}.\n\n{lines}\n\n{missed(found)}\n"


def is_reached(row: dict[str, Any]) -> bool:
    """Is the ratio, as the table shows it, at most the target?"""
    return bool(round(row["ratios"][OURS], 2) <= row["target"])


def missed(found: dict[str, Any]) -> str:
    """A sentence on the targets that are not reached."""
    names = [name for name, row in found["workloads"].items() if not is_reached(row)]
    if not names:
        return "All targets are reached."
    return f"Targets that are not reached: {', '.join(names)}."


def plot(found: dict[str, Any], path: Path) -> None:
    """Bars of the ratios on a logarithmic axis; the line is the program by hand."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "book"  # else each build names its clips anew
    from matplotlib import pyplot as plt

    engines, rows = found["engines"], found["workloads"]
    figure, axes = plt.subplots(figsize=(8, 0.5 * len(engines) + 4), layout="constrained")
    height = 0.8 / len(engines)
    for k, engine in enumerate(engines):
        bars = [
            (j + k * height, row["ratios"][engine])
            for j, row in enumerate(rows.values())
            if engine in row["ratios"]
        ]
        axes.barh(*zip(*bars, strict=True), height, label=engine)
    axes.axvline(1.0, color="black", linewidth=1)
    axes.set(xscale="log", xlabel="time, program by hand = 1")
    axes.set_yticks([j + 0.4 - height / 2 for j in range(len(rows))], list(rows))
    axes.invert_yaxis()
    axes.legend()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
