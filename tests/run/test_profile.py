"""A profile: each line with its calls, bytes and operations; lines know their nodes."""

import sys

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.run.fast.regions import BLOCK
from tests.helpers.depth import draws
from tests.helpers.programs import random_numbers, random_program


def test_lines_of_a_program_that_is_called_once():
    X, w = ad.matrix("X"), ad.vector("w")
    profile = ad.function([X, w], ad.tanh(X @ w)).profile(np.ones((20, 5)), np.ones(5))
    product, tanh = [line for line in profile.lines if line.node is not None]
    assert (product.calls, product.bytes, product.flops) == (1, 160, 200)
    assert (tanh.bytes, tanh.flops) == (160, 20)  # by the lengths of this call
    assert 0 < product.seconds < profile.seconds


def test_blocks_are_added_up():
    n = 10 * BLOCK + 3
    x = ad.vector("x", shape=n)
    f = ad.function(x, [ad.sum(ad.sin(x) * ad.exp(x)), ad.cos(ad.sin(x))])
    profile = f.profile(np.zeros(n))
    by_name = {line.node.op.name: line for line in profile.lines if line.node is not None}
    assert {line.calls for line in by_name.values()} == {11}
    assert by_name["sin"].bytes == by_name["cos"].bytes == 8 * n
    assert by_name["sin"].flops == by_name["multiply"].flops == by_name["sum"].flops == n


def test_steps_of_a_loop_are_added_up():
    x = ad.vector("x", shape=7)
    f = ad.function(x, ad.scan(lambda h: ad.sin(h) * 2, outputs_info=x, n_steps=5)[-1])
    profile = f.profile(np.ones(7))
    (sine,) = [line for line in profile.lines if "np.sin" in line.text]
    assert (sine.calls, sine.flops) == (5, 35)
    assert sum(line.seconds for line in profile.lines) > profile.seconds  # the body counts twice


def test_operations_on_lengths_that_depend_on_values_are_not_counted():
    x, n = ad.vector("x", shape=5), ad.scalar("n", "int64")
    some = x[x > 0]
    many = [some * 2, np.repeat(ad.exp(some), n), ad.arange(n) * 2.0, np.outer(some, some) @ some,
            np.triu(ad.reshape(ad.repeat(x, n), (n, 5)), 1), np.cov(some)]  # fmt: skip
    for y in many:
        slope = ad.grad(ad.sum(y * y), x, disconnected_inputs="ignore")
        f = ad.function([x, n], [y, slope], on_unused_input="ignore")
        profile = f.profile(np.ones(5), 3)
        assert repr(profile) and any(line.flops is None and line.bytes for line in profile.lines)


def test_programs_of_numbers_and_of_branches():
    x = ad.scalar("x")
    f = ad.function(x, ad.cond(x > 0, ad.log(x), ad.exp(-x)) * x)
    texts = [line.text for line in f.profile(2.0).lines]
    assert "v1 = log(x)" in texts and not any("exp" in text for text in texts)
    assert any("np.float64" not in text for text in texts)


@pytest.mark.each("seed", range(draws(40)))
def test_every_line_knows_its_node(seed):
    inputs, values, output = random_program(seed)
    graph = ad.Graph([output, *ad.reverse_mode(ad.sum(output), inputs[:1]).outputs])
    f = ad.function(inputs, graph, on_unused_input="ignore")
    program, text = f.stages[-1].after, f.source.splitlines()
    named = {line: n for line, n in program.lines.items() if n.name}
    assert all(text[line - 1].strip().startswith(n.name) for line, n in named.items())
    assert set(program.lines.values()) == set(program.plan.order)
    profile = f.profile(*values)
    assert {line.node for line in profile.lines} - {None} == set(program.plan.order)


@pytest.mark.each("seed", range(draws(40)))
def test_every_operation_on_numbers_has_a_line(seed):
    inputs, values, output = random_numbers(seed)
    program = ad.function(inputs, [output, *ad.grad(output, inputs)]).stages[-1].after
    beside = [n for inner in program.beside.values() for n in inner]
    assert {*program.lines.values(), *beside} == set(program.plan.order)
    text = program.source.splitlines()
    for k, n in program.lines.items():
        assert program.line_of(n) == k
        assert all(program.line_of(inner) == k for inner in program.beside.get(n, ()))
        assert " = " in text[k - 1]
    with pytest.raises(KeyError):
        program.line_of(inputs[0])


def test_it_leaves_no_trace_and_changes_shared_values_once():
    before = sys.gettrace()
    w = ad.shared(0.0, "w")
    f = ad.function([], w * 2, updates=[(w, w + 1)])
    f.profile()
    assert w.get_value() == 1 and sys.gettrace() is before
    x = ad.vector("x", shape=2)
    with pytest.raises(ad.ShapeError):
        ad.function(x, x * 2).profile(np.ones(3))
    assert sys.gettrace() is before


def test_it_is_shown_as_a_table_and_as_a_graph():
    x = ad.vector("x", shape=50)
    profile = ad.function(x, ad.sum(ad.exp(x) * ad.sin(x))).profile(x=np.ones(50))
    assert repr(profile).splitlines()[0].split() == [
        "line", "source", "calls", "time", "share", "bytes", "flops",
    ]  # fmt: skip
    assert "<table" in profile._repr_mimebundle_()["text/html"]
    assert "%" in profile.draw().listing and profile.draw().svg.startswith("<svg")


def test_the_key_of_its_graph_tells_what_the_colours_mean():
    x = ad.vector("x", shape=5000)
    html = ad.function(x, ad.sum(ad.exp(x))).profile(x=np.ones(5000)).draw()._repr_mimebundle_()
    assert "of the time or more" in html["text/html"] and "wildcard" not in html["text/html"]


def test_its_graph_runs_down_unless_another_direction_is_asked_for():
    """A chain of twenty is as wide as its widest node: it fits on a page."""
    x = ad.vector("x", shape=50)
    y = x
    for _ in range(20):
        y = ad.sin(y)
    profile = ad.function(x, y).profile(x=np.ones(50))
    (down, _), (right, _) = (profile.draw().widths, ad.draw(profile, direction="LR").widths)
    assert down < 200 and right > 1000
