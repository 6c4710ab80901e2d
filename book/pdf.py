"""`python3 dev.py pdf`: pages of the book as PDF files, printed by Chromium, for paper and readers.

What a page looks like on paper stands in `static/book.css`: code is wrapped, answers are open, and
a film is a strip of its frames.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BUILT = Path(__file__).parent / "_build"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--no-pdf-header-footer", "--virtual-time-budget=20000")  # fmt: skip


def browser() -> str:
    """The program that prints."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        sys.exit("pages are printed by Chromium, which is not here: print them in your browser")
    return found


def write_pdf(page: Path, target: Path) -> None:
    """Print a page of HTML. Raise CalledProcessError if the browser cannot.

    The browser keeps its profile, its caches and what it tells of crashes in a folder that goes.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        words = [browser(), *QUIET, f"--user-data-dir={place}", f"--print-to-pdf={target}"]
        here = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), place)
        command = [*words, page.resolve().as_uri()]
        subprocess.run(command, env=os.environ | here, check=True, stderr=subprocess.DEVNULL)


def main(*pages: str) -> None:
    """Print these pages of the book."""
    for page in map(Path, pages):
        if not page.is_file():
            sys.exit(f"the book has no page {page.name}")
        target = BUILT / "pdf" / f"{page.stem}.pdf"
        write_pdf(page, target)
        print(target.relative_to(BUILT.parents[1]))


if __name__ == "__main__":
    main(*sys.argv[1:])
