"""A derivative is drawn beside its values from the first node on, each adjoint in its value's
row."""

import re

import pygraphviz
import pytest

import autodiff_edu as ad
from autodiff_edu.differentiate import forward_mode, reverse_mode, symbolic_derivative
from autodiff_edu.ops import exp, log, matrix, mean, scalar, sin, vector
from autodiff_edu.show import draw, film
from autodiff_edu.show.diagram.theme import PAPER

from ...helpers.programs import random_numbers

MARK = {"reverse mode": "\u0304", "forward mode": "\u0307", "symbolic derivative": "′"}


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


def places(picture):
    """The column and the row of each part by its name, and by what is written in it."""
    graph = pygraphviz.AGraph(string=picture.dot)
    at = {n: tuple(map(float, n.attr["pos"].split(","))) for n in graph.nodes()}
    names = {n: graph.get_node(n).attr["label"] for n in at if n.startswith("name")}
    own = {n: graph.get_node(n).attr["label"] for n in at if n.isdigit()}
    named = {words.rpartition(" = ")[2]: at[n.removeprefix("name")] for n, words in names.items()}
    return named, {own[n]: at[n] for n in own} | named


def check_rows(stage):
    (named, at), mark = places(draw(stage).right.picture), MARK[stage.name]
    beside = [(name, name.replace(mark, "")) for name in named if mark in name]
    assert beside
    for name, value in beside:
        assert at[name][1] == at[value][1] and at[name][0] > at[value][0], (stage, name)


@pytest.mark.each("make", [baydin, regression, shared])
def test_a_derivative_stands_in_the_row_of_its_value(make):
    y, wrt = make()
    check_rows(reverse_mode(y, wrt))
    check_rows(forward_mode(y, wrt[0]))
    if not wrt[0].ndim:
        check_rows(symbolic_derivative(y, wrt[0]))


def test_so_do_those_of_random_formulas():
    for seed in range(6):
        inputs, _, y = random_numbers(seed, 12)
        check_rows(reverse_mode(y, inputs))


def test_frames_of_the_film_have_the_same_rows():
    y, wrt = baydin()
    row = {box.name: box.y for box in film(reverse_mode(y, wrt))[-1].still.boxes.values()}
    adjoints = [name for name in row if "\u0304" in name]
    assert len(adjoints) >= 2
    for name in adjoints:
        assert row[name] == row[name.replace("\u0304", "")]


def test_the_key_says_what_stands_where():
    words = ">their derivatives, at the same places<"
    y, (x, z) = baydin()
    for shown in (
        draw(reverse_mode(y, [x, z])),
        draw(forward_mode(y, x)),
        film(reverse_mode(y, x)),
    ):
        html = shown._repr_mimebundle_()["text/html"]
        assert words in html
        (key,) = re.findall('<p class="key".*?</p>', html)
        assert key.count(f"background:{PAPER}") == 2  # as the boxes have no fills


def test_a_long_label_loses_its_operands_first():
    a, b = scalar("a"), scalar("b")
    f = ad.OpFromGraph([a, b], [sin(a) * b], name="f")
    listing = draw(reverse_mode(f(a, b) * f(b, a), a)).right.picture.listing
    assert "pullback of f" in listing and "…" not in listing
