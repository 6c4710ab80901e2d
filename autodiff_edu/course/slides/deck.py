"""Pages of slides, and the files beside them: Reveal, MathJax and two fonts, so that none is
fetched. What does not fit on a slide is moved to the next one by `static/deck.js`, which sees it.
"""

import html
import importlib.util
import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from .sections import Section, sections, words

HERE = Path(__file__).parent / "static"
NEEDED = ("nbconvert", "sphinx_revealjs", "matplotlib")
REVEAL = "_static/revealjs"
MATHJAX = HERE / "mathjax"  # 3.2.2: one file, no fonts, and its licence; the book has it, too
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")


class SlidesMissing(ImportError):
    """What slides are made of is not installed."""


def write_slides(folder: Path, notebooks: Iterable[Path]) -> list[Path]:
    """Write the slides of lectures into a folder, with all that a browser needs to show them.

    Parameters
    ----------
    folder : Path
        Where; it is made if it is not there.
    notebooks : iterable of Path
        The lectures, with outputs.

    Returns
    -------
    list of Path
        A page for each lecture.

    Raises
    ------
    SlidesMissing
        Where the extra `slides` is not installed.
    ValueError
        For a file that is no notebook.
    """
    write_static(folder / "static")
    written = []
    for path in notebooks:
        page = folder / path.with_suffix(".html").name
        try:
            text = deck(path.read_text("utf-8"))
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is no notebook with cells") from error
        page.write_text(text, "utf-8", newline="\n")
        written.append(page)
    return written


def deck(text: str) -> str:
    """The page of a lecture, for the text of its notebook."""
    found = sections(json.loads(text)["cells"])
    body = "\n".join(map(slide, found))
    title = re.sub("<[^>]*>", "", words(found[0].title))
    return PAGE.format(title=html.escape(html.unescape(title)), slides=body)


def slide(section: Section) -> str:
    """A slide as HTML."""
    title = f"<h2>{words(section.title)}</h2>"
    notes = "\n".join(section.notes)
    body = "\n".join(section.blocks)
    return f'<section>{title}\n{body}\n<aside class="notes">{notes}</aside></section>'


def package(name: str) -> Path:
    """The folder of an installed package, which need not be imported."""
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise SlidesMissing(
            f'the package {name} is not here: pip install "autodiff-edu[slides]" brings it'
        )
    return Path(found.submodule_search_locations[0])


def write_static(folder: Path) -> None:
    """Copy what all pages share."""
    _, revealing, plotting = map(package, NEEDED)
    reveal = revealing / REVEAL
    fonts = plotting / "mpl-data" / "fonts" / "ttf"
    sources = [reveal / "dist" / name for name in ("reveal.css", "reveal.js")]
    sources += [reveal / "plugin" / "notes" / "notes.js", MATHJAX / "tex-svg-full.js"]
    sources += [path for path in HERE.iterdir() if path.is_file()]
    folder.mkdir(parents=True, exist_ok=True)
    for source in [*sources, *(fonts / name for name in FONTS)]:
        shutil.copyfile(source, folder / source.name)
    shutil.copyfile(reveal / "LICENSE", folder / "LICENSE-reveal")
    shutil.copyfile(MATHJAX / "LICENSE-mathjax", folder / "LICENSE-mathjax")


PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="static/reveal.css">
<link rel="stylesheet" href="static/deck.css">
<script src="static/settings.js"></script>
<script src="static/tex-svg-full.js"></script>
<script src="static/reveal.js"></script>
<script src="static/notes.js"></script>
<script src="static/deck.js"></script>
</head>
<body>
<main id="deck"><div class="slides">
{slides}
</div></main>
</body>
</html>
"""
