"""A release is made from what was committed, and its parts agree about the version.

Protects who installs a release, and who cites it.
"""

import hashlib
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

import autodiff_edu as ad
import dev
import release


@pytest.fixture
def root(tmp_path):
    """A small project in which nothing stands against a release."""
    files = {
        "autodiff_edu/__init__.py": '"""A package."""\n\n__version__ = "1.2.3"\n',
        "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.3\ndate-released: 2026-01-31\n",
        "book/changelog.md": "# Changelog\n\n## 1.2.3\n\n## 1.2.2\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    who = ("-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false")
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "begin"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def change(name, old, new):
    def edit(root):
        path = root / name
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")

    return edit


FAULTS = {
    "1 files are not as they were committed: notes": lambda root: (root / "notes").touch(),
    "1 files are not as they were committed: CITATION.cff": change("CITATION.cff", "cff", "CFF"),
    "CITATION.cff has version 1.2.2, and": change(
        "CITATION.cff", "version: 1.2.3", "version: 1.2.2"
    ),
    "CITATION.cff has no date-released": change("CITATION.cff", "2026-01-31", "today"),
    "book/changelog.md has no line '## 1.2.3'": change("book/changelog.md", "## 1.2.3", "## After"),
}


def test_nothing_stands_against_a_clean_tree(root):
    assert [*release.problems(root)] == [] and release.version(root) == "1.2.3"


@pytest.mark.parametrize("words", FAULTS)
def test_what_stands_against_it_is_told(words, root):
    FAULTS[words](root)
    assert any(problem.startswith(words) for problem in release.problems(root))


def test_a_tree_with_changes_has_no_release(root, monkeypatch):
    monkeypatch.setattr(dev, "ROOT", root)
    monkeypatch.setattr(dev, "run", lambda *words, **options: pytest.fail("it was built"))
    (root / "notes").touch()
    with pytest.raises(SystemExit, match="there is no release:\n  1 files are not"):
        release.main()


def test_a_release_has_four_files_and_their_checksums(root, monkeypatch, capsys):
    """The book is a new one: pages of an older one, such as an instructor's, are not in it."""
    html = root / "book" / "_build" / "html"
    (html / "exercises").mkdir(parents=True)
    (html / "exercises" / "solution.html").touch()
    (root / ".git" / "info" / "exclude").write_text("/dist/\n_build/\n")

    def build(*words, **options):
        place = words[-1]
        place.mkdir(parents=True)
        (place / ".gitignore").touch()
        (place / "autodiff_edu-1.2.3.tar.gz").write_text("sources", "utf-8")
        with zipfile.ZipFile(place / "autodiff_edu-1.2.3-py3-none-any.whl", "w") as wheel:
            for name in ("05.ipynb", "student/05.ipynb"):
                wheel.writestr(f"{dev.SOLUTIONS}/{name}", "")

    def book():
        html.mkdir()
        (html / "index.html").touch()

    monkeypatch.setattr(dev, "ROOT", root)
    monkeypatch.setattr(dev, "run", build)
    monkeypatch.setattr(dev, "book", book)
    monkeypatch.setattr(dev, "find_uv", lambda: "uv")
    release.main()
    place = root / "dist" / "1.2.3"
    lines = (place / release.SUMS).read_text("utf-8").splitlines()
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    files = [path for path in place.iterdir() if path.name != release.SUMS]
    assert {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in files} == sums
    shown = capsys.readouterr().out.splitlines()
    assert sorted(map(Path, shown)) == sorted(p.relative_to(root) for p in place.iterdir())
    held = {path.name: zipfile.ZipFile(path).namelist() for path in files if path.suffix != ".gz"}
    assert len(files) == 4 and held["autodiff_edu-1.2.3-book.zip"] == ["index.html"]
    assert held["autodiff_edu-1.2.3-1class-py3-none-any.whl"] == [
        f"{dev.SOLUTIONS}/student/05.ipynb"
    ]


def test_checksums_are_those_that_sha256sum_reads(tmp_path):
    for name in ("b", "a"):
        (tmp_path / name).write_text(name, "utf-8")
    (tmp_path / release.SUMS).write_text(release.sums(tmp_path), "utf-8")
    lines = (tmp_path / release.SUMS).read_text("utf-8").splitlines()
    assert lines == [f"{hashlib.sha256(n.encode()).hexdigest()}  {n}" for n in ("a", "b")]


def test_this_version_is_cited():
    """The date is that of the release; a version between two has that of the last."""
    text = (dev.ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {ad.__version__}\n" in text
    assert re.search(r"^date-released: \d{4}-\d\d-\d\d$", text, re.MULTILINE)
