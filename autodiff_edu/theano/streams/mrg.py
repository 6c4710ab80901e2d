"""`MRG_RandomStreams`: the same distributions as Theano's, but not its numbers.

Normal numbers are avg + std * z, and so have derivatives by both.
"""

from typing import Any

import numpy as np

from ... import ops
from ...expr import Expr
from ..arrays.leaves import expression
from ..core import config, lift, unwrap, wrap
from .random_state import CALLS
from .random_streams import RandomStreams


class MRG_RandomStreams(RandomStreams):
    """A maker of draws, for which Theano had a generator for graphics cards."""

    def __init__(self, seed: Any = 12345, use_cuda: Any = None):
        super().__init__(int(np.ravel(seed)[0]) % 2**32)
        self.rstate = np.asarray(seed)

    def set_rstate(self, seed: Any) -> None:
        """Begin anew."""
        self.seed(int(np.ravel(seed)[0]) % 2**32)

    def inc_rstate(self) -> None:
        """Move on to another stream."""
        self.gen_seedgen.randint(2**30)

    def standard(self, how: str, parameters: list[Any], size: Any, ndim: Any, dtype: Any) -> Any:
        """Standard draws, in the shape of the parameters where no size is given."""
        first, second = (0.0, 1.0)
        if size is None:
            shaped = sum((expression(unwrap(p)) * 0 for p in parameters), expression(0.0))
            size = wrap(shaped).shape if isinstance(shaped, Expr) and shaped.ndim else ()
        return super().draw(how, [first, second], size, ndim, dtype)

    def uniform(
        self,
        size: Any = None,
        low: Any = 0.0,
        high: Any = 1.0,
        ndim: Any = None,
        dtype: Any = None,
        nstreams: Any = None,
        **_: Any,
    ) -> Any:
        """Numbers between low and high."""
        u = self.standard("uniform", [low, high], size, ndim, dtype)
        same = type(low) in (int, float) and type(high) in (int, float) and (low, high) == (0, 1)
        return u if same else stated(between(u, low, high), u)

    def normal(
        self,
        size: Any = None,
        avg: Any = 0.0,
        std: Any = 1.0,
        ndim: Any = None,
        dtype: Any = None,
        nstreams: Any = None,
        truncate: bool = False,
        **_: Any,
    ) -> Any:
        """Normal numbers; truncated ones lie within two deviations of the mean."""
        how = "truncated" if truncate else "normal"
        z = self.standard(how, [avg, std], size, ndim, dtype)
        same = type(avg) in (int, float) and type(std) in (int, float) and (avg, std) == (0, 1)
        return z if same else stated(moved(z, avg, std), z)

    def truncated_normal(self, size: Any, avg: Any = 0.0, std: Any = 1.0, **how: Any) -> Any:
        """Normal numbers within two deviations of the mean."""
        return self.normal(size, avg, std, truncate=True, **how)

    def binomial(  # type: ignore[override]
        self,
        size: Any = None,
        n: Any = 1,
        p: Any = 0.5,
        ndim: Any = None,
        dtype: Any = "int64",
        nstreams: Any = None,
        prob: Any = None,
        **_: Any,
    ) -> Any:
        """Ones with probability p; n of them added up."""
        p = p if prob is None else prob
        if not isinstance(n, int):
            raise NotImplementedError("MRG's binomial has a number n that is known")
        draws = [self.standard("uniform", [p], size, ndim, config.floatX) for _ in range(n)]
        return stated(successes(draws, p, dtype), draws[0])

    def multinomial(
        self,
        size: Any = None,
        n: Any = 1,
        pvals: Any = None,
        ndim: Any = None,
        dtype: Any = "int64",
        nstreams: Any = None,
        **_: Any,
    ) -> Any:
        """For each row of probabilities, how often each thing happens in n trials."""
        if pvals is None:
            raise TypeError("You have to specify pvals")
        return super().draw("multinomial", [n, pvals], None, ndim, dtype)

    def choice(
        self,
        size: Any = 1,
        a: Any = None,
        replace: bool = True,
        p: Any = None,
        ndim: Any = None,
        dtype: Any = "int64",
        nstreams: Any = None,
        **_: Any,
    ) -> Any:
        """For each row of probabilities, numbers of columns."""
        if p is None or getattr(p, "ndim", 1) < 2:
            return super().choice(size, 2 if a is None else a, replace, p, ndim, dtype)
        n = int(size[0] if isinstance(size, (list, tuple)) else size)
        return super().draw("columns" if replace else "columns_once", [n, p], None, ndim, dtype)

    def multinomial_wo_replacement(
        self, size: Any = None, n: int = 1, pvals: Any = None, **how: Any
    ) -> Any:
        """For each row of probabilities, n different numbers of columns."""
        return self.choice(n, None, False, pvals, **how)


def stated(found: Any, base: Any) -> Any:
    """A draw with the state of the one that it was made of."""
    found.rng, found.update = base.rng, base.update
    return found


@lift
def between(u: Any, low: Any, high: Any) -> Any:
    low, high = (expression(b).astype(u.dtype) for b in (low, high))
    return low + (high - low) * u


@lift
def moved(z: Any, avg: Any, std: Any) -> Any:
    avg, std = (expression(b).astype(z.dtype) for b in (avg, std))
    return avg + std * z


@lift
def successes(draws: Any, p: Any, dtype: Any) -> Any:
    hits = [ops.less(u, p).astype(np.dtype(dtype)) for u in draws]
    return sum(hits[1:], hits[0])


def columns(rng: Any, n: Any, p: Any, size: Any, again: bool = True) -> np.ndarray:
    """For each row of probabilities, n numbers of columns."""
    p = np.asarray(p, "float64")
    rows = [rng.choice(p.shape[1], int(n), again, row / row.sum()) for row in p]
    return np.array(rows).reshape(len(p), int(n))


CALLS["columns"] = columns
CALLS["columns_once"] = lambda rng, n, p, size: columns(rng, n, p, size, False)
__all__ = ["MRG_RandomStreams"]
