"""The book builds offline, a warning being an error, and asks nothing of the network.

Protects readers without a network, readers who listen, and every reference from a page to a name.
"""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

import autodiff_edu as ad
from autodiff_edu.rewrite import RULES
from tests.book.test_reference import page_of_the_book
from tests.helpers.browser import axe
from tests.helpers.depth import FULL, draws, is_short, some
from tests.helpers.pages import sample, whole
from tests.helpers.site import served, walk
from tests.house.test_plain_english import FOUND, long

catalogue = page_of_the_book("catalogue")
BOOK = Path(__file__).parents[2] / "book"
ONLINE = {
    "AUTODIFF_EDU_BASE_URL": "https://localhost/course/book/",
    "AUTODIFF_EDU_REPOSITORY": "https://localhost/owner/name",
}
FETCHED = re.compile(
    r"<(?:script|img|link(?! rel=\"canonical\")|iframe)[^>]*?(?:src|href)=\"(?:https?:)?//[^\"]*"
)
STILL = """
const still = document.createElement("style");
still.textContent = "* { transition: none !important; animation: none !important }";
document.head.append(still);
document.documentElement.dataset.theme = "%s";
"""
PRINTED = some(["07_simplification", "05_reverse_mode"], 2)  # lectures with two films
ARTICLE = 'const page = document.querySelector(".bd-article") ?? document.querySelector("main");'
WITHOUT_TWINS = f"""{ARTICLE}
const named = "a, button, summary, label, th, [role=heading], h1, h2, h3, h4, h5, h6";
const blocks = "p, li, tr, dl, pre, code, span, em, strong, .cell, mjx-container";
const looks = new Set();
const look = (e, path) => {{
  const words = e.children.length > 0 || e.textContent.trim().length > 1;
  const said = [e.className, e.getAttribute("style"), e.getAttributeNames(), e.rowIndex % 2, words];
  return `${{e.tagName}} ${{said}} < ${{path}}`;  // axe does not judge a single letter
}};
const parts = (e) => e.tagName === "MJX-CONTAINER" ? [] : [...e.children];
const old = (e, here) => looks.has(here) && parts(e).every((c) => old(c, look(c, here)));
const thin = (e, here) => {{
  if (e.matches(blocks) && !e.closest(named) && old(e, here)) return e.remove();
  looks.add(here);
  for (const child of parts(e)) thin(child, look(child, here));
}};
for (const child of [...page.children]) thin(child, look(child, ""));
"""  # words, lines and cells that look as others before: axe measures the contrast of each word
FEW_RULES = """
document.addEventListener("readystatechange", () => {
  document.querySelectorAll(".rules > dl").forEach((rule, k) => k % 20 && rule.remove());
});
"""
VIOLATIONS = f""";{ARTICLE}
const found = await axe.run(page, {{resultTypes: ["violations"]}});
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
const hasEnded = () => document.querySelector(".search-summary")?.innerText;
while (!hasEnded()) await new Promise((done) => setTimeout(done, 50));
const titles = [...document.querySelectorAll("ul.search li a")];
return titles.map((link) => link.getAttribute("href"));
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the book, which is to be put online; pages of sources at full depth alone."""
    folder = tmp_path_factory.mktemp("book")
    flags = ["-n", "-W", "--keep-going", "-q", *["-t", "brief"] * is_short()]
    command = [sys.executable, "-m", "sphinx", *flags, "-d", folder / "doctrees", BOOK, folder]
    done = subprocess.run(command, env=os.environ | ONLINE, capture_output=True, text=True)
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


@pytest.fixture(scope="module")
def rules(built):
    """The folder with the catalogue of rules, which was written for this book."""
    return BOOK / "rules"


def test_rules_are_told_in_plain_english(rules):
    page = (rules / "index.md").read_text("utf-8")
    assert long([page]) == [] and FOUND.findall(page) == []


def test_every_rule_has_its_place_and_its_picture(rules):
    page = (rules / "index.md").read_text("utf-8")
    slugs = [catalogue.slug(name) for name in RULES.names]
    assert len(set(slugs)) == len(slugs) and all(slugs)
    assert re.findall(r"```{image} (\S+)\.svg", page) == slugs
    assert {path.stem for path in rules.glob("*.svg")} == set(slugs)


