"""The pages of the book; and few that have every form of element in it, for a short run.

The form of an element is its tag, its classes and the names of its other attributes. The tags of
cells are classes as well, and so is the digest of a picture; they change no look.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

ALONE = ("index.html", "genindex.html", "search.html")  # of their kind
TAG = re.compile(r"<([a-z][\w-]*)((?:\s+[\w:-]+(?:=\"[^\"]*\"|='[^']*')?)*)\s*/?>")
ATTRIBUTE = re.compile(r"([\w:-]+)(?:=(?:\"([^\"]*)\"|'([^']*)'))?")
NUMBERED = ("tag_", "scene-")  # how classes begin that tell one cell or picture from others
DRAWN = {"svg", "g", "path", "text", "polygon", "ellipse"}  # their classes number what is drawn


def whole(built: Path) -> list[Path]:
    """The pages of the book, in order; one in sixteen of those that show sources."""
    pages = [p for p in sorted(built.rglob("*.html")) if "bd-article" in p.read_text("utf-8")]
    sources = [path for path in pages if "_modules" in path.parts]
    pages = [path for path in pages if path not in sources] + sources[::16]
    assert len(pages) > 90
    return pages


def sample(built: Path) -> list[Path]:
    """One page of each kind, and as few others as have each form of element."""
    pages = {path: path.read_text("utf-8") for path in whole(built)}
    long_first = sorted(pages, key=lambda path: (-len(pages[path]), path))
    of_each = {kind(path, built): path for path in long_first}  # the shortest of each kind
    return few_with_all(pages, [*of_each.values()])


def kind(path: Path, built: Path) -> str:
    """The folder of a page; what lies in no folder, and is not made by Sphinx, is prose."""
    page = path.relative_to(built)
    if page.as_posix() in ALONE:
        return page.as_posix()
    return page.parts[0] if page.parent.name else "prose"


def few_with_all(pages: Mapping[Path, str], chosen: Sequence[Path]) -> list[Path]:
    """The chosen pages, and as few more, short ones first, as have all forms of all the pages.

    Those that alone have a form are among them, and have many others.
    """
    forms = {path: forms_of(text) for path, text in pages.items()}
    times = Counter(form for of_page in forms.values() for form in of_page)
    alone = [path for path in pages if 1 in map(times.get, forms[path])]
    few = list(dict.fromkeys([*chosen, *alone]))
    missing = set().union(*forms.values()) - set().union(*(forms[path] for path in few))
    while missing:
        few.append(max(pages, key=lambda path: len(forms[path] & missing) / len(pages[path])))
        missing -= forms[few[-1]]
    return few


def forms_of(page: str) -> set[tuple[str, ...]]:
    """The forms of the elements of a page."""
    return {form(tag, attributes) for tag, attributes in set(TAG.findall(page))}


def form(tag: str, attributes: str) -> tuple[str, ...]:
    """The form of an element, as it is written in a page."""
    words = {name: first or second for name, first, second in ATTRIBUTE.findall(attributes)}
    classes = sorted(c for c in words.get("class", "").split() if not c.startswith(NUMBERED))
    return tag, "" if tag in DRAWN else " ".join(classes), *sorted(words)
