"""What notebooks show, as Chromium sees it: it can be read aloud, drawn, and seen in the dark.

Runs where Chromium is.
"""

from pathlib import Path

import pytest

import autodiff_edu as ad
from tests.helpers.browser import axe

PAGE = """<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">
<title>What notebooks show</title></head><body data-jp-theme-light="{light}">
<main><h1>What notebooks show</h1>{shown}</main></body></html>"""
CARDS = """
const cards = [...document.querySelectorAll(".autodiff-card")];
return cards.map((card) => {
  const over = [];
  for (let e = card; e; e = e.parentElement) over.push(getComputedStyle(e).filter);
  return over.filter((look) => look !== "none");
});
"""
IMAGES = """
await Promise.all([...document.images].map((image) => image.decode()));
return [...document.images].map((image) => [image.naturalWidth, image.alt.length]);
"""
VIOLATIONS = """;
const found = await axe.run("main", {resultTypes: ["violations"]});
return found.violations.map((v) => [v.id, v.nodes.length, v.nodes[0].html]);
"""


def pieces():
    x = ad.scalar("x")
    y = ad.exp(x) * ad.sin(x) + x
    reverse = ad.reverse_mode(y, x)
    short = ad.simplify(ad.grad(y, x))
    loop = ad.scan(lambda s: ad.tanh(s), outputs_info=x, n_steps=3)
    named = ad.sin(ad.scalar("<b>&\\" + '"'))
    return {
        "a graph": ad.draw(y), "with values": ad.draw(y, values={x: 1.0}), "a film": ad.film(short),
        "a film of reverse mode": ad.film(reverse), "a pair": ad.compare(short.before, short.after),
        "a table": reverse.table(), "a loop": ad.draw(loop, open=True), "names": ad.draw(named),
        "groups": ad.draw(ad.grad(y, x)),
    }  # fmt: skip


def bundle(shown):
    return shown._repr_mimebundle_()["text/html"]


def page_of(folder, shown, dark=False):
    path = Path(folder) / "page.html"
    theme, light = ("dark", "false") if dark else ("light", "true")
    html = "\n".join(f"<h2>{word}</h2>{bundle(what)}" for word, what in shown.items())
    path.write_text(PAGE.format(theme=theme, light=light, shown=html), "utf-8")
    return path


def test_every_picture_is_drawn_and_has_words(tmp_path, chromium):
    chromium.open(page_of(tmp_path, pieces()))
    found = chromium.run(IMAGES)
    assert len(found) > len(pieces())
    assert all(width and words for width, words in found)


@pytest.mark.parametrize("dark", [False, True])
def test_on_a_dark_page_each_sheet_is_turned_once(dark, tmp_path, chromium):
    chromium.open(page_of(tmp_path, pieces(), dark))
    found = chromium.run(CARDS)
    assert len(found) == len(pieces())
    assert all(len(looks) == dark for looks in found), found


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(dark, tmp_path, chromium):
    rules = axe()
    chromium.open(page_of(tmp_path, pieces(), dark))
    assert chromium.run(rules + VIOLATIONS) == []
