"""`python3 dev.py release`: all files of a release, from a tree in which nothing is changed.

In `dist/VERSION/` stand the sources, the wheel, the wheel for a class, the book, and a list of
checksums, which `sha256sum --check SHA256SUMS` reads. The version stands in `autodiff_edu`; it has
to be that of `CITATION.cff`, with a date, and the changelog has to tell of it.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dev

SUMS = "SHA256SUMS"


def version(root: Path) -> str:
    """The version of the package."""
    text = (root / "autodiff_edu" / "__init__.py").read_text("utf-8")
    return re.search(r'^__version__ = "(.*)"$', text, re.MULTILINE)[1]


def problems(root: Path) -> Iterator[str]:
    """What stands against a release, in sentences."""
    words = ["git", "status", "--porcelain"]
    changed = subprocess.run(words, cwd=root, capture_output=True, text=True, check=True).stdout
    if changed:
        count, first = len(changed.splitlines()), changed.split()[1]
        yield f"{count} files are not as they were committed: {first}"
    number = version(root)
    cited = dict(re.findall(r"^([\w-]+): (.*)$", (root / "CITATION.cff").read_text("utf-8"), re.M))
    if cited.get("version") != number:
        yield f"CITATION.cff has version {cited.get('version')}, and the package has {number}"
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", cited.get("date-released", "")):
        yield "CITATION.cff has no date-released such as 2026-01-31"
    if f"\n## {number}\n" not in (root / "book" / "changelog.md").read_text("utf-8"):
        yield f"book/changelog.md has no line '## {number}'"


def sums(folder: Path) -> str:
    """A line for each file: its checksum and its name."""
    files = sorted(path for path in folder.iterdir() if path.name != SUMS)
    return "".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in files)


def main() -> None:
    """Make the files, or say what stands against it."""
    if found := list(problems(dev.ROOT)):
        sys.exit("there is no release:\n" + "\n".join(f"  {problem}" for problem in found))
    name = version(dev.ROOT)
    place = dev.ROOT / "dist" / name
    shutil.rmtree(place, ignore_errors=True)
    dev.run(dev.find_uv(), "build", "-q", "--sdist", "--wheel", "--out-dir", place)
    (place / ".gitignore").unlink(missing_ok=True)
    (wheel,) = place.glob("*.whl")
    for_class = place / wheel.name.replace("-py3", "-1class-py3")  # with a build number
    shutil.copyfile(wheel, for_class)
    dev.without_solutions(for_class)
    book = dev.ROOT / "book/_build/html"
    shutil.rmtree(book, ignore_errors=True)  # what an older book had, solutions perhaps, goes
    dev.book()
    shutil.make_archive(str(place / f"autodiff_edu-{name}-book"), "zip", book)
    (place / SUMS).write_text(sums(place), "utf-8", newline="\n")
    print(*(path.relative_to(dev.ROOT) for path in sorted(place.iterdir())), sep="\n")


if __name__ == "__main__":
    main()
