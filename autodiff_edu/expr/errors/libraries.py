"""Remedies for functions of SciPy, and of NumPy in Python, that take arrays or numbers alone.

The frames tell which function the user called, whatever it calls on the way.
"""

import ast
import re
import sys
from collections.abc import Iterator
from types import FrameType, FunctionType
from typing import Any

from .calls import parameters_of
from .running import users_frame, users_syntax

LINE = "`np.interp(x, xp, fp)` for lines between points, level outside of them"
BETWEEN = (
    "for points t that are expressions, `s, k = scipy.interpolate.{name}(x, y), np.clip("
    "np.searchsorted(x, t) - 1, 0, len(x) - 2); c, d = ad.array(s.c), t - ad.array(x)[k]; "
    "((c[0, k] * d + c[1, k]) * d + c[2, k]) * d + c[3, k]`"
)
SPLINE = (
    "the matrix outside the function, and the product inside, since a spline is linear in y: "
    "`W = scipy.interpolate.CubicSpline(x, np.eye(len(x)))(t); W @ y`; " + BETWEEN
)
AREA = (
    "a sum over points between finite ends, as in `t = np.linspace(a, b, 1001); "
    "np.trapezoid(f(t), t)`"
)
GRID = (
    "sums over a grid of points, one axis after another, as in `s, t = np.linspace(a, b, 301), "
    "np.linspace(c, d, 301); np.trapezoid(np.trapezoid(f(t, s[:, None]), t), s)`"
)
AREAS = "`np.cumsum((y[1:] + y[:-1]) / 2 * np.diff(x))`, the areas below lines"
ROOT = (
    "`ad.root(f, guess)`, which has a derivative in all that f captures: the guess is one number "
    "near the root, and not a bracket around it"
)
ODE = (
    "`ad.odeint(f, y0, t)`, in which f takes (y, t) and returns dy/dt; the result has a row of the "
    "shape of y0 for each time: for one number y0, [-1] in place of SciPy's [-1, 0]"
)
TIMES = (
    "`ad.odeint(f, y0, t)`, in which f takes (y, t) and returns dy/dt: y first; t has the times "
    "that are wanted, and each of them is a row of the result, which is the transpose of sol.y"
)
SOLVE = "`np.linalg.solve(A, b)`"
FACTORS = (
    f"{SOLVE} for a solution, `np.linalg.inv(A)` for the inverse, or `np.linalg.slogdet(A)[1]` for "
    "the logarithm of the determinant. For U[k, k], take the order of the rows outside, "
    "of an array a of the values of A: `p = np.argsort(scipy.linalg.lu(a, p_indices=True)[0]); "
    "np.linalg.det(A[p][:k + 1, :k + 1]) / np.linalg.det(A[p][:k, :k])`"
)


def waves(name: str, rows: str = "k", sign: str = "-", end: str = "") -> str:
    """What to write for a Fourier transform."""
    angle = f"2 * np.pi * np.outer(k, {rows}) / n"
    return (
        f"`k = np.arange(n); x @ np.cos({angle}){end}` for the real part of {name}(x), and "
        f"`k = np.arange(n); {sign}x @ np.sin({angle}){end}` for the imaginary part, since "
        "expressions are real"
    )


