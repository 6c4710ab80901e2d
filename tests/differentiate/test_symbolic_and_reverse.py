"""Symbolic differentiation and reverse mode on one graph: what a thread asked, and Speelpenning."""

import ast
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.differentiate import D
from autodiff_edu.expr import Graph, constant, substitute
from tests.helpers.depth import some

HOUSE = Path(ad.__file__).parent


@pytest.fixture
def formula():
    x = ad.scalar("x")
    return x, x * x + (x - 2)


def open_derivatives(graph):
    return sum(n.op is D for n in graph)


def test_before_and_after_are_the_threads_trees(formula):
    x, y = formula
    derivative = ad.symbolic_derivative(y, x)
    zero = derivative.output.inputs[1].inputs[1]
    one = constant(1.0)
    before = ad.add(ad.add(ad.multiply(one, x), ad.multiply(x, one)), ad.subtract(one, zero))
    assert zero.exact and zero.value == 0
    assert derivative.after.same(before)
    after = ad.add(ad.multiply(constant(2.0), x), one)
    assert ad.simplify(derivative).after.same(after)


def test_the_films_frames_follow_from_their_steps(formula):
    x, y = formula
    for stage in ad.pipeline(y, x).stages[:2]:
        frames = list(stage.frames())
        assert len(frames) == len(stage.steps) + 1
        for step, old, new in zip(stage.steps, frames, frames[1:]):
            assert Graph(substitute(old.outputs, {step.before: step.after})).same(new)
        assert frames[-1].same(stage.after)


def test_d_is_visible_until_it_is_gone_and_every_finished_frame_gives_seven(formula):
    x, y = formula
    derivative, short, program = ad.pipeline(y, x)
    counts = [open_derivatives(frame) for frame in derivative.frames()]
    assert counts[0] == 1 and counts[-1] == 0 and all(counts[:-1])
    finished = [f for s in (derivative, short) for f in s.frames() if not open_derivatives(f)]
    assert len(finished) == len(short.steps) + 2
    assert [ad.evaluate(frame, {x: 3.0}) for frame in finished] == [7.0] * len(finished)
    assert program.after(3.0) == 7.0


def test_every_other_route_gives_seven(formula):
    x, y = formula
    for stage in (ad.reverse_mode(y, x), ad.forward_mode(y, x)):
        assert stage.evaluate({x: 3.0}) == 7.0
        assert ad.function(x, ad.simplify(stage).output)(3.0) == 7.0
    assert ad.function(x, ad.grad(y, x))(3.0) == 7.0
    f = ad.function(x, y)
    assert abs((f(3 + 1e-6) - f(3 - 1e-6)) / 2e-6 - 7) < 1e-8


def test_symbolic_forward_and_reverse_mode_share_no_code():
    """None imports another, nor anything but what graphs and rules are."""
    for name, other in permutations(("symbolic", "forward", "reverse"), 2):
        tree = ast.parse((HOUSE / "core" / f"{name}.py").read_text("utf-8"))
        taken = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level}
        assert other not in taken
        assert taken <= {
            "derivative_rules", "graph", "items", "node", "op", "origin", "placeholders",
            "seams", "seeds", "stage", "types",
        }  # fmt: skip


def test_zeros_higher_orders_and_negative_bases():
    x = ad.scalar("x")
    short = ad.simplify(ad.symbolic_derivative(3 * x * x, x))
    assert not [n for n in short.after if n.op is None and getattr(n, "value", 1) == 0]
    y = x * x + x - 2
    third, other = y, y
    for _ in range(3):
        third = ad.symbolic_derivative(third, x).output
        other = ad.grad(other, x)
    for derivative in (third, other):
        assert ad.function(x, derivative, on_unused_input="ignore")(1.5) == 0.0
        assert ad.simplify(derivative).output.value == 0.0
    assert ad.evaluate(ad.symbolic_derivative(x**3, x), {x: -2.0}) == 12.0
    assert ad.evaluate(ad.grad(x**3, x), {x: -2.0}) == 12.0


def speelpenning(n):
    xs = [ad.scalar(f"x{k}") for k in range(1, n + 1)]
    product = xs[0]
    for x in xs[1:]:
        product = product * x
    return xs, product


@pytest.mark.each("n", some(range(2, 21), 12))
def test_speelpennings_product(n):
    xs, f = speelpenning(n)
    sweep = ad.simplify(Graph([f, *ad.reverse_mode(f, xs).outputs]))
    assert sweep.after.counts["multiply"] == max(3 * n - 5, 1)
    apart = [ad.simplify(ad.symbolic_derivative(f, x)).after.counts["multiply"] for x in xs]
    assert sum(apart) == n * (n - 2)
    at = dict(zip(xs, np.arange(1.0, n + 1)))
    gradient = ad.evaluate(ad.reverse_mode(f, xs), at)
    factorial = np.prod(np.arange(1.0, n + 1))
    np.testing.assert_allclose(gradient, factorial / np.arange(1.0, n + 1), rtol=1e-14)


def test_a_product_with_a_zero():
    xs, f = speelpenning(4)
    at = dict(zip(xs, [1.0, 0.0, 3.0, 4.0]))
    assert ad.evaluate(ad.reverse_mode(f, xs), at) == [0, 12, 0, 0]
    v = ad.vector("v", shape=4)
    slope = ad.function(v, ad.grad(ad.prod(v), v))
    np.testing.assert_array_equal(slope(np.array([1.0, 0, 3, 4])), [0, 12, 0, 0])
    np.testing.assert_array_equal(slope(np.array([0.0, 0, 3, 4])), [0, 0, 0, 0])


def test_accumulation_at_shared_nodes_is_right_and_visible():
    a = ad.scalar("a")
    b = a + a
    c = b + b
    stage = ad.reverse_mode(c, a)
    assert ad.evaluate(stage, {a: 5.0}) == 4.0
    assert [step.bindings["of"] for step in stage.steps] == [c, b, b, a, a]
    sums = [ad.evaluate(step.after, {a: 5.0}) for step in stage.steps]
    assert sums == [1, 1, 2, 2, 4]
    frames = [len(stage.built(k)) for k in range(len(stage.steps) + 1)]
    assert frames == [0, 1, 2, 2, 3, 3]


def test_what_only_steps_lead_to_is_a_constant_in_every_mode(rng):
    x = ad.vector("x", shape=4)
    y = ad.sum(ad.sin(x) * ad.std(ad.isfinite(x)) + ad.sqrt(ad.floor(x) * 0) + ad.cos(x))
    tangent, at = rng.normal(size=4), rng.normal(size=4)
    differential = ad.symbolic_derivative(y, x).output
    dx = next(i for i in ad.Graph(differential).inputs if i is not x)
    by_symbols = ad.evaluate(differential, {x: at, dx: tangent})
    assert by_symbols == pytest.approx(-np.sin(at) @ tangent)
    assert by_symbols == pytest.approx(ad.evaluate(ad.grad(y, x), {x: at}) @ tangent)
    assert by_symbols == pytest.approx(ad.evaluate(ad.pushforward(y, x, tangent), {x: at}))
