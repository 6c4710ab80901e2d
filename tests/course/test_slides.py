"""Slides: every core cell in its order, notes for the rest, and nothing that is fetched.

Where Chromium is, it says that no slide scrolls, and how large letters are.
"""

import base64
import html
import io
import json
import re
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest
from PIL import Image

from autodiff_edu.command.lectures import lecture_notebooks
from autodiff_edu.course.slides import SlidesMissing, deck, handout, write_slides
from autodiff_edu.course.slides.deck import package
from autodiff_edu.course.slides.pictures import HEIGHT, WIDTH, fitting, letters
from autodiff_edu.course.slides.sections import FOLDED, code, parts, sections
from autodiff_edu.show.html.page import size
from tests.helpers.depth import draws, is_short, some

pytest.importorskip("sphinx_revealjs")
LECTURES = lecture_notebooks()
(SHORTEST,) = (path for path in LECTURES if path.stem.startswith("21_"))  # seen by many tests
HALF = 20  # cells of that one, with six predictions
SHOWN = re.compile(
    r'<img [^>]*?width="(\d+)" height="\d+" data-letters="([^"]*)"'
    r' src="data:image/(svg\+xml|png);base64,([^"]+)">'
)


def lectures(of, turn=0):
    """One in so many lectures, or all: at another turn they are others."""
    return pytest.mark.each("path", some(LECTURES, of, turn), ids=lambda path: path.stem)


def cells(path):
    return json.loads(path.read_text("utf-8"))["cells"]


class Reading(HTMLParser):
    """The texts of slides and of notes, and what a page asks for."""

    def __init__(self, page):
        super().__init__()
        self.shown, self.noted, self.asked, self.predicted = "", "", [], set()
        self.notes = False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.notes |= tag == "aside"
        self.asked += [values[key] for key in ("src", "data", "poster") if key in values]
        self.asked += [values["href"]] if tag == "link" else []
        self.predicted |= {values["data-cell"]} if "data-cell" in values else set()

    def handle_endtag(self, tag):
        self.notes &= tag != "aside"

    def handle_data(self, data):
        if self.notes:
            self.noted += data
        else:
            self.shown += data


def bare(text):
    return re.sub(r"\s+", "", text)


@cache
def made_of(text):
    """The sections of cells, which are made once."""
    return sections(json.loads(text))


def made(path):
    """The sections of a lecture."""
    return made_of(json.dumps(cells(path)))


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """The page of a lecture, which is made once, of sections that are made once."""
    folder = tmp_path_factory.mktemp("slides")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deck, "sections", lambda cells: made_of(json.dumps(cells)))
        yield cache(lambda path: write_slides(folder, [path])[0])


@pytest.fixture(scope="module")
def seen(page_of, tmp_path_factory):
    """The page of a lecture as it is shown to Chromium: at first of the first half of its cells."""
    folder = tmp_path_factory.mktemp("beginnings")

    def half(path):
        (folder / path.name).write_text(json.dumps({"cells": cells(path)[:HALF]}), "utf-8")
        return folder / path.name

    return lambda path: page_of(half(path) if is_short() else path)


@pytest.fixture(scope="module")
def read(page_of):
    """What stands on the page of a lecture."""
    return cache(lambda path: Reading(page_of(path).read_text("utf-8")))


@lectures(15)
def test_code_of_the_core_is_shown_in_order_and_the_rest_is_for_the_speaker(read, path):
    page, at = read(path), 0
    shown, noted = bare(page.shown), bare(page.noted)
    for cell in cells(path):
        source = bare("".join(cell["source"]))
        tags = set(cell["metadata"].get("tags", ()))
        if cell["cell_type"] != "code":
            continue
        if tags & {*FOLDED, "hide-input"}:
            assert source in noted
        else:
            at = shown.index(source, at) + len(source)


@lectures(9, turn=1)
def test_headings_are_titles_in_order(path):
    heads = [title for cell in cells(path) if cell["cell_type"] == "markdown"
             and not FOLDED & set(cell["metadata"].get("tags", ()))
             for title, _ in parts(cell) if title]  # fmt: skip
    assert [section.title for section in made(path)] == heads


@lectures(9, turn=3)
def test_what_follows_a_prediction_comes_at_a_key(read, path):
    tagged = {
        str(k)
        for k, cell in enumerate(cells(path))
        if "hide-output" in (tags := cell["metadata"].get("tags", ()))
        and not FOLDED & set(tags)
        and cell["outputs"]
    }
    assert read(path).predicted == tagged


