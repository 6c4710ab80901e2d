"""The folder of an engine: begun, completed from reference files, never overwritten, checked."""

import contextlib
import importlib
import re
import sys

import numpy as np
import pytest

from autodiff_edu.course import Unsolved, Wrong, check_engine, reference_file, start_engine
from autodiff_edu.course.__main__ import COMMANDS, main
from autodiff_edu.course.build_your_own.files import REFERENCE, TASKS
from dev import ROOT


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path / "my_engine"


@pytest.fixture
def engine(folder, monkeypatch):
    """Our files, imported from a folder as a student does."""
    for name in TASKS:
        reference_file(folder, name)
    monkeypatch.syspath_prepend(folder.parent)
    modules = [importlib.import_module(f"my_engine.{name}") for name in TASKS]
    yield dict(zip(TASKS, modules, strict=True))
    for name in [name for name in sys.modules if name.partition(".")[0] == "my_engine"]:
        del sys.modules[name]


def test_every_reference_file_is_a_task():
    assert sorted(path.stem for path in REFERENCE.glob("*.py")) == sorted(TASKS)


def test_an_engine_is_begun_and_nothing_is_overwritten(folder, capsys):
    start_engine("my_engine")
    assert sorted(path.stem for path in folder.iterdir()) == sorted(TASKS)
    (folder / "node.py").write_text("mine = 1\n")
    (folder / "draw.py").unlink()
    capsys.readouterr()
    start_engine("my_engine")
    assert (folder / "node.py").read_text() == "mine = 1\n"
    said = capsys.readouterr().out
    assert "my_engine/node.py is there already\n" in said
    assert "my_engine/draw.py is new\n" in said


def test_who_is_stuck_goes_on_from_our_file(folder, capsys):
    start_engine("my_engine")
    with pytest.raises(Unsolved, match="^task 1, node: Node in my_engine/node.py is not written"):
        check_engine("my_engine")
    (folder / "node.py").write_text("mine = 1\n")
    reference_file("my_engine", "node")
    assert (folder / "node_mine.py").read_text() == "mine = 1\n"
    check_engine("my_engine", 1)
    with pytest.raises(Unsolved, match="^task 2, graph: order in my_engine/graph.py is not"):
        check_engine("my_engine", upto="graph")
    (folder / "node.py").write_text("mine = 2\n")
    for _ in range(2):  # our own file is not kept as one's own
        reference_file("my_engine", "node")
    assert (folder / "node_mine_2.py").read_text() == "mine = 2\n"
    assert len(list(folder.glob("node_*.py"))) == 2
    assert "your node.py is kept as node_mine_2.py\n" in capsys.readouterr().out


def test_each_check_reads_the_files_anew_and_leaves_no_module(folder):
    reference_file("my_engine", "node")
    text = (folder / "node.py").read_text()
    check_engine("my_engine", 1, seed=3)
    (folder / "node.py").write_text(text.replace('"sub", other, self', '"sub", self, other'))
    for _ in range(2):
        with pytest.raises(Wrong, match="operand 1 of 2 - x is not the constant"):
            check_engine("my_engine", 1)
    (folder / "node.py").write_text(text)
    check_engine("my_engine", 1)
    assert "my_engine" not in sys.modules and not list(folder.glob("__pycache__"))


def test_modules_of_a_notebook_stay_where_there_is_no_second_process(engine, alone, capsys):
    path = list(sys.meta_path)
    check_engine("my_engine", 1)
    assert "(checked without a second process" in capsys.readouterr().out
    assert sys.modules["my_engine.node"] is engine["node"] and sys.meta_path == path


@pytest.mark.each(
    "call, words",
    [
        (lambda: check_engine("nowhere"), "there is no engine in nowhere: course.start_engine"),
        (lambda: check_engine("my_engine", 9), "there is no task 9"),
        (lambda: start_engine("my engine"), "'my engine' cannot be the name of a Python package"),
        (lambda: start_engine("class"), "'class' cannot be the name of a Python package"),
        (lambda: start_engine("numpy"), "Python has a package 'numpy' already"),
        (lambda: reference_file("my_engine", "nodes"), "there is no file 'nodes': the files are"),
    ],
)
def test_what_is_not_there_is_told(folder, call, words):
    with pytest.raises((ValueError, Wrong), match=words):
        call()
    assert not folder.exists()


