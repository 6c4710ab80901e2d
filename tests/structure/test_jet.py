"""Taylor coefficients against 60-digit decimals, loops unrolled, and further derivatives."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws, length, some
from tests.helpers.programs import random_program

pytestmark = pytest.mark.numeric

# mpmath.taylor(f, 3/8, 10) at 60 digits
DECIMALS = {
    "exp": "1.4549914146182013 1.4549914146182013 0.72749570730910067 0.24249856910303356 "
    "0.060624642275758389 0.012124928455151678 0.0020208214091919463 0.00028868877274170661 "
    "3.6086096592713327e-5 4.0095662880792585e-6 4.0095662880792585e-7",
    "sin": "0.36627252908604756 0.93050762191231429 -0.18313626454302378 -0.15508460365205238 "
    "0.015261355378585315 0.0077542301826026191 -0.00050871184595284384 "
    "-0.00018462452815720522 9.0841401063007828e-6 2.5642295577389613e-6 "
    "-1.009348900700087e-7",
    "cos": "0.93050762191231429 -0.36627252908604756 -0.46525381095615715 0.06104542151434126 "
    "0.038771150913013095 -0.003052271075717063 -0.0012923716971004365 "
    "7.2673120850406262e-5 2.3078066019650652e-5 -1.009348900700087e-6 "
    "-2.5642295577389613e-7",
    "tan": "0.39362657592563276 1.1549418812749379 0.45461581811936249 0.56392949493960087 "
    "0.37351624219633403 0.36066779292099567 0.2765764161755772 0.24406651331737221 "
    "0.19752571547773148 0.16855964904334999 0.13922433078654019",
    "log": "-0.98082925301172624 2.6666666666666667 -3.5555555555555556 6.3209876543209877 "
    "-12.641975308641975 26.969547325102881 -59.932327389117513 136.98817688941146 "
    "-319.63907940862673 757.66300304267078 -1818.3912073024099",
    "sqrt": "0.61237243569579452 0.81649658092772603 -0.54433105395181736 0.72577473860242314 "
    "-1.2096245643373719 2.2579658534297609 -4.5159317068595218 9.4619521477056646 "
    "-20.50089632002894 45.557547377842089 -103.26377405644207",
    "rational": "0.87671232876712329 -0.57646838055920435 -0.38957680512676824 0.76155702742293088 "
    "-0.15920303819434952 -0.56298498522929862 0.50975717445814662 0.15839307781759006 "
    "-0.55105927261048913 0.22347517952024266 0.3361778743849268",
    "power": "0.086114873769721105 0.57409915846480737 1.1481983169296147 0.51031036307982877 "
    "-0.17010345435994292 0.13608276348795434 -0.15120307054217149 0.20160409405622865 "
    "-0.30240614108434298 0.49281000769300337 -0.85420401333453917",
    "fifth": "0.007415771484375 0.098876953125 0.52734375 1.40625 1.875 1.0 0.0 0.0 0.0 0.0 0.0",
    "tanh": "0.35835739835078595 0.87157997504725612 -0.31233713231257764 -0.17859833620520485 "
    "0.16811441254980207 0.01865617911838952 -0.069664542491134743 0.012932612212149385 "
    "0.022983923699783478 -0.011570300813033108 -0.005485006741984567",
    "sinh": "0.38385106791361457 1.0711403467045868 0.19192553395680728 0.17852339111743113 "
    "0.015993794496400607 0.0089261695558715564 0.00053312648321335357 "
    "0.00021252784656837039 9.520115771667028e-6 2.9517756467829221e-6 "
    "1.0577906412963364e-7",
    "cosh": "1.0711403467045868 0.38385106791361457 0.53557017335229338 0.063975177985602428 "
    "0.044630847779357782 0.0031987588992801214 0.0014876949259785927 7.6160926173336224e-5 "
    "2.6565980821046299e-5 1.0577906412963364e-6 2.9517756467829221e-7",
    "arctan": "0.35877067027057222 0.87671232876712329 -0.28823419027960218 -0.12985893504225608 "
    "0.19038925685573272 -0.031840607638869904 -0.09383083087154977 0.072822453494020945 "
    "0.019799134727198757 -0.061228808067832125 0.022347517952024266",
    "arcsin": "0.38439677449563908 1.0787197799411873 0.23535704289625906 0.31190751543423422 "
    "0.26142137657237369 0.3230308126788673 0.37367804078987112 0.47998065666551669 "
    "0.61988050653810114 0.83092808033656354 1.1293330233890755",
    "arctanh": "0.39422868018213508 1.1636363636363636 0.50776859504132231 0.74677886301026797 "
    "0.78422971108530838 1.0689223499140024 1.3857702121733319 1.925083046956884 "
    "2.679462875572892 3.8209110085993426 5.4954882691058849",
    "erf": "0.4041169094348223 0.98035280954590787 -0.36763230357971545 -0.23487619395370709 "
    "0.16658338755955856 0.045475350052178343 -0.050106655439071243 "
    "-0.0054588940725229248 "
    "0.011248911770528576 0.00012404231100207624 -0.0020091097103080137",
    "self power": "0.69224802504933472 0.013270911741352994 0.92312457337809489 "
    "-0.80274674189156418 "
    "1.6936955076048661 -2.8115812893043117 5.2756227072263973 -10.184690863732887 "
    "20.456829449092537 -42.348298201036474 89.933766764685873",
    "sigmoid": "0.59266659995406976 0.2414129012529524 -0.022370912744158686 -0.018044705349209013 "
    "0.0035363842205641047 0.0015113164401011751 -0.000465817953150538 "
    "-0.00011582259238340314 5.5202472207951676e-5 7.4318051195702368e-6 "
    "-6.0712939028092596e-6",
    "composed": "3.8462620558728187 -6.6777226567990644 18.768002649996394 -50.78347065306769 "
    "134.80594251602162 -359.55927306900259 958.93844190273777 -2557.1124239941596 "
    "6818.9631435432834 -18183.913274433218 48490.432498759915",
    "log1p": "0.31845373111853462 0.72727272727272727 -0.26446280991735537 0.1282243926872026 "
    "-0.069940577829383239 0.040692699828004794 -0.024662242320002905 0.015373865342339473 "
    "-0.0097833688542160285 0.0063246020875739982 -0.0041397395482302534",
    "gammaln": "0.86307398227064746 -2.7539990491451396 4.0808888163807539 -6.4936864161723573 "
    "12.723087294223096 -27.013553849530953 59.958066363405771 -137.00392086899983 "
    "319.6489948641381 -757.66937604352596 1818.3953651216958",
    "hypot": "1.0680004681646914 0.35112344158839169 0.41044566687958116 -0.1349410411658897 "
    "-0.034505471713652159 0.063203760320897106 -0.016043291461855161 -0.023375212712759094 "
    "0.021278971976326179 0.0020025141099270433 -0.014178089318142961",
}
FUNCTIONS = {
    "exp": ad.exp, "sin": ad.sin, "cos": ad.cos, "tan": ad.tan, "log": ad.log, "sqrt": ad.sqrt,
    "rational": lambda x: 1 / (1 + x * x), "power": lambda x: x**2.5, "fifth": lambda x: x**5,
    "tanh": ad.tanh, "sinh": ad.sinh, "cosh": ad.cosh, "arctan": ad.arctan, "arcsin": ad.arcsin,
    "arctanh": ad.arctanh, "erf": ad.erf, "self power": lambda x: x**x, "sigmoid": ad.sigmoid,
    "composed": lambda x: ad.exp(ad.sin(x)) / x, "log1p": ad.log1p, "gammaln": ad.gammaln,
    "hypot": lambda x: ad.hypot(x, 1.0),
}  # fmt: skip
ORDER = 10


@pytest.mark.each("name", FUNCTIONS)
def test_coefficients_are_those_of_sixty_digits(name):
    x = ad.scalar("x")
    found = ad.evaluate(ad.jet(FUNCTIONS[name](x), x, ORDER), {x: 0.375})
    expected = [float(c) for c in DECIMALS[name].split()]
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)


@pytest.mark.each("name", some(FUNCTIONS, 3))
def test_the_number_of_operations_grows_by_the_square_of_the_order(name):
    x = ad.scalar("x")
    few, many = (ad.cost(ad.jet(FUNCTIONS[name](x), x, k)).operations for k in (8, 16))
    assert many < 6 * few


def derivatives(y, x, order):
    """Coefficients by one sweep of forward mode after the other."""
    found, factor = [y], 1.0
    for k in range(1, order + 1):
        factor *= k
        found.append(ad.pushforward(found[-1], x, ad.ones_like(x), disconnected_outputs="ignore"))
    factors = np.cumprod([1.0, *range(1, order + 1)])
    return [y / f for y, f in zip(found, factors, strict=True)]


A = ad.matrix("A", shape=(3, 3))
ARRAYS = {
    "inv": ad.inv(A), "det": ad.det(A), "softmax": ad.softmax(A), "logsumexp": ad.logsumexp(A),
    "power of a matrix": A @ A @ A, "einsum": ad.einsum("ij,jk,ki->", A, A, A),
    "a box": ad.checkpoint(lambda b: ad.exp(b) * b)(A), "solve": ad.solve(A + A.T, A[0]),
    "slices": ad.sin(A[1:]) * A[:-1], "where": ad.where(A > 0, A**2, ad.sin(A)),
    "maximum": ad.maximum(A, A.T) ** 2, "mean": ad.mean(A, axis=0) ** 3, "cumprod": ad.cumprod(A),
    "norm": ad.norm(A), "sort": ad.sort(A, axis=0) ** 2, "a step": A * ad.floor(A),
    "no change": ad.ones((2, 2)) * 1.0, "integers": A * ad.arange(3),
}  # fmt: skip


@pytest.mark.each("name", some(ARRAYS, 3))
def test_coefficients_of_arrays_are_those_of_repeated_sweeps(name):
    y = ARRAYS[name]
    at = {A: np.random.default_rng(0).normal(size=(3, 3)) + 2 * np.eye(3)}
    found = ad.evaluate(ad.jet(y, A, 4), at)
    for c, d in zip(found, ad.evaluate(derivatives(y, A, 4), at), strict=True):
        np.testing.assert_allclose(c, d, rtol=1e-9, atol=1e-9)


def test_several_inputs_move_along_their_tangents():
    x, y = ad.scalar("x"), ad.scalar("y")
    found = ad.evaluate(ad.jet(x * y**2, [x, y], 3, [2.0, 3.0]), {x: 1.0, y: 5.0})
    np.testing.assert_allclose(found, [25, 2 * 25 + 30, 9 + 60, 18])  # (1 + 2t)(5 + 3t)²


# ---- loops and branches

w = ad.scalar("w")


def chain(steps):
    h = 0.1 + 0 * w
    for _ in range(steps):
        h = ad.tanh(w * h + 0.5)
    return h


def loop(n_steps):
    return ad.scan(lambda h: ad.tanh(w * h + 0.5), outputs_info=0.1, n_steps=n_steps)


def test_a_loop_has_the_coefficients_of_the_loop_unrolled():
    found, expected = (ad.evaluate(ad.jet(y, w, 6), {w: 0.3}) for y in (loop(5)[-1], chain(5)))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_all_states_slices_and_rows_of_a_loop_have_coefficients():
    xs = ad.vector("xs", shape=4)

    def step(x, s):
        return s * x + w, s * w

    states, rows = ad.scan(step, sequences=xs, outputs_info=[w, None])
    for y in (states, rows, ad.sum(states) * states[-1]):
        at = {xs: np.array([1.0, 2, 3, 4]), w: 0.3}
        found = ad.evaluate(ad.jet(y, [w, xs], 10), at)  # a polynomial of degree 8 at most
        for t in (0.1, -0.2):
            series = sum(c * t**k for k, c in enumerate(found))
            moved = ad.evaluate(y, {leaf: value + t for leaf, value in at.items()})
            np.testing.assert_allclose(series, moved, rtol=1e-9)


def test_a_loop_that_ends_by_a_condition():
    def step(s):
        return s * w, ad.until(s > 3)

    y = ad.scan(step, outputs_info=1.5 + 0 * w, n_steps=20)[-1]
    found = ad.evaluate(ad.jet(y, w, 2), {w: 1.5})
    np.testing.assert_allclose(found, [1.5**4, 1.5 * 3 * 1.5**2, 1.5 * 3 * 1.5])


def test_the_loop_stays_one_loop():
    operations = [ad.Graph(ad.jet(loop(100)[-1], w, k)).operations for k in (4, 8)]
    for found in operations:
        assert sum(n.op.name == "scan" for n in found) == 1


def test_a_branch_takes_the_coefficients_of_its_side():
    y = ad.cond(w > 0, lambda: ad.sin(w) * w, lambda: w**3)
    np.testing.assert_allclose(
        ad.evaluate(ad.jet(y, w, 4), {w: 0.3}), ad.evaluate(ad.jet(ad.sin(w) * w, w, 4), {w: 0.3})
    )
    np.testing.assert_allclose(ad.evaluate(ad.jet(y, w, 4), {w: -2.0}), [-8, 12, -6, 1, 0])


# ---- equations

SOLVED = {
    "root": lambda c: ad.root(lambda x: x**3 + x - c, 1.0),
    "fixed point": lambda c: ad.fixed_point(lambda x: ad.cos(x) * c, 0.5),
    "odeint": lambda c: ad.odeint(lambda y, t: -c * y, 1.0, [0.0, 0.5], rtol=1e-10, atol=1e-12)[-1],
    "root in root": lambda c: ad.root(lambda x: x + SOLVED["root"](c * x) - c, 1.0),
    "fixed point in a loop": lambda c: ad.scan(
        lambda s: SOLVED["fixed point"](c * ad.tanh(s)), outputs_info=0.3 * c, n_steps=2)[-1],
}  # fmt: skip


@pytest.mark.parametrize("name", some(SOLVED, 4))
def test_solutions_of_equations_have_the_coefficients_of_repeated_sweeps(name):
    y = SOLVED[name](w)
    found, expected = (ad.evaluate(e, {w: 0.4}) for e in (ad.jet(y, w, 4), derivatives(y, w, 4)))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", some(["root", "fixed point", "odeint"], 2))
@pytest.mark.parametrize("seed", range(draws(10)))
def test_coefficients_of_random_programs_are_those_of_repeated_sweeps(seed, name):
    """Along random directions, of which some do not move."""
    inputs, values, y = random_program(seed, 5)
    draw = np.random.default_rng(seed)
    tangents = [draw.normal(size=x.shape) * draw.integers(2) for x in inputs]
    y = y * SOLVED[name](0.4 + ad.tanh(ad.sum(y)) ** 2 / 10)
    sweeps = [y]
    for _ in range(3):
        more = ad.pushforward(sweeps[-1], inputs, tangents, disconnected_outputs="ignore")
        sweeps.append(more)
    at = dict(zip(inputs, values, strict=True))
    found = ad.evaluate(ad.jet(y, inputs, 3, tangents), at)
    for c, d, factor in zip(found, ad.evaluate(sweeps, at), (1, 1, 2, 6), strict=True):
        size = np.abs(d).max(initial=1)
        np.testing.assert_allclose(c, d / factor, rtol=1e-5, atol=1e-6 * size)


# ---- further


def test_coefficients_can_be_differentiated():
    x = ad.scalar("x")
    third = ad.jet(ad.exp(2 * x), x, 3)[3]
    found = ad.evaluate(ad.grad(third, x), {x: 0.1})
    np.testing.assert_allclose(found, 16 * np.exp(0.2) / 6)


def test_a_long_chain_needs_no_recursion():
    x = y = ad.scalar("x")
    for _ in range(length(3_000)):
        y = ad.sin(y)
    assert np.isfinite(ad.evaluate(ad.jet(y, x, 2), {x: 0.5})).all()


@pytest.mark.each("order", [-1, 1.5, None])
def test_an_order_is_a_whole_number(order):
    with pytest.raises(ValueError, match="whole number"):
        ad.jet(w * w, w, order)
