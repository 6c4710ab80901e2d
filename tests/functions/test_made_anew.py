"""Derivatives that are made anew at each turn of a loop find what was traced before.

Protects loops such as `v, g = ad.value_and_grad(loss)(w)`: they trace once, whatever the function
captures, and never give the answer of another function, other options, or another state.
"""

import functools
import importlib
import random
import types

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws

tracing = importlib.import_module("autodiff_edu.functions.traced")  # the name is that of a function
WAYS = {
    "grad": ad.grad,
    "value and grad": lambda f: lambda x: ad.value_and_grad(f)(x)[1],
    "jacobian": ad.jacobian,
    "forward": lambda f: ad.jacobian(f, mode="forward"),
    "auxiliary": lambda f: lambda x: ad.grad(lambda v: (f(v), v), has_aux=True)(x)[0],
}


@pytest.fixture
def traces(monkeypatch):
    monkeypatch.setattr(tracing, "LENDERS", tracing.Kept())
    count, trace = [], tracing.Tracer.trace
    monkeypatch.setattr(tracing.Tracer, "trace", lambda *args: (count.append(1), trace(*args))[1])
    return count


def loss(x):
    return np.sum((x - 1.0) ** 2)


class Model:
    def __init__(self, scale):
        self.scale = scale

    def loss(self, x):
        return self.scale * np.sum(x * x)

    def __call__(self, x):
        return self.loss(x)


def scaled(scale, x):
    return scale * np.sum(x * x)


MAKERS = {  # a function of x that is new at each call, with the slope 2 * scale * x
    "lambda": lambda scale: lambda x: scale * np.sum(x * x),
    "default": lambda scale: lambda x, scale=scale: scale * np.sum(x * x),
    "array": lambda scale: (lambda a: lambda x: np.sum(a * x * x))(np.full(2, scale)),
    "large array": lambda scale: (lambda a: lambda x: np.mean(a) * np.sum(x * x))(
        np.full(500, scale)
    ),
    "partial": lambda scale: functools.partial(scaled, scale),
    "method": lambda scale: Model(scale).loss,
    "namespace": lambda scale: (lambda held: lambda x: held.scale * np.sum(x * x))(
        types.SimpleNamespace(scale=scale)
    ),
    "branch": lambda scale: lambda x: scale * np.sum(x * x) if x[0] > 0 else -scale * np.sum(x * x),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_function_is_traced_once_however_often_it_is_differentiated(way, traces):
    x = np.array([3.0, 2.0])
    for _ in range(5):
        assert np.array_equal(WAYS[way](loss)(x), [4.0, 2.0])
    assert len(traces) <= 1 + (way == "auxiliary")


@pytest.mark.parametrize("name", list(MAKERS))
def test_a_function_that_is_made_anew_is_traced_once_for_each_state(name, traces):
    x = np.array([3.0, 2.0])
    for scale in (1.0, 1.0, 2.5, 2.5, 2.5):
        slope = ad.grad(MAKERS[name](scale))
        assert np.array_equal(slope(x), 2 * scale * x)
        assert [path.taken for path in slope.paths] == [1]
    assert len(traces) == 2


def test_states_ways_and_signs_in_random_order():
    """The answer is that of this state and this derivative, whatever was traced before."""
    draw = random.Random(5)
    for _ in range(draws(300)):
        name, way = draw.choice(sorted(MAKERS)), draw.choice(sorted(WAYS))
        scale = draw.choice([1.0, -2.0, 0.5])
        x = np.array([draw.choice([-1.0, 1.0, 3.0]), draw.choice([-2.0, 0.25])])
        sign = -1 if name == "branch" and x[0] <= 0 else 1
        answer = WAYS[way](MAKERS[name](scale))(x)
        assert np.array_equal(answer, sign * 2 * scale * x), (name, way, scale, x)


def test_options_and_arguments_make_a_difference():
    f = lambda x, y: np.sum(x * y)
    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    for _ in range(2):
        assert np.array_equal(ad.grad(f)(x, y), y)
        assert np.array_equal(ad.grad(f, 1)(x, y), x)
        assert [g.tolist() for g in ad.grad(f, (0, 1))(x, y)] == [[3.0, 4.0], [1.0, 2.0]]
        assert ad.value_and_grad(f)(x, y)[0] == 11.0
        assert ad.grad(lambda x, y: (f(x, y), "kept"), has_aux=True)(x, y)[1] == "kept"


def test_what_is_lent_counts_for_the_borrower_alone():
    slope = ad.grad(loss)
    slope(np.zeros(3))
    ad.grad(loss)(np.zeros(3))
    assert [path.taken for path in slope.paths] == [1]


def test_guards_of_a_lent_path_tell_of_their_own_call():
    f = lambda x: x**2 if x > 1 else -x
    first, second = ad.grad(f), ad.grad(f)
    first(3.0), second(5.0), first(4.0)
    assert [path.guards[0].met for path in (*first.paths, *second.paths)] == ["3 > 1", "5 > 1"]
