"""Lectures are kept executed, in order, and free of whatever changes from run to run.

Protects what readers see before they run anything.

nbval runs a cell that has no execution count but does not compare it, so a notebook with cleared
outputs would pass; this file makes it fail.
"""

import json
import re

import pytest

from dev import ROOT, cleaned, notebooks

# Cells whose output is not compared: (notebook, first line of the cell). Each needs its reason.
NOT_COMPARED: set[tuple[str, str]] = {
    # Letters drawn by a network that has been trained: one rounding may change one of them.
    ("15_recurrence", 'print(write("Now is", 380, np.random.default_rng(0)))'),
}
SILENCING = {"nbval-ignore-output", "nbval-skip", "skip-execution", "nbval-raises-exception"}
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+|\b0x[0-9a-fA-F]{6,}|ipykernel_\d+")

every_notebook = pytest.mark.parametrize(
    "path", notebooks(), ids=lambda path: str(path.relative_to(ROOT))
)


LECTURES = [f"{k:02}" for k in (*range(11), *range(12, 18))]


def test_the_lectures_are_there():
    found = {str(path.relative_to(ROOT / "notebooks"))[:2] for path in notebooks()}
    assert found.issuperset(LECTURES)
    assert (ROOT / "notebooks" / "exercises" / "05_reverse_mode.ipynb").exists()


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


def test_every_cell_that_is_not_compared_is_listed_here():
    silenced = {
        (path.stem, "".join(cell["source"]).splitlines()[0])
        for path in notebooks()
        for cell in code_cells(path)
        if SILENCING & set(cell["metadata"].get("tags", []))
    }
    assert silenced == NOT_COMPARED
