"""The student version of an exercise notebook: solutions, hidden tests and outputs taken out.

The markers are nbgrader's, so that nbgrader can take our notebooks:

    ### BEGIN SOLUTION ... ### END SOLUTION            in cells that students edit
    ### BEGIN HIDDEN TESTS ... ### END HIDDEN TESTS    in cells that check them
"""

import re

import nbformat

from .markers import without_solutions

HIDDEN = re.compile(r"^### BEGIN HIDDEN TESTS\n.*?^### END HIDDEN TESTS\n?", re.M | re.S)
MARKER = re.compile(r"###\s*(BEGIN|END)\b.*")
KEYS = {"grade", "solution", "locked", "schema_version", "grade_id"}


def student_version(text: str) -> str:
    """The text of the student's notebook for the text of the instructor's; same in, same out.

    Raises ValueError for a marker without its partner or in a cell that is not declared for it.
    """
    notebook = nbformat.reads(text, as_version=4)
    check_ids(notebook.cells)
    for cell in notebook.cells:
        cell.source = emptied(cell)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if roles(cell).get("locked"):
            cell.metadata.update(deletable=False, editable=False)
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"


def has_markers(text: str) -> bool:
    """Is there a solution or a hidden test in the text of a notebook?"""
    cells = nbformat.reads(text, as_version=4).cells
    return any(MARKER.search(cell.source) for cell in cells)


def emptied(cell: nbformat.NotebookNode) -> str:
    """The source of a cell without what students are to find themselves."""
    source = cell.source
    if roles(cell).get("solution"):
        source = without_solutions(source)
    if roles(cell).get("grade"):
        source = HIDDEN.sub("", source).rstrip()
    if left := MARKER.search(source):
        raise ValueError(
            f"{left[0]!r} has no partner, or its cell is not declared for it:\n{source}"
        )
    return source


def roles(cell: nbformat.NotebookNode) -> dict:
    """nbgrader's part of the metadata. Raises ValueError where it is incomplete."""
    stated = cell.metadata.get("nbgrader", {})
    if not isinstance(stated, dict):
        raise ValueError(f"nbgrader's part of the metadata is {stated!r} for:\n{cell.source}")
    needed = KEYS | ({"points"} if stated.get("grade") else set())
    if stated and not needed <= stated.keys():
        raise ValueError(f"nbgrader needs {sorted(needed - stated.keys())} for:\n{cell.source}")
    return stated


def check_ids(cells: list) -> None:
    names = [roles(cell)["grade_id"] for cell in cells if roles(cell)]
    for name in names:
        if not isinstance(name, str) or not name:
            raise ValueError(f"a grade_id is a name, as 'double-check', not {name!r}")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"a grade_id names one cell; more than one has {', '.join(twice)}")
