"""dev.py keeps notebooks the same from run to run.

Protects the history of notebooks: what git shows of one is what its author changed.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from dev import cleaned, joined


def cell(source, **more):
    return {"cell_type": "code", "source": [source], "metadata": {}, "outputs": [], **more}


def clean(*cells):
    return json.loads(cleaned(json.dumps({"cells": cells, "metadata": {"widgets": {}}})))


def test_cleaning_twice_is_cleaning_once():
    text = cleaned(json.dumps({"cells": [cell("x"), cell("x")], "metadata": {}}))
    assert cleaned(text) == text


def test_a_cell_keeps_its_id_when_others_come():
    assert clean(cell("x"))["cells"][0]["id"] == clean(cell("new"), cell("x"))["cells"][1]["id"]


def test_equal_cells_have_different_ids():
    assert len({c["id"] for c in clean(cell("x"), cell("x"), cell("x"))["cells"]}) == 3


def test_only_authored_metadata_stays():
    noisy = cell("x", metadata={"tags": ["hide-input"], "execution": {"iopub.status.busy": "now"}})
    notebook = clean(noisy)
    assert notebook["cells"][0]["metadata"] == {"tags": ["hide-input"]}
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}


def test_printed_text_is_joined_by_stream():
    def said(name, text):
        return {"output_type": "stream", "name": name, "text": text.splitlines(True)}

    pieces = [
        said("stdout", "a"),
        said("stdout", "b\nc\n"),
        said("stderr", "!"),
        said("stdout", "d"),
    ]
    assert joined(pieces) == [said("stdout", "ab\nc\n"), said("stderr", "!"), said("stdout", "d")]


# ---- what it says


def said(*args):
    command = [sys.executable, Path(dev.__file__), *args]
    return subprocess.run(command, capture_output=True, text=True)


def test_alone_it_says_what_to_do_next():
    done = said()
    assert done.returncode == 0 and not done.stderr
    assert f"\nNext: {dev.COMMAND} lab " in done.stdout
    assert all(f"\n    {job} " in done.stdout for job in dev.JOBS)


def test_an_unknown_job_is_an_error_that_lists_the_jobs():
    done = said("tests")
    assert done.returncode == 1 and "there is no job 'tests'" in done.stderr
    assert all(job in done.stderr for job in dev.JOBS)


@pytest.mark.parametrize(("done", "told"), [(False, "sets up .venv/"), (True, "all is set up")])
def test_the_next_step_depends_on_what_is_done(done, told, tmp_path, monkeypatch):
    stamp = tmp_path / ".stamp"
    if done:
        stamp.write_text("done")
    monkeypatch.setattr(dev, "STAMP", stamp)
    assert told in dev.next_step()
