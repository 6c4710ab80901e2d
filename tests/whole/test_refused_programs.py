"""Thirty programs in NumPy and SciPy that are refused: each message says what to write instead.

Protects who brings a program: an error names one way, and the right one. The programs stand in the
suites of HIPS autograd and JAX, or are what a reader of SciPy's manual tries.
"""

import ast
import linecache
import math
import random
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.fft
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.optimize
import scipy.signal
import scipy.spatial.distance
import scipy.stats
from scipy import special

import autodiff_edu as ad
from tests.helpers.depth import some

V = np.array([1.0, 2.0, 3.0, 0.5])
T = np.arange(4.0)


def assigned(v):
    out = np.zeros(4)
    out[0] = v[0]
    return out[0]


PROGRAMS = {  # the program, and a part of what is to be written instead
    "norm.logpdf": (
        lambda v: np.sum(scipy.stats.norm.logpdf(v)),
        "-(x**2) / 2 - np.log(2 * np.pi)",
    ),
    "t.pdf": (lambda v: scipy.stats.t.pdf(v[0], 3), "scipy.special.gammaln((n + 1) / 2)"),
    "mvn": (
        lambda v: scipy.stats.multivariate_normal.logpdf(v[:2], np.zeros(2), np.eye(2)),
        "d @ np.linalg.solve(cov, d)",
    ),
    "expm": (lambda v: np.sum(scipy.linalg.expm(v.reshape(2, 2))), "np.linalg.eigh(A)"),
    "lu": (lambda v: scipy.linalg.lu_factor(v.reshape(2, 2))[0][0, 0], "np.linalg.solve(A, b)"),
    "inv": (lambda v: np.sum(scipy.linalg.inv(v.reshape(2, 2))), "np.linalg.inv(...)"),
    "odeint": (
        lambda v: scipy.integrate.odeint(lambda y, t: v[0] * y, 1.0, [0, 1.0])[-1, 0],
        "ad.odeint(f, y0, t)",
    ),
    "solve_ivp": (
        lambda v: scipy.integrate.solve_ivp(lambda t, y: v[0] * y, (0, 1), [1.0]).y[0, -1],
        "ad.odeint(f, y0, t)",
    ),
    "quad": (lambda v: scipy.integrate.quad(lambda t: v[0] * t, 0, 1)[0], "np.trapezoid(f(t), t)"),
    "brentq": (
        lambda v: scipy.optimize.brentq(lambda t: np.cos(t) * v[0], 0, 3),
        "ad.root(f, guess)",
    ),
    "minimize": (
        lambda v: scipy.optimize.minimize(lambda t: (t[0] - v[0]) ** 2, [0.0]).x[0],
        "ad.root(ad.grad(loss), guess)",
    ),
    "spline": (lambda v: scipy.interpolate.CubicSpline(T, v)(1.5), "(t); W @ y`"),
    "interp1d": (lambda v: scipy.interpolate.interp1d(T, T)(v[0]), "np.interp(x, xp, fp)"),
    "cdist": (
        lambda v: np.sum(scipy.spatial.distance.cdist(v.reshape(2, 2), v.reshape(2, 2))),
        "np.linalg.norm(x[:, None] - y[None, :], axis=-1)",
    ),
    "convolve": (lambda v: np.sum(scipy.signal.convolve(v, v)), "np.convolve(x, w)"),
    "scipy.fft": (lambda v: np.sum(scipy.fft.fft(v)), "x @ np.cos(2 * np.pi * np.outer(k, k) / n)"),
    "np.fft": (lambda v: np.sum(np.fft.fft(v)), "x @ np.cos(2 * np.pi * np.outer(k, k) / n)"),
    "logsumexp": (lambda v: special.logsumexp(v), "`ad.logsumexp(x)`"),
    "comb": (lambda v: special.comb(v[0], 2), "scipy.special.binom(n, k)"),
    "spherical": (lambda v: special.spherical_jn(1, v[0]), "scipy.special.jv(n + 0.5, x)"),
    "gammainc": (lambda v: special.gammainc(v[0], 2.0), "no closed form"),
    "math": (lambda v: math.exp(v[0]), "np.exp(x) for math.exp(x)"),
    "array": (lambda v: np.sum(np.array([v[0], v[1]])), "ad.array(...) for np.array(...)"),
    "vectorize": (lambda v: np.sum(np.vectorize(lambda t: t * t)(v)), "ad.vectorize(g)(x.ravel())"),
    "nditer": (lambda v: sum(t * t for t in np.nditer(v)), "in x.ravel()"),
    "flat": (lambda v: sum(t * t for t in v.flat), "v.ravel()"),
    "assignment": (assigned, "y = ad.array(y).at[0].set(e)"),
    "out": (lambda v: np.add(v, v, out=np.zeros(4)), "use the result that is returned"),
    "random": (lambda v: np.random.normal(v[0]), "rs = ad.RandomStream(0)"),
    "unique": (lambda v: np.sum(np.unique(v)), "return_index=True)[1]; x[places]"),
    "apply": (lambda v: np.sum(np.apply_along_axis(np.sum, 0, v)), "`g(x)` for a vector x"),
    "eig": (
        lambda v: np.linalg.eig(v.reshape(2, 2))[0][0],
        "np.linalg.eigh(A)` for a symmetric A, whose eigenvalues",
    ),
}