@lectures(15)
def test_nothing_is_fetched(read, path):
    asked = read(path).asked
    assert {a for a in asked if not a.startswith("data:")} == {
        "static/reveal.css", "static/deck.css", "static/settings.js", "static/tex-svg-full.js",
        "static/reveal.js", "static/notes.js", "static/deck.js",
    }  # fmt: skip


def test_what_the_pages_share_lies_beside_them(tmp_path):
    (page,) = write_slides(tmp_path, LECTURES[:1])
    for name in Reading(page.read_text("utf-8")).asked:
        assert name.startswith("data:") or (tmp_path / name).is_file()
    style = (tmp_path / "static" / "deck.css").read_text("utf-8")
    for name in re.findall(r"url\(([^)]*)\)", style):
        assert (tmp_path / "static" / name).is_file()


@lectures(9, turn=2)
def test_what_cannot_be_cut_fits_on_a_slide(path):
    """An image, a line of code, a paragraph: a slide ends between two of them, never inside."""
    for section in made(path):
        text = "\n".join(section.blocks)
        for width, height in re.findall(r'<img [^>]*width="(\d+)" height="(\d+)"', text):
            assert int(width) <= WIDTH and int(height) <= HEIGHT
        for listing in re.findall(r'<pre class="code">(.*?)</pre>', text, re.DOTALL):
            lines = html.unescape(re.sub("<[^>]*>", "", listing)).split("\n")
            assert max(map(len, lines)) <= 100
        for paragraph in re.findall(r"<p>(.*?)</p>", text, re.DOTALL):
            assert len(paragraph) / 100 * 31 < 600  # 100 letters in a line of 31 pixels


@lectures(9, turn=5)
def test_pictures_tell_how_high_their_letters_are(path):
    """By that `deck.js` sees which of them need a slide of their own."""
    page = "".join(block for section in made(path) for block in section.blocks)
    for width, high, kind, source in SHOWN.findall(page):
        data = base64.b64decode(source)
        if kind == "png":
            with Image.open(io.BytesIO(data)) as image:
                own = 10 / 72 * image.info.get("dpi", (100,))[0]
                across = image.width
        else:
            svg = data.decode()
            own, across = letters(svg), size(svg)[0]
        assert float(high) == pytest.approx(own * int(width) / across, rel=0.02)


@lectures(9, turn=4)
def test_a_film_is_one_block(path):
    """Each stands on one slide, all its frames in it."""
    films = [
        "".join(o.get("data", {}).get("text/html", ""))
        for cell in cells(path)
        for o in cell.get("outputs", ())
        if not FOLDED & set(cell["metadata"].get("tags", ()))
    ]
    films = [html for html in films if 'class="autodiff-card autodiff-film"' in html]
    page = [
        block for section in made(path) for block in section.blocks if 'class="frames"' in block
    ]
    assert [block.count('<div class="frame">') for block in page] == [
        len(re.findall(r"<section\b", html)) for html in films
    ]


def test_pictures_fit():
    rng = np.random.default_rng(3)
    for beside in (False, True):
        for _ in range(50):
            sizes = [tuple(pair) for pair in rng.integers(1, 4000, (rng.integers(1, 5), 2))]
            scale = fitting(sizes, beside)
            widths, heights = np.transpose(sizes) * scale
            total = widths.sum() if beside else widths.max()
            assert total <= WIDTH + 1e-6 and heights.max() <= HEIGHT + 1e-6


def test_each_line_of_code_stands_for_itself():
    """Colours end with their line, so that a slide may end there, too."""
    lines = code('"""A text\nof two lines."""\nx = f"{y}"').split("\n")
    assert all(line.count("<span") == line.count("</span") for line in lines)


def test_a_handout_has_no_outputs():
    cleared = json.loads(handout(LECTURES[5].read_text("utf-8")))["cells"]
    for cell, before in zip(cleared, cells(LECTURES[5]), strict=True):
        assert not cell.get("outputs") and cell["source"] == before["source"]
        assert cell["metadata"] == before["metadata"]


def test_what_is_missing_is_named():
    with pytest.raises(SlidesMissing, match=r"nowhere_at_all is not here: pip install"):
        package("nowhere_at_all")


