"""Every universal function of SciPy, and each result of those with several: its value, each slope
that is known, against differences and against mpmath's many digits, and the slopes without a closed
form, which are undefined."""

import pickle

import mpmath as mp
import numpy as np
import pytest
from scipy import special

import autodiff_edu as ad
from autodiff_edu.library.scipy_functions import JUMPS, ROWS, is_there, operation
from autodiff_edu.library.scipy_results import PARTS, RESULTS, parts, row_of
from tests.helpers.depth import length, some

HOUSE = "erf erfc erfcx expit logit gammaln psi digamma xlogy cbrt exp2 expm1 log1p round".split()
OF_ONE_RESULT = sorted(
    name for name in dir(special) if isinstance(getattr(special, name), np.ufunc) and is_there(name)
)
ALL = ROWS | {part: row_of(part) for part in PARTS}
WHOLE = {"n", "k"}  # operands that number a polynomial or a function
AT = {  # where to draw, beside 0.3 to 0.9
    "log_ndtr": [(-30, 5)], "ndtri_exp": [(-9, -0.1)], "erfinv": [(-0.9, 0.9)], "ndtr": [(-3, 3)],
    "erfcinv": [(0.1, 1.9)], "nrdtrisd": [(0.1, 0.3), (0.6, 0.9), (1, 2)],
    "binom": [(4, 7), (1, 3)], "gamma": [(-0.9, 5)],
    "pdtr": [(1, 4), (1, 3)], "pdtrc": [(1, 4), (1, 3)],
    "powm1": [(0.5, 3), (-2, 2)], "boxcox": [(0.2, 4), (-2, 2)],
    "inv_boxcox": [(0, 1), (-0.9, 0.9)],
    "_lambertw": [(-0.3, 5), (0, 0), (1e-8, 1e-8)], "wrightomega": [(-4, 4)], "expi": [(-3, 3)],
    "exprel": [(-3, 3)], "sindg": [(-90, 90)], "cosdg": [(-90, 90)], "tandg": [(-60, 60)],
    "cotdg": [(20, 60)], "cosm1": [(-2, 2)], "spence": [(0.1, 3)], "ellipk": [(-3, 0.9)],
    "ellipe": [(-3, 0.9)], "hyp2f1": [(0.3, 2), (0.3, 2), (1, 3), (-0.8, 0.8)],
    "hyp1f1": [(0.3, 2), (0.3, 2), (-3, 3)], "hyperu": [(0.3, 2), (0.3, 0.9), (0.5, 3)],
    "expn": [(1, 4), (0.3, 3)], "huber": [(0.5, 1), (-3, 3)], "pseudo_huber": [(0.5, 2), (-3, 3)],
    "fdtri": [(2, 5), (2, 5), (0.2, 0.8)], "gdtria": [(0.2, 0.8), (1, 3), (1, 3)],
    "gdtrix": [(1, 3), (1, 3), (0.2, 0.8)], "poch": [(0.5, 2), (0.5, 2)],
    "airy": [(-4, 4)], "airye": [(0.2, 4)], "ellipj": [(-4, 4), (0.05, 0.9)], "sici": [(0.2, 6)],
    "shichi": [(0.2, 4)], "fresnel": [(-2, 2)], "pbdv": [(-2, 3), (-2, 2)],
    "pbvv": [(-2, 3), (-2, 2)], "pbwa": [(-2, 2), (-2, 2)], "itairy": [(-3, 3)],
    **{name: [(1, 4), (0.2, 3), (-90, 90)] for name in ("mathieu_cem", "mathieu_sem")},
    **{name: [(1, 4), (0.2, 3), (0.2, 2)] for name in RESULTS if name.startswith("mathieu_mod")},
    **{name: [(0.2, 6)] for name in "j0 j1 y0 y1 k0 k1 k0e k1e ber bei ker kei ".split()},
    **{name: [(-6, 6)] for name in "i0 i1 i0e i1e dawsn erfi".split()},
    **{name: [(1, 4), (0.3, 5)] for name in "jv jve yn yv yve iv ive kn kv kve struve".split()},
}  # fmt: skip
M = mp.mp
IN_MPMATH = {
    "ndtr": mp.ncdf, "ndtri": lambda y: mp.sqrt(2) * mp.erfinv(2 * y - 1), "erfinv": mp.erfinv,
    "log_ndtr": lambda x: mp.log(mp.ncdf(x)), "erfcinv": lambda y: mp.erfinv(1 - y),
    "erfi": mp.erfi, "gamma": mp.gamma, "rgamma": mp.rgamma, "loggamma": mp.loggamma,
    "beta": mp.beta, "betaln": lambda a, b: mp.log(mp.beta(a, b)), "binom": mp.binomial,
    "poch": mp.rf, "gammainc": lambda a, x: mp.gammainc(a, 0, x, regularized=True),
    "gammaincc": lambda a, x: mp.gammainc(a, x, regularized=True),
    "betainc": lambda a, b, x: mp.betainc(a, b, 0, x, regularized=True),
    "entr": lambda x: -x * mp.log(x), "rel_entr": lambda x, y: x * mp.log(x / y),
    "kl_div": lambda x, y: x * mp.log(x / y) - x + y, "xlog1py": lambda x, y: x * mp.log(1 + y),
    "log_expit": lambda x: -mp.log(1 + mp.exp(-x)), "exprel": lambda x: mp.expm1(x) / x,
    "powm1": lambda x, y: x**y - 1, "boxcox": lambda x, k: (x**k - 1) / k,
    "inv_boxcox": lambda y, k: (y * k + 1) ** (1 / k), "expi": mp.ei, "exp1": mp.e1,
    "_lambertw": lambda x, k, tol: mp.lambertw(x), "expn": mp.expint,
    "spence": lambda x: mp.polylog(2, 1 - x).real, "j0": lambda x: mp.besselj(0, x),
    "j1": lambda x: mp.besselj(1, x), "jv": mp.besselj, "y0": lambda x: mp.bessely(0, x),
    "y1": lambda x: mp.bessely(1, x), "yv": mp.bessely, "i0": lambda x: mp.besseli(0, x),
    "i1": lambda x: mp.besseli(1, x), "iv": mp.besseli, "k0": lambda x: mp.besselk(0, x),
    "k1": lambda x: mp.besselk(1, x), "kv": mp.besselk, "struve": mp.struveh,
    "i0e": lambda x: mp.exp(-abs(x)) * mp.besseli(0, x), "ellipk": mp.ellipk, "ellipe": mp.ellipe,
    "k0e": lambda x: mp.exp(x) * mp.besselk(0, x), "ellipkinc": mp.ellipf, "ellipeinc": mp.ellipe,
    "elliprf": mp.elliprf, "elliprc": mp.elliprc, "hyp0f1": mp.hyp0f1, "hyp1f1": mp.hyp1f1,
    "hyperu": mp.hyperu, "hyp2f1": mp.hyp2f1, "eval_legendre": mp.legendre,
    "eval_chebyt": mp.chebyt, "eval_chebyu": mp.chebyu, "eval_gegenbauer": mp.gegenbauer,
    "eval_hermite": mp.hermite, "eval_laguerre": lambda n, x: mp.laguerre(n, 0, x),
    "eval_genlaguerre": mp.laguerre, "eval_jacobi": mp.jacobi,
    "airy_ai": mp.airyai, "airy_aip": lambda x: mp.airyai(x, derivative=1), "airy_bi": mp.airybi,
    "airy_bip": lambda x: mp.airybi(x, derivative=1), "sici_si": mp.si, "sici_ci": mp.ci,
    "airye_ai": lambda x: mp.airyai(x) * mp.exp(2 * x * mp.sqrt(x) / 3), "shichi_shi": mp.shi,
    "airye_bi": lambda x: mp.airybi(x) * mp.exp(-2 * x * mp.sqrt(x) / 3), "shichi_chi": mp.chi,
    "ellipj_sn": lambda u, m: mp.ellipfun("sn", u, m=m), "fresnel_s": mp.fresnels,
    "ellipj_cn": lambda u, m: mp.ellipfun("cn", u, m=m), "fresnel_c": mp.fresnelc,
    "ellipj_dn": lambda u, m: mp.ellipfun("dn", u, m=m), "pbdv_d": mp.pcfd,
    "pbwa_w": mp.pcfw, "itj0y0_j": lambda x: mp.quad(mp.j0, [0, x]),
    "iti0k0_i": lambda x: mp.quad(lambda t: mp.besseli(0, t), [0, x]),
    "it2j0y0_j": lambda x: mp.quad(lambda t: (1 - mp.j0(t)) / t, [0, x]),
    "it2i0k0_i": lambda x: mp.quad(lambda t: (mp.besseli(0, t) - 1) / t, [0, x]),
    "itairy_apt": lambda x: mp.airyai(x, derivative=-1),
    "itairy_bpt": lambda x: mp.airybi(x, derivative=-1),
    "itairy_ant": lambda x: -mp.airyai(-x, derivative=-1),
    "itairy_bnt": lambda x: -mp.airybi(-x, derivative=-1),
    "dawsn": lambda x: mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x),
}  # fmt: skip


