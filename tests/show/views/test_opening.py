"""Boxes in films, comparisons, stages, texts, formulas, tables and stories."""

import re

import pytest

from autodiff_edu.differentiate import grad, reverse_mode, symbolic_derivative
from autodiff_edu.expr import Disconnected, Graph, Null, text
from autodiff_edu.nested import OpFromGraph, scan
from autodiff_edu.ops import exp, scalar, sin, tanh
from autodiff_edu.show import Film, compare, draw, film, latex, table, why
from autodiff_edu.show.diagram import layout
from autodiff_edu.show.html import page
from tests.show.boxed import Boxed, Looped, lines, nested, product, twice


@pytest.fixture
def za():
    return twice()


@pytest.fixture
def z(za):
    return za[0]


@pytest.fixture
def a(za):
    return za[1]


# ---- films, comparisons, stages


def test_a_film_opens_level_by_level():
    frames = film(nested())
    assert frames.captions == ("closed", "g opened", "f opened")
    assert [frame.picture for frame in frames.frames] == [
        draw(nested(), open=k, direction="LR") for k in range(3)
    ]
    html = re.sub(r"<style>.*?</style>", "", frames._repr_mimebundle_()["text/html"], flags=re.S)
    assert html.count("<img ") == 3 and "<b>2 of 2</b> f opened" in html
    assert film([nested(), nested()], direction="TB").captions == frames.captions


def test_what_cannot_be_opened_has_no_film(a):
    for what in (a * a, Graph(a * a), 3):
        with pytest.raises(TypeError):
            film(what)
    with pytest.raises(TypeError, match="ad.draw"):
        film(a * a)


def test_comparisons_mark_boxes_closed_and_open(z, a):
    more = z + exp(z.inputs[0])
    assert "box  f  [3 operations inside]\n" in repr(compare(z, more))
    new = product("h")(a, a)
    assert "box  h  [3 operations inside, new]" in repr(compare(z, z + new))
    right = compare(z, z + new, open=True).right.picture
    assert lines(right, "open box  h  [new]") and lines(right, "operation  sin  [new]")
    assert len(lines(right, "output  out  [new]")) == 1, "its own, not the graph's"


def test_stages_draw_and_film_boxes(z, a):
    stage = reverse_mode(z, a)
    assert lines(stage.draw().right.picture, "pullback of f")
    assert lines(draw(stage, open=True).right.picture, "pullback of f = 5 operations")
    typed = draw(stage, open=True, types=True).right.picture
    assert lines(typed, "pullback of f = 5 operations") and lines(typed, "c = float64")
    still = film(stage, open=True)
    assert isinstance(still, Film) and len({frame.widths for frame in still}) == 1
    assert "pullback of f" not in still[0].listing and "pullback of f" not in still[0].svg
    assert len(film(stage)) == len(stage.steps) + 1


def test_a_box_may_be_highlighted_and_so_may_what_is_inside(z):
    inner = z.inputs[0].op.body.output
    picture = draw(z, open=True, highlight=[z.inputs[0], inner])
    assert lines(picture, "open box  f  [matched]")
    assert len(lines(picture, "operation  +  [matched]")) == 2


# ---- words, formulas, tables, stories


def test_boxes_in_text_and_formulas(z, a):
    assert text(z) == "f(a, b) * f(b, a)"
    assert latex(z) == r"z = f(a, b) \cdot f(b, a)"
    assert text(nested()) == "exp(g(a, b)[0]) * g(a, b)[1]"
    assert latex(nested()) == r"e^{g(a, b)_{u}} \cdot g(a, b)_{v}"
    assert latex(product("my_box")(a, a)) == r"\operatorname{my\_box}(a, a)"
    assert text(product("pullback of f")(a, a)) == "pullback_of_f(a, a)"
    last, every, _ = Looped()(10.0, a, a)
    assert r"_{{\text{last h}}}" in latex(last)


def test_results_without_names_are_counted_from_one(a):
    x = scalar("x")
    first, second = Boxed("h", [x], [sin(x), exp(x)])(a)
    assert latex(first + second) == "h(a)_{1} + h(a)_{2}"


def test_boxes_in_tables_and_stories(z, a):
    stage = reverse_mode(z, a)
    assert "pullback_of_f(" in repr(table(stage)) and "0x" not in repr(table(stage))
    story = why(stage.output)
    assert "pullback_of_f" in repr(story) and "boxed.py" in story.place
    inner = why(z.inputs[0].op.body.output)
    assert inner.lines[-1].endswith("`return Boxed(name, [x, y], [x * y + sin(x)], names)`")
    assert "<svg" in inner.picture.svg


def test_derivatives_that_do_not_exist_say_so():
    assert (text(Null("no")), text(Disconnected())) == ("undefined", "disconnected")
    assert "n0  constant  undefined" in draw(Null("no")).listing
    assert latex(Disconnected()) == r"\mathit{disconnected}"


# ---- with the engine's own boxes and loops


def test_the_rules_of_calculus_open_boxes_too(a):
    x, y = scalar("x"), scalar("y")
    f = OpFromGraph([x, y], [x * y + sin(x)], name="f")
    captions = film(symbolic_derivative(f(a, 2 * a), a)).captions
    assert "D(f(a, 2 * a)) → tangent_of_f(" in captions[1]
    stage = symbolic_derivative(f(a, 2 * a), a)
    assert "tangent of f = 6 operations" in draw(stage, open=True).right.picture.listing
    first, second = (film(stage, open=True)[k].listing for k in (0, 1))
    assert "tangent of f = 6 operations" in second and "cos" in second and "cos" not in first


def test_a_loop_and_its_derivative_open(a):
    w = scalar("w")
    every = scan(lambda h: tanh(w * h + 0.5), outputs_info=[a], n_steps=10)
    stage = draw(grad(every[-1], w), open=True)
    assert len(lines(stage, "open box  ")) == 2 and len(lines(stage, "[next step")) >= 3
    assert "<svg" in stage.svg and "cluster_" not in stage.svg
    assert film(every).captions[0] == "closed" and film(every).captions[1].startswith("scan × 10")


def test_without_graphviz_an_open_box_is_listed(z, monkeypatch):
    def missing(*args):
        raise layout.GraphvizMissing(layout.REMEDY)

    monkeypatch.setattr(page, "short", missing)
    assert "  n2.n0  input  x" in draw(z, open=True)._repr_mimebundle_()["text/html"]


def test_in_the_box_of_a_derivative_what_is_not_used_belongs_to_it_too():
    x, ct = scalar("x"), scalar("ct")
    deaf = OpFromGraph([x, ct], [2 * x], name="deaf")
    f = OpFromGraph([x], [x * x], pullback=deaf, name="f")
    shown = draw(grad(3 * f(x), x), open=True).listing.splitlines()
    (inner,) = [line for line in shown if "  ct" in line]
    assert inner.endswith("input  ct  [derivative]")
