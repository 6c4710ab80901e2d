"""The book builds offline, a warning being an error, and asks nothing of the network.

Protects readers without a network, readers who listen, and every reference from a page to a name.
"""

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import autodiff_edu as ad
from tests.helpers.browser import axe

BOOK = Path(__file__).parents[2] / "book"
FETCHED = re.compile(r"<(?:script|img|link|iframe)[^>]*?(?:src|href)=\"(?:https?:)?//[^\"]*")
STILL = """
const still = document.createElement("style");
still.textContent = "* { transition: none !important; animation: none !important }";
document.head.append(still);
document.documentElement.dataset.theme = "%s";
"""
VIOLATIONS = """;
const page = document.querySelector(".bd-article") ?? document.querySelector("main");
const found = await axe.run(page, {resultTypes: ["violations"]});
return found.violations.map((v) => [v.id, v.nodes[0].html]);
"""
LOADED = """
for (const image of document.images) image.loading = "eager";
await Promise.all([...document.images].map((image) => image.decode().catch(() => 0)));
const {scrollWidth, scrollHeight} = document.documentElement;
return [scrollWidth, scrollHeight];
"""
WIDEST = """
const last = document.querySelector(".right-next i")?.getBoundingClientRect().right ?? 0;
return Math.round(Math.max(document.documentElement.scrollWidth, last));
"""
RESULTS = """
const titles = () => [...document.querySelectorAll("ul.search li a")];
while (!titles().length) await new Promise((done) => setTimeout(done, 50));
await new Promise((done) => setTimeout(done, 500));
return titles().map((link) => link.getAttribute("href"));
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the book."""
    folder = tmp_path_factory.mktemp("book")
    strict = ["-n", "-W", "--keep-going", "-q"]
    command = [sys.executable, "-m", "sphinx", *strict, "-d", folder / "doctrees", BOOK, folder]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_book_stands_alone(built):
    pages = {path.relative_to(built): path.read_text("utf-8") for path in built.rglob("*.html")}
    assert {Path("index.html"), Path("architecture.html"), Path("reference.html")} <= set(pages)
    assert pages[Path("rules", "index.html")].count("<dt>") > 75
    assert {
        str(name): FETCHED.findall(page) for name, page in pages.items() if FETCHED.search(page)
    } == {}
    assert "glossary" in found_by("vjp", built)
    assert "reference/names-elsewhere" in found_by("vjp", built)
    for word, meant in (("vjp", "pullback"), ("jvp", "pushforward")):
        assert meant in heads_at(entry_of(word, built), pages)
    for lecture in BOOK.parent.glob("notebooks/*.ipynb"):
        assert Path("lectures", f"{lecture.stem}.html") in pages


@pytest.mark.parametrize("part", range(4))
def test_axe_finds_nothing_on_pages_and_they_ask_no_network(part, built, chromium):
    """Light and dark in turn, but for what a table in the book tells. Sources look all alike."""
    rules = axe()
    page = (BOOK / "contributing.md").read_text("utf-8")
    told = re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)
    new, asked = {}, {}
    pages = [p for p in sorted(built.rglob("*.html")) if "bd-article" in p.read_text("utf-8")]
    sources = [path for path in pages if "_modules" in path.parts]
    pages = [path for path in pages if path not in sources] + sources[::16]
    assert len(pages) > 90
    for k, path in enumerate(pages[part::4]):
        chromium.open(path)
        found = chromium.run(STILL % ("light", "dark")[k % 2] + rules + VIOLATIONS)
        new[path.name] = [v for v in found if v[0] not in told]
        asked[path.name] = [*chromium.asked, *chromium.errors]
    assert {name: found for name, found in new.items() if found} == {}
    assert {name: found for name, found in asked.items() if found} == {}


