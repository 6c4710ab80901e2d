"""The special functions of statistics and learning, from SciPy."""

from math import pi

import numpy as np

from ..expr import LazyModule
from ..ops.comparison import where
from ..ops.declare import op
from ..ops.elementary import exp, log, tanh
from .scales import LOG_2

__all__ = [
    "digamma", "erf", "erfc", "erfcx", "erfcx_slope", "expit", "gammaln", "logaddexp",
    "logaddexp2", "logit", "polygamma", "sigmoid", "sigmoid_slope", "softplus", "xlogy",
]  # fmt: skip

special, jnp = LazyModule("scipy.special"), LazyModule("jax.numpy")
jax_special = LazyModule("jax.scipy.special")
TERMS = 60  # of a continued fraction, for all digits where x ≥ 1.25


@op(
    label="σ",
    partials=lambda x, out: (sigmoid_slope(x),),  # 1 − out has no digits where out is nearly 1
    scalar="sigmoid({0})",
    facts={"positive": "always", "finite": "always"},
    latex=r"\sigma",
)
def sigmoid(x):
    """1 / (1 + e^−x).

    >>> ad.evaluate(ad.sigmoid([0.0, np.log(3)]))
    array([0.5 , 0.75])
    """
    x = np.asarray(x)
    x = x if x.dtype.char in "df" else x.astype("float64")
    e = np.exp(np.minimum(x, 40.0))  # for larger x the quotient is 1
    return e / (1.0 + e)


expit = sigmoid  # SciPy's name for it


@op(
    label="σ′",
    partials=lambda x, out: (-(out * tanh(0.5 * x)),),
    scalar="sigmoid_slope({0})",
    facts={"positive": "always", "finite": "always"},
    latex=r"\sigma'",
)
def sigmoid_slope(x):
    """e^x / (1 + e^x)², the slope of sigmoid, from one exp and without overflow.

    >>> ad.evaluate(ad.sigmoid_slope([0.0, 1000.0]))
    array([0.25, 0.  ])
    """
    x = np.asarray(x)
    x = x if x.dtype.char in "df" else x.astype("float64")
    e = np.exp(-np.abs(x))
    below = 1.0 + e
    below *= below
    e /= below
    return e


@op(partials=lambda x, out: (sigmoid(x),), scalar="softplus({0})", facts={"positive": "always"})
def softplus(x):
    """log(1 + e^x), without overflow.

    >>> ad.evaluate(ad.softplus([0.0, 1000.0]))
    array([6.93147181e-01, 1.00000000e+03])
    """
    x = np.asarray(x)
    x = x if x.dtype.kind == "f" else x.astype("float64")  # −1 of uint8 is 255
    return np.maximum(x, 0.0) + np.log1p(np.exp(np.minimum(x, -x)))


@op(chain=lambda d, x, out: (d / x + d / (1 - x),))
def logit(x):
    """log(x / (1 − x)), the inverse of sigmoid.

    >>> ad.evaluate(ad.logit([0.5, 0.75]))
    array([0.        , 1.09861229])
    """
    return special.logit(x)


@op(
    partials=lambda x, out: (2 / pi**0.5 * exp(-(x * x)),),
    scalar="erf({0})",
    facts={"finite": "always"},
)
def erf(x):
    """2/√π ∫₀ˣ e^(−t²) dt.

    >>> ad.evaluate(ad.erf([0.0, 1.0]))
    array([0.        , 0.84270079])
    """
    return special.erf(x)


@op(
    partials=lambda x, out: (-2 / pi**0.5 * exp(-(x * x)),),
    scalar="erfc({0})",
    facts={"nonnegative": "always", "finite": "always"},
    exact_facts={"nonnegative": "finite"},
)
def erfc(x):
    """1 − erf x, accurate for large x.

    >>> ad.evaluate(ad.erfc([0.0, 10.0]))
    array([1.00000000e+00, 2.08848758e-45])
    """
    return special.erfc(x)


@op(partials=lambda x, out: (erfcx_slope(x, order=1),))
def erfcx(x):
    """e^x² · erfc x, which does not underflow where x is large.

    >>> ad.evaluate(ad.erfcx([0.0, 100.0]))
    array([1.        , 0.00564161])
    """
    return special.erfcx(x)