# ---- seen

READY = "while (!window.Reveal?.isReady()) await new Promise((done) => setTimeout(done, 20));"
MEASURE = (
    READY
    + """
const found = {count: 0, tall: [], wide: [], small: [], empty: [], lost: [], cut: [], away: [],
  bare: []};
found.scale = Reveal.getScale();
Reveal.getSlides().forEach((slide, k) => {
  const {h, v} = Reveal.getIndices(slide);
  Reveal.slide(h, v ?? 0, -1);  // as it is when it comes
  const content = [...slide.children].filter((e) => !e.matches("h2, aside"));
  const words = content.map((e) => e.innerText).join("").trim();
  const seen = content.some((e) => e.matches("img") || e.querySelector("img, svg, canvas, iframe"));
  if (!seen && ["", "Answer"].includes(words)) found.bare.push(k);
  Reveal.slide(h, v ?? 0, 99);
  found.count++;
  const {left, top, width, height} = slide.getBoundingClientRect();
  if (`${[left, top, width, height]}` !== "0,0,1280,720") found.away.push([k, left, top]);
  if (!slide.contains(document.elementFromPoint(40, 30))) found.away.push(k);
  if (slide.scrollHeight > 720) found.tall.push([k, slide.scrollHeight]);
  if (slide.scrollWidth > 1280) found.wide.push([k, slide.scrollWidth]);
  if (![...slide.children].some((e) => !e.matches("h2, aside"))) found.empty.push(k);
  const small = new Set();  // the blocks with small letters
  for (const image of slide.querySelectorAll("img[data-letters]")) {  // whole, and large
    const {left, top, right, bottom} = image.getBoundingClientRect();
    if (left < 0 || top < 0 || right > 1280 || bottom > 720) found.cut.push([k, right, bottom]);
    const high = image.dataset.letters * (image.dataset.grown ?? 1);
    if (high < 19.8) small.add(image.closest(".card"));
  }
  for (const block of small) {  // it stands alone, and would be too large if it were larger
    const images = [...block.querySelectorAll("img[data-letters]")];
    const scaled = (by) => images.forEach((image) => {
      [image.width, image.height] = [image.width * by, image.height * by];
    });
    scaled(1.06);
    const right = Math.max(...images.map((image) => image.getBoundingClientRect().right));
    const first = [...slide.children].find((e) => !e.matches("h2, aside"));
    const fits = block.getBoundingClientRect().bottom <= 720 - 34 && right <= 1280 - 36;
    const alone = first === block && slide.querySelectorAll(".card").length === 1;
    if (fits || !alone) found.lost.push([k, right, fits, alone]);
    scaled(1 / 1.06);
  }
  const walker = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode, on = text.parentElement;
    if (!text.data.trim() || on.closest("aside, style, [hidden]")) continue;
    const size = parseFloat(getComputedStyle(on).fontSize);
    if (size < 20) found.small.push([k, size, text.data.slice(0, 40)]);
  }
  for (const glyph of slide.querySelectorAll("mjx-container use, mjx-container path[data-c]")) {
    const size = glyph.closest("aside") ? 20 : 1000 * glyph.getScreenCTM().a;
    if (size < 20) found.small.push([k, size, glyph.dataset.c]);
  }
  found.headless = [...(found.headless ?? []), ...[...slide.querySelectorAll("pre.code")]
    .map((code) => code.textContent.trimEnd().slice(-40)).filter((end) => end.endsWith(":"))];
});
return found;
"""
)


def check_seen(page, browser):
    browser.open(page)
    found = browser.run(MEASURE)
    assert found.pop("count") > 0 and found.pop("scale") == 1
    assert {key: what for key, what in found.items() if what} == {}
    assert browser.asked == browser.errors == []


@lectures(29, turn=LECTURES.index(SHORTEST))
def test_no_slide_scrolls_and_letters_are_large(path, seen, chromium):
    check_seen(seen(path), chromium)


STEP = """
const {h, v} = Reveal.getIndices(), shown = document.querySelectorAll(".present .fragment.visible");
return [h, v ?? 0, shown.length];
"""
NOTES = """
const words = document.querySelector(".speaker-controls-notes .value");
while (!words?.textContent.trim()) await new Promise((done) => setTimeout(done, 20));
return [words.textContent, document.querySelectorAll("iframe").length];
"""


