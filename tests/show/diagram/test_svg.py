"""What is left of Graphviz's SVG: no chatter, no ids, words for a reader, letters one can read."""

import re
from xml.etree import ElementTree as ET

import numpy as np

import autodiff_edu as ad
from autodiff_edu.show import Picture
from autodiff_edu.show.diagram.svg import read
from autodiff_edu.show.diagram.svg import svg as drawn_svg
from autodiff_edu.show.diagram.theme import FONT_STACK, LEGIBLE
from autodiff_edu.show.html.page import narrowest, short, size


def test_nothing_that_varies_is_left(diagram):
    svg = Picture.of(diagram).svg
    assert not re.search(r"<!--|version|graphviz|DOCTYPE| id=|xlink|%3|n2&#45;", svg)


def test_it_describes_itself(diagram):
    picture = Picture.of(diagram)
    root = ET.fromstring(picture.svg)
    assert root.get("role") == "img" and root.get("aria-label") == picture.alt
    assert [root[0].text, root[1].text] == [picture.alt, picture.listing]


def test_fonts_are_those_of_everywhere(diagram):
    assert set(re.findall(r'font-family="(.*?)"', Picture.of(diagram).svg)) == {FONT_STACK}


def test_letters_stay_legible_when_it_shrinks(diagram):
    svg = Picture.of(diagram).svg
    smallest = min(float(n) for n in re.findall(r'font-size="(.*?)"', svg))
    assert smallest * narrowest(svg) / size(svg)[0] >= LEGIBLE * 0.99


def test_lines_of_a_label_share_the_middle_of_their_shape():
    svg = drawn_svg("digraph { a [shape=box label=<损失函数损失函数<br/>b>] }")
    middles = re.findall(r'<text x="(.*?)"', svg)
    assert 'text-anchor="middle"' in svg
    assert len(middles) == 2 and len(set(middles)) == 1


def test_shapeless_nodes_are_left_alone():
    assert "plain" in drawn_svg("digraph { a [shape=plaintext label=plain] }")


def shapes(svg):
    """Each element that is drawn, with its attributes but for its name; and its text."""
    tags = {"path", "polygon", "polyline", "ellipse", "text"}
    for e in read(svg).iter():
        if e.tag in tags:
            yield e.tag, {k: v for k, v in e.items() if k != "class" or v == "marked"}, e.text


def test_in_an_image_it_has_no_words_for_a_reader_and_looks_the_same():
    x = ad.vector("x", shape=3)
    box = ad.OpFromGraph([x], [ad.sin(x) * x])
    picture = ad.draw(ad.grad(box(x).sum() + x[0], x), open=True)
    image = short(picture.dot)
    assert len(list(shapes(image))) > 30
    assert list(shapes(image)) == list(shapes(picture.svg))
    assert not re.search("<title|<desc|aria-label|class=.node", image)
    whole = read(picture.svg).attrib
    assert read(image).attrib == {k: whole[k] for k in whole if k not in ("role", "aria-label")}


def test_a_film_of_seventeen_steps_has_600_kilobytes():
    """The adjoints of a network in NumPy that is small enough to be looked at."""
    weights = [ad.matrix(f"w{k}", shape=(4, 4)) for k in range(5)]
    h = ad.vector("h", shape=4)
    for w in weights:
        h = np.tanh(w @ h) / 1.0 + 0.0
    stage = ad.simplify([ad.sum(h), *ad.reverse_mode(ad.sum(h), weights).outputs])
    assert len(stage.before.order) >= 64
    film = ad.film(stage)[:18]
    assert len(film) == 18
    assert len(film._repr_mimebundle_()["text/html"]) < 600_000


def test_an_underscore_is_no_bar_over_the_line_below():
    def gap(word):
        drawn = read(drawn_svg(f"digraph {{ a [label=<{word}<br/>b>] }}"))
        above, below = [float(text.get("y")) for text in drawn.iter("text")]
        return below - above

    assert gap("a_b") == gap("ab") + 3
