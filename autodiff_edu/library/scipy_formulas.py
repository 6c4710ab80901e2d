"""Formulas that several slopes of SciPy's functions share: densities, and steps between neighbours.

Numbers in comments are equations of the Digital Library of Mathematical Functions of NIST (DLMF).
"""

from collections.abc import Callable
from math import pi
from typing import Any

from ..expr import LazyModule
from ..ops.arithmetic import sqrt
from ..ops.comparison import where
from ..ops.declare import OPS
from ..ops.elementary import cos, exp, log, log1p, sin
from .rounding import floor
from .special import digamma, gammaln

functions = LazyModule(f"{__package__}.scipy_functions")
ROOT = (2 * pi) ** 0.5


class Functions:
    """Those of the table and of the house, as attributes."""

    def __getattr__(self, name: str) -> Any:
        return OPS[name] if name in OPS else functions.operation(name)


F = Functions()


# ---- densities, of which distribution functions are integrals


def bell(x: Any) -> Any:
    return exp(-0.5 * x * x) / ROOT


def of_gamma(a: Any, x: Any) -> Any:
    return exp((a - 1) * log(x) - x - gammaln(a))


def of_beta(a: Any, b: Any, x: Any) -> Any:
    return exp((a - 1) * log(x) + (b - 1) * log1p(-x) - F.betaln(a, b))


def of_student(v: Any, t: Any) -> Any:
    size = exp(gammaln(0.5 * (v + 1)) - gammaln(0.5 * v)) / sqrt(v * pi)
    return size * exp(-0.5 * (v + 1) * log1p(t * t / v))


def of_ratio(n: Any, d: Any, x: Any) -> Any:
    """Of Fisher's F, with n and d degrees of freedom."""
    share = n * x / (d + n * x)
    return of_beta(0.5 * n, 0.5 * d, share) * n * d / (d + n * x) ** 2


# ---- what several rows share


def half(f: str, v: Any, x: Any, up: int) -> Any:
    """(f of the order below ± f of the order above) / 2."""
    below, above = getattr(F, f)(v - 1, x), getattr(F, f)(v + 1, x)
    return 0.5 * (below + up * above)


def lower(n: Any, slope: Callable[[Any], Any]) -> Any:
    """A slope with the degree n − 1; a polynomial of degree 0 is constant."""
    return where(n == 0, 0, slope(where(n == 0, 0, n - 1)))


def at_pole(z: Any) -> Any:
    """Is Γ(z) infinite?"""
    return (z <= 0) & (z == floor(z))


def off_poles(z: Any) -> Any:
    return where(at_pole(z), 1, z)


def slope_at_pole(z: Any) -> Any:
    """The slope of 1/Γ(z) where it is 0."""
    return cos(pi * z) * F.gamma(where(at_pole(z), 1 - z, 1))  # 5.2.1


def of_reciprocal(z: Any, out: Any) -> Any:
    """The slope of 1/Γ(z)."""
    return where(at_pole(z), slope_at_pole(z), -out * digamma(off_poles(z)))


def beyond(n: Any, k: Any) -> Any:
    """The slope of n!/(k! (n − k)!) by n where k > n, so that 1/(n − k)! is 0: its slope is not."""
    return -cos(pi * (n - k)) * F.beta(n + 1, where(at_pole(n - k + 1), k - n, 1))  # 5.2.1, 5.12.1


def by_whole(n: Any, k: Any, out: Any) -> Any:
    """The slope of the binomial coefficient n over k by n."""
    inside = out * (digamma(n + 1) - digamma(off_poles(n - k + 1)))
    return where(at_pole(n - k + 1), beyond(n, k), inside)


def by_part(n: Any, k: Any, out: Any) -> Any:
    """The slope of the binomial coefficient n over k by k."""
    inside = out * (digamma(off_poles(n - k + 1)) - digamma(off_poles(k + 1)))
    below = where(at_pole(k + 1), beyond(n, n - k), inside)
    return where(at_pole(n - k + 1), -beyond(n, k), below)


def by_start(z: Any, m: Any, out: Any) -> Any:
    """The slope of Γ(z + m)/Γ(z) by z, also where one of them or both are infinite."""
    start, end = at_pole(z), at_pole(z + m)
    inside = out * (digamma(off_poles(z + m)) - digamma(off_poles(z)))
    one = F.gamma(off_poles(z + m)) * slope_at_pole(z)
    both = out * (digamma(where(end, 1 - z - m, 1)) - digamma(where(start, 1 - z, 1)))  # 5.5.4
    return where(start, where(end, both, one), inside)


def relative(x: Any) -> Any:
    """The slope of (e^x − 1) / x."""
    return 0.5 * F.hyp1f1(2.0, 3.0, x)  # 13.3.15


def root(phi: Any, m: Any) -> Any:
    return sqrt(1 - m * sin(phi) ** 2)


def first_kind(phi: Any, m: Any, out: Any) -> Any:
    """The slope of the incomplete integral F(φ, m) by m."""
    some = where(m == 0, 0.5, m)
    second, edge = F.ellipeinc(phi, some), 0.25 * sin(2 * phi) / root(phi, some)
    apart = (0.5 * (second - (1 - some) * F.ellipkinc(phi, some)) / some - edge) / (1 - some)
    return where(m == 0, 0.25 * phi - 0.125 * sin(2 * phi), apart)


def second_kind(phi: Any, m: Any, out: Any) -> Any:
    some = where(m == 0, 0.5, m)
    apart = 0.5 * (F.ellipeinc(phi, some) - F.ellipkinc(phi, some)) / some
    return where(m == 0, 0.125 * sin(2 * phi) - 0.25 * phi, apart)


def of_power(x: Any, k: Any) -> Any:
    """The slope of (x^k − 1) / k by k."""
    return log(x) ** 2 * relative(k * log(x))


def gegenbauer(n: Any, a: Any, x: Any) -> Any:
    return lower(n, lambda low: 2 * a * F.eval_gegenbauer(low, a + 1.0, x))  # 18.9.19
