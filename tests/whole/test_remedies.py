"""Every remedy that a message offers as code is run: it has the value that the refused program has
for numbers, and its gradient agrees with differences of that program.

Protects who follows a message to the letter: the line that it offers works, and is right.
"""

import math
import re
import sys

import numpy as np
import pytest
import scipy
import scipy.fft
import scipy.integrate
import scipy.interpolate
import scipy.optimize
import scipy.signal
import scipy.spatial.distance
import scipy.stats
from scipy import special

import autodiff_edu as ad
from autodiff_edu.expr.errors import libraries
from autodiff_edu.library import advised, scipy_functions
from tests.helpers.depth import some
from tests.library.test_scipy_functions import ALL, points

Z = np.array([1.0, 2.0, 3.0, 0.5])
SQUARE = "A = z.reshape(2, 2); "
SYMMETRIC = "A = z[[0, 1, 1, 2]].reshape(2, 2) + 2 * np.eye(2); "
B = "b = np.array([1.0, -2.0]); "
LOWER = "L = z[[0, 3, 1, 2]].reshape(2, 2) * np.array([[1, 0], [1, 1]]); "
VECTOR, FILTER = "x = z; ", "x, w = z, np.array([1.0, -2.0, 0.5]); "
POINTS = "x, y = z.reshape(2, 2), z.reshape(2, 2) * np.array([1.0, 2.0]); "
KNOTS = "x, y, t = np.arange(5.0), np.sin(np.arange(5.0)), z + 0.2; "
VALUES = "x, y, t = np.arange(4.0), z, np.array([0.3, 1.5, 2.2]); "
LINE = "x, y = np.array([0.0, 1.0, 3.0, 4.0]), z[0] + z[1] * np.array([0.0, 1.0, 3.0, 4.0]); "
AREA = "f = lambda t: z[0] * np.sin(z[1] * t); a, b = 0.0, 1.0; "
PLANE = "f = lambda t, s: z[0] * t + s * z[1] * t; a, b, c, d = 0.0, 1.0, 0.0, 2.0; "
ZERO = "f = lambda t: t * t * t - z[0]; guess = 0.9; "
LEAST = "loss = lambda t: np.sum((t - z[:2]) ** 2); guess = np.zeros(2); "
DECAY = "f = lambda y, t: -z[:2] * y; y0, t = np.ones(2), np.linspace(0.0, 1.0, 11); "
AXIS = "axis = None; "
WAVES = "x, n = np.stack([z, z**2]), 4; "  # along the last axis
POLYNOMIALS = "p, q = z[:2], z[2:]; "
FACTORED = [
    "scipy.linalg.lu_solve(scipy.linalg.lu_factor(A), b)", "scipy.linalg.inv(A)",
    "np.sum(np.log(np.abs(np.diag(scipy.linalg.lu(A)[2]))))",
    "A = z[[1, 0, 2, 3, 1, 0, 2, 2, 1]].reshape(3, 3) + np.diag([0, 0, 1]) * z[0]; k = 2; "
    "a = Z[[1, 0, 2, 3, 1, 0, 2, 2, 1]].reshape(3, 3) + np.diag([0, 0, 1]); "
    "scipy.linalg.lu(A)[2][k, k]",
]  # fmt: skip
NORMAL = "x, mean, cov = z[:2], z[2:], z[[0, 3, 3, 1]].reshape(2, 2); "

