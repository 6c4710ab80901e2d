"""The special functions of statistics and learning, from SciPy."""

from math import pi

import numpy as np
from scipy import special

from ..ops.choice import where
from ..ops.declare import op
from ..ops.elementary import exp, log
from .scales import LOG_2


@op(
    label="σ",
    partials=lambda x, out: (out * (1 - out),),
    scalar="sigmoid({0})",
    facts={"positive": "always", "finite": "always"},
    latex=r"\sigma",
)
def sigmoid(x):
    """1 / (1 + e^−x)."""
    return special.expit(x)


expit = sigmoid  # SciPy's name for it


@op(partials=lambda x, out: (sigmoid(x),), scalar="softplus({0})", facts={"positive": "always"})
def softplus(x):
    """log(1 + e^x), without overflow."""
    return np.logaddexp(0, x)


@op(chain=lambda d, x, out: (d / (x * (1 - x)),))
def logit(x):
    """log(x / (1 − x)), the inverse of sigmoid."""
    return special.logit(x)


@op(
    partials=lambda x, out: (2 / pi**0.5 * exp(-(x * x)),),
    scalar="erf({0})",
    facts={"finite": "always"},
)
def erf(x):
    """2/√π ∫₀ˣ e^(−t²) dt."""
    return special.erf(x)


@op(
    partials=lambda x, out: (-2 / pi**0.5 * exp(-(x * x)),),
    scalar="erfc({0})",
    facts={"nonnegative": "always", "finite": "always"},
    exact_facts={"nonnegative": "finite"},
)
def erfc(x):
    """1 − erf x, accurate for large x."""
    return special.erfc(x)


@op(partials=lambda x, out: (2 * (x * out) - 2 / pi**0.5,))
def erfcx(x):
    """e^x² · erfc x, which does not underflow where x is large."""
    return special.erfcx(x)


@op(label="ln Γ", partials=lambda x, out: (digamma(x),), latex=r"\ln \left|\Gamma(#1)\right|")
def gammaln(x):
    """log |Γ(x)|."""
    return special.gammaln(x)


@op(label="ψ", partials=lambda x, out: (polygamma(x, order=1),), latex=r"\psi")
def digamma(x):
    """The derivative of log Γ(x)."""
    return special.digamma(x)


@op(
    label="ψ{order}",
    type=lambda t, order: t,
    pullback=lambda ct, x, out, order: (ct * polygamma(x, order=order + 1),),
    pushforward=lambda t, x, out, order: t[0] * polygamma(x, order=order + 1),
    batch=lambda inputs, flags, order: polygamma(inputs[0], order=order),
)
def polygamma(x, *, order):
    """The derivative of digamma, of this order."""
    return special.polygamma(order, x).astype(np.asarray(x).dtype)[()]


@op(partials=lambda x, y, out: (log(y), x / where(x == 0, 1, y)), operand_labels=("x", "y"))
def xlogy(x, y):
    """x · log y, and 0 where x is 0."""
    return special.xlogy(x, y)


@op(commutative=True, partials=lambda x, y, out: (sigmoid(x - y), sigmoid(y - x)))
def logaddexp(x, y):
    """log(e^x + e^y), without overflow."""
    return np.logaddexp(x, y)


@op(
    commutative=True,
    partials=lambda x, y, out: (sigmoid(LOG_2 * (x - y)), sigmoid(LOG_2 * (y - x))),
)
def logaddexp2(x, y):
    """log₂(2^x + 2^y), without overflow."""
    return np.logaddexp2(x, y)
