"""Discrete draws: whole numbers that a uniform number u chooses by the probabilities.

The value jumps where a probability passes u, and so one draw has no derivative with respect to
its parameters, although its expectation has.
"""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..expr import Expr, LazyModule, Null
from ..ops.comparison import PLACE
from ..ops.declare import op
from ..ops.gradient_gates import nowhere
from . import jax_draws

special = LazyModule("scipy.special")
WHY = (
    "a draw of whole numbers jumps where its probabilities change, and so it has no derivative, "
    "although its expectation has. Estimate that one: hold the draw by ad.disconnected_grad, and "
    "give its log-probability to ad.score_function; or draw from a continuous relaxation"
)


def undefined(ct: Expr, *nodes: Expr) -> list[Expr]:
    """The pullback of an operation (operands, result) that has none."""
    return [Null(WHY) for _ in nodes[:-1]]


JUMPS: dict[str, Any] = {
    "pullback": undefined,
    "pushforward": lambda t, *nodes: nowhere(t, nodes[0], nodes[-1], why=WHY),
}


def require(held: Any, what: str, value: Any) -> None:
    """Raises ValueError with a value for which the condition does not hold."""
    wrong = np.broadcast_to(value, np.shape(held))[np.logical_not(held)]
    if wrong.size:
        raise ValueError(f"{what}, which {wrong.flat[0]} is not")


def require_probability(p: Any) -> None:
    require(np.logical_and(p >= 0, p <= 1), "a probability is a number from 0 to 1", p)


def smallest(enough: Callable[[Any], Any], most: Any, *operands: Any) -> np.ndarray:
    """The smallest whole number from 0 to `most` for which it is enough, by bisection."""
    shape = np.broadcast_shapes(*map(np.shape, operands))
    low, high = np.full(shape, -1.0), np.broadcast_to(most, shape)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        found = enough(middle)
        low, high = np.where(found, low, middle), np.where(found, middle, high)
    return high.astype("int64")[()]


@op(**JUMPS, targets={"jax": jax_draws.bernoulli})
def bernoulli(u, p):
    """1 with the probability p, else 0."""
    require_probability(p)
    return np.less(u, p).astype("int64")


@op(**JUMPS, targets={"jax": jax_draws.binomial})
def binomial(u, n, p):
    """How many of n trials succeed, each with the probability p."""
    require_probability(p)
    require((n >= 0) & (n == np.floor(n)), "a number of trials is a whole number from 0 on", n)
    return smallest(lambda k: (k >= n) | (special.betaincc(k + 1, n - k, p) >= u), n, u, n, p)


@op(**JUMPS, targets={"jax": jax_draws.poisson})
def poisson(u, lam):
    """How many events there are, lam of them being expected."""
    require((lam >= 0) & (lam <= 1e15), "an expected number is from 0 to 1e15", lam)
    lam = np.asarray(lam, "float64")
    most = np.ceil(lam + 10 * np.sqrt(lam) + 40)  # more has a probability below 2⁻⁵³
    return smallest(lambda k: special.gammaincc(k + 1, lam) >= u, most, u, lam)


@op(
    core="(),(k)->()",
    **JUMPS,
    cost=lambda u, p, out: prod(out) * p[-1],
    targets={"jax": jax_draws.categorical},
)
def categorical(u, p):
    """The place k with the probability p[..., k]."""
    require_probability(p)
    total = np.sum(p, -1, keepdims=True)
    loose = np.sqrt(np.finfo(np.result_type(p, "float32")).eps)
    require(np.abs(total - 1) <= loose, "the sum of probabilities is 1", total)
    upto = np.cumsum(p, -1)[..., :-1] / total
    return np.sum(np.expand_dims(u, -1) > upto, -1)


@op(nondifferentiable=PLACE, targets={"jax": jax_draws.integers})
def integers(u, low, count):
    """One of the whole numbers low, low + 1, …, low + count − 1."""
    require(np.greater(count, 0), "the number of whole numbers from low to high is positive", count)
    require(np.less_equal(count, 2.0**63), "the whole numbers from low to high fit int64", count)
    return np.add(low, np.floor(u * count), dtype="int64", casting="unsafe")
