"""Numbers that were published or computed elsewhere with other tools, line by line: paragraph A.

Protects from errors that the engine makes consistently: nothing here was computed by us. The
paragraphs, and their lines, are those of the syllabus, "Outside checks"; B to H are in
`test_numbers_b_to_h.py`.
"""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some
from tests.helpers.published import PUBLISHED

pytestmark = pytest.mark.numeric


def close(ours, expected, rtol=1e-9):
    np.testing.assert_allclose(ours, expected, rtol=rtol, atol=1e-15)


def flops(*outputs):
    return ad.cost(ad.simplify(list(outputs))).flops


X1, X2 = ad.scalar("x1"), ad.scalar("x2")

# ---- A. Baydin et al. 2018: ln x₁ + x₁x₂ − sin x₂ at (2, 5)

BAYDIN, AT = ad.log(X1) + X1 * X2 - ad.sin(X2), {X1: 2.0, X2: 5.0}
VALUES = [2, 5, 0.6931471805599453, 10, -0.9589242746631385, 10.693147180559945, 11.652071455223084]
TANGENTS = [1, 0, 0.5, 5, 0, 5.5, 5.5]
ADJOINTS = {
    "v̄₅": [1], "v̄₄": [1], "v̄₃": [-1], "v̄₂": [1], "v̄₁": [1],
    "v̄₀": [-0.28366218546322625, 1.7163378145367738], "v̄₋₁": [5, 5.5],
}  # fmt: skip
HESSIAN = [[-0.25, 1], [1, -0.9589242746631385]]


def test_a_table_2_values_and_tangents():
    trace = ad.forward_mode(BAYDIN, [X1, X2], [1, 0]).trace(at=AT)
    close([row.value for row in trace.values], VALUES)
    close([row.value for row in trace.tangents], TANGENTS)


def test_a_table_3_adjoints():
    rows = ad.reverse_mode(BAYDIN, [X1, X2]).trace(at=AT).adjoints
    assert {row.name for row in rows} == ADJOINTS.keys()
    for name, contributions in ADJOINTS.items():
        close([row.value for row in rows if row.name == name], contributions)


def test_a_gradient_and_second_derivatives():
    g = ad.grad(BAYDIN, [X1, X2])
    found = ad.function([X1, X2], [*g, *[h for gi in g for h in ad.grad(gi, [X1, X2])]])(2.0, 5.0)
    close(found, [5.5, 1.7163378145367738, *np.ravel(HESSIAN)])
    f = lambda x: np.log(x[0]) + x[0] * x[1] - np.sin(x[1])
    close(ad.hessian(f)(np.array([2.0, 5.0])), HESSIAN)


# A, table 1: the logistic map


def logistic(x, n):
    for _ in range(n - 1):
        x = 4 * x * (1 - x)
    return x


L_AT_A_FIFTH, SLOPES_AT_A_FIFTH = 112896 / 390625, [1, 2.4, -2.688, 9.0660864]
COEFFICIENTS = [1, -42, 504, -2640, 7040, -9984, 7168, -2048]


def test_a_table_1_the_logistic_map():
    close(logistic(0.2, 4), L_AT_A_FIFTH)
    close(L_AT_A_FIFTH, 0.28901376)
    for n, slope in enumerate(SLOPES_AT_A_FIFTH, 1):
        ways = (ad.symbolic_derivative, ad.forward_mode, ad.reverse_mode)
        close([way(logistic(X1, n), X1).evaluate({X1: 0.2}) for way in ways], [slope] * 3)


def test_a_table_1_the_expanded_derivative():
    """Two polynomials of degree seven that agree at nine points are one."""
    x = np.linspace(-0.1, 1.2, 9)
    slope = ad.function(X1, ad.symbolic_derivative(logistic(X1, 4), X1).output)
    expanded = 64 * np.polynomial.Polynomial(COEFFICIENTS)
    close([slope(float(p)) for p in x], expanded(x))


SWELL = {  # n = 1 ... 7
    "tree f": [1, 7, 19, 43, 91, 187, 379],
    "graph f": [1, 6, 9, 12, 15, 18, 21],
    "tree f'": [1, 19, 73, 217, 577, 1441, 3457],
    "graph f'": [1, 13, 23, 33, 43, 53, 63],
}


