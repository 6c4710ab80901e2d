"""Equations among other things: in each other, loops, branches, batches, functions, traces."""

import pickle

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

pytestmark = pytest.mark.numeric
a, v = ad.scalar("a"), ad.vector("v")


def cube_root(c):
    return ad.root(lambda x: x**3 + x - c, 1.0)


def cosine(c):
    return ad.fixed_point(lambda x: ad.cos(x) * c, 0.5)


def decay(c):
    return ad.odeint(lambda y, t: -c * y, 1.0, np.array([0.0, 0.5, 1.0]))[-1]


SOLVED = {"root": cube_root, "fixed point": cosine, "odeint": decay}
every_kind = pytest.mark.parametrize("solved", SOLVED.values(), ids=SOLVED)


@every_kind
def test_a_batch_is_one_after_the_other(solved):
    """Values, gradients, and curvatures."""
    values = np.array([0.3, 0.6, 0.9])
    slope = lambda c: ad.grad(solved(c), c)
    for one in (solved, slope, lambda c: ad.grad(slope(c), c)):
        found = ad.function([v], ad.vectorize(one)(v))(values)
        f = ad.function([a], one(a))
        np.testing.assert_allclose(found, [f(c) for c in values], rtol=1e-9)


@every_kind
def test_a_batch_of_batches(solved):
    M = ad.matrix("M")
    whole = ad.vectorize(lambda row: ad.vectorize(solved)(row))(M)
    at = np.array([[0.3, 0.6], [0.9, 0.2]])
    one = ad.function([a], [solved(a), ad.grad(solved(a), a)])
    found, slopes = ad.function([M], [whole, ad.grad(ad.sum(whole), M)])(at)
    each = [one(c) for c in at.ravel()]
    np.testing.assert_allclose(found.ravel(), [y for y, _ in each], rtol=1e-9)
    np.testing.assert_allclose(slopes.ravel(), [s for _, s in each], rtol=1e-9)


@every_kind
def test_an_empty_batch(solved):
    assert ad.function([v], ad.vectorize(solved)(v))(np.zeros(0)).shape == (0,)


@pytest.mark.parametrize("solved", some(SOLVED.values(), 3, turn=1), ids=some(SOLVED, 3, turn=1))
def test_in_a_loop(solved):
    rows = ad.scan(solved, sequences=v)
    back = ad.scan(lambda x, s: solved(s + x), sequences=v, outputs_info=0.2)
    at = np.array([0.3, 0.2, 0.1])
    f = ad.function([v], [ad.grad(ad.sum(rows), v), ad.grad(back[-1], v)])
    slope = ad.grad(solved)
    each, through = f(at)
    np.testing.assert_allclose(each, [slope(c) for c in at], rtol=1e-8)
    unrolled = lambda v: solved(solved(solved(0.2 + v[0]) + v[1]) + v[2])
    np.testing.assert_allclose(through, ad.grad(unrolled)(at), rtol=1e-8)


@every_kind
def test_in_a_branch_only_the_side_that_is_taken_is_solved(solved):
    y = ad.cond(a > 0, lambda: solved(a), lambda: -a)
    f = ad.function([a], [y, ad.grad(y, a)])
    np.testing.assert_allclose(f(0.4), [ad.evaluate(solved(0.4)), ad.grad(solved)(0.4)], rtol=1e-9)
    assert f(-2.0) == [2.0, -1.0]
    hopeless = ad.cond(a > 0, lambda: ad.root(lambda x: x * x + 1 + a, 1.0), lambda: a)
    assert ad.function([a], hopeless)(-1.0) == -1.0


def test_equations_in_equations():
    """Each of the three inside each of the others."""
    at, h = 0.5, 1e-5
    outers = (
        lambda g: lambda c: ad.root(lambda x: x + g(c * x) / 3 - c, 0.5),
        lambda g: lambda c: ad.fixed_point(lambda x: g(c * x) * c / 3, 0.5),
        lambda g: lambda c: ad.odeint(lambda y, t: -g(c * y), 1.0, np.array([0.0, 0.5]))[-1],
    )
    for k, outer in enumerate(outers):
        for inner in some(SOLVED.values(), 3, turn=k):
            f = outer(inner)
            value = ad.function([a], f(a))
            difference = (value(at + h) - value(at - h)) / (2 * h)
            assert np.isclose(ad.grad(f)(at), difference, rtol=1e-5)
            ahead = ad.evaluate(ad.pushforward(f(a), a, 1.0), {a: at})
            assert np.isclose(ahead, difference, rtol=1e-5)


@every_kind
def test_shared_values_are_found(solved):
    w = ad.shared(0.6, name="w")
    f = ad.function([], [solved(w), ad.grad(solved(w), w)])
    assert np.isclose(f()[1], ad.grad(solved)(0.6), rtol=1e-9)
    w.set_value(0.3)
    assert np.isclose(f()[1], ad.grad(solved)(0.3), rtol=1e-9)


@every_kind
def test_in_a_python_function_and_a_box(solved):
    box = ad.OpFromGraph([a], solved(a) * a, name="box")
    opened, shut = ad.grad(box(a), a), ad.grad(lambda c: solved(c) * c)
    for c in (0.3, 0.7):
        assert np.isclose(ad.evaluate(opened, {a: c}), shut(c), rtol=1e-9)
    kept = ad.checkpoint(lambda c: solved(c) * c)
    assert np.isclose(ad.grad(kept)(0.3), shut(0.3), rtol=1e-9)


@every_kind
def test_a_program_and_an_expression_can_be_stored(solved):
    y = ad.grad(solved(a), a)
    f = ad.function([a], y)
    again = pickle.loads(pickle.dumps(ad.portable(f)))
    assert again(0.4) == f(0.4)
    one, other = pickle.loads(pickle.dumps((y, y.op)))
    assert one.op == other == y.op


@every_kind
def test_simplified_and_raw_agree(solved):
    y = [solved(a), ad.grad(solved(a), a), ad.pushforward(solved(a), a, 2.0)]
    raw = ad.evaluate(y, {a: 0.4})
    for mode in ("safe", "ieee"):
        f = ad.function([a], ad.simplify(y, mode=mode).outputs)
        np.testing.assert_allclose(f(0.4), raw, rtol=1e-9)


def test_a_jacobian_solves_for_all_its_rows_at_once():
    """Only right-hand sides vary, so there is one matrix, and no loop around it."""
    c = ad.vector("c", shape=4)
    A = np.random.default_rng(0).normal(size=(4, 4)) / 5
    x = ad.root(lambda x: x + ad.tanh(A @ x) - c, np.zeros(4))
    program = ad.function([c], ad.jacobian(x, c))
    assert "each" not in program.source and program.source.count("= adjoint_of_root") == 1
    second = ad.jacobian(ad.jacobian(x, c), c)
    found = ad.evaluate(second, {c: np.ones(4)})
    np.testing.assert_allclose(found, np.swapaxes(found, 1, 2), atol=1e-12)


def test_a_loop_that_moves_a_shared_value_is_refused():
    w = ad.shared(1.0, name="w")

    def step(x):
        rows = ad.scan(lambda s: (s / 2, {w: w + 1}), outputs_info=x, n_steps=2)
        return rows[-1]

    with pytest.raises(NotImplementedError, match="shared values"):
        ad.fixed_point(step, 1.0)