def test_pictures_of_rules_are_whole_and_small(rules):
    for path in rules.glob("*.svg"):
        text = path.read_text("utf-8")
        assert text.count("→") >= 1 and len(ET.fromstring(text).findall("{*}svg")) == 2, path
        assert len(text) < 30_000, path


def test_a_rule_is_told_and_drawn_the_same_again(rules):
    """A picture and an entry do not depend on what was made before; one in twenty at first."""
    page = (rules / "index.md").read_text("utf-8")
    for rule in some(RULES, 20):
        assert catalogue.entry(rule) in page, rule
        path = rules / f"{catalogue.slug(rule.name)}.svg"
        assert catalogue.drawing(ad.draw(rule)) == path.read_text("utf-8"), rule


def test_under_any_address_every_link_leads_to_something(built, chromium):
    """The book is walked through on a server that has it in a folder of a site."""
    pages = {p.relative_to(built).as_posix() for p in built.rglob("*.html")}
    with served(built) as address:
        there, dead = walk(f"{address}index.html")
        search, lecture = "search.html?q=vjp", f"lectures/{PRINTED[-1]}.html"
        for page in some([search, "index.html", lecture], 3):
            chromium.visit(address + page)
            assert page != search or chromium.run(RESULTS)
            assert chromium.asked and chromium.errors == []
            assert [url for url in chromium.asked if not url.startswith(address)] == []
    assert dead == []
    unseen = {page for page in pages if address + page not in there}
    assert {page for page in unseen if not page.startswith("_")} == set()


def test_the_first_page_says_on_one_screen_what_one_can_do(built, chromium):
    """Down to how to begin, learn, teach and read; the picture is beside the words."""
    chromium.open(built / "index.html")
    bottom, words, picture = chromium.run("""
      const paragraphs = [...document.querySelectorAll("#autodiff-taken-apart > p")];
      const film = document.querySelector("img[src$='seven.svg']");
      const {left} = paragraphs[1].getBoundingClientRect();
      return [paragraphs.at(-1).getBoundingClientRect().bottom, left,
              film.getBoundingClientRect().left];
    """)
    assert bottom <= 720 and words < picture


def test_a_walk_finds_each_dead_link(tmp_path):
    """To a page, a picture, a part, a place outside the folder; from a page or from a style."""
    page = """<a href="two.html#part"></a> <a href="https://localhost/other"></a> <a href="#"></a>
    <a href="two.html#no"></a> <img src="no.png"> <a href="/"></a> <a href="../"></a>
    <link href="s.css">"""
    (tmp_path / "one.html").write_text(page)
    (tmp_path / "two.html").write_text('<p id="part"></p> <a href="no.html"></a>')
    (tmp_path / "s.css").write_text("a {b: url(no.woff)} a {b: url('data:x')} a {b: url(s.css)}")
    with served(tmp_path) as address:
        there, dead = walk(address + "one.html")
    assert {url.removeprefix(address) for url in there} == {"one.html", "two.html", "s.css"}
    pages = {link: page.removeprefix(address) for page, link in dead}
    assert pages == dict.fromkeys(["two.html#no", "no.png", "/", "../"], "one.html") | {
        "no.html": "two.html", "no.woff": "s.css"
    }  # fmt: skip


def test_online_a_page_names_its_address_and_a_lecture_opens_where_it_runs(built):
    """What Binder opens has to be in the repository: lectures of the book are copies."""
    for lecture in BOOK.parent.glob("notebooks/*.ipynb"):
        text = (built / "lectures" / f"{lecture.stem}.html").read_text("utf-8")
        assert (
            f'"canonical" href="{ONLINE["AUTODIFF_EDU_BASE_URL"]}lectures/{lecture.stem}.' in text
        )
        (launch,) = re.findall(r'"(https://mybinder.org/v2/git/[^"]*)"', text)
        repository, _, place = launch.partition("/v2/git/")[2].partition("/")
        assert unquote(repository) == ONLINE["AUTODIFF_EDU_REPOSITORY"]
        assert place == f"HEAD?urlpath=lab/tree/{lecture.relative_to(BOOK.parent).as_posix()}"
    for page in ("index.html", "limits.html"):
        text = (built / page).read_text("utf-8")
        assert f'<a href="{ONLINE["AUTODIFF_EDU_REPOSITORY"]}"' in text
        assert "mybinder.org" not in text


