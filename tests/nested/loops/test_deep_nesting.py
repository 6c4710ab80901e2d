"""Operations with a body in each other: what is done for each grows with the depth, not faster."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.nested.implicit.ode_op import OdeSolution
from autodiff_edu.nested.loops.scan_op import Scan
from autodiff_edu.nested.subgraph import linearised
from tests.helpers.depth import some

x = ad.vector("x", shape=2)


def solution(f):
    return lambda y: ad.odeint(lambda z, t: 0.1 * f(z) * y - z, y, [0.0, 0.2, 0.5]).sum(axis=0)


def last(f):
    return lambda y: ad.scan(lambda z: 0.5 * f(z) + y, outputs_info=y, n_steps=3)[-1]


def sums(f):
    """A loop whose states are all asked for, so that no adjoint arrives at the last one alone."""
    rows = lambda y: ad.stack([y, 2 * y, y * y])
    return lambda y: ad.scan(lambda row, z: f(z) * row + y, sequences=rows(y), outputs_info=y).sum(
        axis=0
    )


LEVELS = [solution, last, sums]
every_level = pytest.mark.parametrize("level", some(LEVELS, 4))


def cost(level, depth):
    f = ad.sin
    for _ in range(depth):
        f = level(f)
    return ad.sum(f(x) ** 2)


@pytest.fixture
def counting(monkeypatch):
    """A function that counts the calls of functions, given as (owner, name), while f runs."""

    def counted(places, f):
        calls = []
        with monkeypatch.context() as patch:
            for owner, name in places:
                old = getattr(owner, name)
                new = lambda *args, old=old: (calls.append(1), old(*args))[1]
                patch.setattr(owner, name, new)
            f()
        return len(calls)

    return counted


TYPES = [(OdeSolution, "infer_type"), (Scan, "infer_type")]
SWEEPS = [(linearised, "backward"), (linearised, "sweep")]


@every_level
def test_the_types_within_a_body_are_inferred_once(level, counting):
    """And not again for each body around it."""
    counts = [counting(TYPES, lambda d=d: ad.grad(cost(level, d), x)) for d in range(2, 6)]
    steps = np.diff(counts)
    assert (steps == steps[0]).all()


@every_level
def test_a_body_is_differentiated_once_for_each_derivative(level, counting):
    """A gradient has one for each body. Of a Hessian, those of a body are in the bodies of all
    derivatives around it."""
    costs = [cost(level, d) for d in (1, 2, 3, 4)]
    slopes = [counting(SWEEPS, lambda y=y: ad.grad(y, x)) for y in costs]
    assert (np.diff(slopes, n=2) == 0).all()
    curvatures = [counting(SWEEPS, lambda y=y: ad.hessian(y, x)) for y in costs]
    assert (np.diff(curvatures, n=3) == 0).all()


def test_many_taps_are_one_sweep(counting):
    """Each tap is a state that is reached from the one before."""
    start = ad.vector("start", shape=12)
    info = {"initial": start, "taps": list(range(-12, 0))}
    y = ad.scan(lambda *past: ad.sin(past[0]) + past[-1], outputs_info=info, n_steps=20)
    assert counting(SWEEPS[:1], lambda: ad.grad(ad.sum(y), start)) == 1
    v = ad.vector("v", shape=12)
    assert counting(SWEEPS[1:], lambda: ad.pushforward(y, start, v)) == 1


def test_a_path_that_ends_within_a_body_carries_nothing():
    """That a loop hands nothing on, only its derivative tells."""
    p, q = ad.scalar("p"), ad.scalar("q")

    def inner(b):
        return ad.scan(lambda s: ad.floor(b) + ad.floor(s), outputs_info=1.0, n_steps=2)[-1]

    def step(a, b):
        return a * 0.5 + inner(b), ad.sin(b)

    rows, _ = ad.scan(step, outputs_info=[p, q], n_steps=3)
    y = rows[-1]
    with pytest.raises(ad.DisconnectedInputError, match="floor"):
        ad.grad(y, q)
    slope = ad.grad(y, p)
    assert ad.evaluate(slope) == 0.125
    assert [n.op.states for n in ad.Graph(slope).operations if isinstance(n.op, Scan)] == [1]
    assert ad.evaluate(ad.pushforward(y, [p, q], [1.0, 1.0]), {p: 2.0, q: 0.3}) == 0.125