@op(label="erfcx⁽{order}⁾", partials=lambda x, out, order: (erfcx_slope(x, order=order + 1),))
def erfcx_slope(x, *, order):
    """The derivative of erfcx, of this order, accurate where 2·x·erfcx x is nearly 2/√π.

    Parameters
    ----------
    order : int
        How many times erfcx is differentiated.

    Returns
    -------
    Expr
        An array of the shape and the dtype of x.

    Notes
    -----
    eₙ₊₁ = 2·x·eₙ + 2·n·eₙ₋₁ cancels where x > 0. There the quotients of two in a row are a
    continued fraction: −eₙ / eₙ₋₁ = qₙ = 2·n / (2·x + qₙ₊₁).

    Examples
    --------
    >>> ad.evaluate(ad.erfcx_slope([0.0, 1e9], order=1))
    array([-1.12837917e+00, -5.64189584e-19])
    """
    e = special.erfcx(x)
    near = np.asarray(x) < 1.25  # both ways lose no digits there
    low, high = np.where(near, x, 0), np.where(near, 2, x)
    before, up = e, 2 * low * e - 2 / pi**0.5
    for n in range(1, order):
        before, up = up, 2 * low * up + 2 * n * before
    last = order + TERMS
    middle = high + 0.5 / np.hypot(high, (2.0 * last) ** 0.5)
    q, down = np.hypot(middle, (2.0 * last) ** 0.5) - middle, e
    for n in range(last - 1, 0, -1):
        q = 2 * n / (2 * high + q)
        down = -q * down if n <= order else down
    return np.where(near, up, down).astype(e.dtype)[()]


@op(label="ln Γ", partials=lambda x, out: (digamma(x),), latex=r"\ln \left|\Gamma(#1)\right|")
def gammaln(x):
    """log |Γ(x)|.

    >>> ad.evaluate(ad.gammaln([1.0, 5.0]))
    array([0.        , 3.17805383])
    """
    return special.gammaln(x)


@op(
    label="ψ",
    partials=lambda x, out: (polygamma(x, order=1),),
    latex=r"\psi",
    targets={"jax": lambda x: jnp.where(x == 0, -np.inf, jax_special.digamma(x))},
)
def digamma(x):
    """The derivative of log Γ(x).

    >>> ad.evaluate(ad.digamma([1.0, 2.0]))
    array([-0.57721566,  0.42278434])
    """
    return special.digamma(x)


@op(
    label="ψ{order}",
    type=lambda t, order: t,
    pullback=lambda ct, x, out, order: (ct * polygamma(x, order=order + 1),),
    pushforward=lambda t, x, out, order: t[0] * polygamma(x, order=order + 1),
    batch=lambda inputs, flags, order: polygamma(inputs[0], order=order),
)
def polygamma(x, *, order):
    """The derivative of digamma, of this order.

    Parameters
    ----------
    order : int
        How many times digamma is differentiated.

    Returns
    -------
    Expr
        An array of the shape and the dtype of x.

    Examples
    --------
    >>> ad.evaluate(ad.polygamma(1.0, order=1))
    np.float64(1.6449340668482266)
    """
    return special.polygamma(order, x).astype(np.asarray(x).dtype)[()]


@op(partials=lambda x, y, out: (log(y), x / where(x == 0, 1, y)), operand_labels=("x", "y"))
def xlogy(x, y):
    """x · log y, and 0 where x is 0.

    Notes
    -----
    At x = 0 the slope by y is 0.

    Examples
    --------
    >>> ad.evaluate(ad.xlogy([0.0, 2.0], [0.0, 1.0]))
    array([0., 0.])
    """
    return special.xlogy(x, y)


@op(commutative=True, partials=lambda x, y, out: (sigmoid(x - y), sigmoid(y - x)))
def logaddexp(x, y):
    """log(e^x + e^y), without overflow.

    >>> ad.evaluate(ad.logaddexp(1000.0, 1000.0))
    np.float64(1000.6931471805599)
    """
    return np.logaddexp(x, y)


@op(
    commutative=True,
    partials=lambda x, y, out: (sigmoid(LOG_2 * (x - y)), sigmoid(LOG_2 * (y - x))),
)
def logaddexp2(x, y):
    """log₂(2^x + 2^y), without overflow.

    >>> ad.evaluate(ad.logaddexp2(1000.0, 1000.0))
    np.float64(1001.0)
    """
    return np.logaddexp2(x, y)