PAPER = """
const seen = (e) => e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true});
const all = (words) => [...document.querySelectorAll(words)];
return {
  chrome: all(".bd-sidebar-primary, .bd-header-article, .prev-next-area").filter(seen).length,
  closed: all(".bd-article details > :not(summary)").filter((e) => !seen(e)).length,
  wide: all(".bd-content pre").filter((e) => e.scrollWidth > e.clientWidth + 1).length,
  frames: all(".autodiff-film section").filter((e) => !seen(e)).length,
  columns: all(".autodiff-film .frames").filter((e) => {
    const [first, second] = [...e.children].map((frame) => frame.getBoundingClientRect());
    return 2.2 * first.width < e.clientWidth && second.top > first.top;
  }).length,
  buttons: all(".bd-article details.hide > summary").filter(seen).length,
  cut: all(".cell_input").filter((e) => getComputedStyle(e).breakInside !== "avoid").length,
  films: all(".autodiff-film").length,
  answers: all(".bd-article details").length,
};
"""


@pytest.mark.parametrize("lecture", PRINTED)
def test_on_paper_code_is_wrapped_answers_are_open_and_a_film_is_a_strip(lecture, built, chromium):
    chromium.open(built / "lectures" / f"{lecture}.html")
    chromium.resize(650, 900)  # as wide as a page
    chromium.tell("Emulation.setEmulatedMedia", media="print")
    try:
        found = chromium.run(PAPER)
    finally:
        chromium.prefer("light")
        chromium.resize(1280, 720)
    assert found.pop("films") >= 2 and found.pop("answers") > 5
    assert set(found.values()) == {0}, found


