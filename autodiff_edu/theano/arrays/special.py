"""Special functions of Theano's that the engine does not have, by SciPy."""

from typing import Any

import numpy as np

from ... import library, ops
from ...expr import LazyModule
from ..core import lift
from ..core.own_op import own
from .elementwise import pair
from .leaves import expression

special: Any = LazyModule("scipy.special")
ROOT = float(np.sqrt(np.pi) / 2)


@own(partials=lambda x, out: (out * library.digamma(x),))
def gamma(x):
    """The gamma function, which is negative between some whole numbers."""
    return special.gamma(x)


@own(partials=lambda x, out: (ROOT * ops.exp(out * out),))
def erfinv_of(x):
    """The x of which erf is this."""
    return special.erfinv(x)


@own(partials=lambda x, out: (-ROOT * ops.exp(out * out),))
def erfcinv_of(x):
    """The x of which erfc is this."""
    return special.erfcinv(x)


@own(nondifferentiable="its derivative by the degrees of freedom is not there")
def chi2sf_of(x, k):
    """The chance that a chi-squared number is larger than x."""
    return special.chdtrc(k, x)


@own(chain=lambda d, v, x, out: [None, d * (bessel(v - 1, x) - bessel(v + 1, x)) / 2])
def bessel(v, x):
    """The Bessel function of the first kind."""
    return special.jv(v, x)


@own(chain=lambda d, v, x, out: [None, d * (modified(v - 1, x) + modified(v + 1, x)) / 2])
def modified(v, x):
    """The modified Bessel function of the first kind."""
    return special.iv(v, x)


def density(k: Any, x: Any) -> Any:
    return ops.exp(-x + (k - 1) * ops.log(x) - library.gammaln(k))


@own(chain=lambda d, k, x, out: [None, d * density(k, x)])
def lower_gamma(k, x):
    """The lower incomplete gamma function, as a share of the whole."""
    return special.gammainc(k, x)


def of_one(op: Any) -> Any:
    return lift(lambda x: op(expression(x)))


def of_two(op: Any) -> Any:
    return lift(lambda x, y: op(*[e.astype("float64") if e.dtype.kind != "f" else e
                                  for e in pair(x, y, op.name)]))  # fmt: skip


NAMES: dict[str, Any] = {
    "erfinv": of_one(erfinv_of), "erfcinv": of_one(erfcinv_of),
    "chi2sf": of_two(chi2sf_of), "jv": of_two(bessel), "iv": of_two(modified),
    "j0": lift(lambda x: bessel(0.0, expression(x))),
    "j1": lift(lambda x: bessel(1.0, expression(x))),
    "i0": lift(lambda x: modified(0.0, expression(x))),
    "i1": lift(lambda x: modified(1.0, expression(x))),
    "gamma": of_one(gamma), "gammainc": of_two(lower_gamma),
    "gammaincc": of_two(lambda k, x: 1.0 - lower_gamma(k, x)),
    "gammal": lift(lambda k, x: lower_gamma(k, x) * ops.exp(library.gammaln(expression(k)))),
    "gammau": lift(lambda k, x: (1.0 - lower_gamma(k, x))
                   * ops.exp(library.gammaln(expression(k)))),
}  # fmt: skip
