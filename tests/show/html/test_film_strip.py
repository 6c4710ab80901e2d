"""A film steps without a kernel, and falls apart into a readable strip."""

import re

import pytest

from autodiff_edu.show import Film, Picture
from autodiff_edu.show.diagram import layout
from autodiff_edu.show.html import page


@pytest.fixture
def film(diagram):
    frames = [diagram._replace(nodes=diagram.nodes[: k + 1], edges=()) for k in range(4)]
    return Film([(f"step <{k}>", Picture.of(f)) for k, f in enumerate(frames)], key=["new"])


def test_it_is_a_sequence(film):
    assert len(film) == 4 and isinstance(film[1], Picture)
    assert [f.digest for f in film] == [f.picture.digest for f in film.frames]
    assert film[1:].captions == ("step <1>", "step <2>", "step <3>")
    assert film[-1] == film[3]


def test_the_text_has_captions_and_digests(film):
    lines = repr(film).splitlines()
    assert lines[0].startswith("film of 4 frames") and len(lines) == 5
    assert lines[2] == f"1. step <1>  {film[1].digest}"


def test_every_frame_has_a_button_a_caption_and_a_picture(film):
    html = film._repr_mimebundle_()["text/html"]
    assert html.count('type="radio"') == html.count("<section") == html.count("<img ") == 4
    assert html.count(" checked>") == 1 and html.count("&lt;2&gt;") == 2
    assert "<script" not in html and not re.search(r"\bid=|\bon\w+=", html)


def test_what_an_untrusted_notebook_leaves_is_a_strip(film):
    html = re.sub(r"<style>.*?</style>", "", film._repr_mimebundle_()["text/html"], flags=re.S)
    assert '<p class="steps" style="display:none">' in html
    assert re.findall(r"<b>(\d of \d)</b>", html) == ["0 of 3", "1 of 3", "2 of 3", "3 of 3"]


def test_frames_keep_one_scale(film):
    html = film._repr_mimebundle_()["text/html"]
    widths = [int(w) for w in re.findall(r'width="(\d+)"', html)]
    shares = [float(s) for s in re.findall(r"max-width:([\d.]+)%;min", html)]
    assert shares == pytest.approx([100 * w / max(widths) for w in widths], rel=1e-3)


def test_the_same_film_has_the_same_bytes(film):
    again = Film(film.frames, film.key)._repr_mimebundle_()
    assert again == film._repr_mimebundle_()


def test_a_film_without_frames_is_refused():
    with pytest.raises(ValueError, match="at least one frame"):
        Film([])


def test_without_graphviz_it_lists_each_frame(film, monkeypatch):
    def missing(*args):
        raise layout.GraphvizMissing(layout.REMEDY)

    monkeypatch.setattr(page, "short", missing)
    assert film._repr_mimebundle_()["text/html"].count("<pre>") == 4
