"""The recurrence of lecture 15: h ← tanh(w h + ½), as a loop and written out."""

import numpy as np
import pytest

import autodiff_edu as ad
from tests.helpers.depth import some

VALUE, SLOPE = 0.7803364492090827, 0.42019691477789956  # SYLLABUS 15: T = 10, w = .7, h₀ = .1


def recurrence(w, h0, steps, **how):
    return ad.scan(lambda h: ad.tanh(w * h + 0.5), outputs_info=h0, n_steps=steps, **how)[-1]


@pytest.fixture
def leaves():
    return ad.scalar("w"), ad.scalar("h0")


def test_value_and_slope_by_the_loop(leaves):
    w, h0 = leaves
    h = recurrence(w, h0, 10)
    assert ad.function([w, h0], [h, ad.grad(h, w)])(0.7, 0.1) == pytest.approx(
        [VALUE, SLOPE], 1e-15
    )


def test_value_and_slope_written_out(leaves):
    w, h0 = leaves
    h = ad.unroll(recurrence(w, h0, 10)).output
    assert ad.function([w, h0], [h, ad.grad(h, w)])(0.7, 0.1) == pytest.approx(
        [VALUE, SLOPE], 1e-15
    )


@pytest.mark.each("mode", [ad.forward_mode, ad.symbolic_derivative, ad.reverse_mode])
def test_every_mode_passes_through_the_loop(leaves, mode):
    w, h0 = leaves
    slope = mode(recurrence(w, h0, 10), w).output
    assert ad.evaluate(slope, {w: 0.7, h0: 0.1}) == pytest.approx(SLOPE, rel=1e-15)


def test_the_loop_has_as_many_nodes_for_any_number_of_steps(leaves):
    w, h0 = leaves
    loop = [len(ad.simplify(ad.grad(recurrence(w, h0, n), w)).graph) for n in (10, 20, 40)]
    flat = [
        len(ad.simplify(ad.grad(ad.unroll(recurrence(w, h0, n)).output, w)).graph)
        for n in (10, 20, 40)
    ]
    assert loop[0] == loop[1] == loop[2]
    assert flat[2] - flat[1] == 2 * (flat[1] - flat[0]) > 0


def test_a_hundred_thousand_steps(leaves):
    w, h0 = leaves
    h = recurrence(w, h0, 100_000)
    value, slope = ad.function([w, h0], [h, ad.grad(h, w)])(0.7, 0.1)
    fixed = value - np.tanh(0.7 * value + 0.5)
    assert abs(fixed) < 1e-15
    assert slope == pytest.approx(value * (1 - value**2) / (1 - 0.7 * (1 - value**2)), rel=1e-12)


@pytest.mark.each("size", some([1, 3, 10, 20], 3))
def test_checkpoints_change_nothing(leaves, size):
    w, h0 = leaves
    h = recurrence(w, h0, 10, checkpoint_every=size)
    found = ad.function([w, h0], [h, ad.grad(h, w)])(0.7, 0.1)
    assert found == pytest.approx([VALUE, SLOPE], rel=1e-15)
