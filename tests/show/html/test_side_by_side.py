"""Two pictures are compared: both drawn to one scale, counts below."""

import pytest

import autodiff_edu as ad
from autodiff_edu.show import Picture, SideBySide


@pytest.fixture
def pair(diagram):
    smaller = Picture.of(diagram._replace(nodes=diagram.nodes[:4], edges=diagram.edges[:4]))
    counts = [("nodes", 6, 4), ("operations <b>", 2, 2)]
    return SideBySide(
        ("before", Picture.of(diagram)), ("after & on", smaller), counts=counts, key=["new"]
    )


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
    picture = Picture.of(diagram._replace(nodes=diagram.nodes[:3], edges=diagram.edges[:2]))
    html = SideBySide(("a", picture), ("b", picture))._repr_mimebundle_()["text/html"]
    assert "<table" not in html and "<span" not in html


def test_a_key_of_ones_own_words_stands_in_the_text():
    x = ad.scalar("x")
    y = x * x + x
    text = repr(
        ad.compare(ad.symbolic_derivative(y, x), ad.grad(y, x), captions=("symbolic", "reverse"))
    )
    assert "\nremoved: only symbolic\nnew: only reverse\n" in text


# ---- picture, formula and program


def test_an_overview_shows_one_graph_in_three_forms():
    x = ad.scalar("x")
    y = ad.exp(x) / 2
    shown = ad.overview(y)
    picture, formula, program = (frame.picture for frame in shown.frames)
    assert repr(picture) == repr(ad.draw(y))
    assert str(ad.latex(y)) in repr(formula) and "exp(x)" in repr(program)
    html = shown._repr_mimebundle_()["text/html"]
    assert html.index("<img") < html.index(r"\[\frac{e^{x}}{2}\]") < html.index("<pre")


def test_an_overview_fits_a_page():
    x = ad.vector("x")
    shown = ad.overview(ad.simplify(ad.grad(ad.sum(ad.log(1 + ad.exp(x))), x)))
    assert sum(frame.picture.widths[1] for frame in shown.frames) < 1100


def test_names_in_an_overview_are_data():
    x = ad.scalar("</div><script>alert(1)</script>")
    assert "<script" not in ad.overview(x * 2)._repr_mimebundle_()["text/html"]


@pytest.mark.each("frames", [(), [("a", "text")], ["ab"], [("a",)], [(1, None)]])
def test_what_is_no_picture_is_an_error(frames):
    with pytest.raises(TypeError, match="pairs of a caption and a picture"):
        SideBySide(*frames)
