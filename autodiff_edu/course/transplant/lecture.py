"""Lecture 05 on a student's page: its code cells run in this process, cell by cell."""

import json
from collections.abc import Iterator
from pathlib import Path

from ...ops import log, scalar, sin
from ...show import film
from ..harness.feedback import Wrong
from .page import Page
from .surgery import reverse, transplanted

LECTURE = "05_reverse_mode.ipynb"
FILM = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Drawn by {whose} reverse mode</title></head>
<body><h1>Drawn by {whose} reverse mode</h1>
<p>The formula is log(x₁) + x₁·x₂ − sin(x₂), the page {name}.</p>
{film}</body></html>
"""


def run_lecture(page: Page, notebook: Path) -> Iterator[int]:
    """Run the cells of a notebook, and give the number of each that was right."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    shell = InteractiveShell.instance()
    with transplanted(page):
        for k, cell in enumerate(cells):
            if cell["cell_type"] != "code":
                continue
            with capture_output():
                result = shell.run_cell("".join(cell["source"]))
            error = result.error_before_exec or result.error_in_exec
            if isinstance(error, Wrong):
                raise error
            if error is not None:
                raise page.wrong(f"cell {k} of {notebook.stem}", error)
            yield k


def film_of_page(page: Page) -> str:
    """A page of HTML with the film that the student's reverse mode makes."""
    x, y = scalar("x1"), scalar("x2")
    with transplanted(page):
        stage = reverse.reverse_mode(log(x) + x * y - sin(y), [x, y])
        shown = film(stage)._repr_mimebundle_()["text/html"]
    whose = "your" if "sweep" in page.functions else "our"
    return FILM.format(whose=whose, name=page.name, film=shown)
