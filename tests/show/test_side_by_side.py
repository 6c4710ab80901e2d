"""Two pictures are compared: both drawn to one scale, counts below."""

import pytest

from autodiff_edu.show import Picture, SideBySide


@pytest.fixture
def pair(diagram):
    smaller = Picture.of(diagram._replace(nodes=diagram.nodes[:4], edges=diagram.edges[:4]))
    counts = [("nodes", 6, 4), ("operations <b>", 2, 2)]
    return SideBySide(("before", Picture.of(diagram)), ("after & on", smaller), counts, key=["new"])


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


def test_counts_and_key_may_be_missing(diagram):
    picture = Picture.of(diagram)
    html = SideBySide(("a", picture), ("b", picture))._repr_mimebundle_()["text/html"]
    assert "<table" not in html and "<span" not in html