@pytest.mark.each("name", some(list(PROGRAMS), 3))
def test_the_message_says_what_to_write_instead(name):
    f, way = PROGRAMS[name]
    with pytest.raises((TypeError, ValueError, AttributeError)) as met:
        ad.grad(f)(V)
    assert way in str(met.value)
    assert str(met.value).count("around a list of expressions") == 0  # one remedy, and not all


# ---- the line that is refused, in whatever form the program is written

BODIES = {  # the lines of each program, which computes its result from v
    key.value: f"return {ast.unparse(row.elts[0].body)}"
    for statement in ast.parse(Path(__file__).read_text()).body
    if isinstance(statement, ast.Assign) and statement.targets[0].id == "PROGRAMS"
    for key, row in zip(statement.value.keys, statement.value.values, strict=True)
    if isinstance(row.elts[0], ast.Lambda)
} | {"assignment": "out = np.zeros(4)\nout[0] = v[0]\nreturn out[0]"}
ASKED = ["ad.grad(f)(V)", "ad.value_and_grad(f)(V)", "ad.jacobian(f)(V)", "ad.hessian(f)(V)",
         "ad.vectorize(f)(np.stack([V, V]))", "ad.grad(ad.pure(f))(V)",
         "ad.grad(lambda u: np.sum(\n    ad.grad(f)(u) ** 2))(V)",
         "ad.grad(lambda w: ad.scan(\n    lambda s, c: c + f(s), w, outputs_info=0.0)[-1])("
         "np.stack([V, V]))"]  # fmt: skip


def indented(lines):
    return "".join(f"    {line}\n" for line in lines.split("\n"))


def multiline(body):
    """The lines with a break behind every bracket."""
    return re.sub(r"([(\[])(?!\))", r"\1\n        ", body)


def written(body, rng):
    """A script with these lines in a function, which other lines call."""
    if rng.random() < 0.4:
        body = multiline(body)
    if rng.random() < 0.4:  # what is refused is made in another line
        body = "v = v * 1.0\n" + body
    lines = f"def f0(v):\n{indented(body)}"
    if body.startswith("return ") and rng.random() < 0.3:
        lines = f"f0 = (\n    lambda v:\n    {body.removeprefix('return ')}\n)\n"
    depth = rng.randrange(3)
    for k in range(depth):
        lines += f"\n\ndef f{k + 1}(v):\n    result = f{k}(v)\n    return result\n"
    return f"\n{lines}\n\nf = f{depth}\nresult = {rng.choice(ASKED)}\n"


def refused(script, name):
    """The error of a script, or of a cell, and the innermost of its lines that ran."""
    linecache.cache[name] = len(script), None, script.splitlines(keepends=True), name
    with pytest.raises((TypeError, ValueError, AttributeError)) as met:
        exec(compile(script, name, "exec"), dict(globals()))
    own = [entry for entry in met.traceback if str(entry.path) == name]
    return str(met.value), own[-1].lineno + 1


COMPUTED = [name for name in BODIES if name != "gammainc"]  # whose value is computed


@pytest.mark.each("name", some(COMPUTED, 16))
def test_the_message_names_the_line_that_is_refused(name, tmp_path):
    rng = random.Random(name)
    for turn in range(12):
        script, is_cell = written(BODIES[name], rng), turn % 3 == 0
        file = tmp_path / (f"ipykernel_{turn}.py" if is_cell else f"script_{turn}.py")
        file.write_text(script)
        message, number = refused(script, str(file))
        line = script.splitlines()[number - 1].strip()
        place = f"`{line}`" if is_cell else f"{file.name}:{number} `{line}`"
        assert place in message, f"{message}\n{script}"
        assert "result =" not in message, f"{message}\n{script}"  # a line that calls it


GOES_ON = """
def search(value):
    try:
        float(value)
    except TypeError:
        pass  # as code in C does that reads the number before the error
    raise ValueError("f(a) and f(b) must have different signs")
"""


def test_a_refusal_that_c_has_overlooked_is_told_all_the_same():
    """SciPy's brentq goes on in one call of a hundred, and ends with an error of its own."""
    space = {"__name__": "scipy.optimize._of_this_test"}
    exec(GOES_ON, space)
    with pytest.raises(TypeError, match="an expression has no number yet"):
        ad.grad(lambda v: space["search"](v[0]))(V)
    with pytest.raises(ValueError, match="different signs"):
        ad.grad(lambda v: v[0] + space["search"](2.0))(V)