def function_of(name):
    """SciPy's function as a user calls it."""
    if name == "_lambertw":
        return lambda x, k, tol: special.lambertw(x, int(k) if not hasattr(k, "op") else k).real
    if name in PARTS:
        source, k = PARTS[name]
        several = getattr(special, source)
        return lambda *args: several(*args)[k]
    return getattr(special, name)


def points(name, count):
    """Random operands, the same at every run."""
    draw, operands = np.random.default_rng(len(name)), ALL[name].names.split()
    ranges = AT.get(PARTS[name][0] if name in PARTS else name, [(0.3, 0.9)] * len(operands))
    for _ in range(count):
        row = [draw.uniform(*r) for r in ranges]
        if not name.startswith(("boxcox", "inv_box", "binom")):
            row = [int(np.rint(v)) if p in WHOLE else v for v, p in zip(row, operands)]
        yield row


def known_slopes(name, row):
    """The places of the operands with a slope, of which each is one of the row's factors."""
    factors = ALL[name].slopes(*map(ad.constant, row), ad.constant(0.5))
    return [k for k, s in enumerate(factors) if s is not None]


def along(f, row, k):
    """f of one operand."""
    return lambda x: f(*row[:k], x, *row[k + 1 :])


def differences(f, x, h=1e-4):
    weights = np.array([1, -8, 8, -1]) / (12 * h)
    return sum(w * f(x + s * h) for w, s in zip(weights, (-2, -1, 1, 2)))


