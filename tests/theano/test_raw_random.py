"""`raw_random`: a program keeps the stream itself, as an input or a default value."""

import numpy as np
import pytest

import autodiff_edu.theano as theano
from autodiff_edu.theano import tensor as T
from autodiff_edu.theano.tensor import raw_random

pytestmark = pytest.mark.numeric
DRAWS = [
    ("uniform", {"low": -2.0, "high": 2.0}, lambda r, n: r.uniform(-2.0, 2.0, n)),
    ("normal", {"std": 2.0, "avg": 4.0}, lambda r, n: r.normal(4.0, 2.0, n)),
    ("binomial", {"n": 5, "p": 0.8}, lambda r, n: r.binomial(5, 0.8, n)),
    ("poisson", {"lam": 5}, lambda r, n: r.poisson(5, n)),
    ("random_integers", {"low": -3, "high": 16}, lambda r, n: r.randint(-3, 17, n)),
    ("choice", {"a": 10}, lambda r, n: r.choice(10, n)),
    ("permutation", {"n": 4}, lambda r, n: np.array([r.permutation(4) for _ in range(77)]).reshape(
        (*n, 4))),
    ("multinomial", {"n": 6, "pvals": [0.2] * 5}, lambda r, n: r.multinomial(6, [0.2] * 5, n)),
]  # fmt: skip


def stream():
    return np.random.RandomState(7)


@pytest.mark.each("name, how, numpys", DRAWS, ids=lambda x: x if isinstance(x, str) else "")
def test_draws_are_numpys_from_call_to_call(name, how, numpys):
    rng = raw_random.random_state_type()
    new, out = getattr(raw_random, name)(rng, (11, 7), **how)
    f = theano.function([theano.In(rng, value=stream(), update=new, mutable=True)], out)
    expected = stream()
    for _ in range(2):
        assert np.array_equal(f(), numpys(expected, (11, 7)))


def test_a_stream_goes_in_and_the_next_comes_out():
    rng = raw_random.random_state_type("rng")
    low, high = T.dvector(), T.dcol()
    f = theano.function([rng, low, high], raw_random.uniform(rng, low=low, high=high))
    given = stream()
    after, found = f(given, [-5, 0.5], [[1.0], [2.0]])
    expected = stream()
    assert np.array_equal(found, expected.uniform([-5, 0.5], [[1.0], [2.0]]))
    assert rng.type.values_eq(after, expected) and rng.type.values_eq(given, stream())
    assert np.array_equal(f(after, [0.9], [[1.0]])[1], expected.uniform([0.9], [[1.0]]))
    with pytest.raises(TypeError, match="RandomState is expected"):
        f(3, [0.9], [[1.0]])


def test_a_function_of_a_stream_is_an_operation():
    rng = raw_random.random_state_type()
    cases = [("uniform", (0.0, 1.0)), (np.random.RandomState.uniform, (0.0, 1.0))]
    for fn, parameters in cases:
        _, out = raw_random.RandomFunction(fn, T.dvector)(rng, (4,), *parameters)
        assert out.type == T.dvector
        f = theano.function([rng], out)
        assert np.array_equal(f(stream()), stream().uniform(0.0, 1.0, 4))
    helper = raw_random.permutation_helper
    _, out = raw_random.RandomFunction(helper, T.imatrix, ndim_added=1)(rng, (3,), 8)
    expected = stream()
    assert np.array_equal(theano.function([rng], out)(stream()),
                          [expected.permutation(8) for _ in range(3)])  # fmt: skip
    _, out = raw_random.RandomFunction(helper, T.imatrix)(rng, (3,), 8)
    with pytest.raises(ValueError):
        theano.function([rng], out)(stream())


def test_what_a_draw_does_not_take_is_named():
    rng = raw_random.random_state_type()
    with pytest.raises(TypeError, match="uniform takes low, high"):
        raw_random.uniform(rng, (3,), mean=2.0)
    with pytest.raises(TypeError, match="the state of a draw"):
        raw_random.uniform(np.random.RandomState(3), (3,))
