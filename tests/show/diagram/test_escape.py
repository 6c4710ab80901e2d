"""Names of any kind are shown as they stand, and never act."""

import base64
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autodiff_edu as ad
from autodiff_edu.expr import number
from autodiff_edu.expr.text import SHORT, shorten, visible
from autodiff_edu.show import Diagram, Edge, Film, Node, Picture, SideBySide
from autodiff_edu.show.diagram.layout import SPACER, spaced

HOSTILE = [
    "<script>alert(1)</script>",
    "<b>",
    'a"b',
    "'",
    "x; import os",
    "]; n9 [shape=star",
    "\\",
    "\\\\N",
    r"\N \G \l \r \n",
    "&lt;b&gt; &amp; &#92;",
    "θ_λ",
    "скорость",
    "损失函数",
    "graph",
    "-1.5",
    "",
    "x" * 150 + "y" * 150,
    "a\nb\tc\x00d\x1b[31m\u202ee\ud800",
]
every_name = pytest.mark.each("name", HOSTILE, ids=[f"{k}" for k in range(len(HOSTILE))])


def letters(svg):
    root = ET.fromstring(svg)
    return ["".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text")]


@every_name
def test_a_name_is_shown_as_it_stands(name):
    nodes = (Node("n0", name, "input"), Node("n1", name, note=name))
    svg = Picture.of(Diagram(nodes, (Edge("n0", "n1", name),))).svg
    shown = visible(shorten(name))
    seen = [t.replace("\xa0", " ").strip() for t in letters(svg)]
    assert seen == [shown] * (4 if name else 0)


@every_name
def test_the_tooltip_has_the_whole_name(name):
    svg = Picture.of(Diagram((Node("n0", name),), ())).svg
    titles = [t.text for t in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}title")]
    assert titles[1:] == ([visible(name)] if name else titles[1:])


@every_name
def test_no_tag_of_a_name_reaches_the_page(name):
    picture = Picture.of(Diagram((Node("n0", name, "input"),), ()), alt=name)
    pages = [picture, Film([(name, picture)]), SideBySide((name, picture), (name, picture))]
    for page in pages:
        html = page._repr_mimebundle_()["text/html"]
        tags = set(re.findall(r"<(\w+)", html)) - set("div style img form p label input b".split())
        assert tags <= {"section"}
        drawing = base64.b64decode(re.search(r'base64,([^"]+)"', html)[1]).decode()
        assert "<script" not in drawing and "<b>" not in drawing
        ET.fromstring(drawing)


def test_a_long_name_loses_its_middle():
    short = shorten("x" * 150 + "y" * 150)
    assert len(short) == SHORT
    assert short.startswith("xxx") and "…" in short and short.endswith("yyy")
    assert shorten("short") == "short"


def test_wide_letters_get_room():
    narrow, wide = (Picture.of(Diagram((Node("n0", t * 20),), ())).widths[0] for t in ("x", "损"))
    assert wide > 1.3 * narrow > 1.3 * 16 * 10


@given(st.text(alphabet=st.characters(exclude_characters="\u2005")))
def test_spacing_is_undone(text):
    assert spaced(text).replace(SPACER, "") == text


@given(st.text())
def test_what_is_visible_prints(text):
    assert visible(text).isprintable() or any(c in text for c in visible(text))
    assert not set(visible(text)) & set(map(chr, range(32)))


JOINED = ["👨\u200d👩\u200d👧", "🏳️\u200d🌈", "👩🏽\u200d🔬", "می\u200cخواهم", "क्\u200dष"]


@pytest.mark.each("name", JOINED)
def test_what_joins_letters_and_emoji_stays(name):
    assert visible(name) == name == visible(visible(name))
    x = ad.scalar(name)
    assert str(x) == name and name in ad.draw(x).alt
    assert name in "".join(letters(Picture.of(Diagram((Node("n0", name),), ())).svg))
    assert name in str(ad.latex(x * 2))


@pytest.mark.each("c", ["\u200c", "\u200d"])
def test_what_joins_nothing_is_seen(c):
    """Two names that look alike are the same, as far as a joiner is concerned."""
    for a, b in [("a", "b"), ("", ""), ("می", ""), ("", "می"), ("a", "می"), ("й", "й"), ("م", " ")]:
        assert visible(a + c + b) == f"{a}\ufffd{b}"
    assert visible(f"م{c}{c}م") == "م\ufffd\ufffdم"


@given(st.text(alphabet="می👩🔬a\u202e\u2066\u2069\u200b\u200f\u200d\u200c\ufeff\U000e0067"))
def test_what_turns_the_direction_is_seen_beside_joiners(text):
    shown = visible(text)
    assert set(shown) <= set("می👩🔬a\u200d\u200c\ufffd") and len(shown) == len(text)


# ---- numbers


def test_a_computed_number_is_shown_to_the_digits_of_every_processor():
    x = ad.scalar("x")
    y = ad.simplify(ad.log(2) * x).output
    assert str(y) == "0.69314718056 * x"
    assert "0.69314718056" in str(ad.latex(y))
    assert "0.693147180559" in ad.function(x, y).source


@pytest.mark.each(
    "value, shown",
    [
        (0.1, "0.1"), (2.0, "2"), (-0.0, "-0"), (1e16, "1e+16"), (1 / 3, "0.333333333333"),
        (np.float32(1 / 3), "0.333333"), (np.full(3, 1 / 3), "0.333333333333"), (np.nan, "nan"),
        (123456789012345.0, "123456789012345"), (True, "True"), (np.zeros((2, 0)), "array(2, 0)"),
    ],
)  # fmt: skip
def test_numbers(value, shown):
    assert number(value, exact=False) == shown