# The names of a remedy, made of z; and the refused program, one for each line that is offered where
# they differ. None stands for what cannot be compared: the line runs.
OF_SCIPY = {
    **{name: (WAVES, f"scipy.fft.{name}(x).real", f"scipy.fft.{name}(x).imag")
       for name in ("fft", "ifft", "rfft")},
    "odeint": (DECAY, "scipy.integrate.odeint(f, y0, t)"),
    "solve_ivp": (DECAY, "scipy.integrate.solve_ivp(lambda t, y: f(y, t), (0, 1), y0, t_eval=t, "
                         "rtol=1e-10, atol=1e-10).y.T"),
    **dict.fromkeys("quad quad_vec fixed_quad romberg tanhsinh".split(),
                    (AREA, "scipy.integrate.quad(f, a, b)[0]")),
    **dict.fromkeys("dblquad tplquad nquad".split(),
                    (PLANE, "scipy.integrate.dblquad(f, a, b, c, d)[0]")),
    "simpson": (LINE, "scipy.integrate.simpson(y, x=x)"),
    "cumulative_trapezoid": (LINE, "scipy.integrate.cumulative_trapezoid(y, x)"),
    "cumulative_simpson": (LINE, "scipy.integrate.cumulative_simpson(y, x=x)"),
    **dict.fromkeys("brentq brenth bisect ridder toms748 newton root_scalar fsolve root".split(),
                    (ZERO, "scipy.optimize.brentq(f, 0, 3, xtol=1e-13)")),
    "fixed_point": ("f = lambda t: np.cos(z[0] * t) / 2; guess = 0.4; ",
                    "scipy.optimize.fixed_point(f, guess, xtol=1e-12)"),
    **dict.fromkeys("minimize minimize_scalar least_squares fmin fmin_bfgs".split(),
                    (LEAST, "z[:2]", None)),
    "interp1d": ("x, xp, fp = z / 2 + 0.2, np.arange(4.0), np.sin(np.arange(4.0)); ",
                 "scipy.interpolate.interp1d(xp, fp)(x)"),
    "CubicSpline": (VALUES, "scipy.interpolate.CubicSpline(x, y)(t)",
                    KNOTS + "scipy.interpolate.CubicSpline(x, y)(t)"),
    **{name: ("x, xp, fp = z / 2 + 0.2, np.arange(4.0), np.sin(np.arange(4.0)); ",
              "np.interp(x, xp, fp)", KNOTS + f"scipy.interpolate.{name}(x, y)(t)")
       for name in ("PchipInterpolator", "Akima1DInterpolator")},
    "cdist": (POINTS + "y = x; ", "scipy.spatial.distance.cdist(x, y)"),
    "pdist": (POINTS, "scipy.spatial.distance.pdist(x)"),
    "expm": ("n = 2; " + SYMMETRIC, "scipy.linalg.expm(A)",
             SQUARE + "A = A / 4; n = 2; scipy.linalg.expm(A)"),
    "sqrtm": (SYMMETRIC, "scipy.linalg.sqrtm(A)"), "logm": (SYMMETRIC, "scipy.linalg.logm(A)"),
    **dict.fromkeys("lu lu_factor lu_solve".split(), (SQUARE + B, *FACTORED)),
    "cho_factor": (SYMMETRIC + B, "np.linalg.cholesky(A)",
                   "scipy.linalg.cho_solve(scipy.linalg.cho_factor(A), b)"),
    "solve_triangular": (SQUARE + B, "scipy.linalg.solve_triangular(A, b)"),
    "cho_solve": (LOWER + B, "scipy.linalg.cho_solve((L, True), b)"),
    **{name: (SYMMETRIC + B, f"scipy.linalg.{name}(A)")
       for name in "inv det pinv eigvalsh svd eigh norm".split()},
    "solve": (SQUARE + B, "scipy.linalg.solve(A, b)"),
    "lstsq": (SQUARE + B, "scipy.linalg.lstsq(A, b)[0]"),
    "qr": (SQUARE, "scipy.linalg.qr(A)"),
    "cholesky": (SYMMETRIC, "scipy.linalg.cholesky(A)", "scipy.linalg.cholesky(A, lower=True)"),
    "block_diag": ("A, B, m, n = z.reshape(2, 2), z[:1].reshape(1, 1), 2, 1; ",
                   "scipy.linalg.block_diag(A, B)"),
    "toeplitz": ("c, n = z, 4; ", "scipy.linalg.toeplitz(c)"),
    "convolve": (FILTER, "scipy.signal.convolve(x, w)"),
    "correlate": (FILTER, "scipy.signal.correlate(x, w)"),
    "lfilter": ("x, b, a = z, np.array([1.0, 0.5]), np.array([1.0]); ",
                "scipy.signal.lfilter(b, a, x)",
                "x, b, a = z, np.array([0.5]), np.array([1.0, 0.3]); "
                "scipy.signal.lfilter(b, a, x)"),
    **{name: ("x, axis = z.reshape(2, 2), 0; ", f"special.{name}(x)",
              f"special.{name}(x, axis=axis)") for name in "logsumexp softmax log_softmax".split()},
    **{f"t.{k}": ("x, n = z, 3; ", f"scipy.stats.t.{k}(x, n)") for k in ("pdf", "logpdf")},
    "multivariate_normal.logpdf": (
        NORMAL, "scipy.stats.multivariate_normal.logpdf(x, mean, cov)"),
    "multivariate_normal.pdf": (NORMAL, "scipy.stats.multivariate_normal.pdf(x, mean, cov)"),
    "polygamma": ("x, n = z, 2; ", "special.polygamma(n, x)"),
    "comb": ("n, k = z, np.array([2.0, 1.0, 2.0, 3.0]); ", "special.comb(n, k)"),
    "perm": ("n, k = z, np.array([2.0, 1.0, 3.0, 2.0]); ", "special.poch(n - k + 1, k)"),
    "multigammaln": ("x, d = z[1] + 1, 3; ", "special.multigammaln(x, d)"),
    **{f"spherical_{k}n": ("x, n = z, 1; ", f"special.spherical_{k}n(n, x)") for k in "jyik"},
    "zeta": ("x, n = z[0] + 3, 1000; ", "special.zeta(x)"),
}  # fmt: skip
OF_VARIANTS = {
    **{("cdist", f): (POINTS, f"scipy.spatial.distance.cdist(x, y, '{f}')")
       for f in "sqeuclidean cityblock chebyshev".split()},
    **{("pdist", f): ("x = z[[0, 1, 2, 3, 3, 0]].reshape(3, 2); ",
                      f"scipy.spatial.distance.pdist(x, '{f}')")
       for f in "sqeuclidean cityblock chebyshev".split()},
    **{(f, mode): (FILTER, f"scipy.signal.{f}(x, w, '{mode}')")
       for f in ("convolve", "correlate") for mode in ("same", "valid")},
    ("interp1d", "cubic"): (KNOTS, "scipy.interpolate.interp1d(x, y, kind='cubic')(t)"),
}  # fmt: skip
OF_ROOMS = {
    "scipy.stats": (VECTOR, "scipy.stats.norm.logpdf(x)"),
    "scipy.interpolate": ("x, xp, fp = z / 2 + 0.2, np.arange(4.0), np.sin(np.arange(4.0)); ",
                          "scipy.interpolate.interp1d(xp, fp)(x)"),
    "scipy.integrate": (AREA, "scipy.integrate.quad(f, a, b)[0]"),
    "scipy.fft": (WAVES, "scipy.fft.fft(x).real", "scipy.fft.fft(x).imag"),
    "scipy.fftpack": (WAVES, "scipy.fft.fft(x).real", "scipy.fft.fft(x).imag"),
    "scipy.optimize": (ZERO, "scipy.optimize.brentq(f, 0, 3, xtol=1e-13)"),
    "scipy.spatial": ("x, y = z[:2], z[2:]; ", "scipy.spatial.distance.euclidean(x, y)"),
    "scipy.signal": (FILTER, "scipy.signal.convolve(x, w)"),
}  # fmt: skip
EIGENVALUE = SQUARE + "n, guess = 2, 3.0; np.linalg.eigvals(A).max()"
OF_NUMPY = {
    "signbit": (VECTOR, "np.signbit(x)"),
    "apply_along_axis": ("x, g, axis = z.reshape(2, 2), np.prod, 0; ",
                         "np.apply_along_axis(g, axis, x)",
                         "x, g = z, np.prod; np.apply_along_axis(g, 0, x)"),
    "eig": (SYMMETRIC, "np.linalg.eigh(A)", EIGENVALUE),
    "eigvals": (SYMMETRIC, "np.sort(np.linalg.eigvals(A))", EIGENVALUE),
    "bincount": ("x, n = (2 * z + 0.5).astype('int64'), 7; ", "np.bincount(x, minlength=n)"),
    "resize": ("x, n, m = z, 2, 6; ", "np.resize(x, m)"),
    "left_shift": ("x, k = (4 * z + 0.5).astype('int64'), 2; ", "np.left_shift(x, k)"),
    "right_shift": ("x, k = (4 * z + 0.5).astype('int64'), 2; ", "np.right_shift(x, k)"),
    "put": ("x, key, values = z, [0, 2], z[2:]; ", "changed(np.put, x, key, values)"),
    "put_along_axis": (
        "x, key, values = z.reshape(2, 2), np.array([[1], [0]]), z[:2].reshape(2, 1); ",
        "changed(np.put_along_axis, x, key, values, 1)"),
    **dict.fromkeys("place putmask copyto".split(),
                    ("x, mask, value = z, Z > 1, 7.0; ", "changed(np.putmask, x, mask, value)")),
    "fill_diagonal": ("x, n, value = z.reshape(2, 2), 2, 7.0; ",
                      "changed(np.fill_diagonal, x, value)"),
    "i0": (VECTOR, "np.i0(x)"),
    "polyfit": ("x, y, degree = np.arange(4.0), z, 2; ", "np.polyfit(x, y, degree)"),
    "matrix_rank": (SQUARE + "tolerance = 1e-9; ", "np.linalg.matrix_rank(A)"),
    "angle": ("x, y = z[:2], z[2:]; ", "np.angle(x + 1j * y)"),
    "trim_zeros": ("x, first, last = np.append(0.0, z), 1, 5; ", "np.trim_zeros(x)"),
    "polyder": ("p = z; ", "np.polyder(p)"), "polyint": ("p = z; ", "np.polyint(p)"),
    "polyadd": (POLYNOMIALS, "np.polyadd(p, q)"), "polysub": (POLYNOMIALS, "np.polysub(p, q)"),
    "polymul": (POLYNOMIALS, "np.polymul(p, q)"),
    "tensorinv": ("A, n, shape = z.reshape(2, 2), 2, (2, 1, 2); ",
                  "np.linalg.tensorinv(A.reshape(2, 2, 1), ind=1).reshape(shape)"),
    "tensorsolve": ("A, n, shape, b = z.reshape(2, 1, 2), 2, (2,), z[:2].reshape(2, 1); ",
                    "np.linalg.tensorsolve(A, b)"),
    "nan_to_num": (VECTOR, "np.nan_to_num(x)"),
    "histogram": ("x, a, b = z, 0.8, 4.0; ", "np.histogram(x, bins=1, range=(a, b))[0][0]"),
    "sort_complex": (VECTOR, "np.sort_complex(x).real"),
    "lexsort": (VECTOR, "np.lexsort([x])"),
    "apply_over_axes": ("x = z.reshape(2, 2); ", "np.apply_over_axes(np.sum, x, (0, 1))"),
    "kelvin": (VECTOR, "special.kelvin(x)[0].real"),
    "hankel1": ("x, v = z, 1.5; ", "special.hankel1(v, x).real", "special.hankel1(v, x).imag"),
    "hankel2": ("x, v = z, 1.5; ", "special.hankel2(v, x).real", "special.hankel2(v, x).imag"),
    "real_if_close": (VECTOR, "np.real_if_close(x)"),
    **dict.fromkeys("array2string array_repr array_str common_type min_scalar_type".split(),
                    (VECTOR, None)),
    "fftshift": (VECTOR, "np.fft.fftshift(x)"), "ifftshift": (VECTOR, "np.fft.ifftshift(x)"),
    "unique": ("a, x = Z[[3, 0, 1, 0]], z[[3, 0, 1, 0]]; ", "np.unique(x)"),
    "vectorize": ("x, g = z.reshape(2, 2), lambda t: t * t; ", "np.vectorize(g)(x)"),
}  # fmt: skip
ROUGH = set(  # sums over points, and steps in time
    "quad_vec quad fixed_quad romberg tanhsinh odeint solve_ivp expm dblquad tplquad nquad "
    "scipy.integrate".split()
)