TRANSFORMS = {
    "fft": waves("fft"), "ifft": waves("ifft", sign="", end=" / n"),
    "rfft": waves("rfft", rows="k[:n // 2 + 1]"),
}  # fmt: skip
WAVES = "its formula, sums with cosines and sines, as in " + TRANSFORMS["fft"]
STUDENT = (
    "scipy.special.gammaln((n + 1) / 2) - scipy.special.gammaln(n / 2) - np.log(n * np.pi) / 2 "
    "- (n + 1) / 2 * np.log1p(x**2 / n)"
)
NORMAL = (
    "d = x - mean; -(d @ np.linalg.solve(cov, d) + np.linalg.slogdet(cov)[1] "
    "+ len(x) * np.log(2 * np.pi)) / 2"
)
SPECTRUM = "`w, V = np.linalg.eigh(A); (V * np.{f}(w)) @ V.T` for a symmetric A"
INSTEAD = {  # of one function, by its name
    **TRANSFORMS, "odeint": ODE, "solve_ivp": TIMES,
    **dict.fromkeys("quad quad_vec fixed_quad romberg tanhsinh".split(), AREA),
    **dict.fromkeys("dblquad tplquad nquad".split(), GRID),
    "simpson": "`np.trapezoid(y, x)`, the area below lines",
    **dict.fromkeys("cumulative_trapezoid cumulative_simpson".split(), AREAS),
    **dict.fromkeys("brentq brenth bisect ridder toms748 newton root_scalar fsolve root".split(),
                    ROOT),
    "fixed_point": "`ad.fixed_point(f, guess)`",
    **dict.fromkeys("minimize minimize_scalar least_squares fmin fmin_bfgs".split(),
                    "`ad.root(ad.grad(loss), guess)` for the place of a minimum within a function, "
                    "with a guess near it, as a maximum has slope 0, too; "
                    "to train, `scipy.optimize.minimize(ad.value_and_grad(loss), guess, jac=True)`"
                    " outside of one"),
    "interp1d": LINE, "CubicSpline": SPLINE,
    **dict.fromkeys("PchipInterpolator Akima1DInterpolator".split(), f"{LINE}, or {BETWEEN}"),
    "cdist": "`np.linalg.norm(x[:, None] - y[None, :], axis=-1)`",
    "t.logpdf": f"`{STUDENT}`", "t.pdf": f"`np.exp({STUDENT})`",
    "multivariate_normal.logpdf": f"`{NORMAL}` for one vector x",
    "multivariate_normal.pdf": f"`{NORMAL.replace('-(', 'np.exp(-(')})` for one vector x",
    "pdist": "`i, j = np.triu_indices(len(x), 1); np.linalg.norm(x[i] - x[j], axis=-1)`",
    "expm": f"{SPECTRUM.replace('{f}', 'exp')}, or for another "
    "`ad.odeint(lambda Y, t: A @ Y, np.eye(n), np.array([0.0, 1.0]))[-1]`",
    "sqrtm": SPECTRUM.replace("{f}", "sqrt"), "logm": SPECTRUM.replace("{f}", "log"),
    **dict.fromkeys("lu lu_factor lu_solve".split(), FACTORS),
    "cho_factor": f"`np.linalg.cholesky(A)` for the factor, or {SOLVE}",
    "solve_triangular": "`np.linalg.solve(np.triu(A), b)`, or np.tril for a lower one",
    "cho_solve": "`np.linalg.solve(L.T, np.linalg.solve(L, b))` for a lower factor L",
    **dict.fromkeys("inv det pinv eigh eigvalsh svd norm".split(), "`np.linalg.{name}(A)`"),
    "solve": SOLVE, "lstsq": "`np.linalg.lstsq(A, b)[0]`",
    "qr": "`np.linalg.qr(A)`, whose Q has as many columns as A",
    "cholesky": "`np.linalg.cholesky(A).T` for the upper factor, `np.linalg.cholesky(A)` for the "
    "lower one",
    "block_diag": "`np.block([[A, np.zeros((m, n))], [np.zeros((n, m)), B]])`",
    "toeplitz": "`k = np.arange(n); c[np.abs(np.subtract.outer(k, k))]` for a symmetric one",
    "convolve": "`np.convolve(x, w)` for vectors",
    "correlate": "`np.correlate(x, w, 'full')` for vectors",
    "lfilter": "`np.convolve(b, x)[:len(x)]` where a is 1, or `ad.scan(lambda u, y: "
    "b[0] * u - a[1] * y, x, outputs_info=0.0)` for two terms of a and one of b",
    "logsumexp": "`ad.logsumexp(x)`, or `ad.logsumexp(x, axis=axis)` along one axis",
    **dict.fromkeys("softmax log_softmax".split(), "`ad.{name}(x, axis=None)`, or "
                    "`ad.{name}(x, axis=axis)` along one axis"),
    "polygamma": "`ad.polygamma(x, order=n)`",
    "comb": "`np.where(n >= k, scipy.special.binom(n, k), 0.0)`, which is 0 for n < k as comb is",
    "perm": "`scipy.special.poch(n - k + 1, k)`",
    "multigammaln": "`d * (d - 1) / 4 * np.log(np.pi) + sum(scipy.special.gammaln(x - j / 2) "
    "for j in range(d))`",
    **{f"spherical_{k}n": f"`np.sqrt(np.pi / (2 * x)) * scipy.special.{k}v(n + 0.5, x)`, "
       "for x > 0" for k in "jyik"},
    "zeta": "`np.sum(np.arange(1.0, n) ** -x)` for a number x, a sum of as many terms as you need",
}  # fmt: skip
ROOMS = {  # of all functions of a module
    "scipy.stats": "the formula of the density or of the distribution, as in `-(x**2) / 2 - "
    "np.log(2 * np.pi) / 2` for norm.logpdf(x), with functions of scipy.special such "
    "as ndtr, gammaln, gammainc and betainc",
    "scipy.interpolate": LINE, "scipy.integrate": AREA, "scipy.fft": WAVES, "scipy.fftpack": WAVES,
    "scipy.linalg": "the function of np.linalg for it, or its formula",
    "scipy.optimize": ROOT,
    "scipy.spatial": "its formula, as in `np.linalg.norm(x - y)` for a distance",
    "scipy.signal": "its formula, as in `np.convolve(x, w)` for a filter, or ad.conv2d of images",
    "scipy.ndimage": "ad.conv2d for a filter of images",
    "scipy.sparse": "the dense arrays: all expressions are dense",
    "scipy.special": "its formula, in functions that take expressions",
}  # fmt: skip
VARIANTS = {  # of a function, by a string among its arguments
    **{("cdist", f): f"`np.{g}`" for f, g in {
        "sqeuclidean": "sum((x[:, None] - y[None, :]) ** 2, axis=-1)",
        "cityblock": "sum(np.abs(x[:, None] - y[None, :]), axis=-1)",
        "chebyshev": "max(np.abs(x[:, None] - y[None, :]), axis=-1)"}.items()},
    **{("pdist", f): f"`i, j = np.triu_indices(len(x), 1); np.{g}`" for f, g in {
        "sqeuclidean": "sum((x[i] - x[j]) ** 2, axis=-1)",
        "cityblock": "sum(np.abs(x[i] - x[j]), axis=-1)",
        "chebyshev": "max(np.abs(x[i] - x[j]), axis=-1)"}.items()},
    **{(f, mode): f"`np.{f}(x, w, '{mode}')` for vectors, of which w is not the longer one"
       for f in ("convolve", "correlate") for mode in ("same", "valid")},
    ("interp1d", "cubic"): BETWEEN.replace("{name}", "CubicSpline"),
}  # fmt: skip
USUAL = {"euclidean", "full", "linear", "auto"}  # strings that are defaults
QUIET = set(  # options without a say in the value
    "rtol atol xtol ftol tol epsabs epsrel epsilon limit maxiter disp full_output t_eval jac "
    "check_finite overwrite_a overwrite_b overwrite_x workers out assume_sorted method x0 x1 "
    "fprime fprime2 hess bracket dense_output lower mean cov".split()
)
EACH = "`ad.vectorize(g)(x.ravel()).reshape(x.shape)`, or g(x) where g takes arrays"

