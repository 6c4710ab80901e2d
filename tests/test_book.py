"""The book builds offline, a warning being an error, and asks nothing of the network.

Protects readers without a network, and every reference from a page to a name.
"""

import re
import subprocess
import sys
from pathlib import Path

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
    for lecture in BOOK.parent.glob("notebooks/*.ipynb"):
        assert Path("lectures", f"{lecture.stem}.html") in pages