TABLES = {
    **{f"SciPy's {name}": (way.replace("{name}", name), OF_SCIPY.get(name), name)
       for name, way in libraries.INSTEAD.items()},
    **{" ".join(key): (way, OF_VARIANTS.get(key), "") for key, way in libraries.VARIANTS.items()},
    **{f"all of {name}": (way, OF_ROOMS.get(name), name)
       for name, way in libraries.ROOMS.items() if "`" in way},
    **{f"NumPy's {name}": (way, OF_NUMPY.get(name), name)
       for name, way in advised.INSTEAD.items()},
    "np.unique": (advised.SETS["unique"], OF_NUMPY["unique"], ""),
    "np.vectorize": (libraries.EACH, OF_NUMPY["vectorize"], ""),
}  # fmt: skip


def lines(way):
    return re.findall(r"`([^`]+)`", way)


def changed(function, x, *args):
    """A copy of an array that NumPy's function has changed."""
    y = x.copy()
    function(y, *args)
    return y


def run(program, z):
    """The value of a program, whose last part is an expression."""
    names = {"np": np, "ad": ad, "scipy": scipy, "special": special, "changed": changed}
    names |= {"z": z, "Z": Z}
    *before, last = program.split("; ")
    exec("\n".join(before), names)
    return eval(last, names)


