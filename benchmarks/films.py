"""Films of derivatives beside their values: how long they take, and how large they are."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from _report import show, sizes, spread

import autodiff_edu as ad
from autodiff_edu.show.diagram import layout
from autodiff_edu.show.html.page import short
from autodiff_edu.show.scene.document import Document
from autodiff_edu.show.scene.still import Stills
from autodiff_edu.show.scene.svg import svg

FILMS = """Seconds of CPU, median (least to largest), and KB of the page: films of derivatives and
of their simplification; and the picture of a pendulum's loss over {steps} steps of Runge and Kutta
with its gradient by three parameters, {nodes:,} nodes.
Graphviz laid out the first film in 1.3 s and 890 KB, and that of its simplification in 0.8 s and
450 KB, until one layout took its place. Targets: a third of these times, 150 KB and 100 KB; in
groups, twice the time of a graph of 100 nodes, of which Graphviz takes more in its own process."""


def recurrent() -> Any:
    """The gradient of a net of four steps, by its matrices."""
    U, W = ad.tensor("U", shape=(3, 4)), ad.tensor("W", shape=(4, 4))
    h = ad.constant(np.zeros(4))
    for t in range(4):
        h = ad.tanh(ad.tensor(f"x{t}", shape=3) @ U + h @ W)
    return ad.reverse_mode(ad.sum(ad.square(h - 1)), [U, W])


def pendulum(steps: int) -> Any:
    """The gradient of the last angle's square, by g, l and the friction."""
    g, length, c = map(ad.scalar, ("g", "l", "c"))
    angle, speed, dt = ad.scalar("θ"), ad.scalar("ω"), 0.05

    def slope(a: Any, v: Any) -> tuple[Any, Any]:
        return v, -g / length * ad.sin(a) - c * v

    for _ in range(steps):
        k1 = slope(angle, speed)
        k2 = slope(angle + dt / 2 * k1[0], speed + dt / 2 * k1[1])
        k3 = slope(angle + dt / 2 * k2[0], speed + dt / 2 * k2[1])
        k4 = slope(angle + dt * k3[0], speed + dt * k3[1])
        angle = angle + dt / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        speed = speed + dt / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
    return ad.reverse_mode(angle**2, [g, length, c])


def chain(length: int) -> Any:
    """Two operations a step."""
    x = y = ad.scalar("x")
    for _ in range(length):
        y = ad.sin(y) * x
    return y


def page(shown: Any) -> str:
    text: str = shown._repr_mimebundle_()["text/html"]
    return text


def row(name: str, draw: Callable[[], str], repeats: int) -> list[str]:
    """One way to draw, drawn so many times."""
    times = []
    for _ in range(repeats):
        layout.laid_out.cache_clear()
        short.cache_clear()
        begin = time.process_time()
        html = draw()
        times.append(time.process_time() - begin)
    return [name, spread(times), f"{len(html) / 1024:.0f}"]


def rows(stage: Any, large: Any, repeats: int) -> Iterator[list[str]]:
    short = ad.simplify(stage)
    yield row("reverse mode", lambda: page(ad.film(stage)), repeats)
    yield row("its simplification", lambda: page(ad.film(short)), repeats)
    yield row("derivative and simplification, explorer", lambda: page(stage.explore()), repeats)
    yield row(
        "pendulum, one picture", lambda: svg(Stills(Document(large, None, {}).data())[-1]), repeats
    )
    yield row("pendulum, drawn in groups", lambda: page(ad.draw(large)), repeats)
    yield row("chain of 100 nodes", lambda: page(ad.draw(chain(50))), repeats)


def main(steps: int = 20, repeats: int = 3) -> None:
    """Print the table."""
    page(ad.film(recurrent()))  # what is loaded first is not counted
    large = pendulum(steps)
    nodes = len(ad.Graph([*large.before.outputs, *large.outputs]).nodes)
    table = rows(recurrent(), large, repeats)
    show("Films", FILMS.format(steps=steps, nodes=nodes), ["drawn", "CPU", "KB"], list(table))


if __name__ == "__main__":
    main(**sizes(repeats=1))
