"""Standard draws: fresh, reproducible, apart by call, place and step, and the same in batches."""

import pickle
import subprocess
import sys
import threading
from contextlib import contextmanager

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.chance.samplers import standard_normal, standard_uniform
from autodiff_edu.expr import steps_now
from autodiff_edu.ops import batched

BOTH = pytest.mark.each("op", [standard_uniform, standard_normal], ids=str)
STATE = np.array([2**63 + 1, 2**64 - 1, 5], "uint64")


@contextmanager
def within(*steps):
    """What loops do while they describe one of their steps."""
    token = steps_now.set((*steps_now.get(), *steps))
    try:
        yield
    finally:
        steps_now.reset(token)


def counter(name):
    return ad.scalar(name, dtype="int64")


# ---- calls


def test_every_call_is_fresh_and_a_new_stream_gives_the_same():
    def calls(seed):
        rng = ad.RandomStream(seed)
        draw = ad.function([], rng.normal(size=3))
        return [draw() for _ in range(3)]

    first = calls(7)
    assert len(np.unique(first)) == 9
    np.testing.assert_array_equal(first, calls(7))
    assert len(np.unique([first, calls(8)])) == 18


def test_seed_starts_again():
    rng = ad.RandomStream(7)
    draw = ad.function([], rng.random())
    first = draw()
    assert draw() != first
    rng.seed(7)
    assert draw() == first


def test_functions_of_one_stream_move_it_together():
    rng = ad.RandomStream(0)
    one, other = (ad.function([], rng.random()) for _ in range(2))
    assert [rng.state.get_value()[2] for _ in range(3) if one() and other()] == [2, 4, 6]


def test_evaluation_leaves_the_state():
    rng = ad.RandomStream(0)
    z = rng.normal()
    assert ad.evaluate(z) == ad.evaluate(z) == ad.function([], z)() != ad.evaluate(z)


def test_updates_may_hold_the_state():
    rng = ad.RandomStream(0)
    held = ad.function([], rng.random(), updates={rng.state: rng.state})
    assert held() == held()


def test_known_numbers():
    """The same on every machine and in every process, today and later."""
    rng = ad.RandomStream(2026)
    u, single, z = ad.evaluate([rng.random(size=2), rng.random(dtype="float32"), rng.normal()])
    np.testing.assert_array_equal(u, [0.17174895248729471, 0.00637712572177529])
    assert single == np.float32(0.6343797)
    assert np.isclose(z, -2.592336962826046, rtol=1e-15)


def test_another_process_draws_the_same():
    text = (
        "import autodiff_edu as ad; print(ad.evaluate(ad.RandomStream(3).normal(size=4)).tolist())"
    )
    told = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == str(ad.evaluate(ad.RandomStream(3).normal(size=4)).tolist())


