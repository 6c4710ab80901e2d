"""Marks that a viewer's fonts may lack travel with what writes them, and only with that."""

import re
from pathlib import Path

import pytest

from autodiff_edu.differentiate import forward_mode, reverse_mode
from autodiff_edu.ops import scalar, sin
from autodiff_edu.show import draw, film
from autodiff_edu.show.diagram.letters import FOLDER, font_face, has_marks
from autodiff_edu.show.diagram.theme import LEGIBLE
from autodiff_edu.show.html.page import narrowest, size
from autodiff_edu.show.views.trace import BAR, DOT, SUBSCRIPT
from tests.helpers.depth import some


@pytest.mark.parametrize("way", [forward_mode, reverse_mode])
def test_pictures_of_derivatives_carry_their_marks(way):
    x = scalar("x")
    stage = way(sin(x) * x, x)
    assert draw(stage).right.picture.svg.count("@font-face") == 1
    assert "@font-face" in film(stage)._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize("way", [forward_mode, reverse_mode])
def test_films_of_derivatives_need_no_font_for_theirs(way):
    x = scalar("x")
    svg = film(way(sin(x) * x, x))[-1].svg
    assert not has_marks(svg)
    assert ("overline" in svg) == (way is reverse_mode)


def test_others_do_not():
    x = scalar("x")
    picture = draw(sin(x) * x)
    assert "@font-face" not in picture.svg + picture._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize("name", some(["marks", "v"], 2, turn=1))
def test_the_font_has_what_the_engine_writes_cut_from_dejavu(name):
    import matplotlib  # not when tests are collected: a tenth of a second
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.ttLib import TTFont

    ours = TTFont(FOLDER / f"{name}.woff")
    theirs = TTFont(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf")
    names = ours.getBestCmap()
    assert {*map(ord, BAR + DOT + "v\u1d40"), *SUBSCRIPT.values()} <= set(names)
    for code, name in names.items():
        drawn = RecordingPen(), RecordingPen()
        ours.getGlyphSet()[name].draw(drawn[0])
        theirs.getGlyphSet()[theirs.getBestCmap()[code]].draw(drawn[1])
        assert len(drawn[0].value) == len(drawn[1].value)


def test_a_small_font_is_enough_where_v_alone_has_marks():
    small, whole = (len(font_face(text)) for text in ("v\u0304\u2081 = w\u1d40", "x\u0304 v\u0304"))
    assert small < whole / 2


def test_words_beside_a_line_have_its_colour():
    x = scalar("x")
    svg = draw(1 / x - x).svg
    beside = re.findall(r'class="edge">.*?stroke="(.*?)".*?fill="(#\w+)" stroke=', svg, re.S)
    assert beside and all(line == words for line, words in beside)


def test_every_letter_is_legible_however_narrow_the_page():
    x = scalar("x")
    for picture in (draw(sin(x) / x), film(reverse_mode(sin(x) / x, x))[-1]):
        smallest = min(float(n) for n in re.findall(r'font-size="(.*?)"', picture.svg))
        assert smallest * narrowest(picture.svg) / size(picture.svg)[0] >= LEGIBLE
