"""Graphs as pictures: what is drawn, how it is told apart, and that it is always the same."""

import numpy as np
import pytest

from autodiff_edu.differentiate import D, forward_mode, grad, reverse_mode, symbolic_derivative
from autodiff_edu.expr import Constant, Graph, constant
from autodiff_edu.ops import exp, log, matrix, mean, scalar, sin, sum, vector, where, zero
from autodiff_edu.rewrite import simplify
from autodiff_edu.run import generate, pipeline, plan
from autodiff_edu.show import Film, SideBySide, draw
from autodiff_edu.show.diagram.diagram import Edge, levels
from autodiff_edu.show.scene import large
from tests.helpers.depth import is_short, length
from tests.helpers.growth import assert_linear

X_TIMES_X = """\
n0  input  x
n1  operation  ×
n2  constant  2
n3  operation  −
n4  operation  +
out0  output  y
n0 -> n1
n0 -> n1
n0 -> n3  [1]
n2 -> n3  [2]
n1 -> n4
n3 -> n4
n4 -> out0"""


@pytest.fixture
def x():
    return scalar("x")


@pytest.fixture
def y(x):
    y = x * x + (x - 2)
    y.name = "y"
    return y


def lines(picture, word):
    return [line for line in picture.listing.splitlines() if word in line]


def test_the_text_lists_every_node_and_edge(y):
    assert draw(y).listing == X_TIMES_X
    assert repr(Graph(y).draw()) == repr(draw(y)) == repr(draw([y]))
    assert (
        draw(y).alt == "Graph: 1 input (x); 1 constant (2); 3 operations (×, −, +); 1 output (y)."
    )


def test_changing_one_edge_changes_the_text(x):
    assert repr(draw(x * x + (x - 2))) != repr(draw(x * x + (2 - x)))


def test_equal_graphs_are_equal_pictures():
    def build():
        x, z = scalar("x"), vector("z")
        return draw(grad(sum(exp(x * z) * sin(z)), z))

    one, other = build(), build()
    assert one == other and one.svg == other.svg


def test_a_tree_writes_every_use_out(y):
    tree = draw(y, layout="tree")
    assert len(lines(tree, "input  x")) == 3
    assert "n0 -> n2\nn1 -> n2\nn3 -> n5  [1]\nn4 -> n5  [2]" in tree.listing
    assert "ordering=in" in tree.dot


def test_derivatives_are_told_apart_through_rewrites(x, y):
    short = simplify(symbolic_derivative(y, x))
    assert "n2  operation  ×  [derivative]" in draw(short.output).listing
    assert "derivative" not in draw(y).listing


def test_open_derivatives_and_exact_zeros_have_looks_of_their_own(x):
    listing = draw(D(x) + zero(x) + 0 * x).listing
    assert "open derivative  D(·)" in listing
    assert "exact zero  0" in listing and "constant  0" in listing


def test_types_are_written_where_they_say_something_new():
    w, x = matrix("W", shape=(2, 3)), vector("x", dtype="float32")
    assert lines(draw(w @ x), "[(")[0] == "n0  input  W  [(2, 3)]"
    assert "n1  input  x  [float32 (?,)]" in draw(w @ x).listing
    assert "operation  @  [(2,)]" in draw(w @ x).listing
    assert "operation  −·\n" in draw(-scalar("a")).listing
    assert "n0  input  W\n" in draw(w @ x, types=False).listing
    assert "n1  operation  −·  [float64]" in draw(-scalar("a"), types=True).listing


def test_parameters_are_written_in_short():
    x = matrix("X", shape=(4, 4))
    assert "operation  Σ  [axis 0  (4,)]" in draw(x.sum(axis=0)).listing
    assert "operation  Σ  [float64]" not in draw(x.sum()).listing
    assert "operation  ·[1:, 0]  [(3,)]" in draw(x[1:, 0]).listing
    assert "operation  ·ᵀ\n" in draw(x.T).listing
    assert "float32  [float32 (4, 4)]" in draw(x.astype("float32")).listing


def test_arguments_are_named_where_they_are_many(x):
    listing = draw(where(x > 0, x, -x)).listing
    assert "[if]" in listing and "[then]" in listing and "[else]" in listing


def test_constants_are_drawn_per_use_but_arrays_once(x):
    two, table = Constant(2.0), Constant(np.arange(9.0))
    assert len(lines(draw((x * two) + (sin(x) * two)), "constant  2")) == 2
    assert len(lines(draw(table * x + table), "constant  array")) == 1
    assert "constant  [0, 1, 2]" in draw(constant([0.0, 1.0, 2.0]) * x).listing


def test_lengths_do_not_clutter():
    """The mean divides by a length, which is a leaf; a spread needs none to say its shape."""
    x = vector("x")
    gradient = grad(mean(exp(x)), x)
    picture = draw(gradient)
    assert Graph(gradient).counts["length"] == 2 and len(lines(picture, "operation  length")) == 1
    (spread,) = (line.split()[0] for line in lines(picture, "operation  spread"))
    assert len(lines(picture, f"-> {spread}")) == 1
    short = draw(simplify(gradient).output)
    assert lines(short, "x.shape[0]") == ["n3  constant  x.shape[0]  [derivative]"]
    assert not lines(short, "length") and not lines(short, "-> n3")


