"""Points at which two expressions are compared, the simplest first: so what is found needs no
shrinking.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np

from ...expr import Constant, Expr, Input, postorder

Draws = dict[Any, np.ndarray]  # for each input its values, one after the other

SEED = 0
MANY, FEW = 8000, 120  # points at which numbers are compared, or anything else
PART = 2  # so many of them, for one, are of all magnitudes
PARTS = 8  # of the way to the largest number, and of that to the largest whose exp is a number
MIXED = 24  # points at which the entries of an array differ
LENGTH = 4  # of an axis of unknown length
ORDINARY = (0.75, -1.25, 2.6, -3.1, 0.3)


def points(inputs: Sequence[Input], many: bool, told: Sequence[float] = ()) -> Draws:
    """Values for the inputs: each combination of simple and special numbers, and of those about the
    numbers that are told, as far as there is room; the same of numbers of all magnitudes; and
    arrays of different entries."""
    most, rng = MANY if many else FEW, np.random.default_rng(SEED)
    simple = combined([about(told, pool(i.dtype)) for i in inputs], most)
    large = combined([magnitudes(i.dtype) for i in inputs], most // PART)
    return {
        i: np.concatenate([filled(v, i), filled(w, i), mixed(pool(i.dtype), i, rng)])
        for i, v, w in zip(inputs, simple, large, strict=True)
    }


def combined(pools: Sequence[np.ndarray], most: int) -> list[np.ndarray]:
    """The values of each input in combinations of what the pools hold."""
    rows = combinations(tuple(map(len, pools)), most)
    return [v[rows[:, k]] for k, v in enumerate(pools)]


def pool(dtype: np.dtype) -> np.ndarray:
    """Numbers of a dtype, the simplest first."""
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind != "f":
        limits = np.iinfo(dtype)
        whole = [0, 1, -1, 2, -2, 3, 7, -13, int(limits.max), int(limits.min)]
        return np.array([v for v in whole if limits.min <= v], dtype)
    about = np.finfo(dtype)
    huge, tiny = (10.0 ** int(np.log10(v)) for v in (about.max, about.tiny))
    ends = [1000, -1000, huge, -huge, tiny, float(about.smallest_subnormal), -0.0, 1e-20]
    simple = [0, 1, -1, 2, -2, 0.5, 3, np.inf, -np.inf, np.nan]
    return np.array([*simple, *ends, *ORDINARY], dtype)


def magnitudes(dtype: np.dtype) -> np.ndarray:
    """Numbers of all sizes, so that products, powers and exponentials of them reach both ends."""
    if dtype.kind != "f":
        return pool(dtype)
    most, parts = float(np.finfo(dtype).max), [k / PARTS for k in range(1, PARTS)]
    sizes = [most ** (sign * part) for part in parts for sign in (1, -1)]
    arguments = [sign * float(np.log(most)) * part for part in parts[2:] for sign in (1, -1)]
    return np.array([0, 1, *ORDINARY[-2:], *sizes, *arguments, *[-v for v in sizes[4:8]]], dtype)


def about(told: Sequence[float], known: np.ndarray) -> np.ndarray:
    """Numbers that are known, and those told, halfway between neighbours, and on either side."""
    if known.dtype.kind != "f" or not told:
        return known
    row = sorted(set(told))
    more = [*[(a + b) / 2 for a, b in pairwise(row)], *row, row[0] - 1, row[-1] + 1]
    return np.array([*known, *[v for v in more if v not in known]], known.dtype)


def thresholds(node: Expr) -> list[float]:
    """The numbers with which something is compared, where the sides may begin to differ."""
    compared = [n for n in postorder([node]) if n.dtype.kind == "b"]
    found = [i for n in compared for i in n.inputs if isinstance(i, Constant) and not i.ndim]
    return [float(i.value) for i in found if i.dtype.kind == "f" and np.isfinite(i.value)]


@cache
def combinations(lengths: tuple[int, ...], most: int) -> np.ndarray:
    """Places in pools of these lengths, the sum of places rising; if there are too many, the first
    of them and some of the rest."""
    rng = np.random.default_rng(SEED)
    if not lengths:
        return np.zeros((1, 0), int)
    if np.prod(lengths, dtype=float) > 20 * MANY:
        rows = np.unique(rng.integers(0, lengths, (MANY, len(lengths))), axis=0)
    else:
        rows = np.array(list(product(*map(range, lengths))))
    rows = rows[np.argsort(rows.sum(axis=1), kind="stable")]
    if len(rows) <= most:
        return rows
    later = rng.choice(np.arange(most // 2, len(rows)), most - most // 2, replace=False)
    return rows[[*range(most // 2), *sorted(later)]]


def lengths_of(i: Input) -> tuple[int, ...]:
    return tuple(LENGTH if n is None else n for n in i.type.shape)


def filled(values: np.ndarray, i: Input) -> np.ndarray:
    """For each value an array of the input's shape that repeats it."""
    shape = lengths_of(i)
    spread = values.reshape(-1, *[1] * len(shape))
    return np.broadcast_to(spread, (len(values), *shape))


def mixed(values: np.ndarray, i: Input, rng: np.random.Generator) -> np.ndarray:
    """1, 2, 3 ..., then ordinary numbers, then any."""
    shape = (MIXED, *lengths_of(i))
    if i.dtype.kind == "b":
        return rng.choice(values, shape)
    found = (
        np.round(rng.normal(size=shape), 2) if i.dtype.kind == "f" else rng.choice(values, shape)
    )
    found[0] = np.arange(1, found[0].size + 1).reshape(shape[1:])
    if shape[1:]:
        found[MIXED // 2 :] = rng.choice(values, found[MIXED // 2 :].shape)
    return found.astype(i.dtype)


def point(draws: Draws, k: int) -> dict[Expr, Any]:
    """The k-th of them."""
    return {i: v[k] for i, v in draws.items()}
