"""Entries that are only moved: chains of slices, new axes, joins, shapes and updates, at random.

Numbers are whole, so sums are exact: what simplification makes of a chain, and of its slope, has
the very values of NumPy.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws

SHAPES = [(4,), (1,), (0,), (3, 4), (3, 1), (2, 0), (1, 1), (2, 3, 2)]


def key(rng, shape):
    """Numbers, slices and new axes for the first axes of an array, or an array for one of them."""
    items = [item(rng, n) for n in shape[: rng.integers(len(shape) + 1)]]
    for _ in range(rng.integers(3)):
        items.insert(rng.integers(len(items) + 1), None)
    if rng.random() < 0.2:
        items.append(Ellipsis)
    return tuple(items)


def item(rng, n):
    if n and rng.random() < 0.3:
        return int(rng.integers(-n, n))
    ends = [None, *range(-n - 1, n + 2)]
    start, stop = rng.choice(np.array(ends, object), 2)
    return slice(start, stop, [None, 1, 2, -1, -2][rng.integers(5)])


def put(x, where, value):
    """x with a value at a key, in NumPy and here."""
    if isinstance(x, ad.Expr):
        return x.at[where].set(value)
    x = x.copy()
    x[where] = value
    return x


def arrangement(rng, x):
    """A function that moves the entries of an array of this shape."""
    shape, axis = x.shape, int(rng.integers(-x.ndim, x.ndim))
    where, order = key(rng, shape), tuple(rng.permutation(x.ndim).tolist())
    places = rng.integers(shape[axis], size=3) if x.size else np.array([], int)
    shift = int(rng.integers(-5, 6))
    before, after = rng.integers(0, 3, 2).tolist()
    return [
        lambda x: x[where],
        lambda x: x[where],
        lambda x: x[where],
        lambda x: np.expand_dims(x, axis),
        lambda x: np.squeeze(x),
        lambda x: np.transpose(x, order),
        lambda x: np.flip(x, axis),
        lambda x: np.roll(x, shift, axis),
        lambda x: np.roll(x, shift),
        lambda x: np.reshape(x, (-1,)),
        lambda x: np.reshape(x, x.shape[::-1]),
        lambda x: np.broadcast_to(x, (2, *shape)),
        lambda x: np.concatenate([x, x[::-1]], axis),
        lambda x: np.concatenate([2 * x, x], axis)[where],
        lambda x: np.stack([x, 3 * x], axis),
        lambda x: np.take(x, places, axis),
        lambda x: np.repeat(x, 2, axis),
        lambda x: np.tile(x, 2),
        lambda x: np.pad(x, [(before, after)] * len(shape)),
        lambda x: put(x, where, 0),
        lambda x: np.diff(x, axis=axis),
        lambda x: np.cumsum(x, axis),
        lambda x: np.sum(x, axis),
        lambda x: np.sum(x, axis, keepdims=True),
        lambda x: np.tril(x),
        lambda x: np.delete(x, places, axis),
        lambda x: np.moveaxis(x, 0, axis),
        lambda x: x + x.T,
        lambda x: x * 2,
        lambda x: np.array_split(x, 2, axis)[1],
    ][rng.integers(30)]


def chain(rng):
    """A value, and the functions that are applied to it one after the other."""
    x = rng.integers(-5, 6, SHAPES[rng.integers(len(SHAPES))]).astype(float)
    found, value = [], x
    while len(found) < 4 + x.size % 3:
        f = arrangement(rng, value)
        try:
            longer = f(value)
        except (ValueError, IndexError, TypeError):  # NumPy refuses it
            continue
        if longer.size < 60 and 0 < longer.ndim < 5:
            found.append(f)
            value = longer
    return x, found


@pytest.mark.each("seed", range(draws(250)))
def test_entries_arrive_where_they_arrive_in_numpy(seed):
    rng = np.random.default_rng(seed)
    value, functions = chain(rng)
    x, wanted = ad.tensor("x", shape=value.shape), value
    y = x
    for f in functions:
        y, wanted = f(y), f(wanted)
    cotangent = rng.integers(-3, 4, wanted.shape).astype(float)
    slope = ad.reverse_mode(y, x, ad.constant(cotangent)).output
    graph = ad.Graph([y, slope], [x])
    kept = ad.evaluate(graph, {x: value})
    np.testing.assert_array_equal(kept[0], wanted, strict=True)
    for mode in ("ieee", "safe", "real"):
        for found, expected in zip(ad.evaluate(ad.simplify(graph, mode=mode), {x: value}), kept):
            np.testing.assert_array_equal(found, expected, strict=True)
    program = ad.function(x, [y, slope], on_unused_input="ignore")
    for found, expected in zip(program(value), kept):
        np.testing.assert_array_equal(found, expected)
