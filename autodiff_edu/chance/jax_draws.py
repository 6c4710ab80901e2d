"""The draws by JAX: equal in distribution to NumPy's, by another generator.

The key of a draw is made of the words that make NumPy's: its stream's state, its place, its steps.
What is drawn from given uniform numbers is the same here and there. Parameters are not checked:
compiled code raises no errors.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..expr import LazyModule
from ..ops.lengths import fill

jax, jnp = LazyModule("jax"), LazyModule("jax.numpy")
special = LazyModule("jax.scipy.special")


def standard_uniform(state, *operands, place, shape=(), dtype="float64"):
    """Uniform between 0 and 1, both excluded."""
    u = drawn(jax.random.uniform, state, operands, place, shape, dtype)
    return jnp.maximum(u, np.finfo(dtype).epsneg / 2)


def standard_normal(state, *operands, place, shape=(), dtype="float64"):
    """Normal with mean 0 and variance 1."""
    return drawn(jax.random.normal, state, operands, place, shape, dtype)


def drawn(
    draw: Callable[..., Any],
    state: Any,
    operands: Sequence[Any],
    place: int,
    shape: Any,
    dtype: str,
) -> Any:
    """A draw for each of the states and steps along leading axes."""
    count = len(operands) - shape.count(None)
    steps, full = operands[:count], fill(shape, operands[count:])
    words = [*jnp.moveaxis(jnp.asarray(state), -1, 0), jnp.uint64(place), *steps]
    words = [jnp.asarray(word).astype("uint64") for word in words]
    loop = np.broadcast_shapes(*map(np.shape, words))
    one = lambda words: draw(key_of(words), full, dtype)
    for _ in loop:
        one = jax.vmap(one)
    return one([jnp.broadcast_to(word, loop) for word in words])


def key_of(words: Sequence[Any]) -> Any:
    """A key of JAX in which every bit of these words counts."""
    key = jax.random.key(0, impl="threefry2x32")
    for word in words:
        for half in (word, word >> np.uint64(32)):
            key = jax.random.fold_in(key, half.astype("uint32"))
    return key


# ---- whole numbers, chosen by uniform ones


def bernoulli(u, p):
    """1 with the probability p, else 0."""
    return jnp.less(u, p).astype("int64")


def binomial(u, n, p):
    """How many of n trials succeed, each with the probability p."""
    p = jnp.asarray(p, "float64")
    inside = lambda k: jnp.minimum(k, n - 1)
    upto = lambda k: 1 - special.betainc(inside(k) + 1, n - inside(k), p)
    return smallest(lambda k: (k >= n) | (upto(k) >= u), n, u, n, p)


def poisson(u, lam):
    """How many events there are, lam of them being expected."""
    lam = jnp.asarray(lam, "float64")
    most = jnp.ceil(lam + 10 * jnp.sqrt(lam) + 40)
    return smallest(lambda k: special.gammaincc(k + 1, lam) >= u, most, u, lam)


def categorical(u, p):
    """The place k with the probability p[..., k]."""
    upto = jnp.cumsum(p, -1)[..., :-1] / jnp.sum(p, -1, keepdims=True)
    return jnp.sum(jnp.expand_dims(u, -1) > upto, -1)


def integers(u, low, count):
    """One of the whole numbers low, low + 1, …, low + count − 1."""
    return jnp.asarray(low).astype("int64") + jnp.floor(u * count).astype("int64")


def smallest(enough: Callable[[Any], Any], most: Any, *operands: Any) -> Any:
    """The smallest whole number from 0 to `most` for which it is enough, by bisection."""
    shape = np.broadcast_shapes(*map(np.shape, operands))
    high = jnp.broadcast_to(jnp.asarray(most, "float64"), shape)

    def half(bounds: tuple) -> tuple:
        low, high = bounds
        middle = jnp.floor((low + high) / 2)
        found = enough(middle)
        return jnp.where(found, low, middle), jnp.where(found, middle, high)

    wide = lambda bounds: (bounds[1] - bounds[0] > 1).any()
    return jax.lax.while_loop(wide, half, (jnp.full(shape, -1.0), high))[1].astype("int64")
