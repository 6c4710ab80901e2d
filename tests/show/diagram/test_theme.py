"""The look can be read by everyone: enough contrast, and nothing said by colour alone."""

import re
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.show.build.wildcard_colours import hues
from autodiff_edu.show.diagram import theme as style
from autodiff_edu.show.diagram.diagram import edge_look, node_look

WEIGHTS = np.array([0.213, 0.715, 0.072])  # by which CSS's filters weigh red, green and blue


def hue_rotated(rgb, degrees):
    assert degrees == 180
    return 2 * WEIGHTS @ rgb - rgb


FILTERS = {  # as CSS defines them
    "invert": lambda rgb, a: a + (1 - 2 * a) * rgb,
    "hue-rotate": hue_rotated,
    "saturate": lambda rgb, s: s * rgb + (1 - s) * (WEIGHTS @ rgb),
    "contrast": lambda rgb, c: c * (rgb - 0.5) + 0.5,
    "grayscale": lambda rgb, a: (1 - a) * rgb + a * (np.array([0.2126, 0.7152, 0.0722]) @ rgb),
}


def filtered(colour, filters):
    """What filters of a page make of a colour, one after another."""
    rgb = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    for name, amount in re.findall(r"([a-z-]+)\(([\d.]+)(?:deg)?\)", filters):
        rgb = np.clip(FILTERS[name](rgb, float(amount)), 0, 1)
    return "#" + "".join(f"{round(255 * x):02x}" for x in rgb)


def turned(colour):
    """What a dark page makes of a colour."""
    return filtered(colour, style.DARK)


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
    look = node_look(*words)
    assert contrast(look.get("fontcolor", style.INK), look["fillcolor"]) >= 4.5
    assert contrast(look["color"], style.PAPER) >= 3
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


PAGES = {"light": "", "dark": style.DARK, "light, in grey": "grayscale(1)",
         "dark, in grey": f"{style.DARK} grayscale(1)"}  # fmt: skip
PAIRS = {  # of looks that mean two things: of nodes and, under the same words, of edges
    "values and derivatives": (("forward", "plain"), ("derivative", "plain")),
    "before and after": (("forward", "removed"), ("forward", "new")),
}


@pytest.mark.each("case", [*product(PAIRS, PAGES)], ids=lambda case: " ".join(case))
def test_two_colours_have_contrast_to_each_other(case):
    """Lines of both differ, and can be seen on the page."""
    pair, page = case
    ground = filtered(style.PAPER, PAGES[page])
    nodes = [node_look("operation", *words)["color"] for words in PAIRS[pair]]
    edges = [edge_look(*words)["color"] for words in PAIRS[pair]]
    for colours in (nodes, edges):
        one, other = (filtered(colour, PAGES[page]) for colour in colours)
        assert min(contrast(one, other), contrast(one, ground), contrast(other, ground)) >= 3


@pytest.mark.parametrize("page", ["light", "dark"])
def test_fills_can_be_seen(page):
    """Those of values, derivatives and what is new, on the page and beside each other."""
    looks = [*style.PARTS.values(), style.MARKS["new"]]
    fills = [filtered(look["fillcolor"], PAGES[page]) for look in looks]
    ground = filtered(style.PAPER, PAGES[page])
    for fill in fills:
        assert contrast(fill, ground) >= 1.15, fill
    for one, other in combinations(fills, 2):
        apart = [abs(int(one[k : k + 2], 16) - int(other[k : k + 2], 16)) for k in (1, 3, 5)]
        assert max(apart) >= 20, (one, other)


@pytest.mark.each("page", PAGES)
def test_what_is_made_and_what_is_rewritten_next_differ(page):
    """In one frame, by the fills."""
    fills = [style.MARKS[mark]["fillcolor"] for mark in ("new", "matched")]
    assert contrast(*[filtered(fill, PAGES[page]) for fill in fills]) >= 3


def test_words_beside_lines_and_on_plates_have_contrast():
    x = ad.vector("x")
    box = ad.OpFromGraph([x], [x / (x + 1) ** 2], name="f")
    slope = ad.grad(ad.sum(box(x) / x), x)
    for drawn in (ad.draw(slope, open=True), ad.draw(slope)):
        for colour in re.findall(r'<text[^>]* fill="(#\w+)"', drawn.svg):
            assert colour == style.PAPER or contrast(colour, style.PAPER) >= 4.5
        for plate in re.findall(r'bgcolor="(#\w+)" cellpadding="4"', drawn.dot):
            assert contrast(plate, style.PAPER) >= 4.5
    assert style.RUST in drawn.svg


def test_words_about_values_and_derivatives_have_contrast():
    for colour in (style.INK, style.BLUE, style.RUST, style.FAINT, style.GREY):
        for page in PAGES.values():
            assert contrast(filtered(colour, page), filtered(style.PAPER, page)) >= 4.5


def test_the_book_turns_pictures_as_a_notebook_does():
    css = (Path(__file__).parents[3] / "book" / "static" / "book.css").read_text("utf-8")
    assert set(re.findall(r"filter: (invert.*);", css)) == {style.DARK}


@pytest.mark.each("words", [*product(style.EDGE_STYLES, style.EDGE_MARKS)])
def test_edges_have_contrast(words):
    assert contrast(edge_look(*words)["color"], style.PAPER) >= 3


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
        without_colour(node_look(*words))
        for words in product(style.KINDS, style.PARTS, style.MARKS)
        if words[1:] != ("derivative", "removed")
    ]
    assert len(set(looks)) == len(looks)