def total(result):
    """One number, in which each entry has a weight of its own. The vectors of a decomposition have
    any sign: their squares count."""
    if isinstance(result, tuple):
        return sum(np.sum(part**2 * weights(part)) for part in result)
    return np.sum(result * weights(result))


def weights(part):
    return np.sqrt(np.arange(1.0, 1 + np.prod(part.shape, dtype=int))).reshape(part.shape)


def differences(program):
    """The slopes of what a program returns, from its values."""
    h = 1e-4
    out = [total_of(program, Z + h * e) - total_of(program, Z - h * e) for e in np.eye(len(Z))]
    return np.array(out) / (2 * h)


def total_of(program, z):
    parts = run(program, z)
    return total(tuple(map(np.asarray, parts)) if isinstance(parts, tuple) else np.asarray(parts))


@pytest.mark.each("row", some(TABLES, 20))
@pytest.mark.filterwarnings("ignore")
def test_each_line_that_a_message_offers_is_right(row):
    way, example, name = TABLES[row]
    assert example, f"{row} has no example here"
    names, *refused = example
    offered = lines(way)
    assert offered, f"no line of {row} stands in backticks"
    assert len(refused) in (1, len(offered))
    for line, program in zip(offered, refused * (len(offered) if len(refused) == 1 else 1)):
        more, sign, program = program.rpartition("; ") if program else ("", "", "")
        mine = names + more + sign
        if not program:
            run(mine + line, Z)
            continue
        rough = {"rtol": 2e-4, "atol": 2e-4} if name in ROUGH else {"rtol": 2e-6, "atol": 2e-6}
        value, slopes = ad.value_and_grad(lambda z, p=mine + line: total(run(p, z)))(Z)
        np.testing.assert_allclose(value, total_of(mine + program, Z), err_msg=line, **rough)
        np.testing.assert_allclose(slopes, differences(mine + program), err_msg=line, **rough)


