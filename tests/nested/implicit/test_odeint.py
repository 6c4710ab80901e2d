"""Differential equations: values and derivatives, against complex steps and known solutions."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import autodiff_edu as ad
from autodiff_edu.nested.implicit.integrate import Slope
from tests.helpers.depth import draws, some

pytestmark = pytest.mark.numeric
k = ad.scalar("k")
TIMES = np.array([0.0, 0.7, 1.5, 3.0])


def pendulum(np, y, p):
    """A swing with friction; np is NumPy or the engine."""
    return np.stack([y[1], -p[0] * np.sin(y[0]) - p[1] * y[1]])


def lotka_volterra(np, y, p):
    """Prey and predators."""
    prey, predators = y[0], y[1]
    return np.stack(
        [p[0] * prey - p[1] * prey * predators, p[2] * prey * predators - p[3] * predators]
    )


MODELS = {
    "pendulum": (pendulum, [9.81, 0.2], [1.0, 0.0]),
    "Lotka-Volterra": (lotka_volterra, [1.1, 0.4, 0.1, 0.4], [10.0, 5.0]),
}


def by_complex_step(rate, weights, point, j, i):
    """∂/∂(entry i of argument j), by a complex step; intervals have unit length, so that times may
    be complex too."""
    p, y, times = [np.array(v, complex) for v in point]
    (p, y, times)[j][i] += 1e-30j
    total = weights[0] @ y
    for n in range(len(times) - 1):
        length = times[n + 1] - times[n]
        y = solve_ivp(
            lambda s, y, length=length: rate(np, y, p) * length,
            (0, 1), y, "DOP853", rtol=1e-12, atol=1e-14,
        ).y[:, -1]  # fmt: skip
        total += weights[n + 1] @ y
    return total.imag / 1e-30


@pytest.mark.parametrize("name", some(MODELS, 8))
def test_gradients_agree_with_complex_steps(name):
    """In parameters, in the first value, and in the times; forward mode, too."""
    rate, *start = MODELS[name]
    point = [*map(np.array, start), TIMES]
    weights = np.random.default_rng(0).normal(size=(len(TIMES), 2))
    symbols = [ad.vector(w, shape=len(v)) for w, v in zip(("p", "y0", "ts"), point, strict=True)]
    p, y0, ts = symbols
    rows = ad.odeint(lambda y, t: rate(ad, y, p), y0, ts, rtol=1e-10, atol=1e-12)
    cost = ad.sum(rows * weights)
    slopes = ad.function(symbols, ad.grad(cost, symbols))(*point)
    exact = [
        np.array([by_complex_step(rate, weights, point, j, i) for i in range(len(v))])
        for j, v in enumerate(point)
    ]
    for slope, wanted in zip(slopes, exact, strict=True):
        np.testing.assert_allclose(slope, wanted, rtol=1e-6, atol=1e-6 * abs(wanted).max())
    tangents = [np.cos(v) for v in point]
    ahead = ad.function(symbols, ad.pushforward(cost, symbols, tangents))(*point)
    wanted = sum(v @ t for v, t in zip(exact, tangents, strict=True))
    assert np.isclose(ahead, wanted, rtol=1e-6)


def test_orders_one_to_three_of_a_decay():
    for times in some(([0.0, 1.0, 2.0], [0.0, 2.0], ad.constant([0.0, 0.5, 2.0])), 3):
        y = ad.odeint(lambda y, t: -k * y, 1.0, times, rtol=1e-10, atol=1e-12)[-1]
        for order in range(4):
            assert np.isclose(ad.function([k], y)(0.5), (-2) ** order * np.exp(-1), rtol=1e-7)
            y = ad.grad(y, k)


def test_second_derivatives_in_all_modes():
    p = ad.vector("p", shape=2)
    how = {"rtol": 1e-10, "atol": 1e-12}
    y = ad.odeint(lambda y, t: pendulum(ad, y, p), np.array([1.0, 0.0]), [0.0, 0.5, 1.0], **how)
    cost, at, t = ad.sum(y * y), np.array([9.81, 0.2]), np.array([0.3, -0.4])
    slope = ad.grad(cost, p)
    ways = [ad.pushforward(slope, p, t), ad.grad(ad.sum(slope * t), p),
            ad.grad(ad.pushforward(cost, p, t), p), ad.hessian(cost, p) @ t]  # fmt: skip
    found = [ad.function([p], way)(at) for way in ways]
    for one in found[1:]:
        np.testing.assert_allclose(one, found[0], rtol=1e-6)


@pytest.mark.each("method", some(["DOP853", "RK45", "RK23", "LSODA", "Radau", "BDF"], 3))
def test_every_method_solves_and_has_its_derivative(method):
    y = ad.odeint(lambda y, t: -k * y + t, 1.0, [0.0, 2.0], method=method, rtol=1e-7)[-1]
    at = 0.5
    exact = (1 + 1 / at**2) * np.exp(-2 * at) + (2 - 1 / at) / at
    slope = (
        -2 / at**3 * np.exp(-2 * at) - 2 * (1 + 1 / at**2) * np.exp(-2 * at)
        - 2 / at**2 + 2 / at**3
    )  # fmt: skip
    np.testing.assert_allclose(ad.function([k], [y, ad.grad(y, k)])(at), [exact, slope], rtol=1e-4)


@pytest.mark.each("times", [[0.0, 1.0], [1.0, 0.2], [0.0, 0.4, 1.0]])
def test_the_rate_is_asked_no_more_often_than_the_solver_needs(times, monkeypatch):
    """Nothing is interpolated for the first time and, if there are two, for the last one."""
    calls = []
    ask = Slope.__call__
    monkeypatch.setattr(Slope, "__call__", lambda self, t, z: (calls.append(t), ask(self, t, z))[1])
    y = ad.odeint(lambda y, t: ad.sin(y) * k + t, [1.0, 0.5], times)
    rows = ad.function([k], y)(0.7)
    asked = times[1:] if len(times) > 2 else None
    alone = solve_ivp(lambda t, y: np.sin(y) * 0.7 + t, (times[0], times[-1]), [1.0, 0.5],
                      "DOP853", asked, rtol=1e-8, atol=1e-10)  # fmt: skip
    assert len(calls) == alone.nfev
    np.testing.assert_array_equal(rows[0], [1.0, 0.5])
    np.testing.assert_allclose(rows[-1], alone.y[:, -1], rtol=1e-13)


def test_a_stiff_equation():
    """Its solution forgets where it began; the adjoint, solved back in time, forgets as well."""
    y = ad.odeint(lambda y, t: -1e3 * (y - ad.cos(k * t)), 1.0, [0.0, 1.0], method="Radau")[-1]
    assert np.isclose(ad.function([k], ad.grad(y, k))(0.5), -np.sin(0.5), rtol=2e-3)


@pytest.mark.each("times", some([[0, 1, 2], [0, -1, -2], [0, 1, 1, 2], [0], [2, 2, 2]], 3), ids=str)
def test_times_go_either_way_and_may_be_equal(times):
    times = np.array(times, float)
    ts = ad.vector("ts")
    rows = ad.odeint(lambda y, t: -k * y, 2.0, ts)
    weights = np.arange(1.0, 1 + len(times))
    cost = ad.sum(rows * weights)
    found, in_k, in_times = ad.function([k, ts], [rows, *ad.grad(cost, [k, ts])])(0.5, times)
    since = times - times[0]
    exact = 2 * np.exp(-0.5 * since)
    np.testing.assert_allclose(found, exact, rtol=1e-7)
    assert np.isclose(in_k, weights @ (-since * exact), atol=1e-6)
    slope = weights * -0.5 * exact
    slope[0] = -slope[1:].sum()
    np.testing.assert_allclose(in_times, slope, atol=1e-6)


@pytest.mark.parametrize("shape", some([(3,), (), (2, 2)], 3, turn=1), ids=str)
@pytest.mark.parametrize("seed", range(draws(2)))
def test_differences_agree_for_states_of_any_shape(seed, shape):
    rng = np.random.default_rng(seed)
    c, y0 = np.array(rng.normal(size=shape)), np.array(rng.normal(size=shape))

    def rows(c, y0, ts):
        rate = lambda y, t: ad.sin(c * y) - y * ad.cos(t + ad.mean(y))
        return ad.odeint(rate, y0, ts, rtol=1e-11, atol=1e-13)

    ad.verify_grad(rows, [c, y0, np.array([0.0, 1.0, 2.5])], rng=seed, n_tests=draws(2))


def test_the_rate_may_be_constant_or_know_time_alone():
    line = ad.odeint(lambda y, t: 2.0, 0.0, [0.0, 1.0])
    np.testing.assert_allclose(ad.evaluate(line), [0, 2], rtol=1e-14)
    y = ad.odeint(lambda y, t: ad.cos(k * t), 0.0, [0.0, 1.0, 2.0])[-1]
    exact = np.cos(2) * 2 - np.sin(2)
    assert np.isclose(ad.function([k], ad.grad(y, k))(1.0), exact, rtol=1e-7)
    y = ad.odeint(lambda y, t: k, 0.0, [0.0, 2.0])[-1]
    assert np.isclose(ad.function([k], ad.grad(y, k))(1.0), 2)


def test_single_precision():
    b = ad.scalar("b", dtype="float32")
    y = ad.odeint(lambda y, t: -b * y, 1.0, [0.0, 1.0, 2.0])
    found = ad.function([b], [y, ad.grad(y[-1], b)])(np.float32(0.5))
    assert y.dtype == found[0].dtype == found[1].dtype == "float32"
    assert np.isclose(found[1], -2 * np.exp(-1), rtol=1e-4)


def test_lengths_that_are_not_known():
    v = ad.vector("v")
    y = ad.odeint(lambda y, t: -y * v, v, [0.0, 1.0, 2.0])[-1]
    f = ad.function([v], [ad.jacobian(y, v), ad.grad(ad.sum(y), v)])
    at = np.array([0.3, 1.0])
    exact = (1 - 2 * at) * np.exp(-2 * at)
    jacobian, slope = f(at)
    np.testing.assert_allclose(jacobian, np.diag(exact), atol=1e-7)
    np.testing.assert_allclose(slope, exact, atol=1e-7)


def test_an_unused_state_of_the_adjoint_is_not_solved():
    """Where only the first value's derivative is asked for, no integral of others is carried."""
    y0 = ad.vector("y0", shape=2)
    p = ad.vector("p", shape=2)
    y = ad.odeint(lambda y, t: pendulum(ad, y, p), y0, [0.0, 1.0])
    text = ad.function([y0, p], ad.grad(ad.sum(y[-1]), y0)).source
    head = next(line for line in text.splitlines() if line.startswith("def adjoint_of_odeint"))
    assert "g_" not in head


def test_an_adjoint_that_does_not_exist_is_told():
    y = ad.odeint(lambda y, t: ad.undefined_grad(k) * y, 1.0, [0.0, 1.0])
    with pytest.raises(ad.NullTypeGradError, match="declared undefined"):
        ad.grad(y[-1], k)
    inside = ad.odeint(lambda y, t: ad.undefined_grad(y) * k, 1.0, [0.0, 1.0])
    with pytest.raises(ad.NullTypeGradError, match="declared undefined"):
        ad.grad(inside[-1], k)
    jumps = ad.odeint(lambda y, t: ad.sign(k) * y, 1.0, [0.0, 1.0])
    with pytest.raises(ad.DisconnectedInputError, match="sign"):
        ad.grad(jumps[-1], k)