def test_marks_and_odd_bytes_of_editors(folder):
    reference_file("my_engine", "node")
    text = (folder / "node.py").read_text()
    (folder / "node.py").write_text(text, encoding="utf-8-sig")
    check_engine("my_engine", "node")
    (folder / "node.py").write_bytes(b"# gr\xf6\xdfe\n")
    with pytest.raises(Wrong, match="^node.py is no text in UTF-8"):
        check_engine("my_engine", "node")


# ---- from a terminal


def test_the_commands(folder, capsys):
    main("build", "my_engine")
    main("reference", "my_engine", "node")
    main("check", "my_engine", "1")
    assert capsys.readouterr().out.endswith("task 1, node: right\n")
    with pytest.raises(SystemExit, match="^Unsolved: task 2, graph: order in my_engine/graph.py"):
        main("check", "my_engine")
    with pytest.raises(SystemExit, match="^ValueError: there is no task 'three'"):
        main("check", "my_engine", "three")
    with pytest.raises(SystemExit, match="build my_engine  "):
        main("check")


def test_what_the_page_shows_runs(folder, capsys):
    page = (ROOT / "book" / "build_your_own.md").read_text("utf-8")
    headings = [f"## Task {k}: {name}\n" for k, name in enumerate(TASKS, 1)]
    assert all(
        f"{heading}\n**Write** in `{name}.py`" in page
        for heading, name in zip(headings, TASKS, strict=True)
    )
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict = {}
    for block in blocks[:3]:
        with contextlib.suppress(Unsolved):
            exec(block, names)
    assert (folder / "graph_mine.py").exists() and "%autoreload" in blocks[3]
    commands = re.findall(r"^python -m autodiff_edu.course (.*)", page, re.MULTILINE)
    assert [command.split()[0] for command in commands] == list(COMMANDS)
    for command in commands:
        with contextlib.suppress(SystemExit):
            main(*command.split())
    said = capsys.readouterr().out
    assert "my_engine/graph.py is the reference file now" in said and "is there already" in said


# ---- what our files compute, against published numbers


def test_the_reference_computes_baydins_tables(engine):
    """SYLLABUS 5A: log(x1) + x1 x2 - sin(x2) at (2, 5)."""
    node, reverse = engine["node"], engine["reverse"].reverse
    x1, x2 = node.variable("x1"), node.variable("x2")
    y = node.log(x1) + x1 * x2 - node.sin(x2)
    at = {x1: 2.0, x2: 5.0}
    table = [engine["forward"].forward(y, at, {x1: 1.0})[n] for n in engine["graph"].order(y)]
    rows = {round(v, 3): round(dv, 3) for v, dv in table}
    published = {2: 1, 5: 0, 0.693: 0.5, 10: 5, -0.959: 0, 10.693: 5.5, 11.652: 5.5}
    assert rows == published
    gradient = reverse(y, [x1, x2])
    found = [engine["graph"].evaluate(g, at) for g in gradient]
    assert found == pytest.approx([5.5, 1.7163378145367738], rel=1e-12)
    hessian = [[engine["graph"].evaluate(h, at) for h in reverse(g, [x1, x2])] for g in gradient]
    assert np.allclose(hessian, [[-0.25, 1], [1, -0.9589242746631385]], rtol=1e-12)


def test_the_reference_computes_the_gradient_of_real_data(engine):
    """SYLLABUS 5G: its weights' part has this norm, and the bias this slope."""
    from autodiff_edu.course.build_your_own.task_8_train import breast_cancer

    X, labels = breast_cancer()
    train, node = engine["train"], engine["node"]
    w, b = node.variable("w"), node.variable("b")
    cost = train.loss(train.standardised(X), labels, w, b)
    at = {w: np.zeros((30, 1)), b: np.zeros(())}
    dw, db = (engine["graph"].evaluate(g, at) for g in engine["reverse"].reverse(cost, [w, b]))
    assert engine["graph"].evaluate(cost, at) == pytest.approx(np.log(2), rel=1e-12)
    assert np.linalg.norm(dw) == pytest.approx(1.4123677275676216, rel=1e-9)
    assert db == pytest.approx(-0.1274165202108963, rel=1e-9)


def test_the_data_are_those_of_scikit_learn():
    from sklearn.datasets import load_breast_cancer

    from autodiff_edu.course.build_your_own.task_8_train import breast_cancer

    X, labels = breast_cancer()
    data = load_breast_cancer()
    assert np.array_equal(X, data.data) and np.array_equal(labels[:, 0], data.target)
