"""What notebooks show, as Chromium sees it: it can be read aloud, drawn, and seen in the dark.

Runs where Chromium is.
"""

from functools import cache
from pathlib import Path

import pytest

import autodiff_edu as ad
from autodiff_edu.show.html.table import SHORT, Table
from tests.helpers.browser import axe
from tests.helpers.depth import some

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
LINES = """
return [...document.querySelectorAll("td, th")].map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
  return [cell.textContent, lines.size];
});
"""
CUT = """
return [...document.querySelectorAll("pre")].map((text) => [text.scrollWidth, text.clientWidth]);
"""
VIOLATIONS = """;
const found = await axe.run("main", {resultTypes: ["violations"]});
return found.violations.map((v) => [v.id, v.nodes.length, v.nodes[0].html]);
"""


@cache
def pieces():
    """The HTML of each."""
    x = ad.scalar("x")
    y = ad.exp(x) * ad.sin(x) + x
    reverse = ad.reverse_mode(y, x)
    short = ad.simplify(ad.grad(y, x))
    loop = ad.scan(lambda s: ad.tanh(s), outputs_info=x, n_steps=3)
    named = ad.sin(ad.scalar("<b>&\\" + '"'))
    shown = {
        "a graph": ad.draw(y), "with values": ad.draw(y, values={x: 1.0}), "a film": ad.film(short),
        "a film of reverse mode": ad.film(reverse), "a pair": ad.compare(short.before, short.after),
        "a table": reverse.table(), "a loop": ad.draw(loop, open=True), "names": ad.draw(named),
        "groups": ad.draw(ad.grad(y, x)),
    }  # fmt: skip
    return {words: bundle(piece) for words, piece in shown.items()}


def bundle(shown):
    return shown._repr_mimebundle_()["text/html"]


def page_of(folder, shown, dark=False):
    path = Path(folder) / "page.html"
    theme, light = ("dark", "false") if dark else ("light", "true")
    html = "\n".join(f"<h2>{word}</h2>{piece}" for word, piece in shown.items())
    path.write_text(PAGE.format(theme=theme, light=light, shown=html), "utf-8")
    return path


def test_every_picture_is_drawn_and_has_words(tmp_path, chromium):
    chromium.open(page_of(tmp_path, pieces()))
    found = chromium.run(IMAGES)
    assert len(found) > len(pieces())
    assert all(width and words for width, words in found)


@pytest.mark.parametrize("dark", some([False, True], 2, turn=1))
def test_on_a_dark_page_each_sheet_is_turned_once(dark, tmp_path, chromium):
    chromium.open(page_of(tmp_path, pieces(), dark))
    found = chromium.run(CARDS)
    assert len(found) == len(pieces())
    assert all(len(looks) == dark for looks in found), found


@pytest.mark.parametrize("dark", some([False, True], 2))
def test_axe_finds_nothing(dark, tmp_path, chromium):
    rules = axe()
    chromium.open(page_of(tmp_path, pieces(), dark))
    assert chromium.run(rules + VIOLATIONS) == []


def random_words(rng, most):
    """Words, numbers and signs of all lengths, as cells have them."""
    parts = ["a", "cost", "→", "5", "1,024", "v̄₁", "-", "−", "/", "of", "5 → 4", "(u + v)"]
    return " ".join(rng.choice(parts, rng.integers(1, most)))


@pytest.mark.parametrize("width", some([1280, 500], 2, turn=1))
def test_short_cells_are_one_line_however_long_the_others_are(width, tmp_path, chromium, rng):
    x = ad.scalar("x")
    cells = [[random_words(rng, most) for most in (2, 4, 20, 30, 30)] for _ in range(60)]
    rows = [[*row, rng.choice(["5 → 4", "9 / 2", "a - b"])] for row in cells]
    short = ad.simplify(ad.symbolic_derivative(ad.log(1 + ad.exp(x * x)) * x * x, x))
    table = Table(["step", "a cost", *"cdef"], rows)
    path = page_of(tmp_path, {"random": bundle(table), "steps": bundle(short.table())})
    try:
        chromium.resize(width, 720)
        chromium.open(path)
        lines = chromium.run(LINES)
    finally:
        chromium.resize(1280, 720)
    assert [cell for cell, n in lines if len(cell) <= SHORT and n > 1] == []
    assert any(n > 1 for _, n in lines)


@pytest.mark.parametrize("width", some([1280, 1000, 900, 800, 700], 5, turn=2))
def test_a_program_beside_a_picture_is_whole(width, tmp_path, chromium):
    """It goes below what it does not fit beside."""
    x = ad.scalar("x")
    short = ad.simplify(ad.symbolic_derivative(x * x + (x - 2), x))
    shown = {"lecture 00": ad.overview(short), "long": ad.overview(ad.exp(x) / x)}
    path = page_of(tmp_path, {words: bundle(pair) for words, pair in shown.items()})
    try:
        chromium.resize(width, 720)
        chromium.open(path)
        assert all(needs <= has for needs, has in chromium.run(CUT))
    finally:
        chromium.resize(1280, 720)
