"""Where an operation is tried: other lengths than the example's, other values, special ones."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

Shapes = tuple[tuple[int, ...], ...]
SPREAD = 0.2  # how far a random value lies from the example's, in parts of it


def other_lengths(shapes: Shapes) -> list[Shapes]:
    """The shapes with one length changed to one more, and to 1: wherever it stands at once, and in
    each of its places alone."""
    places: dict[int, list[tuple[int, int]]] = {}
    for k, shape in enumerate(shapes):
        for axis, n in enumerate(shape):
            places.setdefault(n, []).append((k, axis))
    found: dict[Shapes, None] = {}
    for n, where in places.items():
        for new in (n + 1, 1):
            for chosen in (where, *([place] for place in where)):
                found[changed(shapes, chosen, new)] = None
    return [s for s in found if s != shapes]


def changed(shapes: Shapes, places: Sequence[tuple[int, int]], n: int) -> Shapes:
    return tuple(
        tuple(n if (k, axis) in places else m for axis, m in enumerate(shape))
        for k, shape in enumerate(shapes)
    )


def drawn(v: np.ndarray, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Values of this shape that are like those of v."""
    pool = v.ravel() if v.size else np.ones(1, v.dtype)
    return near(rng.choice(pool, size=shape).astype(v.dtype), rng)


def near(v: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Floats near those of v, of the same sign; whole numbers as they are."""
    if v.dtype.kind != "f":
        return v
    u = rng.uniform(-SPREAD, SPREAD, v.shape)
    return np.asarray(np.where(v == 0, u, v * (1 + u)), v.dtype)


def special(values: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Points at which entries coincide, and words for them."""
    floats = [v for v in values if v.dtype.kind == "f" and v.size]
    if not floats:
        return
    first = floats[0].flat[0]
    yield "where all entries are 0", [fill(v, lambda v: np.zeros_like(v)) for v in values]
    yield "where all entries are equal", [fill(v, lambda v: np.full_like(v, first)) for v in values]
    row = floats[0][0] if floats[0].ndim > 1 else None
    if row is not None and all(v.shape[1:] == row.shape for v in floats):
        rows = [fill(v, lambda v: np.broadcast_to(row, v.shape).copy()) for v in values]
        yield "where all rows are equal", rows


def fill(v: np.ndarray, by: Any) -> np.ndarray:
    return by(v) if v.dtype.kind == "f" and v.size else v


def signed(rng: np.random.Generator, like: Any) -> np.ndarray:
    """A random change of a value: numbers between 0.5 and 1.5, of either sign, in its dtype."""
    shape, dtype = np.shape(like), np.asarray(like).dtype
    numbers = rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)
    return np.asarray(numbers, dtype if dtype.kind == "f" else "float64")
