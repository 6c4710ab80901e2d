"""How many states a loop and its derivatives hold at once, measured; and that checkpoints, which
make them fewer, change nothing else."""

import tracemalloc

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some
from tests.helpers.loops import check_gradients, several

RNG = np.random.default_rng(10)
SIZE = 10_000  # numbers in a state


def normal(*shape):
    return RNG.normal(size=shape)


def states_held(run, *values):
    """The most memory that a call holds at once, in states."""
    run(*values)
    tracemalloc.start()
    run(*values)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / (8 * SIZE)


def loop(steps, every=None, **how):
    """A loop, its inputs and values for them."""
    w, h = ad.vector("w", shape=SIZE), ad.vector("h", shape=SIZE)
    step = lambda h: ad.tanh(w * h + 0.5)
    y = ad.scan(step, outputs_info=h, n_steps=steps, checkpoint_every=every, **how)
    return y, [w, h], [np.full(SIZE, 0.7), np.full(SIZE, 0.1)]


def gradient_of_the_last(steps, every=None):
    y, inputs, values = loop(steps, every)
    return states_held(ad.function(inputs, ad.grad(y[-1].sum(), inputs)), *values)


def test_the_last_state_alone_needs_no_trajectory():
    found = []
    for steps in (10, 100):
        y, inputs, values = loop(steps)
        run = ad.function(inputs, y[-1])
        assert "every" not in run.source
        found.append(states_held(run, *values))
    assert found[1] < 6 and found[1] - found[0] < 0.5


def test_the_last_state_of_segments_needs_no_trajectory():
    y, inputs, values = loop(100, 10)
    assert states_held(ad.function(inputs, y[-1]), *values) < 8


def test_all_states_are_as_many_as_there_are():
    y, inputs, values = loop(100)
    assert 100 <= states_held(ad.function(inputs, y), *values) < 108


def test_the_way_back_holds_as_many_states_as_there_are_steps():
    few, many = gradient_of_the_last(50), gradient_of_the_last(100)
    assert 100 < many < 112
    assert 49 < many - few < 52


@pytest.mark.parametrize("every", some([2, 5, 10, 20, 50], 4))
def test_checkpoints_hold_those_between_segments_and_one_segment(every):
    found = gradient_of_the_last(100, every)
    assert found < 100 / every + 2 * every + 12


def test_checkpoints_of_a_loop_whose_length_is_not_known():
    x, h = ad.matrix("x"), ad.vector("h")
    run = {}
    for every in (None, 10):
        y = ad.scan(lambda x, h: ad.tanh(x * h), x, h, checkpoint_every=every)
        run[every] = ad.function([x, h], ad.grad(y[-1].sum(), h))
    values = np.full((100, SIZE), 0.7), np.full(SIZE, 0.1)
    plain, fewer = (states_held(run[every], *values) for every in (None, 10))
    assert 100 < plain and fewer < 40
    np.testing.assert_allclose(run[10](*values), run[None](*values), rtol=1e-13)


@pytest.mark.parametrize("wrap", some([lambda f: f, ad.checkpoint], 2))
def test_what_a_step_computes_besides_its_states_is_computed_again(wrap):
    w, h = ad.vector("w", shape=SIZE), ad.vector("h", shape=SIZE)
    step = wrap(lambda h, w: ad.tanh(ad.sin(ad.exp(-h) * w) * w))
    y = ad.scan(step, outputs_info=h, non_sequences=w, n_steps=50)
    run = ad.function([w, h], ad.grad(y[-1].sum(), [w, h]))
    assert states_held(run, np.full(SIZE, 0.7), np.full(SIZE, 0.1)) < 62


# ---- the same numbers


def sequences_and_several_outputs(x, a, b, every):
    step = lambda x, s, p: (ad.sin(a * s) + x, p * s, s * x * b)
    s, p, y = ad.scan(
        step, sequences=x, outputs_info=[a * 0, b, None], checkpoint_every=every, name="net"
    )
    return ad.concatenate([s, p, y])


def taps_of_both_kinds(x, first, every):
    return ad.scan(
        lambda before, after, far, near: ad.sin(far * before) + near * after,
        sequences={"input": x, "taps": [-1, 1]},
        outputs_info={"initial": first, "taps": [-3, -1]},
        go_backwards=True,
        checkpoint_every=every,
    )


def outer_and_inner(x, a, every):
    def row(x, s):
        step = lambda x, s: ad.tanh(s * a + x)
        return ad.scan(step, sequences=x, outputs_info=s, checkpoint_every=every)[-1]

    return ad.scan(row, sequences=x, outputs_info=a, checkpoint_every=every)


KINDS = {
    "several outputs": (sequences_and_several_outputs, [normal(7), np.array(0.8), np.array(1.2)]),
    "taps": (taps_of_both_kinds, [normal(9), normal(3)]),
    "in each other": (outer_and_inner, [0.5 * normal(5, 4), np.array(0.7)]),
}


@pytest.mark.parametrize(
    "every, kind",
    [
        (every, kind)
        for k, kind in some(enumerate(KINDS), 3)
        for every in some([3, 1, 20, 2, 7], 5, turn=k)
    ],
)
def test_checkpoints_change_no_derivative(every, kind):
    f, point = KINDS[kind]
    check_gradients(lambda *xs: f(*xs, every), point)
    for known in some((True, False), 2, turn=every):
        shapes = [v.shape if known else (None,) * v.ndim for v in point]
        xs = [ad.tensor(f"x{k}", shape=s) for k, s in enumerate(shapes)]
        plain, fewer = ((f(*xs, e) ** 3).sum() for e in (None, every))
        for _ in range(2):
            ts = [ad.constant(normal(*v.shape)) for v in point]
            plain, fewer = (
                sum((g * t).sum() for g, t in zip(ad.grad(y, xs), ts)) for y in (plain, fewer)
            )
            a, b = several([plain, fewer], dict(zip(xs, point)))
            np.testing.assert_allclose(b, a, rtol=1e-10)
        assert ad.function(xs, fewer)(*point) == pytest.approx(a, rel=1e-10)
