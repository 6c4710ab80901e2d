"""Remedies for functions of SciPy, and of NumPy in Python, that take arrays or numbers alone.

The frames tell which function the user called, whatever it calls on the way.
"""

import sys
from collections.abc import Iterator
from types import FrameType, FunctionType

from .running import users_frame

LINE = "np.interp(x, xp, fp) for a function of lines between points"
AREA = "a sum over points, as in np.trapezoid(f(t), t) with t = np.linspace(a, b, 1001)"
SAME = "np.linalg.{name}(...), which takes expressions"
ODE = "ad.odeint(f, y0, t), in which f takes (y, t) and returns dy/dt"
WAVES = (
    "np.cos(2 * np.pi * np.outer(k, k) / n) @ x with k = np.arange(n) for its real part, and "
    "-np.sin(...) @ x for its imaginary part, since expressions are real"
)
INSTEAD = {  # of one function, by its name
    "odeint": ODE, "solve_ivp": ODE,
    **dict.fromkeys("quad quad_vec fixed_quad romberg tanhsinh nquad".split(), AREA),
    **dict.fromkeys("dblquad tplquad".split(), "a sum over a grid of points"),
    **dict.fromkeys("simpson cumulative_trapezoid cumulative_simpson".split(),
                    "np.trapezoid(y, x), or np.cumsum of the areas"),
    **dict.fromkeys("brentq brenth bisect ridder toms748 newton root_scalar fsolve root".split(),
                    "ad.root(f, guess), which has a derivative in what f captures"),
    "fixed_point": "ad.fixed_point(f, guess)",
    **dict.fromkeys("minimize minimize_scalar least_squares fmin fmin_bfgs".split(),
                    "ad.root(ad.grad(loss), guess) for the place of a minimum within a function; "
                    "to train, call minimize with ad.value_and_grad(loss) and jac=True"),
    "interp1d": LINE, "CubicSpline": LINE, "PchipInterpolator": LINE,
    "cdist": "np.sqrt(np.sum((x[:, None] - y[None, :]) ** 2, axis=-1))",
    "pdist": "np.sqrt(np.sum((x[:, None] - x[None, :]) ** 2, axis=-1)), whose upper half it is",
    "expm": "w, V = np.linalg.eigh(A) and (V * np.exp(w)) @ V.T for a symmetric A, or ad.odeint of "
    "dY/dt = A @ Y from the unit matrix to time 1",
    "sqrtm": "w, V = np.linalg.eigh(A) and (V * np.sqrt(w)) @ V.T for a symmetric A",
    "logm": "w, V = np.linalg.eigh(A) and (V * np.log(w)) @ V.T for a symmetric A",
    **dict.fromkeys("lu lu_factor lu_solve cho_factor solve_triangular".split(),
                    "np.linalg.solve(A, b)"),
    "cho_solve": "np.linalg.solve(L.T, np.linalg.solve(L, b))",
    **dict.fromkeys("solve inv det pinv eigh eigvalsh svd qr cholesky norm lstsq".split(), SAME),
    "block_diag": "np.block([[A, np.zeros((m, n))], [np.zeros((n, m)), B]])",
    "toeplitz": "c[np.abs(np.subtract.outer(k, k))] with k = np.arange(n) for a symmetric one",
    "convolve": "np.convolve(x, w)", "correlate": "np.correlate(x, w)",
    "lfilter": "ad.scan(step, ...) over the entries",
    "logsumexp": "ad.logsumexp(x, axis)", "softmax": "ad.softmax(x, axis)",
    "log_softmax": "ad.log_softmax(x, axis)", "polygamma": "ad.polygamma(x, order=n)",
    "comb": "scipy.special.binom(n, k)", "perm": "scipy.special.poch(n - k + 1, k)",
    "multigammaln": "np.pi ** (d * (d - 1) / 4) and a sum of scipy.special.gammaln(x - k / 2)",
    "spherical_jn": "np.sqrt(np.pi / (2 * x)) * scipy.special.jv(n + 0.5, x)",
    "spherical_yn": "np.sqrt(np.pi / (2 * x)) * scipy.special.yv(n + 0.5, x)",
    "spherical_in": "np.sqrt(np.pi / (2 * x)) * scipy.special.iv(n + 0.5, x)",
    "spherical_kn": "np.sqrt(np.pi / (2 * x)) * scipy.special.kv(n + 0.5, x)",
    "zeta": "np.sum(np.arange(1, n) ** -x), a sum of as many terms as you need",
}  # fmt: skip
ROOMS = {  # of all functions of a module
    "scipy.stats": "the formula of the density or of the distribution, as in -x**2 / 2 - "
    "np.log(2 * np.pi) / 2 for norm.logpdf(x), with functions of scipy.special such as ndtr, "
    "gammaln, gammainc and betainc",
    "scipy.interpolate": LINE, "scipy.integrate": AREA, "scipy.fft": WAVES, "scipy.fftpack": WAVES,
    "scipy.linalg": "the function of np.linalg for it, or its formula",
    "scipy.optimize": "ad.root(f, guess), which has a derivative in what f captures",
    "scipy.spatial": "its formula, as in np.sqrt(np.sum((x - y) ** 2)) for a distance",
    "scipy.signal": "np.convolve(x, w), or ad.conv2d for images",
    "scipy.ndimage": "ad.conv2d for a filter of images",
    "scipy.sparse": "the dense arrays: all expressions are dense",
    "scipy.special": "its formula, in functions that take expressions",
}  # fmt: skip

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
            return wrong("np.vectorize"), "ad.vectorize(g)(x), or g(x) where g takes arrays,"
        called = owner if name in ("__init__", "__call__") else name
        if called in WRAPPERS:
            module, called = wrapped(frame)
        if module.startswith("scipy.") and "_lib" not in module:
            room = ".".join(module.split(".")[:2])
            way = INSTEAD.get(called) or ROOMS.get(room) or "its formula, or an operation by ad.op"
            return wrong(f"{room}.{called}"), way.format(name=called)
    return None


def wrong(function: str) -> str:
    return f"{function} takes numbers alone, and no expression"


def wrapped(frame: FrameType) -> tuple[str, str]:
    """The module and the name of the function that a wrapper holds; nothing where it holds none."""
    functions = [v for v in frame.f_locals.values() if isinstance(v, FunctionType)]
    return next(((f.__module__, f.__name__) for f in functions), ("", ""))
