"""What a stage shows of itself: films of small graphs, tables and pictures of large ones."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from _graphs import FAMILIES, TWENTY, drawn
from _report import seconds, show, sizes, spread

import autodiff_edu as ad

NODES, STEPS = range(62, 67), range(15, 20)  # of a graph that is filmed, and of its film
FILMS = """Seconds and KB of the HTML for films of simplification, median (least to largest), on
{count} graphs drawn by chance: value and gradient of {least} to {most} nodes, rewritten in {few} to
{many} steps. Target: half a second and 600 KB."""
LARGE = """Seconds for what a notebook shows of a simplified gradient, built anew each time; targets
are the largest that we want. The attention network has {n:,} operations before it is
differentiated; the table has a row for each step of the rewriter."""


def shown(what: Any) -> str:
    """What a notebook gets, as text."""
    bundle = what._repr_mimebundle_()
    return "".join(str(bundle[kind]) for kind in sorted(bundle))


def small() -> Iterator[ad.Stage]:
    """Simplifications of a size that a lecture films, by seeds."""
    seed = 0
    while True:
        seed += 1
        y, inputs = drawn(19 + seed % 5, TWENTY, Random(seed), 6)
        before = ad.Graph([y, *ad.reverse_mode(y, inputs[:2]).outputs])
        if len(before.nodes) in NODES and len((stage := ad.simplify(before)).steps) in STEPS:
            yield stage


def films(count: int) -> None:
    """A row for the time, and one for the size."""
    shown(ad.film(ad.simplify(1 * ad.scalar("x"))))  # warm
    times, sizes = [], []
    for stage, _ in zip(small(), range(count)):
        times.append(seconds(lambda: sizes.append(len(shown(ad.film(stage))) / 1e3)))  # noqa: B023
    ends = {"least": NODES[0], "most": NODES[-1], "few": STEPS[0], "many": STEPS[-1]}
    rows = [["seconds", spread(times), "0.5"], ["KB", spread(sizes), "600"]]
    show("Films", FILMS.format(count=count, **ends), ["", "film", "target"], rows)


def large(n: int, repeats: int) -> None:
    """A row for each way to look at it."""
    y, inputs = FAMILIES["attention"].make(n)
    sweep = ad.reverse_mode(y, inputs)
    stage = ad.simplify([y, *sweep.outputs])
    short = ad.simplify([y, *sweep.outputs], mode="ieee")
    views: dict[str, tuple[float, Callable[[], Any]]] = {
        f"table of {len(stage.steps):,} steps": (1, lambda: shown(stage.table())),
        "picture": (1, lambda: shown(stage)),
        "two compared": (2, lambda: shown(ad.compare(short, stage))),
        "why": (0.1, lambda: str(ad.why(stage.outputs[-1]))),
        "formula": (0.1, lambda: ad.latex(stage.outputs[-1])),
    }
    rows = [
        [what, spread(seconds(view) for _ in range(repeats)), f"{target}"]
        for what, (target, view) in views.items()
    ]
    show("Views of a large graph", LARGE.format(n=n), ["", "seconds", "target"], rows)


def main(count: int = 12, n: int = 6000, repeats: int = 3) -> None:
    """Both tables."""
    films(count)
    large(n, repeats)


if __name__ == "__main__":
    main(**sizes(count=6, n=2000))
