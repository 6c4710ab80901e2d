"""What is left of Graphviz's SVG: no chatter, no ids, words for a reader, letters one can read."""

import re
from xml.etree import ElementTree as ET

from autodiff_edu.show import Picture
from autodiff_edu.show.diagram import graphviz
from autodiff_edu.show.diagram.svg import narrowest, size
from autodiff_edu.show.diagram.theme import FONT_STACK, LEGIBLE


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
    svg = graphviz.svg("digraph { a [shape=box label=<损失函数损失函数<br/>b>] }")
    middles = re.findall(r'<text x="(.*?)"', svg)
    assert 'text-anchor="middle"' in svg
    assert len(middles) == 2 and len(set(middles)) == 1


def test_shapeless_nodes_are_left_alone():
    assert "plain" in graphviz.svg("digraph { a [shape=plaintext label=plain] }")
