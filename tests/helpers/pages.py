"""The pages of the book; and one of each kind, for a short run."""

from pathlib import Path

ALONE = ("index.html", "genindex.html", "search.html")  # of their kind


def whole(built: Path) -> list[Path]:
    """The pages of the book, in order; one in sixteen of those that show sources."""
    pages = [p for p in sorted(built.rglob("*.html")) if "bd-article" in p.read_text("utf-8")]
    sources = [path for path in pages if "_modules" in path.parts]
    pages = [path for path in pages if path not in sources] + sources[::16]
    assert len(pages) > 90
    return pages


def sample(built: Path) -> list[Path]:
    """The shortest page of each kind; of lectures, the tour."""
    long_first = sorted(whole(built), key=lambda path: (-path.stat().st_size, path))
    of_each = {kind(path, built): path for path in long_first}
    return [*(of_each | {"lectures": built / "lectures" / "00_tour.html"}).values()]


def kind(path: Path, built: Path) -> str:
    """The folder of a page; what lies in no folder, and is not made by Sphinx, is prose."""
    page = path.relative_to(built)
    if page.as_posix() in ALONE:
        return page.as_posix()
    return page.parts[0] if page.parent.name else "prose"
