"""The page on speed shows what a run has written, and names the targets that are not reached.

Protects readers of the book from numbers that nobody has measured.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dev import ROOT
from tests.helpers.depth import is_short


@pytest.fixture
def performance(monkeypatch):
    """The module of the book, forgotten after."""
    monkeypatch.syspath_prepend(ROOT / "book")
    yield __import__("performance")
    del sys.modules["performance"]


@pytest.fixture
def programs(monkeypatch):
    """The benchmark, forgotten after."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    before = set(sys.modules)
    yield __import__("programs")
    for name in set(sys.modules) - before:
        if str(ROOT / "benchmarks") in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def run_of(*ratios):
    workloads = {
        f"w{k}": {"by hand": 1.5, "target": 1.0, "ratios": {"autodiff_edu": r, "peer": 2.0}}
        for k, r in enumerate(ratios)
    }
    engines = ["autodiff_edu", "peer"]
    return {"date": "a day", "machine": "a kind", "engines": engines, "workloads": workloads}


def test_missed_targets_are_named(performance):
    text = performance.table(run_of(0.5, 1.2, 1.004, 1.006))
    assert "| w0 | 1.5 | 0.50 | 1.0 | yes | 2.00 |" in text
    assert text.startswith("Measured on a day: a kind.")
    assert text.strip().endswith("Targets that are not reached: w1, w3.")
    assert "All targets are reached." in performance.table(run_of(1.0, 0.1))


def test_the_committed_numbers_are_of_the_workloads_and_targets(performance, programs):
    found = performance.measured()
    limits = {name: workload.limit for name, workload in programs.WORKLOADS.items()}
    assert {name: row["target"] for name, row in found["workloads"].items()} == limits
    assert all(performance.OURS in row["ratios"] for row in found["workloads"].values())


def test_a_run_writes_what_the_page_reads(performance, programs, tmp_path, capsys, monkeypatch):
    path = tmp_path / "found.json"
    some_names = "poly" if is_short() else "o"
    programs.main(size=0.01, repeats=1, path=str(path), only=some_names)
    monkeypatch.setattr(performance, "BOOK", tmp_path)
    path.rename(tmp_path / "performance.json")
    performance.write_parts(tmp_path)
    table = (tmp_path / "performance_table.md").read_text("utf-8")
    assert all(f"| {name} |" in table for name in programs.WORKLOADS if some_names in name)
    assert "Linux" in table or "Windows" in table or "Darwin" in table
    root = ElementTree.fromstring((tmp_path / "performance.svg").read_text("utf-8"))
    assert root.tag.endswith("svg")


def test_the_page_includes_its_parts():
    page = Path(ROOT / "book/performance.md").read_text("utf-8")
    assert "kit/performance_table.md" in page and "kit/performance.svg" in page
