"""Student versions: nothing of the solution is left, and what nbgrader needs is there."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autodiff_edu.course.__main__ import main
from autodiff_edu.course.harness.student import student_version

SOLUTION = """\
def f(x):
    if x:
        ### BEGIN SOLUTION
        secret = 1
        return secret
        ### END SOLUTION
    ### BEGIN SOLUTION
    return "secret"
    ### END SOLUTION"""
STUBBED = """\
def f(x):
    if x:
        # YOUR CODE HERE
        raise NotImplementedError()
    # YOUR CODE HERE
    raise NotImplementedError()"""
TEST = """\
assert f(1)
### BEGIN HIDDEN TESTS
assert secret
### END HIDDEN TESTS"""


def cell(source, grade_id="f", **stated):
    roles = {"grade": False, "solution": False, "locked": True, "schema_version": 3}
    shown = [new_output("stream", text="secret")]
    metadata = {"nbgrader": {**roles, "grade_id": grade_id, **stated}}
    return new_code_cell(source, metadata=metadata, execution_count=1, outputs=shown)


def text(*cells):
    """A notebook as a file has it; cells are numbered, so that its text is always the same."""
    for k, one in enumerate(cells):
        one["id"] = f"cell-{k}"
    return nbformat.writes(new_notebook(cells=list(cells)))


def made(*cells):
    return nbformat.reads(student_version(text(*cells)), as_version=4)


def test_solutions_hidden_tests_and_outputs_are_gone():
    source = text(
        new_markdown_cell("# Task"),
        cell(SOLUTION, solution=True, locked=False),
        cell(TEST, "f-check", grade=True, points=2),
    )
    version = student_version(source)
    assert "secret" not in version
    _, solution, check = nbformat.reads(version, as_version=4).cells
    assert solution.source == STUBBED and check.source == "assert f(1)"
    assert (solution.outputs, solution.execution_count) == ([], None)
    assert check.metadata.editable is False and "editable" not in solution.metadata
    assert check.metadata.nbgrader.points == 2
    assert version == student_version(source) == student_version(version)


BROKEN = {
    "no partner": [cell("### BEGIN SOLUTION\n1", solution=True)],
    "not declared for it": [cell(SOLUTION)],
    "or its cell": [cell(TEST, solution=True)],
    "more than one has f": [cell("1"), cell("2")],
    "points": [cell("1", grade=True)],
}


@pytest.mark.each("words, cells", BROKEN.items())
def test_a_broken_notebook_is_refused(words, cells):
    with pytest.raises(ValueError, match=words):
        made(*cells)


def test_the_command_writes_beside_the_instructor_version(tmp_path, capsys):
    path = tmp_path / "01_x.ipynb"
    path.write_text(text(cell(SOLUTION, solution=True)), "utf-8")
    main(str(path))
    assert (tmp_path / "student" / "01_x.ipynb").read_text("utf-8").count("YOUR CODE HERE") == 2
    assert capsys.readouterr().out == "student version of 01_x.ipynb\n"