@pytest.mark.parametrize("lecture", PRINTED)
def test_a_lecture_is_printed_as_a_pdf_file(lecture, built, chromium, tmp_path, monkeypatch):
    """And nothing is left in the home folder."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(home))
    write_pdf = page_of_the_book("pdf").write_pdf
    write_pdf(built / "lectures" / f"{lecture}.html", tmp_path / "new" / "lecture.pdf")
    data = (tmp_path / "new" / "lecture.pdf").read_bytes()
    assert data.startswith(b"%PDF-") and data.count(b"/Type /Page\n") > 20
    assert list(home.iterdir()) == []


def test_a_lecture_has_its_number_beside_each_page(built):
    text = (built / "first_ten_minutes.html").read_text("utf-8")
    assert ">5 Reverse mode</a>" in text and ">0 A tour</a>" in text
    assert '<link rel="icon" href="_static/favicon.svg"' in text


PARTS = 1 if is_short() else 4


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_can_be_read_by_all(part, built, chromium):
    """Axe finds nothing, no page asks the network, a telephone is wide enough, dark pages are dark.

    Axe sees light and dark in turn, but for what a table in the book tells. At full depth it sees
    all pages, of sources some, and all that is on them. Else it sees a page of one kind in
    three, and on a page what looks as nothing before; and a dark page is painted whole only where
    axe sees the dark one.
    """
    rules, found = axe(), {}
    sparing = draws(FULL) < FULL
    page = (BOOK / "contributing.md").read_text("utf-8")
    told = re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)
    pages = some(sample(built), 3, turn=2) if sparing else whole(built)
    for k, path in enumerate(pages[part::PARTS]):
        wide = width(chromium, path, FEW_RULES * sparing)
        slabs = [] if sparing and k % 2 == 0 else white_slabs(chromium)
        chromium.run(STILL % ("light", "dark")[k % 2] + WITHOUT_TWINS * sparing)
        violations = [v for v in chromium.run(rules + VIOLATIONS) if v[0] not in told]
        faults = [*violations, *chromium.asked, *chromium.errors, *slabs]
        found[path.relative_to(built).as_posix()] = faults + [f"{wide} wide"] * (wide > 400)
    assert {name: faults for name, faults in found.items() if faults} == {}


def width(chromium, path, first):
    """Open a page on a telephone: how wide is it? Long names are broken, wide things scroll."""
    chromium.resize(400, 800)
    try:
        with chromium.beginning(first):
            chromium.open(path)
        return chromium.run(WIDEST)
    finally:
        chromium.resize(1280, 720)


def white_slabs(chromium):
    """A place, if there is one, where a square of 48 pixels of a dark page is as light as paper."""
    wide, high = chromium.run(STILL % "dark" + LOADED)
    whole = {"x": 0, "y": 0, "width": wide, "height": min(high, 60_000), "scale": 0.25}
    picture = chromium.picture(clip=whole, captureBeyondViewport=True, optimizeForSpeed=True)
    light = np.asarray(Image.open(io.BytesIO(picture)).convert("L")) > 200
    rows = np.lib.stride_tricks.sliding_window_view(light, 12, axis=0).all(-1)
    slabs = np.lib.stride_tricks.sliding_window_view(rows, 12, axis=1).all(-1)
    return [f"white at {4 * row}, {4 * column}" for row, column in np.argwhere(slabs)[:1]]


def test_a_twin_of_what_axe_objects_to_may_go_but_not_the_first(tmp_path, chromium):
    """What WITHOUT_TWINS leaves shows each fault of contrast that the whole page has."""
    words = '<span class="{}">x</span> <span class="{}">word</span>'
    word = f'<div class="highlight"><pre>{words}</pre></div>'
    pale = "<style>.pale {color: #eee} body {background: #fff; color: #000}</style>"
    page = tmp_path / "page.html"
    page.write_text(
        f"<main>{pale}{word.format('', '') * 9}{word.format('pale', 'pale') * 9}</main>"
    )
    chromium.open(page)
    chromium.run(WITHOUT_TWINS)
    assert chromium.run("return document.querySelectorAll('span').length") == 4
    assert "color-contrast" in [rule for rule, _ in chromium.run(axe() + VIOLATIONS)]


def test_what_axe_objects_to_stays_wherever_it_is(tmp_path, chromium):
    """Of blocks that look alike one stays; a fault in any of them is a look of its own."""
    line = '<li><p>one <em>word</em></p><p><a href="#there">there</a></p></li>'
    row = "<tr><td><p>a word</p></td><td><code>x = 1</code></td></tr>"
    page = tmp_path / "page.html"
    page.write_text(f'<main id="there"><ul>{line * 6}</ul><table>{row * 6}</table></main>')
    faults = {
        "color-contrast": 'of("li em, td p, code").style.color = "#eee"',
        "link-name": 'of("a").replaceChildren()',
        "image-alt": 'of("p").append(new Image())',
    }
    for k, (rule, fault) in enumerate(faults.items()):
        for place in some((0, 2, 5), 3, turn=k):
            chromium.open(page)
            size = "return document.querySelectorAll('main *').length"
            of = f"const of = (s) => document.querySelectorAll(s)[{place}];"
            before = chromium.run(f"{of} {fault}; {size}")
            assert chromium.run(f"{WITHOUT_TWINS}; {size}") < before / 2, (rule, place)
            assert rule in [name for name, _ in chromium.run(axe() + VIOLATIONS)], (rule, place)


def test_a_search_in_the_browser_finds_pullback_for_vjp(built, chromium):
    for word, meant in some([("vjp", "pullback"), ("jvp", "pushforward")], 2, turn=1):
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
    assert set(rows) == {path.name[:2] for path in BOOK.parent.glob("notebooks/[0-9][0-9]_*.ipynb")}
    for number, row in rows.items():
        missing = {k for k, sign in enumerate(re.findall("[●◐○]", row), 1) if sign != "●"} - {9, 15}
        told = re.search(rf"^\*\*{number} .*?(?=^\*\*|\Z)", page, re.MULTILINE | re.DOTALL)
        said = set(map(int, re.findall(r"^- (\d+): ", told[0], re.MULTILINE))) if told else set()
        assert said == missing