WHOLE = scipy_functions.WHOLE


def without(name):
    """The places of operands that have no slope in closed form."""
    operands = [ad.constant(v) for v in next(points(name, 1))]
    slopes = ALL[name].slopes(*operands, ad.constant(0.5))
    return [k for k, slope in enumerate(slopes) if slope is None]


MISSING = some((n for n in scipy_functions.ROWS if without(n) and n not in WHOLE), 5)


@pytest.mark.each("name", some(MISSING, 3))
@pytest.mark.filterwarnings("ignore")
def test_the_operation_that_a_missing_slope_offers_has_it(name):
    f, row = getattr(special, name), np.asarray(next(points(name, 1)), float)
    for k in without(name):
        with pytest.raises(ad.NullTypeGradError) as met:
            ad.grad(lambda v: f(*[v[i] for i in range(len(row))]))(row)
        (line,) = [line for line in lines(str(met.value)) if "ad.op(" in line]
        names = {"ad": ad, "scipy": scipy}
        exec(line, names)
        slopes = ad.grad(
            lambda v, ours=names[f"my_{name}"]: ours(*[v[i] for i in range(len(row))])
        )(row)
        h = 1e-5 * np.eye(len(row))[k]
        wanted = (f(*(row + h)) - f(*(row - h))) / 2e-5
        np.testing.assert_allclose(slopes[k], wanted, rtol=1e-4, atol=1e-6)


