"""From cells to slides: what a heading begins, what is shown, what only the speaker sees.

A cell that is for reading becomes a note. So does one whose code is folded: it asserts something.
What follows a prediction comes at the next key.
"""

import html
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from ..harness.minutes import tags, text
from .pictures import blocks

HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
ANSWERS = {  # an answer that a page folds comes at the next key
    "<details>": '<div class="question">',
    "<summary>": "<p>",
    "</summary>": '</p><div class="answer">',
    "</details>": "</div></div>",
}
FOLDED = {"reading", "hide-cell"}


class Section(NamedTuple):
    """A slide, before it is seen whether all of it fits: blocks of HTML, and notes."""

    title: str
    blocks: list[str]
    notes: list[str]


def sections(cells: list[dict[str, Any]]) -> list[Section]:
    """The slides of a lecture, in its order."""
    found = [Section("", [], [])]
    for k, cell in enumerate(cells):
        for title, content in parts(cell):
            if FOLDED & set(tags(cell)):
                found[-1].notes.extend(note(cell, title, content))
                continue
            if title:
                found.append(Section(title, [], []))
            found[-1].blocks.extend(shown(cell, content, k))
            found[-1].notes.extend(asserted(cell))
    return [section for section in found if section.blocks or section.notes]


def parts(cell: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The parts of a cell, each with its title: text is cut before its headings."""
    source = text(cell)
    if cell["cell_type"] != "markdown":
        yield "", source
        return
    blank = FENCE.sub(lambda fence: " " * len(fence[0]), source)  # a comment is no heading
    heads = list(HEADING.finditer(blank))
    ends = [head.start() for head in heads[1:]] + [len(source)]
    if before := source[: heads[0].start() if heads else None].strip():
        yield "", before
    for head, end in zip(heads, ends):
        yield head[1].strip(), source[head.end() : end].strip()


def shown(cell: dict[str, Any], content: str, number: int) -> Iterator[str]:
    """The blocks of a part that the class sees."""
    if cell["cell_type"] == "markdown":
        yield prose(content)
        return
    if "hide-input" not in tags(cell):
        yield code(content)
    for output in cell["outputs"]:
        for block in blocks(output, printed):
            yield predicted(block, number) if "hide-output" in tags(cell) else block


def asserted(cell: dict[str, Any]) -> list[str]:
    """A note with the code that is folded."""
    return [code(text(cell))] if "hide-input" in tags(cell) else []


def note(cell: dict[str, Any], title: str, content: str) -> Iterator[str]:
    """The notes of a part that the speaker alone sees."""
    if title:
        yield f"<h3>{words(title)}</h3>"
    yield prose(content) if cell["cell_type"] == "markdown" else code(content)


def predicted(block: str, number: int) -> str:
    """A block that comes at a key, together with all that its cell shows."""
    return block.replace('class="', f'data-cell="{number}" class="predicted ', 1)


# ---- HTML


def prose(source: str) -> str:
    """Markdown as HTML; links to other lectures lead to their slides."""
    from nbconvert.filters import markdown2html

    made = str(markdown2html(source)).replace('<a class="anchor-link"', "<a hidden")
    for tag, instead in ANSWERS.items():
        made = made.replace(tag, instead)
    return re.sub(r'href="(\d\db?_\w+)\.ipynb', r'href="\1.html', made)


def words(title: str) -> str:
    """A title, which may have code and formulas in it."""
    return prose(title).strip().removeprefix("<p>").removesuffix("</p>")


def code(source: str) -> str:
    """Python in colours; every line stands for itself, so that a slide may end after each."""
    from pygments import highlight

    lines = highlight(source, *python()).rstrip("\n")
    return f'<pre class="code">{lines}</pre>'


@cache
def python() -> tuple[Any, Any]:
    """Pygments' lexer of Python, and a formatter, which takes long to make."""
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return PythonLexer(), HtmlFormatter(nowrap=True)


def printed(said: str) -> str:
    """What a cell has printed."""
    plain = re.sub(r"\x1b\[[0-9;]*m|^ \n", "", said).strip("\n")  # what is folded begins with " \n"
    return f'<pre class="printed">{html.escape(plain)}</pre>'
