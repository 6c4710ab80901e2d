"""Lectures are kept executed, in order, and free of whatever changes from run to run.

Protects what readers see before they run anything.

nbval runs a cell that has no execution count but does not compare it, so a notebook with cleared
outputs would pass; this file makes it fail.
"""

import ast
import base64
import json
import re
from functools import cache
from xml.etree import ElementTree

import pytest

from dev import ROOT, cleaned, notebooks
from tests.helpers.depth import some
from tests.show.diagram.test_theme import contrast

# Cells whose output is not compared: (notebook, first line of the cell). Each needs its reason.
NOT_COMPARED: set[tuple[str, str]] = {
    # Times.
    ("19_from_graph_to_program", "x = np.linspace(0.5, 1.5, 10_000)"),
    ("19_from_graph_to_program", "given = np.linspace(-3, 3, 1_000_000)"),
    ("19_from_graph_to_program", "spent = sum(line.seconds for line in lines)"),
    ("19_from_graph_to_program", "profile.draw()"),
    ("19_from_graph_to_program", "def seconds(program, *args):"),
    # Letters drawn by a network that has been trained: one rounding may change one of them.
    ("15b_what_can_leave_the_loop", 'print(write("Now is", 380, np.random.default_rng(0)))'),
}
SILENCING = {"nbval-ignore-output", "nbval-skip", "skip-execution", "nbval-raises-exception"}
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+|\b0x[0-9a-fA-F]{6,}|ipykernel_\d+")

every_notebook = pytest.mark.each(
    "path", some(notebooks(), 3), ids=lambda path: str(path.relative_to(ROOT))
)


LECTURES = [f"{k:02}" for k in range(23)]


def test_the_lectures_are_there():
    found = {str(path.relative_to(ROOT / "notebooks"))[:2] for path in notebooks()}
    assert found.issuperset(LECTURES)
    assert (ROOT / "notebooks" / "exercises" / "05_reverse_mode.ipynb").exists()


@cache  # several tests look at each
def code_cells(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def shown(cell):
    """All text that a cell shows, pictures in base64 left out."""
    kept = [output for output in cell["outputs"] if "image/png" not in output.get("data", {})]
    return re.sub(r"base64,[\w+/=]+", "", json.dumps(kept))


@every_notebook
def test_executed_from_top_to_bottom(path):
    cells = code_cells(path)
    assert all("".join(cell["source"]).strip() for cell in cells), "a code cell is empty"
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))


@every_notebook
def test_nothing_but_what_was_written_and_shown(path):
    text = path.read_text("utf-8")
    assert text == cleaned(text), "run `python3 dev.py execute`"


@every_notebook
def test_no_addresses(path):
    assert [found for cell in code_cells(path) for found in ADDRESS.findall(shown(cell))] == []


PREDICT, HEADING = re.compile(r"\*\*Predict\b"), re.compile(r"^#", re.MULTILINE)
LECTURE_PATHS = [path for path in notebooks() if path.parent.name == "notebooks"]


def after_predictions(path):
    """The code cells from each question to the next heading."""
    asked = False
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            asked = bool(PREDICT.search(source)) or asked and not HEADING.search(source)
        elif asked:
            yield source, set(cell["metadata"].get("tags", ()))


@pytest.mark.each("path", LECTURE_PATHS, ids=lambda path: path.stem)
def test_no_assertion_after_a_question_stands_open(path):
    """In the cells that answer it, the statements that assert something are in a folded cell."""
    for source, tags in after_predictions(path):
        if not tags & {"hide-input", "hide-cell"}:
            assert not any(isinstance(part, ast.Assert) for part in ast.parse(source).body), source


@pytest.mark.each("path", LECTURE_PATHS, ids=lambda path: path.stem)
def test_questions_have_folded_answers(path):
    folded = [tags for _, tags in after_predictions(path) if any("hide" in tag for tag in tags)]
    assert len(folded) >= 4


@pytest.mark.each("path", LECTURE_PATHS, ids=lambda path: path.stem)
def test_the_first_line_of_a_folded_cell_asserts_nothing(path):
    """JupyterLab shows it."""
    for cell in code_cells(path):
        if "source_hidden" in cell["metadata"].get("jupyter", ()):
            assert not "".join(cell["source"]).startswith("assert")


def test_every_cell_that_is_not_compared_is_listed_here():
    silenced = {
        (path.stem, "".join(cell["source"]).splitlines()[0])
        for path in notebooks()
        for cell in code_cells(path)
        if SILENCING & set(cell["metadata"].get("tags", []))
    }
    assert silenced == NOT_COMPARED


DRAWING = re.compile(r"data:image/svg\+xml;base64,([\w+/=]+)")


@every_notebook
def test_every_drawing_can_be_read(path):
    """A browser shows nothing of a drawing with one tag too many."""
    for data in DRAWING.findall(path.read_text("utf-8")):
        assert ElementTree.fromstring(base64.b64decode(data)).tag.endswith("svg")


@every_notebook
def test_every_column_of_a_table_has_a_head(path):
    """A screen reader reads it before each entry."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            heads = re.findall(r"^(\|.*\|)\n\|[-: |]+\|$", "".join(cell["source"]), re.MULTILINE)
            assert all(name.strip() for head in heads for name in head.strip("|").split("|")), heads


LINES = {"plot", "semilogy", "semilogx", "loglog", "contour", "step", "axhline", "axvline", "text"}


@every_notebook
def test_lines_of_figures_have_contrast(path):
    """Three to one against the paper, where a call says the colour."""
    calls = [call for cell in code_cells(path)
             for call in ast.walk(ast.parse("".join(cell["source"])))
             if isinstance(call, ast.Call) and getattr(call.func, "attr", "") in LINES]  # fmt: skip
    for call in calls:
        for word in call.keywords:
            if word.arg in ("color", "colors") and isinstance(word.value, ast.Constant):
                colour = str(word.value.value)
                if colour.startswith("#"):
                    assert contrast(colour, "#ffffff") >= 3, ast.unparse(call)
