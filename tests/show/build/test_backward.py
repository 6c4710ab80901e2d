"""Reverse mode is drawn as it runs: adjoints beside their values, and flowing against them."""

import re

import pygraphviz
import pytest

from autodiff_edu.differentiate import forward_mode, reverse_mode
from autodiff_edu.nested import OpFromGraph
from autodiff_edu.ops import exp, log, matrix, mean, scalar, sin, vector
from autodiff_edu.show import draw, film
from autodiff_edu.show.diagram.diagram import Edge, levels
from autodiff_edu.show.diagram.graphviz import renderer


def baydin():
    x, z = scalar("x"), scalar("z")
    return log(x) + x * z - sin(z), [x, z]


def regression():
    X, w, y = matrix("X"), vector("w"), vector("y")
    return mean(log(1 + exp(-y * (X @ w)))), [w]


def shared():
    a = scalar("a")
    b = a + a
    return b * b + sin(b), [a]


every_stage = pytest.mark.each("make", [baydin, regression, shared])


def places(picture):
    renderer()  # pins the fonts of this process, before anybody measures a label
    graph = pygraphviz.AGraph(string=picture.dot)
    graph.layout("dot")
    return {n: tuple(map(float, n.attr["pos"].split(","))) for n in graph.nodes()}


def derivative_nodes(picture):
    return set(re.findall(r"^(\w+)  .*derivative.*\]$", picture.listing, re.M))


def edges(picture):
    return re.findall(r"^(\w+) -> (\w+)", picture.listing, re.M)


@every_stage
def test_values_flow_down_and_adjoints_alone_flow_up(make):
    picture = draw(reverse_mode(*make()), direction="TB").right.picture
    at, adjoint = places(picture), derivative_nodes(picture)
    assert len(adjoint) > 3
    for tail, head in edges(picture):
        if tail in adjoint:
            assert at[head][1] > at[tail][1]
        elif head not in adjoint:
            assert at[head][1] < at[tail][1]


@every_stage
def test_an_adjoint_stands_beside_its_value(make):
    boxes = film(reverse_mode(*make()))[-1].still.boxes.values()
    row = {box.name: box.y for box in boxes if box.name}
    adjoints = [name for name in row if "\u0304" in name]
    assert len(adjoints) >= 2
    for name in adjoints:
        assert row[name] == row[name.replace("\u0304", "")]


@every_stage
def test_it_can_be_drawn_as_all_else(make):
    picture = film(reverse_mode(*make()), direction="TB", backward=False)[-1]
    at = places(picture)
    assert all(at[head][1] < at[tail][1] for tail, head in edges(picture))


def test_to_the_right_adjoints_flow_left():
    picture = film(reverse_mode(*regression()), direction="LR")[-1]
    at, adjoint = places(picture), derivative_nodes(picture)
    assert all(at[h][0] < at[t][0] for t, h in edges(picture) if t in adjoint)


def test_the_key_says_so_of_reverse_mode_alone():
    y, (x, z) = baydin()
    words = ">adjoints: back to the inputs<"
    assert words in draw(reverse_mode(y, [x, z]))._repr_mimebundle_()["text/html"]
    assert words not in draw(forward_mode(y, x))._repr_mimebundle_()["text/html"]
    assert (
        ">their derivatives, at the same places<"
        in film(reverse_mode(y, [x, z]))._repr_mimebundle_()["text/html"]
    )


def test_what_is_inside_an_open_box_keeps_its_direction():
    x = scalar("x")
    box = OpFromGraph([x], [sin(x) * x], name="box")
    stage = reverse_mode(box(x) * x, x)
    assert "dir=back" not in film(stage, open=True)[-1].dot
    assert "dir=back" in draw(stage).right.picture.dot


def test_levels_count_what_the_layout_stacks():
    down = [Edge("a", "b"), Edge("b", "c")]
    assert levels(down) == 2
    assert levels([*down, Edge("c", "d", flow="aside"), Edge("d", "e", flow="back")]) == 2
    assert levels([*down, Edge("c", "d")]) == 3 and levels([]) == 0
