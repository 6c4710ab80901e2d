"""The way of the README's first example, which a reader walks from file to file, gets no longer.

Protects a compact engine: features and speed that enter the heart of it are seen here at once.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.way import code_lines

ROOT = Path(__file__).parents[2]

# Files and code lines, at most. A change that shortens the way lowers its figures here.
MOST = {
    "build": (5, 509),
    "derivative": (8, 999),
    "reverse": (9, 1098),
    "simplify": (12, 1687),
    "program": (16, 1963),
    "call": (1, 8),
    "picture": (9, 1046),
    "engine": (16, 2076),
    "the way": (29, 3337),
    "first time": (51, 5165),
    "loaded": (224, 18582),
}


@pytest.fixture(scope="module")
def way():
    """The rows of the table, from a process in which nothing has run before."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.helpers.way", "--json"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_the_way_gets_no_longer(way):
    for stage, (files, code) in MOST.items():
        assert way[stage]["files"] <= files, f"{stage}: files"
        assert way[stage]["code"] <= code, f"{stage}: code lines"


def test_figures_that_fell_are_held(way):
    """A bound is no more than a tenth above what it bounds, so that it cannot be forgotten."""
    for stage, (files, code) in MOST.items():
        assert files <= max(1.1 * way[stage]["files"], way[stage]["files"] + 1), stage
        assert code <= 1.1 * way[stage]["code"], stage


def test_every_stage_runs(way):
    assert all(way[stage]["run"] for stage in MOST if stage != "loaded")
    assert way["call"]["run"] > 1  # the program that was written


def test_the_book_states_the_figures(way):
    """The table of the architecture is right within a tenth. If it is not, write it anew:
    python -m tests.helpers.way."""
    page = (ROOT / "book" / "architecture.md").read_text("utf-8")
    table = re.findall(r"^\| ([a-z ]+) \|" + r" ([\d,]+) \|" * 3 + "$", page, re.MULTILINE)
    assert [stage for stage, *_ in table] == list(way)
    for stage, *cells in table:
        for head, cell in zip(("files", "code", "run"), cells, strict=True):
            stated, today = int(cell.replace(",", "")), way[stage][head]
            assert abs(stated - today) <= max(1, 0.1 * today), (stage, head, stated, today)


TEXT = '''"""A docstring
of two lines."""

# a comment
x = [
    1,
]

def f():
    "one"
    return x  # a result
'''


def test_code_lines_are_lines_with_code():
    assert code_lines(TEXT) == 5