@pytest.mark.numeric
@pytest.mark.each("name", some(sorted(ALL), 22))
def test_a_known_slope_is_that_of_differences(name):
    f = function_of(name)
    for row in points(name, length(2)):
        for k in known_slopes(name, row):
            one = along(f, row, k)
            slope = ad.grad(one)
            wanted = differences(one, row[k])
            atol = 1e-5 if name.startswith("itairy") else 1e-8  # of which SciPy has six digits
            np.testing.assert_allclose(
                slope(row[k]), wanted, rtol=1e-6, atol=atol, err_msg=str(row)
            )
            forward = ad.jacobian(one, mode="forward")(row[k])
            np.testing.assert_allclose(forward, slope(row[k]), rtol=1e-12)
            try:
                curvature = ad.grad(slope)(row[k])
            except ad.NullTypeGradError:
                continue
            wanted = differences(slope, row[k])
            np.testing.assert_allclose(curvature, wanted, rtol=1e-5, atol=1e-6, err_msg=str(row))


@pytest.mark.numeric
@pytest.mark.each("name", some(sorted(IN_MPMATH), 20, turn=1))
def test_a_known_slope_has_its_digits(name):
    with mp.workdps(30):
        for row in points(name, length(2)):
            for k in known_slopes(name, row):
                wanted = mp.diff(along(IN_MPMATH[name], list(map(M.mpf, row)), k), M.mpf(row[k]))
                found = ad.grad(along(function_of(name), row, k))(row[k])
                np.testing.assert_allclose(found, float(mp.re(wanted)), rtol=1e-9, err_msg=str(row))