@pytest.mark.each("name", some(["binom", "poch", "rgamma"], 2))
def test_slopes_at_zeros_that_are_poles_of_a_part(name):
    rows = {
        "binom": [(1, 2), (0, 3), (2, 5), (4, -2), (0.5, -1)],
        "poch": [(0, 2), (-3, 5), (-3, 2), (-2, 2.5)], "rgamma": [(0,), (-1,), (-4,)],
    }[name]  # fmt: skip
    f = getattr(special, name)
    for row in np.asarray(rows, float):
        slopes = ad.grad(lambda v: f(*[v[i] for i in range(len(row))]))(row)  # noqa: B023
        for k in range(1 if name == "poch" else len(row)):
            h = 1e-5 * np.eye(len(row))[k]
            wanted = (f(*(row + h)) - f(*(row - h))) / 2e-5
            np.testing.assert_allclose(slopes[k], wanted, rtol=1e-6, atol=1e-8, err_msg=str(row))


WITH_OPTIONS = {  # programs, and the end of their messages
    "scipy.spatial.distance.cdist(x, x)": "axis=-1)`",
    "scipy.spatial.distance.cdist(XA=x, XB=x)": "norm(x[:, None] - y[None, :], axis=-1)`",
    "scipy.stats.multivariate_normal.logpdf(z[:2], mean=Z[:2])": "np.log(2 * np.pi)) / 2` for one "
                                                                  "vector x",
    "scipy.optimize.root_scalar(lambda t: t - z[0], bracket=[0, 3]).root":
        "and not a bracket around it",
    "scipy.spatial.distance.cdist(x, x, 'euclidean')": "norm(x[:, None] - y[None, :], axis=-1)`",
    "scipy.spatial.distance.cdist(x, x, metric='cityblock')": "x[:, None] - y[None, :]), axis=-1)`",
    "scipy.spatial.distance.cdist(x, x, metric='cosine')": "This is without metric='cosine'",
    "scipy.spatial.distance.pdist(x, 'minkowski', p=3)": "This is without p=3, 'minkowski'",
    "scipy.signal.convolve(z, z[:2], mode='same')": "of which w is not the longer one",
    "scipy.signal.convolve(z, z[:2], mode='full')": "`np.convolve(x, w)` for vectors",
    "scipy.interpolate.interp1d(z, Z, kind='quadratic')(1.5)": "This is without kind='quadratic'",
    "scipy.integrate.quad(lambda t: z[0] * t, 0, 1, epsabs=1e-3)[0]": "np.trapezoid(f(t), t)`",
    "scipy.integrate.odeint(lambda y, t, k: k * y, 1.0, [0, 1.0], args=(z[0],))":
        "This is without args=(z[0],)",
    "scipy.fft.fft(z, n=8)": "This is without n=8",
    "scipy.fft.fft(z)": "since expressions are real",
    "special.logsumexp(z, axis=0)": "along one axis",
    "special.logsumexp(z, b=Z)": "This is without b=Z",
    "special.comb(z[0], 2, repetition=True)": "This is without repetition=True",
    "scipy.optimize.minimize(lambda t: (t[0] - z[0]) ** 2, [0.0], bounds=[(0, 1)]).x[0]":
        "This is without bounds=[(0, 1)]",
}  # fmt: skip


