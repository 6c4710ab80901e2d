"""Two pictures are compared: both drawn to one scale, counts below."""

import pytest

from autodiff_edu.show import Picture, SideBySide


@pytest.fixture
def pair(sketch):
    smaller = Picture.of(sketch._replace(nodes=sketch.nodes[:4], edges=sketch.edges[:4]))
    counts = [("nodes", 6, 4), ("operations <b>", 2, 2)]
    return SideBySide(("before", Picture.of(sketch)), ("after & on", smaller), counts, key=["new"])


def test_text_has_both_pictures_and_the_counts(pair):
    text = repr(pair)
    assert text.startswith("before:\nn0  input  x") and "after & on:\nn0" in text
    assert text.endswith("nodes: 6 → 4\noperations <b>: 2 → 2")
    assert text.count("DOT sha256") == 2


def test_page_has_both_pictures_the_key_and_the_table(pair):
    html = pair._repr_mimebundle_()["text/html"]
    assert html.count("<img ") == 2 and html.count("<tr>") == 3
    assert "after &amp; on" in html and "operations &lt;b&gt;" in html
    assert ">new</span>" in html


def test_counts_and_key_may_be_missing(sketch):
    picture = Picture.of(sketch)
    html = SideBySide(("a", picture), ("b", picture))._repr_mimebundle_()["text/html"]
    assert "<table" not in html and "<span" not in html