@pytest.mark.numeric
@pytest.mark.each("name", some([*(n for n in OF_ONE_RESULT if n not in HOUSE), *sorted(PARTS)], 4))
def test_what_has_no_closed_form_is_undefined(name):
    name = getattr(getattr(special, name, None), "__name__", name)
    if name in HOUSE:
        return
    f = function_of(name) if name in PARTS else getattr(special, name)
    count = len(ALL[name].names.split()) if name in ALL else f.nin
    row = next(points(name, 1)) if name in ALL else [1.0, 0.5, 0.6, 0.7][:count]
    known = known_slopes(name, row) if name in ALL else []
    try:
        with np.errstate(all="ignore"):
            wanted = f(*row)
    except TypeError:
        return  # it takes whole numbers alone
    inputs = [ad.scalar(f"x{k}", dtype=np.asarray(v).dtype) for k, v in enumerate(row)]
    values = dict(zip(inputs, row))
    y = f(*inputs)
    if np.isrealobj(wanted):
        np.testing.assert_array_equal(ad.evaluate(y, values), wanted)
    for k, x in enumerate(inputs[:count]):
        if k in known or name in JUMPS:
            continue
        with pytest.raises(ad.NullTypeGradError, match="no closed form"):
            ad.grad(y, x)
        with pytest.raises(ad.NullTypeGradError, match="no closed form"):
            ad.pushforward(y, x, 1.0)


def test_they_are_operations_as_others_are():
    x = ad.vector("x")
    y = special.iv(1.5, x)
    assert pickle.loads(pickle.dumps(y.op)) is y.op is operation("iv")
    at = np.array([0.5, 2.0])
    np.testing.assert_allclose(ad.function([x], ad.sum(y))(at), np.sum(special.iv(1.5, at)))
    np.testing.assert_allclose(ad.vectorize(special.ndtri)(at / 4), special.ndtri(at / 4))
    rows = np.array([[0.5], [1.5]])
    slope = ad.grad(lambda v: np.sum(special.jv(rows, v)))(at)
    wanted = np.sum([special.jvp(o, at) for o in (0.5, 1.5)], axis=0)
    np.testing.assert_allclose(slope, wanted, rtol=1e-12)
    single = ad.vector("s", dtype="float32")
    assert ad.grad(ad.sum(special.ndtri(single)), single).dtype == "float32"
    assert special.expn(2, x).dtype == "float64" and not is_there("airy")


def test_every_function_with_several_results_that_are_real_has_them_all():
    real = {
        f.__name__ for f in vars(special).values()
        if isinstance(f, np.ufunc) and f.nout > 1 and any(t[-1] in "fd" for t in f.types)
    }  # fmt: skip
    assert real - RESULTS.keys() == {name for name in real if name.startswith(("obl_", "pro_"))}
    for name in RESULTS:
        f, row = getattr(special, name), next(points(parts(name)[0], 1))
        inputs = [ad.scalar(f"x{k}", dtype=np.asarray(v).dtype) for k, v in enumerate(row)]
        found = f(*inputs)
        assert isinstance(found, tuple) and [y.op.name for y in found] == parts(name)
        values = ad.evaluate(list(found), dict(zip(inputs, row)))
        np.testing.assert_array_equal(values, f(*row), err_msg=name)
    x = ad.vector("x", dtype="float32")
    sn, *_, ph = special.ellipj(x, 0.5)
    assert sn.dtype == "float32" and pickle.loads(pickle.dumps(ph.op)) is ph.op
