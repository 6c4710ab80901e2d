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
MIXED = 24  # points at which the entries of an array differ
LENGTH = 4  # of an axis of unknown length
ORDINARY = (0.75, -1.25, 2.6, -3.1, 0.3)


def points(inputs: Sequence[Input], many: bool, told: Sequence[float] = ()) -> Draws:
    """Values for the inputs: each combination of simple and special numbers, and of those about the
    numbers that are told, as far as there is room, and arrays of different entries."""
    pools = [about(told, pool(i.dtype)) for i in inputs]
    rows = combinations(tuple(map(len, pools)), MANY if many else FEW)
    rng = np.random.default_rng(SEED)
    return {
        i: np.concatenate([filled(v[rows[:, k]], i), mixed(v, i, rng)])
        for k, (i, v) in enumerate(zip(inputs, pools, strict=True))
    }


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
