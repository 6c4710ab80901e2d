"""In a kernel, as in JupyterLab, a check shows its picture and then its words.

Protects the way of a picture from the worker to the page on which a student works. What each check
says of each answer is tested without a kernel, in `test_exercises.py`.
"""

import nbformat
import pytest
from jupyter_client.provisioning import KernelProvisionerFactory
from nbclient import NotebookClient

from tests.course.test_exercises import EXERCISES, NAMES, TASKS, answered, cells, code, mutants
from tests.helpers import kernels
from tests.helpers.depth import is_short, some

SOME = some(NAMES, 22, turn=12)  # exercise 13, or all


def tasks_of(name):
    """The tasks of an exercise, or one in four of them."""
    return some([task for exercise, task in TASKS if exercise == name], 4)


def asked(name):
    """An exercise with a wrong and then a right answer to each task, each with its check below."""
    tasks = tasks_of(name)
    student = cells(EXERCISES / "student" / name)
    rows = [[grade_id, source] for grade_id, _, source in code(EXERCISES / "student" / name)]
    notebook = nbformat.v4.new_notebook()
    for grade_id, source in rows:
        answers = {"": source}
        if grade_id in tasks:
            answers = {
                "wrong": mutants(name)[grade_id][0],
                "right": cells(EXERCISES / name)[grade_id],
            }
        elif grade_id.removesuffix("-check") in tasks:
            continue
        for kind, answer in answers.items():
            add(notebook, answer, task="", kind="")
            if kind:
                add(notebook, student[f"{grade_id}-check"], task=grade_id, kind=kind)
    return notebook


@pytest.fixture(scope="module", autouse=True)
def forks():
    """A kernel is a fork by default, as those of lectures are."""
    kernels.install()


def add(notebook, source, **metadata):
    notebook.cells.append(nbformat.v4.new_code_cell(source, metadata=metadata))


@pytest.mark.each("name", SOME)
def test_in_a_kernel_wrong_answers_are_caught_and_right_ones_pass(name):
    notebook = asked(name)
    path = {"PYTHONPATH": str(EXERCISES.parents[1]), "AUTODIFF_EDU_SEED": "5"}
    folder = {"metadata": {"path": str(EXERCISES)}}
    client = NotebookClient(notebook, timeout=300, allow_errors=True, resources=folder)
    with pytest.MonkeyPatch.context() as patch:
        for key, value in path.items():
            patch.setenv(key, value)
        if not is_short():  # a kernel as a reader's, and no fork
            factory = KernelProvisionerFactory.instance()
            patch.setattr(factory, "default_provisioner_name", "local-provisioner")
        client.execute()
        alone = {task: answered(name, task, mutants(name)[task][0]) for task in tasks_of(name)}
    for cell in notebook.cells:
        task, kind = cell.metadata.task, cell.metadata.kind
        if not task:
            continue
        errors = [out.evalue for out in cell.outputs if out.output_type == "error"]
        shown = [out for out in cell.outputs if out.output_type == "display_data"]
        assert len(errors) == (kind == "wrong"), (task, errors)
        if errors:
            assert head(errors[0]) == head(alone[task].message)
            assert len(shown) == len(alone[task].page)


def head(message):
    """Its first line, without the place in a cell, which a kernel alone has."""
    return message.partition("\n")[0].partition(" (made at")[0]