def test_values_and_highlights(x, y):
    picture = draw(y, values={x: 3.0}, highlight=y.inputs[0])
    assert "n0  input  x  [= 3]" in picture.listing
    assert "n1  operation  ×  [= 9, matched]" in picture.listing


def test_a_deep_graph_lies_to_the_right(x):
    y = x
    for _ in range(12):
        y = sin(y)
    assert "rankdir=LR" in draw(y).dot and "rankdir=TB" in draw(y, direction="TB").dot


def test_a_large_graph_is_drawn_in_groups_and_a_very_large_one_is_summarised(x, monkeypatch):
    y = log(x)
    for _ in range(200):
        y = sin(y) * x
    picture = draw(y)
    assert (
        len(picture.listing.splitlines()) < 30 and "steps 1–14 = 28 operations" in picture.listing
    )
    n = 2 * length(10_000)
    for _ in range(n // 2):
        y = sin(y) * x
    listing = draw(y).listing
    words = f"{n // 1000} thousand" if n > 9_999 else f"{n}"
    assert "steps 1–14 = 28 operations" in listing and f" = {words}" in listing
    monkeypatch.setattr(large, "MOST", n)
    picture = draw(y)
    assert picture.alt == (
        f"Summary of a graph of {n + 402:,} nodes, too large to draw: {n + 401:,} operations "
        f"({n // 2 + 200:,} multiply, {n // 2 + 200:,} sin, 1 log), depth {n + 401:,}, "
        "1 inputs (x), 1 outputs."
    )
    assert len(picture.listing.splitlines()) < 60
    assert f"summary  … {n + 390:,} more …" in picture.listing
    assert "too large" in draw(x + x * y, layout="tree").alt
    assert "<svg" in picture.svg


def test_in_a_summary_no_input_stands_alone_and_adjoints_are_told(x, monkeypatch):
    """The numbers of such a graph come before its operations."""
    monkeypatch.setattr(large, "MOST", length(5_000))
    y = x
    for k in range(length(5_000)):
        y = sin(y) + k
    shown = draw(Graph([y, grad(y, x)])).listing.splitlines()
    assert any(line.startswith("n0 -> ") for line in shown)
    assert "out0  output  out 1" in shown and "out1  output  out 2  [derivative]" in shown


def test_long_chains_are_drawn_in_linear_time(x, monkeypatch):
    """What is drawn of them is groups, or a summary."""

    def chain(length, attempt):
        y = x
        for k in range(length):
            y = sin(y) if k % 2 else y * x
        return y, "steps 1–" if length <= large.MOST else f"{length + 1:,} nodes"

    def drawn(chain):
        y, words = chain
        picture = draw(y)
        assert words in picture.alt + picture.listing and picture._repr_mimebundle_()["text/html"]
        assert len(y._repr_mimebundle_()["text/latex"]) < 2000

    assert_linear(drawn, chain, 3_000 if is_short() else 40_000)
    monkeypatch.setattr(large, "MOST", 0)
    assert_linear(drawn, chain, 6_000 if is_short() else 100_000)


@pytest.mark.each("name", ["<script>", 'a"b', "x; import os", "v" * 300, "скорость", "损失"])
def test_names_of_any_kind_are_shown(name):
    x = scalar(name)
    y = x * x
    y.name = name
    picture = draw(y + 1)
    assert picture.svg.count("<script") == 0 and "operation" in picture.listing
    assert (name if len(name) < 40 else "…") in picture.listing + picture.svg


def test_stages_and_pipelines(x, y):
    stage = symbolic_derivative(y, x)
    assert isinstance(stage.draw(), SideBySide) and isinstance(simplify(stage).draw(), SideBySide)
    for way in (forward_mode, reverse_mode):
        pair = way(y, x).draw()
        assert pair.right.caption == f"values, and {way(y, x).name} beside them"
        assert way(y, x).draw(direction="LR").right.caption == pair.right.caption
        assert way(y, x).draw(types=True).right.caption == pair.right.caption
    whole = pipeline(y, x)
    assert isinstance(whole.draw(), Film) and len(whole.draw()) == len(whole) + 1


def test_a_program_shows_its_source_beside_its_graph(y):
    program = generate(y)
    pair = program.draw()
    assert pair.left.picture == draw(y) and repr(pair.right.picture) == program.after.source
    assert repr(pair).endswith(f"after generate:\n{program.after.source}")
    whole = pipeline(y, y.inputs[1].inputs[0])
    for shown in (whole.draw(), whole.film()):
        assert repr(shown).endswith(f"after generate:\n{whole.after.source}")
    assert "Plan(3 operations" in repr(plan(y).draw().right.picture)


def test_everything_shows_itself(x, y):
    stage = reverse_mode(y, x)
    for thing in (Graph(y), stage, pipeline(y, x), stage.trace({x: 1.0})):
        assert set(thing._repr_mimebundle_()) >= {"text/plain", "text/html"}
    assert y._repr_mimebundle_()["text/latex"] == r"$$ y = x \cdot x + (x - 2) $$"
    assert x._repr_mimebundle_()["text/latex"] == "$$ x $$"


def test_levels_count_what_the_layout_stacks():
    down = [Edge("a", "b"), Edge("b", "c")]
    assert levels(down) == levels([*down, Edge("c", "d", back=True)]) == 2
    assert levels([*down, Edge("c", "d")]) == 3 and levels([]) == 0
