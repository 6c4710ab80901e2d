"""The book builds offline, a warning being an error, and asks nothing of the network.

Protects readers without a network, and every reference from a page to a name.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import autodiff_edu as ad

BOOK = Path(__file__).parent.parent / "book"
FETCHED = re.compile(r"<(?:script|img|link|iframe)[^>]*?(?:src|href)=\"(?:https?:)?//[^\"]*")


def test_the_book_builds_and_stands_alone(tmp_path):
    strict = ["-n", "-W", "--keep-going", "-q"]
    command = [sys.executable, "-m", "sphinx", *strict, "-d", tmp_path / "doctrees", BOOK, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {
        path.relative_to(tmp_path): path.read_text("utf-8") for path in tmp_path.rglob("*.html")
    }
    assert {Path("index.html"), Path("architecture.html"), Path("reference.html")} <= set(pages)
    assert pages[Path("rules", "index.html")].count("<dt>") > 75
    assert {
        str(name): FETCHED.findall(page) for name, page in pages.items() if FETCHED.search(page)
    } == {}
    assert "glossary" in found_by("vjp", tmp_path) and "reference/names-elsewhere" in found_by(
        "vjp", tmp_path
    )
    for word, meant in (("vjp", "pullback"), ("jvp", "pushforward")):
        assert meant in heads_at(entry_of(word, tmp_path), pages)
    for lecture in BOOK.parent.glob("notebooks/*.ipynb"):
        assert Path("lectures", f"{lecture.stem}.html") in pages


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