@pytest.mark.parametrize("folder", ["lectures", "exercises", "howto", "kit", "rules", "."])
def test_a_dark_page_has_no_white_slabs(folder, built, chromium):
    """Nowhere is a square of 48 pixels as light as paper."""
    slabs = {}
    for path in sorted((built / folder).glob("*.html")):
        chromium.open(path)
        width, height = chromium.run(STILL % "dark" + LOADED)
        whole = {"x": 0, "y": 0, "width": width, "height": min(height, 60_000), "scale": 0.25}
        picture = chromium.picture(clip=whole, captureBeyondViewport=True)
        light = np.asarray(Image.open(io.BytesIO(picture)).convert("L")) > 200
        rows = np.lib.stride_tricks.sliding_window_view(light, 12, axis=0).all(-1)
        slab = np.lib.stride_tricks.sliding_window_view(rows, 12, axis=1).all(-1)
        slabs[path.name] = [tuple(4 * place) for place in np.argwhere(slab)[:1]]
    assert slabs and {name: place for name, place in slabs.items() if place} == {}


def test_no_page_is_wider_than_a_telephone(built, chromium):
    """Long names are broken, and what is wider scrolls within the page."""
    pages = [p for p in sorted(built.rglob("*.html")) if "bd-article" in p.read_text("utf-8")]
    sources = [path for path in pages if "_modules" in path.parts]
    widest = {}
    chromium.resize(400, 800)
    try:
        for path in [p for p in pages if p not in sources] + sources[::16]:
            chromium.open(path)
            widest[path.name] = chromium.run(WIDEST)
    finally:
        chromium.resize(1280, 720)
    assert {name: width for name, width in widest.items() if width > 400} == {}


def test_a_search_in_the_browser_finds_pullback_for_vjp(built, chromium):
    for word, meant in (("vjp", "pullback"), ("jvp", "pushforward")):
        chromium.open(built / "search.html", f"?q={word}")
        first, *_ = chromium.run(RESULTS)
        page, _, place = first.partition("#")
        explained = heads_at((Path(page), place), {Path(page): (built / page).read_text("utf-8")})
        assert meant in explained and chromium.asked == []


def search_index(folder):
    """What the search of a book knows."""
    index = (folder / "searchindex.js").read_text("utf-8")
    return json.loads(re.fullmatch(r"Search\.setIndex\((.*)\)\s*", index, re.DOTALL)[1])


def entry_of(word, folder):
    """The page and the place to which the search leads for a word that is an entry of its own."""
    index = search_index(folder)
    ((page, place, _),) = index["indexentries"][word]
    return Path(index["docnames"][page] + ".html"), place


def heads_at(place, pages):
    """The words that are explained together at a place of the glossary."""
    page, anchor = place
    explained = re.findall(r"(?:<dt .*?</dt>\s*)+", pages[page], re.DOTALL)
    (together,) = [heads for heads in explained if f'id="{anchor}"' in heads]
    return re.findall(r'id="term-(\w+)"', together)


def found_by(word, folder):
    """The pages that a search for a word finds."""
    index = search_index(folder)
    found = index["terms"].get(word, [])
    return [index["docnames"][k] for k in (found if isinstance(found, list) else [found])]


def test_names_of_ours_in_tables_of_other_libraries_exist():
    page = (BOOK / "coming_from.md").read_text("utf-8")
    names = set(re.findall(r"`ad\.([\w.]+)", page))
    assert len(names) > 20
    for name in names:
        found = ad
        for part in name.split("."):
            found = getattr(found, part)


def test_the_criteria_are_told_of_each_lecture():
    """A row a lecture with a sign for each of fifteen, and words for what is not wholly met."""
    page = (BOOK / "contributing.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| (\d\d) [^|]*\|((?: [●◐○] \|){15})$", page, re.MULTILINE))
    assert set(rows) == {path.name[:2] for path in BOOK.parent.glob("notebooks/[0-9]*.ipynb")}
    for number, row in rows.items():
        missing = {k for k, sign in enumerate(re.findall("[●◐○]", row), 1) if sign != "●"} - {9, 15}
        told = re.search(rf"^\*\*{number} .*?(?=^\*\*|\Z)", page, re.MULTILINE | re.DOTALL)
        said = set(map(int, re.findall(r"^- (\d+): ", told[0], re.MULTILINE))) if told else set()
        assert said == missing
