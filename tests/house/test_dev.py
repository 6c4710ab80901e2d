"""dev.py keeps notebooks the same from run to run.

Protects the history of notebooks: what git shows of one is what its author changed.
"""

import copy
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dev
from dev import cleaned, joined
from tests.helpers import editions, order


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
    noisy = cell("x", metadata={"tags": ["kept"], "execution": {"iopub.status.busy": "now"}})
    notebook = clean(noisy)
    assert notebook["cells"][0]["metadata"] == {"tags": ["kept"]}
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}


@pytest.mark.each(
    "tag, hidden",
    [
        ("hide-input", {"source_hidden": True}),
        ("hide-output", {"outputs_hidden": True}),
        ("hide-cell", {"source_hidden": True, "outputs_hidden": True}),
    ],
)
def test_what_the_book_folds_is_folded_in_jupyterlab(tag, hidden):
    stale = {"jupyter": {"outputs_hidden": False, "source_hidden": False}}
    found = clean(cell("x", metadata={"tags": [tag], **stale}))["cells"][0]["metadata"]
    assert found == {"tags": [tag], "jupyter": hidden}
    assert "jupyter" not in clean(cell("x", metadata=stale))["cells"][0]["metadata"]


@pytest.mark.each(
    "output, kind",
    [
        ({"output_type": "stream", "name": "stdout", "text": ["7\n"]}, "text"),
        ({"output_type": "execute_result", "data": {"text/plain": ["7"]}}, "text/plain"),
        (
            {"output_type": "display_data", "data": {"text/html": ["7"], "text/plain": []}},
            "text/html",
        ),
    ],
)
def test_a_folded_output_does_not_show_its_first_line(output, kind):
    """JupyterLab shows it beside the dots."""
    folded = cell("x", metadata={"tags": ["hide-output"]}, outputs=[copy.deepcopy(output)])
    found = clean(folded)["cells"][0]["outputs"][0]
    first, *rest = found.get("data", found)[kind]
    assert first == " \n" and rest == output.get("data", output)[kind]
    open_ = cell("x", outputs=[copy.deepcopy(output)])
    assert clean(open_)["cells"][0]["outputs"] == [output]


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


def test_a_lecture_is_named_by_its_number_or_its_path(monkeypatch):
    five = dev.ROOT / "notebooks" / "05_reverse_mode.ipynb"
    monkeypatch.chdir(dev.ROOT)
    assert dev.paths(["05", "5", "notebooks/05_reverse_mode.ipynb"]) == [five, five, five]
    assert [path.name[:4] for path in dev.paths(["15b", "15"])] == ["15b_", "15_r"]
    assert dev.paths([]) == []
    for job in (dev.pdf, dev.html, dev.slides, dev.execute):
        for name in ("99", "notebooks/no_such.ipynb"):
            with pytest.raises(SystemExit, match="there is no notebook .*write its path, or"):
                job(name)


def test_a_lecture_that_is_newer_than_its_page_is_not_printed_from_the_old_page(
    tmp_path, monkeypatch
):
    lecture, page = tmp_path / "05_x.ipynb", tmp_path / "book/_build/html/lectures/05_x.html"
    page.parent.mkdir(parents=True)
    lecture.touch()
    jobs = []
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "book", lambda: jobs.append("book") or page.touch())
    monkeypatch.setattr(dev, "python", lambda *words: jobs.append(words))
    for time in (None, 2, 0):  # of the page: none, newer, older
        if time is not None:
            os.utime(lecture, (1, 1))
            os.utime(page, (time, time))
        dev.pdf(str(lecture))
    printed = ("book/pdf.py", page)
    assert jobs == ["book", printed, printed, "book", printed]


@pytest.mark.each(("done", "told"), [(False, "sets up .venv/"), (True, "all is set up")])
def test_the_next_step_depends_on_what_is_done(done, told, tmp_path, monkeypatch):
    stamp = tmp_path / ".stamp"
    if done:
        stamp.write_text("done")
    monkeypatch.setattr(dev, "STAMP", stamp)
    assert told in dev.next_step()


def test_root_is_no_trap(monkeypatch):
    """In a container one is root, and JupyterLab refuses unless it is told."""
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    assert dev.as_root() == ["--allow-root"]
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert dev.as_root() == []
    monkeypatch.delattr("os.geteuid")  # Windows
    assert dev.as_root() == []


@pytest.mark.each("word", ["--changed", "--cpus", "--editions"])
def test_tests_elsewhere_are_programs_of_their_own(word, monkeypatch):
    commands = []
    monkeypatch.setattr(dev, "python", lambda *words, **options: commands.append(words))
    dev.test(word, "more")
    assert commands[0][-1] == "more" and "pytest" not in commands[0]


def test_all_runs_everything(monkeypatch):
    runs = []
    monkeypatch.setenv("HYPOTHESIS_PROFILE", "")  # so that it is as before, afterwards
    monkeypatch.delenv("HYPOTHESIS_PROFILE")
    monkeypatch.setattr(dev, "set_up", lambda *where: None)
    note = lambda *words, **_: runs.append((words, dev.os.environ.get("HYPOTHESIS_PROFILE")))
    monkeypatch.setattr(dev, "python", note)
    dev.test("--all")
    assert len(runs) == 5 and {depth for _, depth in runs} == {"full"}
    assert runs[0][0] == ("-m", "pytest", *dev.PARALLEL)


def test_what_is_compiled_is_kept_for_the_next_process(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(dev, "python", lambda *words: None)
    dev.test("tests/expr")
    assert "PYTHONDONTWRITEBYTECODE" not in dev.os.environ


def test_the_last_line_says_what_more_there_is(monkeypatch, capsys):
    monkeypatch.setattr(dev, "python", lambda *words: None)
    dev.test()
    assert f"{dev.COMMAND} test --all" in capsys.readouterr().out.splitlines()[-1]
    dev.test("tests/expr")
    assert capsys.readouterr().out == ""


def test_an_edition_is_a_python_with_its_packages(monkeypatch):
    """That Debian has a newer one, `test --editions` finds out: it takes a download."""
    monkeypatch.setattr(editions, "debian_python", lambda folder: None)
    assert set(editions.EDITIONS) == {"lowest", "newest"}
    assert Path(editions.newest()).exists()
    rooms = {path.relative_to(dev.ROOT / "tests").parts[0] for path in editions.tests()}
    lectures = [word for word in [*editions.runs("newest")][-1] if word.endswith(".ipynb")]
    assert lectures and {*lectures} <= {*map(str, dev.notebooks())}
    assert {"expr", "rewrite", "show"} <= rooms and not rooms & editions.LEFT_OUT


def test_the_files_with_which_workers_begin_are_there():
    files = [path for folder in ("tests", "notebooks") for path in (dev.ROOT / folder).rglob("*")]
    assert {*order.LONGEST} <= {path.stem for path in files if path.suffix in (".py", ".ipynb")}
