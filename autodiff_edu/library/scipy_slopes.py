"""The slopes of SciPy's universal functions, one row a function.

Numbers in comments are equations of the Digital Library of Mathematical Functions of NIST (DLMF),
release 1.2.

Letters: those of the DLMF; out the result, F a function by its name.
"""

from collections.abc import Callable
from math import pi
from typing import NamedTuple

import numpy as np

from ..ops.arithmetic import sqrt
from ..ops.comparison import abs, clip, sign, where
from ..ops.elementary import exp, log, log1p, sin
from .scipy_formulas import (
    ROOT,
    F,
    bell,
    by_part,
    by_start,
    by_whole,
    first_kind,
    gegenbauer,
    half,
    lower,
    of_beta,
    of_gamma,
    of_power,
    of_ratio,
    of_reciprocal,
    of_student,
    off_poles,
    relative,
    root,
    second_kind,
)  # fmt: skip
from .special import digamma, erf, erfcx, sigmoid

DEGREE = pi / 180


class Row(NamedTuple):
    """The operands of a function, and the factors of their small changes."""

    names: str
    slopes: Callable[..., tuple]


ROWS: dict[str, Row] = {
    # the error function and the normal distribution
    "ndtr": Row("x", lambda x, out: (bell(x),)),
    "ndtri": Row("y", lambda y, out: (ROOT * exp(0.5 * out * out),)),
    "ndtri_exp": Row("y", lambda y, out: (ROOT * exp(0.5 * out * out + y),)),
    "log_ndtr": Row("x", lambda x, out: ((2 / pi) ** 0.5 / erfcx(-x / 2**0.5),)),
    "erfinv": Row("y", lambda y, out: (0.5 * pi**0.5 * exp(out * out),)),  # 7.17.1
    "erfcinv": Row("y", lambda y, out: (-0.5 * pi**0.5 * exp(out * out),)),
    "erfi": Row("x", lambda x, out: (2 / pi**0.5 * exp(x * x),)),  # 7.10.1
    "dawsn": Row("x", lambda x, out: (1 - 2 * x * out,)),  # 7.10.2
    "owens_t": Row("h a", lambda h, a, out: (
        -0.5 * bell(h) * erf(a * h / 2**0.5),
        exp(-0.5 * h * h * (1 + a * a)) / (2 * pi * (1 + a * a)),
    )),
    "nrdtrimn": Row("p std x", lambda p, std, x, out: (
        -std * ROOT * exp(0.5 * F.ndtri(p) ** 2), -F.ndtri(p), 1.0)),
    "nrdtrisd": Row("mn p x", lambda mn, p, x, out: (
        -1 / F.ndtri(p), -out * ROOT * exp(0.5 * F.ndtri(p) ** 2) / F.ndtri(p), 1 / F.ndtri(p))),
    # the gamma function and its kin
    "gamma": Row("x", lambda x, out: (out * digamma(x),)),  # 5.2.2
    "rgamma": Row("x", lambda x, out: (of_reciprocal(x, out),)),
    "loggamma": Row("x", lambda x, out: (digamma(x),)),
    "beta": Row("a b", lambda a, b, out: (
        out * (digamma(a) - digamma(a + b)), out * (digamma(b) - digamma(a + b)))),  # 5.12.1
    "betaln": Row("a b", lambda a, b, out: (
        digamma(a) - digamma(a + b), digamma(b) - digamma(a + b))),
    "binom": Row("n k", lambda n, k, out: (
        by_whole(n, k, out), by_part(n, k, out))),
    "poch": Row("z m", lambda z, m, out: (
        by_start(z, m, out), out * digamma(off_poles(z + m)))),  # 5.2.5
    "gammainc": Row("a x", lambda a, x, out: (None, of_gamma(a, x))),  # 8.8.13
    "gammaincc": Row("a x", lambda a, x, out: (None, -of_gamma(a, x))),
    "gammaincinv": Row("a y", lambda a, y, out: (None, 1 / of_gamma(a, out))),
    "gammainccinv": Row("a y", lambda a, y, out: (None, -1 / of_gamma(a, out))),
    "betainc": Row("a b x", lambda a, b, x, out: (None, None, of_beta(a, b, x))),  # 8.17.1
    "betaincc": Row("a b x", lambda a, b, x, out: (None, None, -of_beta(a, b, x))),
    "betaincinv": Row("a b y", lambda a, b, y, out: (None, None, 1 / of_beta(a, b, out))),
    "betainccinv": Row("a b y", lambda a, b, y, out: (None, None, -1 / of_beta(a, b, out))),
    # distributions
    "chdtr": Row("v x", lambda v, x, out: (None, 0.5 * of_gamma(0.5 * v, 0.5 * x))),
    "chdtrc": Row("v x", lambda v, x, out: (None, -0.5 * of_gamma(0.5 * v, 0.5 * x))),
    "chdtri": Row("v p", lambda v, p, out: (None, -2 / of_gamma(0.5 * v, 0.5 * out))),
    "gdtr": Row("a b x", lambda a, b, x, out: (
        x * of_gamma(b, a * x), None, a * of_gamma(b, a * x))),
    "gdtrc": Row("a b x", lambda a, b, x, out: (
        -x * of_gamma(b, a * x), None, -a * of_gamma(b, a * x))),
    "gdtria": Row("p b x", lambda p, b, x, out: (
        1 / (x * of_gamma(b, out * x)), None, -out / x)),
    "gdtrix": Row("a b p", lambda a, b, p, out: (
        -out / a, None, 1 / (a * of_gamma(b, a * out)))),
    "fdtr": Row("n d x", lambda n, d, x, out: (None, None, of_ratio(n, d, x))),
    "fdtrc": Row("n d x", lambda n, d, x, out: (None, None, -of_ratio(n, d, x))),
    "fdtri": Row("n d p", lambda n, d, p, out: (None, None, 1 / of_ratio(n, d, out))),
    "stdtr": Row("v t", lambda v, t, out: (None, of_student(v, t))),
    "stdtrit": Row("v p", lambda v, p, out: (None, 1 / of_student(v, out))),
    "pdtr": Row("k m", lambda k, m, out: (None, -of_gamma(F.floor(k) + 1, m))),
    "pdtrc": Row("k m", lambda k, m, out: (None, of_gamma(F.floor(k) + 1, m))),
    # entropy
    "entr": Row("x", lambda x, out: (-log(x) - 1,)),
    "rel_entr": Row("x y", lambda x, y, out: (log(x / y) + 1, -x / y)),
    "kl_div": Row("x y", lambda x, y, out: (log(x / y), 1 - x / y)),
    "xlog1py": Row("x y", lambda x, y, out: (log1p(y), x / (1 + y))),
    "log_expit": Row("x", lambda x, out: (sigmoid(-x),)),
    "huber": Row("delta r", lambda delta, r, out: (
        where(abs(r) <= delta, 0, abs(r) - delta), clip(r, -delta, delta))),
    "pseudo_huber": Row("delta r", lambda delta, r, out: (
        2 * out / delta - r * r / (delta * sqrt(1 + (r / delta) ** 2)),
        r / sqrt(1 + (r / delta) ** 2))),
    # powers and exponentials
    "exp10": Row("x", lambda x, out: (out * float(np.log(10)),)),
    "exprel": Row("x", lambda x, out: (relative(x),)),
    "powm1": Row("x y", lambda x, y, out: (y * x ** (y - 1), (out + 1) * log(x))),
    "boxcox": Row("x k", lambda x, k, out: (x ** (k - 1), of_power(x, k))),
    "boxcox1p": Row("x k", lambda x, k, out: ((1 + x) ** (k - 1), of_power(1 + x, k))),
    "inv_boxcox": Row("y k", lambda y, k, out: (
        out ** (1 - k), -(out ** (1 - k)) * of_power(out, k))),
    "inv_boxcox1p": Row("y k", lambda y, k, out: (
        (1 + out) ** (1 - k), -((1 + out) ** (1 - k)) * of_power(1 + out, k))),
    "_lambertw": Row("x k tol", lambda x, k, tol, out: (
        exp(-out) / (1 + out), None, None)),  # 4.13.4
    "wrightomega": Row("x", lambda x, out: (out / (1 + out),)),
    "cosm1": Row("x", lambda x, out: (-sin(x),)),
    "sindg": Row("x", lambda x, out: (DEGREE * F.cosdg(x),)),
    "cosdg": Row("x", lambda x, out: (-DEGREE * F.sindg(x),)),
    "tandg": Row("x", lambda x, out: (DEGREE * (1 + out * out),)),
    "cotdg": Row("x", lambda x, out: (-DEGREE * (1 + out * out),)),
    # integrals of exponentials, and the dilogarithm
    "expi": Row("x", lambda x, out: (exp(x) / x,)),  # 6.2.5
    "exp1": Row("x", lambda x, out: (-exp(-x) / x,)),  # 6.2.1
    "expn": Row("n x", lambda n, x, out: (None, -F.expn(n - 1, x))),  # 8.19.13
    "spence": Row("x", lambda x, out: (-F.hyp2f1(1.0, 1.0, 2.0, 1 - x),)),  # 25.12.2, 15.4.1
    # Bessel functions
    "j0": Row("x", lambda x, out: (-F.j1(x),)),  # 10.6.3
    "j1": Row("x", lambda x, out: (half("jv", 1.0, x, -1),)),  # 10.6.1
    "jv": Row("v x", lambda v, x, out: (None, half("jv", v, x, -1))),
    "jve": Row("v x", lambda v, x, out: (None, half("jve", v, x, -1))),
    "y0": Row("x", lambda x, out: (-F.y1(x),)),
    "y1": Row("x", lambda x, out: (half("yv", 1.0, x, -1),)),
    "yn": Row("n x", lambda n, x, out: (None, half("yv", n, x, -1))),
    "yv": Row("v x", lambda v, x, out: (None, half("yv", v, x, -1))),
    "yve": Row("v x", lambda v, x, out: (None, half("yve", v, x, -1))),
    "i0": Row("x", lambda x, out: (F.i1(x),)),  # 10.29.3
    "i1": Row("x", lambda x, out: (half("iv", 1.0, x, 1),)),  # 10.29.1
    "iv": Row("v x", lambda v, x, out: (None, half("iv", v, x, 1))),
    "i0e": Row("x", lambda x, out: (F.i1e(x) - sign(x) * out,)),
    "i1e": Row("x", lambda x, out: (half("ive", 1.0, x, 1) - sign(x) * out,)),
    "ive": Row("v x", lambda v, x, out: (None, half("ive", v, x, 1) - sign(x) * out)),
    "k0": Row("x", lambda x, out: (-F.k1(x),)),
    "k1": Row("x", lambda x, out: (-half("kv", 1.0, x, 1),)),
    "kn": Row("n x", lambda n, x, out: (None, -half("kv", n, x, 1))),
    "kv": Row("v x", lambda v, x, out: (None, -half("kv", v, x, 1))),
    "k0e": Row("x", lambda x, out: (out - F.k1e(x),)),
    "k1e": Row("x", lambda x, out: (out - half("kve", 1.0, x, 1),)),
    "kve": Row("v x", lambda v, x, out: (None, out - half("kve", v, x, 1))),
    "ber": Row("x", lambda x, out: (F.berp(x),)),
    "bei": Row("x", lambda x, out: (F.beip(x),)),
    "ker": Row("x", lambda x, out: (F.kerp(x),)),
    "kei": Row("x", lambda x, out: (F.keip(x),)),
    "berp": Row("x", lambda x, out: (-F.bei(x) - out / x,)),  # 10.61.3
    "beip": Row("x", lambda x, out: (F.ber(x) - out / x,)),
    "kerp": Row("x", lambda x, out: (-F.kei(x) - out / x,)),
    "keip": Row("x", lambda x, out: (F.ker(x) - out / x,)),
    "struve": Row("v x", lambda v, x, out: (None, F.struve(v - 1, x) - v / x * out)),  # 11.4.27
    "modstruve": Row("v x", lambda v, x, out: (None, F.modstruve(v - 1, x) - v / x * out)),
    # elliptic integrals
    "ellipk": Row("m", lambda m, out: (pi / 8 * F.hyp2f1(1.5, 1.5, 2.0, m),)),  # 19.5.1, 15.5.1
    "ellipe": Row("m", lambda m, out: (-pi / 8 * F.hyp2f1(0.5, 1.5, 2.0, m),)),  # 19.5.2
    "ellipkm1": Row("p", lambda p, out: (
        -0.5 * (F.ellipe(1 - p) - p * out) / (p * (1 - p)),)),  # 19.4.1
    "ellipkinc": Row("phi m", lambda phi, m, out: (
        1 / root(phi, m), first_kind(phi, m, out))),  # 19.4.5
    "ellipeinc": Row("phi m", lambda phi, m, out: (
        root(phi, m), second_kind(phi, m, out))),  # 19.4.6
    "elliprc": Row("x y", lambda x, y, out: (
        -F.elliprd(y, y, x) / 6, -F.elliprd(x, y, y) / 3)),  # 19.18.1
    "elliprf": Row("x y z", lambda x, y, z, out: (
        -F.elliprd(y, z, x) / 6, -F.elliprd(x, z, y) / 6, -F.elliprd(x, y, z) / 6)),
    # hypergeometric functions
    "hyp0f1": Row("b x", lambda b, x, out: (None, F.hyp0f1(b + 1, x) / b)),  # 16.3.1
    "hyp1f1": Row("a b x", lambda a, b, x, out: (
        None, None, a / b * F.hyp1f1(a + 1, b + 1, x))),  # 13.3.15
    "hyperu": Row("a b x", lambda a, b, x, out: (
        None, None, -a * F.hyperu(a + 1, b + 1, x))),  # 13.3.22
    "hyp2f1": Row("a b c x", lambda a, b, c, x, out: (
        None, None, None, a * b / c * F.hyp2f1(a + 1, b + 1, c + 1, x))),  # 15.5.1
    # orthogonal polynomials, in x
    "eval_legendre": Row("n x", lambda n, x, out: (None, gegenbauer(n, 0.5, x))),
    "eval_chebyt": Row("n x", lambda n, x, out: (
        None, lower(n, lambda low: n * F.eval_chebyu(low, x)))),  # 18.9.21
    "eval_chebyu": Row("n x", lambda n, x, out: (None, gegenbauer(n, 1.0, x))),
    "eval_chebyc": Row("n x", lambda n, x, out: (
        None, lower(n, lambda low: n * F.eval_chebyu(low, 0.5 * x)))),
    "eval_chebys": Row("n x", lambda n, x, out: (None, 0.5 * gegenbauer(n, 1.0, 0.5 * x))),
    "eval_gegenbauer": Row("n a x", lambda n, a, x, out: (None, None, gegenbauer(n, a, x))),
    "eval_hermite": Row("n x", lambda n, x, out: (
        None, lower(n, lambda low: 2 * n * F.eval_hermite(low, x)))),  # 18.9.25
    "eval_hermitenorm": Row("n x", lambda n, x, out: (
        None, lower(n, lambda low: n * F.eval_hermitenorm(low, x)))),  # 18.9.27
    "eval_laguerre": Row("n x", lambda n, x, out: (
        None, lower(n, lambda low: -F.eval_genlaguerre(low, 1.0, x)))),  # 18.9.23
    "eval_genlaguerre": Row("n a x", lambda n, a, x, out: (
        None, None, lower(n, lambda low: -F.eval_genlaguerre(low, a + 1, x)))),
    "eval_jacobi": Row("n a b x", lambda n, a, b, x, out: (None, None, None, lower(
        n, lambda low: 0.5 * (n + a + b + 1) * F.eval_jacobi(low, a + 1, b + 1, x)))),  # 18.9.15
    "eval_sh_legendre": Row("n x", lambda n, x, out: (None, 2 * gegenbauer(n, 0.5, 2 * x - 1))),
    "eval_sh_chebyt": Row("n x", lambda n, x, out: (
        None, lower(n, lambda low: 2 * n * F.eval_chebyu(low, 2 * x - 1)))),
    "eval_sh_chebyu": Row("n x", lambda n, x, out: (None, 2 * gegenbauer(n, 1.0, 2 * x - 1))),
}  # fmt: skip
