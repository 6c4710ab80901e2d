"""dev.py keeps notebooks the same from run to run.

Protects the history of notebooks: what git shows of one is what its author changed.
"""

import json

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