KEYS = (
    READY
    + """
const keys = (slide) =>
  [...slide.querySelectorAll(".fragment")].map((block) => block.dataset.fragmentIndex);
return Reveal.getHorizontalSlides().map((slide) => new Set(keys(slide)).size);
"""
)


def test_keys_step_through_all_slides_and_show_what_was_predicted(seen, chromium):
    chromium.open(seen(SHORTEST))
    steps = chromium.run(KEYS)
    places = []
    for _ in range(sum(steps) + len(steps)):
        places.append(tuple(chromium.run(STEP)))
        chromium.press("ArrowRight")
    assert len(set(places)) == len(places) == places[-1][0] + 1 + sum(steps) and sum(steps) > 5
    assert tuple(chromium.run(STEP)) == places[-1] and chromium.run("return Reveal.isLastSlide()")


def test_the_speaker_sees_the_notes(seen, chromium):
    chromium.open(seen(SHORTEST))
    noted = chromium.run(READY + """
      const slide = Reveal.getSlides().find((e) => e.querySelector("aside")?.textContent.trim());
      const {h, v} = Reveal.getIndices(slide);
      Reveal.slide(h, v ?? 0);
      return slide.querySelector("aside").textContent;""")  # fmt: skip
    chromium.press("s")
    words, slides = chromium.run_beside("reveal.js - Speaker View", NOTES)
    assert bare(words) == bare(noted) and slides == 2


PRINTED = (
    READY
    + """
while (!document.querySelector(".pdf-page")) await new Promise((r) => setTimeout(r, 50));
const inside = (a, b) => a.left >= b.left && a.top >= b.top && a.right <= b.right;
const pages = [...document.querySelectorAll(".pdf-page")], boxes = (e) => e.getBoundingClientRect();
const away = pages.map((page, k) => {
  const title = page.querySelector("h2"), slide = page.querySelector("section");
  const margin = boxes(title).left - boxes(page).left;
  return inside(boxes(slide), boxes(page)) && margin === 36 ? null : [k, margin];
});
return {pages: pages.length, slides: Reveal.getSlides().length, away: away.filter(Boolean)};
"""
)


@pytest.mark.each("path", some([SHORTEST, *LECTURES[5:7]], 3), ids=lambda path: path.stem)
def test_printed_slides_are_pages(path, seen, chromium):
    """Each slide is a page; what comes at a key is a page more."""
    chromium.open(seen(path), "?print-pdf")
    found = chromium.run(PRINTED)
    assert found["pages"] >= found["slides"] > 0 and found["away"] == []


def any_notebook(rng):
    """A lecture with cells of any length, of each kind."""
    word = lambda: "x" * rng.integers(1, 12)
    words = lambda n: " ".join(word() for _ in range(rng.integers(1, n)))
    made = [markdown("# A lecture\n\n" + words(60))]
    for _ in some(range(25), 4):
        lines = [words(16)[:100] for _ in range(rng.integers(1, 90))]
        table = ["| a | b |", "|---|---|", *(f"| {words(9)} | {words(30)} |" for _ in lines)]
        kinds = (
            markdown("\n\n".join(words(200) for _ in range(rng.integers(1, 9)))),
            markdown("## A part\n\n" + "\n".join(f"- {line}" for line in lines)),
            markdown("\n".join(table)),
            markdown(f"<details><summary>Why?</summary>\n\n{words(200)}\n\n</details>"),
            python("\n".join(f"{line} = 1" for line in lines)),
            python("print(x)", "\n".join(lines), tags=["hide-output"]),
        )
        made.append(kinds[rng.integers(len(kinds))])
    return json.dumps({"cells": made})


def markdown(source):
    return {"cell_type": "markdown", "source": source, "metadata": {}}


def python(source, printed="", tags=()):
    output = {"output_type": "stream", "name": "stdout", "text": printed}
    metadata = {"tags": list(tags)}
    return {"cell_type": "code", "source": source, "metadata": metadata, "outputs": [output]}


@pytest.mark.each("seed", range(draws(4)))
def test_no_slide_of_any_lecture_scrolls(seed, tmp_path, chromium):
    path = tmp_path / "any.ipynb"
    path.write_text(any_notebook(np.random.default_rng(seed)), "utf-8")
    (page,) = write_slides(tmp_path / "slides", [path])
    check_seen(page, chromium)
