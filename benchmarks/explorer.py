"""The explorer of a large derivative in Chromium: how long it takes to open, to pan and to pull."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from _report import show, spread

import autodiff_edu as ad

sys.path.append(str(Path(__file__).parents[1]))
from tests.helpers import browser

EXPLORER = """Milliseconds of CPU that Chromium's page takes (its TaskDuration), median (least to
largest): reverse mode and simplification of a recurrent net of {steps:,} steps, {parts:,} parts in
a page of {size:,.0f} KB. Panning is one frame of 40 pixels; from afar the whole is a canvas.
Targets: it opens in a second, and a frame takes 16 ms."""
FRAME = "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));"


def recurrent(steps: int) -> Any:
    """A net whose weights are used in every step."""
    w, u, h = map(ad.scalar, ("w", "u", "h0"))
    inputs = [ad.scalar(f"x{t}") for t in range(steps)]
    at = {w: 0.7, u: 0.5, h: 0.1} | dict(zip(inputs, np.linspace(-1, 1, steps), strict=True))
    for x in inputs:
        h = ad.tanh(w * h + u * x)
    return ad.explore((h - 1) ** 2, at=at, wrt=[w, u])


@contextmanager
def opened() -> Iterator[Any]:
    """A page of Chromium that counts its work."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        browser.opened(Path(folder)) as page,
    ):
        page.tell("Performance.enable")
        yield page


def work(page: Any, script: str) -> float:
    """Milliseconds of the page's own tasks, until what a script changes is painted."""
    before = busy(page)
    page.run(script + FRAME)
    return busy(page) - before


def busy(page: Any) -> float:
    metrics = page.tell("Performance.getMetrics")["metrics"]
    return next(1e3 * m["value"] for m in metrics if m["name"] == "TaskDuration")


READY = f"""
const find = () => document.querySelectorAll(".autodiff-explorer");
while (![...find()].at(-1)?.shadowRoot?.querySelector(".node")) {{ {FRAME} }}
globalThis.view = [...find()].at(-1).shadowRoot.querySelector(".scroller");
"""
FIT = """
const key = new KeyboardEvent("keydown", { key: "f", bubbles: true });
view.querySelector(".node").dispatchEvent(key);
"""


def rows(path: Path, repeats: int) -> Iterator[list[str]]:
    """What takes how long; a page is opened three times, each in a browser of its own."""
    opening = []
    for last in (False, False, True):
        with opened() as page:
            page.open(path)
            page.run(READY + FRAME)
            opening.append(busy(page))
            if last:
                yield ["open", spread(opening), "1000"]
                pan = [work(page, "view.scrollBy(0, 40);") for _ in range(repeats)]
                yield ["pan", spread(pan), "16"]
                page.run(FIT + FRAME)
                far = [work(page, "view.scrollBy(0, 40);") for _ in range(repeats)]
                yield ["pan from afar", spread(far), "16"]


def main(steps: int = 160, repeats: int = 30) -> None:
    """One table, without numbers where there is no Chromium."""
    explorer = recurrent(steps)
    with tempfile.TemporaryDirectory() as folder:
        path = explorer.save(Path(folder) / "net.html")
        size = path.stat().st_size / 1e3
        table = [*rows(path, repeats)] if browser.PROGRAM else [["needs Chromium", "", ""]]
    words = EXPLORER.format(steps=steps, parts=len(explorer.document["parts"]), size=size)
    show("Explorer", words, ["", "milliseconds", "target"], table)


if __name__ == "__main__":
    main()