WRAPPERS = {"wrapper", "inner", "decorated", "__ua_function__", "__ua_convert__", "NoneType"}


def calls_within() -> Iterator[FrameType]:
    """The frames of libraries below the user's line, the one that it called first."""
    frame, user, within = sys._getframe(1), users_frame(), []
    while frame is not None and frame is not user:
        within.append(frame)
        frame = frame.f_back  # type: ignore[assignment]
    return reversed(within)


def for_library() -> tuple[str, str] | None:
    """The words and the remedy for a call of SciPy's functions, or of np.vectorize; None where the
    user's line calls no such function."""
    for frame in calls_within():
        module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        owner = type(frame.f_locals.get("self")).__name__
        if module.startswith("numpy.lib") and owner == "vectorize":
            return wrong("np.vectorize"), EACH
        called = owner if name in ("__init__", "__call__") else name
        if called in WRAPPERS:
            module, called = wrapped(frame)
        if module.startswith("scipy.") and "_lib" not in module:
            room = ".".join(module.split(".")[:2])
            name = public(frame, module, called)
            way = INSTEAD.get(called) or INSTEAD.get(name.removeprefix(f"{room}."))
            if way:
                way = for_options(called, way, getattr(sys.modules.get(module), called, None))
            way = way or ROOMS.get(room) or "its formula, or an operation by ad.op"
            return wrong(name), way.replace("{name}", called)
    return None


def for_options(function: str, way: str, itself: Any) -> str:
    """The remedy for the options of the call that is running, or the words that it is one without
    them."""
    operands = {p.name for p in parameters_of(itself) if p.default is p.empty}
    syntax = users_syntax()
    calls = [c for c in (syntax, getattr(syntax, "func", None)) if isinstance(c, ast.Call)]
    options = [
        (f"{k.arg}=", k.value)
        for call in calls
        for k in call.keywords
        if k.arg not in operands | QUIET and f"{k.arg}=" not in way
    ]
    options += [("", a) for call in calls for a in call.args if text_of(a)]
    rest = []
    for name, value in options:
        if variant := VARIANTS.get((function, text_of(value))):
            way = variant
        elif text_of(value) not in USUAL:
            rest.append(name + ast.unparse(value))
    return f"{way}. This is without {', '.join(rest)}" if rest else way


def text_of(value: ast.expr) -> str:
    """The string that an argument is; empty for anything else."""
    is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return value.value if is_text else ""  # type: ignore[attr-defined]


def public(frame: FrameType, module: str, called: str) -> str:
    """The name by which users call it: scipy.stats.norm.logpdf, scipy.spatial.distance.cdist."""
    parts = [part for part in module.split(".") if part[0] != "_"]
    method = frame.f_locals.get("self")
    owner = getattr(getattr(method, "dist", method), "name", None)
    owner = owner or re.sub("_(gen|frozen)$", "", type(method).__name__)
    for name in (called, f"{owner}.{called}"):
        for k in range(2, len(parts) + 1):
            room = ".".join(parts[:k])
            if hasattr(sys.modules.get(room), name.partition(".")[0]):
                return f"{room}.{name}"
    return f"{'.'.join(parts[:2])}.{called}"


def wrong(function: str) -> str:
    return f"{function} takes numbers alone, and no expression"


def wrapped(frame: FrameType) -> tuple[str, str]:
    """The module and the name of the function that a wrapper holds; nothing where it holds none."""
    functions = [v for v in frame.f_locals.values() if isinstance(v, FunctionType)]
    return next(((f.__module__, f.__name__) for f in functions), ("", ""))