@pytest.mark.each("line", some(WITH_OPTIONS, 3))
def test_the_remedy_fits_the_options_or_says_that_it_is_without_them(line, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(f"def f(z):\n    x = z.reshape(2, 2)\n    return np.sum({line})\n")
    names = {"np": np, "scipy": scipy, "special": special, "Z": Z}
    exec(compile(file.read_text(), str(file), "exec"), names)
    with pytest.raises((TypeError, ValueError)) as met:
        ad.grad(names["f"])(Z)
    assert str(met.value).endswith(WITH_OPTIONS[line] + "."), met.value


@pytest.mark.each("use", ["z[0] - t", "z.sum() - t"])
def test_a_refusal_is_told_that_code_in_c_forgets_for_a_while(use):
    """SciPy calls a function once more after an error. What Python remembers of classes hides this,
    unless it has forgotten it."""
    names = {"np": np, "scipy": scipy, "sys": sys}
    exec(
        f"""def f(z):
    def line(t):
        found = {use}
        sys._clear_type_cache()
        return found
    return np.sum(scipy.optimize.brentq(line, 0, 3))""",
        names,
    )
    with pytest.raises(TypeError, match="neither true nor false|takes numbers alone"):
        ad.grad(names["f"])(Z)


@pytest.mark.each("line", ["[1.0].sum()", "[1.0].__getattr__('sum')"])
def test_an_error_of_another_object_is_told_as_it_is(line):
    """A refusal that the program has caught before is not the reason for what comes later."""

    def program(z):
        with pytest.raises(TypeError):
            float(z[0])
        return eval(line) + z[0]

    with pytest.raises(AttributeError, match="'list' object has no attribute"):
        ad.grad(program)(Z)


BARE = {  # programs of one line without a source, and the remedy
    **dict.fromkeys(
        ["np.random.normal(z[0])", "np.random.default_rng(0).normal(z[0])"],
        "Write rs.normal(...) for NumPy's, with one stream made outside: rs = ad.RandomStream(0); "
        "its slope is that of one draw, whose noise counts as a constant.",
    ),
    "np.random.poisson(z[0])": "Write rs.poisson(...) for NumPy's, with one stream made outside: "
                               "rs = ad.RandomStream(0).",
    "np.sum(np.array([z[0], z[1]]))": "Write ad.array(...) for np.array(...).",
    "math.exp(z[0])": "Write np.exp(x) for math.exp(x).",
    "float(z[0])": "Write the expression itself, without float(), or ad.evaluate(y, {x: 3.0}) "
                   "for a number.",
    "np.full(3, z[0]).__setitem__(0, z[1])": "Write ad.full(...) for np.full(...).",
    "np.arange(z[0])": "Write ad.arange(...) for np.arange(...).",
}  # fmt: skip


@pytest.mark.each("line", BARE)
def test_without_a_source_file_the_remedy_is_the_same(line):
    def program(z):
        return eval(line, {"np": np, "math": math, "z": z})

    with pytest.raises(TypeError) as met:
        ad.grad(program)(Z)
    assert str(met.value).endswith(BARE[line])


def test_an_assignment_without_a_source_file():
    names = {"np": np}
    exec("def f(v):\n    out = np.zeros(4)\n    out[0] = v[0]\n    return out[0]", names)
    with pytest.raises((TypeError, ValueError)) as met:
        ad.grad(names["f"])(Z)
    assert "Write y = ad.array(y).at[0].set(e)" in str(met.value)
    assert "math" not in str(met.value)
