"""`ad.portable`: a function that is sent elsewhere gives what it gives here."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import draws
from tests.helpers.programs import random_program


def again(what):
    return pickle.loads(pickle.dumps(what))


ELSEWHERE = """
import pickle, sys
fn, values = pickle.load(sys.stdin.buffer)
pickle.dump([fn(*values) for _ in range(3)], sys.stdout.buffer)
"""


def in_another_process(fn, *values):
    """The results of three calls in a process that has seen nothing of this one."""
    given = pickle.dumps((fn, values))
    run = [sys.executable, "-c", ELSEWHERE]
    return pickle.loads(subprocess.run(run, input=given, check=True, capture_output=True).stdout)


def counter():
    """A function that counts its calls and draws noise, and one that reads the count."""
    w, noise = ad.shared(0.0, "w"), ad.RandomStream(7)
    x = ad.vector("x", shape=3)
    step = ad.function(x, [w, x + noise.normal((3,))], updates={w: w + 1})
    return step, ad.function([], w * 1.0)


def test_a_function_runs_in_another_process_from_where_it_stood():
    step, _ = counter()
    step(np.zeros(3))
    sent = in_another_process(ad.portable(step), np.ones(3))
    here = [step(np.ones(3)) for _ in range(3)]
    for (count, drawn), (expected, own) in zip(sent, here, strict=True):
        assert count == expected
        np.testing.assert_array_equal(drawn, own)


@pytest.mark.each("seed", range(draws(20)))
def test_random_programs_give_the_same_numbers(seed):
    inputs, values, output = random_program(seed)
    f = ad.function(inputs, [output], on_unused_input="ignore")
    loaded = again(ad.portable(f))
    assert loaded.source == f.source
    for found, expected in zip(loaded(*values), f(*values), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.each("how", [again, copy.deepcopy], ids=["pickle", "deepcopy"])
@pytest.mark.each("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_what_travels_together_shares_its_state(how, order):
    w = ad.shared(np.zeros(2), "w")
    step = ad.function([], w, updates={w: w + 1})
    three = [w, ad.portable(step), ad.portable(ad.function([], w * 1))]
    moved = dict(zip(order, how([three[k] for k in order]), strict=True))
    moved[1](), moved[1]()
    assert moved[2]().tolist() == moved[0].get_value().tolist() == [2, 2]
    assert w.get_value().tolist() == [0, 0]
    assert how(moved[2])().tolist() == [2, 2]  # a copy of its own
    moved[1]()
    assert moved[2]().tolist() == [3, 3]


@pytest.mark.each("how", [again, copy.deepcopy], ids=["pickle", "deepcopy"])
def test_what_travels_alone_shares_nothing(how):
    step, count = map(ad.portable, counter())
    own_step, own_count = how(step), how(count)
    own_step(np.zeros(3))
    assert own_count() == count() == 0
    assert own_step(np.zeros(3))[0] == 1


def test_a_default_update_travels_with_its_value():
    w = ad.shared(1.0, "w")
    w.default_update = 2 * w
    one, other = again([ad.portable(ad.function([], w)), ad.portable(ad.function([], -w))])
    assert [one(), other(), one(), other()] == [1, -2, 4, -8]


def test_it_is_called_by_name_and_shows_its_source():
    x, y = ad.scalar("x"), ad.scalar("y")
    f = ad.portable(ad.function([x, y], x - y, name="difference"))
    assert f(y=1.0, x=3.0) == again(f)(3.0, y=1.0) == 2.0
    assert f.source == again(f).source and "difference" in repr(again(f))
    assert ad.portable(f) is f


def test_options_travel():
    x = ad.vector("x", shape=2)
    f = again(ad.portable(ad.function(x, 1 / x, check="nan", simplify=None)))
    with pytest.raises(FloatingPointError):
        f([1, 0])


def test_a_program_for_jax_travels():
    pytest.importorskip("jax")
    x = ad.vector("x", shape=3)
    f = again(ad.portable(ad.function(x, ad.exp(x), target="jax")))
    assert "jnp.exp" in f.source
    np.testing.assert_allclose(f(np.ones(3)), np.exp(np.ones(3)))


@pytest.mark.each("thing", [np.sin, ad.sin, ad.grad(lambda x: x * x), 3, "f"])
def test_anything_else_is_refused(thing):
    with pytest.raises(TypeError, match=r"ad\.portable\(ad\.function\(inputs, expression\)\)"):
        ad.portable(thing)


def test_a_function_itself_is_not_pickled_and_says_what_is():
    x, w = ad.vector("x", shape=2), ad.shared(1.0, "w")
    f = ad.function(x, x * w, updates={w: w + 1}, name="step")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match=r"function step .* store ad\.portable\(step\)"):
            pickle.dumps(f, protocol)
    assert again(ad.portable(f))(np.ones(2)).tolist() == [1, 1]
    assert copy.copy(f)(np.ones(2)).tolist() == [1, 1] and w.get_value() == 2  # shares it
    assert copy.deepcopy(f)(np.ones(2)).tolist() == [2, 2] and w.get_value() == 2