def test_a_the_swell_table():
    maps = [logistic(X1, n) for n in range(1, 8)]
    graphs = {"f": [ad.Graph(m) for m in maps]}
    graphs["f'"] = [ad.symbolic_derivative(m, X1).graph for m in maps]
    sizes = {f"tree {f}": [g.tree_size for g in gs] for f, gs in graphs.items()}
    sizes |= {f"graph {f}": [g.size for g in gs] for f, gs in graphs.items()}
    assert sizes == SWELL


def test_a_figure_3_the_errors_of_difference_quotients():
    """The digits are rounding: ranges."""
    l4 = lambda x: logistic(x, 4)
    slope, h = ad.grad(l4)(0.2), 10.0 ** -np.arange(1, 17)
    forward = abs((l4(0.2 + h) - l4(0.2)) / h - slope)
    central = abs((l4(0.2 + h) - l4(0.2 - h)) / (2 * h) - slope)
    assert forward.min() < 1e-6 and central.min() < 1e-8
    assert abs(np.log10(h[forward.argmin()]) + 9) < 1.5
    assert abs(np.log10(h[central.argmin()]) + 6) < 1.5
    for errors, order in ((forward, 1), (central, 2)):
        assert abs(np.polyfit(np.log10(h[1:5]), np.log10(errors[1:5]), 1)[0] - order) < 0.1
    assert abs(l4(0.2 + 1e-20j).imag / 1e-20 - slope) < 1e-14


@pytest.mark.parametrize("p", some(PUBLISHED, 20), ids=lambda p: p.f.__name__)
def test_a_section_3_2_a_sweep_costs_less_than_six_functions(p):
    x, d = (ad.vector(name, shape=len(p.start)) for name in "xd")
    y = p.f(x)
    assert flops(y) < flops(y, ad.forward_mode(y, x, d).output) < 3 * flops(y)
    assert flops(y) < flops(y, ad.reverse_mode(y, x).output) < 6 * flops(y)


@pytest.mark.each("n, m", [(1, 20), (5, 20), (20, 5), (20, 1)])
def test_a_section_3_2_a_jacobian_costs_n_sweeps_or_m(n, m):
    x, W = ad.vector("x", shape=n), ad.matrix("W", shape=(m, n))
    y = ad.tanh(W @ ad.sin(x))
    sweeps = [r for r in ad.RULES if "diagonal" not in r.name and "unit" not in r.name]
    cost = {
        mode: ad.cost(ad.simplify([y, ad.jacobian(y, x, mode=mode)], rules=sweeps)).flops
        for mode in ("forward", "reverse")
    }
    assert n * flops(y) < cost["forward"] < 6 * n * flops(y)
    assert m * flops(y) < cost["reverse"] < 6 * m * flops(y)


# A, Griewank's example in Baydin's form, R = T = 1

HELMHOLTZ = {  # n: the value, the length of the gradient
    2: (-0.2938332274703311, 2.94414692508),
    3: (-0.4360524995729193, 3.70067299163),
    8: (-1.139174901278675, 6.38728906948),
    50: (-6.92862575062975, 16.338378227),
}
SLOPES_OF_THREE = [-1.58765997476, -1.99306070127, -2.68365896429]


@pytest.mark.parametrize("n", some(HELMHOLTZ, 4))
def test_a_helmholtz_energy(n):
    i = np.arange(1, n + 1)
    b, point = 0.1 * i / (n + 1), 0.1 * (n + 1 - i) / (n + 1)
    A = 0.1 * np.minimum.outer(i, i) / (n + 1)

    def energy(x):
        bx = b @ x
        ratio = (1 + (1 + np.sqrt(2)) * bx) / (1 + (1 - np.sqrt(2)) * bx)
        return np.sum(x * np.log(x / (1 - bx))) - x @ A @ x / (np.sqrt(8) * bx) * np.log(ratio)

    x = ad.vector("x", shape=n)
    value, gradient = ad.value_and_grad(energy)(point)
    close([value, np.linalg.norm(gradient)], HELMHOLTZ[n])
    close(ad.function(x, ad.grad(energy(x), x))(point), gradient)
    close([energy(point + 1e-30j * e).imag / 1e-30 for e in np.eye(n)], gradient, rtol=1e-12)
    if n == 3:
        close(gradient, SLOPES_OF_THREE)
    hessian = ad.hessian(energy)(point)
    close(hessian, ad.jacobian(ad.grad(energy), mode="reverse")(point))
    close(hessian, hessian.T)
