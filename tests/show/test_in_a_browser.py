"""What notebooks show, as Chromium sees it: it can be read aloud, drawn, and seen in the dark.

Runs where Chromium is. The rules of axe-core are those of the package axe_core_python, if that is
installed; nothing else needs it.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

import autodiff_edu as ad
from tests import browser

pytestmark = pytest.mark.skipif(not browser.PROGRAM, reason="needs Chromium")
AXE = find_spec("axe_core_python")
PAGE = """<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">
<title>What notebooks show</title>{scripts}</head><body data-jp-theme-light="{light}">
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
VIOLATIONS = """
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


def page_of(folder, shown, dark=False, scripts=""):
    path = Path(folder) / "page.html"
    theme, light = ("dark", "false") if dark else ("light", "true")
    html = "\n".join(f"<h2>{word}</h2>{bundle(what)}" for word, what in shown.items())
    path.write_text(PAGE.format(theme=theme, light=light, shown=html, scripts=scripts), "utf-8")
    return path


def test_every_picture_is_drawn_and_has_words(tmp_path):
    found = browser.found_by(IMAGES, page_of(tmp_path, pieces()), tmp_path / "profile")
    assert len(found) > len(pieces())
    assert all(width and words for width, words in found)


@pytest.mark.parametrize("dark", [False, True])
def test_on_a_dark_page_each_sheet_is_turned_once(dark, tmp_path):
    page = page_of(tmp_path, pieces(), dark)
    found = browser.found_by(CARDS, page, tmp_path / "profile")
    assert len(found) == len(pieces())
    assert all(len(looks) == dark for looks in found), found


@pytest.mark.skipif(not AXE, reason="needs the package axe_core_python")
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(dark, tmp_path):
    shutil.copy(Path(AXE.submodule_search_locations[0]) / "axe.min.js", tmp_path / "axe.js")
    page = page_of(tmp_path, pieces(), dark, '<script src="axe.js"></script>')
    assert browser.found_by(VIOLATIONS, page, tmp_path / "profile") == []
