"""Random streams: draws that are expressions. Named as those of NumPy's Generator.

A draw is a pure function of the stream's state, of its place among the stream's draws, and of the
steps of the loops in which it stands. Two draws are different; one that is used twice is one.
A location and a scale stand in a formula around a standard draw, and so there are derivatives
with respect to them ("reparameterisation": Kingma and Welling 2014, Auto-encoding variational
Bayes).
"""

import copy
from collections.abc import Sequence
from inspect import isfunction
from math import pi, prod
from typing import Any

import numpy as np

from ..expr import OPERATIONS, Expr, ShapeError, located, operands, steps_now
from ..ops import exp, log, log1p, shared, tan, where
from ..ops.docs import complete
from . import discrete
from .parameters import (
    Lengths,
    few,
    is_plain,
    moved,
    one_for_each,
    population,
    seeded,
    shape_of,
    single_or_double,
    sized,
    spread,
    told,
    whole,
)
from .samplers import standard_normal, standard_uniform

Size = Any  # None, a length, or a tuple of lengths; a length may be an expression


class RandomStream:
    """A source of random draws, reproducible from its seed.

    Every call of a function gives fresh draws: the functions that `ad.function`,
    `ad.grad(f)` and their like make move `state` on by themselves. `ad.evaluate` does not,
    and so shows one and the same draw in a value and in its derivative. Within a loop every
    step draws afresh. `ad.vectorize` gives all examples the same draw; for one each, draw
    with a leading axis. `state` is the shared value from which all draws follow, and `places`
    how many draws there are.

    Parameters
    ----------
    seed : int
        A whole number.
    name : str, default: 'rng'
        How its state is called.

    Examples
    --------
    >>> rng = ad.RandomStream(0)
    >>> f = ad.function([], rng.uniform(size=3))
    >>> f().shape, bool((f() == f()).any())
    ((3,), False)
    """

    def __init__(self, seed: int, name: str = "rng"):
        self.state = shared(seeded(seed), name)
        self.state.default_update = self.state + np.array([0, 0, 1], "uint64")
        self.places = 0  # how many draws there are

    def __copy__(self) -> "RandomStream":
        return copy.deepcopy(self)  # with one state, both would count the same places

    def __repr__(self) -> str:
        return f"RandomStream({self.state.name})"

    def seed(self, seed: int) -> None:
        """Start again as a new stream of this seed.

        Parameters
        ----------
        seed : int
            A whole number.

        Examples
        --------
        >>> rng = ad.RandomStream(0)
        >>> f = ad.function([], rng.random())
        >>> first = f()
        >>> rng.seed(0)
        >>> f() == first
        np.True_
        """
        self.state.set_value(seeded(seed))

    def standard(self, op: Any, size: Size, shapes: Sequence[Lengths], dtype: Any) -> Expr:
        """A standard draw in the stream's next place, for parameters of these shapes.

        Parameters
        ----------
        op : Op
            The standard draw.
        size : int or tuple, optional
            The shape of the result.
        shapes : list of tuple
            Those of the parameters.
        dtype : dtype
            That of the draw.
        """
        lengths = sized(size, shapes)
        unknown = [n for n in lengths if isinstance(n, Expr)]
        static: dict[str, Any] = {"shape": told(lengths), "dtype": single_or_double(dtype)}
        with self.state.lock.inner:  # two threads may describe draws at once
            static["place"] = self.places
            self.places += 1
        return op(self.state, *steps_now.get(), *unknown, **static)

    def uniforms(self, size: Size, *parameters: Any, dtype: Any = "float64") -> Expr:
        """Numbers between 0 and 1, one for each entry of the result.

        Parameters
        ----------
        size : int or tuple, optional
            The shape of the result.
        *parameters : Expr or array_like
            The parameters, by whose shapes the result is as large.
        dtype : dtype, default: 'float64'
            That of the draw.
        """
        return self.standard(standard_uniform, size, list(map(shape_of, parameters)), dtype)

    # ---- formulas of standard draws: u uniform between 0 and 1, ε normal

    def random(self, size: Size = None, dtype: Any = "float64") -> Expr:
        """A uniform draw u between 0 and 1, neither 0 nor 1.

        Parameters
        ----------
        size : int or tuple, optional
            The shape of the result, whose lengths may be expressions; by default one number.

        Examples
        --------
        >>> u = ad.evaluate(ad.RandomStream(0).random(3))
        >>> bool(((0 < u) & (u < 1)).all())
        True
        """
        return self.uniforms(size, dtype=dtype)

    def uniform(
        self, low: Any = 0.0, high: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """A uniform draw, low + (high − low)·u.

        Parameters
        ----------
        low : Expr or array_like, default: 0.0
            The lower end.
        high : Expr or array_like, default: 1.0
            The upper end.

        Examples
        --------
        >>> u = ad.evaluate(ad.RandomStream(0).uniform(2.0, 3.0, size=4))
        >>> u.shape, bool((2 <= u).all()), bool((u < 3).all())
        ((4,), True, True)
        """
        low, high = (np.array(x) if isinstance(x, (list, tuple)) else x for x in (low, high))
        return moved(self.uniforms(size, low, high, dtype=dtype), low, high - low)

    def standard_normal(self, size: Size = None, dtype: Any = "float64") -> Expr:
        """A normal draw ε, of mean 0 and variance 1.

        Parameters
        ----------
        size : int or tuple, optional
            The shape of the result, whose lengths may be expressions; by default one number.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).standard_normal(10_000))
        >>> round(x.mean(), 1), round(x.std(), 1)
        (np.float64(-0.0), np.float64(1.0))
        """
        return self.standard(standard_normal, size, [], dtype)

    def normal(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """A normal draw, loc + scale·ε.

        Parameters
        ----------
        loc : Expr or array_like, default: 0.0
            The mean.
        scale : Expr or array_like, default: 1.0
            The standard deviation.

        Examples
        --------
        >>> mu = ad.scalar("mu")
        >>> x = ad.RandomStream(0).normal(mu, 2.0)
        >>> ad.evaluate(ad.grad(x, mu), {mu: 1.0})
        np.float64(1.0)
        """
        shapes = [shape_of(loc), shape_of(scale)]
        return spread(self.standard(standard_normal, size, shapes, dtype), loc, scale)

    def lognormal(
        self, mean: Any = 0.0, sigma: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """A draw whose logarithm is normal, e^(mean + sigma·ε).

        Parameters
        ----------
        mean : Expr or array_like, default: 0.0
            The mean of the logarithm.
        sigma : Expr or array_like, default: 1.0
            Its standard deviation.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).lognormal(size=10_000))
        >>> round(np.log(x).std(), 1)
        np.float64(1.0)
        """
        return exp(self.normal(mean, sigma, size, dtype))

    @located
    def multivariate_normal(
        self, mean: Any, cov: Any, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """A normal vector, mean + L·ε with L·Lᵀ = cov, its Cholesky factor.

        Parameters
        ----------
        mean : Expr or array_like, shape (n,)
            The mean.
        cov : Expr or array_like, shape (n, n)
            The covariance matrix.
        size : int or tuple, optional
            How many vectors, as a shape whose lengths may be expressions; by default one.

        Returns
        -------
        Expr
            A random array; the entries of one draw lie along the last axis.

        Raises
        ------
        ShapeError
            If mean is no vector or cov no matrix.

        Examples
        --------
        >>> x = ad.RandomStream(0).multivariate_normal(np.zeros(2), np.eye(2), size=3)
        >>> ad.evaluate(x).shape
        (3, 2)
        """
        mean, cov = operands((mean, cov), "multivariate_normal")
        if mean.ndim != 1 or cov.ndim != 2:
            raise ShapeError(f"a mean is a vector and cov a matrix, not {mean.type!r} and "
                             f"{cov.type!r}")  # fmt: skip
        normal = self.standard_normal((*sized(size, []), mean.shape[0]), dtype)
        return mean + normal @ OPERATIONS["cholesky"](cov).T

    def standard_exponential(self, size: Size = None, dtype: Any = "float64") -> Expr:
        """An exponential draw of mean 1, −log(1 − u).

        Parameters
        ----------
        size : int or tuple, optional
            The shape of the result, whose lengths may be expressions; by default one number.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).standard_exponential(10_000))
        >>> round(x.mean(), 1)
        np.float64(1.0)
        """
        return -log1p(-self.uniforms(size, dtype=dtype))

    def exponential(self, scale: Any = 1.0, size: Size = None, dtype: Any = "float64") -> Expr:
        """An exponential draw, −scale·log(1 − u).

        Parameters
        ----------
        scale : Expr or array_like, default: 1.0
            The mean.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).exponential(2.0, size=10_000))
        >>> round(x.mean())
        2
        """
        return spread(-log1p(-self.uniforms(size, scale, dtype=dtype)), 0, scale)

    def laplace(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """A draw of Laplace: loc + scale·log 2u below the middle, loc − scale·log(2 − 2u) above.

        Parameters
        ----------
        loc : Expr or array_like, default: 0.0
            Where the middle is.
        scale : Expr or array_like, default: 1.0
            How wide it is, positive.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).laplace(3.0, size=10_000))
        >>> round(np.median(x), 1)
        np.float64(3.0)
        """
        u = self.uniforms(size, loc, scale, dtype=dtype)
        return spread(where(u < 0.5, log(2 * u), -log(2 - 2 * u)), loc, scale)

    def logistic(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """A logistic draw, loc + scale·(log u − log(1 − u)).

        Parameters
        ----------
        loc : Expr or array_like, default: 0.0
            Where the middle is.
        scale : Expr or array_like, default: 1.0
            How wide it is, positive.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).logistic(3.0, size=10_000))
        >>> round(np.median(x), 1)
        np.float64(3.0)
        """
        u = self.uniforms(size, loc, scale, dtype=dtype)
        return spread(log(u) - log1p(-u), loc, scale)

    def gumbel(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """A draw of Gumbel, loc − scale·log(−log u).

        Parameters
        ----------
        loc : Expr or array_like, default: 0.0
            Where the middle is.
        scale : Expr or array_like, default: 1.0
            How wide it is, positive.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).gumbel(size=10_000))
        >>> round(x.mean(), 1)
        np.float64(0.6)
        """
        return spread(-log(-log(self.uniforms(size, loc, scale, dtype=dtype))), loc, scale)

    def cauchy(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Size = None, dtype: Any = "float64"
    ) -> Expr:
        """A draw of Cauchy, loc + scale·tan(π(u − 1/2)).

        Parameters
        ----------
        loc : Expr or array_like, default: 0.0
            Where the middle is.
        scale : Expr or array_like, default: 1.0
            How wide it is, positive.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).cauchy(3.0, size=10_000))
        >>> round(np.median(x), 1)
        np.float64(3.0)
        """
        u = self.uniforms(size, loc, scale, dtype=dtype)
        return spread(tan(pi * (u - 0.5)), loc, scale)

    # ---- whole numbers, which u chooses; one has no derivative with respect to its parameters

    def bernoulli(self, p: Any = 0.5, size: Size = None) -> Expr:
        """A draw that is 1 with the probability p, else 0.

        Parameters
        ----------
        p : Expr or array_like, default: 0.5
            Between 0 and 1.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).bernoulli(0.3, size=10_000))
        >>> round(x.mean(), 1)
        np.float64(0.3)
        """
        return discrete.bernoulli(self.uniforms(size, p), p)

    def binomial(self, n: Any, p: Any, size: Size = None) -> Expr:
        """How many of n trials succeed, each with the probability p.

        Parameters
        ----------
        n : Expr or array_like
            How many trials.
        p : Expr or array_like
            Between 0 and 1.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).binomial(10, 0.3, size=10_000))
        >>> round(x.mean(), 1)
        np.float64(3.0)
        """
        return discrete.binomial(self.uniforms(size, n, p), n, p)

    def poisson(self, lam: Any = 1.0, size: Size = None) -> Expr:
        """How many events there are, lam of them being expected.

        Parameters
        ----------
        lam : Expr or array_like, default: 1.0
            How many are expected.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).poisson(2.0, size=10_000))
        >>> round(x.mean(), 1)
        np.float64(2.0)
        """
        return discrete.poisson(self.uniforms(size, lam), lam)

    @located
    def categorical(self, p: Any, size: Size = None) -> Expr:
        """The place k with the probability p[..., k].

        Parameters
        ----------
        p : Expr or array_like, shape (..., n)
            Probabilities along the last axis.
        size : int or tuple, optional
            The shape of the result, whose lengths may be expressions; by default that of p
            without its last axis.

        Raises
        ------
        ShapeError
            If p has no axis.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).categorical([0.2, 0.0, 0.8], size=10_000))
        >>> np.unique(x).tolist()
        [0, 2]
        """
        (p,) = operands((p,), "categorical")
        if not p.ndim:
            raise ShapeError(f"probabilities lie along the last axis of p, and {p} has none")
        u = self.standard(standard_uniform, size, [p.shape[:-1]], "float64")
        return discrete.categorical(u, p)

    def integers(
        self, low: Any, high: Any = None, size: Size = None, endpoint: bool = False
    ) -> Expr:
        """One of the whole numbers low, …, high − 1; of 0, …, low − 1 without high.

        Parameters
        ----------
        low : Expr or array_like
            The lowest, or how many there are.
        high : Expr or array_like, optional
            The one after the highest.
        endpoint : bool, default: False
            Whether high is among them.

        Raises
        ------
        DTypeError
            If a bound is no whole number.
        ValueError
            If a bound is beyond whole numbers of 64 bits.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).integers(2, 5, size=100))
        >>> np.unique(x).tolist()
        [2, 3, 4]
        """
        low, high = (0, whole(low)) if high is None else (whole(low), whole(high))
        count = high if is_plain(low, 0) else high - low
        count = count + 1 if endpoint else count
        first = low if isinstance(low, Expr) else np.asarray(low)  # a bare number would be a float
        return discrete.integers(self.uniforms(size, low, high), first, count)

    def permutation(self, x: Any) -> Expr:
        """The rows of x in another order; of a whole number x, 0, …, x − 1.

        Parameters
        ----------
        x : Expr, array_like or int
            An array, or how many numbers.

        Examples
        --------
        >>> np.sort(ad.evaluate(ad.RandomStream(0).permutation(4))).tolist()
        [0, 1, 2, 3]
        """
        rows, n = population(x, "permutation")
        order = OPERATIONS["argsort"](self.random(n))
        return order if rows is None else rows[order]

    @located
    def choice(self, a: Any, size: Size = None, replace: bool = True, p: Any = None) -> Expr:
        """Rows of a, or of 0, …, a − 1, with the probabilities p.

        Parameters
        ----------
        a : Expr, array_like or int
            What to choose from.
        size : int or tuple, optional
            How many rows, as a shape whose lengths may be expressions; by default one.
        replace : bool, default: True
            Whether a row may be chosen again.
        p : Expr or array_like, optional
            Probabilities; by default equal ones.

        Raises
        ------
        TypeError
            If p is given without replacement.
        ShapeError
            If p has another length than a.
        ValueError
            If more are to be chosen without replacement than there are.

        Examples
        --------
        >>> x = ad.evaluate(ad.RandomStream(0).choice([2.0, 3.0], size=100))
        >>> np.unique(x).tolist()
        [2.0, 3.0]
        """
        rows, n = population(a, "choice")
        if p is not None and not replace:
            raise TypeError("choice takes p only with replacement; without it write "
                            "ad.argsort(-ad.log(p) - rng.gumbel(size=n))[:k]")  # fmt: skip
        if p is not None:
            places = self.categorical(one_for_each(n, p), size)
        elif replace:
            places = self.integers(n, size=size)
        else:
            lengths = sized(size, [])
            places = OPERATIONS["reshape"](self.permutation(n)[: few(prod(lengths), n)], lengths)
        return places if rows is None else rows[places]


WORDS = {
    "size": ("int or tuple, optional", "The shape of the result, whose lengths may be expressions; "
             "by default that of the parameters."),
    "dtype": ("{'float64', 'float32'}, default: 'float64'", "That of the standard draw."),
}  # fmt: skip
DRAWS = (f for f in vars(RandomStream).values() if isfunction(f) and f.__name__ != "seed")
complete(DRAWS, WORDS, Returns="Expr\n    A random array.")