def test_threads_do_not_disturb_each_other():
    found = {}

    def work(k):
        found[k] = [standard_normal.body(STATE, np.int64(j), place=k) for j in range(500)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for one in (*threads,):
        one.start()
    for one in threads:
        one.join()
    for k, values in found.items():
        np.testing.assert_array_equal(values, standard_normal.body(STATE, np.arange(500), place=k))


# ---- places


def test_two_draws_differ_and_one_used_twice_is_one():
    rng = ad.RandomStream(1)
    a, b = rng.normal(), rng.normal()
    assert ad.evaluate(a) != ad.evaluate(b)
    assert ad.function([], a - a)() == 0
    assert ad.simplify(a - b).output.op is not None


def test_places_calls_and_steps_are_independent():
    """Correlations of 10⁵ numbers are within five standard deviations of 0."""
    n = 10**5
    size = {"shape": (n,)}
    later = STATE + np.array([0, 0, 1], "uint64")
    rows = [standard_normal.body(STATE, place=k, **size) for k in range(3)]
    rows.append(standard_normal.body(later, place=0, **size))
    rows.append(standard_normal.body(STATE, np.arange(n), place=0))
    rows += [standard_normal.body(STATE, *k, place=0, **size) for k in [(1, 0), (0, 1), (1, 1)]]
    far = np.corrcoef(rows) - np.eye(len(rows))
    assert np.abs(far).max() < 5 / np.sqrt(n)


# ---- steps


def test_a_draw_within_loops_takes_their_steps():
    rng, i, j = ad.RandomStream(0), counter("i"), counter("j")
    with within(i):
        with within(j):
            z = rng.normal()
    assert z.inputs == (rng.state, i, j)
    f = ad.function([i, j], z, updates={rng.state: rng.state})
    values = [f(a, b) for a in range(5) for b in range(5)]
    assert len(np.unique(values)) == 25
    assert values[8] == f(1, 3)


@BOTH
def test_steps_of_any_depth_tell(op):
    for depth in range(1, 8):
        steps = np.stack(np.meshgrid(*[[0, 1]] * depth)).reshape(depth, -1)
        values = op.body(STATE, *steps, place=0)
        assert len(np.unique(values)) == 2**depth


@BOTH
@pytest.mark.each("dtype", ["float64", "float32"])
@pytest.mark.each("shape", [(), (3,), (2, 0), (2, 3)])
def test_all_steps_at_once_are_the_single_draws(op, dtype, shape):
    rng, i = ad.RandomStream(4), counter("i")
    with within(i):
        z = rng.standard(op, shape, [], dtype)
    steps = ad.vector("steps", dtype="int64")
    many = batched([z], {i: steps})[z]
    ks = np.array([0, 5, 3, 3, 2**40])
    expected = [ad.evaluate(z, {i: k}) for k in ks]
    found = ad.evaluate(many, {steps: ks})
    assert found.dtype == dtype and many.type.shape == (None, *shape)
    np.testing.assert_array_equal(found, np.reshape(expected, (5, *shape)))
    program = ad.function([steps], many)
    np.testing.assert_array_equal(program(ks), found)
    assert program(ks[:0]).shape == (0, *shape)


@BOTH
@pytest.mark.each("outer_first", [True, False])
def test_all_steps_of_two_loops_at_once(op, outer_first):
    i, j, n = counter("i"), counter("j"), counter("n")
    ii, jj = (ad.vector(name, dtype="int64") for name in ("ii", "jj"))
    with within(i, j):
        z = ad.RandomStream(4).standard(op, (n, 2), [], "float64")
    first, then = ({i: ii}, {j: jj}) if outer_first else ({j: jj}, {i: ii})
    some = batched([z], first)[z]
    every = batched([some], then)[some]
    found = ad.evaluate(every, {n: 3, ii: np.arange(4), jj: np.arange(5)})
    alone = ad.evaluate(z, {i: 2, j: 3, n: 3})
    np.testing.assert_array_equal(found[3, 2] if outer_first else found[2, 3], alone)
    np.testing.assert_array_equal(ad.function([n, ii, jj], every)(3, range(4), range(5)), found)


def test_a_batch_of_lengths_is_refused():
    n, rng = counter("n"), ad.RandomStream(0)
    with pytest.raises(ad.ShapeError, match="mask what is too much"):
        batched([rng.normal(size=n)], {n: ad.vector("ns", dtype="int64")})


# ---- shapes, dtypes, storage


def test_lengths_may_be_expressions():
    x = ad.matrix("x")
    rng = ad.RandomStream(0)
    z = rng.normal(size=(x.shape[1], 2, x.shape[0]))
    assert z.type.shape == (None, 2, None)
    assert ad.function([x], z)(np.zeros((3, 4))).shape == (4, 2, 3)
    assert ad.function([x], z.sum() + x)(np.zeros((3, 4))).shape == (3, 4)


def test_uniforms_are_never_0_or_1(monkeypatch):
    class Lowest:
        bit_generator = type("Position", (), {})()

        def random(self, out, dtype):
            out[...] = 0

    monkeypatch.setattr("autodiff_edu.chance.samplers.local.generator", Lowest())
    for dtype in ("float64", "float32"):
        u = standard_uniform.body(STATE, place=0, dtype=dtype)
        assert 0 < u < np.finfo(dtype).eps and u.dtype == dtype
        rng = ad.RandomStream(0)
        several = [rng.gumbel, rng.logistic, rng.laplace, rng.exponential, rng.cauchy]
        assert np.isfinite(ad.evaluate([d(dtype=dtype) for d in several])).all()


def test_streams_and_graphs_are_stored():
    rng = ad.RandomStream(5)
    z = rng.normal(size=3)
    again = pickle.loads(pickle.dumps(z))
    one, other = ad.function([], z), ad.function([], again)
    for _ in range(3):
        np.testing.assert_array_equal(one(), other())
    stored = pickle.loads(pickle.dumps(rng))
    assert ad.evaluate(stored.random()) == ad.evaluate(rng.random())
    assert repr(rng) == "RandomStream(rng)"


def test_it_is_one_word_of_a_picture_and_one_line_of_a_program():
    rng = ad.RandomStream(0)
    z = rng.normal(ad.scalar("m"), 2.0)
    assert "N(0, 1)" in repr(ad.draw(z)) and "shared  rng" in repr(ad.draw(z))
    source = ad.function(z.inputs[0], z).source
    assert "standard_normal(rng, place=0)" in source
    assert "shared_rng.value =" in source
