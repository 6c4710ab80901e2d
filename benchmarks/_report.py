"""What the benchmarks share: repeated timing, tables in Markdown, and the flag for all sizes."""

import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from statistics import median
from typing import Any

import numpy as np

FULL = "--full"  # the flag


def arguments() -> list[str]:
    """The words of the command line but for the flag."""
    return [word for word in sys.argv[1:] if word != FULL]


def sizes(**quick: Any) -> dict[str, Any]:
    """The sizes of a quick run; none, so that those by default hold, with the flag."""
    return {} if FULL in sys.argv else quick


def seconds(work: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    """How long one call takes."""
    start = clock()
    work()
    return clock() - start


def interleaved(
    repeats: int, *works: Callable[[], Any], clock: Callable[[], float] = time.perf_counter
) -> list[list[float]]:
    """The times of each work; they take turns, so that a slow moment of the machine hits all. Of
    work in one thread, time.process_time also leaves out the time that other programs take."""
    rounds = [[seconds(work, clock) for work in works] for _ in range(repeats)]
    return [list(times) for times in zip(*rounds)]


def spread(times: Iterable[float]) -> str:
    """Median, and the least and the largest in brackets."""
    times = list(times)
    return f"{median(times):.3g} ({min(times):.3g} to {max(times):.3g})"


def peak_memory() -> float:
    """The most memory that this process has held, in bytes; nan where nobody tells."""
    with suppress(ImportError):
        import resource  # not on Windows

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return float(peak) if sys.platform == "darwin" else 1024.0 * peak
    return float("nan")


def elsewhere(path: str, *args: Any) -> str:
    """What a program prints in a process of its own, whose memory nothing else has touched."""
    command = [sys.executable, path, *map(str, args)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Rows in Markdown, the columns lined up for those who read it as it stands."""
    lines = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths))} |" for row in lines
    )


def machine() -> str:
    """The versions, and the kind of machine; not its name."""
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    return f"{versions}, {platform.system()} {platform.machine()}"


def show(title: str, how: str, head: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print a benchmark: its title, what is measured, the machine, the table."""
    print(f"## {title}\n\n{how}\n{machine()}.\n\n{table(head, rows)}\n", flush=True)
