"""The look can be read by everyone: enough contrast, and nothing said by colour alone."""

import re
from itertools import product

import pytest

import autodiff_edu as ad
from autodiff_edu.show.build.wildcard_colours import hues
from autodiff_edu.show.diagram import theme as style


def turned(colour):
    """What a dark page makes of a colour: invert(.89), and hue-rotate(180deg) as CSS defines it."""
    r, g, b = (0.89 - 0.78 * int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    whole = 0.426 * r + 1.43 * g + 0.144 * b
    parts = (min(max(x, 0), 1) for x in (whole - r, whole - g, whole - b))
    return "#" + "".join(f"{round(255 * x):02x}" for x in parts)


def luminance(colour):
    parts = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one, other):
    dark, light = sorted(luminance(c) for c in (one, other))
    return (light + 0.05) / (dark + 0.05)


every_look = pytest.mark.each("words", [*product(style.KINDS, style.PARTS, style.MARKS)])


@every_look
def test_text_and_lines_have_contrast(words):
    look = style.node_look(*words)
    assert contrast(look.get("fontcolor", style.INK), look["fillcolor"]) >= 4.5
    assert contrast(look["color"], style.PAPER) >= 4.5
    letters, fill = turned(look.get("fontcolor", style.INK)), turned(look["fillcolor"])
    assert contrast(letters, fill) >= 4.5


@pytest.mark.each("colour", [*style.HUES, *[hue for _, hue in style.HEAT.values()]])
def test_the_letters_on_colours_have_contrast_on_light_and_dark_pages(colour):
    assert contrast(style.INK, colour) >= 4.5
    assert contrast(turned(style.INK), turned(colour)) >= 4.5


def test_wildcards_have_colours_of_their_own():
    assert hues("xyc") == hues("cyx") and set(hues("xyczdp").values()) == set(style.HUES)
    assert hues(["x", "mine"])["x"] == hues("x")["x"] != hues(["x", "mine"])["mine"]
    assert len(hues(f"w{k}" for k in range(20))) == 20
    assert hues("WXB") == hues("BXW")  # a film of one rule meets them in any order


@pytest.mark.each("words", [*product(style.EDGE_STYLES, style.EDGE_MARKS)])
def test_edges_have_contrast(words):
    assert contrast(style.edge_look(*words)["color"], style.PAPER) >= 3


def without_colour(look):
    thick, light = float(look.get("penwidth", 1)) > 2, luminance(look["fillcolor"])
    shade = sum(light < limit for limit in (0.3, 0.8))
    return look["shape"], look.get("peripheries"), look["style"], thick, shade


def test_a_dotted_line_has_enough_ink_for_a_projector():
    """Of a line whose colour has contrast, a third at least is drawn."""
    x = ad.scalar("x")
    drawn = ad.compare(x * 1, x).left.picture.svg
    dashes = re.findall(r'stroke-dasharray="([\d.]+),([\d.]+)"', drawn)
    assert dashes
    for ink, gap in dashes:
        assert float(ink) / (float(ink) + float(gap)) > 1 / 3


def test_kinds_parts_and_marks_survive_without_colour():
    looks = [
        without_colour(style.node_look(*words))
        for words in product(style.KINDS, style.PARTS, style.MARKS)
        if words[1:] != ("derivative", "removed")
    ]
    assert len(set(looks)) == len(looks)
