"""Random streams: draws that are expressions. Named as those of NumPy's Generator.

A draw is a pure function of the stream's state, of its place among the stream's draws, and of the
steps of the loops in which it stands. Two draws are different; one that is used twice is one.
A location and a scale stand in a formula around a standard draw, and so there are derivatives
with respect to them ("reparameterisation": Kingma and Welling 2014, Auto-encoding variational
Bayes).
"""

from collections.abc import Sequence
from math import pi, prod
from typing import Any

import numpy as np

from ..expr import OPERATIONS, Expr, ShapeError, located, operands, steps_now
from ..ops import exp, log, log1p, shared, tan, where
from . import discrete
from .draw import standard_normal, standard_uniform
from .parameters import (
    Lengths,
    is_plain,
    moved,
    population,
    seeded,
    shape_of,
    single_or_double,
    sized,
    spread,
    told,
    whole,
)

Size = Any  # None, a length, or a tuple of lengths; a length may be an expression


class RandomStream:
    """A source of random draws, reproducible from its seed, a whole number.

    Every call of a function gives fresh draws: the functions that `ad.function`, `ad.grad(f)` and
    their like make move `state` on by themselves. `ad.evaluate` does not, and so shows one and the
    same draw in a value and in its derivative. Within a loop every step draws afresh.
    `ad.vectorize` gives all examples the same draw; for one each, draw with a leading axis.

    `size` is the shape of the result, by default that of the parameters; its lengths may be
    expressions. `dtype` is that of the standard draw, float64 or float32.
    """

    def __init__(self, seed: int, name: str = "rng"):
        self.state = shared(seeded(seed), name)
        self.state.default_update = self.state + np.array([0, 0, 1], "uint64")
        self.places = 0  # how many draws there are

    def __repr__(self) -> str:
        return f"RandomStream({self.state.name})"

    def seed(self, seed: int) -> None:
        """Start again as a new stream of this seed."""
        self.state.set_value(seeded(seed))

    def standard(self, op: Any, size: Size, shapes: Sequence[Lengths], dtype: Any) -> Expr:
        """A standard draw in the stream's next place, for parameters of these shapes."""
        lengths = sized(size, shapes)
        unknown = [n for n in lengths if isinstance(n, Expr)]
        static = {"shape": told(lengths), "dtype": single_or_double(dtype)}
        with self.state.lock.inner:  # two threads may describe draws at once
            static["place"] = self.places
            self.places += 1
        return op(self.state, *steps_now.get(), *unknown, **static)

    def uniforms(self, size: Size, *parameters: Any, dtype: Any = "float64") -> Expr:
        """Numbers between 0 and 1, one for each entry of the result."""
        return self.standard(standard_uniform, size, list(map(shape_of, parameters)), dtype)

    # ---- formulas of standard draws: u uniform between 0 and 1, ε normal

    def random(self, size: Size = None, dtype: Any = "float64") -> Expr:
        """u, neither 0 nor 1."""
        return self.uniforms(size, dtype=dtype)

    def uniform(
        self, low: Any = 0.0, high: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """low + (high − low)·u."""
        low, high = (np.array(x) if isinstance(x, (list, tuple)) else x for x in (low, high))
        return moved(self.uniforms(size, low, high, dtype=dtype), low, high - low)

    def standard_normal(self, size: Size = None, dtype: Any = "float64") -> Expr:
        """ε, of mean 0 and variance 1."""
        return self.standard(standard_normal, size, [], dtype)

    def normal(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """loc + scale·ε."""
        shapes = [shape_of(loc), shape_of(scale)]
        return spread(self.standard(standard_normal, size, shapes, dtype), loc, scale)

    def lognormal(
        self, mean: Any = 0.0, sigma: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """e^(mean + sigma·ε)."""
        return exp(self.normal(mean, sigma, size, dtype))

    @located
    def multivariate_normal(
        self, mean: Any, cov: Any, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """mean + L·ε with L·Lᵀ = cov, its Cholesky factor; the entries of one draw lie along
        the last axis."""
        mean, cov = operands((mean, cov), "multivariate_normal")
        if mean.ndim != 1 or cov.ndim != 2:
            raise ShapeError(f"a mean is a vector and cov a matrix, not {mean.type!r} and "
                             f"{cov.type!r}")  # fmt: skip
        normal = self.standard_normal((*sized(size, []), mean.shape[0]), dtype)
        return mean + normal @ OPERATIONS["cholesky"](cov).T

    def standard_exponential(self, size: Size = None, dtype: Any = "float64") -> Expr:
        """−log(1 − u)."""
        return -log1p(-self.uniforms(size, dtype=dtype))

    def exponential(self, scale: Any = 1.0, size: Size = None, dtype: Any = "float64") -> Expr:
        """−scale·log(1 − u)."""
        return spread(-log1p(-self.uniforms(size, scale, dtype=dtype)), 0, scale)

    def laplace(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """loc + scale·log 2u where u < 1/2, loc − scale·log(2 − 2u) elsewhere."""
        u = self.uniforms(size, loc, scale, dtype=dtype)
        return spread(where(u < 0.5, log(2 * u), -log(2 - 2 * u)), loc, scale)

    def logistic(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """loc + scale·(log u − log(1 − u))."""
        u = self.uniforms(size, loc, scale, dtype=dtype)
        return spread(log(u) - log1p(-u), loc, scale)

    def gumbel(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """loc − scale·log(−log u)."""
        return spread(-log(-log(self.uniforms(size, loc, scale, dtype=dtype))), loc, scale)

    def cauchy(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """loc + scale·tan(π(u − 1/2))."""
        u = self.uniforms(size, loc, scale, dtype=dtype)
        return spread(tan(pi * (u - 0.5)), loc, scale)

    # ---- whole numbers, which u chooses; one has no derivative with respect to its parameters

    def bernoulli(self, p: Any = 0.5, size: Size = None) -> Expr:
        """1 with the probability p, else 0."""
        return discrete.bernoulli(self.uniforms(size, p), p)

    def binomial(self, n: Any, p: Any, size: Size = None) -> Expr:
        """How many of n trials succeed, each with the probability p."""
        return discrete.binomial(self.uniforms(size, n, p), n, p)

    def poisson(self, lam: Any = 1.0, size: Size = None) -> Expr:
        """How many events there are, lam of them being expected."""
        return discrete.poisson(self.uniforms(size, lam), lam)

    @located
    def categorical(self, p: Any, size: Size = None) -> Expr:
        """The place k with the probability p[..., k]."""
        (p,) = operands((p,), "categorical")
        if not p.ndim:
            raise ShapeError(f"probabilities lie along the last axis of p, and {p} has none")
        u = self.standard(standard_uniform, size, [p.shape[:-1]], "float64")
        return discrete.categorical(u, p)

    def integers(
        self, low: Any, high: Any = None, size: Size = None, endpoint: bool = False
    ) -> Expr:
        """One of low, …, high − 1, or up to high with `endpoint`; of 0, …, low − 1 without high."""
        low, high = (0, whole(low)) if high is None else (whole(low), whole(high))
        count = high if is_plain(low, 0) else high - low
        count = count + 1 if endpoint else count
        return discrete.integers(self.uniforms(size, low, high), low, count)

    def permutation(self, x: Any) -> Expr:
        """The rows of x in another order; of a whole number x, 0, …, x − 1."""
        rows, n = population(x, "permutation")
        order = OPERATIONS["argsort"](self.random(n))
        return order if rows is None else rows[order]

    @located
    def choice(self, a: Any, size: Size = None, replace: bool = True, p: Any = None) -> Expr:
        """Rows of a, or of 0, …, a − 1, with the probabilities p, by default equal ones."""
        rows, n = population(a, "choice")
        if p is not None and not replace:
            raise TypeError("choice takes p only with replacement; without it write "
                            "ad.argsort(-ad.log(p) - rng.gumbel(size=n))[:k]")  # fmt: skip
        if p is not None:
            places = self.categorical(p, size)
        elif replace:
            places = self.integers(n, size=size)
        else:
            lengths = sized(size, [])
            places = OPERATIONS["reshape"](self.permutation(n)[: prod(lengths)], lengths)
        return places if rows is None else rows[places]
